// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fathom/Confirm.h>

#include "api/Convert.h"
#include "api/SessionAdapter.h"
#include "evidence/BugKind.h"
#include "run/confirm/Confirm.h"

#include <fmt/format.h>

namespace fathom::api {

static Verdict toApiVerdict(confirm::Verdict verdict) {
  switch (verdict) {
  case confirm::Verdict::Confirmed: return Verdict::Confirmed;
  case confirm::Verdict::Possible: return Verdict::Possible;
  case confirm::Verdict::Refuted: return Verdict::Refuted;
  case confirm::Verdict::Open: return Verdict::Open;
  }
  return Verdict::Open;
}

/// Fills in what only a report has that a path shows: its kind, path, inputs and reproduction.
static void fillShown(const confirm::Finding &finding, Judgement &out) {
  out.kind = evidence::name(finding.kind);
  out.feasibleFrom = finding.feasibleFrom;
  out.stack = toApiFrames(finding.stack);
  for (const confirm::PathStep &step : finding.path)
    out.path.push_back({step.function, step.file, step.line, step.column});
  out.values = finding.values;
  if (!finding.reproduction) return;
  out.folder = finding.reproduction->folder;
  out.isReproduced = finding.reproduction->isReproduced;
}

static Judgement toApiJudgement(const confirm::Defect &defect, const confirm::Finding &finding) {
  Judgement out;
  out.tool = defect.tool;
  out.rule = defect.rule;
  out.message = defect.message;
  out.place = {"", defect.sink.file, defect.sink.line, defect.sink.column};
  out.verdict = toApiVerdict(finding.verdict);
  out.reason = finding.reason;
  out.entry = finding.entry;
  if (finding.verdict == confirm::Verdict::Open) out.settledBy = confirm::settledBy(finding);
  if (confirm::isShown(finding.verdict)) fillShown(finding, out);
  return out;
}

Result<std::vector<Judgement>> confirm(const Program &program,
                                       const std::vector<std::string> &reports,
                                       const ConfirmOptions &options, const Session &session) {
  if (program.files.empty()) return usageError("no program given");
  if (reports.empty()) return usageError("--reports: expected at least one file");
  if (!options.jobs || options.jobs > 256)
    return usageError(fmt::format("--jobs {}: expected 1 to 256", options.jobs));
  if (options.reportTime.count() <= 0)
    return usageError(
        fmt::format("--report-time {}ms: expected a time above 0", options.reportTime.count()));
  if (std::optional<Error> wrong = SessionAdapter::checkThreads()) return std::move(*wrong);
  run::ConfirmRequest request;
  request.programs = program.files;
  request.reports = reports;
  request.only = options.only;
  request.arguments = options.arguments;
  request.hasArguments = !options.arguments.empty();
  request.reportTime = options.reportTime;
  request.limits = toRunLimits(options.limits);
  request.jobs = options.jobs;
  request.rounds = options.rounds;
  request.usesCache = options.usesCache;
  request.output = options.folder;
  request.force = options.replace;
  request.commandLine = {"libfathom"};
  SessionAdapter adapter(session);
  llvm::Expected<run::Confirmation> done = run::confirmReports(request, adapter.session());
  if (!done) return toApiError(done.takeError());
  const confirm::Batch &batch = *done->batch;
  std::vector<Judgement> out;
  for (size_t i = 0; i < batch.size(); ++i)
    if (batch.isWanted(i)) out.push_back(toApiJudgement(batch.located(i), batch.finding(i)));
  return out;
}

} // namespace fathom::api
