// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/VerdictSarif.h"

#include "confirm/SarifFile.h"
#include "confirm/VerdictText.h"
#include "report/Files.h"
#include "report/JsonText.h"
#include "report/SarifDocument.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace fathom::confirm {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using report::parseJson;
using report::utf8;

namespace {

Object physicalLocation(const std::string &file, uint32_t line, uint32_t column) {
  Object out{{"artifactLocation", Object{{"uri", report::fileUri(file)}}}};
  if (!line) return out;
  Object region{{"startLine", line}};
  if (column) region["startColumn"] = column;
  out["region"] = std::move(region);
  return out;
}

Value step(const std::string &function, const std::string &file, uint32_t line, uint32_t column,
           const std::string &message, const char *importance) {
  return Object{{"location", Object{{"physicalLocation", physicalLocation(file, line, column)},
                                    {"logicalLocations",
                                     Array{Object{{"name", utf8(function)}, {"kind", "function"}}}},
                                    {"message", Object{{"text", utf8(message)}}}}},
                {"importance", importance}};
}

/// The path's branches, then its last calls from the outermost one inwards.
Object codeFlow(const Finding &finding) {
  Array locations;
  for (const PathStep &s : finding.path)
    if (s.line)
      locations.push_back(step(s.function, s.file, s.line, s.column, s.text, "unimportant"));
  for (const evidence::StackFrame &frame : finding.related)
    if (frame.own && frame.line)
      locations.push_back(
          step(frame.function, frame.file, frame.line, frame.column, frame.function, "essential"));
  for (size_t i = finding.stack.size(); i-- > 0;) {
    const evidence::StackFrame &frame = finding.stack[i];
    if (!frame.own || !frame.line) continue;
    locations.push_back(step(frame.function, frame.file, frame.line, frame.column,
                             i ? "calls" : finding.message, i ? "important" : "essential"));
  }
  std::string text = "a path that shows it";
  if (const std::string values = valuesText(finding); !values.empty()) text += ", where " + values;
  return Object{{"message", Object{{"text", utf8(text)}}},
                {"threadFlows", Array{Object{{"locations", std::move(locations)}}}}};
}

Object resultOf(const Defect &defect) {
  Object out{{"ruleId", utf8(defect.rule)}, {"message", Object{{"text", utf8(defect.message)}}}};
  if (defect.sink.file.empty()) return out;
  out["locations"] =
      Array{Object{{"physicalLocation",
                    physicalLocation(defect.sink.file, defect.sink.line, defect.sink.column)}}};
  if (defect.steps.empty()) return out;
  Array steps;
  const auto add = [&](const Place &place, const char *importance) {
    Object step{{"location", Object{{"physicalLocation",
                                     physicalLocation(place.file, place.line, place.column)},
                                    {"message", Object{{"text", utf8(place.message)}}}}},
                {"importance", importance}};
    if (place.role != evidence::StepRole::Unknown)
      step["properties"] = Object{{"role", evidence::name(place.role)}};
    steps.push_back(std::move(step));
  };
  for (const Place &place : defect.steps) add(place, "important");
  Place sink = defect.sink;
  sink.message = defect.message;
  add(sink, "essential");
  out["codeFlows"] = Array{Object{{"threadFlows", Array{Object{{"locations", std::move(steps)}}}}}};
  return out;
}

class Writer {
public:
  Writer(const Batch &batch, report::SourceLines &sources, const ReportListing &listing,
         llvm::raw_ostream &out)
      : batch_(batch), sources_(sources), listing_(listing), out_(out) {}

  void write() {
    const auto &files = batch_.files();
    if (files.size() == 1 && files[0]->sarif()) {
      copy(*files[0]->sarif(), files[0]->text(), 0, files[0]->size(), 0);
      if (!files[0]->text().ends_with("\n")) out_ << "\n";
      return;
    }
    out_ << "{\n\"$schema\": \"" << report::kSarifSchema << "\",\n\"version\": \""
         << report::kSarifVersion << "\",\n\"runs\": [";
    bool isFirst = true;
    size_t begin = 0;
    for (const auto &file : files) {
      if (const SarifFile *sarif = file->sarif()) {
        for (const SarifFile::RunExtent &run : sarif->runs()) {
          out_ << (std::exchange(isFirst, false) ? "\n" : ",\n");
          copy(*sarif, run.text, run.firstResult, run.endResult, begin);
        }
      } else {
        out_ << (std::exchange(isFirst, false) ? "\n" : ",\n");
        run(*file, begin);
      }
      begin += file->size();
    }
    out_ << "\n]\n}\n";
  }

private:
  /// Copies a part of the file's document that has its results [first, end), and adds their
  /// verdicts. `begin` is the number in the batch of the file's first report.
  void copy(const SarifFile &file, StringRef text, size_t first, size_t end, size_t begin) {
    file.copy(
        text, first, end,
        [&](size_t i) -> std::optional<Value> {
          if (!batch_.isWanted(begin + i)) return std::nullopt;
          Value value = parseJson(file.result(i));
          if (!value.getAsObject()) return std::nullopt;
          addVerdict(*value.getAsObject(), begin + i);
          return value;
        },
        out_);
  }

