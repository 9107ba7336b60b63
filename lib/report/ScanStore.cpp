// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers end with a blank. A text is its length and its bytes.
#include "report/ScanStore.h"

#include "evidence/BugKind.h"

#include <fmt/format.h>

#include <iterator>

namespace fathom::report {

using statics::Report;
using statics::ReportStep;

static constexpr llvm::StringLiteral kHead = "fathom-reports-3\n";

namespace {

class ReportWriter {
public:
  void number(uint64_t n) { fmt::format_to(std::back_inserter(out), "{} ", n); }
  void text(const std::string &s) {
    number(s.size());
    out += s;
  }
  std::string out{kHead.str()};
};

/// After the first thing that is not as it should be, everything is 0 or empty.
class ReportReader {
public:
  explicit ReportReader(llvm::StringRef text) : rest_(text) { isGood = rest_.consume_front(kHead); }

  uint64_t number() {
    uint64_t n = 0;
    isGood = isGood && !rest_.consumeInteger(10, n) && rest_.consume_front(" ");
    return isGood ? n : 0;
  }
  std::string text() {
    const uint64_t length = number();
    isGood = isGood && length <= rest_.size();
    if (!isGood) return "";
    const llvm::StringRef found = rest_.take_front(length);
    rest_ = rest_.drop_front(length);
    return found.str();
  }
  /// How many things follow, none of them shorter than two bytes.
  uint64_t count() {
    const uint64_t n = number();
    isGood = isGood && n <= rest_.size() / 2;
    return isGood ? n : 0;
  }
  bool isAtEnd() const { return rest_.empty(); }
  bool isGood = false;

private:
  llvm::StringRef rest_;
};

} // namespace

static void store(ReportWriter &to, const std::vector<ReportStep> &steps) {
  to.number(steps.size());
  for (const ReportStep &step : steps) {
    to.number(static_cast<uint64_t>(step.role));
    to.text(step.file);
    to.text(step.function);
    to.number(step.line);
    to.number(step.column);
    to.number(step.statement);
    to.text(step.text);
  }
}

std::string storedScanResult(const ScanResult &result, uint64_t most) {
  ReportWriter to;
  to.number(result.isComplete);
  to.number(static_cast<uint64_t>(result.seconds * 1e6));
  to.number(result.notes.size());
  for (const std::string &note : result.notes) to.text(note);
  to.number(result.reports.size());
  for (const Report &report : result.reports) {
    if (to.out.size() > most) return "";
    to.number(static_cast<uint64_t>(report.kind));
    to.number(static_cast<uint64_t>(report.certainty));
    to.number(report.doubts);
    to.text(report.message);
    store(to, report.steps);
    store(to, report.callers);
    for (const statics::ReportPlaces *places : {&report.alsoAt, &report.alsoFrom}) {
      store(to, places->listed);
      to.number(places->more);
    }
  }
  return to.out.size() > most ? "" : std::move(to.out);
}

static ReportStep readStep(ReportReader &from) {
  ReportStep step;
  const uint64_t role = from.number();
  from.isGood = from.isGood && role < evidence::kStepRoles;
  if (from.isGood) step.role = static_cast<evidence::StepRole>(role);
  step.file = from.text();
  step.function = from.text();
  step.line = static_cast<uint32_t>(from.number());
  step.column = static_cast<uint32_t>(from.number());
  step.statement = static_cast<statics::StatementId>(from.number());
  step.text = from.text();
  return step;
}

static void read(ReportReader &from, std::vector<ReportStep> &steps) {
  for (uint64_t n = from.count(); n && from.isGood; n--) steps.push_back(readStep(from));
}

std::optional<ScanResult> readScanResult(llvm::StringRef text) {
  ReportReader from(text);
  ScanResult result;
  result.isComplete = from.number();
  result.seconds = static_cast<double>(from.number()) / 1e6;
  for (uint64_t n = from.count(); n && from.isGood; n--) result.notes.push_back(from.text());
  for (uint64_t n = from.count(); n && from.isGood; n--) {
    Report report;
    const uint64_t kind = from.number();
    from.isGood = from.isGood && kind < evidence::kBugKinds;
    report.kind = static_cast<evidence::BugKind>(kind);
    const uint64_t certainty = from.number();
    from.isGood = from.isGood && certainty < statics::kCertainties;
    report.certainty = static_cast<statics::Certainty>(certainty);
    report.doubts = static_cast<uint32_t>(from.number());
    report.message = from.text();
    read(from, report.steps);
    read(from, report.callers);
    for (statics::ReportPlaces *places : {&report.alsoAt, &report.alsoFrom}) {
      read(from, places->listed);
      places->more = static_cast<uint32_t>(from.number());
    }
    from.isGood = from.isGood && !report.steps.empty(); // source and sink are steps
    result.reports.push_back(std::move(report));
  }
  if (!from.isGood || !from.isAtEnd()) return std::nullopt;
  return result;
}

} // namespace fathom::report
