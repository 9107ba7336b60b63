// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/SarifFile.h"

#include "report/JsonText.h"

#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

namespace fathom::confirm {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using report::forEachElement;
using report::forEachMember;
using report::parseJson;
using report::skipJson;

/// The number in external/cwe/cwe-416, CWE-416 or 416; 0: none.
static unsigned cweNumber(StringRef tag) {
  const size_t at = tag.rfind_insensitive("cwe-");
  if (at != StringRef::npos) tag = tag.substr(at + 4);
  unsigned number = 0;
  return tag.getAsInteger(10, number) ? 0 : number;
}

/// Of a rule's or result's properties.
static unsigned cweOfTags(const Object *properties) {
  if (!properties) return 0;
  if (const auto number = properties->getInteger("cwe")) return static_cast<unsigned>(*number);
  if (const auto text = properties->getString("cwe")) return cweNumber(*text);
  const Array *tags = properties->getArray("tags");
  for (size_t i = 0; tags && i < tags->size(); ++i)
    if (const auto tag = (*tags)[i].getAsString(); tag && tag->contains_insensitive("cwe-"))
      if (const unsigned number = cweNumber(*tag)) return number;
  return 0;
}

OpenedReports openSarif(std::unique_ptr<llvm::MemoryBuffer> buffer, const PathMap &map) {
  auto file = std::make_unique<SarifFile>(std::move(buffer), map);
  if (const std::string wrong = SarifFile::read(*file); !wrong.empty())
    return llvm::createStringError(wrong);
  return file;
}

std::string SarifFile::read(SarifFile &file) {
  const StringRef whole = file.text();
  size_t begin = whole.starts_with("\xEF\xBB\xBF") ? 3 : 0, at = begin;
  if (const std::string wrong = skipJson(whole, at); !wrong.empty())
    return fmt::format("not JSON: {} at line {}", wrong, whole.take_front(at).count('\n') + 1);
  const StringRef document = whole.slice(begin, at);
  if (!whole.substr(at).trim().empty())
    return fmt::format("not JSON: something follows at line {}",
                       whole.take_front(at).count('\n') + 1);
  StringRef runs, version;
  forEachMember(document, [&](StringRef key, StringRef value) {
    if (key == "runs") runs = value;
    if (key == "version") version = value.trim('"');
  });
  if (!runs.starts_with("[")) return "no runs; expected SARIF 2.1.0";
  if (version != "2.1.0")
    return fmt::format("SARIF of version {}; expected 2.1.0",
                       version.empty() ? "unknown" : version.str());
  forEachElement(runs, [&](StringRef run) { file.readRun(run); });
  return "";
}

void SarifFile::readRun(StringRef text) {
  Run run;
  StringRef results, tool, bases, artifacts;
  forEachMember(text, [&](StringRef key, StringRef value) {
    if (key == "results") results = value;
    if (key == "tool") tool = value;
    if (key == "originalUriBaseIds") bases = value;
    if (key == "artifacts") artifacts = value;
  });
  const Value toolValue = parseJson(tool);
  const Object *driver =
      toolValue.getAsObject() ? toolValue.getAsObject()->getObject("driver") : nullptr;
  run.tool = textOf(driver, "name");
  const Array *rules = driver ? driver->getArray("rules") : nullptr;
  for (size_t i = 0; rules && i < rules->size(); ++i) {
    const Object *rule = (*rules)[i].getAsObject();
    Rule one{textOf(rule, "id"), cweOfTags(rule ? rule->getObject("properties") : nullptr)};
    if (one.cwe) run.cweOfRule[one.id] = one.cwe;
    run.rules.push_back(std::move(one));
  }
  const Value baseValue = parseJson(bases);
  if (const Object *all = baseValue.getAsObject())
    for (auto &[name, location] : *all)
      run.bases[name.str()] = {textOf(location.getAsObject(), "uri"),
                               textOf(location.getAsObject(), "uriBaseId")};
  forEachElement(artifacts, [&](StringRef artifact) {
    const Value value = parseJson(artifact);
    run.artifacts.push_back(
        pathOf(run, value.getAsObject() ? value.getAsObject()->getObject("location") : nullptr));
  });
  RunExtent extent{text, results_.size(), 0};
  const char *begin = this->text().data();
  forEachElement(results, [&](StringRef result) {
    if (!result.starts_with("{") || result.size() > UINT32_MAX) return;
    results_.push_back({static_cast<uint64_t>(result.data() - begin),
                        static_cast<uint32_t>(result.size()), static_cast<uint32_t>(runs_.size())});
  });
  extent.endResult = results_.size();
  extents_.push_back(extent);
  runs_.push_back(std::move(run));
}

std::string SarifFile::pathOf(const Run &run, const Object *location) const {
  if (!location) return "";
  std::string uri = textOf(location, "uri"), base = textOf(location, "uriBaseId");
  if (uri.empty()) {
    const auto index = location->getInteger("index");
    return index && *index >= 0 && static_cast<uint64_t>(*index) < run.artifacts.size()
               ? run.artifacts[static_cast<size_t>(*index)]
               : "";
  }
  // A base may lie below another one. One that is not defined is left out: what it is is up to the
  // reader, and a relative path names every file that ends in it.
  for (unsigned i = 0; i < 8 && !base.empty(); ++i) {
    const auto known = run.bases.find(base);
    if (known == run.bases.end()) break;
    if (!known->second.uri.empty())
      uri = known->second.uri + (StringRef(known->second.uri).ends_with("/") ? "" : "/") + uri;
    base = known->second.base;
  }
  return pathOfUri(uri);
}

Place SarifFile::placeOf(const Run &run, const Object *location) const {
  Place place;
  if (!location) return place;
  const Object *physical = location->getObject("physicalLocation");
  const Object *region = physical ? physical->getObject("region") : nullptr;
  place.file = pathOf(run, physical ? physical->getObject("artifactLocation") : nullptr);
  place.line = numberOf(region, "startLine");
  place.column = numberOf(region, "startColumn");
  place.message = textOf(location->getObject("message"), "text");
  return place;
}

/// What fathom scan says of a place in a flow.
static std::optional<evidence::StepRole> ownRoleOf(const Object &step) {
  return evidence::stepRoleFromName(textOf(step.getObject("properties"), "role"));
}

/// What any analyser may say of it.
static evidence::StepRole sarifRoleOf(const Object &step) {
  std::vector<std::string_view> kinds;
  if (const Array *all = step.getArray("kinds"))
    for (const Value &kind : *all)
      if (const auto text = kind.getAsString()) kinds.emplace_back(*text);
  return evidence::stepRoleOfSarif(kinds);
}

static const Object *first(const Object *object, StringRef key) {
  const Array *array = object ? object->getArray(key) : nullptr;
  return array && !array->empty() ? (*array)[0].getAsObject() : nullptr;
}

/// What says that it is no defect, or none any more.
static std::string setAsideBy(const Object &result) {
  const std::string kind = textOf(&result, "kind");
  if (kind == "pass" || kind == "notApplicable" || kind == "informational")
    return fmt::format("the analyser reports no defect (kind: {})", kind);
  if (textOf(&result, "baselineState") == "absent")
    return "the analyser no longer reports it (baselineState: absent)";
  return "";
}

Defect SarifFile::defect(size_t i) const {
  const Value value = parseJson(result(i));
  const Object none;
  const Object &result = value.getAsObject() ? *value.getAsObject() : none;
  const Run &run = runs_[results_[i].run];
  Defect defect;
  defect.tool = run.tool;
  defect.rule = textOf(&result, "ruleId");
  const Object *reference = result.getObject("rule");
  if (defect.rule.empty()) defect.rule = textOf(reference, "id");
  auto index = result.getInteger("ruleIndex");
  if (!index && reference) index = reference->getInteger("index");
  const Rule *rule = index && *index >= 0 && static_cast<uint64_t>(*index) < run.rules.size()
                         ? &run.rules[static_cast<size_t>(*index)]
                         : nullptr;
  if (defect.rule.empty() && rule) defect.rule = rule->id;
  const Object *message = result.getObject("message");
  defect.message = textOf(message, "text");
  if (defect.message.empty()) defect.message = textOf(message, "id");
  defect.sink = placeOf(run, first(&result, "locations"));
  const Object *thread = first(first(&result, "codeFlows"), "threadFlows");
  if (const Array *steps = thread ? thread->getArray("locations") : nullptr)
    for (const Value &step : *steps)
      if (const Object *object = step.getAsObject()) {
        defect.steps.push_back(placeOf(run, object->getObject("location")));
        const auto own = ownRoleOf(*object);
        defect.hasRoles |= own.has_value();
        defect.steps.back().role = own ? *own : sarifRoleOf(*object);
      }
  const Object *properties = result.getObject("properties");
  defect.doubts = numberOf(properties, "doubts");
  defect.setAside = setAsideBy(result);
  const std::string state = textOf(&result, "baselineState");
  defect.isKnown = !state.empty() && state != "new";
  unsigned cwe = cweOfTags(properties);
  const Array *taxa = result.getArray("taxa");
  for (size_t t = 0; !cwe && taxa && t < taxa->size(); ++t)
    cwe = cweNumber(textOf((*taxa)[t].getAsObject(), "id"));
  if (!cwe && rule) cwe = rule->cwe;
  if (const auto known = run.cweOfRule.find(defect.rule); !cwe && known != run.cweOfRule.end())
    cwe = known->second;
  complete(defect, cwe);
  return defect;
}

void SarifFile::copy(StringRef part, size_t first, size_t end,
                     llvm::function_ref<std::optional<llvm::json::Value>(size_t)> changed,
                     llvm::raw_ostream &out) const {
  const char *at = part.data();
  for (size_t i = first; i < end; ++i) {
    const std::optional<llvm::json::Value> value = changed(i);
    if (!value) continue;
    const StringRef old = result(i);
    out.write(at, static_cast<size_t>(old.data() - at));
    out << llvm::formatv("{0:2}", *value).str();
    at = old.data() + old.size();
  }
  out.write(at, static_cast<size_t>(part.end() - at));
}

std::optional<Verdict> verdictIn(const llvm::json::Object &result) {
  const llvm::json::Object *properties = result.getObject("properties");
  const auto known = properties ? properties->getString("verdict") : std::nullopt;
  for (const Verdict verdict : kVerdicts)
    if (known && *known == name(verdict)) return verdict;
  return std::nullopt;
}

} // namespace fathom::confirm
