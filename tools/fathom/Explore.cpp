// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom explore: from options to the engine and the results folder. The flags are in
// ExploreFlags.cpp, their checks in ExploreChecks.cpp.
#include "Command.h"
#include "ExploreFlags.h"
#include "ExploreProgram.h"
#include "PspOdds.h"
#include "Status.h"
#include "SymbolicArguments.h"

#include "evidence/BugKind.h"
#include "explore/Explore.h"
#include "explore/merge/NamedLoops.h"
#include "explore/work/MemoryBudget.h"
#include "program/Fingerprint.h"
#include "report/ResultsFolder.h"
#include "report/SeedFiles.h"
#include "report/Summary.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

namespace fathom::tool {

namespace {

void readSeeds(ExploreFlags &flags, Log &log) {
  if (flags.seeds.empty()) return;
  size_t skipped = 0;
  llvm::Expected<std::vector<explore::Seed>> seeds = report::readSeeds(flags.seeds, skipped);
  if (!seeds) throw UsageError("--seeds: " + llvm::toString(seeds.takeError()));
  flags.options.seeds = std::move(*seeds);
  log.note(fmt::format("{} from {}", counted(flags.options.seeds.size(), "seed"), flags.seeds));
  if (skipped)
    log.warn(fmt::format("--seeds: skipped {} larger than 1 MB", counted(skipped, "file")));
}

report::FolderOptions folderOptions(const ExploreFlags &flags, const Invocation &invocation,
                                    const program::Program &program) {
  const CommonOptions &common = flags.common;
  const explore::ExploreOptions &options = flags.options;
  report::FolderOptions folder;
  folder.path = common.output;
  folder.force = common.force;
  folder.testFolders = kTestsNames.find(flags.tests) == KeptTests::Folders;
  folder.testComp = flags.testComp;
  folder.aflQueue = flags.aflQueue;
  if (!flags.maxDisk.empty()) folder.maxDiskBytes = parseSize("--max-disk", flags.maxDisk);
  folder.commandLine = invocation.all;
  for (const std::string &p : flags.programs) folder.programs.push_back(absolutePath(p));
  folder.nativeProgram = nativeProgram(flags.programs);
  folder.workingDirectory =
      options.workingDirectory.empty() ? "" : absolutePath(options.workingDirectory);
  folder.options = &options;
  folder.echo = [](int fd, const std::string &data) {
    FILE *to = fd == 2 ? stderr : stdout;
    fwrite(data.data(), 1, data.size(), to);
    fflush(to);
  };
  folder.programFingerprint = program::fingerprint(program);
  return folder;
}

/// Ends the folder, prints the summary, and returns the exit status.
int tell(explore::ExploreResult &result, report::ResultsFolder &folder, const ExploreFlags &flags,
         Log &log) {
  const CommonOptions &common = flags.common;
  llvm::Error finished = folder.finish(result);
  std::string failure = folder.failure().empty() ? result.failure : folder.failure();
  for (const report::Finding &f : folder.findings())
    log.note(fmt::format("{}: {}: {}", f.dir, evidence::name(f.kind), f.message));
  log.note(fmt::format("ended: {}; {}, {}, {} in {:.1f} s", explore::text(result.stats.stop),
                       counted(result.stats.pathsCompleted, "path"),
                       counted(result.stats.tests, "test"), counted(result.stats.bugs, "bug"),
                       result.stats.wallSeconds));
  if (finished) {
    std::string text = llvm::toString(std::move(finished));
    if (failure.empty()) failure = text;
  }

  if (common.json) {
    fputs(report::summaryJson(result.stats, folder.findings()).c_str(), stdout);
  } else if (!common.quiet) {
    // The program's own output keeps stdout for itself.
    fputs(report::humanSummary(result, folder.findings(), flags.options.arguments[0], common.output,
                               folder.hasLedger())
              .c_str(),
          flags.options.echoOutput ? stderr : stdout);
  }
  if (!failure.empty()) {
    log.warn(fmt::format("{}; what was written before is complete", failure));
    return kInternal;
  }
  return common.failOnFindings && !folder.findings().empty() ? kFindings : kDone;
}

// TOUR(2)
/// What the campaign knows of the program's branches.
std::shared_ptr<const explore::BranchProbability>
oddsOf(const ExploreFlags &flags, const program::Program &program, Log &log) {
  PspSamples samples(flags.campaign);
  samples.requireProgram(flags.programs);
  auto odds = std::make_shared<PspOdds>(std::move(samples), program);
  if (!odds->branches() && !odds->paths())
    throw UsageError(
        fmt::format("--campaign {}: it sampled no paths, and no branch whose condition "
                    "is one of variables; run fathom fuzz with --state-samples=paths",
                    flags.campaign));
  if (const psp::Paths *paths = odds->paths())
    log.verbose(fmt::format("{} edges of paths, {} independent groups of branches", paths->edges(),
                            paths->groups()));
  log.verbose(fmt::format("{} of {} branches have states of the campaign", odds->branches(),
                          program.ownBranches));
  return odds;
}

int runExplore(ExploreFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  explore::ExploreOptions &options = flags.options;
  Log &log = context.log;
  configureLog(common, log);
  applyExploreFlags(flags, context.invocation);
  program::Program program = loadExplored(flags, log);
  if (const std::string what = explore::nameOfNoLoop(flags.merging.at, program); !what.empty())
    throw UsageError("--merge-at " + what);
  if (!flags.print.empty()) {
    printCode(program, flags.print);
    return kDone;
  }
  makeFunctionsVariant(program, flags, log);
  readSeeds(flags, log);
  if (!flags.campaign.empty()) options.odds = oddsOf(flags, program, log);
  if (const std::string line = mixedCommandLine(options.arguments); !line.empty() && !common.quiet)
    fprintf(stderr, "fathom: exploring: %s\n", line.c_str());

  Status status(/*enabled=*/!common.quiet);
  report::FolderOptions results = folderOptions(flags, context.invocation, program);
  results.progress = [&](const explore::Stats &stats) { status.show(report::progressLine(stats)); };
  explore::Checkpoint from;
  std::unique_ptr<report::ResultsFolder> folder =
      orUsage(common.resume ? report::ResultsFolder::resume(std::move(results), from)
                            : report::ResultsFolder::create(std::move(results)));

  options.resultsFolder = absolutePath(common.output); // which exists by now
  options.solver.stop = &context.stop;
  log.note(fmt::format("exploring {} into {}", fmt::join(flags.programs, " "), common.output));
  context.catchInterrupts();
  explore::ExploreResult result =
      explore::explore(program, options, *folder, context.stop, common.resume ? &from : nullptr);
  status.clear();
  const bool empty = !common.resume && !folder->testsWritten() && folder->findings().empty();
  if (!result.error.empty()) {
    if (empty) folder->discard();
    throw UsageError(result.error);
  }
  if (result.stats.stop == explore::StopReason::MaxMemory && !result.stats.instructions && empty) {
    folder->discard();
    throw UsageError(fmt::format(
        "--max-memory {}: too little for the engine, the program and the solver; try {}M",
        common.maxMemory, explore::leastMemoryMb(result.stats.peakMemoryBytes, options.jobs)));
  }
  return tell(result, *folder, flags, log);
}

} // namespace

Run declareExplore(CLI::App &app) {
  auto flags = std::make_shared<ExploreFlags>();
  addExploreFlags(app, *flags);
  return [flags](Context &context) { return runExplore(*flags, context); };
}

} // namespace fathom::tool
