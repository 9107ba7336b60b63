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

std::optional<uint64_t> LogFollower::replayed(State &s, Record kind) {
  if (!s.replayedLog) return std::nullopt;
  std::optional<uint64_t> value = s.replayedLog->next(kind);
  followed = s.replayedLog->at();
  if (value) s.log.append(kind, *value);
  if (s.replayedLog->misaligned())
    giveUp(s, kind);
  else if (s.replayedLog->done())
    goLive(s);
  return value;
}

void LogFollower::followFork(State &s, State &copy) {
  const std::optional<uint64_t> taken = s.replayedLog->next(Record::Fork);
  followed = s.replayedLog->at();
  if (!taken) {
    if (s.replayedLog->misaligned()) giveUp(s, Record::Fork);
    s.discarded = copy.discarded = true;
    return;
  }
  if (*taken) copy.replayedLog = std::move(s.replayedLog);
  (*taken ? s : copy).discarded = true;
  if (State &follower = *taken ? copy : s; follower.replayedLog->done()) goLive(follower);
}

void LogFollower::giveUp(State &s, Record wanted) {
  misaligned = fmt::format("byte {} of its log has {} where the program comes to {}",
                           s.replayedLog->at(), s.replayedLog->kindThere(), name(wanted));
  s.replayedLog.reset();
  s.discarded = true;
}

std::optional<uint64_t> LogFollower::replayedPart(State &s) {
  if (!s.replayedLog) return std::nullopt;
  std::optional<uint64_t> value = s.replayedLog->next();
  followed = s.replayedLog->at();
  if (value) s.log.append(*value);
  if (s.replayedLog->done()) goLive(s);
  return value;
}

void LogFollower::goLive(State &s) {
  s.replayedLog.reset();
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
