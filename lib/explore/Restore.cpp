// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leading a state along a path that is known by its log.
#include "explore/Executor.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

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
  if (model == s.witness) return s.log.append(0);
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

bool Executor::saysTheSame(State &s, const std::string &file, uint64_t hash) {
  hash = static_cast<uint32_t>(hash ^ hash >> 32); // five bytes of the log
  if (s.discarded || logged(s, [&] { return hash; }) == hash) return true;
  changedFile_ = file;
  return false;
}

std::unique_ptr<State> Executor::restore(const PathPrefix &prefix, std::string &error) {
  statsBefore_ = stats_;
  instructionsBefore_ = machine.instructions;
  error.clear();
  changedFile_.clear();
  std::unique_ptr<State> current = initialState(error);
  if (!current) return nullptr;
  // On the way those are left out that part from it: in the end there are the seeds that take it.
  startSeeds(*current);
  if (prefix.log.empty()) return current;
  current->script = std::make_unique<PathScript>(prefix.log);
  ledger_.mute(true);
  while (current && current->script) {
    Step step = run(*current, kTurn);
    if (sinkFailed || mustStop() || step.suspended) {
      notReplayed();
      return nullptr;
    }
    // At a fork one of the two is on the way.
    std::unique_ptr<State> onTheWay;
    if (step.alive && !current->discarded) onTheWay = std::move(current);
    for (auto &forked : step.forked)
      if (!forked->discarded) onTheWay = std::move(forked);
    current = std::move(onTheWay);
  }
  if (!current) notReplayed();
  // A witness that does not take the path would give tests of another one from here on.
  auto holds = [&](ExprPtr e) { return holdsUnderWitness(*current, e); };
  if (!current || !llvm::all_of(current->path.constraints(), holds)) {
    error = changedFile_.empty()
                ? "the stored path is not one of this program under these options"
                : fmt::format("{} has changed since a path that read it was stored", changedFile_);
    return nullptr;
  }
  for (uint32_t what : prefix.firsts) current->firsts.push(what);
  if (prefix.attempts && current->pending) {
    Pending again = *current->pending;
    again.attempts = prefix.attempts;
    current->pending = std::make_shared<const Pending>(std::move(again));
  }
  return current;
}

std::vector<uint32_t> Executor::firstsOf(const State &s) const {
  std::vector<uint32_t> out;
  for (const ListNode<uint32_t> *n = s.firsts.last.get(); n && !isClaimed(n->value);
       n = n->previous.get())
    out.push_back(n->value);
  std::reverse(out.begin(), out.end());
  return out;
}

PathPrefix Executor::prefixOf(const State &s) const {
  return {.log = s.log.bytes(), .firsts = firstsOf(s), .attempts = s.attempts()};
}

} // namespace fathom::explore
