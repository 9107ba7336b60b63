// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of `fathom explore` share: its flags (ExploreFlags.cpp), and the request made of
// them (ExploreRequest.cpp).
#ifndef FATHOM_TOOLS_EXPLOREFLAGS_H
#define FATHOM_TOOLS_EXPLOREFLAGS_H

#include "Command.h"

#include "run/explore/Explore.h"
#include "support/NameTable.h"

#include <string>
#include <vector>

namespace fathom::tool {

/// --tests
enum class KeptTests : uint8_t { Store, Folders, New };
inline constexpr auto kTestsNames = nameTable<KeptTests>(
    {{"store", KeptTests::Store}, {"folders", KeptTests::Folders}, {"new", KeptTests::New}});

/// What the command line says, before it is checked.
struct ExploreFlags {
  CommonOptions common;
  explore::ExploreOptions options;
  std::vector<std::string> programs, disabledStages, environment;
  std::string merge = "none";
  std::string mergeFallback; ///< empty: not given
  explore::MergeOptions merging;
  std::string memory = "concrete-size", solverTimeout = "10s", print;
  std::string tests = "store";
  bool testComp = false, aflQueue = false;
  std::string maxDisk, seeds, checkpoint = "5s";
  std::string fuzzSolver = "jit", fuzzTime = "6s";
  std::vector<std::string> fuzzWithout;
  std::string cluster; ///< who starts workers; empty: not given
  run::ClusterOptions workers;
  std::string campaign; ///< with --search psp: the results folder of a campaign
};

/// Declares all of them on `app`.
void addExploreFlags(CLI::App &app, ExploreFlags &flags);

/// Throws UsageError where a flag has no such value. The driver checks the rest.
run::ExploreRequest exploreRequest(const ExploreFlags &flags, const Invocation &invocation);

} // namespace fathom::tool
#endif
