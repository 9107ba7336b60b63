// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of a path: which way it takes at each place where its inputs matter. They identify
// the path (State::identity), and policies can watch them.
#ifndef FATHOM_EXPLORE_DECIDE_DECISIONS_H
#define FATHOM_EXPLORE_DECIDE_DECISIONS_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

#include <optional>
#include <vector>

namespace fathom::explore {

struct Engine;
class Policy;

class Decisions : private EngineComponent {
public:
  explicit Decisions(Engine &engine);

  /// Adds a policy that watches decisions (Policy::keepsDecisions). Without such a policy, none are
  /// kept.
  void watch(Policy &policy);

  /// The path takes one of several ways (or values, or objects). condition: holds on this way and
  /// on no other; null: that is no term. The state is still at the deciding instruction. asBuilt:
  /// the condition as it was built; null: the table has it (unsimplified()).
  void took(State &s, uint64_t which, ExprPtr condition = nullptr, bool isImplied = false,
            expr::UnsimplifiedPtr asBuilt = nullptr) {
    s.took(which);
    if (!watchers_.empty()) tell(s, which, condition, isImplied, asBuilt);
  }
  /// A branch's condition on this side, as it was built; null: no policy watches.
  expr::UnsimplifiedPtr ofSide(ExprPtr condition, bool side);
  /// Decisions of this event so far are kept in a register: running the instruction again does not
  /// repeat them.
  void keep(const State &s) {
    begun_.identity = s.identity;
    begun_.decisions = s.decisions;
  }
  /// A new event begins. If its instruction is run again, what the event counts is counted again
  /// (see again()).
  void begin(const State &s) {
    keep(s);
    begun_.instructions.reset();
  }
  /// The block up to a call is about to be counted.
  void counts(const State &s) { begun_.instructions = s.instructions; }
  /// The instruction will be run again, and decides anew. True: the state goes on.
  bool again(State &s) const {
    s.identity = begun_.identity;
    s.decisions = begun_.decisions;
    return runsAgain(s);
  }
  /// The same, if its decisions were kept.
  bool runsAgain(State &s) const {
    if (begun_.instructions) s.instructions = *begun_.instructions;
    return true;
  }
  /// How the path was when the event began, to which `again` goes back.
  struct Begun {
    uint64_t identity = 0;
    PersistentList<Decision> decisions;
    std::optional<uint64_t> instructions; ///< the same; null: nothing was counted
  };
  const Begun &begun() const { return begun_; }
  /// An event that was interrupted goes on.
  void resume(const Begun &begun) { begun_ = begun; }
  expr::UnsimplifiedTerms *unsimplified() const {
    return unsimplified_.get();
  } ///< null: no policy keeps them

private:
  void tell(State &s, uint64_t which, ExprPtr condition, bool isImplied,
            expr::UnsimplifiedPtr asBuilt);

  Engine &engine_;
  std::vector<Policy *> watchers_;
  std::unique_ptr<expr::UnsimplifiedTerms> unsimplified_; ///< where a policy keeps them
  Begun begun_;
};

} // namespace fathom::explore
#endif
