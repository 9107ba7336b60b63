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
  /// How a state continues at a point.
  enum class Answer : uint8_t {
    GoOn,  ///< the instruction runs
    Moved, ///< the policy has put the state elsewhere: State::ip
    Again, ///< the state forked: it and its copies come back, and the policy is asked again
    Ended  ///< the path ends here
  };
  virtual ~Policy() = default;
  /// Asked once, before anything runs.
  virtual std::vector<PointSite> points(const program::Program &) const { return {}; }
  /// The state is before one of them. While a log is followed (LogFollower::isFollowed), the answer
  /// has to be the original one: so what does not follow from the state goes into the log.
  virtual Answer at(Engine &, State &) { return Answer::GoOn; }
  /// Does the policy watch decisions? Then states keep them (State::decisions).
  virtual bool keepsDecisions() const { return false; }
  /// Does it need conditions as they were built (Decision::asBuilt)? Noting them costs a tenth of
  /// the time of symbolic code.
  virtual bool keepsUnsimplifiedTerms() const { return false; }
  /// The path has made this decision, and keeps it unless the instruction is run again. Called also
  /// while a log is followed. The policy may rewrite the path condition to an equivalent one, and
  /// nothing else.
  virtual void decided(Engine &, State &, const Decision &) {}
  /// Does it watch the ends of paths?
  virtual bool watchesEnds() const { return false; }
  /// The path is complete, and its test is not made yet. Not called while a log is followed.
  virtual void ended(Engine &, State &) {}
};

/// A call of one of the program's functions, as its caller makes it.
struct FunctionCall {
  const program::Inst *ip;
  const program::FunctionCode *callee;
  const uint32_t *args; ///< slots of the caller's frame
  uint32_t numArgs;
};

/// A policy for calls: a call is run (GoOn), or gets a value in place of the function's (returns).
/// A call through a pointer is one of the function that the pointer means; a symbolic pointer is
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
