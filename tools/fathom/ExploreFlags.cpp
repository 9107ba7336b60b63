// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of fathom explore. Most options are declared in explore/Options.def; here are
// those that the tool turns into something else.
#include "ExploreFlags.h"

#include "explore/search/SearcherTable.h"
#include "solver/StageTable.h"

#include <fmt/format.h>

#include <optional>

namespace fathom::tool {

namespace {

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
    option->join(',')->description(explore::searchHelp()); // several: interleaved
  else
    option->take_last();
}
void addGenerated(CLI::App &app, uint64_t &field, const char *flag, const char *help) {
  app.add_option(flag, field, help)->capture_default_str()->take_last()->type_name("N");
}
void addGenerated(CLI::App &app, bool &field, const char *flag, const char *help) {
  app.add_flag(flag, field, help);
}
void addGenerated(CLI::App &app, explore::Pointers &field, const char *flag, const char *help) {
  auto read = [&field, flag](const std::string &name) {
    const std::optional<explore::Pointers> value = explore::kPointersNames.find(name);
    if (!value)
      throw CLI::ValidationError(
          flag, fmt::format("'{}', expected {}", name, explore::kPointersNames.names()));
    field = *value;
  };
  app.add_option_function<std::string>(flag, read, help)
      ->default_str(std::string(explore::kPointersNames.nameOf(field)))
      ->take_last();
}
void addGenerated(CLI::App &app, std::optional<bool> &field, const char *flag, const char *help) {
  app.add_flag_function(flag, [&field](std::int64_t value) { field = value > 0; }, help);
}

} // namespace

void addExploreFlags(CLI::App &app, ExploreFlags &flags) {
  app.footer(kFooter);
  app.add_option("PROGRAM", flags.programs,
                 "an executable that fathom-cc linked, a .bc or .ll file, or C files")
      ->required();
  flags.common.add(app, /*withOutput=*/true);
#define FATHOM_OPTION(type, field, defaultValue, flag, help)                                       \
  if (std::string(flag).compare(0, 2, "--") == 0)                                                  \
    addGenerated(app, flags.options.field, flag, help);
#include "explore/Options.def"
#undef FATHOM_OPTION
  app.add_option("--solver-timeout", flags.solverTimeout, "for one query")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--log-queries", flags.options.solver.logFile,
                 "append every query that reaches the SMT solver, as SMT-LIB2")
      ->type_name("FILE");
  app.add_option("--disable-solver-stage", flags.disabledStages,
                 solver::StageTable::builtIn().names() + "; several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option("--fuzz-solver", flags.fuzzSolver,
                 "for external operations: jit (machine code in memory), or afl (a C program for "
                 "each query, fuzzed by AFL++)")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--fuzz-time", flags.fuzzTime, "for one query of the fuzz solver")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--fuzz-evaluations", flags.options.solver.externals.budget.evaluations,
                 "inputs that the fuzz solver tries for one query")
      ->capture_default_str();
  app.add_option(
         "--fuzz-without", flags.fuzzWithout,
         "logic (asking the other stages first), predictor (of queries without an answer) or "
         "seeds (the other side's witness); several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option("--keep-harnesses", flags.options.solver.externals.keepHarnesses,
                 "leave the C programs of --fuzz-solver afl in FOLDER")
      ->type_name("FOLDER");
  app.add_option("--compare-fuzz-solvers", flags.options.solver.externals.compareFile,
                 "ask both fuzz solvers, and append what each did to FILE, a line of JSON a query")
      ->type_name("FILE");
  app.add_flag("--cross-check", flags.options.solver.crossCheck,
               "ask Z3 alone too, and stop when the answers contradict each other");
  app.add_option("--concrete-stdin", flags.options.stdinFile,
                 "the program's standard input; of LLVMFuzzerTestOneInput: its input")
      ->type_name("FILE");
  app.add_option("--env", flags.environment,
                 "environment of the program, NAME=VALUE; several times")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--sandbox-root", flags.options.sandboxRoot,
                 "files below it can be read by the program")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--checkpoint", flags.checkpoint,
                 "how often the folder is told where the exploration stands (see --resume)")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--tests", flags.tests,
                 "where tests go: store (those that cover something new into folders, all others "
                 "into tests.store, for fathom tests), folders (each into its own) or new (only "
                 "those that cover something new are kept: as --only-new-coverage)")
      ->capture_default_str()
      ->take_last();
  app.add_option("--max-disk", flags.maxDisk,
                 "what tests may take of the disk; beyond it only tests that cover something new "
                 "are written; default: half of what is free")
      ->type_name("SIZE");
  app.add_option("--seeds", flags.seeds,
                 "inputs to follow first, and then to explore around: AFL++'s output, a libFuzzer "
                 "corpus, .ktest files, or the results of an earlier run")
      ->type_name("DIR");
  app.add_flag("--afl-queue", flags.aflQueue,
               "also write queue/, which afl-fuzz -F reads: inputs that cover something new");
  app.add_flag("--test-comp", flags.testComp, "also write tests-testcomp/");
  app.add_option("--print", flags.print, "print and end: code, code:FUNCTION")->type_name("WHAT");
  app.add_option("--merge", flags.merge, "none; cfg and pattern are not available yet")
      ->capture_default_str();
  app.add_option("--memory", flags.memory,
                 "concrete-size; symbolic-size=CAPACITY is not available yet")
      ->capture_default_str();
  app.add_option("--load", flags.options.libraries,
                 "shared library of the host whose functions the program calls; several times")
      ->type_name("LIB.so")
      ->expected(1)
      ->take_all();
}

} // namespace fathom::tool
