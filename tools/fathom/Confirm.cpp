// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom confirm: flags in, verdicts out as text. The driver is lib/run/confirm/Confirm.h.
#include "ConfirmFlags.h"
#include "OptionModel.h"
#include "Output.h"

#include "confirm/BatchReport.h"
#include "confirm/VerdictSarif.h"
#include "run/confirm/Confirm.h"
#include "run/explore/SymbolicArguments.h"
#include "run/Failure.h"
#include "run/OutputFile.h"
#include "support/NameTable.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace fathom::tool {

namespace {

using confirm::Verdict;

const char *const kConfirmFooter =
    R"(FILE is SARIF 2.1.0 (fathom scan --sarif, clang --analyze --analyzer-output sarif, CodeQL, Infer), the plist of
clang --analyze, the JSON of gcc -fanalyzer -fdiagnostics-format=json, cppcheck's XML, or Infer's report.json. A
folder stands for the files in it. Fathom explores from the function in which the defect begins, with unknown
arguments and memory, and looks for a bug of the report's kind at its place:

  confirmed   a feasible path from main shows the defect
  possible    one from an inner function does; whether callers pass what it needs is not known
  refuted     every path was followed to its end, and none shows it
  open        none of these; the output says why, and what would settle the report

Paths that begin at another function than main, or at main with unknown arguments, have empty files and empty
standard input. Then Fathom looks for an input of main, of the form that symbolic input and -- ARGS describe; without
these it is --sym-args 0 2 8 --sym-files 1 16 --sym-stdin 16.
Fathom keeps verdicts in $FATHOM_CACHE (or ~/.cache/fathom), so a second run on the same program checks new reports only.

example:
  fathom scan list --sarif list.sarif
  fathom confirm list --reports list.sarif --sarif verdicts.sarif)";

/// Verdicts that make a report a finding. none: their number does not matter.
enum class FailOn : uint8_t { None, Confirmed, Possible };
/// A configuration file says true or false; all and main are earlier names.
constexpr auto kFailOnNames = nameTable<FailOn>({{"confirmed", FailOn::Confirmed},
                                                 {"possible", FailOn::Possible},
                                                 {"main", FailOn::Confirmed},
                                                 {"all", FailOn::Possible},
                                                 {"true", FailOn::Confirmed},
                                                 {"false", FailOn::None},
                                                 {"", FailOn::None}});

FailOn failOn(const ConfirmFlags &flags) {
  if (const std::optional<FailOn> known = kFailOnNames.find(flags.failOn)) return *known;
  throw UsageError(
      fmt::format("--fail-on-findings={}: expected confirmed or possible", flags.failOn));
}

bool hasFindings(const confirm::BatchCounts &counts, FailOn which) {
  const auto has = [&](Verdict verdict) { return counts.verdicts.contains(verdict); };
  switch (which) {
  case FailOn::None: return false;
  case FailOn::Confirmed: return has(Verdict::Confirmed);
  case FailOn::Possible: return has(Verdict::Confirmed) || has(Verdict::Possible);
  }
  return false;
}

