// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies watch a path and may change its course: confirmation of reports, merging, sampling of
// states.
//
// A policy says at which instructions it wants to be asked. These are points of the interpreter's
// code (PointTable.h); code without points is not slower. At a point the policy sees the state
// before the instruction and decides how it continues. A policy lives in one file, and is
// registered by one line: a maker in ExploreOptions::policies.
#ifndef FATHOM_EXPLORE_POLICY_POLICY_H
#define FATHOM_EXPLORE_POLICY_POLICY_H

#include "explore/interpreter/Interpreter.h"
#include "explore/state/State.h"

#include <cstdint>
#include <vector>

namespace fathom::explore {

struct Engine;

struct PointSite {
  uint32_t function, inst; ///< indices: Program::functions, FunctionCode::code
};

class Policy {
public:
  /// What becomes of a state at a point.
  enum class Answer : uint8_t {
    GoOn,  ///< the instruction runs
    Moved, ///< the policy has put the state elsewhere: State::ip
    Again, ///< the state forked: it and its copies come back, and the policy is asked again
    Ended  ///< the path ends here
  };
  virtual ~Policy() = default;
  /// Asked once, before anything runs.
  virtual std::vector<PointSite> points(const program::Program &) const { return {}; }
  /// The state is before one of them. While a log is followed (LogFollower::isFollowed) the answer
  /// has to be the one that was given then: what does not follow from the state goes into the log.
  virtual Answer at(Engine &, State &) { return Answer::GoOn; }
  /// Does it want to know what paths decide? Then states keep it (State::decisions).
  virtual bool keepsDecisions() const { return false; }
  /// Does it look at their conditions as they were built (Decision::asBuilt)? Noting that costs a
  /// tenth of the time where symbolic code runs.
  virtual bool keepsLiterals() const { return false; }
  /// The path has decided this, and keeps it if the instruction is not run again. Told also while a
  /// log is followed. The path condition may be put in other words; nothing else may change.
  virtual void decided(Engine &, State &, const Decision &) {}
  /// Does it want to know where paths end?
  virtual bool watchesEnds() const { return false; }
  /// The path is over, completely; before its test is made. Not told while a log is followed.
  virtual void ended(Engine &, State &) {}
};

/// A call of one of the program's functions, as its caller makes it.
struct FunctionCall {
  const program::Inst *ip;
  const program::FunctionCode *callee;
  const uint32_t *args; ///< slots of the caller's frame
  uint32_t numArgs;
};

/// A policy for calls: they are run (GoOn), or something stands in for the function (returns).
/// Calls through pointers are calls of the function that the pointer means; one that is symbolic is
/// decided before.
class CallPolicy : public Policy {
public:
  virtual bool wants(const program::FunctionCode &callee) const = 0;
  virtual Answer call(Engine &engine, State &s, const FunctionCall &call) = 0;

  std::vector<PointSite> points(const program::Program &program) const final;
  Answer at(Engine &engine, State &s) final;

protected:
  /// The call gives this value (null: none, for functions without one) and is over.
  static Answer returns(Engine &engine, State &s, const FunctionCall &call, ExprPtr value);
  /// Argument i, of this width. It is one of those that are passed.
  static ExprPtr argument(Engine &engine, const State &s, const FunctionCall &call, unsigned i,
                          unsigned width);
};

} // namespace fathom::explore
#endif
