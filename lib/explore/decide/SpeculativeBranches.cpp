// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/SpeculativeBranches.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/StepContext.h"

#include <algorithm>

namespace fathom::explore {

using evidence::LedgerCategory;

namespace {
/// So many guesses the odds are worth.
constexpr double kWorth = 8;
uint64_t keyOf(uint32_t branchId, uint32_t side) { return uint64_t(branchId) << 32 | side; }
} // namespace

double SpeculativeBranches::corrected(double odds, uint32_t branchId, uint32_t side) const {
  auto tally = tallies_.find(keyOf(branchId, side));
  if (tally == tallies_.end()) return odds;
  const auto [right, wrong] = tally->second;
  // The tally is that of the branch, and the odds are those of this path: what was right on many
  // other paths makes nothing probable here that no execution on this one did.
  return std::min(odds, (kWorth * odds + right) / (kWorth + right + wrong));
}

SpeculativeBranches::Odds SpeculativeBranches::oddsOf(const State &s, uint32_t branchId,
                                                      uint32_t side) const {
  if (!options_.odds || branchId == kNoBranch) return Odds::Unknown;
  const std::optional<double> p = options_.odds->ofSide(branchId, side, s.oddsPath);
  if (!p) return Odds::Unknown;
  if (corrected(*p, branchId, side) > options_.theta) return Odds::Probable;
  return options_.assumesUnsat && *p < 1 - options_.theta ? Odds::Improbable : Odds::Unknown;
}

Feasible SpeculativeBranches::checkOtherSide(State &s, ExprPtr condition,
                                             std::shared_ptr<const expr::Model> &model,
                                             uint32_t branchId, uint32_t side) {
  const Odds odds = mayGuess(s) && !LogFollower::isFollowed(s) && !condition->isFalse()
                        ? oddsOf(s, branchId, side)
                        : Odds::Unknown; // what was guessed, the log tells
  if (odds == Odds::Unknown) return feasibility_.checkOtherSide(s, condition, model, branchId);
  // Left, not impossible: the path that goes on is that of the other side only.
  const Feasible answer = odds == Odds::Probable ? Feasible::Guessed : Feasible::Unknown;
  if (odds == Odds::Probable)
    stats_.guessedFeasible++;
  else
    leaves(s);
  s.log.append(Record::Answer, static_cast<uint64_t>(answer));
  return answer;
}

void SpeculativeBranches::leaves(const State &s) {
  stats_.guessedInfeasible++;
  ledger_.add(LedgerCategory::AssumedInfeasible, places_.where(s),
              "a branch side that the campaign makes improbable (--assume-unsat)");
}

void SpeculativeBranches::go(State &s, Feasible answer, ExprPtr condition,
                             const std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                             uint32_t side) {
  if (answer == Feasible::Guessed)
    adopt(s, condition, branchId, side);
  else
    feasibility_.assume(s, condition, model);
}

std::optional<SpeculativeBranches::Sides> SpeculativeBranches::sidesUnasked(State &s,
                                                                            uint32_t branchId) {
  constexpr uint64_t kBase = 3; // kinds of odds
  const uint64_t which = follower_.logged(s, Record::Known, [&]() -> uint64_t {
    if (!mayGuess(s)) return 0;
    const Odds no = oddsOf(s, branchId, 0), yes = oddsOf(s, branchId, 1);
    if (no != Odds::Probable && yes != Odds::Probable) return 0;
    return 1 + static_cast<uint64_t>(no) + kBase * static_cast<uint64_t>(yes);
  });
  if (!which) return std::nullopt;
  const Sides sides{.no = static_cast<Odds>((which - 1) % kBase),
                    .yes = static_cast<Odds>((which - 1) / kBase % kBase)};
  if (!LogFollower::isFollowed(s))
    for (const Odds odds : {sides.no, sides.yes}) {
      stats_.guessedFeasible += odds == Odds::Probable;
      if (odds == Odds::Improbable) leaves(s);
    }
  return sides;
}

ExprPtr SpeculativeBranches::withGuesses(const State &s, ExprPtr condition) {
  ExprPtr all = ctx_.trueExpr();
  for (const State::Guess *guess : s.guessed.items()) all = ctx_.bvAnd(all, guess->condition);
  return ctx_.bvAnd(all, condition);
}

bool SpeculativeBranches::settle(State &s) {
  if (!s.guessed.size()) return true;
  ExprPtr all = withGuesses(s, ctx_.trueExpr());
  const PersistentList<State::Guess> guessed = s.guessed;
  std::shared_ptr<const expr::Model> model;
  const Feasible answer = feasibility_.feasible(s, all, model);
  if (stepContext_.cut) return false;
  s.guessed = {};
  const bool counts = !LogFollower::isFollowed(s);
  if (answer == Feasible::Yes) {
    for (auto *n = guessed.last.get(); n && counts; n = n->previous.get())
      tallies_[keyOf(n->value.branchId, n->value.side)].right++;
    feasibility_.assume(s, all, model);
    return true;
  }
  if (answer == Feasible::No && counts) { // the newest is the likeliest to be wrong
    stats_.wrongGuesses++;
    tallies_[keyOf(guessed.last->value.branchId, guessed.last->value.side)].wrong++;
  }
  return false;
}

} // namespace fathom::explore
