// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One piece of work after the other, each in a child process of its own, several at a time. A child
// that crashes, takes too much memory or does not end costs its own piece of work and nothing else.
// Children share what the parent has in memory (the program, its graphs) until they write to it.
#ifndef FATHOM_CONFIRM_CHILDREN_H
#define FATHOM_CONFIRM_CHILDREN_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace fathom::confirm {

struct ChildrenOptions {
  unsigned jobs = 1;                       ///< at a time, at least 1
  std::chrono::milliseconds time{0};       ///< of one piece of work, without what it waits for a
                                           ///< processor; then it is killed; 0: none
  std::chrono::milliseconds all{0};        ///< of all: then those that run are killed; 0: none
  uint64_t memoryBytes = 0;                ///< of one, beyond what the parent has; 0: no bound
  const std::atomic<bool> *stop = nullptr; ///< Ctrl-C: kills those that run
};

struct ChildEnd {
  enum class Kind : uint8_t {
    Done,       ///< `text` is what the work returned
    Crashed,    ///< `text` says how
    Memory,     ///< it wanted more than it may have
    TimedOut,   ///< the limit of one
    NotStarted, ///< no process could be made: `text` says why
    AllOver,    ///< the limit of all
    Interrupted ///< `stop`
  };
  Kind kind = Kind::NotStarted;
  std::string text;
  double seconds = 0;
};

/// Calls work(i) for i in [0, count) in children, in this order, and done(i, end) here, once for
/// each, in the order in which they end. Must be called while the process has one thread; `work`
/// must not print.
void runInChildren(size_t count, const ChildrenOptions &options,
                   const std::function<std::string(size_t)> &work,
                   const std::function<void(size_t, const ChildEnd &)> &done);

} // namespace fathom::confirm
#endif
