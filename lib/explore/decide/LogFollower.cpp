// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/LogFollower.h"

#include "fmt/format.h"

namespace fathom::explore {

void LogFollower::begin() {
  statsBefore = stats_;
  instructionsBefore = interpreter_.instructions;
  changedFile.clear();
  misaligned.clear();
}

std::optional<uint64_t> LogFollower::scripted(State &s, Record kind) {
  if (!s.script) return std::nullopt;
  std::optional<uint64_t> value = s.script->next(kind);
  followed = s.script->at();
  if (value) s.log.append(kind, *value);
  if (s.script->misaligned())
    giveUp(s, kind);
  else if (s.script->done())
    goLive(s);
  return value;
}

void LogFollower::followFork(State &s, State &copy) {
  const std::optional<uint64_t> taken = s.script->next(Record::Fork);
  followed = s.script->at();
  if (!taken) {
    if (s.script->misaligned()) giveUp(s, Record::Fork);
    s.discarded = copy.discarded = true;
    return;
  }
  if (*taken) copy.script = std::move(s.script);
  (*taken ? s : copy).discarded = true;
  if (State &follower = *taken ? copy : s; follower.script->done()) goLive(follower);
}

void LogFollower::giveUp(State &s, Record wanted) {
  misaligned = fmt::format("byte {} of its log has {} where the program comes to {}",
                           s.script->at(), s.script->kindThere(), name(wanted));
  s.script.reset();
  s.discarded = true;
}

std::optional<uint64_t> LogFollower::scriptedPart(State &s) {
  if (!s.script) return std::nullopt;
  std::optional<uint64_t> value = s.script->next();
  followed = s.script->at();
  if (value) s.log.append(*value);
  if (s.script->done()) goLive(s);
  return value;
}

void LogFollower::goLive(State &s) {
  s.script.reset();
  notReplayed();
}

void LogFollower::notReplayed() {
  uint64_t replayed = interpreter_.instructions - instructionsBefore;
  stats_ = statsBefore;
  stats_.replayedInstructions += replayed;
  interpreter_.instructions = instructionsBefore;
  ledger_.mute(false);
}

bool LogFollower::saysTheSame(State &s, const std::string &file, uint64_t hash) {
  hash = static_cast<uint32_t>(hash ^ hash >> 32); // five bytes of the log
  if (s.discarded || logged(s, Record::Environment, [&] { return hash; }) == hash) return true;
  changedFile = file;
  return false;
}

} // namespace fathom::explore
