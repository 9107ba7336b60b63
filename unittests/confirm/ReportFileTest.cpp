// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports in the form in which each analyser writes them, cut to what matters.
#include "confirm/ReportFile.h"
#include "confirm/SarifFile.h"
#include "evidence/BugKind.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace fathom::confirm;
using fathom::evidence::BugKind;
using fathom::evidence::StepRole;
using Kinds = std::vector<BugKind>;

namespace {

class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &text) {
    const int fd = mkstemp(path_);
    if (fd >= 0) close(fd);
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { unlink(path_); }
  std::string path() const { return path_; }

private:
  char path_[32] = "/tmp/fathom-reports-XXXXXX";
};

std::vector<Defect> read(const std::string &text, const PathMap &map = {}) {
  const TemporaryFile file(text);
  auto reports = openReports(file.path(), map);
  std::vector<Defect> out;
  if (!reports) {
    ADD_FAILURE() << llvm::toString(reports.takeError());
    return out;
  }
  for (size_t i = 0; i < (*reports)->size(); ++i) out.push_back((*reports)->defect(i));
  return out;
}

/// Without the file's name.
std::string refusal(const std::string &text) {
  const TemporaryFile file(text);
  auto reports = openReports(file.path(), {});
  if (reports) return "";
  return llvm::toString(reports.takeError()).substr(file.path().size() + 2);
}

std::string sarif(const std::string &run) {
  return R"({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "T"}}, )" + run + "}]}";
}

} // namespace

