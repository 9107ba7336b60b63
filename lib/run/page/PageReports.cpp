// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/PageReports.h"

#include "evidence/BugKind.h"
#include "report/Files.h"
#include "report/JsonText.h"
#include "run/Failure.h"

#include <fmt/format.h>

namespace fathom::run::page {

namespace {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

std::string stringIn(const Object *from, StringRef name) {
  return from ? from->getString(name).value_or("").str() : "";
}

std::string messageOf(const Object *from) {
  return from ? stringIn(from->getObject("message"), "text") : "";
}

class SarifReader {
public:
  explicit SarifReader(PageData &data) : data_(data) {}

  void readRun(StringRef run) {
    tool_.clear(), cweOfRule_.clear(), bases_.clear();
    StringRef results;
    report::forEachMember(run, [&](StringRef key, StringRef value) {
      if (key == "tool") readTool(report::parseJson(value));
      if (key == "originalUriBaseIds") readBases(report::parseJson(value));
      if (key == "results" && value.starts_with("[")) results = value;
    });
    if (results.empty()) return;
    report::forEachElement(results, [&](StringRef result) {
      const llvm::json::Value value = report::parseJson(result);
      if (const Object *object = value.getAsObject()) readResult(*object);
    });
  }

  bool hasVerdicts = false;

private:
  void readTool(const llvm::json::Value &tool) {
    const Object *object = tool.getAsObject();
    const Object *driver = object ? object->getObject("driver") : nullptr;
    tool_ = stringIn(driver, "name");
    const Array *rules = driver ? driver->getArray("rules") : nullptr;
    if (!rules) return;
    for (const llvm::json::Value &value : *rules) {
      const Object *rule = value.getAsObject();
      const Object *properties = rule ? rule->getObject("properties") : nullptr;
      const Array *tags = properties ? properties->getArray("tags") : nullptr;
      if (!tags) continue;
      for (const llvm::json::Value &tag : *tags) {
        StringRef text = tag.getAsString().value_or("");
        unsigned cwe = 0;
        if (text.consume_front("external/cwe/cwe-") && !text.getAsInteger(10, cwe))
          cweOfRule_[stringIn(rule, "id")] = cwe;
      }
    }
  }

  void readBases(const llvm::json::Value &bases) {
    const Object *object = bases.getAsObject();
    if (!object) return;
    for (const auto &[name, base] : *object)
      bases_[StringRef(name).str()] = stringIn(base.getAsObject(), "uri");
  }

  /// Of an artifactLocation: without file:// and escapes.
  std::string pathOf(const Object *artifact) const {
    std::string uri = stringIn(artifact, "uri");
    const auto base = bases_.find(stringIn(artifact, "uriBaseId"));
    if (base != bases_.end() && !uri.starts_with("/") && uri.find("://") == std::string::npos)
      uri = base->second + uri;
    StringRef text = uri;
    text.consume_front("file://");
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      unsigned byte = 0;
      if (text[i] == '%' && !text.substr(i + 1, 2).getAsInteger(16, byte) && i + 2 < text.size()) {
        out += static_cast<char>(byte);
        i += 2;
      } else {
        out += text[i];
      }
    }
    return out;
  }

  Place placeOf(const Object *location) const {
    Place out;
    if (!location) return out;
    if (const Object *physical = location->getObject("physicalLocation")) {
      out.file = pathOf(physical->getObject("artifactLocation"));
      if (const Object *region = physical->getObject("region")) {
        out.line = static_cast<uint32_t>(region->getInteger("startLine").value_or(0));
        out.column = static_cast<uint32_t>(region->getInteger("startColumn").value_or(0));
      }
    }
    if (const Array *logical = location->getArray("logicalLocations"))
      if (!logical->empty()) out.function = stringIn((*logical)[0].getAsObject(), "name");
    return out;
  }

  Flow flowOf(const Object &codeFlow) const {
    Flow out;
    out.title = messageOf(&codeFlow);
    const Array *threads = codeFlow.getArray("threadFlows");
    const Object *thread = threads && !threads->empty() ? (*threads)[0].getAsObject() : nullptr;
    const Array *locations = thread ? thread->getArray("locations") : nullptr;
    if (!locations) return out;
    for (const llvm::json::Value &value : *locations) {
      const Object *at = value.getAsObject();
      const Object *location = at ? at->getObject("location") : nullptr;
      if (!location) continue;
      out.steps.push_back({placeOf(location), messageOf(location),
                           stringIn(at->getObject("properties"), "role"),
                           at->getString("importance") == "unimportant"});
    }
    return out;
  }

