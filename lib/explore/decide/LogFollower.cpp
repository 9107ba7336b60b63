// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/LogFollower.h"

namespace fathom::explore {

std::optional<uint64_t> LogFollower::scripted(State &s) {
  if (!s.script) return std::nullopt;
  std::optional<uint64_t> value = s.script->next();
  if (value) s.log.append(*value);
  if (s.script->done()) goLive(s);
  return value;
}

void LogFollower::goLive(State &s) {
  s.script.reset();
  notReplayed();
}

void LogFollower::notReplayed() {
  uint64_t replayed = machine_.instructions - instructionsBefore;
  stats_ = statsBefore;
  stats_.replayedInstructions += replayed;
  machine_.instructions = instructionsBefore;
  ledger_.mute(false);
}

bool LogFollower::saysTheSame(State &s, const std::string &file, uint64_t hash) {
  hash = static_cast<uint32_t>(hash ^ hash >> 32); // five bytes of the log
  if (s.discarded || logged(s, [&] { return hash; }) == hash) return true;
  changedFile = file;
  return false;
}

} // namespace fathom::explore
