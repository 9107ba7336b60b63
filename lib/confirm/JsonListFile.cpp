// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of reports: what gcc 9 to 14 write with -fdiagnostics-format=json, one array for each run
// of the compiler, and Infer's report.json.
#include "confirm/ReportFile.h"
#include "report/JsonText.h"

#include <fmt/format.h>

namespace fathom::confirm {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using report::forEachElement;
using report::forEachMember;
using report::parseJson;
using report::skipJson;

namespace {

class JsonListFile final : public ReportFile {
public:
  using ReportFile::ReportFile;
  size_t size() const override { return entries_.size(); }
  Defect defect(size_t i) const override {
    const Value value = parseJson(entries_[i]);
    const Object none;
    const Object &entry = value.getAsObject() ? *value.getAsObject() : none;
    return entry.getString("bug_type") ? infer(entry) : gcc(entry);
  }

  std::string read() {
    size_t at = text().starts_with("\xEF\xBB\xBF") ? 3 : 0;
    std::string wrong;
    while (wrong.empty() && !text().substr(at).trim().empty()) {
      const size_t begin = at;
      wrong = skipJson(text(), at);
      if (!wrong.empty())
        return fmt::format("not JSON: {} at line {}", wrong, text().take_front(at).count('\n') + 1);
      const StringRef array = text().slice(begin, at);
      if (!array.ltrim().starts_with("[")) return "not an array of reports";
      forEachElement(array, [&](StringRef entry) {
        if (!wrong.empty()) return;
        bool isGcc = false, isInfer = false;
        forEachMember(entry, [&](StringRef key, StringRef) {
          isGcc |= key == "kind" || key == "locations";
          isInfer |= key == "bug_type";
        });
        if (!isGcc && !isInfer) wrong = "an array of something else than reports";
        entries_.push_back(entry);
      });
    }
    return wrong;
  }

private:
  static Place gccPlace(const Object *at) {
    return {textOf(at, "file"), numberOf(at, "line"), numberOf(at, "column"), ""};
  }

  Defect gcc(const Object &diagnostic) const {
    Defect defect;
    defect.tool = "gcc";
    defect.rule = textOf(&diagnostic, "option");
    defect.message = textOf(&diagnostic, "message");
    const Array *locations = diagnostic.getArray("locations");
    if (const Object *location =
            locations && !locations->empty() ? (*locations)[0].getAsObject() : nullptr)
      defect.sink = gccPlace(location->getObject("caret"));
    const Array *path = diagnostic.getArray("path");
    for (size_t i = 0; path && i < path->size(); ++i) {
      const Object *event = (*path)[i].getAsObject();
      Place place = gccPlace(event ? event->getObject("location") : nullptr);
      place.message = textOf(event, "description");
      defect.steps.push_back(std::move(place));
    }
    if (textOf(&diagnostic, "kind") == "note")
      defect.setAside = "a note of the compiler, which reports no defect";
    complete(defect, numberOf(diagnostic.getObject("metadata"), "cwe"));
    return defect;
  }

  Defect infer(const Object &bug) const {
    Defect defect;
    defect.tool = "infer";
    defect.rule = textOf(&bug, "bug_type");
    defect.message = textOf(&bug, "qualifier");
    defect.sink = {textOf(&bug, "file"), numberOf(&bug, "line"), numberOf(&bug, "column"), ""};
    const Array *trace = bug.getArray("bug_trace");
    for (size_t i = 0; trace && i < trace->size(); ++i)
      if (const Object *step = (*trace)[i].getAsObject())
        defect.steps.push_back({textOf(step, "filename"), numberOf(step, "line_number"),
                                numberOf(step, "column_number"), textOf(step, "description")});
    complete(defect, 0);
    return defect;
  }

  std::vector<StringRef> entries_;
};

} // namespace

OpenedReports openJsonList(std::unique_ptr<llvm::MemoryBuffer> buffer, const PathMap &map) {
  auto file = std::make_unique<JsonListFile>(std::move(buffer), map);
  if (const std::string wrong = file->read(); !wrong.empty()) return llvm::createStringError(wrong);
  return file;
}

} // namespace fathom::confirm
