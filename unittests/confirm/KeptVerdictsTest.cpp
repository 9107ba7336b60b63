// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/KeptVerdicts.h"
#include "confirm/FindingJson.h"
#include "evidence/BugKind.h"

#include "llvm/Support/FormatVariadic.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace fathom::confirm;
using namespace std::chrono_literals;
using fathom::evidence::BugKind;
namespace fs = std::filesystem;

namespace {

class KeptVerdictsTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("fathom-kept-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    file_ = folder_ / "x" / "program.jsonl";
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
  std::string file_;
};

Finding open(Cut cut) {
  Finding out;
  out.cut = cut;
  out.reason = "why \xFF"; // no UTF-8
  return out;
}

Finding confirmed() {
  Finding out;
  out.verdict = Verdict::Confirmed;
  out.kind = BugKind::DoubleFree;
  out.entry = out.feasibleFrom = "f";
  out.assumed = "n can have any value";
  out.settledBy = "more";
  out.otherSource = "the object is freed at a.c:2, not at a.c:1";
  out.stack = {{"g", "/a.c", 3, 4, true}, {"libc", "", 0, 0, false}};
  out.related = {{"freed in g", "/a.c", 2, 1, true}};
  out.path = {{"f", "/a.c", 1, 2, "continues at line 3"}};
  out.values = {{"n", "5"}};
  out.moreValues = 3;
  out.otherValues = 4;
  out.message = "m";
  out.reproduction = std::make_shared<Reproduction>(Reproduction{"", true, "SIGABRT"});
  out.paths = 7;
  out.seconds = 0.5;
  return out;
}

} // namespace

TEST_F(KeptVerdictsTest, AFindingComesBackWhole) {
  const Finding f = confirmed();
  const auto back = findingFrom(toJson(f));
  ASSERT_TRUE(back);
  EXPECT_EQ(toJson(*back), toJson(f));
  EXPECT_EQ(back->kind, BugKind::DoubleFree);
  EXPECT_EQ(back->stack[1].own, false);
  EXPECT_EQ(back->reproduction->symptom, "SIGABRT");
  EXPECT_FALSE(findingFrom(llvm::json::Object{{"version", 99}, {"verdict", 0}}));
  EXPECT_FALSE(findingFrom(nullptr));
}

TEST_F(KeptVerdictsTest, AnAnswerThatCannotBeReadSaysWhy) {
  const auto text = [](const llvm::json::Value &value) {
    return llvm::formatv("{0}", value).str();
  };
  llvm::Expected<Finding> whole = parseFinding(text(toJson(confirmed())));
  ASSERT_TRUE(static_cast<bool>(whole));
  EXPECT_EQ(toJson(*whole), toJson(confirmed()));
  const auto why = [](auto parsed) {
    return parsed ? std::string() : llvm::toString(parsed.takeError());
  };
  EXPECT_NE(why(parseFinding("{\"verdict\": 1")).find("Expected"), std::string::npos);
  EXPECT_EQ(why(parseFinding("{\"verdict\": 1}")), "JSON of another form");
  EXPECT_EQ(why(parseReproduction("[]")), "JSON of another form");
  EXPECT_EQ(why(parseReproduction(text(toJson(*confirmed().reproduction)))), "");
}

TEST_F(KeptVerdictsTest, TheNextRunHasThem) {
  {
    KeptVerdicts kept(file_, {});
    kept.keep("q1", confirmed(), 0ms);
    kept.keep("q2", open(Cut::Assumption), 0ms);
    EXPECT_TRUE(kept.find("q1"));
  }
  std::ofstream(file_, std::ios::app) << "{\"question\": \"q3\", \"fin"; // killed while it wrote
  {
    KeptVerdicts kept(file_, {});
    kept.keep("q4", confirmed(), 0ms);
  }
  KeptVerdicts kept(file_, {});
  EXPECT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept.unreadable(), 1u);
  ASSERT_TRUE(kept.find("q1"));
  EXPECT_EQ(toJson(*kept.find("q1")), toJson(confirmed()));
  EXPECT_EQ(kept.find("q2")->cut, Cut::Assumption);
  EXPECT_FALSE(kept.find("q3"));
  EXPECT_TRUE(kept.find("q4"));
  // Inputs are to be written: those that have one are asked again.
  KeptVerdicts writing(file_, {0ms, 0, true});
  EXPECT_FALSE(writing.find("q1"));
  EXPECT_TRUE(writing.find("q2"));
  Finding written = confirmed();
  written.reproduction = std::make_shared<Reproduction>(Reproduction{"out/bugs/000001", true, "x"});
  writing.keep("q5", written, 0ms);
  EXPECT_FALSE(KeptVerdicts(file_, {}).find("q5"));
}

