// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of fathom explore. Most options are declared in explore/Options.def; here are
// those that the tool turns into something else.
#include "ExploreFlags.h"

#include "OptionModel.h"

#include "explore/external/ExternalPolicy.h"
#include "explore/search/SearcherTable.h"
#include "run/explore/SymbolicArguments.h"
#include "solver/StageTable.h"

#include <fmt/format.h>

#include <optional>

namespace fathom::tool {

namespace {

const char *const kExploreFooter =
    R"(The program gets its arguments in the order given: first those made by options, then what follows --.
A program that makes its own input symbolic (fathom.h, klee/klee.h, __VERIFIER_nondet_*, LLVMFuzzerTestOneInput)
needs none of these options.
One function, without main and without any of this: --entry FUNCTION. Its parameters are symbolic, and so are 64 bytes
behind each pointer (--entry-memory lazy: all memory that it did not make). A static function that nothing calls is not
there. A native run starts at main, so fathom replay cannot run these tests.

example:
  fathom explore src/cut --max-time 10m -o out --sym-args 0 2 4 --sym-stdin 8 -- -d ,
  fathom explore program.c --entry parse_header --search dfs
  fathom explore src/sort --echo-output --concrete-stdin input.txt -- -n      (no symbolic input: interpret one run))";

void addGenerated(CLI::App &app, std::string &field, const char *flag, const char *help) {
  CLI::Option *option = app.add_option(flag, field, help);
  if (!field.empty()) option->capture_default_str();
  if (std::string(flag) == "--search")
    option->join(',')->description(explore::searchHelp()); // several: interleaved
  else
    option->take_last();
}
void addGenerated(CLI::App &app, uint64_t &field, const char *flag, const char *help) {
  app.add_option(flag, field, help)->capture_default_str()->take_last()->type_name("N");
}
void addGenerated(CLI::App &app, double &field, const char *flag, const char *help) {
  app.add_option(flag, field, help)->capture_default_str()->take_last()->type_name("P");
}
void addGenerated(CLI::App &app, bool &field, const char *flag, const char *help) {
  app.add_flag(flag, field, help);
}
template <typename Value>
  requires std::is_enum_v<Value>
void addGenerated(CLI::App &app, Value &field, const char *flag, const char *help) {
  auto read = [&field, flag](const std::string &name) {
    const std::optional<Value> value = explore::namesOf(Value()).find(name);
    if (!value)
      throw CLI::ValidationError(
          flag, fmt::format("'{}', expected {}", name, explore::namesOf(Value()).names()));
    field = *value;
  };
  app.add_option_function<std::string>(flag, read, help)
      ->default_str(std::string(explore::namesOf(Value()).nameOf(field)))
      ->take_last();
  withValues(app, flag, explore::namesOf(Value()).names());
}
void addGenerated(CLI::App &app, std::optional<bool> &field, const char *flag, const char *help) {
  app.add_flag_function(flag, [&field](std::int64_t value) { field = value > 0; }, help);
}

/// Options by names that they once had; --help, manual pages and completions do not tell them.
void addOldNames(CLI::App &app, explore::ExploreOptions &options) {
  addGenerated(app, options.branchChecks, "--ask", "");
  addGenerated(app, options.continuesAfterMemoryError, "--pass-wrong-accesses", "");
  for (const char *name : {"--ask", "--pass-wrong-accesses"}) app.get_option(name)->group("");
}

void declareValues(CLI::App &app) {
  withValues(app, "--search", explore::SearcherTable::builtIn().names());
  withValues(app, "--external-ops", explore::kExternalOpNames.names());
  withValues(app, "--disable-solver-stage", solver::StageTable::builtIn().names());
  withValues(app, "--fuzz-solver", "jit or afl");
  withValues(app, "--fuzz-without", "logic, predictor or seeds");
  withValues(app, "--tests", kTestsNames.names());
  withValues(app, "--print", "code or code:");
  withValues(app, "--merge", explore::kMergeNames.names());
  withValues(app, "--merge-fallback", "none or cfg");
  withValues(app, "--cluster", "slurm");
  withValues(app, "--memory", "concrete-size or symbolic-size=");
}

void addClusterFlags(CLI::App &app, ExploreFlags &flags) {
  app.add_option("--listen", flags.workers.listen,
                 "let workers of other machines (fathom worker) connect to this address; with "
                 "--jobs 0, they do all the work")
      ->type_name("HOST:PORT");
  app.add_option("--key", flags.workers.key, "with --listen: a file that workers have, too")
      ->type_name("FILE");
  app.add_option("--cluster", flags.cluster, "start workers on a cluster: slurm")
      ->type_name("NAME");
  app.add_option("--cluster-workers", flags.workers.workers, "with --cluster: how many")
      ->type_name("N");
  app.add_option("--sbatch-options", flags.workers.sbatchOptions,
                 "with --cluster slurm: more options of sbatch, as for a shell")
      ->type_name("OPTIONS");
}

} // namespace

