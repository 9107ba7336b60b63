// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line of fathom assess asks for: programs, and the plan of their trials.
#ifndef FATHOM_TOOLS_ASSESSPLAN_H
#define FATHOM_TOOLS_ASSESSPLAN_H

#include "Command.h"

#include "assess/Plan.h"
#include "assess/Subjects.h"

#include <string>
#include <vector>

namespace fathom::tool {

struct AssessFlags {
  CommonOptions common;
  std::vector<std::string> programs;
  std::string programsFile, corpus, input;
  unsigned synth = 0;
  synth::Knobs knobs;
  uint32_t trials = 10;
  std::string budget = "10m", unit = "10s", of, testTime = "1s", testMemory = "2G";
  std::vector<uint32_t> sizes;
  std::vector<double> levels;
  uint32_t points = 10, replicates = 100;
  uint64_t seed = 1;
  bool keepQueues = false;
  std::string cluster, sbatchOptions;
  int64_t trial = -1;
  bool report = false;
  std::vector<CLI::Option *> planOptions; ///< that are fixed once there is a plan
  CLI::Option *trialsOption = nullptr;
};

/// Generated programs, those named, those of the file --programs; in this order. Throws UsageError.
std::vector<assess::Request> requests(const AssessFlags &flags, const Invocation &invocation);
/// Without subjects. Throws UsageError.
assess::Plan planOf(const AssessFlags &flags);

} // namespace fathom::tool
#endif
