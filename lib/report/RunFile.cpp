// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/RunFile.h"

#include "report/Files.h"
#include "report/Version.h"

#include "llvm/Config/llvm-config.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <unistd.h>

namespace fathom::report {

using llvm::json::OStream;

/// One overload per type of an option in explore/Options.def. The flag's dashes are not part of the
/// name.
static void writeOption(OStream &json, llvm::StringRef flag, const std::string &value) {
  json.attribute(flag.ltrim('-'), utf8(value));
}
static void writeOption(OStream &json, llvm::StringRef flag, uint64_t value) {
  json.attribute(flag.ltrim('-'), static_cast<int64_t>(value));
}
static void writeOption(OStream &json, llvm::StringRef flag, std::optional<bool> value) {
  if (value)
    json.attribute(flag.ltrim('-'), *value);
  else
    json.attribute(flag.ltrim('-'), nullptr);
}
static void writeOption(OStream &json, llvm::StringRef flag, double value) {
  json.attribute(flag.ltrim('-'), value);
}
static void writeOption(OStream &json, llvm::StringRef flag, bool value) {
  json.attribute(flag.ltrim('-'), value);
}

template <typename Value>
  requires std::is_enum_v<Value>
static void writeOption(OStream &json, llvm::StringRef flag, Value value) {
  json.attribute(flag.ltrim('-'), llvm::StringRef(explore::namesOf(value).nameOf(value)));
}

static void writeStrings(OStream &json, llvm::StringRef key,
                         const std::vector<std::string> &values) {
  json.attributeArray(key, [&] {
    for (const std::string &v : values) json.value(utf8(v));
  });
}

/// A file is named with its contents.
static std::string named(const std::string &path) {
  const std::string contents = sha256(path);
  return contents.empty() ? path : fmt::format("{} (SHA-256 {})", path, contents);
}

/// What the program reads beside its arguments and its environment.
static void writeInputs(OStream &json, const FolderOptions &options) {
  json.attribute("working_directory", utf8(options.workingDirectory));
  if (!options.options) return;
  const explore::ExploreOptions &run = *options.options;
  json.attribute("sandbox_root", utf8(run.sandboxRoot));
  json.attribute("concrete_stdin", run.stdinFile.empty() ? "" : utf8(named(run.stdinFile)));
  json.attributeArray("libraries", [&] {
    for (const std::string &library : run.libraries) json.value(utf8(named(library)));
  });
}

std::vector<RunLibrary> librariesOf(const llvm::json::Object &run) {
  std::vector<RunLibrary> out;
  const llvm::json::Array *libraries = run.getArray("libraries");
  const std::string directory = run.getString("working_directory").value_or("").str();
  for (size_t i = 0; libraries && i < libraries->size(); ++i) {
    llvm::StringRef text = (*libraries)[i].getAsString().value_or("");
    RunLibrary library;
    // What named() adds.
    if (const size_t at = text.rfind(" (SHA-256 "); at != llvm::StringRef::npos) {
      library.sha256 = text.substr(at + strlen(" (SHA-256 ")).rtrim(')').str();
      text = text.substr(0, at);
    }
    library.path = text.str();
    // A path is from where the exploration was started; a name is searched for by dlopen.
    if (text.contains('/') && !text.starts_with("/") && !directory.empty())
      library.path = directory + "/" + library.path;
    out.push_back(std::move(library));
  }
  return out;
}

static void writeOptions(OStream &json, const explore::ExploreOptions &options) {
  json.attribute("seed", static_cast<int64_t>(options.seed));
  json.attributeObject("budgets", [&] {
    json.attribute("max_time_seconds", static_cast<double>(options.maxTime.count()) / 1000);
    json.attribute("max_memory_bytes", static_cast<int64_t>(options.maxMemoryBytes));
    json.attribute("max_instructions", static_cast<int64_t>(options.maxInstructions));
    json.attribute("solver_timeout_seconds",
                   static_cast<double>(options.solverTimeout.count()) / 1000);
  });
  json.attributeObject("options", [&] {
#define FATHOM_OPTION(type, field, defaultValue, flag, help) writeOption(json, flag, options.field);
#include "explore/Options.def"
#undef FATHOM_OPTION
  });
  writeStrings(json, "arguments", options.arguments);
  writeStrings(json, "environment", options.environment);
}

void writeRunHead(OStream &json, llvm::StringRef subcommand,
                  const std::vector<std::string> &commandLine,
                  const std::vector<std::string> &programs) {
  json.attribute("schema", kSchemaVersion);
  json.attributeObject("tool", [&] {
    json.attribute("name", "fathom");
    json.attribute("version", kVersion);
    json.attribute("llvm", LLVM_VERSION_STRING);
  });
  json.attribute("subcommand", subcommand);
  writeStrings(json, "command", commandLine);
  writeStrings(json, "program", programs);
}

void writeRunTimes(OStream &json, const RunTimes &times, const std::string *howEnded) {
  json.attribute("started", times.started);
  if (!times.resumed.empty()) writeStrings(json, "resumed", times.resumed);
  if (!howEnded) {
    json.attribute("ended", nullptr);
    json.attribute("how_ended", nullptr);
    return;
  }
  json.attribute("ended", utcNow());
  json.attribute("how_ended", utf8(*howEnded));
}

RunTimes resumedTimes(const llvm::json::Object &run) {
  RunTimes times;
  times.started = run.getString("started").value_or("").str();
  if (const llvm::json::Array *resumed = run.getArray("resumed"))
    for (const llvm::json::Value &t : *resumed)
      times.resumed.push_back(t.getAsString().value_or("").str());
  times.resumed.push_back(utcNow());
  return times;
}

std::string runText(const FolderOptions &options, const RunTimes &times,
                    const explore::ExploreResult *result) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      writeRunHead(json, "explore", options.commandLine, options.programs);
      json.attribute("program_fingerprint", hex64(options.programFingerprint));
      json.attribute("native_program", utf8(options.nativeProgram));
      writeInputs(json, options);
      if (options.options) writeOptions(json, *options.options);
      if (!result) return writeRunTimes(json, times, nullptr);
      const std::string howEnded =
          result->error.empty() ? explore::text(result->stats.stop) : result->error;
      writeRunTimes(json, times, &howEnded);
      json.attributeObject("totals", [&] {
        json.attribute("paths_completed", static_cast<int64_t>(result->stats.pathsCompleted));
        json.attribute("tests", static_cast<int64_t>(result->stats.tests));
        json.attribute("bugs", static_cast<int64_t>(result->stats.bugs));
        json.attribute("instructions", static_cast<int64_t>(result->stats.instructions));
        json.attribute("wall_seconds", result->stats.wallSeconds);
      });
    });
  });
}

