// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/BugFile.h"

#include "report/Files.h"
#include "report/ReplayScript.h"

#include <fmt/format.h>

namespace fathom::report {

using explore::Bug;
using llvm::json::OStream;

static void writeFrame(OStream &json, const explore::StackFrame &frame) {
  json.object([&] {
    json.attribute("function", utf8(frame.function));
    json.attribute("file", utf8(frame.file));
    json.attribute("line", frame.line);
    json.attribute("column", frame.column);
    json.attribute("own", frame.own);
    if (frame.isThin) json.attribute("wrapper", true);
  });
}

std::string bugText(const Bug &bug) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("kind", explore::name(bug.kind));
      json.attribute("cwe", explore::cwe(bug.kind));
      json.attribute("message", utf8(bug.message));
      if (bug.source) json.attribute("source", hex64(bug.source));
      const explore::StackFrame *at = locationOf(bug.stack);
      json.attribute("function", at ? utf8(at->function) : "");
      json.attribute("file", at ? utf8(at->file) : "");
      json.attribute("line", at ? at->line : 0);
      json.attribute("column", at ? at->column : 0);
      for (auto &[name, frames] : {std::pair{"stack", &bug.stack}, {"related", &bug.related}})
        json.attributeArray(name, [&, frames = frames] {
          for (const explore::StackFrame &frame : *frames) writeFrame(json, frame);
        });
    });
  });
}

llvm::Error writeBug(const Directory &into, const Bug &bug, const TestInputs &inputs,
                     const Replayable &program) {
  if (auto e = writeTest(into, bug.test, inputs)) return e;
  if (auto e = into.write("bug.json", bugText(bug))) return e;
  const std::string what = fmt::format("{}: {}", explore::name(bug.kind), bug.message);
  const bool hangs = explore::doesNotEnd(bug.kind);
  return into.write("replay.sh", replayScript(inputs, program, what, hangs), /*executable=*/true);
}

static std::vector<explore::StackFrame> readFrames(const llvm::json::Array *list) {
  std::vector<explore::StackFrame> frames;
  if (!list) return frames;
  for (const llvm::json::Value &v : *list) {
    const llvm::json::Object *o = v.getAsObject();
    if (!o) continue;
    explore::StackFrame frame;
    frame.function = o->getString("function").value_or("").str();
    frame.file = o->getString("file").value_or("").str();
    frame.line = static_cast<uint32_t>(o->getInteger("line").value_or(0));
    frame.column = static_cast<uint32_t>(o->getInteger("column").value_or(0));
    frame.own = o->getBoolean("own").value_or(true);
    frame.isThin = o->getBoolean("wrapper").value_or(false);
    frames.push_back(std::move(frame));
  }
  return frames;
}

llvm::Expected<Finding> readFinding(const std::string &path) {
  llvm::Expected<llvm::json::Object> bug = readJsonObject(path + "/bug.json");
  if (!bug) return bug.takeError();
  Finding finding;
  if (!explore::bugKindFromName(bug->getString("kind").value_or("").str(), finding.kind))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}/bug.json: \"kind\" is not the name of a bug kind", path));
  finding.message = bug->getString("message").value_or("").str();
  parseHex64(bug->getString("source").value_or(""), finding.source);
  finding.stack = readFrames(bug->getArray("stack"));
  finding.related = readFrames(bug->getArray("related"));
  return finding;
}

llvm::Expected<std::vector<Finding>> readFindings(const Directory &bugs) {
  llvm::Expected<std::vector<std::string>> names = bugs.wholeEntries();
  if (!names) return names.takeError();
  std::vector<Finding> findings;
  for (const std::string &name : *names) {
    llvm::Expected<Finding> finding = readFinding(bugs.path() + "/" + name);
    if (!finding) return finding.takeError();
    finding->dir = "bugs/" + name;
    findings.push_back(std::move(*finding));
  }
  return findings;
}

} // namespace fathom::report