TEST(ReportFile, ClangSarif) {
  // The members in Clang's order, which is that of the alphabet: results before the tool.
  const auto all =
      read(R"({"runs": [{"artifacts": [{"location": {"index": 0, "uri": "file:///s/a%20b.c"}}],
    "results": [{"codeFlows": [{"threadFlows": [{"locations": [
      {"location": {"message": {"text": "Calling 'f'"}, "physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 1}}}},
      {"location": {"message": {"text": "Memory is allocated"}, "physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 3}}}},
      {"location": {"message": {"text": "Memory is released"}, "physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 4}}}},
      {"location": {"message": {"text": "Use of memory after it is freed"}, "physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 5, "startColumn": 9}}}}
    ]}]}], "locations": [{"physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 5, "startColumn": 9}}}],
    "message": {"text": "Use of memory after it is freed"}, "ruleId": "unix.Malloc"}],
    "tool": {"driver": {"name": "clang"}}}], "version": "2.1.0"})");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].tool, "clang");
  EXPECT_EQ(all[0].sink.file, "/s/a b.c");
  EXPECT_EQ(all[0].sink.line, 5u);
  EXPECT_EQ(all[0].kinds[0], BugKind::UseAfterFree);
  ASSERT_EQ(all[0].steps.size(), 1u); // from the release on, without the sink
  EXPECT_EQ(all[0].steps[0].line, 4u);
}

TEST(ReportFile, SarifBasesRunsAndRules) {
  const auto all = read(R"({"version": "2.1.0", "runs": [
    {"originalUriBaseIds": {"ROOT": {"uri": "file:///home/ci/"}, "SRC": {"uri": "src/", "uriBaseId": "ROOT"}},
     "tool": {"driver": {"name": "CodeQL", "rules": [{"id": "cpp/odd", "properties": {"tags": ["security", "external/cwe/cwe-416"]}}]}},
     "results": [{"rule": {"index": 0}, "message": {"text": "m"}, "locations": [{"physicalLocation": {
        "artifactLocation": {"uri": "a.c", "uriBaseId": "SRC"}, "region": {"startLine": 2}}}]}]},
    {"tool": {"driver": {"name": "other"}},
     "results": [{"ruleId": "r", "message": {"text": "m"}, "kind": "pass"},
                 {"ruleId": "r", "message": {"text": "m"}, "baselineState": "absent"},
                 {"ruleId": "CWE-476", "message": {"text": "m"}, "properties": {"doubts": 3}, "locations": [{"physicalLocation": {
        "artifactLocation": {"uri": "x/../y.c", "uriBaseId": "NOWHERE"}, "region": {"startLine": 7}}}]}]}]})",
                        {{"/home/ci", "/work"}});
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].sink.file, "/work/src/a.c");
  EXPECT_EQ(all[0].rule, "cpp/odd");
  EXPECT_EQ(all[0].kinds, Kinds{BugKind::UseAfterFree});
  EXPECT_EQ(all[1].tool, "other");
  EXPECT_NE(all[1].setAside, "");
  EXPECT_NE(all[2].setAside, "");
  EXPECT_EQ(all[3].setAside, "");
  EXPECT_EQ(all[3].sink.file, "y.c");
  EXPECT_EQ(all[3].kinds, Kinds{BugKind::NullDereference});
  EXPECT_EQ(all[3].doubts, 3u);
  EXPECT_TRUE(all[2].isKnown);
  EXPECT_FALSE(all[3].isKnown);
}

/// One use after free at line 9; each step is its message's text and what follows the location.
static std::string flow(const std::vector<std::pair<std::string, std::string>> &steps) {
  std::string out =
      R"("results": [{"ruleId": "CWE-416", "message": {"text": "m"}, "locations": [{"physicalLocation": {
    "artifactLocation": {"uri": "a.c"}, "region": {"startLine": 9}}}], "codeFlows": [{"threadFlows": [{"locations": [)";
  for (size_t i = 0; i < steps.size(); ++i)
    out += (i ? ", " : "") + (R"({"location": {"message": {"text": ")" + steps[i].first +
                              R"("}, "physicalLocation": {"artifactLocation": {"uri": "a.c"},
      "region": {"startLine": )" +
                              std::to_string(i + 1) + "}}}, " + steps[i].second + "}");
  return sarif(out + "]}]}]}]");
}

TEST(ReportFile, StepsSayWhatTheyAreWithoutWords) {
  // Our own property counts, whatever the text says.
  const auto own = read(flow({{"freed here", R"("properties": {"role": "calls"})"},
                              {"x", R"("properties": {"role": "frees"})"},
                              {"y", R"("properties": {"role": "true-side"})"}}));
  ASSERT_EQ(own.size(), 1u);
  EXPECT_TRUE(own[0].hasRoles);
  ASSERT_EQ(own[0].steps.size(), 2u);
  EXPECT_EQ(own[0].steps[0].line, 2u);
  EXPECT_EQ(own[0].steps[0].role, StepRole::Frees);
  EXPECT_EQ(own[0].steps[1].role, StepRole::TrueSide);
  // As GCC 13 writes them.
  const auto gcc = read(flow(
      {{"x", R"("kinds": ["enter", "function"])"}, {"y", R"("kinds": ["release", "memory"])"}}));
  ASSERT_EQ(gcc.size(), 1u);
  EXPECT_FALSE(gcc[0].hasRoles);
  ASSERT_EQ(gcc[0].steps.size(), 1u);
  EXPECT_EQ(gcc[0].steps[0].line, 2u);
}

TEST(ReportFile, SarifResultsLieWhereTheySay) {
  const std::string text = sarif(R"("results": [{"ruleId": "a", "message": {"text": "}]"}},
    {"ruleId": "b", "message": {"text": "x"}}])");
  const TemporaryFile file(text);
  auto reports = openReports(file.path(), {});
  ASSERT_TRUE(bool(reports));
  const SarifFile *sarif = (*reports)->sarif();
  ASSERT_NE(sarif, nullptr);
  ASSERT_EQ(sarif->size(), 2u);
  EXPECT_EQ(sarif->result(1), R"({"ruleId": "b", "message": {"text": "x"}})");
  ASSERT_EQ(sarif->runs().size(), 1u);
  EXPECT_EQ(sarif->runs()[0].endResult, 2u);
}

