// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sides of branches that are taken without a question, because they are probable enough.
//
// A state that took such a side has conditions that its witness need not fulfil (State::guessed).
// One query checks them together, when the state comes to anything but another branch whose sides
// are probable or improbable enough. So nothing else ever sees a state without an input, and no
// test or bug comes from a guess. If the answer is no, the guess was wrong, and the state is
// dropped.
//
// If only one side is probable, a query checks the other one together with the guesses. That is one
// query as without guesses, and a state that results from it has an input.
//
// With --only-new-coverage, a path that ends well and covers nothing new needs no input and is not
// asked about at all (PathEnds).
//
// Source: [psp23] Algorithm 1.
#ifndef FATHOM_EXPLORE_DECIDE_SPECULATIVEBRANCHES_H
#define FATHOM_EXPLORE_DECIDE_SPECULATIVEBRANCHES_H

#include "explore/decide/FeasibilityChecks.h"
#include "explore/policy/BranchProbability.h"

#include <unordered_map>

namespace fathom::explore {

class SpeculativeBranches : private EngineComponent {
public:
  explicit SpeculativeBranches(Engine &engine);

  /// FeasibilityChecks::checkOtherSide, for a side of a branch. Guessed: it is probable, and was
  /// not asked about.
  Feasible checkOtherSide(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                          uint32_t branchId, uint32_t side);
  /// The state goes on at a side for which the answer was Guessed.
  static void adopt(State &s, ExprPtr condition, uint32_t branchId, uint32_t side) {
    s.guessed.push({condition, branchId, side});
  }
  /// The state takes the side: it is as probable as its path and the side.
  void took(State &s, uint32_t branchId, uint32_t side) const {
    if (options_.odds && branchId != kNoBranch)
      s.odds *= options_.odds->ofSide(branchId, side, s.oddsPath).value_or(kUnknownOdds);
  }
  /// Yes or Guessed: what to do for the copy that goes there.
  void go(State &s, Feasible answer, ExprPtr condition,
          const std::shared_ptr<const expr::Model> &model, uint32_t branchId, uint32_t side);

  /// Decides what happens to a side: it is checked by a query, taken, or left.
  enum class Odds : uint8_t { Unknown, Probable, Improbable };
  /// The sides of a branch for a state that goes on without a witness. At least one is probable;
  /// nullopt: none is, and a query is needed.
  struct Sides {
    Odds no = Odds::Unknown, yes = Odds::Unknown;
  };
  std::optional<Sides> sidesUnasked(State &s, uint32_t branchId);
  /// The conjunction of the guessed conditions and this one.
  ExprPtr withGuesses(const State &s, ExprPtr condition);
  /// Checks the guesses by a query. False: the state has ended (its path is infeasible, or there
  /// was no answer).
  bool settle(State &s);

private:
  /// The probability of a side without an estimate: neither probable nor improbable.
  static constexpr double kUnknownOdds = 0.5;
  Odds oddsOf(const State &s, uint32_t branchId, uint32_t side) const;
  void leaves(const State &s); ///< counts a side that is left
  /// May the state go on without its input? Where results of external functions are on the path,
  /// they depend on it; a merged state has no path of its own.
  static bool mayGuess(const State &s) {
    return !s.hasExact && !s.seeds && !s.threads && !s.isMerged;
  }

  /// The outcome of guesses at a side. The odds do not depend on the way to the branch: a side that
  /// is seen often may contradict what most paths there have decided before.
  struct Tally {
    uint32_t right = 0, wrong = 0;
  };
  /// The odds, reduced if guesses so far were wrong.
  double corrected(double odds, uint32_t branchId, uint32_t side) const;

  std::unordered_map<uint64_t, Tally> tallies_; ///< by branch and side; looked up only
  Places &places_;
  LogFollower &follower_;
  FeasibilityChecks &feasibility_;
};

} // namespace fathom::explore
#endif
