// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explore/Explore.h"

#include "evidence/BugKind.h"
#include "explore/merge/NamedLoops.h"
#include "explore/work/MemoryBudget.h"
#include "program/Fingerprint.h"
#include "report/Summary.h"
#include "run/cluster/Assignment.h"
#include "run/cluster/Workers.h"
#include "run/explore/LoadExplored.h"
#include "run/explore/SymbolicArguments.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/psp/CampaignOdds.h"
#include "run/SeedFolder.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fathom::run {

static report::FolderOptions folderOptions(const ExploreRequest &request,
                                           const program::Program &program, Session &session) {
  const ExploreOutput &output = request.output;
  const explore::ExploreOptions &options = request.options;
  report::FolderOptions folder;
  folder.path = output.folder;
  folder.force = output.force;
  folder.testFolders = output.testFolders;
  folder.testComp = output.testComp;
  folder.aflQueue = output.aflQueue;
  folder.maxDiskBytes = output.maxDiskBytes;
  folder.commandLine = output.commandLine;
  for (const std::string &p : request.programs) folder.programs.push_back(absolutePath(p));
  folder.nativeProgram = nativeProgram(request.programs);
  folder.workingDirectory =
      options.workingDirectory.empty() ? "" : absolutePath(options.workingDirectory);
  folder.options = &options;
  folder.echo = output.echo;
  folder.onTest = output.onTest;
  folder.onFinding = output.onFinding;
  folder.onInput = output.onInput;
  folder.programFingerprint = program::fingerprint(program);
  folder.progress = [&session, told = output.onProgress](const explore::Stats &stats) {
    if (told) told(stats);
    session.observer.progress(report::progressLine(stats));
  };
  return folder;
}

/// What the campaign knows of the program's branches.
static llvm::Expected<std::shared_ptr<const CampaignOdds>>
oddsOf(const ExploreRequest &request, const program::Program &program, Session &session) {
  llvm::Expected<CampaignSamples> samples = CampaignSamples::open(request.campaign);
  if (!samples) return samples.takeError();
  if (llvm::Error e = samples->requireProgram(request.programs)) return std::move(e);
  auto odds = CampaignOdds::make(std::move(*samples), program);
  if (!odds) return odds.takeError();
  if (!(*odds)->branches() && !(*odds)->paths())
    return usageError(
        fmt::format("--campaign {}: it sampled no paths, and no branch whose condition "
                    "is one of variables; run fathom fuzz with --state-samples=paths",
                    request.campaign));
  if (const psp::Paths *paths = (*odds)->paths())
    session.observer.verbose(fmt::format("{} edges of paths, {} independent groups of branches",
                                         paths->edges(), paths->groups()));
  session.observer.verbose(fmt::format("{} of {} branches have states of the campaign",
                                       (*odds)->branches(), program.ownBranches));
  return std::shared_ptr<const CampaignOdds>(std::move(*odds));
}

static llvm::Expected<program::Program> loadProgram(const ExploreRequest &request,
                                                    Session &session) {
  llvm::Expected<program::Program> program =
      loadExplored(request.programs, request.options, /*mayBeLibrary=*/false, session);
  if (!program) return program;
  if (const std::string what = explore::nameOfNoLoop(request.merging.at, *program); !what.empty())
    return usageError("--merge-at " + what);
  return program;
}

llvm::Expected<std::string> printCode(const ExploreRequest &request, const std::string &what,
                                      Session &session) {
  llvm::Expected<program::Program> program = loadProgram(request, session);
  if (!program) return program.takeError();
  return codeText(*program, what);
}

/// Results that nothing was written to need not stay.
static llvm::Error refuse(report::ResultsFolder &folder, bool isEmpty, std::string text) {
  if (isEmpty) folder.discard();
  return usageError(std::move(text));
}

