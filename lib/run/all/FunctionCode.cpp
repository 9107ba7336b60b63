// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/FunctionCode.h"

#include <algorithm>
#include <map>

namespace fathom::run {

static constexpr const char *kFunctionsFile = "functions.json";

std::string hashAround(report::SourceCode &code, const std::string &file, uint32_t line) {
  const std::string words = code.around(file, line, "");
  return words.empty() ? "" : report::TextHash().mix(words).text();
}

std::vector<FunctionCode> functionCode(const campaign::MapLayout &layout) {
  std::map<std::pair<std::string, std::string>, uint32_t> first;
  for (const campaign::MapLayout::Block &block : layout.blocks) {
    if (!block.line || block.file.empty()) continue;
    const auto [at, isNew] = first.try_emplace({block.function, block.file}, block.line);
    if (!isNew) at->second = std::min(at->second, block.line);
  }
  report::SourceLines lines;
  report::SourceCode code(lines);
  std::vector<FunctionCode> out;
  for (const auto &[name, line] : first)
    out.push_back({name.first, name.second, line, hashAround(code, name.second, line)});
  return out;
}

llvm::Error writeFunctionCode(const report::Directory &root,
                              const std::vector<FunctionCode> &functions) {
  return root.replace(kFunctionsFile, report::jsonText([&](llvm::json::OStream &json) {
                        json.object([&] {
                          json.attributeArray("functions", [&] {
                            for (const FunctionCode &one : functions)
                              json.object([&] {
                                json.attribute("function", report::utf8(one.function));
                                json.attribute("file", report::utf8(one.file));
                                json.attribute("line", one.line);
                                json.attribute("code_hash", one.hash);
                              });
                          });
                        });
                      }));
}

std::optional<std::set<std::string>> readFunctionHashes(const std::string &folder) {
  llvm::Expected<llvm::json::Object> file = report::readJsonObject(folder + "/" + kFunctionsFile);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  std::set<std::string> out;
  if (const llvm::json::Array *functions = file->getArray("functions"))
    for (const llvm::json::Value &one : *functions)
      if (const llvm::json::Object *object = one.getAsObject())
        out.insert(object->getString("code_hash").value_or("").str());
  return out;
}

} // namespace fathom::run
