// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fathom/Scan.h>

#include "api/Convert.h"
#include "api/SessionAdapter.h"
#include "evidence/BugKind.h"
#include "report/ScanReport.h"
#include "run/OutputFile.h"
#include "run/scan/Scan.h"

#include <fmt/format.h>

namespace fathom::api {

static Result<statics::DefectKinds> kindsOf(const std::vector<std::string> &names) {
  if (names.empty()) return statics::kEveryKind;
  statics::DefectKinds out = 0;
  for (const std::string &name : names) {
    const auto before = out;
    for (const evidence::BugKind kind : evidence::scanKinds())
      if (name == evidence::name(kind)) out |= statics::bitOf(kind);
    if (out == before)
      return usageError(
          fmt::format("--kinds {}: is no kind that a scan reports, or is given twice", name));
  }
  return out;
}

static Report toApiReport(const statics::Report &report) {
  Report out;
  out.kind = evidence::name(report.kind);
  out.cwe = evidence::cwe(report.kind);
  out.message = report.message;
  out.certainty = statics::name(report.certainty);
  out.doubts = report.doubts;
  for (const statics::ReportStep &step : report.steps)
    out.steps.push_back(
        {evidence::name(step.role), step.function, step.file, step.line, step.column, step.text});
  return out;
}

static llvm::Error writeSarif(const report::ScanResult &result,
                              const std::vector<std::string> &notes, const std::string &path) {
  return run::writeDocument("--sarif", path, [&](llvm::raw_ostream &out) {
    report::SourceLines sources;
    report::writeScanSarif(out, result.reports, sources,
                           {nullptr, notes, result.isComplete, result.cut});
  });
}

Result<ScanResult> scan(const Program &program, const ScanOptions &options,
                        const Session &session) {
  Result<statics::DefectKinds> kinds = kindsOf(options.kinds);
  if (!kinds) return kinds.error();
  run::ScanOptions request;
  request.programs = program.files;
  request.entry = options.entry;
  request.kinds = *kinds;
  request.maxReports = options.maxReports;
  request.all = options.all;
  request.allocationFailures = options.allocationFailures;
  request.only = options.only;
  request.jobs = options.jobs;
  request.limits = toRunLimits(options.limits);
  request.usesCache = options.usesCache;
  SessionAdapter adapter(session);
  llvm::Expected<report::ScanResult> result = run::scanReports(request, adapter.session());
  if (!result) return toApiError(result.takeError());
  ScanResult out;
  out.isComplete = result->isComplete;
  out.notes = result->notes;
  if (!result->cutText.empty()) out.notes.insert(out.notes.begin(), result->cutText);
  for (const statics::Report &report : result->reports) out.reports.push_back(toApiReport(report));
  if (!options.sarif.empty())
    if (llvm::Error e = writeSarif(*result, out.notes, options.sarif))
      return toApiError(std::move(e));
  return out;
}

} // namespace fathom::api
