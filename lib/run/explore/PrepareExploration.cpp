// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with a request to explore, said before anything is loaded; and the engine's options
// completed from it.
#include "explore/search/SearcherTable.h"
#include "report/Files.h"
#include "run/cluster/Assignment.h"
#include "run/cluster/Workers.h"
#include "run/DefaultMemory.h"
#include "run/explore/Explore.h"
#include "run/explore/SymbolicArguments.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "run/Libraries.h"
#include "solver/AflFuzzSolver.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fathom::run {

namespace {

llvm::Error checkOptions(const ExploreRequest &request) {
  const explore::ExploreOptions &options = request.options;
  if (request.output.resume && request.output.force)
    return usageError("--resume and --force contradict each other: one continues the results, the "
                      "other replaces them");
  if (options.jobs > 256 || (!options.jobs && !request.cluster.any()))
    return usageError(
        fmt::format("--jobs {}: expected {} to 256", options.jobs, request.cluster.any() ? 0 : 1));
  if (llvm::Error e = checkCluster(request.cluster)) return e;
  if (const std::string wrong = request.cluster.any() ? unfitForCluster(request) : "";
      !wrong.empty())
    return usageError(
        fmt::format("{}: so not with {}", wrong,
                    request.cluster.starts == Cluster::None ? "--listen" : "--cluster"));
  if (options.entryMemory != explore::EntryMemory::Objects && options.entry.empty())
    return usageError("--entry-memory: needs --entry FUNCTION");
  const auto asked = explore::SearcherTable::builtIn().parse(options.search);
  const bool isPsp = std::ranges::any_of(asked, [](const explore::SearcherTable::Asked &a) {
    return a.entry && a.entry->make == explore::makeProbable;
  });
  if (isPsp && request.campaign.empty())
    return usageError("--search psp: needs --campaign DIR, the results of fathom fuzz "
                      "--state-samples");
  if (!isPsp && (!request.campaign.empty() || options.assumesUnsat))
    return usageError(fmt::format("{}: needs --search psp",
                                  request.campaign.empty() ? "--assume-unsat" : "--campaign"));
  if (!(options.theta >= 0.5 && options.theta <= 1))
    return usageError(
        fmt::format("--theta {}: expected a probability from 0.5 to 1", options.theta));
  return llvm::Error::success();
}

/// Opens the file for appending, which creates it if it does not exist, also if a later check
/// refuses the request.
llvm::Error requireWritable(const char *option, const std::string &path) {
  FILE *file = fopen(path.c_str(), "ae");
  if (!file)
    return usageError(fmt::format("{} {}: cannot be written: {}", option, path, strerror(errno)));
  fclose(file);
  return llvm::Error::success();
}

/// The solver's options, and what has to be there for them.
llvm::Error prepareSolver(ExploreRequest &request) {
  explore::ExploreOptions &o = request.options;
  const solver::ExternalOptions &externals = o.solver.externals;
  const bool usesAfl = externals.backEnd == solver::FuzzBackEnd::Afl;
  if (!externals.compareFile.empty())
    if (llvm::Error e = requireWritable("--compare-fuzz-solvers", externals.compareFile)) return e;
  if (usesAfl || !externals.compareFile.empty())
    if (std::string missing = solver::aflFuzzSolverMissing(); !missing.empty())
      return usageError(missing);
  if (!externals.keepHarnesses.empty() && !usesAfl && externals.compareFile.empty())
    return usageError("--keep-harnesses: only with --fuzz-solver afl");
  o.solver.fuzzSeed = o.seed;
  // Reproducible runs: Z3 counts its own steps. It does about two million a second (Steps.h); a
  // quarter of that, so that the clock stays a backstop.
  if (o.maxInstructions)
    o.solver.z3ResourceLimit = static_cast<uint64_t>(o.solverTimeout.count()) * 500;
  if (!o.solver.logFile.empty())
    if (llvm::Error e = requireWritable("--log-queries", o.solver.logFile)) return e;
  std::string wrong = solver::validate(o.solver);
  return wrong.empty() ? llvm::Error::success() : usageError(wrong);
}

/// argv[0] as the program sees it: its name without folder, so that two checkouts give the same
/// tests.
std::string programName(const std::string &path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  for (const char *suffix : {".bc", ".ll", ".c"})
    if (name.size() > strlen(suffix) && name.consume_back(suffix)) break;
  return name.str();
}

/// More than one program means several C files that are compiled together.
llvm::Error checkOneProgram(const std::vector<std::string> &programs) {
  if (programs.size() < 2) return llvm::Error::success();
  for (const std::string &program : programs)
    if (!llvm::StringRef(program).ends_with(".c"))
      return usageError(fmt::format("{}: {} is not a C file; expected one program, or several C "
                                    "files; put the program's arguments after --",
                                    fmt::join(programs, " "), program));
  return llvm::Error::success();
}

llvm::Error prepareInputs(ExploreRequest &request) {
  explore::ExploreOptions &o = request.options;
  o.arguments = {programName(request.programs[0])};
  o.arguments.insert(o.arguments.end(), request.symbolic.begin(), request.symbolic.end());
  auto arguments = normalizeArguments(request.arguments);
  if (!arguments) return arguments.takeError();
  for (std::string &a : *arguments) o.arguments.push_back(std::move(a));
  llvm::Expected<bool> symbolicInput = checkTogether(o.arguments);
  if (!symbolicInput) return symbolicInput.takeError();
  if (!o.stdinFile.empty()) {
    if (*symbolicInput)
      return usageError("--concrete-stdin and --sym-stdin contradict each other: give one of them");
    if (o.stdinFile != "/dev/null")
      if (llvm::Error e = requireRegularFile("--concrete-stdin", o.stdinFile)) return e;
  }
  for (const std::string &e : request.environment) {
    if (e.find('=') == std::string::npos || e[0] == '=')
      return usageError(fmt::format("--env {}: expected NAME=VALUE", e));
    o.environment.push_back(e);
  }
  if (!llvm::sys::fs::is_directory(o.sandboxRoot))
    return usageError(fmt::format("--sandbox-root {}: no such directory", o.sandboxRoot));
  return llvm::Error::success();
}

} // namespace

