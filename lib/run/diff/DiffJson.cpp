// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changed, as one document of ours and as SARIF 2.1.0.
#include "report/Files.h"
#include "report/JsonText.h"
#include "report/SarifDocument.h"
#include "report/Version.h"
#include "run/diff/Diff.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace fathom::run {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::OStream;
using llvm::json::Value;
using report::utf8;

static void writeSide(OStream &json, llvm::StringRef key, const ResultSet &set) {
  json.attributeObject(key, [&] {
    json.attribute("path", utf8(set.path));
    json.attributeArray("analyses", [&] {
      for (const Analysis &analysis : set.analyses)
        json.object([&] {
          json.attribute("path", utf8(analysis.path));
          json.attribute("tool", utf8(analysis.tool));
          json.attribute("version", utf8(analysis.version));
          json.attribute("compared_with", utf8(analysis.klass));
          json.attribute("how_ended", utf8(analysis.howEnded));
          json.attribute("complete", analysis.isComplete);
          json.attribute("results", static_cast<int64_t>(analysis.results));
        });
    });
  });
}

static void writeResult(OStream &json, llvm::StringRef key, const ResultSet &set, size_t i) {
  const KnownResult &result = set.results[i];
  json.attributeObject(key, [&] {
    json.attribute("id", result.identity.id);
    json.attribute("tool", utf8(set.analyses[result.analysis].tool));
    json.attribute("rule", utf8(result.rule));
    json.attribute("message", utf8(result.message));
    json.attribute("file", utf8(result.file));
    json.attribute("line", result.line);
    json.attribute("column", result.column);
    json.attribute("function", utf8(result.function));
    if (!result.verdict.empty()) {
      json.attribute("verdict", utf8(result.verdict));
      json.attribute("reason", utf8(result.reason));
    }
    if (!result.input.empty()) json.attribute("input", utf8(result.input));
  });
}

std::string diffJson(const Difference &d) {
  return report::jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("schema", report::kSchemaVersion);
      writeSide(json, "old", d.before);
      writeSide(json, "new", d.after);
      json.attributeObject("counts", [&] {
        for (const Change change : kChanges)
          json.attribute(name(change), static_cast<int64_t>(d.count(change)));
        json.attribute("dismissed", static_cast<int64_t>(d.countDismissed()));
        json.attribute("refuted-and-gone", static_cast<int64_t>(d.refutedGone));
      });
      json.attribute("has_news", d.hasNews());
      json.attributeArray("notes", [&] {
        for (const std::string &note : d.notes) json.value(utf8(note));
      });
      json.attributeArray("results", [&] {
        for (const Changed &changed : d.changes)
          json.object([&] {
            json.attribute("state", name(changed.change));
            json.attribute("id", d.result(changed).identity.id);
            if (changed.by) json.attribute("matched_by", name(*changed.by));
            json.attribute("replayed", changed.isReplayed);
            json.attribute("reason", utf8(changed.reason));
            json.attribute("verdict_changed", d.isVerdictChanged(changed));
            json.attribute("news", d.isNews(changed));
            if (d.isDismissed(changed))
              json.attribute("dismissed", utf8(d.result(changed).mark.because));
            if (changed.before) writeResult(json, "old", d.before, *changed.before);
            if (changed.after) writeResult(json, "new", d.after, *changed.after);
          });
      });
    });
  });
}

static Object sarifPlace(const std::string &file, uint32_t line, uint32_t column,
                         const std::string &function) {
  Object out;
  if (!file.empty()) {
    Object place{{"artifactLocation", Object{{"uri", report::fileUri(file)}}}};
    if (line) {
      Object region{{"startLine", line}};
      if (column) region["startColumn"] = column;
      place["region"] = std::move(region);
    }
    out["physicalLocation"] = std::move(place);
  }
  if (!function.empty())
    out["logicalLocations"] = Array{Object{{"name", utf8(function)}, {"kind", "function"}}};
  return out;
}

/// Its calls, outermost first.
static Object stackFlow(const KnownResult &result) {
  Array steps;
  for (size_t i = result.stack.size(); i-- > 0;) {
    const evidence::StackFrame &frame = result.stack[i];
    Object place = sarifPlace(frame.file, frame.line, frame.column, frame.function);
    place["message"] =
        Object{{"text", utf8(i ? "calls " + result.stack[i - 1].function : result.message)}};
    steps.push_back(Object{{"location", std::move(place)}});
  }
  return Object{{"threadFlows", Array{Object{{"locations", std::move(steps)}}}}};
}

/// A result as its document has it, or made of what is known.
static Object sarifOf(const KnownResult &result) {
  if (!result.sarif.empty()) {
    Value value = report::parseJson(result.sarif);
    if (Object *object = value.getAsObject()) {
      object->erase("ruleIndex"); // of another list of rules
      object->erase("rule");
      (*object)["ruleId"] = utf8(result.rule);
      return std::move(*object);
    }
  }
  Object out{{"ruleId", utf8(result.rule)},
             {"level", "error"},
             {"message", Object{{"text", utf8(result.message)}}}};
  if (!result.file.empty())
    out["locations"] = Array{sarifPlace(result.file, result.line, result.column, result.function)};
  if (!result.stack.empty()) out["codeFlows"] = Array{stackFlow(result)};
  out["partialFingerprints"] = Object{{"fathomStack/v3", result.identity.id}};
  return out;
}

static const char *baselineState(const Changed &changed) {
  switch (changed.change) {
  case Change::New: return "new";
  case Change::Fixed:
  case Change::NotFound: return "absent";
  case Change::Unchanged: return "unchanged";
  }
  return "";
}

static Object sarifOf(const Difference &d, const Changed &changed) {
  const KnownResult &result = d.result(changed);
  Object out = sarifOf(result);
  out["baselineState"] = baselineState(changed);
  if (!out.getObject("properties")) out["properties"] = Object{};
  Object &properties = *out.getObject("properties");
  properties["id"] = result.identity.id;
  properties["change"] = name(changed.change);
  if (!changed.reason.empty()) properties["changeReason"] = utf8(changed.reason);
  if (!result.input.empty()) properties["reproducer"] = utf8(result.input);
  if (d.isDismissed(changed) && !out.get("suppressions"))
    out["suppressions"] = Array{
        Object{{"kind", "external"}, {"justification", utf8("dismissed: " + result.mark.because)}}};
  if (d.isVerdictChanged(changed))
    properties["verdictBefore"] = utf8(d.before.results[*changed.before].verdict);
  return out;
}

void writeDiffSarif(const Difference &d, llvm::raw_ostream &out) {
  OStream json(out, /*IndentSize=*/2);
  report::writeSarif(json, {.rules = nullptr, .members = nullptr, .results = [&] {
                              for (const Changed &changed : d.changes)
                                json.value(Value(sarifOf(d, changed)));
                            }});
  out << '\n';
}

} // namespace fathom::run
