// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Witnesses.h"

#include "explore/decide/LogFollower.h"

namespace fathom::explore {

bool Witnesses::holdsUnderWitness(State &s, ExprPtr condition) {
  evaluator.setModel(*s.witness, s.witnessVersion);
  return evaluator.isTrue(condition);
}

bool Witnesses::holdsUnder(const expr::Model &model, ExprPtr condition) {
  evaluator.setModel(model, nextModelVersion());
  return evaluator.isTrue(condition);
}

uint64_t Witnesses::witnessValue(State &s, ExprPtr e) {
  evaluator.setModel(*s.witness, s.witnessVersion);
  return evaluator.eval(e);
}

/// What a witness is about: inputs, and the counters of merged loops behind them.
static std::vector<const ExprPtr *> arraysOf(const State &s) {
  std::vector<const ExprPtr *> arrays = s.symbols.items(), counters = s.counters.items();
  arrays.insert(arrays.end(), counters.begin(), counters.end());
  return arrays;
}

void Witnesses::adoptWitness(State &s, const std::shared_ptr<const expr::Model> &model) {
  if (model == s.witness) return s.log.append(Record::Witness, 0);
  struct Change {
    uint64_t symbol, index;
    uint8_t value;
  };
  std::vector<Change> changes;
  const std::vector<const ExprPtr *> symbols = arraysOf(s);
  solver::Clock::spend(StepKind::Symbol, symbols.size());
  for (uint64_t number = 0; number < symbols.size(); number++) {
    const ExprPtr symbol = *symbols[number];
    if (s.witness->shares(symbol, *model)) continue;
    std::vector<uint8_t> before = s.witness->bytes(symbol), after = model->bytes(symbol);
    for (uint64_t i = 0; i < after.size(); i++)
      if (before[i] != after[i]) changes.push_back({number, i, after[i]});
  }
  s.log.append(Record::Witness, changes.size());
  for (const Change &c : changes) {
    s.log.append(c.symbol);
    s.log.append(c.index);
    s.log.append(c.value);
  }
  s.setWitness(model);
}

void Witnesses::adoptReplayedWitness(State &s, uint64_t changes) {
  if (!changes) return;
  std::vector<const ExprPtr *> symbols = arraysOf(s);
  auto model = std::make_shared<expr::Model>(*s.witness);
  for (uint64_t i = 0; i < changes && s.replayedLog; i++) {
    uint64_t symbol = follower_.replayedPart(s).value_or(~uint64_t(0)),
             index = s.replayedLog ? follower_.replayedPart(s).value_or(0) : 0,
             value = s.replayedLog ? follower_.replayedPart(s).value_or(0) : 0;
    if (symbol >= symbols.size() || index >= (*symbols[symbol])->array().sizeBytes)
      break; // no log of this program
    model->setByte(*symbols[symbol], index, static_cast<uint8_t>(value));
  }
  s.setWitness(std::move(model));
}

} // namespace fathom::explore