/// What may be another when a run goes on: budgets, order, what is reported. All else decides what
/// a stored path means.
static bool mayChange(llvm::StringRef option) {
  static const char *const kFree[] = {"search",    "max-instructions",  "max-depth",
                                      "max-forks", "only-seeds",        "trace-from",
                                      "trace-to",  "only-new-coverage", "echo-output",
                                      "seed",      "stop-at-first-bug", "readable-inputs",
                                      "smt2"};
  return llvm::is_contained(kFree, option);
}

static std::string shown(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

llvm::Error checkSchema(const llvm::json::Object &run, const std::string &file) {
  const std::optional<int64_t> schema = run.getInteger("schema");
  if (!schema || *schema == kSchemaVersion) return llvm::Error::success();
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      fmt::format("{}: schema version {}; this version of Fathom reads version {}", file, *schema,
                  kSchemaVersion));
}

llvm::Expected<RunTimes> checkSameRun(const std::string &path, const FolderOptions &options) {
  auto refuse = [&](const std::string &what) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("--resume: {}", what));
  };
  llvm::Expected<llvm::json::Object> was = readJsonObject(path + "/run.json");
  if (!was) {
    const bool none = access((path + "/run.json").c_str(), F_OK) != 0;
    std::string why = llvm::toString(was.takeError());
    return refuse(none ? fmt::format("{} holds no run; start one without --resume", path)
                       : fmt::format("the run in {} is damaged: {}", path, why));
  }
  if (llvm::Error e = checkSchema(*was, path + "/run.json"))
    return refuse(llvm::toString(std::move(e)));
  if (!was->getString("program_fingerprint") || !was->getObject("options"))
    return refuse(fmt::format("the run in {} is damaged: {}/run.json: does not say which program "
                              "with which options it was",
                              path, path));
  if (was->getString("program_fingerprint") != hex64(options.programFingerprint))
    return refuse(
        fmt::format("the run in {} was of another program, or of another build of it", path));
  llvm::Expected<llvm::json::Value> now = llvm::json::parse(jsonText([&](OStream &json) {
    json.object([&] {
      writeInputs(json, options);
      writeOptions(json, *options.options);
    });
  }));
  if (!now) return now.takeError();
  for (const auto &[key, what] : {std::pair{"arguments", "arguments"},
                                  {"environment", "environment"},
                                  {"working_directory", "working directory"},
                                  {"sandbox_root", "--sandbox-root"},
                                  {"concrete_stdin", "--concrete-stdin"},
                                  {"libraries", "libraries (--load)"}})
    if (const llvm::json::Value *before = was->get(key);
        !before || *before != *now->getAsObject()->get(key))
      return refuse(fmt::format("the run in {} had the {} {}, not {}", path, what,
                                before ? shown(*before) : "none",
                                shown(*now->getAsObject()->get(key))));
  const llvm::json::Object *before = was->getObject("options");
  for (const auto &[key, value] : *now->getAsObject()->getObject("options"))
    if (const llvm::json::Value *old = before ? before->get(key) : nullptr;
        !mayChange(key) && (!old || *old != value))
      return refuse(fmt::format("the run in {} had --{} {}, not {}", path, key.str(),
                                old ? shown(*old) : "missing", shown(value)));
  return resumedTimes(*was);
}

} // namespace fathom::report
