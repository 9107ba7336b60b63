// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom worker: workers of this machine for a coordinator on another one.
#ifndef FATHOM_RUN_CLUSTER_SERVE_H
#define FATHOM_RUN_CLUSTER_SERVE_H

#include "run/Limits.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

struct ServeRequest {
  std::string connect; ///< HOST:PORT
  std::string key;     ///< a file; "": the key is in the environment
  unsigned jobs = 1;
  Limits limits; ///< of memory
};

struct ServeOutcome {
  bool isGone = false; ///< the coordinator is, before the exploration has ended
  std::string line;    ///< how it ended
};

/// Works until the exploration ends, or the session is interrupted. A UsageError: there is no
/// coordinator, or one of both refuses the other.
llvm::Expected<ServeOutcome> serve(const ServeRequest &request, Session &session);

} // namespace fathom::run
#endif
