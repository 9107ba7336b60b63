// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/ReportFile.h"

#include "confirm/Rules.h"
#include "confirm/Sources.h"

#include <fmt/format.h>

namespace fathom::confirm {

using llvm::StringRef;
using llvm::json::Object;

std::string textOf(const Object *object, StringRef key) {
  if (!object) return "";
  const auto value = object->getString(key);
  return value ? value->str() : "";
}

uint32_t numberOf(const Object *object, StringRef key) {
  if (!object) return 0;
  const auto value = object->getInteger(key);
  return value && *value > 0 && *value < UINT32_MAX ? static_cast<uint32_t>(*value) : 0;
}

static bool isSame(const Place &a, const Place &b) {
  return a.file == b.file && a.line == b.line && (a.column == b.column || !a.column || !b.column);
}

void ReportFile::complete(Defect &defect, unsigned cwe) const {
  defect.kinds = kindsOfRule(defect.rule, defect.message);
  if (defect.kinds.empty() && cwe) defect.kinds = kindsOfCwe(cwe);
  const auto read = [&](Place &place) {
    if (!place.file.empty()) place.file = programPath(place.file, map_);
  };
  read(defect.sink);
  for (Place &step : defect.steps) read(step);
  std::erase_if(defect.steps, [](const Place &step) { return !step.line; });
  while (!defect.steps.empty() && isSame(defect.steps.back(), defect.sink)) defect.steps.pop_back();
  readRoles(defect);
  beginAtSource(defect);
}

llvm::Expected<std::unique_ptr<ReportFile>> openReports(const std::string &path,
                                                        const PathMap &map) {
  const auto refuse = [&](const std::string &why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: {}", path, why));
  };
  static constexpr const char *kForms = "SARIF 2.1.0, Clang's plist, gcc's "
                                        "-fdiagnostics-format=json, cppcheck's XML or Infer's "
                                        "report.json";
  // Mapped where it is large: it is read more than once, and never changed.
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) return refuse(buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  text.consume_front("\xEF\xBB\xBF");
  const StringRef begin = text.ltrim();
  if (begin.empty()) return refuse(fmt::format("empty; expected {}", kForms));
  const auto open = [&]() -> OpenedReports {
    if (begin[0] == '{') return openSarif(std::move(*buffer), map);
    if (begin[0] == '[') return openJsonList(std::move(*buffer), map);
    if (begin[0] != '<')
      return llvm::createStringError(fmt::format("neither JSON nor XML; expected {}", kForms));
    if (begin.take_front(4096).contains("<plist")) return openPlist(std::move(*buffer), map);
    return openCppcheck(std::move(*buffer), map);
  };
  OpenedReports file = open();
  if (!file) return refuse(llvm::toString(file.takeError()));
  return file;
}

} // namespace fathom::confirm
