// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/Scan.h"

#include "evidence/BugKind.h"
#include "report/ScanReport.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/OnlyFilter.h"
#include "run/scan/FindReports.h"
#include "run/scan/KeptAnswer.h"
#include "run/scan/LoadScanned.h"
#include "run/scan/ProgramFlow.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

namespace fathom::run {

llvm::Error validate(const ScanOptions &options) {
  if (options.programs.empty())
    return usageError("no program given: name an executable linked by fathom-cc, a .bc or .ll "
                      "file, C files, or a database with --compile-commands");
  if (!options.maxReports) return usageError("--most-reports 0: expected at least 1");
  if (!options.jobs) return usageError("--jobs 0: expected at least 1");
  return requireRegularPrograms(options.programs);
}

std::string scopeOf(const ScanOptions &options) {
  std::string out = "every kind";
  if (options.kinds != statics::kEveryKind) out = "--kinds " + kindNames(options.kinds);
  if (options.all) out += " --all";
  if (options.allocationFailures) out += " --allocation-failures";
  if (!options.entry.empty()) out += " --entry " + options.entry;
  for (const std::string &only : options.only) out += " --only " + only;
  return out + fmt::format(" --most-reports {}", options.maxReports);
}

/// Analyses the program, which has no answer in the cache.  // TOUR(8)
static llvm::Expected<report::ScanResult> analyseProgram(const ScanOptions &options,
                                                         Session &session) {
  AnalysisBudget budget(options.limits, session);
  budget.begin("reading the program");
  llvm::LLVMContext context;
  auto module = loadScanned(context, options.programs, options.entry);
  if (!module) return module.takeError();
  ProgramFlow whole;
  if (llvm::Error e = analyseFlow(whole, **module, options.entry, budget, session))
    return std::move(e);
  return findReports(**module, *whole.flow, options, budget, session);
}

/// Leaves what --only asks for: at the place of the defect, or at one that a report tells with it.
static llvm::Error choose(const ScanOptions &options, Session &session,
                          std::vector<statics::Report> &reports) {
  OnlyFilter only(options.only);
  std::erase_if(reports, [&](const statics::Report &report) {
    std::vector<OnlyFilter::FileLine> places{{report.sink().file, report.sink().line}};
    const auto add = [&](const statics::ReportStep &at) { places.push_back({at.file, at.line}); };
    for (const statics::ReportStep &step : report.steps)
      if (!evidence::isSide(step.role)) add(step);
    for (const statics::ReportStep &at : report.alsoAt.listed) add(at);
    for (const statics::ReportStep &at : report.alsoFrom.listed) add(at);
    return !only.fits(evidence::name(report.kind), places);
  });
  return only.checkUsed(session);
}

/// What is kept is what the checkers say: SARIF, baselines and quoted lines are made in every run.
static llvm::Expected<report::ScanResult> allReports(const ScanOptions &options, Session &session) {
  const KeptAnswer answer(options, reportsQuestion(options));
  if (const auto known = answer.find())
    if (auto result = report::readScanResult(known->getBuffer())) {
      session.observer.verbose(kAnswered);
      return std::move(*result);
    }
  llvm::Expected<report::ScanResult> result = analyseProgram(answer.options(), session);
  if (result && result->isComplete)
    if (const std::string text = report::storedScanResult(*result, kMaxBytesOfOne); !text.empty())
      answer.keep(text);
  return result;
}

llvm::Expected<report::ScanResult> scanReports(const ScanOptions &options, Session &session) {
  if (llvm::Error e = validate(options)) return std::move(e);
  auto result = allReports(options, session);
  if (!result) return result;
  if (llvm::Error e = choose(options, session, result->reports)) return std::move(e);
  report::SourceLines sources;
  for (statics::Report &report : result->reports) report::takeSidesOfSource(report, sources);
  return result;
}

} // namespace fathom::run
