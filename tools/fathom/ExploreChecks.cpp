// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with a command line of fathom explore, said before anything is loaded; and the
// engine's options made from it.
#include "ExploreFlags.h"
#include "SymbolicArguments.h"

#include "report/Files.h"
#include "report/ResultsFolder.h"
#include "run/DefaultMemory.h"
#include "run/Libraries.h"
#include "solver/AflFuzzSolver.h"
#include "solver/StageTable.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fathom::tool {

namespace {

/// --memory: the capacity of blocks of symbolic size; 0: sizes are numbers.
uint64_t capacityOf(const std::string &memory) {
  constexpr std::string_view kSymbolic = "symbolic-size=";
  constexpr uint64_t kMost = 4096; // as --max-table: a larger block is read at one offset at a time
  if (memory == "concrete-size") return 0;
  if (!memory.starts_with(kSymbolic))
    throw UsageError(fmt::format(
        "--memory {}: expected concrete-size, or symbolic-size=CAPACITY in bytes", memory));
  uint64_t capacity = 0;
  try {
    capacity = parseSize("--memory", memory.substr(kSymbolic.size()));
  } catch (const UsageError &) { // it says what sizes of gigabytes look like
  }
  if (!capacity || capacity > kMost)
    throw UsageError(fmt::format("--memory {}: expected a number of bytes, at most {}, such as 64",
                                 memory, kMost));
  return capacity;
}

void checkAvailable(const ExploreFlags &flags) {
  if (!explore::kMergeNames.find(flags.merge))
    throw UsageError(
        fmt::format("--merge {}: expected {}", flags.merge, explore::kMergeNames.names()));
  const explore::MergeOptions &merging = flags.merging;
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
  if (flags.common.resume && flags.common.force)
    throw UsageError("--resume and --force contradict each other: one continues the results, the "
                     "other replaces them");
  flags.common.checkJobs();
  if (flags.options.entryMemory != explore::EntryMemory::Objects && flags.options.entry.empty())
    throw UsageError("--entry-memory: needs --entry FUNCTION");
  const std::string search = "," + flags.options.search + ",";
  const bool isPsp = search.find(",psp,") != std::string::npos;
  if (isPsp && flags.campaign.empty())
    throw UsageError("--search psp: needs --campaign DIR, the results of fathom fuzz "
                     "--state-samples");
  if (!isPsp && (!flags.campaign.empty() || flags.options.assumesUnsat))
    throw UsageError(fmt::format("{}: needs --search psp",
                                 flags.campaign.empty() ? "--assume-unsat" : "--campaign"));
  if (!(flags.options.theta >= 0.5 && flags.options.theta <= 1))
    throw UsageError(
        fmt::format("--theta {}: expected a probability from 0.5 to 1", flags.options.theta));
}

void requireWritable(const char *option, const std::string &path) {
  FILE *file = fopen(path.c_str(), "ae");
  if (!file)
    throw UsageError(fmt::format("{} {}: cannot be written: {}", option, path, strerror(errno)));
  fclose(file);
}

void applyFuzzFlags(ExploreFlags &flags) {
  solver::ExternalOptions &o = flags.options.solver.externals;
  if (flags.fuzzSolver == "afl")
    o.backEnd = solver::FuzzBackEnd::Afl;
  else if (flags.fuzzSolver != "jit")
    throw UsageError(fmt::format("--fuzz-solver {}: expected jit or afl", flags.fuzzSolver));
  if (!o.compareFile.empty()) requireWritable("--compare-fuzz-solvers", o.compareFile);
  if (flags.fuzzSolver == "afl" || !o.compareFile.empty())
    if (std::string missing = solver::aflFuzzSolverMissing(); !missing.empty())
      throw UsageError(missing);
  if (!o.keepHarnesses.empty() && flags.fuzzSolver == "jit" && o.compareFile.empty())
    throw UsageError("--keep-harnesses: only with --fuzz-solver afl");
  o.budget.time = parseDuration("--fuzz-time", flags.fuzzTime);
  flags.options.solver.fuzzSeed = flags.options.seed;
  flags.options.symbolicSize = flags.options.sizedInput = capacityOf(flags.memory);
  flags.merging.bySize = flags.options.symbolicSize && flags.merging.at.empty();
  flags.merging.mergesIrregular =
      flags.mergeFallback.empty() ? !flags.merging.bySize : flags.mergeFallback == "cfg";
  flags.merging.mode = *explore::kMergeNames.find(flags.merge);
  if (flags.merging.mode != explore::Merge::None)
    flags.options.policies.push_back(
        [merging = flags.merging] { return std::make_unique<explore::MergePolicy>(merging); });
  static constexpr std::pair<const char *, bool solver::ExternalOptions::*> kParts[] = {
      {"logic", &solver::ExternalOptions::logicFirst},
      {"predictor", &solver::ExternalOptions::predictor},
      {"seeds", &solver::ExternalOptions::seeds},
  };
  for (const std::string &name : flags.fuzzWithout) {
    const auto *part = std::find_if(std::begin(kParts), std::end(kParts),
                                    [&](const auto &p) { return name == p.first; });
    if (part == std::end(kParts))
      throw UsageError(fmt::format("--fuzz-without {}: expected logic, predictor or seeds", name));
    o.*part->second = false;
  }
}

void applySolverFlags(ExploreFlags &flags) {
  explore::ExploreOptions &o = flags.options;
  const solver::StageTable &stages = solver::StageTable::builtIn();
  for (const std::string &name : flags.disabledStages)
    if (!stages.disable(name, o.solver))
      throw UsageError(fmt::format("--disable-solver-stage {}: expected {}", name, stages.names()));
  applyFuzzFlags(flags);
  o.solverTimeout = parseDuration("--solver-timeout", flags.solverTimeout);
  // Reproducible runs: Z3 counts its own steps. About a million a second, halved so that the clock
  // stays a backstop.
  if (o.maxInstructions)
    o.solver.z3ResourceLimit = static_cast<uint64_t>(o.solverTimeout.count()) * 500;
  if (!o.solver.logFile.empty()) requireWritable("--log-queries", o.solver.logFile);
  std::string wrong = solver::validate(o.solver);
  if (!wrong.empty()) throw UsageError(wrong);
}

/// argv[0] as the program sees it: its name without folder, so that two checkouts give the same
/// tests.
std::string programName(const std::string &path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  for (const char *suffix : {".bc", ".ll", ".c"})
    if (name.size() > strlen(suffix) && name.consume_back(suffix)) break;
  return name.str();
}

/// Several are compiled together, for which they have to be sources.
void checkOneProgram(const std::vector<std::string> &programs) {
  if (programs.size() < 2) return;
  for (const std::string &program : programs)
    if (!llvm::StringRef(program).ends_with(".c"))
      throw UsageError(fmt::format("{}: {} is not a C file; expected one program, or several C "
                                   "files; put the program's arguments after --",
                                   fmt::join(programs, " "), program));
}

void applyInputs(ExploreFlags &flags, const Invocation &invocation) {
  explore::ExploreOptions &o = flags.options;
  o.arguments = {programName(flags.programs[0])};
  o.arguments.insert(o.arguments.end(), invocation.symbolic.begin(), invocation.symbolic.end());
  for (std::string &a : normalizeArguments(invocation.arguments))
    o.arguments.push_back(std::move(a));
  bool symbolicInput = checkTogether(o.arguments);
  if (!o.stdinFile.empty()) {
    if (symbolicInput)
      throw UsageError("--concrete-stdin and --sym-stdin contradict each other: give one of them");
    if (o.stdinFile != "/dev/null") requireRegularFile("--concrete-stdin", o.stdinFile);
  }
  for (const std::string &e : flags.environment) {
    if (e.find('=') == std::string::npos || e[0] == '=')
      throw UsageError(fmt::format("--env {}: expected NAME=VALUE", e));
    o.environment.push_back(e);
  }
  if (!llvm::sys::fs::is_directory(o.sandboxRoot))
    throw UsageError(fmt::format("--sandbox-root {}: no such directory", o.sandboxRoot));
}

} // namespace