void addExploreFlags(CLI::App &app, ExploreFlags &flags) {
  app.footer(std::string(run::kSymbolicHelp) + kExploreFooter);
  app.add_option("PROGRAM", flags.programs,
                 "an executable that fathom-cc linked, a .bc or .ll file, or C files")
      ->required();
  flags.common.add(app, /*withOutput=*/true);
#define FATHOM_OPTION(type, field, defaultValue, flag, help)                                       \
  if (std::string(flag).compare(0, 2, "--") == 0)                                                  \
    addGenerated(app, flags.options.field, flag, help);
#include "explore/Options.def"
#undef FATHOM_OPTION
  addOldNames(app, flags.options);
  // Fields have their units in their names.
#define FATHOM_OPTION(type, field, defaultValue, flag, help)                                       \
  if constexpr (std::string_view(#field).ends_with("Bytes"))                                       \
    app.get_option(flag)->type_name("BYTES");
#include "explore/Options.def"
#undef FATHOM_OPTION
  app.add_option("--solver-timeout", flags.solverTimeout, "time limit of one query")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--log-queries", flags.options.solver.logFile,
                 "append every query that reaches the SMT solver to FILE, as SMT-LIB2")
      ->type_name("FILE");
  app.add_option("--disable-solver-stage", flags.disabledStages,
                 "skip a stage: " + solver::StageTable::builtIn().names() + "; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option("--fuzz-solver", flags.fuzzSolver,
                 "how to solve queries about external operations: jit (machine code in memory), or "
                 "afl (a C program for each query, fuzzed by AFL++)")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--fuzz-time", flags.fuzzTime, "time limit of one query of the fuzz solver")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--fuzz-evaluations", flags.options.solver.externals.budget.evaluations,
                 "maximum inputs that the fuzz solver tries for one query")
      ->capture_default_str();
  app.add_option("--fuzz-without", flags.fuzzWithout,
                 "switch off a part of the fuzz solver: logic (ask the other stages first), "
                 "predictor (skip "
                 "queries that look unsolvable) or seeds (start from the other side's witness); "
                 "may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option("--keep-harnesses", flags.options.solver.externals.keepHarnesses,
                 "keep the C programs of --fuzz-solver afl in FOLDER")
      ->type_name("FOLDER");
  app.add_option(
         "--compare-fuzz-solvers", flags.options.solver.externals.compareFile,
         "ask both fuzz solvers and append their results to FILE, one line of JSON per query")
      ->type_name("FILE");
  app.add_flag("--value-sets", flags.options.solver.valueSets,
               "decide queries about single numbers of the input from the values that the path "
               "leaves them (a baseline for --search psp)");
  app.add_flag("--cross-check", flags.options.solver.crossCheck,
               "also ask Z3 alone, and stop if the answers contradict each other");
  app.add_option("--concrete-stdin", flags.options.stdinFile,
                 "concrete standard input (or the input of LLVMFuzzerTestOneInput)")
      ->type_name("FILE");
  app.add_option("--env", flags.environment,
                 "set an environment variable of the program; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--sandbox-root", flags.options.sandboxRoot,
                 "the program may read files below DIR")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--checkpoint", flags.checkpoint,
                 "how often to save the state of the exploration (for --resume)")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--tests", flags.tests,
                 "where to store tests: store (a folder for each test that covers something new, "
                 "tests.store for all others), folders (a folder for each) or new (only tests that "
                 "cover something new, as with --only-new-coverage)")
      ->capture_default_str()
      ->take_last();
  app.add_option(
         "--max-disk", flags.maxDisk,
         "disk space for tests; once it is used up, only tests that cover something new are "
         "written; default: half of the free space")
      ->type_name("SIZE");
  app.add_option("--seeds", flags.seeds,
                 "inputs to follow first and explore around later: AFL++ output, a libFuzzer "
                 "corpus, .ktest files, or results of an earlier run")
      ->type_name("DIR");
  app.add_flag("--afl-queue", flags.aflQueue,
               "also write inputs that cover something new to queue/, for afl-fuzz -F");
  app.add_flag("--test-comp", flags.testComp,
               "also write tests in the Test-Comp format to tests-testcomp/");
  app.add_option("--campaign", flags.campaign,
                 "with --search psp: results of fathom fuzz --state-samples on this program")
      ->type_name("DIR");
  app.add_option("--print", flags.print, "print the register code and exit: code, code:FUNCTION")
      ->type_name("WHAT");
  app.add_option(
         "--merge", flags.merge,
         "what to do with the states that leave a loop: none (each continues by itself), cfg "
         "(merge them into one state for each exit), pattern (the same, with one quantified path "
         "condition where the paths have a regular pattern)")
      ->capture_default_str();
  app.add_option("--merge-at", flags.merging.at,
                 "with --merge: only the loops of FUNCTION, or the one at FUNCTION:LINE; may be "
                 "repeated (default: the outermost loops of the program's own functions, with "
                 "symbolic sizes of all functions, that call no function with a loop)")
      ->type_name("FUNCTION[:LINE]")
      ->expected(1)
      ->take_all();
  app.add_option("--merge-fallback", flags.mergeFallback,
                 "with --merge pattern: what to do with paths without a pattern: none (each "
                 "continues by itself), cfg (one state for each exit; the default without --memory "
                 "symbolic-size, and with --merge-at)")
      ->type_name("none|cfg");
  app.add_flag("--explain-merges", flags.merging.explains,
               "print to standard error what is merged, with the pattern and its conditions");
  app.add_flag("--merge-incremental", flags.merging.incremental,
               "with --merge pattern: merge states that are equal after an iteration of the loop "
               "(--merge-incremental=0: off)")
      ->capture_default_str();
  app.add_flag_callback(
      "--merge-always", [&flags] { flags.merging.leavesVain = false; },
      "with --merge: keep merging a loop even if later code splits its merged paths again "
      "(--merge-at and markers imply it)");
  app.add_flag("--check-merges", flags.merging.checks,
               "ask Z3 whether each merged state equals those it was made from; slow (stats.json "
               "counts)");
  app.add_option("--memory", flags.memory,
                 "concrete-size: a symbolic size becomes concrete on each path; "
                 "symbolic-size=CAPACITY: sizes of up to CAPACITY bytes stay symbolic "
                 "(docs/merging.md)")
      ->capture_default_str();
  app.add_option("--load", flags.options.libraries,
                 "a shared library of the host that the program calls; may be repeated")
      ->type_name("LIB.so")
      ->expected(1)
      ->take_all();
  addClusterFlags(app, flags);
  declareValues(app);
}

} // namespace fathom::tool