TEST_F(KeptVerdictsTest, WhatAnotherRunCouldAnswerIsAskedAgain) {
  {
    KeptVerdicts kept(file_, {10s, 1000});
    kept.keep("time", open(Cut::Time), 10s);
    kept.keep("memory", open(Cut::Memory), 10s);
    kept.keep("crash", open(Cut::Crash), 10s);
    kept.keep("budget", open(Cut::Budget), 10s);
    kept.keep("interrupt", open(Cut::Interrupted), 10s);
  }
  const auto has = [&](QuestionLimits limits, const char *question) {
    return KeptVerdicts(file_, limits).find(question).has_value();
  };
  EXPECT_TRUE(has({10s, 1000}, "time"));
  EXPECT_TRUE(has({5s, 1000}, "time")); // with less time it would be open too
  EXPECT_FALSE(has({11s, 1000}, "time"));
  EXPECT_TRUE(has({11s, 1000}, "memory"));
  EXPECT_FALSE(has({10s, 1001}, "memory"));
  EXPECT_FALSE(has({10s, 0}, "memory"));
  for (const char *question : {"crash", "budget", "interrupt"})
    EXPECT_FALSE(has({10s, 1000}, question)) << question;
}

/// What a short try came to is no answer while there is more time, but it is known what it had.
TEST_F(KeptVerdictsTest, AShortTryIsAskedAgainWithMoreTime) {
  Finding part = open(Cut::Budget), inner = confirmed();
  part.wantsTime = inner.wantsTime = true;
  {
    KeptVerdicts kept(file_, {10s, 0});
    kept.keep("part", part, 500ms);
    kept.keep("inner", inner, 2s);
    kept.keep("settled", confirmed(), 500ms);
  }
  const KeptVerdicts kept(file_, {10s, 0});
  EXPECT_FALSE(kept.find("part"));
  EXPECT_FALSE(kept.find("inner"));
  EXPECT_TRUE(kept.find("settled"));
  ASSERT_TRUE(kept.tried("part"));
  EXPECT_EQ(kept.tried("part")->time, 500ms);
  EXPECT_EQ(toJson(kept.tried("inner")->finding), toJson(inner));
  EXPECT_FALSE(kept.tried("settled"));
  EXPECT_FALSE(kept.tried("never"));
  const KeptVerdicts less(file_, {500ms, 0});
  EXPECT_TRUE(less.find("part"));
  EXPECT_FALSE(less.tried("part"));
}

/// What a cut analysis led to is no answer for a run that may end it.
TEST_F(KeptVerdictsTest, WhatRestsOnACutAnalysisIsAskedAgain) {
  Finding refuted, inner = confirmed(), withInput = confirmed();
  refuted.verdict = Verdict::Refuted;
  inner.reproduction = nullptr;
  {
    KeptVerdicts kept(file_, {});
    kept.keep("whole", refuted, 1s);
    kept.keep("sources", open(Cut::NoSource), 1s, /*missesSources=*/true);
    kept.noteCutAnalysis();
    kept.keep("refuted", refuted, 1s);
    kept.keep("open", open(Cut::Loop), 1s);
    kept.keep("inner", inner, 1s);
    kept.keep("input", withInput, 1s);
    EXPECT_TRUE(kept.find("refuted")) << "no better in the same run";
  }
  KeptVerdicts kept(file_, {});
  EXPECT_TRUE(kept.find("whole"));
  EXPECT_TRUE(kept.find("input"));
  for (const char *question : {"sources", "refuted", "open", "inner"}) {
    EXPECT_FALSE(kept.find(question)) << question;
    EXPECT_FALSE(kept.tried(question)) << question;
  }
  // Its own analysis is cut as well: it would ask in vain.
  kept.noteCutAnalysis();
  for (const char *question : {"whole", "sources", "refuted", "open", "inner"})
    EXPECT_TRUE(kept.find(question)) << question;
}

TEST_F(KeptVerdictsTest, WithoutAFileNothingIsKept) {
  KeptVerdicts kept("", {});
  kept.keep("q", confirmed(), 0ms);
  EXPECT_FALSE(kept.find("q"));
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(KeptVerdictsTest, OldProgramsGo) {
  fs::create_directories(folder_);
  for (int i = 0; i < 5; ++i) {
    const fs::path file = folder_ / std::to_string(i);
    std::ofstream(file) << "x";
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
  }
  pruneVerdicts(folder_, 2);
  EXPECT_FALSE(fs::exists(folder_ / "2"));
  EXPECT_TRUE(fs::exists(folder_ / "3"));
  EXPECT_TRUE(fs::exists(folder_ / "4"));
}

TEST(Question, IsWhatTheEngineIsAsked) {
  Defect defect;
  defect.kinds = {BugKind::UseAfterFree};
  defect.sink = {"/a.c", 5, 3, "message"};
  defect.steps = {{"/a.c", 4, 1, "freed"}};
  const std::string question = questionKey(defect);
  Defect same = defect;
  same.message = same.rule = same.sink.message = "other words";
  EXPECT_EQ(questionKey(same), question);
  for (int i = 0; i < 3; ++i) {
    Defect other = defect;
    if (i == 0) other.kinds = {BugKind::DoubleFree};
    if (i == 1) other.sink.line = 6;
    if (i == 2) other.steps.clear();
    EXPECT_NE(questionKey(other), question) << i;
  }
}
