// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a page is made of: collectors on small folders, the words of conditions, JSON that cannot
// end its element.
#include "Support.h"

#include "run/page/Page.h"
#include "run/page/PageBlockers.h"
#include "run/page/PageBugs.h"
#include "run/page/PageCurve.h"
#include "run/page/PageSentence.h"
#include "run/page/SourceScan.h"

#include "llvm/Support/JSON.h"

namespace fathom::run::test {
namespace {

using namespace fathom::run::page;

/// Writes a file of a scratch folder, with the folders above it.
void put(const Scratch &scratch, const std::string &name, const std::string &text) {
  const std::string path = scratch.path(name);
  (void)llvm::sys::fs::create_directories(path.substr(0, path.rfind('/')));
  std::ofstream(path) << text;
}

llvm::Expected<PageData> pageOf(const Scratch &scratch, std::vector<std::string> folders,
                                std::vector<std::string> reports = {}) {
  PageRequest request;
  for (std::string &folder : folders) request.folders.push_back(scratch.path(folder));
  for (std::string &file : reports) request.reports.push_back(scratch.path(file));
  Recorder recorder;
  Session session = recorder.session();
  return collectPage(request, session);
}

std::string words(const std::string &text, uint32_t line, uint32_t column) {
  const auto found = conditionAt(text, codeOnly(text), lineStarts(text), line, column);
  return found[1].empty() ? "" : found[0] + "[" + found[1] + "]" + found[2];
}

TEST(SourceScan, FindsFunctions) {
  const auto found =
      functionsIn("/* int no(void) { } */\n"
                  "static int table[] = { 1, 2 };\n"
                  "struct s { int (*f)(void); };\n"
                  "#define M(x) { x }\n"
                  "int\nmain(int argc, char **argv)\n{\n  if (argc) { return '{'; }\n}\n"
                  "void g(void) { puts(\"}\"); }\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "main");
  EXPECT_EQ(found[0].first, 6u);
  EXPECT_EQ(found[0].last, 9u);
  EXPECT_EQ(found[1].name, "g");
  EXPECT_EQ(found[1].first, 10u);
}

TEST(SourceScan, FindsNoFunctionInBrokenText) {
  EXPECT_TRUE(functionsIn("").empty());
  EXPECT_TRUE(functionsIn("}}} {").empty());
  EXPECT_EQ(functionsIn("int f() { (").size(), 1u);
}

TEST(SourceScan, SaysWhichOperandDecides) {
  const std::string text = "  if (a && b > 0 && f(c, d))\n"
                           "    x = p ? q : r;\n"
                           "  for (i = 0; i < n; i++)\n"
                           "    while (!(c == ')') || e)\n"
                           "      switch (k) {\n";
  EXPECT_EQ(words(text, 1, 9), "[a] && b > 0 && f(c, d)");
  EXPECT_EQ(words(text, 1, 18), "a && [b > 0] && f(c, d)");
  EXPECT_EQ(words(text, 1, 7), "a && b > 0 && [f(c, d)]");
  EXPECT_EQ(words(text, 3, 3), "[i < n]");
  EXPECT_EQ(words(text, 4, 24), "[!(c == ')')] || e");
  EXPECT_EQ(words(text, 5, 7), "[k]");
  EXPECT_EQ(words(text, 9, 1), "");
  EXPECT_EQ(words(text, 1, 900), "");
  EXPECT_EQ(words("", 1, 1), "");
}

TEST(SourceScan, TurnsNegatedConditionsRound) {
  EXPECT_EQ(wantedSide("p", true), "is true");
  EXPECT_EQ(wantedSide("!p", true), "is false");
  EXPECT_EQ(wantedSide("!f(a, b)->c", false), "is true");
  EXPECT_EQ(wantedSide("!p == q", true), "is true");
}

TEST(Bugs, FoldsWhatFollows) {
  const auto bug = [](const char *kind, uint32_t line, uint32_t allocated) {
    Bug out;
    out.kind = kind;
    out.at = {"f", "a.c", line, 3};
    if (allocated)
      out.flows.push_back({"where its object was allocated and freed",
                           {{{"main", "a.c", allocated, 1}, "allocated in main", "", false}}});
    return out;
  };
  std::vector<Bug> bugs{bug("leak", 3, 0),         bug("leak", 3, 0),
                        bug("leak", 4, 0),         bug("use-after-free", 9, 1),
                        bug("double-free", 10, 1), bug("double-free", 10, 1),
                        bug("leak", 0, 0)};
  foldBugs(bugs);
  EXPECT_FALSE(bugs[0].follows);
  EXPECT_EQ(bugs[1].follows, 0u);
  EXPECT_FALSE(bugs[2].follows);
  EXPECT_FALSE(bugs[3].follows);
  EXPECT_EQ(bugs[4].follows, 3u);
  EXPECT_EQ(bugs[5].follows, 3u) << "folded under one that is folded itself";
  EXPECT_FALSE(bugs[6].follows);
}

TEST(Curve, KeepsItsEnds) {
  std::vector<CurvePoint> points;
  for (int i = 0; i < 10000; ++i) points.push_back({i * 0.1, static_cast<double>(i)});
  const auto few = thinned(points, 100);
  EXPECT_LE(few.size(), 102u);
  EXPECT_EQ(few.front().y, 0);
  EXPECT_EQ(few.back().y, 9999);
  EXPECT_EQ(thinned({{1, 2}}, 100).size(), 1u);
}

TEST(Sentences, SayWhatWasFoundHowSureAndWhatIsLeft) {
  PageData data;
  data.title = "prog";
  data.parts.emplace_back();
  data.parts[0].by = By::Fuzz;
  data.curve.total = 100, data.curve.covered = 60, data.curve.unreachable = 10;
  EXPECT_EQ(sentencesOf(data),
            (std::vector<std::string>{
                "Fathom found no bug in prog.",
                "That is no proof that there is none: fuzzing shows what it runs into, never that "
                "there is nothing else.",
                "60 of 100 branch sides are covered (60.0 %) and 10 are proved unreachable, so at "
                "most 30 are left."}));
  data.bugs.resize(2);
  data.bugs[1].follows = 0;
  data.reports.resize(3);
  data.reports[0].verdict = "confirmed";
  data.reports[1].verdict = data.reports[2].verdict = "open";
  data.curve.estimate.emplace();
  data.curve.estimate->value = 70, data.curve.estimate->low = 55, data.curve.estimate->high = 88;
  EXPECT_EQ(sentencesOf(data)[0], "Fathom found 1 bug in prog, with an input that shows it; of 3 "
                                  "reports, 1 is confirmed and 2 are open.");
  EXPECT_EQ(sentencesOf(data)[2],
            "60 of 100 branch sides are covered (60.0 %) and 10 are proved unreachable, so at most "
            "30 are left; of these, an estimated 10 can be reached (0 to 28, with 90 % "
            "confidence).");
}

constexpr const char *kRun = R"({"schema": 1, "subcommand": "explore", "program": ["/p/prog"],
  "command": ["fathom", "explore", "prog"], "ended": "2026-01-01T00:00:00Z", "how_ended": "no state left to explore"})";

TEST(Page, ShowsWhatThereIsAndNamesWhatIsMissing) {
  const Scratch scratch;
  put(scratch, "out/run.json", kRun);
  put(scratch, "out/ledger.json", R"({"complete": false, "entries": [
    {"category": "solver-timeout", "location": "a.c:3 in f", "detail": "", "count": 7}]})");
  put(scratch, "out/stats.csv", "wall_seconds,branches_covered\n0.5,3\n1.0,8\n1.5");
  auto page = pageOf(scratch, {"out"});
  ASSERT_TRUE(bool(page)) << llvm::toString(page.takeError());
  EXPECT_EQ(page->title, "prog");
  ASSERT_EQ(page->ledger.entries.size(), 1u);
  EXPECT_EQ(page->ledger.entries[0].sentence,
            "Fathom did not explore a branch side, because the solver ran out of time");
  ASSERT_EQ(page->curve.series.size(), 1u);
  EXPECT_EQ(page->curve.series[0].points.size(), 2u) << "without the line that is not whole";
  EXPECT_EQ(page->missing.size(), 2u) << "stats.json and lcov.info";
}

