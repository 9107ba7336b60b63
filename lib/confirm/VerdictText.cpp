// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/VerdictText.h"

#include "report/ShownPath.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

using evidence::StackFrame;

std::string placeText(const std::string &file, uint32_t line, uint32_t column) {
  std::string out = file.empty() ? "(no file)" : report::shownPath(file);
  if (line) out += fmt::format(":{}", line);
  if (line && column) out += fmt::format(":{}", column);
  return out;
}

/// The line, and a caret below the column; tabs stay tabs, so that it is below on every terminal.
static std::string excerpt(const std::string &file, uint32_t number, uint32_t column,
                           report::SourceLines &sources) {
  const std::string &line = sources.line(file, number);
  if (line.empty()) return "";
  std::string out = fmt::format("{:>11} | {}\n", number, line);
  if (column == 0 || column > line.size()) return out;
  std::string indent;
  for (size_t i = 0; i + 1 < column; i++) indent += line[i] == '\t' ? '\t' : ' ';
  return out + fmt::format("            | {}^\n", indent);
}

static std::string headText(const Defect &defect, const Finding &finding) {
  return fmt::format("{}: {}: {}: {}\n",
                     placeText(defect.sink.file, defect.sink.line, defect.sink.column),
                     name(finding.verdict), defect.rule, defect.message);
}

std::string memberText(const Defect &defect, const Finding &finding, const Defect &leader) {
  return headText(defect, finding) +
         fmt::format("    as {}: {} ({})\n",
                     placeText(leader.sink.file, leader.sink.line, leader.sink.column), leader.rule,
                     leader.tool);
}

/// With how many equal steps both paths begin; few are told again.
static size_t commonSteps(const std::vector<PathStep> &path, const std::vector<PathStep> &before) {
  constexpr size_t kFew = 2;
  const auto ends = std::ranges::mismatch(path, before);
  const auto n = static_cast<size_t>(ends.in1 - path.begin());
  return n > kFew ? n : 0;
}

/// Long paths: their beginning and their end.
static std::string branchesText(const std::vector<PathStep> &path,
                                const std::vector<PathStep> &before, report::SourceLines &sources) {
  constexpr size_t kFirst = 6, kLast = 6;
  std::string out;
  const size_t common = commonSteps(path, before);
  if (common) out += fmt::format("      1 to {}. as in the report above\n", common);
  for (size_t i = common; i < path.size(); ++i) {
    if (path.size() > common + kFirst + kLast && i == common + kFirst) {
      const size_t left = path.size() - common - kFirst - kLast;
      out += fmt::format("      ... {} more branch{} ...\n", left, left == 1 ? "" : "es");
      i = path.size() - kLast;
    }
    const PathStep &step = path[i];
    out += fmt::format("      {}. {}, in {}\n", i + 1, step.text, step.function);
    out += excerpt(step.file, step.line, step.column, sources);
  }
  return out;
}

std::string valuesText(const Finding &finding) {
  std::string out;
  for (auto &[name, text] : finding.values)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, text);
  if (out.empty()) return out;
  if (finding.moreValues) out += fmt::format(" and {}", counted(finding.moreValues, "more value"));
  if (finding.otherValues)
    out += fmt::format("; {} {} not to matter", counted(finding.otherValues, "other value"),
                       finding.otherValues == 1 ? "seems" : "seem");
  return out;
}

std::string verdictText(const Defect &defect, const Finding &finding,
                        const std::vector<PathStep> &before, report::SourceLines &sources) {
  std::string out = headText(defect, finding) + fmt::format("    {}\n", finding.reason);
  if (const std::string by = settledBy(finding); finding.verdict == Verdict::Open && !by.empty())
    out += fmt::format("    would settle it: {}\n", by);
  if (!isShown(finding.verdict) && finding.stack.empty()) return out; // no path
  if (!finding.otherSource.empty())
    out += fmt::format("    from another source: {}\n", finding.otherSource);
  out += fmt::format("    {}\n", finding.message);
  if (const std::string values = valuesText(finding); !values.empty())
    out += fmt::format("    where {}\n", values);
  if (!finding.assumed.empty()) out += fmt::format("    assumed: {}\n", finding.assumed);
  out += branchesText(finding.path, before, sources);
  const auto show = [&](const StackFrame &frame, const char *how) {
    if (!frame.own || !frame.line) return;
    out += fmt::format("      {} {} at {}\n", how, frame.function,
                       placeText(frame.file, frame.line, frame.column));
    out += excerpt(frame.file, frame.line, frame.column, sources);
  };
  for (const StackFrame &frame : finding.stack) show(frame, "in");
  for (const StackFrame &frame : finding.related) show(frame, "  ");
  return out;
}

} // namespace fathom::confirm