confirm::PathMap pathMapOf(const ConfirmFlags &flags) {
  confirm::PathMap out;
  for (const std::string &pair : flags.pathMap) {
    const size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--path-map {}: expected OLD=NEW, two folders", pair));
    out.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return out;
}

run::ConfirmRequest confirmRequest(const ConfirmFlags &flags, const Invocation &invocation) {
  const CommonOptions &common = flags.explore.common;
  run::ConfirmRequest out;
  out.programs = flags.explore.programs;
  out.compileCommands = flags.compileCommands;
  out.target = flags.target;
  out.reports = flags.reports;
  out.pathMap = pathMapOf(flags);
  out.only = flags.only;
  out.onlyNew = flags.onlyNew;
  out.seeds = flags.search.seeds;
  out.search.explore = flags.explore.options;
  applyConfirmSearchFlags(flags.search, out.search);
  out.symbolic = invocation.symbolic;
  out.arguments = invocation.arguments;
  out.hasArguments = invocation.hasSeparator;
  out.limits = common.limits();
  // Of few reports, each may have what the others do not need.
  out.reportTime = flags.reportTime.empty() ? std::max(confirm::kUsualTime, out.limits.time)
                                            : parseDuration("--report-time", flags.reportTime);
  out.jobs = common.jobs;
  out.rounds = flags.rounds;
  out.resumes = flags.resume;
  out.usesCache = !flags.noCache;
  out.output = flags.search.output;
  out.force = flags.search.force;
  out.commandLine = invocation.all;
  return out;
}

/// Found from the working directory, the programs, or the sources.
report::Dismissals dismissalsFor(const ConfirmFlags &flags, const confirm::Batch &batch) {
  const CommonOptions &common = flags.explore.common;
  std::vector<std::string> places = flags.explore.programs;
  if (batch.size()) places.push_back(batch.located(0).sink.file);
  return orThrow(run::asUsage(report::Dismissals::forProgram(common.dismissed, places)));
}

int runConfirm(const ConfirmFlags &flags, Context &context) {
  const CommonOptions &common = flags.explore.common;
  configureLog(common, context.log);
  const FailOn which = failOn(flags);
  // What is wrong with the file is said before anything is searched.
  (void)orThrow(
      run::asUsage(report::Dismissals::forProgram(common.dismissed, flags.explore.programs)));
  run::Session session = context.session();
  const run::Confirmation confirmed =
      orThrow(run::confirmReports(confirmRequest(flags, context.invocation), session));
  const confirm::Batch &batch = *confirmed.batch;
  report::SourceLines sources;
  const confirm::ReportListing listing = confirm::listingOf(
      batch, sources, dismissalsFor(flags, batch), {common.showsDismissed, common.ids});
  if (!flags.sarif.empty())
    orThrow(run::writeDocument("--sarif", flags.sarif, [&](llvm::raw_ostream &out) {
      confirm::writeVerdictSarif(batch, sources, listing, out);
    }));
  const confirm::BatchCounts counts = confirm::countsOf(batch, listing);
  if (common.json)
    confirm::writeVerdictsJson(batch, counts, confirmed.seconds, put, listing);
  else if (!common.quiet)
    confirm::writeVerdictsText(batch, counts, confirmed.seconds, put, listing);
  if (context.stop) return kInterrupted;
  return hasFindings(counts, which) ? kFindings : kDone;
}

} // namespace

Run declareConfirm(CLI::App &app) {
  auto flags = std::make_shared<ConfirmFlags>();
  CommonOptions &common = flags->explore.common;
  app.footer(std::string(run::kSymbolicHelp) + "\n" + kConfirmFooter);
  app.add_option("PROGRAM", flags->explore.programs,
                 "executables that fathom-cc linked, .bc or .ll files, each a program of its own; "
                 "or the C files of one");
  app.add_option(
         "--compile-commands", flags->compileCommands,
         "build the programs and libraries of a compilation database, and check the reports "
         "in their files")
      ->type_name("FILE");
  app.add_option("--target", flags->target, "with --compile-commands: only this program or library")
      ->type_name("NAME");
  common.add(app, /*withOutput=*/false);
  common.addDismissals(app);
  app.add_option("--max-memory", common.maxMemory,
                 "memory limit of all reports that are checked at the same time; default: 70 % of "
                 "free memory")
      ->type_name("SIZE");
  app.add_flag(
      "--fail-on-findings{confirmed}", flags->failOn,
      "[=WHICH] exit with status 1 if a report is confirmed (confirmed, the default), or if one "
      "is confirmed or possible (possible)");
  app.add_option("--reports", flags->reports,
                 "the reports of an analyser; may be given several times")
      ->required()
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--path-map", flags->pathMap,
                 "files below OLD in the reports are files below NEW in the program; may be given "
                 "several times")
      ->allow_extra_args(false)
      ->type_name("OLD=NEW");
  app.add_option("--sarif", flags->sarif, "write the reports with their verdicts as SARIF 2.1.0")
      ->type_name("FILE");
  app.add_option("--report-time", flags->reportTime,
                 "time limit of one report, counted in steps: the same verdict in every run "
                 "(default: 10 s, or --max-time where that is longer)")
      ->type_name("TIME");
  app.add_option("--rounds", flags->rounds,
                 "end after N rounds of short tries (0.5 s, 2 s, 10 s and so on for each report, "
                 "counted in steps); default: as --max-time allows, or one whole --report-time")
      ->type_name("N");
  addConfirmSearchFlags(app, flags->search);
  app.add_option("--only", flags->only,
                 "check only reports of this rule, in files whose path contains this, or at this "
                 "line (FILE:LINE); may be given several times")
      ->allow_extra_args(false)
      ->type_name("RULE|FILE");
  app.add_flag("--only-new", flags->onlyNew,
               "check only reports that are new since an earlier document (SARIF of an analyser "
               "with a baseline, such as fathom scan --baseline)");
  app.add_flag("--resume", flags->resume,
               "continue an earlier run that was interrupted or ran out of time; an error if no "
               "verdict is kept");
  withValues(app, "--fail-on-findings", "confirmed or possible");
  app.add_flag("--no-cache", flags->noCache,
               "check reports again that an earlier run has settled, and keep no verdict");
  return [flags](Context &context) { return runConfirm(*flags, context); };
}

} // namespace fathom::tool
