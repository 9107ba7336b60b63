// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom explore: from options to the engine and the results folder.
#include "Command.h"
#include "Libraries.h"
#include "Status.h"
#include "SymbolicArguments.h"

#include "explore/Explore.h"
#include "explore/ExternalEffects.h"
#include "explore/ExternalPolicy.h"
#include "explore/MemoryBudget.h"
#include "native/Process.h"
#include "native/VariantCache.h"
#include "program/Decode.h"
#include "program/Fingerprint.h"
#include "program/FunctionsVariant.h"
#include "program/Load.h"
#include "report/Files.h"
#include "report/ResultsFolder.h"
#include "report/SeedFiles.h"
#include "report/Summary.h"
#include "solver/AflFuzzSolver.h"
#include "support/NumberText.h"
#include "support/ProcFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <unistd.h>

namespace fathom::tool {

namespace {

/// What the command line says, before it is checked.
struct ExploreFlags {
  CommonOptions common;
  explore::ExploreOptions options;
  std::vector<std::string> programs, disabledStages, environment;
  std::string merge = "none", memory = "concrete-size", solverTimeout = "10s", print;
  bool testComp = false, aflQueue = false;
  std::string maxDisk, seeds, checkpoint = "5s";
  std::string fuzzSolver = "jit", fuzzTime = "6s";
  std::vector<std::string> fuzzWithout;
};

const char *const kFooter = R"(symbolic input, here or KLEE-style after --:
  --sym-arg LEN            one argument of up to LEN bytes
  --sym-args MIN MAX LEN   MIN to MAX arguments of up to LEN bytes
  --sym-stdin N            standard input of N bytes
  --sym-files COUNT SIZE   files A, B, ... of SIZE bytes in the working directory
  --sym-env NAME LEN       the environment variable NAME, of at most LEN bytes, or not set
The program's arguments stand in the order in which they were written: those of options first, then what follows --.
A program that makes its own input symbolic (fathom.h, klee/klee.h, __VERIFIER_nondet_*, LLVMFuzzerTestOneInput) needs none.

example:
  fathom explore src/cut --max-time 10m -o out --sym-args 0 2 4 --sym-stdin 8 -- -d ,
  fathom explore program.c --entry parse_header --search dfs
  fathom explore src/sort --echo-output --concrete-stdin input.txt -- -n      (no symbolic input: interpret one run))";

void addGenerated(CLI::App &app, std::string &field, const char *flag, const char *help) {
  CLI::Option *option = app.add_option(flag, field, help);
  if (!field.empty()) option->capture_default_str();
  if (std::string(flag) == "--search")
    option->join(','); // several: interleaved
  else
    option->take_last();
}
void addGenerated(CLI::App &app, uint64_t &field, const char *flag, const char *help) {
  app.add_option(flag, field, help)->capture_default_str()->take_last()->type_name("N");
}
void addGenerated(CLI::App &app, bool &field, const char *flag, const char *help) {
  app.add_flag(flag, field, help);
}
void addGenerated(CLI::App &app, std::optional<bool> &field, const char *flag, const char *help) {
  app.add_flag_function(flag, [&field](std::int64_t value) { field = value > 0; }, help);
}

/// `value` is what the contract knows, `available` what this version has.
void requireChoice(const char *option, const std::string &value,
                   const std::vector<std::string> &known, const std::string &available) {
  std::string bare = value.rfind("symbolic-size=", 0) == 0 ? "symbolic-size" : value;
  if (std::find(known.begin(), known.end(), bare) == known.end())
    throw UsageError(fmt::format("{} {}: expected {}", option, value, fmt::join(known, ", ")));
  if (bare != available)
    throw UsageError(
        fmt::format("{} {}: not available yet; this version has {}", option, value, available));
}

void checkAvailable(const ExploreFlags &flags) {
  requireChoice("--merge", flags.merge, {"none", "cfg", "pattern"}, "none");
  requireChoice("--memory", flags.memory, {"concrete-size", "symbolic-size"}, "concrete-size");
  if (flags.common.resume && flags.common.force)
    throw UsageError("--resume and --force: one goes on with the results, the other replaces them");
  if (flags.common.jobs == 0 || flags.common.jobs > 256)
    throw UsageError(fmt::format("--jobs {}: expected 1 to 256", flags.common.jobs));
  const std::string &search = flags.options.search;
  for (size_t at = 0; at <= search.size();) {
    size_t end = std::min(search.find(',', at), search.size());
    if (search.substr(at, end - at) == "psp") throw UsageError("--search psp: not available yet");
    at = end + 1;
  }
}

void requireWritable(const char *option, const std::string &path) {
  FILE *file = fopen(path.c_str(), "ae");
  if (!file)
    throw UsageError(fmt::format("{} {}: cannot be written: {}", option, path, strerror(errno)));
  fclose(file);
}

constexpr const char *kStageNames =
    "witness, ranges, slicing, cache, external, domains, sat or guided";

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
  static constexpr std::pair<const char *, bool solver::SolverOptions::*> kStages[] = {
      {"witness", &solver::SolverOptions::witness}, {"ranges", &solver::SolverOptions::ranges},
      {"slicing", &solver::SolverOptions::slicing}, {"cache", &solver::SolverOptions::cache},
      {"domains", &solver::SolverOptions::domains}, {"sat", &solver::SolverOptions::sat},
      {"guided", &solver::SolverOptions::guided},   {"external", &solver::SolverOptions::external},
  };
  for (const std::string &name : flags.disabledStages) {
    const auto *stage = std::find_if(std::begin(kStages), std::end(kStages),
                                     [&](const auto &s) { return name == s.first; });
    if (stage == std::end(kStages))
      throw UsageError(fmt::format("--disable-solver-stage {}: expected {}", name, kStageNames));
    o.solver.*stage->second = false;
  }
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

/// 70 % of what the kernel says is available.
uint64_t defaultMemory() { return procBytes("/proc/meminfo", "MemAvailable") / 10 * 7; }

/// The executable that belongs to what the user named; "" for sources and bitcode alone.
std::string nativeProgram(const std::vector<std::string> &programs) {
  if (programs.size() != 1) return "";
  llvm::StringRef name = programs[0];
  if (name.ends_with(".c") || name.ends_with(".ll")) return "";
  name.consume_back(".bc");
  std::string path = name.str();
  return access(path.c_str(), X_OK) == 0 && !llvm::sys::fs::is_directory(path) ? absolutePath(path)
                                                                               : "";
}

/// argv[0] as the program sees it: its name without folder, so that two checkouts give the same
/// tests.
std::string programName(const std::string &path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  for (const char *suffix : {".bc", ".ll", ".c"})
    if (name.size() > strlen(suffix) && name.consume_back(suffix)) break;
  return name.str();
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

void printCode(const program::Program &program, const std::string &what) {
  std::string only = what.size() > 5 && what.compare(0, 5, "code:") == 0 ? what.substr(5) : "";
  if (only.empty() && what != "code")
    throw UsageError(fmt::format("--print {}: expected code or code:FUNCTION", what));
  if (!only.empty() && !program.find(only))
    throw UsageError(fmt::format("--print {}: the program has no function {}", what, only));
  for (const program::FunctionCode &f : program.functions)
    if (only.empty() ? f.own : f.name == only)
      fputs(program::printFunction(program, f).c_str(), stdout);
}

/// --external-functions. A name that is written out must be there; a group is what there is of it.
void markExternal(program::Program &program, const explore::ExploreOptions &options) {
  std::vector<std::string> names;
  explore::expandFunctionNames(options.externalFunctions, names); // checked: explore::validate
  for (const std::string &name : names)
    if (!program.find(name) &&
        ("," + options.externalFunctions + ",").find("," + name + ",") != std::string::npos)
      throw UsageError(fmt::format("--external-functions {}: the program has no such function with "
                                   "code; expected one that it defines, or @string",
                                   name));
  program::makeExternal(program, names);
}

/// The variant of the program that executes its functions for the engine.
llvm::Expected<std::string> functionsVariant(const ExploreFlags &flags) {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  load.entry = flags.options.entry;
  load.allowUndefined = true;
  program::BitcodeFile bitcode = orUsage(program::findBitcode(flags.programs, load));
  native::VariantRecipe recipe{
      "functions", program::kFunctionsVariantVersion, /*allowUndefined=*/true,
      [&](const std::string &objectFile) -> llvm::Expected<std::string> {
        if (llvm::Error e = program::writeFunctionsObject(bitcode.path, objectFile, load))
          return std::move(e);
        return std::string("functions");
      }};
  llvm::Expected<native::CachedVariant> variant =
      native::cachedVariant(bitcode.path, variantTools("functions.o"), recipe);
  if (!variant) return variant.takeError();
  return variant->executable;
}

/// Where only assembly needs the variant, the program can be explored without.
void makeFunctionsVariant(const program::Program &program, const ExploreFlags &flags,
                          explore::ExploreOptions &options, Log &log) {
  const bool hasAssembly = llvm::any_of(
      program.externals, [](const program::External &e) { return !e.assembly.empty(); });
  if (options.externalFunctions.empty() && !hasAssembly) return;
  llvm::Expected<std::string> variant = functionsVariant(flags);
  if (variant) {
    options.functionsVariant = std::move(*variant);
    return;
  }
  const std::string why = llvm::toString(variant.takeError());
  if (!options.externalFunctions.empty()) throw UsageError(why);
  log.warn(fmt::format("{}: paths end at inline assembly, as it cannot be executed: {}",
                       flags.programs[0], why));
}

/// A harness's main asks for no standard input, and for arguments only on behalf of
/// LLVMFuzzerInitialize: what describes them would change nothing.
void refuseUnusedInputs(const llvm::Module &module, const ExploreFlags &flags) {
  if (!flags.options.entry.empty() || !program::isFuzzHarness(module)) return;
  const llvm::Function *initialize = module.getFunction("LLVMFuzzerInitialize");
  const bool takesArguments = initialize && !initialize->isDeclaration();
  for (const std::string &word : flags.options.arguments)
    if (word == "--sym-stdin" || (word.starts_with("--sym-arg") && !takesArguments))
      throw UsageError(
          fmt::format("{}: {} is a harness: the input of LLVMFuzzerTestOneInput is symbolic by "
                      "itself, of up to --fuzz-size bytes ({}); leave {} out",
                      word, flags.programs[0], flags.options.fuzzBytes, word));
}

program::Program load(const ExploreFlags &flags, Log &log) {
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.runtimeBitcode = here.runtimeBitcode;
  load.entry = flags.options.entry;
  load.allowUndefined = !flags.options.libraries.empty();
  load.assembly = program::LoadOptions::Assembly::Declared;
  explore::ExternalPolicy policy;
  explore::ExternalPolicy::make(flags.options, policy); // checked: explore::validate
  load.lowerIntrinsics = !policy.deferVectors;
  if (load.runtimeBitcode.empty())
    log.verbose(
        fmt::format("no runtime.bc below {}: system calls will not be modelled", here.build));
  // The module is freed before the exploration starts.
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      orUsage(program::loadProgram(context, flags.programs, load));
  const std::string linkedWith = program::sysrootOf(*module);
  if (!linkedWith.empty() && !here.sysrootVersion.empty() && linkedWith != here.sysrootVersion)
    log.warn(fmt::format("{}: linked with another version of the sysroot ({}) than the one here "
                         "({}): replayed tests can differ; link it again with fathom-cc",
                         flags.programs[0], linkedWith, here.sysrootVersion));
  refuseUnusedInputs(*module, flags);
  orUsage(program::prepareModule(*module, load));
  program::Program program = orUsage(program::decode(*module));
  markExternal(program, flags.options);
  log.verbose(fmt::format("{}: {} functions, {} branches of its own", flags.programs[0],
                          program.functions.size(), program.ownBranches));
  return program;
}

// TOUR(2)
int runExplore(ExploreFlags &flags, Context &context) {
  CommonOptions &common = flags.common;
  explore::ExploreOptions &options = flags.options;
  Log &log = context.log;
  configureLog(common, log);
  checkAvailable(flags);
  if (options.echoOutput && common.json)
    throw UsageError("--echo-output and --json both want stdout: give one of them");
  applySolverFlags(flags);
  options.nativeHelper = Installation::get().nativeHelper;
  checkLibraries("--load", options.libraries);
  applyInputs(flags, context.invocation);
  options.jobs = common.jobs;
  options.maxTime = common.time();
  options.checkpointInterval = parseDuration("--checkpoint", flags.checkpoint);
  options.maxMemoryBytes = common.maxMemory.empty() ? defaultMemory() : common.memoryBytes();
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
  program::Program program = load(flags, log);
  if (!flags.print.empty()) {
    printCode(program, flags.print);
    return kDone;
  }

  makeFunctionsVariant(program, flags, options, log);
  if (!flags.seeds.empty()) {
    size_t skipped = 0;
    llvm::Expected<std::vector<explore::Seed>> seeds = report::readSeeds(flags.seeds, skipped);
    if (!seeds) throw UsageError("--seeds: " + llvm::toString(seeds.takeError()));
    options.seeds = std::move(*seeds);
    log.note(fmt::format("{} seeds from {}", options.seeds.size(), flags.seeds));
    if (skipped) log.warn(fmt::format("--seeds: {} files over 1 MB left out", skipped));
  }
  if (const std::string line = mixedCommandLine(options.arguments); !line.empty() && !common.quiet)
    fprintf(stderr, "fathom: what is explored is: %s\n", line.c_str());
  Status status(/*enabled=*/!common.quiet);
  report::FolderOptions folderOptions;
  folderOptions.path = common.output;
  folderOptions.force = common.force;
  folderOptions.testComp = flags.testComp;
  folderOptions.aflQueue = flags.aflQueue;
  if (!flags.maxDisk.empty()) folderOptions.maxDiskBytes = parseSize("--max-disk", flags.maxDisk);
  folderOptions.commandLine = context.invocation.all;
  for (const std::string &p : flags.programs) folderOptions.programs.push_back(absolutePath(p));
  folderOptions.nativeProgram = nativeProgram(flags.programs);
  folderOptions.workingDirectory =
      options.workingDirectory.empty() ? "" : absolutePath(options.workingDirectory);
  folderOptions.options = &options;
  folderOptions.progress = [&](const explore::Stats &stats) {
    status.show(report::progressLine(stats));
  };
  folderOptions.echo = [](int fd, const std::string &data) {
    FILE *to = fd == 2 ? stderr : stdout;
    fwrite(data.data(), 1, data.size(), to);
    fflush(to);
  };
  folderOptions.programFingerprint = program::fingerprint(program);
  explore::Checkpoint from;
  std::unique_ptr<report::ResultsFolder> folder =
      orUsage(common.resume ? report::ResultsFolder::resume(std::move(folderOptions), from)
                            : report::ResultsFolder::create(std::move(folderOptions)));

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
        "--max-memory {}: not enough to begin with (engine, program and solver); try {}M",
        common.maxMemory, explore::leastMemoryMb(result.stats.peakMemoryBytes, options.jobs)));
  }
  llvm::Error finished = folder->finish(result);
  std::string failure = folder->failure().empty() ? result.failure : folder->failure();
  for (const report::Finding &f : folder->findings())
    log.note(fmt::format("{}: {}: {}", f.dir, explore::name(f.kind), f.message));
  log.note(fmt::format("ended: {}; {}, {}, {} in {:.1f} s", explore::text(result.stats.stop),
                       counted(result.stats.pathsCompleted, "path"),
                       counted(result.stats.tests, "test"), counted(result.stats.bugs, "bug"),
                       result.stats.wallSeconds));
  if (finished) {
    std::string text = llvm::toString(std::move(finished));
    if (failure.empty()) failure = text;
  }

  if (common.json) {
    fputs(report::summaryJson(result.stats, folder->findings()).c_str(), stdout);
  } else if (!common.quiet) {
    // The program's own output keeps stdout for itself.
    fputs(report::humanSummary(result, folder->findings(), options.arguments[0], common.output)
              .c_str(),
          options.echoOutput ? stderr : stdout);
  }
  if (!failure.empty()) {
    log.warn(fmt::format("{}; what was written before is complete", failure));
    return kInternal;
  }
  return common.failOnFindings && !folder->findings().empty() ? kFindings : kDone;
}

} // namespace

