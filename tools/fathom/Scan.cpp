// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan: flags in, text out. The analyses are in lib/run/scan.
#include "OptionModel.h"
#include "Output.h"
#include "ScanFlags.h"

#include "evidence/BugKind.h"
#include "report/ScanReport.h"
#include "run/Database.h"
#include "run/Failure.h"
#include "run/OutputFile.h"
#include "run/scan/AssertionsText.h"
#include "run/scan/KeptAnswer.h"
#include "run/scan/Scan.h"
#include "run/scan/ScanPrint.h"
#include "support/NumberText.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace fathom::tool {

static statics::abstract::DomainKind domainOf(const std::string &name) {
  if (name == "intervals") return statics::abstract::DomainKind::Intervals;
  if (name == "zones") return statics::abstract::DomainKind::Zones;
  if (name == "octagons") return statics::abstract::DomainKind::Octagons;
  if (name == "product") return statics::abstract::DomainKind::Product;
  throw UsageError(
      fmt::format("--domain {}: expected intervals, zones, octagons or product", name));
}

/// --domain, --call-depth and --checks.
static void applyAbstractFlags(const ScanFlags &flags, run::ScanOptions &options) {
  options.domain = domainOf(flags.domain);
  options.callDepth = flags.callDepth;
  for (const std::string &name : flags.checks) {
    if (name == "shift")
      options.checksShifts = true;
    else if (name == "overflow")
      options.checksOverflow = true;
    else
      throw UsageError(fmt::format("--checks {}: expected shift or overflow", name));
  }
}

/// What --kinds takes.
static std::string defectKindNames() {
  std::string names;
  for (const evidence::BugKind kind : evidence::scanKinds())
    names += (names.empty() ? "" : ", ") + std::string(evidence::name(kind));
  return names;
}

/// --kinds use-after-free,...; all without it.
static statics::DefectKinds defectKinds(const ScanFlags &flags) {
  statics::DefectKinds kinds = 0;
  for (const std::string &name : flags.kinds) {
    const auto before = kinds;
    for (const evidence::BugKind kind : evidence::scanKinds())
      if (name == evidence::name(kind)) kinds |= statics::bitOf(kind);
    if (kinds == before)
      throw UsageError(fmt::format("--kinds {}: expected {}", name, defectKindNames()));
  }
  return flags.kinds.empty() ? statics::kEveryKind : kinds;
}

/// What follows --json is a program, which may be a file to be written.
static void checkJsonTakesNoFile(const ScanFlags &flags) {
  if (!flags.common.json || flags.programs.size() < 2) return;
  for (const std::string &program : flags.programs)
    if (llvm::StringRef(program).ends_with(".json") || !llvm::sys::fs::exists(program))
      throw UsageError(
          fmt::format("{}: no program; --json takes no file and prints to standard output: "
                      "--json > FILE",
                      program));
}

static void checkReportFlags(const ScanFlags &flags) {
  (void)defectKinds(flags);
  if ((flags.assertions || !flags.print.empty()) && !flags.only.empty())
    throw UsageError(fmt::format("--only and {} exclude each other: --only chooses among reports",
                                 flags.assertions ? "--assertions" : "--print"));
  if (flags.assertions && !flags.kinds.empty())
    throw UsageError("--assertions and --kinds exclude each other: --kinds chooses among reports");
  if (flags.baseline.empty()) return;
  if (flags.sarif.empty())
    throw UsageError("--baseline: only with --sarif, whose document tells what is new");
  orThrow(run::requireRegularFile("--baseline", flags.baseline));
  (void)orThrow(run::asUsage(report::readBaseline(flags.baseline)));
}

run::ScanOptions scanOptions(const ScanFlags &flags) {
  run::ScanOptions out;
  out.programs = flags.programs;
  out.title = flags.title;
  out.entry = flags.entry;
  out.limits = flags.common.limits();
  out.usesCache = !flags.noCache;
  out.jobs = flags.common.jobs;
  out.kinds = defectKinds(flags);
  out.maxReports = flags.mostReports;
  out.all = flags.all;
  out.allocationFailures = flags.allocationFailures;
  out.only = flags.only;
  applyAbstractFlags(flags, out);
  return out;
}

