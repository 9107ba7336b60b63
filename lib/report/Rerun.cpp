// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Rerun.h"

#include "report/RunFile.h"

#include <fmt/format.h>

namespace fathom::report {

static std::vector<std::string> stringsIn(const llvm::json::Object &object, llvm::StringRef name) {
  std::vector<std::string> out;
  if (const llvm::json::Array *list = object.getArray(name))
    for (const llvm::json::Value &v : *list)
      if (auto text = v.getAsString()) out.push_back(text->str());
  return out;
}

/// The flags that the exploration's options come of.
static std::vector<std::string> rerunFlags(const llvm::json::Object &options) {
  std::vector<std::string> out;
  for (const auto &[key, value] : options) {
    const std::string name = key.str();
    if (name == "echo-output" || name == "only-new-coverage" || name == "stop-at-first-bug" ||
        name == "only-seeds" || name == "trace-from" || name == "trace-to" || name == "max-forks" ||
        name == "max-instructions")
      continue; // of the run as a whole
    if (auto text = value.getAsString()) {
      if (!text->empty()) out.push_back(fmt::format("--{}={}", name, text->str()));
    } else if (auto isSet = value.getAsBoolean()) {
      out.push_back(fmt::format("--{}={}", name, *isSet ? 1 : 0));
    } else if (auto number = value.getAsInteger()) {
      out.push_back(fmt::format("--{}={}", name, *number));
    }
  }
  return out;
}

llvm::Expected<Rerun> rerunOf(const llvm::json::Object &run,
                              const std::vector<std::string> &otherPrograms,
                              const std::string &fathom) {
  const std::vector<std::string> programs =
      otherPrograms.empty() ? stringsIn(run, "program") : otherPrograms;
  std::vector<std::string> arguments = stringsIn(run, "arguments");
  const llvm::json::Object *flags = run.getObject("options");
  if (programs.empty() || arguments.empty() || !flags)
    return llvm::createStringError("run.json does not say how the program was explored");
  Rerun out;
  native::Command &c = out.command;
  c.program = fathom;
  c.arguments = {"fathom", "explore"};
  c.arguments.insert(c.arguments.end(), programs.begin(), programs.end());
  for (std::string &flag : rerunFlags(*flags)) c.arguments.push_back(std::move(flag));
  for (const RunLibrary &library : librariesOf(run))
    c.arguments.push_back("--load=" + library.path);
  for (const std::string &variable : stringsIn(run, "environment"))
    c.arguments.push_back("--env=" + variable);
  if (auto root = run.getString("sandbox_root"); root && !root->empty())
    c.arguments.push_back("--sandbox-root=" + root->str());
  if (auto input = run.getString("concrete_stdin"); input && !input->empty())
    c.arguments.push_back("--concrete-stdin=" + input->split(" (SHA-256 ").first.str());
  c.inheritEnvironment = true;
  if (auto directory = run.getString("working_directory")) c.directory = directory->str();
  arguments.erase(arguments.begin());
  out.arguments = std::move(arguments);
  return out;
}

} // namespace fathom::report
