// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Sarif.h"

#include "evidence/BugKind.h"
#include "report/BugIndex.h"
#include "report/Dismissals.h"
#include "report/Files.h"
#include "report/SarifDocument.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace fathom::report {

using evidence::BugKind;

using evidence::StackFrame;
using llvm::json::OStream;

const StackFrame *locationOf(const std::vector<StackFrame> &stack) {
  const auto found = std::find_if(stack.begin(), stack.end(), [](const StackFrame &f) {
    return f.own && f.line && !f.isThinWrapper;
  });
  return found == stack.end() ? innermostOwn(stack) : &*found;
}

const StackFrame *innermostOwn(const std::vector<StackFrame> &stack) {
  auto own =
      std::find_if(stack.begin(), stack.end(), [](const StackFrame &f) { return f.own && f.line; });
  if (own == stack.end())
    own = std::find_if(stack.begin(), stack.end(), [](const StackFrame &f) { return f.own; });
  if (own != stack.end()) return &*own;
  return stack.empty() ? nullptr : &stack.front();
}

std::string fingerprint(const Finding &finding, unsigned ordinal) {
  TextHash hash;
  hash.mix(evidence::name(finding.kind));
  for (const StackFrame *f : distinctCalls(finding)) hash.mix(f->function);
  for (unsigned n = 0; n < ordinal; ++n) hash.mix("next");
  return hash.text();
}

/// The fingerprints of all findings. Findings that differ only in the lines of their calls are
/// numbered in the order of these lines: a tool that takes equal fingerprints for one finding would
/// lose the others.
static std::vector<std::string> fingerprints(const std::vector<Finding> &findings) {
  std::map<std::string, std::vector<size_t>> same;
  for (size_t i = 0; i < findings.size(); ++i) same[fingerprint(findings[i])].push_back(i);
  std::vector<std::string> out(findings.size());
  for (auto &[print, group] : same) {
    auto linesOf = [&](size_t i) {
      std::vector<std::pair<uint32_t, uint32_t>> lines;
      for (const StackFrame *f : distinctCalls(findings[i])) lines.emplace_back(f->line, f->column);
      return std::pair(lines, i);
    };
    std::sort(group.begin(), group.end(),
              [&](size_t a, size_t b) { return linesOf(a) < linesOf(b); });
    for (unsigned n = 0; n < group.size(); ++n) out[group[n]] = fingerprint(findings[group[n]], n);
  }
  return out;
}

/// The members of a SARIF location object; physicalLocation is left out where the source is not
/// known.
static void locationBody(OStream &json, const StackFrame &frame, const std::string &message) {
  if (!frame.file.empty())
    json.attributeObject("physicalLocation", [&] {
      json.attributeObject("artifactLocation", [&] { json.attribute("uri", fileUri(frame.file)); });
      if (frame.line)
        json.attributeObject("region", [&] {
          json.attribute("startLine", frame.line);
          if (frame.column) json.attribute("startColumn", frame.column);
        });
    });
  if (!frame.function.empty())
    json.attributeArray("logicalLocations", [&] {
      json.object([&] {
        json.attribute("name", utf8(frame.function));
        json.attribute("kind", "function");
      });
    });
  if (!message.empty())
    json.attributeObject("message", [&] { json.attribute("text", utf8(message)); });
}

static void codeFlow(OStream &json, const Finding &finding) {
  json.attributeArray("codeFlows", [&] {
    json.object([&] {
      json.attributeArray("threadFlows", [&] {
        json.object([&] {
          json.attributeArray("locations", [&] {
            for (size_t i = finding.stack.size(); i-- > 0;) {
              const StackFrame &frame = finding.stack[i];
              json.object([&] {
                json.attributeObject("location", [&] {
                  locationBody(json, frame,
                               i ? "calls " + finding.stack[i - 1].function : finding.message);
                });
                json.attribute("nestingLevel", static_cast<int64_t>(finding.stack.size() - 1 - i));
                json.attribute("importance", i ? "important" : "essential");
              });
            }
          });
        });
      });
    });
  });
}

