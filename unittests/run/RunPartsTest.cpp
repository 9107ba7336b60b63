// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pieces of fathom run: who gets the processors, when a run is enough, and how inputs travel.
#include "run/all/Activity.h"
#include "run/all/EarlierVerdicts.h"
#include "run/all/Inbox.h"
#include "run/all/Shares.h"
#include "run/all/StopRule.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <unistd.h>

namespace fathom::run {
namespace {

using Processors = std::vector<unsigned>;

/// The processor seconds of two parts after many slices; the gains are for each second.
std::pair<double, double> timesOf(double first, double second) {
  Shares shares({{1, 1}, {1, 2}});
  double times[2] = {0, 0};
  for (int slice = 0; slice < 300; slice++) {
    const Processors next = shares.next(2);
    for (size_t part = 0; part < 2; part++) {
      if (!next[part]) continue;
      const double seconds = 2.0 * next[part];
      times[part] += seconds;
      shares.note(part, seconds, seconds * (part == 0 ? first : second));
    }
  }
  return {times[0], times[1]};
}

TEST(Shares, WhoBringsMoreGetsMore) {
  const auto [fuzz, explore] = timesOf(1, 9);
  EXPECT_GT(explore, 2 * fuzz);
  EXPECT_GT(fuzz, 0.15 * (fuzz + explore)); // nobody starves
}

TEST(Shares, OneProcessorAtMostForWhoCanUseOne) {
  const auto [fuzz, explore] = timesOf(9, 1);
  EXPECT_NEAR(fuzz, explore, 0.1 * explore); // no more than one of the two
}

TEST(Shares, AsManyRunAsFit) {
  Shares shares({{2, 2}, {1, 4}});
  EXPECT_EQ(shares.next(1), (Processors{2, 0})); // at least one part runs
  EXPECT_EQ(shares.next(4), (Processors{2, 2}));
  shares.note(0, 4, 0); // it has had its turn
  EXPECT_EQ(shares.next(2), (Processors{0, 2}));
}

TEST(Shares, WhoWaitsCostsNothing) {
  Shares shares({{1, 1}, {1, 1}});
  shares.note(0, 0.001, 0);
  shares.note(1, 0, 0);
  EXPECT_EQ(shares.next(1), (Processors{1, 1}));
}

TEST(Shares, WhoWaitsLeavesItsProcessorsToOthers) {
  Shares shares({{1, 1}, {1, 2}});
  shares.note(1, 2, 100); // it brought a lot
  for (int slice = 0; slice < 20; slice++) {
    shares.note(1, 0.001, 0); // and waits now
    const std::vector<unsigned> given = shares.next(2);
    EXPECT_EQ(given[0], 1u) << slice;
    EXPECT_EQ(given[1], 1u) << slice; // besides
    shares.note(0, 2, 0);
  }
}

TEST(Shares, AWaitDoesNotAddUp) {
  Shares shares({{1, 1}, {1, 1}});
  for (int slice = 0; slice < 1000; slice++) shares.note(0, 2, 1);
  unsigned turns = 0; // of the second part alone
  for (; shares.next(1) == Processors{0, 1}; turns++) shares.note(1, 2, 1);
  EXPECT_LT(turns, 20u);
}

TEST(Shares, TheLastOneHasAll) {
  Shares shares({{1, 1}, {1, 2}});
  shares.remove(0);
  EXPECT_DOUBLE_EQ(shares.shareOf(1), 1);
  EXPECT_DOUBLE_EQ(shares.shareOf(0), 0);
  EXPECT_EQ(shares.next(2), (Processors{0, 2}));
}

TEST(StopRule, PredictsWhatTheSecondHalfBrought) {
  StopRule rule;
  rule.found(10, 500);
  rule.found(70, 3);
  rule.found(90, 2);
  EXPECT_DOUBLE_EQ(rule.predictedGain(100), 6); // and one more
  EXPECT_DOUBLE_EQ(rule.predictedGain(160), 3);
  EXPECT_DOUBLE_EQ(rule.predictedGain(200), 1);
}

TEST(StopRule, IsNotEnoughWhileItBringsSomething) {
  StopRule rule;
  EXPECT_FALSE(rule.isEnough(StopRule::kLeast - 1));
  rule.found(50, 10);
  EXPECT_FALSE(rule.isEnough(80));
  EXPECT_TRUE(rule.isEnough(101));
}

struct Inboxes : testing::Test {
  Inboxes() { (void)llvm::sys::fs::createUniqueDirectory("fathom-inbox", folder); }
  ~Inboxes() override { (void)llvm::sys::fs::remove_directories(folder); }
  std::string path(const std::string &name) const { return (folder + "/" + name).str(); }
  void write(const std::string &name, const std::string &bytes) const {
    (void)llvm::sys::fs::create_directories(path(name.substr(0, name.rfind('/'))));
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  static std::vector<uint8_t> bytes(const std::string &text) { return {text.begin(), text.end()}; }
  llvm::SmallString<64> folder;
};

TEST_F(Inboxes, EachInputOnce) {
  KnownBytes known;
  llvm::Expected<Inbox> inbox = Inbox::open(path("inbox"), Inbox::Names::Plain, known);
  ASSERT_TRUE(bool(inbox));
  for (const char *text : {"one", "two", "one", ""}) ASSERT_FALSE(bool(inbox->put(bytes(text))));
  EXPECT_EQ(inbox->size(), 2u);
  EXPECT_EQ(readInput(path("inbox/000001")), bytes("two"));
  EXPECT_FALSE(llvm::sys::fs::exists(path("inbox/.part")));
}

TEST_F(Inboxes, ALaterSessionGoesOnBehindTheEarlierOne) {
  {
    KnownBytes known;
    llvm::Expected<Inbox> inbox = Inbox::open(path("inbox"), Inbox::Names::Plain, known);
    ASSERT_FALSE(bool(inbox->put(bytes("one"))));
  }
  KnownBytes known;
  llvm::Expected<Inbox> inbox = Inbox::open(path("inbox"), Inbox::Names::Plain, known);
  ASSERT_FALSE(bool(inbox->put(bytes("one"))));
  ASSERT_FALSE(bool(inbox->put(bytes("two"))));
  EXPECT_EQ(inbox->size(), 2u);
}

TEST_F(Inboxes, TheQueueGivesWhatCoversNewEdgesFirstAndNothingTwice) {
  write("afl/main/queue/id:000000,time:0,execs:0,orig:seed", "seed");
  write("afl/main/queue/id:000001,src:000000,time:5,op:havoc", "hits more often");
  write("afl/main/queue/id:000002,src:000000,time:9,op:havoc,+cov", "new edge");
  write("afl/1/queue/id:000000,sync:main,src:000002,+cov", "new edge");
  write("afl/main/queue/.state/x", "none");
  write("afl/main/crashes/id:000000,sig:06", "crash");
  auto parts = makeSharedParts();
  ASSERT_TRUE(parts);
  KnownBytes known;
  known.add(bytes("mine"));
  write("afl/main/queue/id:000003,src:000000,+cov", "mine");
  QueueInputs inputs(path("afl"), {bytes("first")}, true, *parts, known);
  EXPECT_TRUE(inputs.take(0).empty());
  parts->of(Part::Fuzz).work = 1; // the initial inputs wait for that
  std::vector<std::string> all;
  for (int i = 0; i < 10; i++)
    for (const std::vector<uint8_t> &input : inputs.take(2))
      all.emplace_back(input.begin(), input.end());
  EXPECT_EQ(all,
            (std::vector<std::string>{"first", "new edge", "crash", "seed", "hits more often"}));
}

TEST_F(Inboxes, AsOneMoreInstanceOfACampaign) {
  KnownBytes known;
  llvm::Expected<Inbox> inbox = Inbox::open(path("afl/fathom/queue"), Inbox::Names::Queue, known);
  ASSERT_TRUE(bool(inbox));
  ASSERT_FALSE(bool(inbox->put(bytes("one"))));
  EXPECT_EQ(readInput(path("afl/fathom/queue/id:000000,src:fathom")), bytes("one"));
  auto parts = makeSharedParts();
  KnownBytes others;
  QueueInputs inputs(path("afl"), {}, true, *parts, others);
  EXPECT_TRUE(inputs.take(10).empty()); // they are ours
}

TEST_F(Inboxes, CoverageOfOthersIsToldOnce) {
  auto parts = makeSharedParts();
  KnownBytes known;
  QueueInputs inputs(path("afl"), {}, true, *parts, known);
  EXPECT_TRUE(inputs.covered().empty());
  parts->sides = 8;
  parts->cover(Part::Fuzz, 3);
  parts->cover(Part::Explore, 5);
  EXPECT_EQ(inputs.covered(), (std::vector<uint32_t>{3}));
  parts->cover(Part::Seeds, 5);
  EXPECT_EQ(inputs.covered(), (std::vector<uint32_t>{5}));
  EXPECT_TRUE(inputs.covered().empty());
}

TEST(Activity, EndsWithTheStatusOfItsWork) {
  llvm::Expected<Activity> good = Activity::start("good", [] { return 0; });
  llvm::Expected<Activity> bad = Activity::start("bad", [] { return 3; });
  ASSERT_TRUE(good && bad);
  while (!good->isOver() || !bad->isOver()) std::this_thread::yield();
  EXPECT_EQ(good->failure(), "");
  EXPECT_EQ(bad->failure(), "ended with status 3");
}

/// The campaign runs on a thread of its own.
TEST(Activity, CountsWhatItsThreadsStartAndEndsIt) {
  llvm::Expected<Activity> busy = Activity::start("busy", [] {
    std::thread([] {
      if (fork() == 0)
        for (volatile unsigned i = 0;; i = i + 1) {
        }
      pause();
    }).join();
    return 0;
  });
  ASSERT_TRUE(bool(busy));
  while (busy->processorSeconds() < 0.1) std::this_thread::yield();
  busy->kill();
  while (!busy->isOver()) std::this_thread::yield();
  EXPECT_EQ(busy->failure(), "ended by SIGKILL");
}

TEST(EarlierVerdicts, AreLostOnlyToMore) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fathom-earlier", folder));
  const std::string path = folder.str().str(), bug = path + "/confirm/bugs/000001";
  ASSERT_FALSE(llvm::sys::fs::create_directories(bug));
  std::ofstream(path + "/confirmed.sarif")
      << R"({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Fathom"}}, "results": [
  {"message": {"text": "a"}, "properties": {"verdict": "confirmed"}},
  {"message": {"text": "b"}, "properties": {"verdict": "open"}},
  {"message": {"text": "c"}, "properties": {"verdict": "refuted"}, "suppressions": [{"kind": "external"}]},
  {"message": {"text": "d"}, "properties": {"verdict": "possible"}, "suppressions": [{"kind": "external"}]}
]}]})";
  {
    const EarlierVerdicts earlier(path);
    EXPECT_FALSE(llvm::sys::fs::exists(bug));
    EXPECT_EQ(confirm::countOf(earlier.verdicts(), confirm::Verdict::Confirmed), 1u);
    EXPECT_EQ(confirm::countOf(earlier.verdicts(), confirm::Verdict::Possible), 0u);
    EXPECT_TRUE(earlier.hasMoreThan(1));
    EXPECT_FALSE(earlier.hasMoreThan(2));
    // What a session began with that was ended early.
    ASSERT_FALSE(llvm::sys::fs::create_directories(path + "/confirm/bugs/000007"));
  }
  EXPECT_TRUE(llvm::sys::fs::exists(bug));
  EXPECT_FALSE(llvm::sys::fs::exists(path + "/confirm/bugs/000007"));
  // A session that was killed left it aside.
  ASSERT_FALSE(llvm::sys::fs::rename(path + "/confirm", path + "/.confirm"));
  {
    const EarlierVerdicts again(path);
  }
  EXPECT_TRUE(llvm::sys::fs::exists(bug));
  EarlierVerdicts(path).replace();
  EXPECT_FALSE(llvm::sys::fs::exists(bug));
  EXPECT_FALSE(llvm::sys::fs::exists(path + "/.confirm"));
  llvm::sys::fs::remove_directories(path);
}

} // namespace
} // namespace fathom::run
