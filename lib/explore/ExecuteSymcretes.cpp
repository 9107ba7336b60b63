// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of external functions as symcretes: symbols with values of their own, what they stand
// for, and questions about them (ExternalPolicy.h).
#include "explore/Builtins.h"
#include "explore/Executor.h"
#include "explore/ExternalServer.h"
#include "expr/TermVisitor.h"
#include "support/Rng.h"

#include "fmt/format.h"

namespace fathom::explore {

using Sig = ExternalSignature;

void Executor::addSymbolWithValues(State &s, ExprPtr symbol, const std::vector<uint8_t> &values) {
  s.symbols.push(symbol);
  stats_.symbols++;
  s.seeds = nullptr; // what they make of a result is not known
  if (std::optional<uint64_t> changes = scripted(s)) return adoptScriptedWitness(s, *changes);
  auto model = std::make_shared<expr::Model>(*s.witness);
  for (uint64_t i = 0; i < values.size(); i++) model->setByte(symbol, i, values[i]);
  adoptWitness(s, model);
}

/// A symbol that stands for the application's results, with their values under the witness.
ExprPtr Executor::addSymcrete(State &s, ExprPtr apply) {
  ExprPtr symbol = builtins_->symbolFor(s, "external_" + apply->operation().name,
                                        apply->operation().outputBytes);
  std::vector<uint8_t> values(apply->operation().outputBytes);
  evaluator_.setModel(*s.witness, s.witnessVersion);
  for (uint64_t i = 0; i < values.size(); i++)
    values[i] = static_cast<uint8_t>(evaluator_.eval(ctx_.read(apply, i)));
  addSymbolWithValues(s, symbol, values);
  s.results.push({symbol, apply});
  // The status is 0 for good.
  s.path.add(ctx_.eq(ctx_.read(symbol, Sig::kStatusAt), ctx_.constant(0, 8)));
  return symbol;
}

/// The term with all results as what they are: applications of operations to the inputs.
ExprPtr Executor::exactTerm(State &s, ExprPtr e) {
  if (!s.hasExact) return e;
  std::vector<std::pair<ExprPtr, ExprPtr>> definitions;
  for (auto *n = s.results.last.get(); n; n = n->previous.get())
    if (n->value.apply) definitions.emplace_back(n->value.symbol, n->value.apply);
  return ctx_.substitute(e, definitions);
}

bool Executor::mentionsResult(State &s, ExprPtr e) { return exactTerm(s, e) != e; }

/// Gives the results the values that they have for the model's inputs. True: nothing changed.
bool Executor::settleResults(const State &s, expr::Model &model) {
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

Executor::Feasible Executor::feasibleExactly(State &s, ExprPtr condition,
                                             std::shared_ptr<const expr::Model> &model) {
  if (condition->isFalse() || s.discarded) return Feasible::No;
  if (std::optional<uint64_t> known = scripted(s)) {
    model = s.witness;
    return static_cast<Feasible>(*known);
  }
  Feasible answer = askExactly(s, condition, model, ~0u, Unanswered::Path);
  if (cut_) return Feasible::No; // no answer: nothing to be kept
  s.log.append(static_cast<uint64_t>(answer));
  return answer;
}

Executor::Feasible Executor::askExactly(State &s, ExprPtr condition,
                                        std::shared_ptr<const expr::Model> &model,
                                        uint32_t branchId, Unanswered lost) {
  const solver::PathCondition &path = s.hasExact ? s.exact : s.path;
  // Where arguments went on without their results, the witness is no model of the exact path.
  bool fits = true;
  if (s.hasExact) {
    expr::Model copy = *s.witness;
    fits = settleResults(s, copy);
  }
  Feasible answer =
      askPath(s, path, exactTerm(s, condition), fits ? s.witness : nullptr, model, branchId, lost);
  noteSearchFaults(s);
  if (answer == Feasible::Yes && s.hasExact) {
    auto settled = std::make_shared<expr::Model>(*model);
    settleResults(s, *settled);
    model = std::move(settled);
  }
  if (answer == Feasible::Yes && !validateExternals(s, condition, *model)) {
    ledger_.add("external-disagreement", where(s),
                "an external function gave something else when it was run once more: the path was "
                "dropped");
    return Feasible::Unknown;
  }
  if (answer == Feasible::Yes && changesResults(s, condition, *model)) opening_ = model;
  return answer;
}

void Executor::noteSearchFaults(State &s) {
  for (const ExternalFault &f : externals_->takeFaults())
    ledger_.add("external-fault", where(s),
                fmt::format("{} {} on {}, when inputs were searched for", f.function,
                            text(f.status), f.arguments));
}

/// Arguments went on by themselves: gives the results values that fit, where these are on the path.
void Executor::fitResults(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model) {
  auto settled = std::make_shared<expr::Model>(*model);
  if (settleResults(s, *settled)) return;
  evaluator_.setModel(*settled, nextModelVersion());
  bool fine = evaluator_.isTrue(condition);
  for (auto *n = s.path.last(); fine && n; n = n->previous.get())
    fine = evaluator_.isTrue(n->constraint);
  if (fine)
    model = std::move(settled);
  else
    ledger_.add(
        "external-argument", where(s),
        "arguments of an external function changed without its result: what follows may not "
        "be feasible");
}

/// At a branch on arguments alone, with results that have symbols: is one that fits looked for?
bool Executor::wantsExact(State &s, ExprPtr condition) {
  if (mentionsResult(s, condition)) return true;
  if (policy_.bias <= 0) return false;
  Rng rng(s.log.hash() ^ options_.seed); // every answer is in the log: another draw each time
  return rng.below(1u << 20) < policy_.bias * (1u << 20);
}

/// The condition in the language of inputs, without a symbol for it in the path proper.
void Executor::assumeExactly(State &s, ExprPtr condition,
                             const std::shared_ptr<const expr::Model> &model) {
  if (!s.hasExact) return assume(s, condition, model);
  s.exact.add(condition);
  if (s.discarded) return;
  if (std::optional<uint64_t> changes = scripted(s))
    adoptScriptedWitness(s, *changes);
  else
    adoptWitness(s, model);
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
bool Executor::changesResults(State &s, ExprPtr condition, const expr::Model &model) {
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
bool Executor::validateExternals(State &s, ExprPtr condition, const expr::Model &model) {
  ExprPtr exact = exactTerm(s, condition);
  if (!exact->has(expr::kHasApply)) return true;
  expr::Evaluator evaluator;
  evaluator.setModel(model, nextModelVersion());
  for (ExprPtr e : applicationsBelow(exact)) {
    const std::vector<uint8_t> in = evaluator.evalInput(e->op(0));
    std::vector<uint8_t> out(e->operation().outputBytes);
    e->operation().apply(in, out);
    if (!externals_->validate(e->operation(), in, out)) return false;
  }
  return true;
}

} // namespace fathom::explore