TEST(Page, RefusesWhatIsNoFolderOfResults) {
  const Scratch scratch;
  put(scratch, "empty/x", "");
  put(scratch, "new/run.json", R"({"schema": 9, "subcommand": "explore"})");
  put(scratch, "half/run.json", R"({"schema": 1, "subco)");
  put(scratch, "other/run.json", R"({"schema": 1, "subcommand": "synth"})");
  put(scratch, "bad.sarif", R"({"runs": [)");
  const auto wrong = [&](std::vector<std::string> folders, std::vector<std::string> reports = {}) {
    auto page = pageOf(scratch, std::move(folders), std::move(reports));
    return page ? std::string() : usageText(page.takeError());
  };
  const auto has = [](const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(wrong({}), "give a results folder"));
  EXPECT_TRUE(has(wrong({"nowhere"}), "nowhere: there is no such folder"));
  EXPECT_TRUE(has(wrong({"empty"}), "empty: no results of Fathom"));
  EXPECT_TRUE(has(wrong({"new"}), "schema version 9; this version of Fathom reads version 1"));
  EXPECT_TRUE(has(wrong({"half"}), "half/run.json"));
  EXPECT_TRUE(has(wrong({"other"}), "the subcommand is 'synth'; expected explore, fuzz or run"));
  EXPECT_TRUE(has(wrong({}, {"bad.sarif"}), "bad.sarif: not JSON, or cut off"));
  EXPECT_TRUE(has(wrong({}, {"gone.sarif"}), "gone.sarif"));
}