/// Ends the folder.
static void finish(Exploration &out, Session &session) {
  const explore::Stats &stats = out.result.stats;
  llvm::Error finished = out.folder->finish(out.result);
  out.failure = out.folder->failure().empty() ? out.result.failure : out.folder->failure();
  for (const report::Finding &f : out.folder->findings())
    session.observer.note(fmt::format("{}: {}: {}", f.dir, evidence::name(f.kind), f.message));
  session.observer.note(fmt::format("ended: {}; {}, {}, {} in {:.1f} s", explore::text(stats.stop),
                                    counted(stats.pathsCompleted, "path"),
                                    counted(stats.tests, "test"), counted(stats.bugs, "bug"),
                                    stats.wallSeconds));
  if (!finished) return;
  std::string text = llvm::toString(std::move(finished));
  if (out.failure.empty()) out.failure = std::move(text);
}

/// From here on workers of other machines come in.
static llvm::Error letIn(Workers &workers, const ExploreRequest &request,
                         const program::Program &program) {
  llvm::Expected<std::string> assignment = packAssignment(request);
  if (!assignment) return assignment.takeError();
  workers.door().offer(std::move(*assignment), program::fingerprint(program));
  return workers.start();
}

// TOUR(2)
llvm::Expected<Exploration> explore(ExploreRequest &request, Session &session) {
  explore::ExploreOptions &options = request.options;
  std::unique_ptr<Workers> workers;
  if (request.cluster.any()) {
    auto opened = Workers::open(request.cluster, session);
    if (!opened) return opened.takeError();
    workers = std::move(*opened);
    options.remote = &workers->door();
  }
  llvm::Expected<program::Program> program = loadProgram(request, session);
  if (!program) return program.takeError();
  if (llvm::Error e = makeFunctionsVariant(*program, request.programs, options, session))
    return std::move(e);
  auto seeds = seedsIn(request.seeds, session);
  if (!seeds) return seeds.takeError();
  options.seeds = std::move(*seeds);
  std::shared_ptr<const CampaignOdds> odds;
  if (!request.campaign.empty()) {
    auto known = oddsOf(request, *program, session);
    if (!known) return known.takeError();
    options.odds = odds = std::move(*known);
  }
  if (const std::string line = mixedCommandLine(options.arguments); !line.empty())
    session.observer.announce("exploring: " + line);

  const bool resumes = request.output.resume;
  report::FolderOptions results = folderOptions(request, *program, session);
  auto dismissals =
      asUsage(report::Dismissals::forProgram(request.output.dismissed, request.programs));
  if (!dismissals) return dismissals.takeError();
  results.dismissals = std::move(*dismissals);
  explore::Checkpoint from;
  auto folder = asUsage(resumes ? report::ResultsFolder::resume(std::move(results), from)
                                : report::ResultsFolder::create(std::move(results)));
  if (!folder) return folder.takeError();
  Exploration out;
  out.folder = std::move(*folder);

  options.resultsFolder = absolutePath(request.output.folder); // which exists by now
  options.solver.stop = &session.interruption.stop;
  session.observer.note(
      fmt::format("exploring {} into {}", fmt::join(request.programs, " "), request.output.folder));
  session.interruption.begin();
  if (workers)
    if (llvm::Error e = letIn(*workers, request, *program)) {
      if (!resumes) out.folder->discard();
      return std::move(e);
    }
  out.result = explore::explore(*program, options, *out.folder, session.interruption.stop,
                                resumes ? &from : nullptr);
  session.observer.endProgress();
  const bool isEmpty = !resumes && !out.folder->testsWritten() && out.folder->findings().empty();
  if (odds && !odds->damage().empty()) return refuse(*out.folder, isEmpty, odds->damage());
  if (!out.result.error.empty()) return refuse(*out.folder, isEmpty, out.result.error);
  const explore::Stats &stats = out.result.stats;
  if (stats.stop == explore::StopReason::MaxMemory && !stats.instructions && isEmpty)
    return refuse(*out.folder, isEmpty,
                  fmt::format("--max-memory {}: too little for the engine, the program and the "
                              "solver; try {}M",
                              request.limits.memoryText,
                              explore::leastMemoryMb(stats.peakMemoryBytes, options.jobs)));
  finish(out, session);
  return out;
}

} // namespace fathom::run