  void readResult(const Object &result) {
    if (result.getString("baselineState") == "absent") return;
    Report out;
    out.tool = tool_;
    out.rule = stringIn(&result, "ruleId");
    out.message = messageOf(&result);
    if (const Array *locations = result.getArray("locations"))
      if (!locations->empty()) out.at = placeOf((*locations)[0].getAsObject());
    readProperties(result.getObject("properties"), out);
    if (const Array *flows = result.getArray("codeFlows"))
      for (const llvm::json::Value &flow : *flows)
        if (const Object *object = flow.getAsObject()) out.flows.push_back(flowOf(*object));
    if (!out.cwe) out.cwe = cweOf(out.rule);
    data_.reports.push_back(std::move(out));
  }

  void readProperties(const Object *properties, Report &out) {
    out.verdict = stringIn(properties, "verdict");
    if (out.verdict.empty())
      out.verdict = "unchecked";
    else
      hasVerdicts = true;
    if (!properties) return;
    out.reason = stringIn(properties, "reason");
    out.openBecause = stringIn(properties, "openBecause");
    // An open report between which and a refutation only bounds stand.
    if (out.verdict == "open" &&
        (properties->getBoolean("bounded").value_or(false) || out.openBecause == "bounded"))
      out.verdict = "bounded";
    out.settledBy = stringIn(properties, "settledBy");
    out.reproducer = stringIn(properties, "reproducer");
    out.assumed = stringIn(properties, "assumed");
    out.from = stringIn(properties, "feasibleFrom");
    out.certainty = stringIn(properties, "certainty");
    out.cwe = static_cast<unsigned>(properties->getInteger("cwe").value_or(0));
  }

  unsigned cweOf(const std::string &rule) const {
    if (const auto known = cweOfRule_.find(rule); known != cweOfRule_.end()) return known->second;
    for (const evidence::BugKindRow &row : evidence::bugKindRows())
      if (rule == row.name) return row.cwe;
    return 0;
  }

  PageData &data_;
  std::string tool_;
  std::map<std::string, unsigned> cweOfRule_;
  std::map<std::string, std::string> bases_;
};

} // namespace

/// "" or what is wrong.
static std::string readSarif(StringRef text, SarifReader &reader) {
  text.consume_front("\xEF\xBB\xBF"); // some editors write it
  size_t end = 0;
  if (!report::skipJson(text, end).empty() || !text.substr(end).trim().empty())
    return "not JSON, or cut off; expected SARIF 2.1.0";
  StringRef runs;
  text = text.take_front(end).trim();
  if (!text.starts_with("{")) return "no runs; expected SARIF 2.1.0";
  report::forEachMember(text, [&](StringRef key, StringRef value) {
    if (key == "runs") runs = value;
  });
  if (!runs.starts_with("[")) return "no runs; expected SARIF 2.1.0";
  report::forEachElement(runs, [&](StringRef run) {
    if (run.starts_with("{")) reader.readRun(run);
  });
  return "";
}

llvm::Error collectReports(PageData &data) {
  for (Part &part : data.parts) {
    if (part.by != By::Confirm) continue;
    llvm::Expected<std::string> text = report::readFile(part.folder);
    if (!text) return asUsage(text.takeError());
    SarifReader reader(data);
    if (const std::string wrong = readSarif(*text, reader); !wrong.empty()) {
      if (!part.isOptional) return usageError(part.folder + ": " + wrong);
      data.missing.push_back(part.folder + ": " + wrong);
    }
    if (!reader.hasVerdicts) part.by = By::Scan;
  }
  return llvm::Error::success();
}

void linkReports(PageData &data) {
  std::map<std::string, size_t> bugs;
  for (size_t i = 0; i < data.bugs.size(); ++i)
    bugs.try_emplace(
        fmt::format("{}:{}:{}", data.bugs[i].kind, data.bugs[i].at.file, data.bugs[i].at.line), i);
  for (Report &report : data.reports)
    if (const auto bug =
            bugs.find(fmt::format("{}:{}:{}", report.rule, report.at.file, report.at.line));
        bug != bugs.end())
      report.bug = bug->second;
}

} // namespace fathom::run::page
