// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a worker on another machine gets: the program's bitcode, the options of the exploration, and
// the native files that go with them. So the machines need no file system in common.
#ifndef FATHOM_RUN_CLUSTER_ASSIGNMENT_H
#define FATHOM_RUN_CLUSTER_ASSIGNMENT_H

#include "run/explore/Explore.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

/// An option of the request that has no meaning with workers on other machines, and why; "": there
/// is none.
std::string unfitForCluster(const ExploreRequest &request);

/// Of a prepared request whose program is loaded and whose options are complete.
llvm::Expected<std::string> packAssignment(const ExploreRequest &request);

/// Puts the files into `folder`, which exists. The request then names them, and is prepared.
llvm::Expected<ExploreRequest> unpackAssignment(const std::string &packed,
                                                const std::string &folder);

} // namespace fathom::run
#endif
