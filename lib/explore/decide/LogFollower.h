// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers that a path gets go into its log, or come from the log of the path that it follows.
//
// One function asks or follows (logged). A state that is led along another path's log
// (State::replayedLog) reads the answers there instead of asking. When the log ends, everything
// counts from there on.
#ifndef FATHOM_EXPLORE_DECIDE_LOGFOLLOWER_H
#define FATHOM_EXPLORE_DECIDE_LOGFOLLOWER_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;

class LogFollower : private EngineComponent {
public:
  explicit LogFollower(Engine &engine);

  /// Does the state follow a log, leave its path, or repeat a part of it? Then the run that wrote
  /// the log has counted what ends here.
  static bool isFollowed(const State &s) { return s.replayedLog || s.discarded || s.repeats; }
  /// The next record of the replayed log, if the state follows one. It goes into the state's own
  /// log as well. A record of another kind ends the state: `misaligned` says so.
  std::optional<uint64_t> replayed(State &s, Record kind);
  std::optional<uint64_t> replayedPart(State &s); ///< what belongs to the record before
  /// The value of the replayed log if there is one, otherwise what `tell` returns; it goes into the
  /// log.
  template <typename Ask> uint64_t logged(State &s, Record kind, Ask tell) {
    if (std::optional<uint64_t> known = replayed(s, kind)) return *known;
    uint64_t value = tell();
    s.log.append(kind, value);
    return value;
  }
  /// A state that follows a log has forked: one of the two is on the way.
  void followFork(State &s, State &copy);
  /// The replayed log has ended: from here on everything counts.
  void goLive(State &s);
  void notReplayed(); ///< ends what goes on while a log is followed: nothing counts
  /// Does the host say the same of a file as when the log was made? The log holds a hash of it.
  /// False: it has changed, and the path cannot be followed.
  bool saysTheSame(State &s, const std::string &file, uint64_t hash);

  /// From here on a state is led along a log.
  void begin();

  size_t followed = 0; ///< bytes of the replayed log, by the state that is on the way
  Stats statsBefore;   ///< what is not counted is set back to this
  uint64_t instructionsBefore = 0;
  std::string changedFile; ///< why the path that is followed cannot be
  std::string misaligned;  ///< where the log says something else than the program asks

private:
  void giveUp(State &s, Record wanted); ///< the replayed log has another record there
};

} // namespace fathom::explore
#endif