  void run(const ReportFile &file, size_t begin) {
    const std::string tool = file.size() ? batch_.defect(begin).tool : "none";
    out_ << "{\n\"tool\": "
         << llvm::formatv("{0}", Value(Object{{"driver", Object{{"name", utf8(tool)}}}})).str()
         << ",\n\"results\": [";
    for (size_t i = 0; i < file.size(); ++i) {
      Object result = resultOf(batch_.defect(begin + i));
      if (batch_.isWanted(begin + i)) addVerdict(result, begin + i);
      out_ << (i ? ",\n" : "\n") << llvm::formatv("{0:2}", Value(std::move(result))).str();
    }
    out_ << "\n]\n}";
  }

  void addVerdict(Object &result, size_t i) {
    const Finding &finding = batch_.finding(i);
    if (!result.getObject("properties")) result["properties"] = Object{};
    Object &properties = *result.getObject("properties");
    const report::Identity &identity = listing_.identities[i];
    for (const auto &[key, value] : {std::pair("id", &identity.id),
                                     {"place_hash", &identity.place},
                                     {"code_hash", &identity.code}})
      if (!value->empty()) properties[key] = *value;
    properties["verdict"] = name(finding.verdict);
    properties["reason"] = utf8(finding.reason);
    if (batch_.leader(i) != i) properties["group"] = static_cast<int64_t>(batch_.leader(i));
    if (finding.verdict == Verdict::Open) {
      properties["openBecause"] = name(finding.cut);
      if (const std::string by = settledBy(finding); !by.empty())
        properties["settledBy"] = utf8(by);
    }
    if (finding.reproduction && !finding.reproduction->folder.empty())
      properties["reproducer"] = utf8(finding.reproduction->folder);
    if (!finding.feasibleFrom.empty()) properties["feasibleFrom"] = utf8(finding.feasibleFrom);
    if (!finding.assumed.empty()) properties["assumed"] = utf8(finding.assumed);
    if (!finding.otherSource.empty()) properties["otherSource"] = utf8(finding.otherSource);
    addFingerprint(result, i);
    const auto suppress = [&](const std::string &why) {
      Value suppression = Object{{"kind", "external"}, {"justification", utf8(why)}};
      if (Array *all = result.getArray("suppressions"))
        all->push_back(std::move(suppression));
      else
        result["suppressions"] = Array{std::move(suppression)};
    };
    if (finding.verdict == Verdict::Refuted) suppress(finding.reason);
    // Scan has written it, or there is none yet.
    if (listing_.isDismissed(i) && !result.get("suppressions"))
      suppress("dismissed: " + listing_.marks[i].because);
    if (!isShown(finding.verdict)) return;
    if (Array *flows = result.getArray("codeFlows"))
      flows->push_back(codeFlow(finding));
    else
      result["codeFlows"] = Array{codeFlow(finding)};
  }

  /// By rule, message, and the text of the source's and the sink's lines.
  void addFingerprint(Object &result, size_t i) {
    if (result.get("partialFingerprints") || result.get("fingerprints")) return;
    const Defect defect = batch_.defect(i);
    std::string key = defect.rule + "\n" + defect.message;
    const auto add = [&](const Place &place) {
      key += "\n" + baseName(place.file) + "\n" +
             StringRef(sources_.line(place.file, place.line)).trim().str();
    };
    add(defect.sink);
    if (!defect.steps.empty()) add(defect.steps[0]);
    uint64_t hash = 0xcbf29ce484222325ull; // FNV-1a: stable across runs and machines
    for (const unsigned char c : key) hash = (hash ^ c) * 0x100000001b3ull;
    hash += seen_[hash]++; // the next one on equal lines
    result["partialFingerprints"] = Object{{"fathomReport/v1", report::hex64(hash)}};
  }

  const Batch &batch_;
  report::SourceLines &sources_;
  const ReportListing &listing_;
  llvm::raw_ostream &out_;
  std::unordered_map<uint64_t, uint64_t> seen_;
};

} // namespace

void writeVerdictSarif(const Batch &batch, report::SourceLines &sources,
                       const ReportListing &listing, llvm::raw_ostream &out) {
  Writer(batch, sources, listing, out).write();
}

} // namespace fathom::confirm
