// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cppcheck --xml: elements <error id= msg= cwe=> with <location> elements. The first location is
// where the defect shows; those after it lead there, the last step first.
#include "confirm/ReportFile.h"
#include "confirm/XmlText.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

using llvm::StringRef;
using Token = XmlReader::Token;

namespace {

uint32_t number(const std::string &text) {
  uint32_t out = 0;
  return StringRef(text).getAsInteger(10, out) ? 0 : out;
}

class CppcheckFile final : public ReportFile {
public:
  using ReportFile::ReportFile;
  size_t size() const override { return errors_.size(); }

  Defect defect(size_t i) const override {
    Defect defect;
    defect.tool = "cppcheck";
    XmlReader xml(errors_[i]);
    unsigned cwe = 0;
    std::vector<Place> places;
    for (Token token = xml.next(); token != Token::End && token != Token::Wrong;
         token = xml.next()) {
      if (token != Token::Open) continue;
      if (xml.name() == "error") {
        defect.rule = xml.attribute("id");
        defect.message = xml.attribute("msg");
        cwe = number(xml.attribute("cwe"));
        if (xml.attribute("severity") == "information")
          defect.setAside = "information about the run of cppcheck, which reports no defect";
      } else if (xml.name() == "location") {
        places.push_back({xml.attribute("file"), number(xml.attribute("line")),
                          number(xml.attribute("column")), xml.attribute("info")});
      }
    }
    if (!places.empty()) {
      defect.sink = std::move(places[0]);
      defect.steps.assign(places.rbegin(), places.rend() - 1);
    }
    complete(defect, cwe);
    return defect;
  }

  std::string read() {
    XmlReader xml(text());
    size_t begin = 0;
    bool isCppcheck = false;
    for (;;) {
      const Token token = xml.next();
      if (token == Token::End) break;
      if (token == Token::Wrong) {
        // The missing rest of the file could hold any reports.
        return fmt::format("not XML: {}", xml.wrong());
      }
      if (token == Token::Open && xml.depth() == 1) {
        if (xml.name() != "results") break;
        if (xml.attribute("version") != "2")
          return fmt::format("cppcheck's XML of version {}; expected 2 (--xml-version=2)",
                             xml.attribute("version").empty() ? "1" : xml.attribute("version"));
      }
      isCppcheck |= token == Token::Open && xml.name() == "cppcheck";
      if (xml.name() != "error") continue;
      if (token == Token::Open) begin = xml.begin();
      if (token == Token::Close) errors_.push_back(text().slice(begin, xml.end()));
    }
    return isCppcheck ? "" : "XML of something else than cppcheck or Clang";
  }

private:
  std::vector<StringRef> errors_;
};

} // namespace

OpenedReports openCppcheck(std::unique_ptr<llvm::MemoryBuffer> buffer, const PathMap &map) {
  auto file = std::make_unique<CppcheckFile>(std::move(buffer), map);
  if (const std::string wrong = file->read(); !wrong.empty()) return llvm::createStringError(wrong);
  return file;
}

} // namespace fathom::confirm