namespace {

/// Everything that the output depends on, but the program. Budgets are not in it: what is kept is
/// complete.
std::string questionOf(const ScanFlags &flags) {
  return fmt::format("output\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n",
                     flags.title.empty() ? flags.programs.front() : flags.title, flags.assertions,
                     flags.domain, fmt::join(flags.checks, ","), flags.callDepth, flags.print,
                     flags.common.json, flags.common.verbose) +
         (flags.common.failOnFindings ? "fail" : "");
}

/// What --assertions or --print printed, and the exit status.
struct Printed {
  std::string text;
  int status = kDone;
  bool isPartial = false;
};

Printed printAssertions(const run::ScanOptions &options, const ScanFlags &flags, Context &context) {
  run::Session session = context.session();
  const auto checked = orThrow(run::scanAssertions(options, session));
  const bool isFinding = flags.common.failOnFindings && !checked->isClean();
  if (!flags.common.json)
    for (const auto &[what, number] : checked->program.unexpressed)
      context.log.verbose(fmt::format("not expressed: {} ({})", what, counted(number, "place")));
  return {flags.common.json ? run::assertionsJson(*checked, flags.domain)
                            : run::assertionsText(*checked, flags.common.verbose),
          isFinding ? kFindings : kDone, checked->isPartial};
}

Printed printOne(const run::PrintRequest &request, const run::ScanOptions &options,
                 const ScanFlags &flags, Context &context) {
  run::Session session = context.session();
  run::PrintedAnalysis printed = orThrow(run::printAnalysis(options, request, session));
  const bool isTold = !printed.partial.empty() && !flags.common.json &&
                      (printed.isAlwaysTold || !flags.common.quiet);
  return {(isTold ? printed.partial + "\n" : "") + printed.text, kDone, printed.isPartial};
}

/// Runs `print`, or prints what it printed in an earlier run. Only complete results are kept.
int printKept(const ScanFlags &flags, Context &context,
              const std::function<Printed(const run::ScanOptions &)> &print) {
  const auto show = [](llvm::StringRef text) { fwrite(text.data(), 1, text.size(), stdout); };
  const run::KeptAnswer answer(scanOptions(flags), questionOf(flags));
  if (const auto known = answer.find()) {
    const auto [status, text] = known->getBuffer().split('\n');
    int number = 0;
    if (!status.getAsInteger(10, number)) {
      context.log.verbose(run::kAnswered);
      show(text);
      return number;
    }
  }
  const Printed printed = print(answer.options());
  show(printed.text);
  if (!printed.isPartial) answer.keep(fmt::format("{}\n{}", printed.status, printed.text));
  return printed.status;
}

/// Found from the working directory, the programs, or the sources.
report::Dismissals dismissalsFor(const ScanFlags &flags,
                                 const std::vector<statics::Report> &reports) {
  std::vector<std::string> places = flags.programs;
  if (!reports.empty()) places.push_back(reports.front().sink().file);
  return orThrow(run::asUsage(report::Dismissals::forProgram(flags.common.dismissed, places)));
}

/// Those that are not dismissed, and how many there are.
void listReports(const std::vector<statics::Report> &reports,
                 const std::vector<report::DismissalMark> &marks, report::SourceLines &sources,
                 const ScanFlags &flags) {
  std::vector<report::Identity> identities;
  if (flags.common.ids) identities = report::identitiesOf(reports, sources);
  std::vector<statics::Report> open;
  for (size_t i = 0; i < reports.size(); ++i) {
    if (!marks[i].isDismissed()) open.push_back(reports[i]);
    if (marks[i].isDismissed() && !flags.common.showsDismissed) continue;
    std::string text = report::scanText(reports[i], sources);
    if (const std::string note = report::reopenedText(marks[i]); !note.empty())
      text += fmt::format("  {}\n", note);
    if (flags.common.ids) text += fmt::format("  id {}\n", report::shownId(identities[i].id));
    fmt::print("{}\n", text);
  }
  fmt::print("{}{}\n", report::scanCounts(open),
             report::dismissedCountText(reports.size() - open.size()));
}

/// Prints reports, and writes --sarif. Returns the exit status.
int showReports(const report::ScanResult &result, const ScanFlags &flags, Context &context) {
  const std::vector<statics::Report> &reports = result.reports;
  if (!result.cutText.empty() && !flags.common.json && !flags.common.quiet)
    fmt::print("{}\n", result.cutText);
  report::SourceLines sources;
  const std::vector<report::DismissalMark> marks =
      report::marksOf(reports, sources, dismissalsFor(flags, reports));
  report::Baseline baseline;
  if (!flags.baseline.empty())
    baseline = orThrow(run::asUsage(report::readBaseline(flags.baseline)));
  // What cut it short was told before, to people; documents have it too.
  std::vector<std::string> notes = result.notes;
  if (!result.cutText.empty()) notes.insert(notes.begin(), result.cutText);
  if (!flags.sarif.empty()) {
    report::ScanSarif options{flags.baseline.empty() ? nullptr : &baseline, notes,
                              result.isComplete, result.cut};
    const run::ScanOptions asked = scanOptions(flags);
    options.scope = run::scopeOf(asked);
    for (const std::string &program : asked.programs)
      options.programs.push_back(absolutePath(program));
    options.marks = marks;
    orThrow(run::writeDocument("--sarif", flags.sarif, [&](llvm::raw_ostream &out) {
      report::writeScanSarif(out, reports, sources, options);
    }));
  }
  if (flags.common.json) {
    report::writeScanJson(reports, sources, notes, result.isComplete, result.seconds, put, marks);
  } else {
    if (!flags.common.quiet) {
      listReports(reports, marks, sources, flags);
    }
    for (const std::string &note : result.notes) context.log.warn(note);
    if (const auto &missing = sources.missing(); !missing.empty())
      context.log.warn(fmt::format(
          "{} not where the program was compiled, so reports have no lines of {}: {}{}",
          missing.size() == 1 ? "a source file is"
                              : counted(missing.size(), "source file") + " are",
          missing.size() == 1 ? "it" : "them", missing.front(), missing.size() > 1 ? ", ..." : ""));
  }
  const bool isFinding = std::ranges::any_of(
      marks, [](const report::DismissalMark &mark) { return !mark.isDismissed(); });
  return flags.common.failOnFindings && isFinding ? kFindings : kDone;
}

int scanProgram(const ScanFlags &flags, Context &context) {
  if (flags.assertions && !flags.print.empty())
    throw UsageError("--assertions and --print exclude each other");
  std::optional<run::PrintRequest> request;
  if (!flags.print.empty()) {
    request = orThrow(run::printRequest(flags.print));
    request->isDetailed = flags.common.verbose;
  }
  checkJsonTakesNoFile(flags);
  checkReportFlags(flags);
  // What is wrong with the file is said before anything is analysed.
  (void)dismissalsFor(flags, {});
  const run::ScanOptions options = scanOptions(flags);
  orThrow(run::validate(options));
  if (flags.assertions || request)
    return printKept(flags, context, [&](const run::ScanOptions &read) {
      return request ? printOne(*request, read, flags, context)
                     : printAssertions(read, flags, context);
    });
  run::Session session = context.session();
  return showReports(orThrow(run::scanReports(options, session)), flags, context);
}

/// A kept answer needs no time, memory or workers: what is wrong with them is said all the same.
void checkBudgets(const CommonOptions &options) {
  (void)options.limits();
  options.checkJobs();
}

/// --compile-commands: each program of the database, or that of --target. Returns the greatest exit
/// status.
int scanDatabase(const ScanFlags &flags, Context &context) {
  run::Session session = context.session();
  const program::DatabasePrograms built = orThrow(
      run::buildPrograms({flags.compileCommands, flags.programs, flags.common.jobs}, session));
  context.log.verbose(fmt::format("{}, {} do not compile; {}", counted(built.files, "file"),
                                  built.failed, counted(built.programs.size(), "program")));
  const auto programs = orThrow(run::programsNamed(built, flags.target));
  if ((flags.common.json || !flags.sarif.empty()) && programs.size() > 1)
    throw UsageError(fmt::format("{}: one document, and the database has several programs; choose "
                                 "one with --target: {}",
                                 flags.common.json ? "--json" : "--sarif",
                                 fmt::join(run::namesOf(programs), ", ")));
  int status = kDone;
  for (const program::DatabaseProgram &program : programs) {
    ScanFlags one = flags;
    one.programs = {program.bitcode};
    one.title = program.name;
    if (!flags.common.json)
      fmt::print("== {}: {} of {}\n", program.name, program.isLibrary ? "library" : "program",
                 counted(program.files, "file"));
    status = std::max(status, scanProgram(one, context));
  }
  return status;
}

int runScan(const ScanFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  checkBudgets(flags.common);
  run::ScanOptions checked;
  applyAbstractFlags(flags, checked);
  if (!flags.compileCommands.empty()) return scanDatabase(flags, context);
  if (!flags.target.empty()) throw UsageError("--target: only with --compile-commands");
  return scanProgram(flags, context);
}

} // namespace

