// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/KnownCounters.h"

#include "explore/decide/Engine.h"
#include "expr/Quantifiers.h"

#include <algorithm>

namespace fathom::explore {

namespace {

/// Of one question.
constexpr std::chrono::milliseconds kTime{50};
/// Only so many counters of a path can be known: State::knownCounters.
constexpr size_t kMaxCounters = 64;

/// The same conditions where the counter is its value in the witness, which `is` says.
solver::PathCondition pathWhere(Engine &engine, State &s, ExprPtr counter, ExprPtr is) {
  expr::ExprContext &context = engine.services.context;
  expr::TermImages images;
  for (uint64_t i = 0; i < counter->array().sizeBytes; i++) {
    ExprPtr byte = context.read(counter, i);
    images[byte] = context.constant(engine.witnesses.witnessValue(s, byte), 8);
  }
  solver::PathCondition path;
  for (ExprPtr e : s.path.constraints())
    path.add(expr::countedOut(context, context.substitute(e, images)));
  path.add(is);
  return path;
}

} // namespace

ExprPtr hasWitnessValue(Engine &engine, State &s, ExprPtr counter) {
  expr::ExprContext &context = engine.services.context;
  ExprPtr all = context.trueExpr();
  for (uint64_t i = 0; i < counter->array().sizeBytes; i++) {
    ExprPtr byte = context.read(counter, i);
    const uint64_t value = engine.witnesses.witnessValue(s, byte);
    all = context.bvAnd(all, context.eq(byte, context.constant(value, 8)));
  }
  return all;
}

std::optional<bool> leavesOnly(Engine &engine, const State &s, ExprPtr condition) {
  engine.services.stats.queries++;
  // Runs that count instructions do not look at the clock.
  const bool hasClock = !engine.services.options.maxInstructions;
  const auto timeout = engine.feasibility.queryTimeout();
  const solver::Answer answer =
      engine.services.oracle.check({.path = s.path,
                                    .goal = engine.services.context.bvNot(condition),
                                    .witness = s.witness.get(),
                                    .witnessFails = true,
                                    .witnessVersion = s.witnessVersion,
                                    .timeout = hasClock ? std::min(kTime, timeout) : timeout,
                                    .needModel = false});
  switch (answer.kind) {
  case solver::AnswerKind::Sat: return false;
  case solver::AnswerKind::Unsat: return true;
  default: return {};
  }
}

bool KnownCounters::dependsOn(Engine &engine, ExprPtr condition, ExprPtr counter) {
  if (!supports_) supports_.emplace(engine.services.context);
  return std::ranges::any_of(supports_->of(condition), [&](solver::Cell cell) {
    return cell.symbol() == counter->array().index;
  });
}

void KnownCounters::decided(Engine &engine, State &s, const Decision &decision) {
  if (decision.isImplied || !decision.condition || s.discarded || s.hasExact) return;
  const std::vector<const ExprPtr *> counters = s.counters.items();
  for (size_t i = 0; i < std::min(counters.size(), kMaxCounters); i++) {
    ExprPtr counter = *counters[i];
    if (s.knownCounters >> i & 1 || !dependsOn(engine, decision.condition, counter)) continue;
    // A replay passes a loop that was explored in vain as if it were not a merged one. The run that
    // wrote the log decided these branches inside the region, where no counter is checked.
    if (s.replayedLog && !s.replayedLog->isNext(Record::Counter)) continue;
    ExprPtr is = hasWitnessValue(engine, s, counter);
    const uint64_t isKnown = engine.follower.logged(
        s, Record::Counter, [&]() -> uint64_t { return leavesOnly(engine, s, is) == true; });
    if (!isKnown || s.discarded) continue;
    s.knownCounters |= uint64_t(1) << i;
    s.path = pathWhere(engine, s, counter, is);
  }
}

} // namespace fathom::explore
