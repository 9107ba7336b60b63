// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of scan as SARIF 2.1.0, and the earlier documents that --baseline compares them with. A
// result is the same in two documents if its fingerprint is.
#include "evidence/BugKind.h"
#include "report/Files.h"
#include "report/JsonText.h"
#include "report/Sarif.h"
#include "report/SarifDocument.h"
#include "report/ScanReport.h"

#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace fathom::report {

using evidence::BugKind;
using llvm::json::OStream;
using statics::Report;
using statics::ReportStep;

static constexpr const char *kFingerprint = "fathomDefect/v1";

static std::string trimmed(const std::string &text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::vector<std::string> scanFingerprints(const std::vector<Report> &reports,
                                          SourceLines &sources) {
  std::unordered_map<uint64_t, uint64_t> last; // by hash: that of the last report with it
  std::vector<std::string> out;
  for (const Report &report : reports) {
    uint64_t h = 0xcbf29ce484222325ull; // FNV-1a; its state is what is remembered
    auto mix = [&](const std::string &text) {
      for (unsigned char c : text) h = (h ^ c) * 0x100000001b3ull;
      h = (h ^ 0xff) * 0x100000001b3ull;
    };
    mix(evidence::name(report.kind));
    for (const ReportStep *step : {&report.source(), &report.sink()}) {
      mix(step->function);
      mix(trimmed(sources.line(step->file, step->line)));
    }
    for (const ReportStep &step : report.steps) mix(step.text);
    const auto [known, isNew] = last.try_emplace(h, h);
    if (!isNew) {
      h = known->second;
      mix("next");
      known->second = h;
    }
    out.push_back(hex64(h));
  }
  return out;
}

/// Adds the result; "" or what is wrong with it.
static std::string addToBaseline(Baseline &baseline, llvm::StringRef text) {
  const llvm::json::Value value = parseJson(text);
  const llvm::json::Object *result = value.getAsObject();
  if (!result || result->getString("baselineState") == "absent") return "";
  const llvm::json::Object *prints = result->getObject("partialFingerprints");
  const auto print = prints ? prints->getString(kFingerprint) : std::nullopt;
  if (!print) return fmt::format("a result without the fingerprint {}", kFingerprint);
  const auto rule = result->getString("ruleId");
  const llvm::json::Object *message = result->getObject("message");
  const auto said = message ? message->getString("text") : std::nullopt;
  baseline.results[print->str()] = {rule ? rule->str() : "", said ? said->str() : "", text};
  return "";
}

llvm::Expected<Baseline> readBaseline(const std::string &path) {
  const auto fail = [&](const std::string &why) {
    return llvm::createStringError(fmt::format("{}: {}", path, why));
  };
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) return fail(buffer.getError().message());
  llvm::StringRef text = (*buffer)->getBuffer();
  text.consume_front("\xEF\xBB\xBF"); // some editors write it
  size_t end = 0;
  if (!skipJson(text, end).empty() || !text.substr(end).trim().empty())
    return fail("not JSON; expected SARIF that `fathom scan --sarif` wrote");
  llvm::StringRef runs;
  forEachMember(text.take_front(end), [&](llvm::StringRef key, llvm::StringRef value) {
    if (key == "runs") runs = value;
  });
  if (!runs.starts_with("["))
    return fail("no runs; expected SARIF that `fathom scan --sarif` wrote");
  Baseline out;
  std::string wrong;
  forEachElement(runs, [&](llvm::StringRef run) {
    forEachMember(run, [&](llvm::StringRef key, llvm::StringRef results) {
      if (key != "results") return;
      forEachElement(results, [&](llvm::StringRef result) {
        if (wrong.empty()) wrong = addToBaseline(out, result);
      });
    });
  });
  if (!wrong.empty()) return fail(wrong);
  out.file = std::move(*buffer);
  return out;
}

namespace {

class Writer {
public:
  Writer(OStream &json, SourceLines &sources) : json_(json), sources_(sources) {}

