// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the flags of fathom explore to the request of its driver: names and units become values.
#include "ExploreFlags.h"

#include "solver/StageTable.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::tool {

namespace {

/// --memory: the capacity of blocks of symbolic size; 0: sizes are numbers.
uint64_t capacityOf(const std::string &memory) {
  constexpr std::string_view kSymbolic = "symbolic-size=";
  constexpr uint64_t kMaxCapacity =
      4096; // as --max-table: a larger block is read at one offset at a time
  if (memory == "concrete-size") return 0;
  if (!memory.starts_with(kSymbolic))
    throw UsageError(fmt::format(
        "--memory {}: expected concrete-size, or symbolic-size=CAPACITY in bytes", memory));
  uint64_t capacity = 0;
  try {
    capacity = parseSize("--memory", memory.substr(kSymbolic.size()));
  } catch (const UsageError &) { // it says what sizes of gigabytes look like
  }
  if (!capacity || capacity > kMaxCapacity)
    throw UsageError(fmt::format("--memory {}: expected a number of bytes, at most {}, such as 64",
                                 memory, kMaxCapacity));
  return capacity;
}

void applyMerging(const ExploreFlags &flags, run::ExploreRequest &request) {
  if (!explore::kMergeNames.find(flags.merge))
    throw UsageError(
        fmt::format("--merge {}: expected {}", flags.merge, explore::kMergeNames.names()));
  explore::MergeOptions &merging = request.merging;
  merging = flags.merging;
  if (flags.merge == "none" && (!merging.at.empty() || merging.explains || merging.checks))
    throw UsageError(
        fmt::format("{}: needs --merge cfg or pattern", merging.explains ? "--explain-merges"
                                                        : merging.checks ? "--check-merges"
                                                                         : "--merge-at"));
  if (!flags.mergeFallback.empty()) {
    if (flags.mergeFallback != "none" && flags.mergeFallback != "cfg")
      throw UsageError(
          fmt::format("--merge-fallback {}: expected none or cfg", flags.mergeFallback));
    if (flags.merge != "pattern") throw UsageError("--merge-fallback: needs --merge pattern");
  }
  request.options.symbolicSize = request.options.sizedInput = capacityOf(flags.memory);
  merging.bySize = request.options.symbolicSize && merging.at.empty();
  merging.mergesIrregular =
      flags.mergeFallback.empty() ? !merging.bySize : flags.mergeFallback == "cfg";
  merging.mode = *explore::kMergeNames.find(flags.merge);
}

void applyFuzzFlags(const ExploreFlags &flags, run::ExploreRequest &request) {
  solver::ExternalOptions &o = request.options.solver.externals;
  if (flags.fuzzSolver == "afl")
    o.backEnd = solver::FuzzBackEnd::Afl;
  else if (flags.fuzzSolver != "jit")
    throw UsageError(fmt::format("--fuzz-solver {}: expected jit or afl", flags.fuzzSolver));
  o.budget.time = parseDuration("--fuzz-time", flags.fuzzTime);
  static constexpr std::pair<const char *, bool solver::ExternalOptions::*> kParts[] = {
      {"logic", &solver::ExternalOptions::logicFirst},
      {"predictor", &solver::ExternalOptions::predictor},
      {"seeds", &solver::ExternalOptions::useSeeds},
  };
  for (const std::string &name : flags.fuzzWithout) {
    const auto *part = std::find_if(std::begin(kParts), std::end(kParts),
                                    [&](const auto &p) { return name == p.first; });
    if (part == std::end(kParts))
      throw UsageError(fmt::format("--fuzz-without {}: expected logic, predictor or seeds", name));
    o.*part->second = false;
  }
}

void applySolverFlags(const ExploreFlags &flags, run::ExploreRequest &request) {
  explore::ExploreOptions &o = request.options;
  const solver::StageTable &stages = solver::StageTable::builtIn();
  for (const std::string &name : flags.disabledStages)
    if (!stages.disable(name, o.solver))
      throw UsageError(fmt::format("--disable-solver-stage {}: expected {}", name, stages.names()));
  applyFuzzFlags(flags, request);
  o.solverTimeout = parseDuration("--solver-timeout", flags.solverTimeout);
}

void applyOutput(const ExploreFlags &flags, run::ExploreOutput &output) {
  const std::optional<KeptTests> kept = kTestsNames.find(flags.tests);
  if (!kept)
    throw UsageError(fmt::format("--tests {}: expected {}", flags.tests, kTestsNames.names()));
  output.folder = flags.common.output;
  output.dismissed = flags.common.dismissed;
  output.force = flags.common.force;
  output.resume = flags.common.resume;
  output.testFolders = kept == KeptTests::Folders;
  output.testComp = flags.testComp;
  output.aflQueue = flags.aflQueue;
  if (!flags.maxDisk.empty()) output.maxDiskBytes = parseSize("--max-disk", flags.maxDisk);
}

} // namespace

run::ExploreRequest exploreRequest(const ExploreFlags &flags, const Invocation &invocation) {
  run::ExploreRequest out;
  out.programs = flags.programs;
  out.options = flags.options;
  out.limits = flags.common.limits();
  out.options.jobs = flags.common.jobs;
  out.options.checkpointInterval = parseDuration("--checkpoint", flags.checkpoint);
  applyMerging(flags, out);
  applyOutput(flags, out.output);
  out.options.onlyNewCoverage |= kTestsNames.find(flags.tests) == KeptTests::New;
  if (out.options.echoOutput && flags.common.json)
    throw UsageError("--echo-output and --json both want stdout: give one of them");
  applySolverFlags(flags, out);
  out.output.commandLine = invocation.all;
  out.symbolic = invocation.symbolic;
  out.arguments = invocation.arguments;
  out.environment = flags.environment;
  out.seeds = flags.seeds;
  out.campaign = flags.campaign;
  if (!flags.cluster.empty() && flags.cluster != "slurm")
    throw UsageError(fmt::format("--cluster {}: expected slurm", flags.cluster));
  out.cluster = flags.workers;
  if (!flags.cluster.empty()) out.cluster.starts = run::Cluster::Slurm;
  return out;
}

} // namespace fathom::tool