Run declareScan(CLI::App &app) {
  auto flags = std::make_shared<ScanFlags>();
  app.footer(
      "Without --print and --assertions, fathom scan reports defects that it cannot rule out: use "
      "after free, null\ndereferences, leaks, uninitialised reads and others. A report can be a "
      "false alarm; fathom confirm looks for a path\nthat shows it. --assertions proves checks of "
      "the program, or shows the states in which they may fail.\n\nexample:\n  fathom scan src/cut "
      "--sarif cut.sarif\n  fathom scan src/cut --assertions\n  fathom scan --compile-commands "
      "build/compile_commands.json");
  app.add_option("program", flags->programs,
                 "an executable that fathom-cc linked, a .bc or .ll file, or C files")
      ->type_name("PROGRAM");
  app.add_option("--compile-commands", flags->compileCommands,
                 "build and scan the programs and libraries of a compilation database")
      ->type_name("FILE");
  app.add_option("--target", flags->target, "with --compile-commands: only this program or library")
      ->type_name("NAME");
  app.add_option("--entry", flags->entry, "start at this function instead of main")
      ->type_name("FUNCTION");
  app.add_option("--kinds", flags->kinds, "look only for these kinds of defects (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  app.add_option("--sarif", flags->sarif, "also write the reports as SARIF 2.1.0")
      ->type_name("FILE");
  app.add_option("--baseline", flags->baseline,
                 "with --sarif: compare with this earlier document; marks new and missing reports")
      ->type_name("FILE");
  app.add_flag("--all", flags->all,
               "also reports whose conditions were not looked at together: all that the analyses "
               "cannot rule out");
  app.add_flag("--allocation-failures", flags->allocationFailures,
               "also what happens only if an allocation fails");
  app.add_option("--only", flags->only,
                 "show only reports of this kind, in files whose path contains this, or that name "
                 "this line (FILE:LINE); may be given several times")
      ->allow_extra_args(false)
      ->type_name("KIND|FILE");
  app.add_option("--most-reports", flags->mostReports, "at most N reports of each kind")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--print", flags->print,
                 "print one analysis' result and exit: " + run::printerNames())
      ->type_name("WHAT[:FUNCTION]");
  app.add_flag("--assertions", flags->assertions,
               "prove assertions, accesses and divisions by abstract interpretation");
  app.add_option("--domain", flags->domain,
                 "with --assertions: abstract domain: intervals, zones, octagons, product")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--checks", flags->checks, "with --assertions, also: shift, overflow")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  app.add_option("--call-depth", flags->callDepth,
                 "with --assertions: nested calls that are analysed in their caller's state")
      ->capture_default_str()
      ->type_name("N");
  app.add_flag(
      "--fail-on-findings", flags->common.failOnFindings,
      "exit with status 1 if there is a report; with --assertions, an alarm or definite failure");
  app.add_flag("--no-cache", flags->noCache,
               "neither read nor write the cache of results of earlier runs");
  app.add_option("--max-memory", flags->common.maxMemory,
                 "end the analysis when it uses more memory; default: 70 % of free memory")
      ->type_name("SIZE");
  flags->common.addDismissals(app);
  flags->common.add(app, /*withOutput=*/false);
  withValues(app, "--kinds", defectKindNames());
  withValues(app, "--print", run::printerNames());
  withValues(app, "--domain", "intervals, zones, octagons or product");
  withValues(app, "--checks", "shift or overflow");
  return [flags](Context &context) { return runScan(*flags, context); };
}

} // namespace fathom::tool