  void document(const std::vector<Report> &reports, const ScanSarif &options) {
    const std::vector<Identity> identities = identitiesOf(reports, sources_);
    if (options.baseline) findGone(identities, options);
    chooseRules(reports, options);
    writeSarif(json_, {.rules =
                           [&] {
                             for (const BugKind kind : rules_)
                               writeSarifRule(json_, kind, evidence::rowOf(kind).scanRule);
                           },
                       .members =
                           [&] {
                             invocation(options);
                             if (!options.scope.empty()) asked(options);
                           },
                       .results =
                           [&] {
                             for (size_t i = 0; i < reports.size(); i++)
                               result(reports[i], identities[i], options,
                                      options.marks.empty() ? DismissalMark() : options.marks[i]);
                             for (const Known *old : notReached_) notReached(*old);
                             for (const Known *old : absent_) absent(*old);
                           }});
  }

private:
  using Known = std::pair<const std::string, Baseline::Result>;

  /// What is not among the reports: it may have been there, had the checkers of its kind ended.
  void findGone(const std::vector<Identity> &identities, const ScanSarif &options) {
    std::set<std::string> here;
    for (const Identity &identity : identities) here.insert(identity.id);
    for (const Known &old : options.baseline->results) {
      if (here.count(old.first)) continue;
      const bool isCut = std::ranges::any_of(
          options.cut, [&](BugKind kind) { return old.second.rule == evidence::name(kind); });
      (isCut ? notReached_ : absent_).push_back(&old);
    }
  }

  void chooseRules(const std::vector<Report> &reports, const ScanSarif &options) {
    std::set<BugKind> used;
    for (const Report &report : reports) used.insert(report.kind);
    for (const BugKind kind : options.cut)
      if (std::ranges::any_of(notReached_, [&](const Known *old) {
            return old->second.rule == evidence::name(kind);
          }))
        used.insert(kind);
    for (const BugKind kind : evidence::scanKinds())
      if (used.contains(kind)) rules_.push_back(kind);
  }

  void invocation(const ScanSarif &options) {
    json_.attributeArray("invocations", [&] {
      json_.object([&] {
        json_.attribute("executionSuccessful", options.isComplete);
        if (options.notes.empty()) return;
        json_.attributeArray("toolExecutionNotifications", [&] {
          for (const std::string &note : options.notes)
            json_.object([&] {
              json_.attribute("level", "note");
              json_.attributeObject("message", [&] { json_.attribute("text", utf8(note)); });
            });
        });
      });
    });
  }

  void asked(const ScanSarif &options) {
    json_.attributeObject("properties", [&] {
      json_.attributeArray("program", [&] {
        for (const std::string &program : options.programs) json_.value(utf8(program));
      });
      json_.attribute("scope", utf8(options.scope));
    });
  }

  /// The members of a location object.
  void location(const ReportStep &step, const std::string &message) {
    if (!step.file.empty())
      json_.attributeObject("physicalLocation", [&] {
        json_.attributeObject("artifactLocation",
                              [&] { json_.attribute("uri", fileUri(step.file)); });
        if (step.line)
          json_.attributeObject("region", [&] {
            json_.attribute("startLine", step.line);
            if (step.column) json_.attribute("startColumn", step.column);
          });
      });
    json_.attributeArray("logicalLocations", [&] {
      json_.object([&] {
        json_.attribute("name", utf8(step.function));
        json_.attribute("kind", "function");
      });
    });
    if (!message.empty())
      json_.attributeObject("message", [&] { json_.attribute("text", utf8(message)); });
  }

  /// What SARIF itself has for a role.
  void kinds(evidence::StepRole role) {
    const auto &kinds = evidence::rowOf(role).sarifKinds;
    if (!*kinds[0]) return;
    json_.attributeArray("kinds", [&] {
      for (const char *kind : kinds)
        if (*kind) json_.value(kind);
    });
  }

