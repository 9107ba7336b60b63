// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom diff: flags in, text out. The driver is lib/run/diff/Diff.h.
#include "Command.h"
#include "Output.h"

#include "run/diff/Diff.h"
#include "run/OutputFile.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

struct DiffFlags {
  CommonOptions common;
  run::DiffRequest request;
  std::string sarif, replayTime = "30s";
  bool noReplay = false, all = false;
};

const char *const kDiffFooter =
    R"(OLD and NEW are results folders of fathom explore, fuzz, confirm or run, or files of reports: SARIF of fathom scan or of
another analyser, or another form that fathom confirm reads.

  new              only NEW has it
  fixed            NEW does not have it, and something shows that it is gone: its input no longer fails on the new program, or
                   an analysis that was asked the same ended without it
  not found again  NEW does not have it; a smaller budget can be the reason
  unchanged        both have it, wherever its lines are now; or its input still fails on the new program

Inputs of old bugs that NEW does not have run on the program of NEW (in the engine), if it is there.

example:
  fathom explore old/prog --sym-stdin 8 -o old-out
  fathom explore new/prog --sym-stdin 8 -o new-out
  fathom diff old-out new-out --fail-on-findings
  fathom diff old.sarif new.sarif --sarif changes.sarif)";

int runDiff(DiffFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  flags.request.replays = !flags.noReplay;
  flags.request.replayTime = parseDuration("--replay-time", flags.replayTime);
  flags.request.maxTime = common.time();
  flags.request.dismissed = common.dismissed;
  if (flags.noReplay && !flags.request.programs.empty())
    throw UsageError("--program and --no-replay exclude each other: the program runs old inputs");
  run::Session session = context.session();
  const run::Difference difference = orThrow(run::diffResults(flags.request, session));
  if (!flags.sarif.empty())
    orThrow(run::writeDocument("--sarif", flags.sarif, [&](llvm::raw_ostream &out) {
      run::writeDiffSarif(difference, out);
    }));
  if (common.json)
    put(run::diffJson(difference));
  else if (!common.quiet)
    put(run::diffText(difference, flags.all, common.showsDismissed));
  return common.failOnFindings && difference.hasNews() ? kFindings : kDone;
}

} // namespace

Run declareDiff(CLI::App &app) {
  auto flags = std::make_shared<DiffFlags>();
  app.footer(kDiffFooter);
  app.add_option("OLD", flags->request.before, "results of the old version")->required();
  app.add_option("NEW", flags->request.after, "results of the new version")->required();
  app.add_option("--program", flags->request.programs,
                 "the new program, on which old inputs run; default: that of NEW")
      ->allow_extra_args(false)
      ->type_name("PROGRAM");
  app.add_flag("--no-replay", flags->noReplay,
               "run nothing: what NEW does not have is not found again");
  app.add_option("--replay-time", flags->replayTime, "time limit of one old input")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_flag("--all", flags->all, "also list what is unchanged");
  app.add_flag("--unfinished", flags->request.unfinished,
               "also compare runs that have not ended, or were killed");
  app.add_flag("--any-program", flags->request.anyProgram,
               "compare although the programs have different names");
  app.add_option("--sarif", flags->sarif,
                 "write the results with their baselineState as SARIF 2.1.0")
      ->type_name("FILE");
  app.add_flag("--fail-on-findings", flags->common.failOnFindings,
               "exit with status 1 if something is new");
  flags->common.addDismissals(app);
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runDiff(*flags, context); };
}

} // namespace fathom::tool
