// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other end of RemoteWorkers.h: workers of this machine for a coordinator elsewhere. Each
// worker is a child process, as the coordinator's own are, and has a connection of its own. This
// process passes on messages, and does what cannot be done from afar: it watches the child, limits
// its memory, and tells at which path and query it was when it ended. Then it starts another.
#ifndef FATHOM_EXPLORE_WORK_REMOTEWORKER_H
#define FATHOM_EXPLORE_WORK_REMOTEWORKER_H

#include "explore/Explore.h"
#include "native/Tcp.h"

#include <functional>
#include <string>

namespace fathom::explore {

/// What a worker explores.
struct ServedProgram {
  const program::Program *program = nullptr;
  ExploreOptions options; ///< host, remote, jobs, and memory are filled in here
  uint64_t fingerprint = 0;
};

struct ServeOptions {
  native::Endpoint coordinator;
  std::string build, key;      ///< see Greeting.h
  unsigned jobs = 1;           ///< workers
  uint64_t maxMemoryBytes = 0; ///< of all of them; 0: no bound
  /// Makes a program of what RemoteWorkers::offer() was given. Called once. False: `error` says why
  /// not.
  std::function<bool(const std::string &body, ServedProgram &served, std::string &error)> load;
};

enum class Served : uint8_t {
  Ended,       ///< the exploration came to its end
  Unreachable, ///< there is no coordinator
  Refused,     ///< one of both does not want the other; or the program cannot be loaded
  Gone,        ///< the coordinator
  Stopped      ///< `stop`
};
struct ServeResult {
  Served how = Served::Ended;
  std::string why; ///< without the coordinator's address
};

/// Works until the exploration ends or *stop becomes true. Must be called while the process has one
/// thread.
ServeResult serve(const ServeOptions &options, const std::atomic<bool> &stop);

} // namespace fathom::explore
#endif
