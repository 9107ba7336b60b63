// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/diff/ResultSet.h"

#include "confirm/ReportIdentity.h"
#include "confirm/SarifFile.h"
#include "evidence/BugKind.h"
#include "explore/Explore.h"
#include "report/BugFile.h"
#include "report/JsonText.h"
#include "report/RunFile.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "support/NumberText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::run {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static const char *const kWanted =
    "expected a results folder of fathom explore, fuzz, confirm or run, or a file of reports "
    "(SARIF, or another form that fathom confirm reads)";

static std::string textIn(const Object *object, llvm::StringRef key) {
  return object ? object->getString(key).value_or("").str() : "";
}

static bool isThere(const std::string &path) { return llvm::sys::fs::exists(path); }

namespace {

class Reader {
public:
  Reader(ResultSet &out, bool unfinished, report::SourceCode *code)
      : out_(out), unfinished_(unfinished), code_(code) {}

  llvm::Error read(const std::string &path) {
    if (!isThere(path))
      return usageError(fmt::format("{}: no such file or folder; {}", path, kWanted));
    if (llvm::Error e = llvm::sys::fs::is_directory(path) ? readFolder(path) : readFile(path))
      return e;
    nameApart();
    return llvm::Error::success();
  }

private:
  llvm::Error readFolder(const std::string &path) {
    const std::string file = path + "/run.json";
    if (!isThere(file))
      return usageError(fmt::format("{}: a folder without run.json; {}", path, kWanted));
    auto run = asUsage(report::readJsonObject(file));
    if (!run) return run.takeError();
    const Object *tool = run->getObject("tool");
    if (!run->getInteger("schema") || textIn(tool, "name") != "fathom")
      return usageError(fmt::format(
          "{}: not the run.json of Fathom (no \"schema\" and \"tool\"); {}", file, kWanted));
    if (llvm::Error e = asUsage(report::checkSchema(*run, file))) return e;
    const std::string subcommand = textIn(&*run, "subcommand");
    if (subcommand == "run") return readWholeRun(path, *run);
    if (llvm::Error e = checkEnd(path, subcommand, *run)) return e;
    return readBugs(path, subcommand, std::move(*run));
  }

  llvm::Error checkEnd(const std::string &path, const std::string &subcommand, const Object &run) {
    if (unfinished_ || subcommand == "confirm" || run.getString("ended"))
      return llvm::Error::success();
    return usageError(fmt::format(
        "{}: the run has not ended, or was killed: finish it (fathom {} --resume), or compare what "
        "there is with --unfinished",
        path, subcommand));
  }

  /// The parts of fathom run: those that are there. Verdicts stand for the reports that they judge.
  llvm::Error readWholeRun(const std::string &path, const Object &run) {
    if (llvm::Error e = checkEnd(path, "run", run)) return e;
    const size_t before = out_.analyses.size();
    for (const char *part : {"explore", "fuzz"})
      if (isThere(fmt::format("{}/{}/run.json", path, part)))
        if (llvm::Error e = readFolder(fmt::format("{}/{}", path, part))) return e;
    for (const char *part : {"confirmed.sarif", "scan.sarif"})
      if (isThere(fmt::format("{}/{}", path, part))) {
        if (llvm::Error e = readFile(fmt::format("{}/{}", path, part))) return e;
        break;
      }
    if (out_.analyses.size() == before)
      return usageError(fmt::format("{}: a folder of fathom run without results: none of explore/, "
                                    "fuzz/, scan.sarif and confirmed.sarif is there",
                                    path));
    std::vector<std::string> programs = strings(run, "program");
    for (size_t i = before; i < out_.analyses.size(); ++i)
      if (out_.analyses[i].programs.empty()) out_.analyses[i].programs = programs;
    return llvm::Error::success();
  }

  static std::vector<std::string> strings(const Object &object, llvm::StringRef key) {
    std::vector<std::string> out;
    if (const Array *list = object.getArray(key))
      for (const Value &v : *list)
        if (auto text = v.getAsString()) out.push_back(text->str());
    return out;
  }

