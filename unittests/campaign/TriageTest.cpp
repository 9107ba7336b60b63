// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crashing inputs on the triage's thread: what becomes of them, and what they are told apart by.
#include "campaign/Triage.h"
#include "evidence/BugKind.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace fathom::campaign;
using namespace std::chrono_literals;
using fathom::evidence::BugKind;

namespace {

struct TriageTest : testing::Test {
  void SetUp() override {
    char name[] = "/tmp/fathom-triage-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
    options.run.program = "/bin/sh";
    options.run.scratch = folder + "/scratch";
    options.minimizeRuns = 0;
    std::ofstream(folder + "/input") << "kill -SEGV $$";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string folder;
  TriageOptions options;
};

TEST_F(TriageTest, OneOfEachSymptom) {
  Triage triage(options);
  for (int i = 0; i < 3; ++i) triage.add(folder + "/input", /*hangs=*/false);
  triage.finish(20s);
  Crash crash;
  ASSERT_TRUE(triage.take(crash));
  EXPECT_EQ(crash.signal, SIGSEGV);
  EXPECT_EQ(crash.input, "kill -SEGV $$");
  EXPECT_FALSE(triage.take(crash));
  EXPECT_EQ(triage.counts().crashing, 3u);
  EXPECT_EQ(triage.counts().failed, 0u);
}

TEST_F(TriageTest, TheDiagnosisIsWhatCounts) {
  unsigned asked = 0;
  options.diagnose = [&](const Crash &, const std::atomic<bool> *) {
    ++asked;
    return std::vector<Diagnosis>{{BugKind::DoubleFree, "twice", {{"f", "a.c", 3, 1, true}}, {}}};
  };
  Triage triage(options);
  std::ofstream(folder + "/other") << "kill -BUS $$";
  triage.add(folder + "/input", /*hangs=*/false);
  triage.add(folder + "/other", /*hangs=*/false);
  triage.finish(20s);
  Crash crash;
  ASSERT_TRUE(triage.take(crash));
  ASSERT_TRUE(crash.diagnosis);
  EXPECT_EQ(crash.diagnosis->message, "twice");
  EXPECT_FALSE(triage.take(crash)) << "another symptom of the same";
  EXPECT_EQ(asked, 2u);
}

TEST_F(TriageTest, ASymptomWithoutAPlaceIsLookedAtClosely) {
  options.diagnose = [&](const Crash &crash, const std::atomic<bool> *) {
    return std::vector<Diagnosis>{
        {BugKind::DoubleFree, "twice", {{crash.input, "a.c", 3, 1, true}}, {}}};
  };
  Triage triage(options);
  std::ofstream(folder + "/other") << "kill -SEGV $$ # another";
  for (const char *file : {"/input", "/other", "/input"})
    triage.add(folder + file, /*hangs=*/false);
  triage.finish(20s);
  Crash crash;
  ASSERT_TRUE(triage.take(crash));
  EXPECT_TRUE(triage.take(crash));
  EXPECT_FALSE(triage.take(crash));
}

TEST_F(TriageTest, AllThatItMayComeOf) {
  options.diagnose = [](const Crash &, const std::atomic<bool> *) {
    return std::vector<Diagnosis>{{BugKind::OutOfBoundsWrite, "", {{"f", "a.c", 3, 1, true}}, {}},
                                  {BugKind::OutOfBoundsWrite, "", {{"f", "a.c", 4, 1, true}}, {}}};
  };
  Triage triage(options);
  triage.add(folder + "/input", /*hangs=*/false);
  triage.add(folder + "/input", /*hangs=*/false);
  triage.finish(20s);
  Crash first, second, none;
  ASSERT_TRUE(triage.take(first));
  ASSERT_TRUE(triage.take(second));
  EXPECT_FALSE(triage.take(none));
  EXPECT_EQ(first.diagnosis->stack[0].line, 3u);
  EXPECT_EQ(second.diagnosis->stack[0].line, 4u);
}

TEST_F(TriageTest, WhatCannotBeRunIsCounted) {
  options.run.program = folder + "/nothing";
  Triage triage(options);
  triage.add(folder + "/input", /*hangs=*/false);
  triage.finish(20s);
  Crash crash;
  EXPECT_FALSE(triage.take(crash));
  EXPECT_EQ(triage.counts().failed, 1u);
  EXPECT_NE(triage.counts().failure, "");
}

} // namespace
