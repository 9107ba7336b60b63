// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker as the coordinator sees it: a process that is trusted with nothing. It may be gone at
// any moment, and it may be there and do nothing any more.
#ifndef FATHOM_EXPLORE_WORK_WORKERPROCESS_H
#define FATHOM_EXPLORE_WORK_WORKERPROCESS_H

#include "explore/work/Worker.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace fathom::explore {

/// Announcements in memory that a fork shares.
class SharedAnnouncements {
public:
  SharedAnnouncements();
  ~SharedAnnouncements();
  SharedAnnouncements(const SharedAnnouncements &) = delete;
  SharedAnnouncements &operator=(const SharedAnnouncements &) = delete;
  explicit operator bool() const { return place_; } ///< false: no memory for it
  Announcements *operator->() const { return place_; }
  Announcements &operator*() const { return *place_; }

private:
  Announcements *place_;
};

struct WorkerProcess {
  int pid = -1;
  Channel channel{-1};
  SharedAnnouncements at;                         ///< what it is at
  bool idle = true, asked = false, final = false; ///< asked: for states, and has not answered yet
  bool snapshot = false;                          ///< asked for one
  bool hung = false;                              ///< in a query, and was ended for that
  WorkerSnapshot saved;              ///< the latest; all that was told before it came belongs to it
  std::vector<PathPrefix> given;     ///< to it, and it does not stand there yet
  std::unordered_set<uint64_t> gave; ///< paths that it gave away since: hashes of logs, identities
  uint64_t works = 0;                ///< how often it was given something
  WallClock::time_point givenAt{};   ///< the latest time, and
  size_t givenThen = 0;              ///< how many paths
  std::vector<uint64_t> stored;      ///< paths of the tests that it has told, after that
  std::vector<uint32_t> covered;     ///< what it has told to have covered, after that
  Stats stats;                       ///< the latest that it told

  /// It told something.
  void heard() { silentSince_ = {}; }
  /// How long it has been in a query; 0 when it is in none.
  double querySeconds();
  /// Z3 is in a query that is overdue, or was to end at `stopAsked` (if that has a value) and did
  /// not.
  bool overdue(WallClock::time_point now, WallClock::time_point stopAsked);
  /// It has work or is to end (`stopping`), waits for no query, has told nothing for a long time,
  /// and has not computed either: stopped, or waiting for what does not come. To be asked every now
  /// and then.
  bool stuck(WallClock::time_point now, bool stopping);
  /// How it ended, waiting for that. Sets the status.
  std::string reap(int &status) const;

private:
  solver::Clock::time_point clock();
  uint64_t timedQuery_ = 0;              ///< the query in which it was last seen, and
  solver::Clock::duration childDelay_{}; ///< what the child that it asks has waited
  WallClock::time_point silentSince_{};
  uint64_t ticksThen_ = 0; ///< of processor time, when the silence was noticed
};

} // namespace fathom::explore
#endif
