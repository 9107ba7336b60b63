// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/BugKind.h"
#include "report/ScanReport.h"

#include "report/ShownPath.h"
#include "support/NumberText.h"

#include <fmt/format.h>

namespace fathom::report {

void takeSidesOfSource(statics::Report &report, SourceLines &sources) {
  using evidence::StepRole;
  for (statics::ReportStep &step : report.steps) {
    const bool isTrue = step.role == StepRole::TrueSide;
    if (!evidence::isSide(step.role) || step.column == 0 || step.text != statics::sideText(isTrue))
      continue;
    const std::string &line = sources.line(step.file, step.line);
    const size_t at = step.column - 1;
    if (at + 1 >= line.size() || line[at] != '!' || line[at + 1] == '=') continue;
    step.role = isTrue ? StepRole::FalseSide : StepRole::TrueSide;
    step.text = statics::sideText(!isTrue);
  }
}

/// The line, and a caret below the column; tabs stay tabs, so that it is below on every terminal.
static std::string excerpt(const statics::ReportStep &step, SourceLines &sources) {
  const std::string &line = sources.line(step.file, step.line);
  if (line.empty()) return "";
  std::string out = fmt::format("{:>7} | {}\n", step.line, line);
  if (step.column == 0 || step.column > line.size()) return out;
  std::string indent;
  for (size_t i = 0; i + 1 < step.column; i++) indent += line[i] == '\t' ? '\t' : ' ';
  return out + fmt::format("        | {}^\n", indent);
}

/// "list.c:7, list.c:9 in push, and 3 more": with functions where they differ from the sink's.
static std::string placesText(const statics::ReportPlaces &places,
                              const statics::ReportStep &sink) {
  std::string out;
  for (const statics::ReportStep &place : places.listed) {
    if (!out.empty()) out += ", ";
    if (place.line) out += fmt::format("{}:{}:{}", shownPath(place.file), place.line, place.column);
    if (place.function != sink.function || !place.line)
      out += fmt::format("{}in {}", place.line ? " " : "", place.function);
  }
  if (places.more) out += fmt::format(", and {} more", places.more);
  return out;
}

std::string scanText(const statics::Report &report, SourceLines &sources) {
  const statics::ReportStep &sink = report.sink();
  const std::string place =
      sink.line == 0 ? "in " + sink.function
                     : fmt::format("{}:{}:{}", shownPath(sink.file), sink.line, sink.column);
  std::string out = fmt::format("{}: {}: {}\n", place, evidence::name(report.kind), report.message);
  std::string file = sink.file;
  size_t number = 1;
  for (const statics::ReportStep &step : report.steps) {
    out += fmt::format("  {}. {}, in {}", number++, step.text, step.function);
    if (step.file != file && step.line) out += fmt::format(" ({})", shownPath(step.file));
    file = step.file;
    out += "\n" + excerpt(step, sources);
  }
  if (!report.callers.empty()) {
    out += "  by way of";
    const char *separator = " ";
    for (const statics::ReportStep &call : report.callers) {
      out += fmt::format("{}{}", separator, call.function);
      if (call.line) out += fmt::format(" ({}:{})", shownPath(call.file), call.line);
      separator = ", ";
    }
    out += "\n";
  }
  if (report.alsoFrom.count())
    out += fmt::format("  the same from {}\n", placesText(report.alsoFrom, report.source()));
  if (report.alsoAt.count())
    out += fmt::format("  follows at {}\n", placesText(report.alsoAt, sink));
  return out;
}

std::string scanCounts(const std::vector<statics::Report> &reports) {
  size_t counts[evidence::kBugKinds] = {};
  for (const statics::Report &r : reports) counts[size_t(r.kind)]++;
  size_t more = 0;
  for (const statics::Report &r : reports) more += r.alsoAt.count();
  std::string out = counted(reports.size(), "report");
  const char *separator = ": ";
  for (const evidence::BugKind kind : evidence::scanKinds()) {
    const size_t count = counts[size_t(kind)];
    if (!count) continue;
    out += fmt::format("{}{} {}", separator, grouped(double(count)), evidence::name(kind));
    separator = ", ";
  }
  if (more)
    out += fmt::format("; with {} that {}", counted(more, "further place"),
                       more == 1 ? "follows" : "follow");
  return out;
}

} // namespace fathom::report