TEST(ReportFile, ClangPlist) {
  // `files` comes last; control pieces of the path are no steps; the path goes through two files.
  const auto all = read(R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>clang_version</key><string>19</string><key>diagnostics</key><array>
 <dict><key>path</key><array>
   <dict><key>kind</key><string>event</string><key>location</key><dict><key>line</key><integer>7</integer><key>col</key><integer>3</integer><key>file</key><integer>1</integer></dict><key>message</key><string>&apos;p&apos; initialized to a null pointer value</string></dict>
   <dict><key>kind</key><string>control</string><key>edges</key><array/></dict>
   <dict><key>kind</key><string>event</string><key>location</key><dict><key>line</key><integer>2</integer><key>col</key><integer>9</integer><key>file</key><integer>0</integer></dict><key>message</key><string>Dereference</string></dict>
  </array>
  <key>description</key><string>Dereference of null pointer</string><key>check_name</key><string>core.NullDereference</string>
  <!-- This hash is experimental and going to change! -->
  <key>location</key><dict><key>line</key><integer>2</integer><key>col</key><integer>9</integer><key>file</key><integer>0</integer></dict>
 </dict></array>
 <key>files</key><array><string>a.c</string><string>../b.c</string></array></dict></plist>)");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].rule, "core.NullDereference");
  EXPECT_EQ(all[0].sink.file, "a.c");
  EXPECT_EQ(all[0].sink.column, 9u);
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_EQ(all[0].steps[0].file, "b.c");
  EXPECT_EQ(all[0].steps[0].message, "'p' initialized to a null pointer value");
}

TEST(ReportFile, Cppcheck) {
  const auto all = read(R"(<?xml version="1.0" encoding="UTF-8"?>
<results version="2"><cppcheck version="2.10"/><errors>
 <error id="nullPointer" severity="warning" msg="Null pointer: x" verbose="v" cwe="476" file0="a.c">
  <location file="a.c" line="4" column="21" info="Null pointer dereference"/>
  <location file="a.c" line="5" column="54" info="Calling function &apos;use&apos;, 1st argument &apos;z&apos; value is 0"/>
  <location file="a.c" line="3" column="44" info="Assignment &apos;z=NULL&apos;, assigned value is 0"/>
  <symbol>x</symbol></error>
 <error id="unheardOf" severity="error" msg="m" verbose="v" cwe="415"><location file="a.c" line="5" column="1"/></error>
 <error id="missingInclude" severity="information" msg="m" verbose="v"/>
</errors></results>)");
  ASSERT_EQ(all.size(), 3u);
  ASSERT_EQ(all[0].steps.size(), 2u); // in the order in which they happen
  EXPECT_EQ(all[0].steps[0].line, 3u);
  EXPECT_EQ(all[0].steps[1].line, 5u);
  EXPECT_EQ(all[0].sink.line, 4u);
  EXPECT_EQ(all[1].kinds[0], BugKind::DoubleFree); // by its CWE
  EXPECT_TRUE(all[1].steps.empty());
  EXPECT_NE(all[2].setAside, "");
}

TEST(ReportFile, GccWritesOneArrayForEachRun) {
  const std::string one =
      R"([{"kind": "warning", "message": "m", "option": "-Wanalyzer-double-free",
    "locations": [{"caret": {"file": "a.c", "line": 9, "column": 3}}],
    "path": [{"description": "first ‘free’ here", "location": {"file": "a.c", "line": 8, "column": 3}},
             {"description": "second ‘free’ here", "location": {"file": "a.c", "line": 9, "column": 3}}]}])";
  const auto all = read(one + "\n" + one + "\n[]\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].kinds[0], BugKind::DoubleFree);
  ASSERT_EQ(all[1].steps.size(), 1u);
  EXPECT_EQ(all[1].steps[0].line, 8u);
}