Run declareExplore(CLI::App &app) {
  auto flags = std::make_shared<ExploreFlags>();
  app.footer(kFooter);
  app.add_option("PROGRAM", flags->programs,
                 "an executable that fathom-cc linked, a .bc or .ll file, or C files")
      ->required();
  flags->common.add(app, /*withOutput=*/true);
#define FATHOM_OPTION(type, field, defaultValue, flag, help)                                       \
  if (std::string(flag).compare(0, 2, "--") == 0)                                                  \
    addGenerated(app, flags->options.field, flag, help);
#include "explore/Options.def"
#undef FATHOM_OPTION
  app.add_option("--solver-timeout", flags->solverTimeout, "for one query")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--log-queries", flags->options.solver.logFile,
                 "append every query that reaches the SMT solver, as SMT-LIB2")
      ->type_name("FILE");
  app.add_option("--disable-solver-stage", flags->disabledStages,
                 std::string(kStageNames) + "; several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option("--fuzz-solver", flags->fuzzSolver,
                 "for external operations: jit (machine code in memory), or afl (a C program for "
                 "each query, fuzzed by AFL++)")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--fuzz-time", flags->fuzzTime, "for one query of the fuzz solver")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--fuzz-evaluations", flags->options.solver.externals.budget.evaluations,
                 "inputs that the fuzz solver tries for one query")
      ->capture_default_str();
  app.add_option(
         "--fuzz-without", flags->fuzzWithout,
         "logic (asking the other stages first), predictor (of queries without an answer) or "
         "seeds (the other side's witness); several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option("--keep-harnesses", flags->options.solver.externals.keepHarnesses,
                 "leave the C programs of --fuzz-solver afl in FOLDER")
      ->type_name("FOLDER");
  app.add_option("--compare-fuzz-solvers", flags->options.solver.externals.compareFile,
                 "ask both fuzz solvers, and append what each did to FILE, a line of JSON a query")
      ->type_name("FILE");
  app.add_flag("--cross-check", flags->options.solver.crossCheck,
               "ask Z3 alone too, and stop when the answers contradict each other");
  app.add_option("--concrete-stdin", flags->options.stdinFile,
                 "the program's standard input; of LLVMFuzzerTestOneInput: its input")
      ->type_name("FILE");
  app.add_option("--env", flags->environment,
                 "environment of the program, NAME=VALUE; several times")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--sandbox-root", flags->options.sandboxRoot,
                 "files below it can be read by the program")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--checkpoint", flags->checkpoint,
                 "how often the folder is told where the exploration stands (see --resume)")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--max-disk", flags->maxDisk,
                 "what tests may take of the disk; beyond it only tests that cover something new "
                 "are written; default: half of what is free")
      ->type_name("SIZE");
  app.add_option("--seeds", flags->seeds,
                 "inputs to follow first, and then to explore around: AFL++'s output, a libFuzzer "
                 "corpus, .ktest files, or the results of an earlier run")
      ->type_name("DIR");
  app.add_flag("--afl-queue", flags->aflQueue,
               "also write queue/, which afl-fuzz -F reads: inputs that cover something new");
  app.add_flag("--test-comp", flags->testComp, "also write tests-testcomp/");
  app.add_option("--print", flags->print, "print and end: code, code:FUNCTION")->type_name("WHAT");
  app.add_option("--merge", flags->merge, "none; cfg and pattern are not available yet")
      ->capture_default_str();
  app.add_option("--memory", flags->memory,
                 "concrete-size; symbolic-size=CAPACITY is not available yet")
      ->capture_default_str();
  app.add_option("--load", flags->options.libraries,
                 "shared library of the host whose functions the program calls; several times")
      ->type_name("LIB.so")
      ->expected(1)
      ->take_all();
  return [flags](Context &context) { return runExplore(*flags, context); };
}

} // namespace fathom::tool
