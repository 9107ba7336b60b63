// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AssessPlan.h"

#include "report/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <filesystem>

namespace fathom::tool {

namespace {

/// A name from a path: what is not allowed in one becomes '_'.
std::string nameOf(const std::string &program) {
  llvm::StringRef path = llvm::StringRef(program).rtrim('/');
  std::string name = llvm::sys::path::filename(path).str();
  for (const char *ending : {".bc", ".c", ".ll"})
    if (llvm::StringRef(name).ends_with(ending)) name.resize(name.size() - strlen(ending));
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '.' && c != '_' && c != '-') c = '_';
  return name;
}

void addInput(assess::Request &request, const std::string &input, const std::string &where) {
  if (!input.empty() && input != "@@" && input != "stdin")
    throw UsageError(fmt::format("{} {}: expected @@ or stdin", where, input));
  bool hasPlace = false;
  for (const std::string &a : request.arguments) hasPlace |= a.find("@@") != std::string::npos;
  if (input == "@@" && !hasPlace) request.arguments.push_back("@@");
}

assess::Request requestOf(const AssessFlags &flags, const std::string &operand,
                          const Invocation &invocation) {
  assess::Request request;
  size_t equals = operand.find('=');
  if (equals != std::string::npos && !std::filesystem::exists(operand)) {
    request.name = operand.substr(0, equals);
    request.program = operand.substr(equals + 1);
  } else {
    request.name = nameOf(operand);
    request.program = operand;
  }
  request.arguments = invocation.arguments;
  request.corpus = flags.corpus;
  addInput(request, flags.input, "--input");
  return request;
}

/// {"programs": [{"program": "a/b", "name": "b", "arguments": ["@@"], "corpus": "seeds"}, ...]};
/// paths are relative to the file.
std::vector<assess::Request> listedPrograms(const std::string &file) {
  requireRegularFile("--programs", file);
  auto json = orUsage(report::readJsonObject(file));
  const llvm::json::Array *all = json.getArray("programs");
  if (!all) throw UsageError(file + ": expected {\"programs\": [{\"program\": PATH}, ...]}");
  const std::string folder = llvm::sys::path::parent_path(absolutePath(file)).str();
  std::vector<assess::Request> requests;
  for (const llvm::json::Value &value : *all) {
    const llvm::json::Object *one = value.getAsObject();
    auto program = one ? one->getString("program") : std::nullopt;
    const std::string where = fmt::format("{}: program {}", file, requests.size() + 1);
    if (!program) throw UsageError(where + ": expected \"program\": PATH");
    for (const auto &[key, ignored] : *one) {
      llvm::StringRef name = key;
      if (name != "program" && name != "name" && name != "corpus" && name != "input" &&
          name != "arguments")
        throw UsageError(fmt::format("{}: \"{}\": expected program, name, arguments, corpus or "
                                     "input",
                                     where, name.str()));
    }
    auto path = [&](llvm::StringRef text) {
      llvm::SmallString<256> out(text);
      if (!text.empty()) llvm::sys::fs::make_absolute(folder, out);
      return out.str().str();
    };
    assess::Request request;
    request.program = path(*program);
    request.name = one->getString("name").value_or(nameOf(request.program)).str();
    request.corpus = path(one->getString("corpus").value_or(""));
    if (const llvm::json::Array *arguments = one->getArray("arguments"))
      for (const llvm::json::Value &argument : *arguments)
        request.arguments.push_back(argument.getAsString().value_or("").str());
    addInput(request, one->getString("input").value_or("").str(), where + ": input");
    requests.push_back(std::move(request));
  }
  return requests;
}

} // namespace

std::vector<assess::Request> requests(const AssessFlags &flags, const Invocation &invocation) {
  std::vector<assess::Request> all;
  for (unsigned i = 0; i < flags.synth; ++i) {
    assess::Request request;
    request.name = fmt::format("synth-{:0{}}", i + 1, flags.synth < 100 ? 2 : 3);
    request.knobs = flags.knobs;
    request.knobs->seed = flags.seed + i;
    all.push_back(std::move(request));
  }
  for (const std::string &operand : flags.programs)
    all.push_back(requestOf(flags, operand, invocation));
  if (!flags.programsFile.empty())
    for (assess::Request &request : listedPrograms(flags.programsFile))
      all.push_back(std::move(request));
  return all;
}

assess::Plan planOf(const AssessFlags &flags) {
  assess::Plan plan;
  plan.trials = flags.trials;
  plan.seed = flags.seed;
  if (!campaign::parseUnitLength(flags.unit, plan.unit))
    throw UsageError(fmt::format("--unit {}: expected a time of 100ms or more, or a number of "
                                 "executions, such as 10s or 1000execs",
                                 flags.unit));
  campaign::UnitLength budget;
  if (!campaign::parseUnitLength(flags.budget, budget) ||
      (budget.executions == 0) != (plan.unit.executions == 0))
    throw UsageError(fmt::format("--budget {}: expected {}", flags.budget,
                                 plan.unit.executions
                                     ? "a number of executions, as --unit is, such as 100000execs"
                                     : "a time such as 10m or 24h"));
  const uint64_t units = plan.unit.executions
                             ? budget.executions / plan.unit.executions
                             : static_cast<uint64_t>(budget.time.count() / plan.unit.time.count());
  if (units < 2 || units > 1000000)
    throw UsageError(fmt::format("--budget {} with --unit {} makes {} units; expected 2 to 1000000",
                                 flags.budget, flags.unit, units));
  plan.units = static_cast<uint32_t>(units);
  plan.kind = campaign::kindNamed(flags.of).value_or(plan.kind);
  plan.testTime = flags.testTime, plan.testMemory = flags.testMemory;
  plan.keepQueues = flags.keepQueues;
  if (!flags.sizes.empty()) plan.measure.sizes = flags.sizes;
  if (!flags.levels.empty()) plan.measure.levels = flags.levels;
  plan.measure.points = std::min(flags.points, plan.units);
  plan.measure.replicates = flags.replicates;
  plan.measure.seed = plan.seed;
  if (std::string wrong = plan.measure.validate(plan.units); !wrong.empty())
    throw UsageError(wrong);
  return plan;
}

} // namespace fathom::tool