void applyExploreFlags(ExploreFlags &flags, const Invocation &invocation) {
  CommonOptions &common = flags.common;
  explore::ExploreOptions &options = flags.options;
  checkAvailable(flags);
  if (!kTestsNames.find(flags.tests))
    throw UsageError(fmt::format("--tests {}: expected {}", flags.tests, kTestsNames.names()));
  options.onlyNewCoverage |= kTestsNames.find(flags.tests) == KeptTests::New;
  checkOneProgram(flags.programs);
  if (options.echoOutput && common.json)
    throw UsageError("--echo-output and --json both want stdout: give one of them");
  applySolverFlags(flags);
  options.nativeHelper = Installation::get().nativeHelper;
  orThrow(run::checkLibraries("--load", options.libraries));
  applyInputs(flags, invocation);
  options.jobs = common.jobs;
  options.maxTime = common.time();
  options.checkpointInterval = parseDuration("--checkpoint", flags.checkpoint);
  options.maxMemoryBytes = common.maxMemory.empty() ? run::defaultMemory() : common.memoryBytes();
  if (!options.externalEffects.empty()) {
    requireRegularFile("--external-effects", options.externalEffects);
    options.externalEffectsText = orUsage(report::readFile(options.externalEffects));
  }
  std::string wrong = explore::validate(options);
  if (!wrong.empty()) throw UsageError(wrong);
  if (common.output.empty()) throw UsageError("-o: expected the name of a folder");
  if (flags.print.empty() && !common.resume)
    orUsage(report::checkFolder(common.output, common.force));
  requireRegularPrograms(flags.programs);
}
} // namespace fathom::tool
