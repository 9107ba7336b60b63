// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom run: flags in, text out. The driver is lib/run/all/RunAll.h.
#include "Command.h"
#include "OptionModel.h"

#include "run/all/RunAll.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

struct RunFlags {
  CommonOptions common;
  std::string program, input, corpus, sync, sanitize;
  std::vector<std::string> dictionaries;
  std::optional<uint64_t> seed;
  uint64_t maxBugs = 0;
  bool noStop = false, noScan = false, minimise = false;
  std::string since;
};

const char *const kRunFooter =
    R"(PROGRAM's arguments follow "--". An argument @@ stands for the file with the input; without it, the program reads the
input from standard input. A program that defines LLVMFuzzerTestOneInput needs neither.
Fathom fuzzes the program, explores it symbolically, scans it, and confirms the reports of the scan, all at the same
time. The fuzzer and the explorer give each other inputs, and share the processors by what they bring. The run ends
when going on is not worth it, or when a budget is spent.

example:
  fathom run parser --max-time 10m -o found
  fathom run gif2rgb --corpus pictures --max-time 1h -- -o /dev/null @@
  fathom run parser --since found --max-time 10m -o found-now --fail-on-findings)";

run::RunRequest requestOf(const RunFlags &flags, const Invocation &invocation) {
  run::RunRequest out;
  out.program = flags.program;
  out.arguments = invocation.arguments;
  out.input = flags.input;
  out.folder = flags.common.output;
  out.force = flags.common.force, out.resume = flags.common.resume;
  out.commandLine = invocation.all;
  out.corpus = flags.corpus;
  if (!flags.sync.empty()) out.sync = absolutePath(flags.sync);
  out.dictionaries = flags.dictionaries;
  out.seed = flags.seed;
  out.jobs = flags.common.jobs;
  out.limits = flags.common.limits();
  out.maxBugs = flags.maxBugs;
  out.stopsEarly = !flags.noStop;
  out.scans = !flags.noScan;
  out.dismissed = flags.common.dismissed;
  out.minimises = flags.minimise;
  out.since = flags.since;
  if (!flags.sanitize.empty() && !campaign::parseSanitizers(flags.sanitize, out.sanitizers))
    throw UsageError(fmt::format("--sanitize {}: expected address, undefined, or address,undefined",
                                 flags.sanitize));
  return out;
}

int runRun(const RunFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  const run::RunRequest request = requestOf(flags, context.invocation);
  run::Session session = context.session();
  const run::RunResult done = orThrow(run::runAll(request, session));
  if (common.json || !common.quiet)
    fputs((common.json ? run::runJson(request, done)
                       : run::runText(request, done, {common.showsDismissed, common.ids}))
              .c_str(),
          stdout);
  if (!done.failure.empty()) throw InternalError(done.failure);
  const bool hasFindings =
      done.difference ? done.difference->hasNews() : !done.bugs.empty() || done.confirmed;
  return common.failOnFindings && hasFindings ? kFindings : kDone;
}

} // namespace

Run declareRun(CLI::App &app) {
  auto flags = std::make_shared<RunFlags>();
  flags->common.jobs = 2;
  app.footer(kRunFooter);
  app.add_option("PROGRAM", flags->program,
                 "an executable that fathom-cc linked, its .bc, or a C file")
      ->required();
  app.add_option("--input", flags->input,
                 "how the program gets its input: @@ (a file, named where @@ stands or as the last "
                 "argument) or stdin (default)")
      ->type_name("HOW");
  app.add_option("--corpus", flags->corpus,
                 "initial inputs: a folder of files, or a results folder of fathom explore or "
                 "fathom fuzz")
      ->type_name("DIR");
  app.add_option("--sync", flags->sync,
                 "join the AFL++ campaign with this output folder as one more instance, instead of "
                 "fuzzing")
      ->type_name("DIR");
  app.add_option("-x,--dictionary", flags->dictionaries,
                 "words of the input format; as of fathom fuzz")
      ->type_name("DICT")
      ->expected(1)
      ->take_all();
  app.add_option("--sanitize", flags->sanitize,
                 "fuzz a variant with checks: address, undefined, or both, separated by a comma")
      ->type_name("WHAT");
  app.add_option("--seed", flags->seed,
                 "seed of random choices (default: of AFL++ a new one each time)")
      ->type_name("N");
  app.add_option("--max-bugs", flags->maxBugs, "end when one of the parts has found N bugs")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 32))
      ->type_name("N");
  app.add_flag("--no-stop", flags->noStop,
               "go on until a budget is spent, even if going on is hardly worth it");
  app.add_flag("--no-scan", flags->noScan, "do not scan, and confirm nothing");
  app.add_option("--since", flags->since,
                 "results of an earlier fathom run, maybe of an earlier version: begin with its "
                 "inputs, look first at what has changed, keep verdicts that still hold, and print "
                 "what is new; --fail-on-findings is about that alone")
      ->type_name("OLD");
  app.add_flag("--minimise", flags->minimise,
               "leave a suite at the end: few inputs that cover what all cover, and the smallest "
               "input of each bug");
  flags->common.addDismissals(app);
  flags->common.add(app, /*withOutput=*/true);
  withValues(app, "--input", "@@ or stdin");
  withValues(app, "--sanitize", "address, undefined");
  return [flags](Context &context) { return runRun(*flags, context); };
}

} // namespace fathom::tool