void writeIdentity(OStream &json, const Identity &identity) {
  if (!identity.id.empty()) json.attribute("id", identity.id);
  if (!identity.place.empty()) json.attribute("place_hash", identity.place);
  if (!identity.code.empty()) json.attribute("code_hash", identity.code);
}

Identity readIdentity(const llvm::json::Object &from) {
  const auto text = [&](const char *key) { return from.getString(key).value_or("").str(); };
  return {text("id"), text("place_hash"), text("code_hash")};
}

std::string bugNotes(const Finding &finding, const BugListing &listing) {
  std::string out;
  if (const std::string text = reopenedText(finding.mark); !text.empty())
    out += fmt::format("            {}\n", text);
  if (listing.showsIds && !finding.identity.id.empty())
    out += fmt::format("            id {}\n", shownId(finding.identity.id));
  return out;
}

size_t markDismissed(std::vector<Finding> &findings, const Dismissals &dismissals) {
  for (Finding &finding : findings) {
    const StackFrame *at = locationOf(finding.stack);
    finding.mark = dismissals.judge({finding.identity, evidence::name(finding.kind),
                                     at ? at->function : "", at ? at->file : ""});
  }
  return findings.size() - countOpen(findings);
}

size_t countOpen(const std::vector<Finding> &findings) {
  return static_cast<size_t>(
      std::ranges::count_if(findings, [](const Finding &f) { return !f.mark.isDismissed(); }));
}

static void result(OStream &json, const Finding &finding, const std::string &print,
                   const std::vector<BugKind> &rules) {
  json.object([&] {
    json.attribute("ruleId", evidence::name(finding.kind));
    json.attribute(
        "ruleIndex",
        static_cast<int64_t>(std::find(rules.begin(), rules.end(), finding.kind) - rules.begin()));
    json.attribute("level", "error");
    json.attributeObject("message", [&] { json.attribute("text", utf8(finding.message)); });
    json.attributeArray("locations", [&] {
      if (const StackFrame *at = locationOf(finding.stack))
        json.object([&] { locationBody(json, *at, ""); });
    });
    if (!finding.related.empty() || !finding.alsoAt.empty())
      json.attributeArray("relatedLocations", [&] {
        int64_t id = 0;
        for (const StackFrame &frame : finding.related)
          json.object([&] {
            json.attribute("id", ++id);
            locationBody(json, frame, frame.function);
          });
        for (const AlsoAt &also : finding.alsoAt)
          json.object([&] {
            json.attribute("id", ++id);
            locationBody(json, also.at, std::string("also: ") + evidence::name(also.kind));
          });
      });
    if (!finding.stack.empty()) codeFlow(json, finding);
    writeSuppressions(json, finding.mark);
    const Identity &identity = finding.identity;
    json.attributeObject("partialFingerprints", [&] {
      json.attribute("fathomStack/v2", print);
      if (!identity.id.empty()) json.attribute("fathomStack/v3", identity.id);
    });
    json.attributeObject("properties", [&] {
      writeIdentity(json, identity);
      json.attribute("cwe", evidence::cwe(finding.kind));
      json.attribute("reproducer", finding.dir);
    });
  });
}

std::string sarifText(const std::vector<Finding> &findings) {
  std::set<BugKind> used;
  for (const Finding &f : findings) used.insert(f.kind);
  std::vector<BugKind> rules(used.begin(), used.end());

  return jsonText([&](OStream &json) {
    writeSarif(json, {.rules =
                          [&] {
                            for (BugKind kind : rules)
                              writeSarifRule(json, kind, evidence::name(kind));
                          },
                      .members = nullptr,
                      .results =
                          [&] {
                            const std::vector<std::string> prints = fingerprints(findings);
                            for (size_t i = 0; i < findings.size(); ++i)
                              result(json, findings[i], prints[i], rules);
                          }});
  });
}

} // namespace fathom::report
