// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/assess/StudyPrograms.h"

#include "report/Files.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "support/InputPlace.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

namespace fathom::run {

/// A name from a path: what is not allowed in one becomes '_'.
static std::string nameOf(const std::string &program) {
  llvm::StringRef path = llvm::StringRef(program).rtrim('/');
  std::string name = llvm::sys::path::filename(path).str();
  for (const char *ending : {".bc", ".c", ".ll"})
    if (llvm::StringRef(name).ends_with(ending)) name.resize(name.size() - strlen(ending));
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '.' && c != '_' && c != '-') c = '_';
  return name;
}

llvm::Error addInput(assess::Request &request, const std::string &input, const std::string &where) {
  if (!input.empty() && input != "@@" && input != "stdin")
    return usageError(fmt::format("{} {}: expected @@ or stdin", where, input));
  if (input == "@@" && !hasInputPlace(request.arguments)) request.arguments.push_back("@@");
  return llvm::Error::success();
}

assess::Request programNamed(const std::string &operand) {
  assess::Request request;
  std::error_code ignored;
  size_t equals = operand.find('=');
  if (equals != std::string::npos && !std::filesystem::exists(operand, ignored)) {
    request.name = operand.substr(0, equals);
    request.program = operand.substr(equals + 1);
  } else {
    request.name = nameOf(operand);
    request.program = operand;
  }
  return request;
}

llvm::Expected<std::vector<assess::Request>> listedPrograms(const std::string &file) {
  if (llvm::Error e = requireRegularFile("--programs", file)) return std::move(e);
  auto json = asUsage(report::readJsonObject(file));
  if (!json) return json.takeError();
  const llvm::json::Array *all = json->getArray("programs");
  if (!all) return usageError(file + ": expected {\"programs\": [{\"program\": PATH}, ...]}");
  const std::string folder = llvm::sys::path::parent_path(absolutePath(file)).str();
  std::vector<assess::Request> requests;
  for (const llvm::json::Value &value : *all) {
    const llvm::json::Object *one = value.getAsObject();
    auto program = one ? one->getString("program") : std::nullopt;
    const std::string where = fmt::format("{}: program {}", file, requests.size() + 1);
    if (!program) return usageError(where + ": expected \"program\": PATH");
    for (const auto &[key, ignored] : *one) {
      llvm::StringRef name = key;
      if (name != "program" && name != "name" && name != "corpus" && name != "input" &&
          name != "arguments")
        return usageError(fmt::format("{}: \"{}\": expected program, name, arguments, corpus or "
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
    if (llvm::Error e =
            addInput(request, one->getString("input").value_or("").str(), where + ": input"))
      return std::move(e);
    requests.push_back(std::move(request));
  }
  return requests;
}

} // namespace fathom::run
