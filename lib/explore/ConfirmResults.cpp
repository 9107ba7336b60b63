// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In coverage mode arguments of external functions go on without their results (ExternalPolicy.h),
// so a path may be one that no input takes. What is said of it to others, a bug or a test, is to be
// of an input that does: the inputs that are at hand are looked at first, with the results that
// functions give for them, and then the question that divergence mode asks at each branch is asked
// once for the whole path. Where results are those of one value of the arguments (--external
// concretize) there is no such question: the bug's input is tried (ShowBug.cpp).
//
// Cost: one question for a bug's place and kind, and again when it was met for the 2nd, 4th, 8th
// time and so on; for tests, the unsat predictor decides by the place where paths end.
#include "explore/Executor.h"

#include "fmt/format.h"

#include <bit>

namespace fathom::explore {

/// Questions about whole paths have numbers of their own for the predictor, above all branches'.
static constexpr uint32_t kOfPath = uint32_t(1) << 31;
static constexpr std::chrono::milliseconds kMostTime{5000}; // for one question

/// Gives the results the values that they have for the model's inputs. True: under them the path
/// and the condition (null: nothing more) hold.
bool Executor::agrees(State &s, ExprPtr condition, expr::Model &model) {
  settleResults(s, model);
  evaluator_.setModel(model, nextModelVersion());
  if (condition && !evaluator_.isTrue(condition)) return false;
  for (auto *n = s.exact.last(); n; n = n->previous.get())
    if (!evaluator_.isTrue(n->constraint)) return false;
  return true;
}

Executor::Feasible Executor::takesPath(State &s, ExprPtr condition, uint32_t number,
                                       std::shared_ptr<const expr::Model> &model, bool &lessTime) {
  // What says nothing about operations holds under the witness. All else is asked as one goal: the
  // solver takes of a path only what shares inputs with it.
  solver::PathCondition plain;
  ExprPtr goal = condition ? exactTerm(s, condition) : ctx_.trueExpr();
  for (ExprPtr e : s.exact.constraints())
    if (e->has(expr::kHasApply))
      goal = ctx_.bvAnd(e, goal);
    else
      plain.add(e);
  const auto most = std::min(options_.solverTimeout, kMostTime);
  const auto timeout = std::min(most, queryTimeout());
  auto start = solver::Clock::now();
  solver::Answer answer = oracle_.check({.path = plain,
                                         .goal = goal,
                                         .witness = s.witness.get(),
                                         .witnessVersion = s.witnessVersion,
                                         .branchId = number,
                                         .timeout = timeout});
  stats_.queries++;
  stats_.exactQueries++;
  stats_.solverSeconds += std::chrono::duration<double>(solver::Clock::now() - start).count();
  noteSearchFaults(s);
  if (answer.kind == solver::AnswerKind::Unsat) return Feasible::No;
  lessTime = answer.why == solver::UnknownReason::Timeout && timeout < most;
  if (answer.kind != solver::AnswerKind::Sat) return Feasible::Unknown;
  auto found = std::make_shared<expr::Model>(answer.isWitness ? *s.witness : answer.model);
  if (!agrees(s, condition, *found) || !validateExternals(s, goal, *found))
    return Feasible::Unknown;
  model = std::move(found);
  return Feasible::Yes;
}

bool Executor::confirmBug(State &s, const BugKey &key, const std::string &message,
                          ExprPtr condition, std::shared_ptr<const expr::Model> &model) {
  if (!s.hasExact && !s.guessesResults) return true;
  if (s.hasExact) {
    auto settled = std::make_shared<expr::Model>(*model);
    if (agrees(s, condition, *settled)) {
      model = std::move(settled);
      return true;
    }
  }
  Unconfirmed &tried = unconfirmed_[{key.stack, key.kind}];
  if (tried.message.empty()) tried.message = message;
  if (std::has_single_bit(++tried.times)) {
    bool lessTime = false;
    const Feasible answer = s.hasExact ? takesPath(s, condition, ~0u, model, lessTime)
                            : showsBug(s, key, *model) ? Feasible::Yes
                                                       : Feasible::Unknown;
    if (answer == Feasible::Yes) return true;
    if (answer == Feasible::Unknown && cutShort(s, lessTime)) {
      tried.times--; // this event is begun again
      return false;
    }
  }
  ledger_.add("bug-unconfirmed", where(s),
              fmt::format("{}: {}: {}", name(key.kind), tried.message,
                          s.hasExact
                              ? "no input was found that takes such a path with the results "
                                "that external functions give for it"
                              : "run on the input of its path, with the results that "
                                "external functions give for it, the program does not show it"));
  return false;
}

void Executor::confirmPath(State &s) {
  if (!s.hasExact || isFollowed(s)) return;
  auto model = std::make_shared<expr::Model>(*s.witness);
  if (agrees(s, nullptr, *model)) return s.setWitness(std::move(model));
  std::shared_ptr<const expr::Model> found;
  bool lessTime = false;
  if (takesPath(s, nullptr, kOfPath | static_cast<uint32_t>(stackKey(s)), found, lessTime) ==
      Feasible::Yes)
    s.setWitness(std::move(found));
}

} // namespace fathom::explore