TEST(Page, ReadsAWholeRun) {
  const Scratch scratch;
  put(scratch, "run/run.json",
      R"({"schema": 1, "subcommand": "run", "program": ["/p/prog"], "ended": "x"})");
  put(scratch, "run/explore/run.json", kRun);
  put(scratch, "run/confirmed.sarif", R"({"runs": [{"tool": {"driver": {"name": "t"}}, "results": [
    {"ruleId": "leak", "message": {"text": "m"}, "properties": {"verdict": "open", "openBecause": "bounded", "reason": "r"},
     "locations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///s/a%20b.c"}, "region": {"startLine": 4}}}]},
    {"ruleId": "leak", "baselineState": "absent"}]}]})");
  put(scratch, "run/events.jsonl",
      "{\"seconds\": 1.5, \"processor_seconds\": 3, \"by\": \"fuzz\", "
      "\"event\": \"sides\", \"sides_covered\": 12}\n"
      "{\"seconds\": 2, \"by\": \"explore\", \"event\": \"bug\", \"dir\": \"bugs/000001\"}\n"
      "{\"secon");
  auto page = pageOf(scratch, {"run"});
  ASSERT_TRUE(bool(page)) << llvm::toString(page.takeError());
  ASSERT_EQ(page->reports.size(), 1u);
  EXPECT_EQ(page->reports[0].verdict, "bounded");
  EXPECT_EQ(page->reports[0].at.file, "/s/a b.c");
  EXPECT_EQ(page->reports[0].cwe, 401u);
  ASSERT_EQ(page->events.size(), 2u);
  EXPECT_EQ(page->events[0].sides, 12u);
  EXPECT_EQ(page->events[1].text, "dir: bugs/000001");
  const auto names = [&](const char *part) {
    for (const std::string &text : page->missing)
      if (text.find(part) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(names("run/fuzz: not there"));
  EXPECT_TRUE(names("events.jsonl: 1 line that cannot be read"));
}

TEST(Page, JsonDoesNotEndItsElement) {
  PageData data;
  data.title = "</script><script>alert(1)</script><!--";
  data.bugs.emplace_back();
  data.bugs[0].message = "\xff\xfe</SCRIPT>";
  data.bugs[0].input.push_back({"standard input", "</script>", 9});
  const std::string text = pageJson(data);
  EXPECT_EQ(text.find('<'), std::string::npos);
  auto back = llvm::json::parse(text);
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(back->getAsObject()->getString("title"), data.title);
}

} // namespace
} // namespace fathom::run::test
