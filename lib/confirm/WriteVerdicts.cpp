// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/WriteVerdicts.h"

#include "report/Files.h"
#include "report/Version.h"

#include <fmt/format.h>

namespace fathom::confirm {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using report::utf8;

static std::string placeText(const std::string &file, uint32_t line, uint32_t column) {
  std::string out = file.empty() ? "(no file)" : file;
  if (line) out += fmt::format(":{}", line);
  if (line && column) out += fmt::format(":{}", column);
  return out;
}

std::string verdictText(const Defect &defect, const Finding &finding,
                        report::SourceLines &sources) {
  std::string out = fmt::format("{}: {}: {}: {}\n    {}\n",
                                placeText(defect.sink.file, defect.sink.line, defect.sink.column),
                                name(finding.verdict), defect.rule, defect.message, finding.reason);
  if (finding.verdict != Verdict::Confirmed) return out;
  out += fmt::format("    {}\n", finding.message);
  const auto show = [&](const explore::StackFrame &frame, const char *how) {
    if (!frame.line) return;
    out += fmt::format("      {} {} at {}\n", how, frame.function,
                       placeText(frame.file, frame.line, frame.column));
    if (const std::string &text = sources.line(frame.file, frame.line); !text.empty())
      out += fmt::format("        {:>5} | {}\n", frame.line, text);
  };
  for (const explore::StackFrame &frame : finding.stack)
    if (frame.own) show(frame, "in");
  for (const explore::StackFrame &frame : finding.related)
    if (frame.own) show(frame, "  ");
  return out;
}

static Object location(const explore::StackFrame &frame, const std::string &message) {
  Object region{{"startLine", frame.line}};
  if (frame.column) region["startColumn"] = frame.column;
  return Object{
      {"physicalLocation", Object{{"artifactLocation", Object{{"uri", utf8(frame.file)}}},
                                  {"region", std::move(region)}}},
      {"logicalLocations", Array{Object{{"name", utf8(frame.function)}, {"kind", "function"}}}},
      {"message", Object{{"text", utf8(message)}}}};
}

/// The path's end: calls from the outermost one inwards.
static Object codeFlow(const Finding &finding) {
  Array locations;
  for (size_t i = finding.stack.size(); i-- > 0;) {
    const explore::StackFrame &frame = finding.stack[i];
    if (!frame.own || !frame.line) continue;
    locations.push_back(Object{{"location", location(frame, i ? "calls" : finding.message)}});
  }
  return Object{{"threadFlows", Array{Object{{"locations", std::move(locations)}}}}};
}

static Object baseResult(const Defect &defect) {
  Object region;
  if (defect.sink.line) region["startLine"] = defect.sink.line;
  if (defect.sink.column) region["startColumn"] = defect.sink.column;
  Object physical{{"artifactLocation", Object{{"uri", utf8(defect.sink.file)}}}};
  if (defect.sink.line) physical["region"] = std::move(region);
  return Object{{"ruleId", utf8(defect.rule)},
                {"message", Object{{"text", utf8(defect.message)}}},
                {"locations", Array{Object{{"physicalLocation", std::move(physical)}}}}};
}

static void addVerdict(Object &result, const Finding &finding) {
  Object *properties = result.getObject("properties");
  if (!properties) {
    result["properties"] = Object{};
    properties = result.getObject("properties");
  }
  (*properties)["verdict"] = name(finding.verdict);
  (*properties)["reason"] = utf8(finding.reason);
  if (finding.verdict == Verdict::Refuted)
    result["suppressions"] =
        Array{Object{{"kind", "external"}, {"justification", utf8(finding.reason)}}};
  if (finding.verdict != Verdict::Confirmed) return;
  if (Array *flows = result.getArray("codeFlows"))
    flows->push_back(codeFlow(finding));
  else
    result["codeFlows"] = Array{codeFlow(finding)};
}

Value verdictSarif(const Reports &reports, const std::vector<const Finding *> &findings) {
  if (reports.isSarif) {
    Value document = reports.document;
    Array &runs = *document.getAsObject()->getArray("runs");
    for (size_t i = 0; i < findings.size(); ++i) {
      const Reports::Origin &at = reports.origins[i];
      Array &results = *runs[at.run].getAsObject()->getArray("results");
      if (findings[i]) addVerdict(*results[at.result].getAsObject(), *findings[i]);
    }
    return document;
  }
  Array results;
  for (size_t i = 0; i < findings.size(); ++i) {
    Object result = baseResult(reports.defects[i]);
    if (findings[i]) addVerdict(result, *findings[i]);
    results.push_back(std::move(result));
  }
  const std::string tool = reports.defects.empty() ? "fathom" : reports.defects[0].tool;
  return Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                {"version", "2.1.0"},
                {"runs", Array{Object{{"tool", Object{{"driver", Object{{"name", tool}}}}},
                                      {"results", std::move(results)}}}}};
}

} // namespace fathom::confirm
