// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leads states along logs, from the start of the program and without asking a solver.
//
// Many logs begin alike: those of the states that one worker gives to another, or that a checkpoint
// holds. For a batch of them each common stretch is replayed once. Where the followed log parts
// from others, a copy of the state before that event is *parked*, and the other paths are replayed
// from there later.
#ifndef FATHOM_EXPLORE_DECIDE_PATHREPLAYER_H
#define FATHOM_EXPLORE_DECIDE_PATHREPLAYER_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/PathLog.h"
#include "explore/state/State.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fathom::explore {

struct Engine;
class Forks;
class LogFollower;
class ProgramStart;
class SeedPaths;
class Executor;
class Witnesses;

class PathReplayer : private EngineComponent {
public:
  explicit PathReplayer(Engine &engine);

  /// Adds paths to be restored, before all that wait already. Their order does not matter: they are
  /// restored in the order of their logs.
  void add(std::vector<PathPrefix> paths);
  bool empty() const { return parked_.empty(); }
  size_t size() const { return waiting_; } ///< paths that wait
  /// While pages take more bytes than this (Memory::pageBytes), no copies of states are parked, and
  /// each path is replayed from the start.
  uint64_t parksUpTo = ~uint64_t(0);
  /// The path that comes next. REQUIRES that there is one.
  const PathPrefix &front() const { return parked_.back().first(); }
  void skip(); ///< drops it
  /// Restores the next path. Null if its log is not one of this program under these options:
  /// `error` says so; or if the time was over: then `error` is empty, and the path stays in the
  /// queue.
  std::unique_ptr<State> next(std::string &error);
  std::vector<PathPrefix> all() const; ///< that wait
  void clear();
  /// Restores this path at once, before all paths that wait.
  std::unique_ptr<State> restore(const PathPrefix &path, std::string &error);
  void visitTerms(const std::function<void(ExprPtr)> &visit, Visited &seen) const;

  // --- for the executor, about the state that is led
  // ----------------------------------------------------
  void beforeEvent(const State &s);
  void afterEvent();

private:
  /// Sorted by their logs.
  struct Batch {
    std::vector<PathPrefix> paths;
    std::vector<size_t> shared; ///< bytes of the log that are those of the path before
  };
  /// Paths of a batch, and a state on the way to all of them (null: the start of the program).
  struct Parked {
    std::shared_ptr<const Batch> batch;
    size_t begin = 0, end = 0;
    std::unique_ptr<State> state;
    const PathPrefix &first() const { return batch->paths[begin]; }
  };
  static std::shared_ptr<const Batch> batchOf(std::vector<PathPrefix> paths);
  void park(Parked parked);
  Parked unpark();
  std::unique_ptr<State> lead(Parked from, std::string &error);

  LogFollower &follower_;
  Witnesses &witnesses_;
  SeedPaths &seedPaths_;
  Forks &forks_;
  ProgramStart &start_;
  Executor &executor_;
  std::vector<Parked> parked_; ///< the last is led on first
  size_t waiting_ = 0;
  Parked leading_;                  ///< the paths that the state being led is on the way to
  std::unique_ptr<State> snapshot_; ///< of it, before the event at hand
};

} // namespace fathom::explore
#endif
