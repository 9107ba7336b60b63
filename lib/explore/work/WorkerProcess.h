// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker as the coordinator sees it: a process that is trusted with nothing. It may be gone at
// any moment, and it may be there and do nothing any more. It is a child of ours, or works on
// another machine, where a process of Fathom watches it in the same way (RemoteWorker.h).
#ifndef FATHOM_EXPLORE_WORK_WORKERPROCESS_H
#define FATHOM_EXPLORE_WORK_WORKERPROCESS_H

#include "explore/work/Worker.h"

#include <functional>
#include <optional>
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
  int pid = -1; ///< of a child of ours
  Channel channel{-1};
  std::string from;                               ///< of another machine: its address
  SharedAnnouncements at;                         ///< the path and the query that it works on
  bool idle = true, asked = false, final = false; ///< asked: a Share request is outstanding
  bool snapshot = false;                          ///< a Snapshot request is outstanding
  bool isResting = false;                         ///< it was told to rest
  bool hung = false;                              ///< it was killed because it hung in a query
  WorkerSnapshot saved;              ///< the latest; all messages before it belong to it
  std::vector<PathPrefix> given;     ///< paths given to it that `saved` does not have yet
  std::unordered_set<uint64_t> gave; ///< paths that it gave away since: hashes of logs, identities
  uint64_t inputs = 0;               ///< offered ones that it was given (Stats::inputsTaken)
  uint64_t works = 0;                ///< how often it was given paths
  WallClock::time_point givenAt{};   ///< the latest time, and
  size_t givenThen = 0;              ///< how many paths
  std::vector<uint64_t> stored;      ///< paths of the tests that it has sent since `saved`
  std::vector<uint32_t> covered;     ///< coverage that it has reported since `saved`
  Stats stats;                       ///< the latest that it sent

  std::optional<int> lostStatus; ///< of another machine: how its process ended
  uint64_t remoteQueryMs = 0;    ///< of another machine: for so long its query has run

  bool isRemote() const { return pid < 0; }
  bool wantsWork() const { return idle && !isResting; }
  /// Makes a child of ours that explores `program` and is told what to do over `channel`. `inChild`
  /// closes there what belongs to the parent. False: `error` says why there is none.
  bool start(const program::Program &program, const ExploreOptions &options,
             const std::function<void()> &inChild, std::string &error);
  /// A message of the worker has arrived.
  void heard(WallClock::time_point now);
  /// Interrupts the solver, where the worker does not listen.
  void interrupt() const;
  /// It is not to do anything more, and is found gone.
  void end();
  /// Without the messages that it may still have sent.
  void endAndForget();
  /// How many seconds its query has taken; 0 if it is in none.
  double querySeconds();
  /// Of another machine: has nothing come for so long that it is taken for gone?
  bool silent(WallClock::time_point now) const;
  /// Is its query overdue, or did the query not end after `stopAsked` (if that has a value)?
  bool overdue(WallClock::time_point now, WallClock::time_point stopAsked);
  /// Is the worker stuck? True if it has work or has to end (`stopping`), is in no query, and for a
  /// long time has sent nothing and used no processor time: it is stopped, or waits in vain. Call
  /// this regularly.
  bool stuck(WallClock::time_point now, bool stopping);
  /// Waits for its end, and says how it ended. Sets the status.
  std::string reap(int &status) const;
  /// What it was at when it ended with this status.
  WorkerEnd ended(int status) const;
  /// The same of one of another machine, as told from there.
  void ended(const WorkerEnd &end);

private:
  solver::Clock::time_point clock();
  uint64_t timedQuery_ = 0;              ///< the query in which it was last seen, and
  solver::Clock::duration childDelay_{}; ///< how long the query's child process has waited
  WallClock::time_point silentSince_{};
  WallClock::time_point heard_ = WallClock::now();
  uint64_t ticksThen_ = 0; ///< of processor time, when the silence was noticed
};

} // namespace fathom::explore
#endif