  llvm::Error readBugs(const std::string &path, const std::string &subcommand, Object run) {
    Analysis analysis;
    analysis.path = path;
    analysis.tool = "fathom " + subcommand;
    analysis.klass = "bugs";
    analysis.version = textIn(run.getObject("tool"), "version");
    analysis.howEnded = textIn(&run, "how_ended");
    analysis.programs = strings(run, "program");
    analysis.isComplete = isExhaustive(path, analysis.howEnded);
    analysis.run = std::move(run);
    if (isThere(path + "/bugs")) {
      auto bugs = asUsage(report::Directory::openOrCreate(path + "/bugs"));
      if (!bugs) return bugs.takeError();
      report::SourceLines none;
      report::SourceCode code(none);
      for (const std::string &name : bugs->entries()) {
        if (name.starts_with(".")) continue; // was being written when the run was killed
        auto finding = asUsage(report::readFinding(bugs->path() + "/" + name));
        if (!finding) return finding.takeError();
        add(*finding, path + "/bugs/" + name, code);
        analysis.results++;
      }
    }
    out_.analyses.push_back(std::move(analysis));
    return llvm::Error::success();
  }

  /// No path was left, and nothing was left out.
  static bool isExhaustive(const std::string &path, const std::string &howEnded) {
    if (howEnded != explore::text(explore::StopReason::Exhausted)) return false;
    auto ledger = report::readJsonObject(path + "/ledger.json");
    if (ledger) return ledger->getBoolean("complete").value_or(false);
    llvm::consumeError(ledger.takeError());
    return false;
  }

  /// A folder of an earlier version has no identities: without the sources of then, they are kind
  /// and functions.
  void add(const report::Finding &finding, const std::string &input, report::SourceCode &code) {
    KnownResult result;
    result.identity = finding.identity;
    if (result.identity.id.empty()) {
      report::Finding bare = finding;
      for (auto *frames : {&bare.stack, &bare.related})
        for (evidence::StackFrame &frame : *frames) frame.file.clear();
      result.identity = report::identityOf(bare, code);
    }
    result.prints["fathomStack/v2"] = report::fingerprint(finding);
    result.rule = evidence::name(finding.kind);
    result.message = finding.message;
    if (const evidence::StackFrame *at = report::locationOf(finding.stack)) {
      result.file = at->file;
      result.function = at->function;
      result.line = at->line;
      result.column = at->column;
    }
    result.kind = finding.kind;
    result.stack = finding.stack;
    result.input = input;
    result.analysis = out_.analyses.size();
    out_.results.push_back(std::move(result));
  }

  llvm::Error readFile(const std::string &path) {
    if (llvm::Error e = requireRegularFile("", path)) return e;
    auto file = asUsage(confirm::openReports(path, {}));
    if (!file) return file.takeError();
    const size_t first = out_.analyses.size();
    std::map<std::string, size_t> ofClass; // of this file
    const confirm::SarifFile *sarif = (*file)->sarif();
    if (sarif)
      for (const confirm::SarifFile::RunExtent &run : sarif->runs())
        addRun(path, run.text, ofClass);
    confirm::ReportIdentities identities(code_);
    for (size_t i = 0; i < (*file)->size(); ++i) {
      const std::string text = sarif ? sarif->result(i).str() : "";
      const Value value = sarif ? report::parseJson(text) : Value(nullptr);
      const confirm::Defect defect = (*file)->defect(i);
      if (!defect.setAside.empty()) continue; // what a baseline had, or no defect
      addReport(path, defect, value.getAsObject(), text, identities, ofClass);
    }
    if (first == out_.analyses.size()) addAnalysis(path, "", ofClass);
    return llvm::Error::success();
  }

  Analysis &addAnalysis(const std::string &path, const std::string &tool,
                        std::map<std::string, size_t> &ofClass) {
    const std::string name = tool.empty() ? "an analyser" : tool == "fathom" ? "fathom scan" : tool;
    const std::string klass = "reports of " + name;
    const auto [known, isNew] = ofClass.try_emplace(klass, out_.analyses.size());
    if (isNew) {
      out_.analyses.emplace_back();
      out_.analyses.back().path = path;
      out_.analyses.back().tool = tool.empty() ? "" : name;
      out_.analyses.back().klass = klass;
    }
    return out_.analyses[known->second];
  }

