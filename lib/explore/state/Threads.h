// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a state. One runs: its frames and its position are the state's own (State::top,
// State::ip, State::threadPointer), so that nothing on the interpreter's way knows about threads.
// The others are kept here until the scheduler, which is C of the environment model
// (runtime/posix/schedule.c), switches to them.
#ifndef FATHOM_EXPLORE_STATE_THREADS_H
#define FATHOM_EXPLORE_STATE_THREADS_H

#include "program/Code.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace fathom::explore {

struct Frame;

/// Of errno_val in musl's struct pthread, to whose beginning the thread pointer points.
inline constexpr uint64_t kErrnoAt = 52, kErrnoBytes = 4;

struct Thread {
  Frame *top = nullptr; ///< null: it runs, or there is no thread of this number
  const program::Inst *ip = nullptr;
  uint64_t threadPointer = 0;
  /// Its own copies of thread-local variables, made when they are first used: (address of the
  /// variable, address of the copy). The first thread has the variables themselves.
  std::vector<std::pair<uint64_t, uint64_t>> locals;
};

/// Copying shares the frames: O(number of threads).
class Threads {
public:
  Threads() = default;
  Threads(const Threads &other);
  Threads &operator=(const Threads &) = delete;
  ~Threads();

  uint32_t running = 0;       ///< number of the thread that runs
  uint64_t sliceEnd = 0;      ///< at this count of the state's branches another one has its turn
  std::vector<Thread> all{1}; ///< by number
};

} // namespace fathom::explore
#endif
