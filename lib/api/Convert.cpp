// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/Convert.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "report/Summary.h"
#include "run/Failure.h"

#include <algorithm>

namespace fathom::api {

Error toApiError(llvm::Error error) {
  const bool isUsage = error.isA<run::UsageError>();
  return {isUsage ? Error::Kind::Usage : Error::Kind::Internal, llvm::toString(std::move(error))};
}

Frame toApiFrame(const evidence::StackFrame &frame) {
  return {frame.function, frame.file, frame.line, frame.column, frame.own};
}

std::vector<Frame> toApiFrames(const std::vector<evidence::StackFrame> &frames) {
  std::vector<Frame> out;
  out.reserve(frames.size());
  for (const evidence::StackFrame &frame : frames) out.push_back(toApiFrame(frame));
  return out;
}

Bug toApiBug(const report::Finding &finding) {
  Bug out;
  out.kind = evidence::name(finding.kind);
  out.cwe = evidence::cwe(finding.kind);
  out.message = finding.message;
  if (const evidence::StackFrame *at = report::locationOf(finding.stack))
    out.place = toApiFrame(*at);
  out.stack = toApiFrames(finding.stack);
  out.related = toApiFrames(finding.related);
  out.folder = finding.dir;
  return out;
}

std::vector<Bug> toApiBugs(const std::vector<report::Finding> &findings) {
  std::vector<Bug> out;
  out.reserve(findings.size());
  for (const report::Finding &finding : findings) out.push_back(toApiBug(finding));
  return out;
}

static End toApiEnd(explore::EndKind end) {
  switch (end) {
  case explore::EndKind::Exit: return End::Exit;
  case explore::EndKind::Signal: return End::Signal;
  case explore::EndKind::Bug: return End::Bug;
  case explore::EndKind::Partial: return End::Partial;
  }
  return End::Partial;
}

Test toApiTest(const report::StoredTest &test, uint64_t number, const std::string &bug) {
  Test out;
  out.number = number;
  out.arguments = test.inputs.arguments;
  out.environment = test.inputs.environment;
  out.standardInput = test.inputs.standardInput;
  out.files = test.inputs.files;
  for (const explore::SymbolValue &symbol : test.symbols)
    out.symbols.emplace_back(symbol.name, std::string(symbol.data.begin(), symbol.data.end()));
  out.end = bug.empty() ? toApiEnd(test.end) : End::Bug;
  out.status = test.status;
  out.standardOutput = test.standardOutput;
  out.standardError = test.standardError;
  out.bug = bug;
  out.instructions = test.instructions;
  return out;
}

std::vector<LedgerEntry> toApiLedger(const explore::Ledger &ledger) {
  std::vector<LedgerEntry> out;
  for (const auto &[key, count] : report::heaviest(ledger))
    out.push_back({evidence::name(key.category), key.location, key.detail, count});
  return out;
}

std::vector<BugKind> bugKinds() {
  const auto scanned = evidence::scanKinds();
  std::vector<BugKind> out;
  for (const evidence::BugKindRow &row : evidence::bugKindRows())
    out.push_back({row.name, row.cwe, row.isOfEngine,
                   std::find(scanned.begin(), scanned.end(), row.kind) != scanned.end()});
  return out;
}

} // namespace fathom::api