  void codeFlow(const Report &report) {
    json_.attributeArray("codeFlows", [&] {
      json_.object([&] {
        json_.attributeArray("threadFlows", [&] {
          json_.object([&] {
            json_.attributeArray("locations", [&] {
              for (size_t i = 0; i < report.steps.size(); i++) {
                const ReportStep &step = report.steps[i];
                const bool isEnd = i == 0 || i + 1 == report.steps.size();
                json_.object([&] {
                  json_.attributeObject("location", [&] { location(step, step.text); });
                  json_.attribute("executionOrder", static_cast<int64_t>(i + 1));
                  json_.attribute("importance", isEnd ? "essential" : "important");
                  kinds(step.role);
                  json_.attributeObject("properties", [&] {
                    json_.attribute("role", evidence::name(step.role));
                    if (step.statement != statics::kNone)
                      json_.attribute("statement", static_cast<int64_t>(step.statement));
                  });
                });
              }
            });
          });
        });
      });
    });
  }

  void result(const Report &report, const Identity &identity, const ScanSarif &options,
              const DismissalMark &mark) {
    const std::string &print = identity.id;
    const auto rule = std::find(rules_.begin(), rules_.end(), report.kind) - rules_.begin();
    json_.object([&] {
      json_.attribute("ruleId", evidence::name(report.kind));
      json_.attribute("ruleIndex", static_cast<int64_t>(rule));
      json_.attribute("level", "warning");
      json_.attributeObject("message", [&] { json_.attribute("text", utf8(report.message)); });
      json_.attributeArray("locations",
                           [&] { json_.object([&] { location(report.sink(), ""); }); });
      json_.attributeArray("relatedLocations", [&] {
        json_.object([&] {
          json_.attribute("id", 1);
          location(report.source(), report.source().text);
        });
        int64_t id = 1;
        const auto related = [&](const statics::ReportPlaces &places, const char *what) {
          for (const ReportStep &place : places.listed)
            json_.object([&] {
              json_.attribute("id", ++id);
              location(place, fmt::format("{}: {}", what, place.text));
            });
        };
        related(report.alsoFrom, "the same from here");
        related(report.alsoAt, "follows here");
      });
      codeFlow(report);
      writeSuppressions(json_, mark);
      json_.attributeObject("partialFingerprints", [&] { json_.attribute(kFingerprint, print); });
      if (options.baseline)
        json_.attribute("baselineState",
                        options.baseline->results.count(print) ? "unchanged" : "new");
      json_.attributeObject("properties", [&] {
        writeIdentity(json_, identity);
        json_.attribute("cwe", evidence::cwe(report.kind));
        json_.attribute("certainty", statics::name(report.certainty));
        json_.attribute("doubts", report.doubts);
        if (report.alsoAt.count())
          json_.attribute("alsoAt", static_cast<int64_t>(report.alsoAt.count()));
        if (report.alsoFrom.count())
          json_.attribute("alsoFrom", static_cast<int64_t>(report.alsoFrom.count()));
      });
    });
  }

  /// As it was, so that this document can be the next baseline.
  void notReached(const Known &old) {
    llvm::json::Value value = parseJson(old.second.text);
    llvm::json::Object &result = *value.getAsObject(); // addToBaseline has seen that it is one
    const auto rule = std::ranges::find_if(
        rules_, [&](BugKind kind) { return old.second.rule == evidence::name(kind); });
    result["ruleIndex"] = static_cast<int64_t>(rule - rules_.begin());
    result["baselineState"] = "unchanged";
    if (!result.getObject("properties")) result["properties"] = llvm::json::Object();
    (*result.getObject("properties"))["notReached"] = true;
    json_.value(value);
  }

  void absent(const Known &old) {
    json_.object([&] {
      json_.attribute("ruleId", utf8(old.second.rule));
      json_.attribute("level", "none");
      json_.attributeObject("message", [&] { json_.attribute("text", utf8(old.second.message)); });
      json_.attributeObject("partialFingerprints",
                            [&] { json_.attribute(kFingerprint, old.first); });
      json_.attribute("baselineState", "absent");
    });
  }

  OStream &json_;
  SourceLines &sources_;
  std::vector<BugKind> rules_;
  std::vector<const Known *> notReached_, absent_;
};

} // namespace

void writeScanSarif(llvm::raw_ostream &out, const std::vector<Report> &reports,
                    SourceLines &sources, const ScanSarif &options) {
  OStream json(out, /*IndentSize=*/2);
  Writer(json, sources).document(reports, options);
  out << '\n';
}

} // namespace fathom::report