TEST(ReportFile, Infer) {
  const auto all = read(
      R"([{"bug_type": "NULL_DEREFERENCE", "qualifier": "q", "file": "a.c", "line": 4, "column": 2,
    "bug_trace": [{"filename": "a.c", "line_number": 2, "column_number": 1, "description": "start of procedure f"},
                  {"filename": "a.c", "line_number": 3, "column_number": 1, "description": "is assigned null here"},
                  {"filename": "a.c", "line_number": 4, "column_number": 2, "description": "invalid access"}]}])");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kinds, Kinds{BugKind::NullDereference});
  ASSERT_EQ(all[0].steps.size(), 1u);
  EXPECT_EQ(all[0].steps[0].line, 3u);
}

TEST(ReportFile, WhatIsWrongIsSaid) {
  EXPECT_EQ(refusal(""), "empty; expected SARIF 2.1.0, Clang's plist, gcc's "
                         "-fdiagnostics-format=json, cppcheck's XML or Infer's report.json");
  EXPECT_TRUE(refusal("hello").starts_with("neither JSON nor XML; expected SARIF 2.1.0"));
  EXPECT_EQ(refusal("{}"), "no runs; expected SARIF 2.1.0");
  EXPECT_EQ(refusal("[1]"), "an array of something else than reports");
  EXPECT_EQ(refusal(R"({"version": "2.0.0", "runs": []})"),
            "SARIF of version 2.0.0; expected 2.1.0");
  EXPECT_EQ(refusal("{\"runs\": [\n\n"), "not JSON: it ends in the middle at line 3");
  EXPECT_EQ(refusal(sarif("\"results\": []") + " x"), "not JSON: something follows at line 1");
  EXPECT_EQ(refusal("<results version=\"2\"><cppcheck version=\"2.10\"/><errors>"),
            "not XML: it ends in the middle");
  EXPECT_EQ(refusal("<results><error/></results>"),
            "cppcheck's XML of version 1; expected 2 (--xml-version=2)");
  EXPECT_EQ(refusal("<html></html>"), "XML of something else than cppcheck or Clang");
  EXPECT_EQ(refusal("<plist><dict><key>x</key><array/></dict></plist>"),
            "a property list without diagnostics; expected Clang's");
}

TEST(ReportFile, OddMembersAreNoTrouble) {
  // Every member of a wrong type; each is left out.
  const auto all = read(sarif(R"("artifacts": {}, "originalUriBaseIds": 3, "results": [
    {"ruleId": 1, "message": "m", "locations": {}, "codeFlows": [1], "properties": []},
    {"locations": [{"physicalLocation": {"artifactLocation": {"index": 99}, "region": {"startLine": -4}}}]},
    {"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.c"}, "region": {"startLine": 99999999999}}}]}, 5])"));
  ASSERT_EQ(all.size(), 3u);
  for (const Defect &defect : all) EXPECT_EQ(defect.sink.line, 0u);
}

TEST(ReportPaths, AreTheProgramsOnes) {
  EXPECT_EQ(programPath("./a/../b.c", {}), "b.c");
  EXPECT_EQ(programPath("../../src/b.c", {}), "src/b.c");
  EXPECT_EQ(programPath("/x/y/b.c", {{"/x/y/", "/z"}}), "/z/b.c");
  EXPECT_EQ(programPath("/x/yes/b.c", {{"/x/y", "/z"}}), "/x/yes/b.c"); // whole components
  EXPECT_EQ(programPath("/x/b.c", {{"/x", "/a"}, {"/a", "/b"}}), "/a/b.c");
  EXPECT_EQ(programPath("rel/b.c", {{"rel", "/abs"}}), "/abs/b.c");
  EXPECT_EQ(pathOfUri("file://localhost/a"), "/a");
  EXPECT_EQ(pathOfUri("file:/a%2Fb%zz"), "/a/b%zz");
}
