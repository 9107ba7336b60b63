// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/external/Symcretes.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Symbols.h"
#include "explore/decide/Witnesses.h"
#include "explore/external/ExternalServer.h"
#include "explore/external/ForeignCode.h"
#include "expr/TermVisitor.h"
#include "support/Rng.h"

#include "fmt/format.h"

#include <algorithm>

namespace fathom::explore {

using evidence::LedgerCategory;

using Sig = ExternalSignature;

/// A symbol that stands for the application's results, with their values under the witness.
ExprPtr Symcretes::addSymcrete(State &s, ExprPtr apply) {
  ExprPtr symbol =
      symbols_.symbolFor(s, "external_" + apply->operation().name, apply->operation().outputBytes);
  std::vector<uint8_t> values(apply->operation().outputBytes);
  witnesses_.evaluator.setModel(*s.witness, s.witnessVersion);
  for (uint64_t i = 0; i < values.size(); i++)
    values[i] = static_cast<uint8_t>(witnesses_.evaluator.eval(ctx_.read(apply, i)));
  symbols_.addSymbolWithValues(s, symbol, values);
  s.results.push({symbol, apply});
  // The status is 0 for good.
  s.path.add(ctx_.eq(ctx_.read(symbol, Sig::kStatusAt), ctx_.constant(0, 8)));
  return symbol;
}

/// The term with all results as what they are: applications of operations to the inputs.
ExprPtr Symcretes::exactTerm(State &s, ExprPtr e) {
  if (!s.hasExact) return e;
  std::vector<std::pair<ExprPtr, ExprPtr>> definitions;
  for (auto *n = s.results.last.get(); n; n = n->previous.get())
    if (n->value.apply) definitions.emplace_back(n->value.symbol, n->value.apply);
  return ctx_.substitute(e, definitions);
}

bool Symcretes::mentionsResult(State &s, ExprPtr e) { return exactTerm(s, e) != e; }

/// Gives the results the values that they have for the model's inputs. True: nothing changed.
bool Symcretes::settleResults(const State &s, expr::Model &model) {
  bool same = true;
  expr::Model inputs = model;
  expr::Evaluator evaluator;
  evaluator.setModel(inputs, nextModelVersion());
  for (auto *n = s.results.last.get(); n; n = n->previous.get())
    for (uint64_t i = 0; n->value.apply && i < n->value.apply->operation().outputBytes; i++) {
      const auto value = static_cast<uint8_t>(evaluator.eval(ctx_.read(n->value.apply, i)));
      same &= value == model.byte(n->value.symbol, i);
      model.setByte(n->value.symbol, i, value);
    }
  return same;
}

Feasible Symcretes::feasibleExactly(State &s, ExprPtr condition,
                                    std::shared_ptr<const expr::Model> &model) {
  if (condition->isFalse() || s.discarded) return Feasible::No;
  if (std::optional<uint64_t> known = follower_.replayed(s, Record::Answer)) {
    model = s.witness;
    return static_cast<Feasible>(*known);
  }
  Feasible answer = askExactly(s, condition, model, kNoBranch, LossIfUnknown::Path);
  if (stepContext_.cut) return Feasible::No; // no answer: nothing to be kept
  s.log.append(Record::Answer, static_cast<uint64_t>(answer));
  return answer;
}

Feasible Symcretes::askExactly(State &s, ExprPtr condition,
                               std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                               LossIfUnknown lost) {
  const solver::PathCondition &path = s.hasExact ? s.exact : s.path;
  // Where arguments went on without their results, the witness is no model of the exact path.
  bool fits = true;
  if (s.hasExact) {
    expr::Model copy = *s.witness;
    fits = settleResults(s, copy);
  }
  Feasible answer = feasibility_.askPath(s, path, exactTerm(s, condition),
                                         fits ? s.witness : nullptr, model, branchId, lost);
  noteSearchFaults(s);
  if (answer == Feasible::Yes && s.hasExact) {
    auto settled = std::make_shared<expr::Model>(*model);
    settleResults(s, *settled);
    model = std::move(settled);
  }
  if (answer == Feasible::Yes && !validateExternals(s, condition, *model)) {
    ledger_.add(LedgerCategory::ExternalDisagreement, places_.where(s),
                "an external function gave another result when it ran again: the path was "
                "dropped");
    return Feasible::Unknown;
  }
  if (answer == Feasible::Yes && changesResults(s, condition, *model)) opening = model;
  return answer;
}

void Symcretes::noteSearchFaults(State &s) {
  for (const ExternalFault &f : foreign_.server.takeFaults())
    ledger_.add(LedgerCategory::ExternalFault, places_.where(s),
                fmt::format("{} {} on {} during a search for inputs", f.function, text(f.status),
                            f.arguments));
}

/// Arguments went on by themselves: gives the results values that fit, where these are on the path.
void Symcretes::fitResults(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model) {
  auto settled = std::make_shared<expr::Model>(*model);
  if (settleResults(s, *settled)) return;
  witnesses_.evaluator.setModel(*settled, nextModelVersion());
  bool fine = witnesses_.evaluator.isTrue(condition);
  for (auto *n = s.path.last(); fine && n; n = n->previous.get())
    fine = witnesses_.evaluator.isTrue(n->constraint);
  if (fine)
    model = std::move(settled);
  else
    ledger_.add(LedgerCategory::ExternalArgument, places_.where(s),
                "the arguments of an external function changed but its result did not: the rest of "
                "the path may be infeasible");
}

/// At a branch on arguments alone, with results that have symbols: is one that fits looked for?
bool Symcretes::wantsExact(State &s, ExprPtr condition) {
  if (mentionsResult(s, condition)) return true;
  if (foreign_.policy.bias <= 0) return false;
  Rng rng(s.log.hash() ^ options_.seed); // every answer is in the log: another draw each time
  return rng.below(1u << 20) < foreign_.policy.bias * (1u << 20);
}

/// The condition in the language of inputs, without a symbol for it in the path proper.
void Symcretes::assumeExactly(State &s, ExprPtr condition,
                              const std::shared_ptr<const expr::Model> &model) {
  if (!s.hasExact) return feasibility_.assume(s, condition, model);
  s.exact.add(condition);
  if (s.discarded) return;
  if (std::optional<uint64_t> changes = follower_.replayed(s, Record::Witness))
    witnesses_.adoptReplayedWitness(s, *changes);
  else
    witnesses_.adoptWitness(s, model);
}

static std::vector<ExprPtr> applicationsBelow(ExprPtr e) {
  std::vector<ExprPtr> found;
  expr::TermVisitor visitor;
  expr::visitPostOrder(e, visitor, [&](ExprPtr t) {
    if (t->kind() == expr::Kind::Apply) found.push_back(t);
  });
  return found;
}

/// Does some application below the condition give something else under the model than under the
/// state's witness? Where none does, the path could be taken with the results that are there.
bool Symcretes::changesResults(State &s, ExprPtr condition, const expr::Model &model) {
  expr::Evaluator before, after;
  before.setModel(*s.witness, nextModelVersion());
  after.setModel(model, nextModelVersion());
  for (ExprPtr e : applicationsBelow(exactTerm(s, condition)))
    for (uint64_t i = 0; i < e->operation().outputBytes; i++)
      if (ExprPtr byte = ctx_.read(e, i); before.eval(byte) != after.eval(byte)) return true;
  return false;
}

/// Every application below the condition is executed once more, in a process that did nothing
/// before.
bool Symcretes::validateExternals(State &s, ExprPtr condition, const expr::Model &model) {
  ExprPtr exact = exactTerm(s, condition);
  if (!exact->has(expr::kHasApply)) return true;
  expr::Evaluator evaluator;
  evaluator.setModel(model, nextModelVersion());
  for (ExprPtr e : applicationsBelow(exact)) {
    const std::vector<uint8_t> in = evaluator.evalInput(e->op(0));
    std::vector<uint8_t> out(e->operation().outputBytes);
    e->operation().apply(in, out);
    if (!foreign_.server.validate(e->operation(), in, out)) return false;
  }
  return true;
}

/// Questions about whole paths have numbers of their own for the predictor, above all branches'.
static constexpr uint32_t kOfPath = uint32_t(1) << 31;

static constexpr std::chrono::milliseconds kMaxTime{5000}; // for one question

/// Gives the results the values that they have for the model's inputs. True: under them the path
/// and the condition (null: nothing more) hold.
bool Symcretes::agrees(State &s, ExprPtr condition, expr::Model &model) {
  settleResults(s, model);
  witnesses_.evaluator.setModel(model, nextModelVersion());
  if (condition && !witnesses_.evaluator.isTrue(condition)) return false;
  for (auto *n = s.exact.last(); n; n = n->previous.get())
    if (!witnesses_.evaluator.isTrue(n->constraint)) return false;
  return true;
}

Feasible Symcretes::takesPath(State &s, ExprPtr condition, uint32_t number,
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
  const auto most = std::min(options_.solverTimeout, kMaxTime);
  const auto timeout = std::min(most, feasibility_.queryTimeout());
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

void Symcretes::confirmPath(State &s) {
  if (!s.hasExact || LogFollower::isFollowed(s)) return;
  auto model = std::make_shared<expr::Model>(*s.witness);
  if (agrees(s, nullptr, *model)) return s.setWitness(std::move(model));
  std::shared_ptr<const expr::Model> found;
  bool lessTime = false;
  if (takesPath(s, nullptr, kOfPath | static_cast<uint32_t>(places_.stackKey(s)), found,
                lessTime) == Feasible::Yes)
    s.setWitness(std::move(found));
}

} // namespace fathom::explore
