// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leading a state along a path that is known by its log.
#include "explore/Executor.h"

namespace fathom::explore {

namespace {
constexpr int64_t kTurn = 10'000'000;
} // namespace

std::optional<uint64_t> Executor::scripted(State &s) {
  if (!s.script) return std::nullopt;
  std::optional<uint64_t> value = s.script->next();
  if (value) s.log.append(*value);
  if (s.script->done()) goLive(s);
  return value;
}

void Executor::goLive(State &s) {
  s.script.reset();
  notReplayed();
}

void Executor::notReplayed() {
  uint64_t replayed = machine.instructions - instructionsBefore_;
  stats_ = statsBefore_;
  stats_.replayedInstructions += replayed;
  machine.instructions = instructionsBefore_;
  ledger_.mute(false);
}

void Executor::adoptWitness(State &s, const std::shared_ptr<const expr::Model> &model) {
  struct Change {
    uint64_t symbol, index;
    uint8_t value;
  };
  std::vector<Change> changes;
  uint64_t number = 0;
  for (const ExprPtr *symbol : s.symbols.items()) {
    std::vector<uint8_t> before = s.witness->bytes(*symbol), after = model->bytes(*symbol);
    for (uint64_t i = 0; i < after.size(); i++)
      if (before[i] != after[i]) changes.push_back({number, i, after[i]});
    number++;
  }
  s.log.append(changes.size());
  for (const Change &c : changes) {
    s.log.append(c.symbol);
    s.log.append(c.index);
    s.log.append(c.value);
  }
  s.setWitness(model);
}

void Executor::adoptScriptedWitness(State &s, uint64_t changes) {
  if (!changes) return;
  std::vector<const ExprPtr *> symbols = s.symbols.items();
  auto model = std::make_shared<expr::Model>(*s.witness);
  for (uint64_t i = 0; i < changes && s.script; i++) {
    uint64_t symbol = scripted(s).value_or(~uint64_t(0)),
             index = s.script ? scripted(s).value_or(0) : 0,
             value = s.script ? scripted(s).value_or(0) : 0;
    if (symbol >= symbols.size() || index >= (*symbols[symbol])->array().sizeBytes)
      break; // no log of this program
    model->setByte(*symbols[symbol], index, static_cast<uint8_t>(value));
  }
  s.setWitness(std::move(model));
}

std::vector<std::unique_ptr<State>> Executor::restore(const std::string &log, std::string &error) {
  std::vector<std::unique_ptr<State>> live;
  statsBefore_ = stats_;
  instructionsBefore_ = machine.instructions;
  std::unique_ptr<State> current = initialState(error);
  if (!current) return live;
  if (log.empty()) {
    live.push_back(std::move(current));
    return live;
  }
  current->script = std::make_unique<PathScript>(log);
  ledger_.mute(true);
  while (current && current->script) {
    Step step = run(*current, kTurn);
    if (sinkFailed || mustStop()) break;
    if (step.alive && !current->discarded) live.push_back(std::move(current));
    for (auto &t : step.forked)
      if (!t->discarded) live.push_back(std::move(t));
    current.reset();
    if (live.size() == 1 && live[0]->script) { // still on the way
      current = std::move(live[0]);
      live.clear();
    }
  }
  if (current || (!live.empty() && live[0]->script)) live.clear();
  if (live.empty()) {
    notReplayed();
    error = "the stored path is not one of this program under these options";
  }
  return live;
}

} // namespace fathom::explore