  /// What a SARIF run says of itself.
  void addRun(const std::string &path, llvm::StringRef text,
              std::map<std::string, size_t> &ofClass) {
    Value tool = nullptr, invocations = nullptr, properties = nullptr;
    bool hasStacks = false, hasResults = false;
    report::forEachMember(text, [&](llvm::StringRef key, llvm::StringRef value) {
      if (key == "tool") tool = report::parseJson(value);
      if (key == "invocations") invocations = report::parseJson(value);
      if (key == "properties") properties = report::parseJson(value);
      if (key != "results") return;
      hasResults = true;
      hasStacks = value.contains("\"fathomStack/");
    });
    const Object *driver = tool.getAsObject() ? tool.getAsObject()->getObject("driver") : nullptr;
    Analysis &analysis = addAnalysis(path, textIn(driver, "name"), ofClass);
    if (hasStacks) analysis.klass = "bugs", analysis.tool = "fathom";
    analysis.version = textIn(driver, "semanticVersion");
    if (analysis.version.empty()) analysis.version = textIn(driver, "version");
    if (!hasResults) analysis.isComplete = false; // SARIF: the analysis did not look
    if (const Array *all = invocations.getAsArray())
      for (const Value &one : *all)
        if (const Object *invocation = one.getAsObject())
          analysis.isComplete &= invocation->getBoolean("executionSuccessful").value_or(true);
    if (const Object *own = properties.getAsObject()) {
      analysis.scope = textIn(own, "scope");
      analysis.programs = strings(*own, "program");
    }
  }

  void addReport(const std::string &path, const confirm::Defect &defect, const Object *json,
                 const std::string &text, confirm::ReportIdentities &identities,
                 std::map<std::string, size_t> &ofClass) {
    KnownResult result;
    result.identity = identities.of(defect, json);
    result.rule = defect.rule;
    result.message = defect.message;
    result.file = defect.sink.file;
    result.line = defect.sink.line;
    result.column = defect.sink.column;
    result.sarif = text;
    if (json) {
      result.function = confirm::functionOf(*json);
      for (const char *key : {"partialFingerprints", "fingerprints"})
        if (const Object *prints = json->getObject(key))
          for (auto &[name, value] : *prints)
            if (auto print = value.getAsString()) result.prints[name.str()] = print->str();
      const Object *properties = json->getObject("properties");
      result.verdict = textIn(properties, "verdict");
      result.reason = textIn(properties, "reason");
      result.input = textIn(properties, "reproducer");
      if (!result.input.empty() && !isThere(result.input + "/args.json"))
        result.input = (llvm::sys::path::parent_path(path) + "/" + result.input).str();
      if (!result.input.empty() && !isThere(result.input + "/args.json")) result.input.clear();
    }
    Analysis &analysis = addAnalysis(path, defect.tool, ofClass);
    analysis.results++;
    if (!result.verdict.empty())
      analysis.tool = analysis.klass == "reports of fathom scan"
                          ? "fathom confirm"
                          : "fathom confirm, of " + defect.tool;
    evidence::BugKind kind{};
    if (evidence::bugKindFromName(defect.rule, kind)) result.kind = kind;
    result.analysis = static_cast<size_t>(&analysis - out_.analyses.data());
    out_.results.push_back(std::move(result));
  }

  /// What exploring and fuzzing both found is one; of others with one id, the later ones get an
  /// ordinal.
  void nameApart() {
    std::map<std::string, size_t> first;
    std::map<std::string, unsigned> counts;
    std::vector<KnownResult> kept;
    for (KnownResult &result : out_.results) {
      const std::string id = result.identity.id;
      const auto [known, isNew] = first.try_emplace(id, kept.size());
      if (!isNew) {
        const KnownResult &other = kept[known->second];
        const bool isBug = out_.analyses[result.analysis].klass == "bugs";
        if (isBug && other.analysis != result.analysis) continue;
        for (unsigned n = counts[id]++;; ++n) {
          result.identity.id = report::TextHash().mix(id).mix(std::to_string(n)).text();
          if (!first.contains(result.identity.id)) break;
        }
        first[result.identity.id] = kept.size();
      }
      kept.push_back(std::move(result));
    }
    out_.results = std::move(kept);
  }

  ResultSet &out_;
  const bool unfinished_;
  report::SourceCode *code_;
};

} // namespace

llvm::Expected<ResultSet> readResults(const std::string &path, bool unfinished,
                                      report::SourceCode *code) {
  ResultSet out;
  out.path = path;
  if (llvm::Error e = Reader(out, unfinished, code).read(path)) return std::move(e);
  return out;
}

} // namespace fathom::run
