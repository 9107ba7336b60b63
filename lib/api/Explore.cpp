// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fathom/Explore.h>

#include "api/Convert.h"
#include "api/SessionAdapter.h"
#include "run/explore/Explore.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

namespace fathom::api {

namespace {

using explore::StopReason;

/// The results folder: the caller's, or one that is removed after the call.
class OutputFolder {
public:
  static Result<std::unique_ptr<OutputFolder>> make(const std::string &wanted) {
    std::unique_ptr<OutputFolder> out(new OutputFolder);
    out->path_ = wanted;
    if (!wanted.empty()) return out;
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createUniqueDirectory("fathom-explore", path))
      return Error{Error::Kind::Internal,
                   fmt::format("no temporary folder can be created: {}", error.message())};
    out->path_ = std::string(path);
    out->isTemporary_ = true;
    return out;
  }
  ~OutputFolder() {
    if (isTemporary_) (void)llvm::sys::fs::remove_directories(path_);
  }
  OutputFolder(const OutputFolder &) = delete;
  const std::string &path() const { return path_; }

private:
  OutputFolder() = default;
  std::string path_;
  bool isTemporary_ = false;
};

run::ExploreRequest requestOf(const Program &program, const ExploreOptions &options,
                              const std::string &folder) {
  run::ExploreRequest out;
  out.programs = program.files;
  out.options.entry = options.entry;
  out.options.search = options.search;
  out.options.maxInstructions = options.maxInstructions;
  out.options.maxDepth = options.maxDepth;
  out.options.stopAtFirstBug = options.stopAtFirstBug;
  out.options.onlyNewCoverage = options.onlyNewCoverage;
  out.options.jobs = options.jobs;
  out.options.seed = options.seed;
  out.options.checkLeaks = options.checkLeaks;
  out.options.checkOverflow = options.checkOverflow;
  out.options.checkUninit = options.checkUninitialized;
  out.limits = toRunLimits(options.limits);
  out.arguments = options.arguments;
  out.environment = options.environment;
  out.output.folder = folder;
  out.output.force = options.replace;
  out.output.resume = options.resume;
  out.output.commandLine = {"libfathom"};
  return out;
}

void listen(run::ExploreRequest &request, const ExploreOptions &options) {
  if (options.onBug)
    request.output.onFinding = [&](const report::Finding &finding) {
      options.onBug(toApiBug(finding));
    };
  if (options.onTest)
    request.output.onTest = [&](uint64_t number, const explore::TestCase &test,
                                const std::string &bug) {
      options.onTest(toApiTest(
          report::storedTest(test, bug, request.options.arguments, request.options.environment),
          number, bug));
    };
}

ExploreEnd toApiExploreEnd(StopReason stop) {
  switch (stop) {
  case StopReason::Exhausted: return ExploreEnd::Exhausted;
  case StopReason::MaxTime: return ExploreEnd::Time;
  case StopReason::MaxInstructions: return ExploreEnd::Instructions;
  case StopReason::MaxMemory: return ExploreEnd::Memory;
  case StopReason::Interrupted: return ExploreEnd::Stopped;
  case StopReason::FirstBug: return ExploreEnd::FirstBug;
  case StopReason::DiskFull:
  case StopReason::NoWorkers:
  case StopReason::InternalError:
  case StopReason::Crashed: return ExploreEnd::Failed;
  }
  return ExploreEnd::Failed;
}

Exploration toApiExploration(const run::Exploration &ended) {
  const explore::Stats &stats = ended.result.stats;
  Exploration out;
  out.end = toApiExploreEnd(stats.stop);
  out.howEnded = explore::text(stats.stop);
  out.failure = ended.failure;
  if (out.failure.empty() && out.end == ExploreEnd::Failed) out.failure = out.howEnded;
  out.isComplete = out.failure.empty() && stats.stop == StopReason::Exhausted &&
                   ended.result.ledger.isComplete();
  out.bugs = toApiBugs(ended.folder->findings());
  out.ledger = toApiLedger(ended.result.ledger);
  for (const auto &[file, lines] : ended.result.lines.files) {
    FileCoverage &coverage = out.files.emplace_back();
    coverage.file = file;
    for (const auto &[line, isCovered] : lines)
      (isCovered ? coverage.covered : coverage.uncovered).push_back(line);
  }
  out.paths = stats.pathsCompleted;
  out.tests = stats.tests;
  out.instructions = stats.instructions;
  out.branchesCovered = stats.branchesCovered;
  out.branchesTotal = stats.branchesTotal;
  out.linesCovered = stats.linesCovered;
  out.linesTotal = stats.linesTotal;
  out.seconds = stats.wallSeconds;
  return out;
}

} // namespace

Result<Exploration> explore(const Program &program, const ExploreOptions &options,
                            const Session &session) {
  if (program.files.empty()) return usageError("no program given");
  if (options.folder.empty() && options.resume)
    return usageError("--resume: expected the folder of the run that is to be continued");
  if (std::optional<Error> wrong = SessionAdapter::checkThreads()) return std::move(*wrong);
  Result<std::unique_ptr<OutputFolder>> folder = OutputFolder::make(options.folder);
  if (!folder) return folder.error();
  run::ExploreRequest request = requestOf(program, options, (*folder)->path());
  listen(request, options);
  if (llvm::Error e = run::prepareExploration(request, /*needsFolder=*/true))
    return toApiError(std::move(e));
  SessionAdapter adapter(session);
  llvm::Expected<run::Exploration> ended = run::explore(request, adapter.session());
  if (!ended) return toApiError(ended.takeError());
  return toApiExploration(*ended);
}

} // namespace fathom::api
