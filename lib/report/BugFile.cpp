// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/BugFile.h"

#include "evidence/BugKind.h"
#include "report/Files.h"
#include "report/ReplayScript.h"

#include <fmt/format.h>

namespace fathom::report {

using evidence::StackFrame;

using explore::Bug;
using llvm::json::OStream;

static void writeFrame(OStream &json, const StackFrame &frame, const char *kind = "") {
  json.object([&] {
    if (*kind) json.attribute("kind", kind);
    json.attribute("function", utf8(frame.function));
    json.attribute("file", utf8(frame.file));
    json.attribute("line", frame.line);
    json.attribute("column", frame.column);
    json.attribute("own", frame.own);
    if (frame.isThinWrapper) json.attribute("wrapper", true);
  });
}

std::string bugText(const Finding &bug) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("kind", evidence::name(bug.kind));
      json.attribute("cwe", evidence::cwe(bug.kind));
      json.attribute("message", utf8(bug.message));
      writeIdentity(json, bug.identity);
      if (!bug.sources.empty())
        json.attributeArray("sources", [&] {
          for (const uint64_t source : bug.sources) json.value(hex64(source));
        });
      const StackFrame *at = locationOf(bug.stack);
      json.attribute("function", at ? utf8(at->function) : "");
      json.attribute("file", at ? utf8(at->file) : "");
      json.attribute("line", at ? at->line : 0);
      json.attribute("column", at ? at->column : 0);
      for (auto &[name, frames] : {std::pair{"stack", &bug.stack}, {"related", &bug.related}})
        json.attributeArray(name, [&, frames = frames] {
          for (const StackFrame &frame : *frames) writeFrame(json, frame);
        });
      if (!bug.alsoAt.empty())
        json.attributeArray("also_at", [&] {
          for (const AlsoAt &also : bug.alsoAt)
            writeFrame(json, also.at, evidence::name(also.kind));
        });
    });
  });
}

llvm::Error writeBug(const Directory &into, const Bug &bug, const TestInputs &inputs,
                     const Replayable &program, const Identity &identity) {
  if (auto e = writeTest(into, bug.test, inputs)) return e;
  const Finding finding{bug.kind, bug.message, bug.stack, bug.related,
                        "",       bug.sources, {},        identity};
  if (auto e = into.write("bug.json", bugText(finding))) return e;
  const std::string what = fmt::format("{}: {}", evidence::name(bug.kind), bug.message);
  const bool hangs = evidence::doesNotEnd(bug.kind);
  return into.write("replay.sh", replayScript(inputs, program, what, hangs), /*executable=*/true);
}

static StackFrame readFrame(const llvm::json::Object &from) {
  StackFrame frame;
  frame.function = from.getString("function").value_or("").str();
  frame.file = from.getString("file").value_or("").str();
  frame.line = static_cast<uint32_t>(from.getInteger("line").value_or(0));
  frame.column = static_cast<uint32_t>(from.getInteger("column").value_or(0));
  frame.own = from.getBoolean("own").value_or(true);
  frame.isThinWrapper = from.getBoolean("wrapper").value_or(false);
  return frame;
}

static std::vector<StackFrame> readFrames(const llvm::json::Array *list) {
  std::vector<StackFrame> frames;
  if (!list) return frames;
  for (const llvm::json::Value &v : *list)
    if (const llvm::json::Object *o = v.getAsObject()) frames.push_back(readFrame(*o));
  return frames;
}

static std::vector<AlsoAt> readAlsoAt(const llvm::json::Array *list) {
  std::vector<AlsoAt> out;
  if (!list) return out;
  for (const llvm::json::Value &v : *list) {
    const llvm::json::Object *o = v.getAsObject();
    AlsoAt also;
    if (!o || !evidence::bugKindFromName(o->getString("kind").value_or("").str(), also.kind))
      continue;
    also.at = readFrame(*o);
    out.push_back(std::move(also));
  }
  return out;
}

llvm::Expected<Finding> readFinding(const std::string &path) {
  llvm::Expected<llvm::json::Object> bug = readJsonObject(path + "/bug.json");
  if (!bug) return bug.takeError();
  Finding finding;
  if (!evidence::bugKindFromName(bug->getString("kind").value_or("").str(), finding.kind))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}/bug.json: \"kind\" is not the name of a bug kind", path));
  finding.message = bug->getString("message").value_or("").str();
  finding.identity = readIdentity(*bug);
  if (const llvm::json::Array *sources = bug->getArray("sources"))
    for (const llvm::json::Value &v : *sources)
      if (uint64_t source = 0; parseHex64(v.getAsString().value_or(""), source))
        finding.sources.push_back(source);
  finding.alsoAt = readAlsoAt(bug->getArray("also_at"));
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
