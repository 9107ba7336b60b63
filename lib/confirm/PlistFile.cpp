// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's property lists: `diagnostics`, each with `location`, `check_name`, `description` and a
// `path` whose events have messages; files are indices into `files`. With cross-translation-unit
// analysis the path goes through files of other units, which are in `files` too.
#include "confirm/ReportFile.h"
#include "confirm/XmlText.h"

#include <fmt/format.h>

namespace fathom::confirm {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using Token = XmlReader::Token;

namespace {

class PlistFile final : public ReportFile {
public:
  using ReportFile::ReportFile;
  size_t size() const override { return diagnostics_.size(); }

  Defect defect(size_t i) const override {
    XmlReader xml(diagnostics_[i]);
    xml.next();
    const Value value = plistValue(xml);
    const Object *diagnostic = value.getAsObject();
    Defect defect;
    defect.tool = "clang";
    defect.rule = textOf(diagnostic, "check_name");
    defect.message = textOf(diagnostic, "description");
    if (!diagnostic) return defect;
    defect.sink = placeOf(diagnostic->getObject("location"));
    const Array *path = diagnostic->getArray("path");
    for (size_t k = 0; path && k < path->size(); ++k) {
      const Object *step = (*path)[k].getAsObject();
      if (textOf(step, "kind") != "event") continue; // `control` is the way between events
      Place place = placeOf(step->getObject("location"));
      place.message = textOf(step, "message");
      defect.steps.push_back(std::move(place));
    }
    complete(defect, 0);
    return defect;
  }

  std::string read() {
    XmlReader xml(text());
    std::string key;
    bool hasDiagnostics = false;
    for (;;) {
      const Token token = xml.next();
      if (token == Token::End) break;
      if (token == Token::Wrong) return fmt::format("not a property list: {}", xml.wrong());
      if (token != Token::Open || xml.depth() != 3) continue; // plist, dict, a member
      if (xml.name() == "key") {
        key = plistValue(xml).getAsString().value_or("").str();
      } else if (key == "diagnostics" && xml.name() == "array") {
        hasDiagnostics = true;
        if (!readDiagnostics(xml)) return fmt::format("not a property list: {}", xml.wrong());
      } else if (const Value value = plistValue(xml); key == "files" && value.getAsArray()) {
        for (const Value &file : *value.getAsArray())
          files_.push_back(file.getAsString().value_or("").str());
      }
    }
    return hasDiagnostics ? "" : "a property list without diagnostics; expected Clang's";
  }

private:
  /// Their extents only. False: the text is wrong.
  bool readDiagnostics(XmlReader &xml) {
    size_t begin = 0;
    for (;;) {
      const Token token = xml.next();
      if (token == Token::Wrong || token == Token::End) return false;
      if (token == Token::Open && xml.depth() == 4) begin = xml.begin();
      if (token != Token::Close) continue;
      if (xml.depth() == 2) return true; // the array
      if (xml.depth() == 3) diagnostics_.push_back(text().slice(begin, xml.end()));
    }
  }

  Place placeOf(const Object *location) const {
    const auto file = location ? location->getInteger("file") : std::nullopt;
    return {file && *file >= 0 && static_cast<uint64_t>(*file) < files_.size()
                ? files_[static_cast<size_t>(*file)]
                : "",
            numberOf(location, "line"), numberOf(location, "col"), ""};
  }

  std::vector<StringRef> diagnostics_;
  std::vector<std::string> files_;
};

} // namespace

OpenedReports openPlist(std::unique_ptr<llvm::MemoryBuffer> buffer, const PathMap &map) {
  auto file = std::make_unique<PlistFile>(std::move(buffer), map);
  if (const std::string wrong = file->read(); !wrong.empty()) return llvm::createStringError(wrong);
  return file;
}

} // namespace fathom::confirm
