// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Identity.h"

#include "evidence/BugKind.h"
#include "report/BugIndex.h"
#include "report/Sarif.h"
#include "report/ScanReport.h"

#include <algorithm>
#include <set>

namespace fathom::report {

using evidence::StackFrame;

static std::string placeHash(evidence::BugKind kind, const std::string &file, uint32_t line,
                             uint32_t column, SourceCode &code) {
  const std::string text = code.line(file, line, column);
  return text.empty() ? "" : TextHash().mix(evidence::name(kind)).mix(text).text();
}

static std::string codeHash(const std::vector<std::string> &functions) {
  TextHash hash;
  for (const std::string &text : functions) {
    if (text.empty()) return ""; // of a part that is not known, nobody can say that it is the same
    hash.mix(text);
  }
  return functions.empty() ? "" : hash.text();
}

Identity identityOf(const Finding &finding, SourceCode &code, unsigned ordinal) {
  Identity out;
  TextHash hash;
  hash.mix(evidence::name(finding.kind));
  for (const StackFrame *frame : distinctCalls(finding)) hash.mix(frame->function);
  if (const StackFrame *at = locationOf(finding.stack)) {
    out.place = placeHash(finding.kind, at->file, at->line, at->column, code);
    out.code = codeHash({code.around(at->file, at->line, at->function)});
    hash.mix(code.line(at->file, at->line));
  }
  hash.mix(out.place);
  for (unsigned n = 0; n < ordinal; ++n) hash.mix("next");
  out.id = hash.text();
  return out;
}

Identity identityAfter(const std::vector<Finding> &earlier, const Finding &finding,
                       SourceCode &code) {
  for (unsigned ordinal = 0;; ++ordinal) {
    Identity identity = identityOf(finding, code, ordinal);
    if (std::ranges::none_of(earlier,
                             [&](const Finding &f) { return f.identity.id == identity.id; }))
      return identity;
  }
}

std::vector<Identity> identitiesOf(const std::vector<statics::Report> &reports,
                                   SourceLines &sources) {
  SourceCode code(sources);
  const std::vector<std::string> ids = scanFingerprints(reports, sources);
  std::vector<Identity> out;
  for (const statics::Report &report : reports) {
    std::vector<std::string> functions;
    std::set<std::pair<std::string, std::string>> seen;
    for (const statics::ReportStep &step : report.steps)
      if (seen.emplace(step.file, step.function).second)
        functions.push_back(code.around(step.file, step.line, step.function));
    const statics::ReportStep &sink = report.sink();
    out.push_back({ids[out.size()], placeHash(report.kind, sink.file, sink.line, sink.column, code),
                   codeHash(functions)});
  }
  return out;
}

std::vector<DismissalMark> marksOf(const std::vector<statics::Report> &reports,
                                   SourceLines &sources, const Dismissals &dismissals) {
  std::vector<DismissalMark> out(reports.size());
  if (dismissals.all().empty()) return out;
  const std::vector<Identity> identities = identitiesOf(reports, sources);
  for (size_t i = 0; i < reports.size(); ++i) {
    const statics::ReportStep &sink = reports[i].sink();
    out[i] = dismissals.judge(
        {identities[i], evidence::name(reports[i].kind), sink.function, sink.file});
  }
  return out;
}

} // namespace fathom::report
