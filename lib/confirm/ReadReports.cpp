// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/ReadReports.h"

#include "confirm/Rules.h"

#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

namespace fathom::confirm {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

std::string text(const Object *object, StringRef key) {
  if (!object) return "";
  const auto value = object->getString(key);
  return value ? value->str() : "";
}

uint32_t number(const Object *object, StringRef key) {
  if (!object) return 0;
  const auto value = object->getInteger(key);
  return value && *value > 0 && *value < UINT32_MAX ? static_cast<uint32_t>(*value) : 0;
}

/// The path of a URI: file:///a/b%20c -> /a/b c.
std::string pathOf(StringRef uri) {
  uri.consume_front("file://");
  std::string out;
  for (size_t i = 0; i < uri.size(); ++i) {
    unsigned byte = 0;
    if (uri[i] == '%' && i + 2 < uri.size() && !uri.substr(i + 1, 2).getAsInteger(16, byte)) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

Place placeOf(const Object *location) {
  Place place;
  if (!location) return place;
  const Object *physical = location->getObject("physicalLocation");
  const Object *region = physical ? physical->getObject("region") : nullptr;
  place.file = pathOf(text(physical ? physical->getObject("artifactLocation") : nullptr, "uri"));
  place.line = number(region, "startLine");
  place.column = number(region, "startColumn");
  place.message = text(location->getObject("message"), "text");
  return place;
}

bool isSame(const Place &a, const Place &b) {
  return a.file == b.file && a.line == b.line && (a.column == b.column || !a.column || !b.column);
}

/// The steps of the first code flow, without what repeats the sink at its end.
std::vector<Place> stepsOf(const Object &result, const Place &sink) {
  std::vector<Place> steps;
  const Array *flows = result.getArray("codeFlows");
  const Object *flow = flows && !flows->empty() ? (*flows)[0].getAsObject() : nullptr;
  const Array *threads = flow ? flow->getArray("threadFlows") : nullptr;
  const Object *thread = threads && !threads->empty() ? (*threads)[0].getAsObject() : nullptr;
  if (const Array *locations = thread ? thread->getArray("locations") : nullptr)
    for (const Value &value : *locations)
      if (const Object *step = value.getAsObject())
        if (Place place = placeOf(step->getObject("location")); place.line)
          steps.push_back(std::move(place));
  while (!steps.empty() && isSame(steps.back(), sink)) steps.pop_back();
  return steps;
}

void readSarifRun(const Object &run, size_t index, Reports &out) {
  const Object *tool = run.getObject("tool");
  const std::string toolName = text(tool ? tool->getObject("driver") : nullptr, "name");
  const Array *results = run.getArray("results");
  for (size_t i = 0; results && i < results->size(); ++i) {
    const Object *result = (*results)[i].getAsObject();
    if (!result) continue;
    Defect defect;
    defect.tool = toolName;
    defect.rule = text(result, "ruleId");
    defect.message = text(result->getObject("message"), "text");
    const Array *locations = result->getArray("locations");
    if (locations && !locations->empty()) defect.sink = placeOf((*locations)[0].getAsObject());
    defect.steps = stepsOf(*result, defect.sink);
    defect.kinds = kindsOfRule(defect.rule, defect.message);
    out.defects.push_back(std::move(defect));
    out.origins.push_back({index, i});
  }
}

Place gccPlace(const Object *location) {
  Place place;
  const Object *caret = location ? location->getObject("caret") : nullptr;
  place.file = text(caret, "file");
  place.line = number(caret, "line");
  place.column = number(caret, "column");
  return place;
}

/// An element of the array that gcc 9 to 14 write.
void readGcc(const Object &diagnostic, Reports &out) {
  Defect defect;
  defect.tool = "gcc";
  defect.rule = text(&diagnostic, "option");
  defect.message = text(&diagnostic, "message");
  const Array *locations = diagnostic.getArray("locations");
  if (locations && !locations->empty()) defect.sink = gccPlace((*locations)[0].getAsObject());
  if (const Array *path = diagnostic.getArray("path"))
    for (const Value &value : *path)
      if (const Object *event = value.getAsObject())
        if (const Object *at = event->getObject("location")) {
          Place place;
          place.file = text(at, "file");
          place.line = number(at, "line");
          place.column = number(at, "column");
          place.message = text(event, "description");
          if (place.line) defect.steps.push_back(std::move(place));
        }
  while (!defect.steps.empty() && isSame(defect.steps.back(), defect.sink)) defect.steps.pop_back();
  defect.kinds = kindsOfRule(defect.rule, defect.message);
  out.defects.push_back(std::move(defect));
}

void readInfer(const Object &bug, Reports &out) {
  Defect defect;
  defect.tool = "infer";
  defect.rule = text(&bug, "bug_type");
  defect.message = text(&bug, "qualifier");
  defect.sink = {text(&bug, "file"), number(&bug, "line"), number(&bug, "column"), ""};
  if (const Array *trace = bug.getArray("bug_trace"))
    for (const Value &value : *trace)
      if (const Object *step = value.getAsObject())
        defect.steps.push_back({text(step, "filename"), number(step, "line_number"),
                                number(step, "column_number"), text(step, "description")});
  while (!defect.steps.empty() && isSame(defect.steps.back(), defect.sink)) defect.steps.pop_back();
  defect.kinds = kindsOfRule(defect.rule, defect.message);
  out.defects.push_back(std::move(defect));
}

} // namespace

llvm::Expected<Reports> readReports(const std::string &path) {
  const auto refuse = [&](const std::string &why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: {}", path, why));
  };
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return refuse(buffer.getError().message());
  llvm::Expected<Value> parsed = llvm::json::parse((*buffer)->getBuffer());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return refuse("not JSON; expected SARIF 2.1.0, gcc's -fdiagnostics-format=json or Infer's "
                  "report.json");
  }
  Reports out;
  out.document = std::move(*parsed);
  if (const Object *root = out.document.getAsObject()) {
    const Array *runs = root->getArray("runs");
    if (!runs) return refuse("no runs; expected SARIF 2.1.0");
    if (const std::string version = text(root, "version"); version != "2.1.0")
      return refuse(fmt::format("SARIF of version {}; expected 2.1.0",
                                version.empty() ? "unknown" : version));
    out.isSarif = true;
    for (size_t i = 0; i < runs->size(); ++i)
      if (const Object *run = (*runs)[i].getAsObject()) readSarifRun(*run, i, out);
    return out;
  }
  const Array *list = out.document.getAsArray();
  if (!list) return refuse("neither an object nor an array; expected SARIF 2.1.0");
  for (const Value &value : *list) {
    const Object *entry = value.getAsObject();
    if (!entry) return refuse("an array of something else than reports");
    if (entry->getString("bug_type"))
      readInfer(*entry, out);
    else if (entry->getString("message") && entry->getString("option"))
      readGcc(*entry, out);
  }
  return out;
}

} // namespace fathom::confirm