void addMerging(ExploreRequest &request) {
  if (request.merging.mode == explore::Merge::None) return;
  request.options.policies.push_back(
      [merging = request.merging] { return std::make_unique<explore::MergePolicy>(merging); });
}

llvm::Error prepareExploration(ExploreRequest &request, bool needsFolder) {
  explore::ExploreOptions &options = request.options;
  if (llvm::Error e = checkOptions(request)) return e;
  if (llvm::Error e = checkOneProgram(request.programs)) return e;
  if (llvm::Error e = prepareSolver(request)) return e;
  addMerging(request);
  options.nativeHelper = Installation::get().nativeHelper;
  if (llvm::Error e = checkLibraries("--load", options.libraries)) return e;
  if (llvm::Error e = prepareInputs(request)) return e;
  options.maxTime = request.limits.time;
  options.maxMemoryBytes =
      request.limits.memoryBytes ? *request.limits.memoryBytes : defaultMemory();
  if (!options.externalEffects.empty()) {
    if (llvm::Error e = requireRegularFile("--external-effects", options.externalEffects)) return e;
    llvm::Expected<std::string> text = asUsage(report::readFile(options.externalEffects));
    if (!text) return text.takeError();
    options.externalEffectsText = std::move(*text);
  }
  std::string wrong = explore::validate(options);
  if (!wrong.empty()) return usageError(wrong);
  if (request.output.folder.empty()) return usageError("-o: expected the name of a folder");
  if (needsFolder && !request.output.resume)
    if (llvm::Error e = asUsage(report::checkFolder(request.output.folder, request.output.force)))
      return e;
  return requireRegularPrograms(request.programs);
}

} // namespace fathom::run
