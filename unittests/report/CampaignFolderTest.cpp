// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crashes of a campaign as bugs: kinds, inputs, one folder for each stack, also after a resume.
#include "report/CampaignFolder.h"
#include "evidence/BugKind.h"
#include "report/Diagnose.h"
#include "report/TestFolder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <tuple>

using namespace fathom;
using namespace fathom::report;
using evidence::BugKind;

namespace {

campaign::Crash crashIn(const std::string &function, uint32_t line) {
  campaign::Crash crash;
  crash.input = std::string("a\0b", 3);
  crash.signal = SIGSEGV;
  crash.address = 0x123456;
  crash.stack = {{"memcpy", "/fathom-libc/memcpy.c", 9, 1, false},
                 {function, "/p/a.c", line, 3, true}};
  return crash;
}

TEST(BugOf, TheSignalDecidesTheKind) {
  CampaignFolderOptions options;
  auto kind = [&](auto change) {
    campaign::Crash crash = crashIn("f", 1);
    change(crash);
    return bugOf(crash, options).kind;
  };
  EXPECT_EQ(kind([](auto &) {}), BugKind::OutOfBoundsRead);
  EXPECT_EQ(kind([](auto &c) { c.isWrite = true; }), BugKind::OutOfBoundsWrite);
  EXPECT_EQ(kind([](auto &c) { c.address = 8; }), BugKind::NullDereference);
  EXPECT_EQ(kind([](auto &c) { c.isStackOverflow = true; }), BugKind::StackOverflow);
  EXPECT_EQ(kind([](auto &c) { c.signal = SIGFPE; }), BugKind::DivisionByZero);
  EXPECT_EQ(kind([](auto &c) { c.signal = SIGILL; }), BugKind::Unreachable);
  EXPECT_EQ(kind([](auto &c) { c.signal = SIGABRT; }), BugKind::Abort);
  EXPECT_EQ(kind([](auto &c) { c.hangs = true; }), BugKind::Hang);
  EXPECT_EQ(kind([](auto &c) {
              c.signal = SIGABRT;
              c.standardError = "x\nAssertion failed: a < b (f.c: f: 3)\n";
            }),
            BugKind::Assertion);
}

TEST(BugOf, ABrokenHeapIsSaidToBeOne) {
  campaign::Crash crash = crashIn("f", 7);
  crash.signal = SIGILL;
  crash.isHeapBroken = true;
  crash.stack.front() = {"__libc_free", "free.c", 0, 0, false};
  explore::Bug bug = bugOf(crash, {});
  EXPECT_EQ(bug.kind, BugKind::OutOfBoundsWrite);
  EXPECT_NE(bug.message.find("the heap is broken, noticed in __libc_free (signal SIGILL)"),
            std::string::npos);
  EXPECT_EQ(locationOf(bug.stack)->function, "f");
}

TEST(BugOf, ADiagnosisSaysMoreThanTheSignal) {
  campaign::Crash crash = crashIn("f", 7);
  crash.signal = SIGILL;
  crash.isHeapBroken = true;
  crash.diagnosis = {BugKind::DoubleFree,
                     "free of a block",
                     {{"g", "/p/a.c", 3, 1, true}},
                     {{"freed in h", "/p/a.c", 2, 1, true}}};
  explore::Bug bug = bugOf(crash, {});
  EXPECT_EQ(bug.kind, BugKind::DoubleFree);
  EXPECT_EQ(bug.message, "free of a block (signal SIGILL in the allocator)");
  EXPECT_EQ(locationOf(bug.stack)->function, "g");
  ASSERT_EQ(bug.related.size(), 1u);
  EXPECT_NE(crash.key(), crash.symptom());
}

/// Lines of the errors that the crash comes of.
static std::vector<uint32_t> linesOf(const std::vector<campaign::Diagnosis> &all,
                                     const campaign::Crash &crash) {
  std::vector<uint32_t> lines;
  for (const campaign::Diagnosis &diagnosis : chooseDiagnoses(all, crash))
    lines.push_back(diagnosis.stack[0].line);
  return lines;
}

static campaign::Diagnosis at(BugKind kind, uint32_t line, const char *message = "") {
  return {kind, message, {{"f", "/p/a.c", line, 1, true}}, {}};
}

TEST(ChooseDiagnoses, WritesExplainAllThatComesLaterReadsWhereTheyFault) {
  using Lines = std::vector<uint32_t>;
  const char *const kHeap = "write of 1 byte at offset 16 of a 16-byte heap object",
                    *const kStack = "write of 1 byte at offset 16 of a 16-byte stack object",
                    *const kDangling = "read of 4 bytes at offset 0 of a 4-byte stack object";
  campaign::Crash crash = crashIn("f", 7);
  EXPECT_EQ(linesOf({at(BugKind::OutOfBoundsRead, 7)}, crash), Lines{7});
  EXPECT_EQ(linesOf({at(BugKind::OutOfBoundsRead, 1)}, crash), Lines{});
  EXPECT_EQ(linesOf({at(BugKind::OutOfBoundsWrite, 1, kHeap)}, crash), Lines{1});
  EXPECT_EQ(linesOf({at(BugKind::UseAfterFree, 1, kDangling)}, crash), Lines{})
      << "no read of a variable that is gone";
  EXPECT_EQ(
      linesOf({at(BugKind::OutOfBoundsWrite, 1, kHeap), at(BugKind::NullDereference, 7)}, crash),
      Lines{7})
      << "what is wrong at the place itself";
  EXPECT_EQ(linesOf({at(BugKind::OutOfBoundsWrite, 1, kStack),
                     at(BugKind::OutOfBoundsWrite, 2, kHeap), at(BugKind::InvalidFree, 3)},
                    crash),
            (Lines{2, 3}))
      << "all that break the heap";
  crash.isHeapBroken = true;
  EXPECT_EQ(linesOf({at(BugKind::OutOfBoundsRead, 7)}, crash), Lines{}) << "reading breaks nothing";
  EXPECT_EQ(
      linesOf({at(BugKind::UseAfterFree, 1, kDangling), at(BugKind::OutOfBoundsWrite, 2, kHeap)},
              crash),
      Lines{2});
}

TEST(BugOf, TheInputIsWhatTheProgramReads) {
  CampaignFolderOptions options;
  options.program = "/p/a";
  auto inputs = [&] { return inputsOf(bugOf(crashIn("f", 1), options).test, {}, {}); };
  EXPECT_EQ(inputs().standardInput, std::string("a\0b", 3));
  EXPECT_EQ(inputs().arguments, std::vector<std::string>{"/p/a"});
  options.arguments = {"-f", "--in=@@"};
  EXPECT_EQ(inputs().standardInput, "");
  EXPECT_EQ(inputs().arguments, (std::vector<std::string>{"/p/a", "-f", "--in=input"}));
  ASSERT_EQ(inputs().files.size(), 1u);
  EXPECT_EQ(inputs().files[0].second, std::string("a\0b", 3));
  options.isHarness = true;
  explore::TestCase test = bugOf(crashIn("f", 1), options).test;
  ASSERT_EQ(test.symbols.size(), 2u);
  EXPECT_EQ(test.symbols[0].data, (std::vector<uint8_t>{3, 0, 0, 0}));
}

TEST(CampaignFolder, OneBugForEachStack) {
  char name[] = "/tmp/fathom-campaign-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  CampaignFolderOptions options;
  options.path = std::string(name) + "/out";
  options.program = options.nativeProgram = "/p/a";
  {
    auto folder = CampaignFolder::create(options);
    ASSERT_TRUE(bool(folder));
    for (const campaign::Crash &crash : {crashIn("f", 1), crashIn("g", 2), crashIn("f", 1)})
      EXPECT_FALSE(bool((*folder)->storeCrash(crash)));
    EXPECT_EQ((*folder)->findings().size(), 2u);
    // A loop may be left anywhere: hangs in the same calls are one.
    campaign::Crash hang = crashIn("f", 1), same = crashIn("f", 7), other = crashIn("h", 1);
    hang.hangs = same.hangs = other.hangs = true;
    for (const campaign::Crash &crash : {hang, same, other})
      EXPECT_FALSE(bool((*folder)->storeCrash(crash)));
    EXPECT_EQ((*folder)->findings().size(), 4u);
    EXPECT_FALSE(bool((*folder)->finish({}, "ended")));
  }
  auto again = CampaignFolder::create(options);
  ASSERT_FALSE(bool(again)) << "results are not overwritten";
  EXPECT_NE(toString(again.takeError()).find("holds the results of an earlier run"),
            std::string::npos);
  options.resume = true;
  auto none = CampaignFolder::create(options);
  ASSERT_FALSE(bool(none)) << "there is no campaign.db";
  EXPECT_NE(toString(none.takeError()).find("holds no campaign"), std::string::npos);
  std::ofstream(options.path + "/campaign.db") << "";
  auto resumed = CampaignFolder::create(options);
  ASSERT_TRUE(bool(resumed));
  EXPECT_FALSE(bool((*resumed)->storeCrash(crashIn("g", 2))));
  EXPECT_FALSE(bool((*resumed)->storeCrash(crashIn("g", 3))));
  campaign::Crash hang = crashIn("f", 20);
  hang.hangs = true;
  EXPECT_FALSE(bool((*resumed)->storeCrash(hang)));
  EXPECT_EQ((*resumed)->findings().size(), 5u);
  EXPECT_TRUE(std::filesystem::exists(options.path + "/bugs/000005/replay.sh"));
  (*resumed)->discard();
  EXPECT_FALSE(std::filesystem::exists(options.path));
  // A foreign file of that name is left alone, also with --force.
  std::filesystem::create_directories(options.path);
  std::ofstream(options.path + "/campaign.db") << "mine";
  options.resume = false;
  options.force = true;
  auto foreign = CampaignFolder::create(options);
  ASSERT_FALSE(bool(foreign));
  EXPECT_NE(toString(foreign.takeError()).find("holds no results of Fathom"), std::string::npos);
  std::filesystem::remove_all(name);
}

/// What the script of a bug says, and how it ends.
static std::pair<int, std::string> ranScript(const std::string &folder) {
  const std::string said = folder + "/said";
  const int status = system(("sh " + folder + "/out/bugs/000001/replay.sh 2>" + said).c_str());
  std::ifstream in(said);
  return {WEXITSTATUS(status), std::string(std::istreambuf_iterator<char>(in), {})};
}

/// A crash of the fuzzed build that the native program does not show: the build is run, too. One
/// that a sanitizer saw: it alone is run.
TEST(CampaignFolder, ScriptsRunWhatFoundTheCrash) {
  char name[] = "/tmp/fathom-campaign-XXXXXX";
  ASSERT_TRUE(mkdtemp(name));
  const std::string path = name;
  auto program = [&](const std::string &file, const std::string &text) {
    std::ofstream(path + "/" + file) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(path + "/" + file, std::filesystem::perms::owner_all);
    return path + "/" + file;
  };
  CampaignFolderOptions options;
  options.path = path + "/out";
  options.program = "/p/it's";
  options.nativeProgram = program("native", "echo native >&2\nexit 3\n");
  options.fuzzed = program("fuzzed", "echo fuzzed >&2\nkill -SEGV $$\n");
  auto store = [&](campaign::Crash crash) {
    auto folder = CampaignFolder::create(options);
    ASSERT_TRUE(bool(folder));
    EXPECT_FALSE(bool((*folder)->storeCrash(crash)));
    options.force = true;
  };
  store(crashIn("f", 1));
  auto [status, said] = ranScript(path);
  EXPECT_EQ(status, 128 + SIGSEGV);
  EXPECT_NE(said.find("expected: signal SIGSEGV, as in the campaign\n"), std::string::npos) << said;
  EXPECT_LT(said.find("native\n"), said.find("fuzzed\n")) << said;
  EXPECT_NE(said.find("fuzzed\n"), std::string::npos) << said;
  EXPECT_NE(said.find("replay.sh: as expected"), std::string::npos) << said;

  options.sanitizers = "address";
  campaign::Crash checked = crashIn("f", 1);
  checked.check = "heap-buffer-overflow";
  store(checked);
  std::tie(status, said) = ranScript(path);
  EXPECT_EQ(status, 128 + SIGSEGV);
  EXPECT_NE(said.find("expected: signal SIGSEGV (heap-buffer-overflow), as in the campaign, which "
                      "had --sanitize address\n"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find("native\n"), std::string::npos) << said;

  std::filesystem::remove(options.fuzzed);
  std::tie(status, said) = ranScript(path);
  EXPECT_EQ(status, 2);
  EXPECT_NE(said.find("is gone; this builds and runs it again: fathom replay '/p/it'\\''s' '" +
                      path + "/out/bugs/000001'\n"),
            std::string::npos)
      << said;
  std::filesystem::remove_all(path);
}

} // namespace
