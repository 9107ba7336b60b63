// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_SESSION_H
#define FATHOM_API_SESSION_H

/// \file
/// What every long activity shares: limits, messages, and an early end.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace fathom::api {

/// What an activity may use.
struct Limits {
  /// Wall time (--max-time); 0: no limit. What was found until then is returned.
  std::chrono::milliseconds time{0};
  /// Memory in bytes, worker processes included (--max-memory); 0: 70 % of what is free.
  uint64_t memoryBytes = 0;
};

/// What an activity reports while it runs. Empty functions are not called. The calls come from the
/// thread that called the activity, except for `progress`, which may come from a thread that the
/// activity started.
struct Session {
  std::function<void(const std::string &)> warning; ///< something is missing or in doubt, one line
  std::function<void(const std::string &)>
      progress; ///< the state of the run, several times a second
  /// The activity ends early, with what it has found, once this is true. It must outlive the call.
  /// A signal handler or a callback may set it. Null: nothing ends it early.
  const std::atomic<bool> *stop = nullptr;
};

} // namespace fathom::api
#endif
