// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values cross calls of external functions, and what executes these.
#ifndef FATHOM_EXPLORE_EXTERNAL_FOREIGNCODE_H
#define FATHOM_EXPLORE_EXTERNAL_FOREIGNCODE_H

#include "explore/external/ExternalPolicy.h"
#include "explore/external/ExternalServer.h"

namespace fathom::explore {

struct ForeignCode {
  /// The options are valid (validate).
  explicit ForeignCode(const ExploreOptions &options) : server(options) {
    ExternalPolicy::make(options, policy);
  }
  ExternalPolicy policy;
  ExternalServer server;
};

} // namespace fathom::explore
#endif
