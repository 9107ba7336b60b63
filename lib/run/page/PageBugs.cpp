// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/PageBugs.h"

#include "evidence/BugKind.h"
#include "report/BugFile.h"
#include "report/ReplayScript.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::run::page {

static Place placeOfFrame(const evidence::StackFrame &frame) {
  return {frame.function, frame.file, frame.line, frame.column};
}

static InputPart inputPart(std::string name, const std::string &bytes) {
  return {std::move(name), bytes.substr(0, kMostInput), bytes.size()};
}

static std::vector<InputPart> partsOf(const report::TestInputs &inputs) {
  std::vector<InputPart> out;
  for (size_t i = 1; i < inputs.arguments.size(); ++i)
    out.push_back(inputPart(fmt::format("argument {}", i), inputs.arguments[i]));
  if (!inputs.standardInput.empty())
    out.push_back(inputPart("standard input", inputs.standardInput));
  for (const auto &[name, bytes] : inputs.files) out.push_back(inputPart("file " + name, bytes));
  for (const std::string &variable : inputs.environment)
    out.push_back(inputPart("environment", variable));
  for (const uint32_t number : inputs.failedAllocations)
    out.push_back(inputPart("failing allocation", std::to_string(number)));
  return out;
}

/// Where the object comes from, then the calls from the outermost one inwards.
static std::vector<Flow> flowsOf(const report::Finding &finding) {
  Flow calls{"the calls that led there", {}};
  for (size_t i = finding.stack.size(); i-- > 0;) {
    const evidence::StackFrame &frame = finding.stack[i];
    calls.steps.push_back({placeOfFrame(frame),
                           i ? "calls " + finding.stack[i - 1].function : finding.message,
                           i ? "calls" : "defect", !frame.own});
  }
  std::vector<Flow> out;
  if (!calls.steps.empty()) out.push_back(std::move(calls));
  Flow object{"where its object was allocated and freed", {}};
  for (const evidence::StackFrame &frame : finding.related)
    object.steps.push_back({placeOfFrame(frame), frame.function, "", !frame.own});
  if (!object.steps.empty()) out.push_back(std::move(object));
  return out;
}

/// `kind` as a row has it, without Markdown.
static std::string conditionOf(evidence::BugKind kind) {
  const char *text = evidence::rowOf(kind).condition;
  std::string out = text ? text : "";
  std::erase(out, '`');
  return out;
}

static llvm::Expected<Bug> readBug(const std::string &folder) {
  llvm::Expected<report::Finding> finding = report::readFinding(folder);
  if (!finding) return finding.takeError();
  Bug bug;
  bug.kind = evidence::name(finding->kind);
  bug.cwe = evidence::cwe(finding->kind);
  bug.about = conditionOf(finding->kind);
  bug.message = finding->message;
  if (const evidence::StackFrame *at = report::locationOf(finding->stack))
    bug.at = placeOfFrame(*at);
  bug.flows = flowsOf(*finding);
  for (const report::AlsoAt &also : finding->alsoAt) bug.alsoAt.push_back(placeOfFrame(also.at));
  bug.folder = folder;
  return bug;
}

void collectBugs(PageData &data) {
  for (const Part &part : data.parts) {
    if (part.by != By::Explore && part.by != By::Fuzz) continue;
    std::vector<std::string> names;
    std::error_code ignored;
    for (std::filesystem::directory_iterator i(part.folder + "/bugs", ignored), end; i != end;
         i.increment(ignored))
      if (const std::string name = i->path().filename().string(); name[0] != '.')
        names.push_back(name); // a dot: it is being written
    std::ranges::sort(names);
    for (const std::string &name : names) {
      const std::string folder = part.folder + "/bugs/" + name;
      llvm::Expected<Bug> bug = readBug(folder);
      if (!bug) {
        data.missing.push_back(llvm::toString(bug.takeError()));
        continue;
      }
      bug->by = part.by;
      if (std::filesystem::exists(folder + "/replay.sh", ignored))
        bug->replay = "sh " + folder + "/replay.sh";
      llvm::Expected<report::StoredTest> test = report::readTest(folder, /*isBug=*/true);
      if (test)
        bug->input = partsOf(test->inputs);
      else
        data.missing.push_back(llvm::toString(test.takeError()));
      data.bugs.push_back(std::move(*bug));
    }
  }
  foldBugs(data.bugs);
}

/// Empty: nothing is known of an object.
static std::string objectKey(const Bug &bug) {
  std::string key;
  for (const Flow &flow : bug.flows) {
    if (flow.title.find("object") == std::string::npos) continue;
    for (const Step &step : flow.steps)
      if (step.text.starts_with("allocated"))
        key += fmt::format("{}:{}:{};", step.at.file, step.at.line, step.at.column);
  }
  return key.empty() ? "" : bug.at.file + ":" + bug.at.function + ":" + key;
}

void foldBugs(std::vector<Bug> &bugs) {
  std::map<std::string, size_t> places, objects;
  for (size_t i = 0; i < bugs.size(); ++i) {
    Bug &bug = bugs[i];
    bug.follows.reset();
    if (!bug.at.line) continue;
    const std::string place =
        fmt::format("{}:{}:{}:{}", bug.kind, bug.at.file, bug.at.line, bug.at.column);
    const auto [samePlace, isNewPlace] = places.try_emplace(place, i);
    const std::string object = objectKey(bug);
    const auto fold = [&](size_t under, const char *why) {
      bug.follows = bugs[under].follows.value_or(under);
      bug.why = why;
    };
    if (!isNewPlace) fold(samePlace->second, "the same kind at the same place, by other calls");
    if (object.empty()) continue;
    const auto [sameObject, isNewObject] = objects.try_emplace(object, i);
    if (!isNewObject && !bug.follows)
      fold(sameObject->second, "in the same function, on an object that the same calls allocated");
  }
}

} // namespace fathom::run::page
