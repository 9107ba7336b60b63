// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples of states: from the table that processes share, through the driver, into campaign.db.
#include "campaign/SqliteStore.h"
#include "campaign/StatePoints.h"
#include "campaign/StateTable.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

extern "C" {
// runtime/native/states.c, which the fuzzing variants are linked with.
extern const unsigned __fathom_statePoints;
const unsigned __fathom_statePoints = 3;
extern const unsigned __fathom_pathPoint;
const unsigned __fathom_pathPoint = 2;
void __fathom_beginPath();
void __fathom_tookSide(unsigned branch, unsigned side);
void __fathom_openStates(void *memory, unsigned long bytes);
void __fathom_sampleState(unsigned point, unsigned count, const long *values);
}

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

using namespace fathom;
using namespace fathom::campaign;

namespace {

class States : public testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("fathom-states-" + std::to_string(getpid()) + "-" +
              testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder);
    table = (folder / "states.map").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void open() {
    const int fd = ::open(table.c_str(), O_RDWR);
    const auto bytes = std::filesystem::file_size(table);
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ASSERT_NE(memory, MAP_FAILED);
    close(fd);
    __fathom_openStates(memory, bytes);
  }
  StateSamples read(uint64_t points = 3) {
    auto samples = readStateTable(table, points);
    EXPECT_TRUE(bool(samples)) << llvm::toString(samples.takeError());
    return samples ? *samples : StateSamples();
  }
  std::string error(uint64_t points) {
    auto samples = readStateTable(table, points);
    return samples ? "" : llvm::toString(samples.takeError());
  }

  std::filesystem::path folder;
  std::string table;
};

TEST_F(States, AreCountedByAllProcessesTogether) {
  ASSERT_FALSE(bool(createStateTable(table, 3, 1 << 12)));
  open();
  // The same random states in four processes at a time, and what they must add up to.
  constexpr int kProcesses = 4, kSamples = 20'000;
  std::map<std::pair<uint32_t, std::vector<int64_t>>, uint64_t> expected;
  auto draw = [](Rng &rng, unsigned &point, long(&values)[2]) {
    point = rng.below(3);
    values[0] = long(rng.below(20)) - 10;
    values[1] = rng.below(3) ? 7 : INT64_MIN;
    return 1 + point % 2;
  };
  for (int process = 0; process < kProcesses; ++process) {
    Rng rng(11);
    if (fork() == 0) {
      for (int i = 0; i < kSamples; ++i) {
        unsigned point;
        long values[2];
        const unsigned count = draw(rng, point, values);
        __fathom_sampleState(point, count, values);
      }
      _exit(0);
    }
    for (int i = 0; i < kSamples; ++i) {
      unsigned point;
      long values[2];
      const unsigned count = draw(rng, point, values);
      ++expected[{point, {values, values + count}}];
    }
  }
  while (wait(nullptr) > 0) {
  }
  const StateSamples samples = read();
  EXPECT_EQ(samples.dropped, 0u);
  std::map<std::pair<uint32_t, std::vector<int64_t>>, uint64_t> found;
  for (const SampledState &s : samples.states)
    EXPECT_TRUE((found.emplace(std::pair(s.point, s.values), s.count).second)) << "twice";
  EXPECT_EQ(found, expected);
}

TEST_F(States, WhatHasNoRoomIsCounted) {
  ASSERT_FALSE(bool(createStateTable(table, 3, 64)));
  open();
  for (long value = 0; value < 100; ++value) __fathom_sampleState(0, 1, &value);
  const StateSamples samples = read();
  EXPECT_EQ(samples.states.size(), 64u);
  EXPECT_EQ(samples.dropped, 36u);
}

/// As in explore/Results.h, which this layer does not know.
constexpr uint64_t kTraceSeed = 0xcbf29ce484222325ull;
uint64_t traceStep(uint64_t hash, uint32_t branch, uint32_t side) {
  return (hash ^ ((uint64_t(branch) << 20) + side + 1)) * 0x9E3779B97F4A7C15ull ^ (hash >> 29);
}

/// Each edge with the hash of what was taken before, as the engine computes it.
TEST_F(States, PathsAreATree) {
  ASSERT_FALSE(bool(createStateTable(table, 3, 1 << 12)));
  open();
  const std::vector<std::vector<std::pair<unsigned, unsigned>>> paths = {
      {{0, 1}, {7, 0}}, {{0, 1}, {7, 2}, {0, 1}}, {{0, 0}}, {{0, 1}, {7, 0}}};
  std::map<std::vector<int64_t>, uint64_t> expected;
  for (const auto &path : paths) {
    __fathom_beginPath();
    uint64_t hash = kTraceSeed;
    for (const auto &[branch, side] : path) {
      __fathom_tookSide(branch, side);
      expected[{static_cast<int64_t>(hash), branch, side}]++;
      hash = traceStep(hash, branch, side);
    }
  }
  std::map<std::vector<int64_t>, uint64_t> found;
  for (const SampledState &s : read().states) {
    EXPECT_EQ(s.point, 2u);
    found[s.values] = s.count;
  }
  EXPECT_EQ(found, expected);
}

TEST_F(States, PathsLeaveHalfOfTheTableToStates) {
  ASSERT_FALSE(bool(createStateTable(table, 3, 1 << 8)));
  open();
  for (unsigned i = 0; i < 1000; i++) {
    __fathom_beginPath();
    __fathom_tookSide(i, 0);
  }
  const long value = 5;
  __fathom_sampleState(0, 1, &value);
  const StateSamples samples = read();
  EXPECT_EQ(samples.dropped, 1000u - 128);
  EXPECT_EQ(samples.states.size(), 129u);
}

TEST_F(States, OtherFilesAreRefused) {
  EXPECT_NE(error(3).find("No such file"), std::string::npos);
  std::ofstream(table) << std::string(500, 'x');
  EXPECT_NE(error(3).find("not the states of a campaign"), std::string::npos);
  ASSERT_FALSE(bool(createStateTable(table, 3, 64)));
  EXPECT_NE(error(4).find("belongs to another program"), std::string::npos);
  std::filesystem::resize_file(table, 1000);
  EXPECT_NE(error(3).find("not the states of a campaign"), std::string::npos);
}

TEST_F(States, TheDatabaseGivesBackWhatItGot) {
  MapLayout layout;
  layout.branches = {{"f", "a.c", 3, 5, 2, 0}};
  layout.sides = 2;
  layout.unreachable.resize(layout.elements());
  const std::string path = (folder / "campaign.db").string();
  auto store = SqliteStore::create(path, layout, {});
  ASSERT_TRUE(bool(store)) << llvm::toString(store.takeError());
  const std::vector<StatePoint> points = {
      {PointKind::Assertion, "f", "a b.c", 7, 3, "b[i] <= 3 * i", {"b[i]", "i"}},
      {PointKind::Exit, "g", "", 9, 1, "", {"return"}}};
  ASSERT_FALSE(bool(store->putPoints(points)));
  StateSamples samples;
  samples.states = {{0, {INT64_MIN, INT64_MAX}, 4}, {0, {-1, 0}, 1}, {1, {63}, uint64_t(1) << 40}};
  for (int twice = 0; twice < 2; ++twice) ASSERT_FALSE(bool(store->putStates(samples)));
  auto back = store->points();
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ(pointsText(*back), pointsText(points));
  auto first = store->states(0), second = store->states(1), none = store->states(2);
  ASSERT_TRUE(first && second && none);
  EXPECT_EQ(*first,
            (std::vector<SampledState>(samples.states.begin(), samples.states.begin() + 2)));
  EXPECT_EQ(*second, (std::vector<SampledState>{samples.states[2]}));
  EXPECT_TRUE(none->empty());
}

TEST(StatePoints, ReadBackAsTheyWereWritten) {
  const std::vector<StatePoint> points = {
      {PointKind::Branch, "operator new", "dir/a b.c", 1, 0, "x + 1 < y", {"x", "y"}},
      {PointKind::Entry, "f", "", 0, 0, "", {"p->n"}}};
  std::vector<StatePoint> back;
  ASSERT_TRUE(parsePointTable(pointsText(points), back));
  EXPECT_EQ(pointsText(back), pointsText(points));
  for (const char *bad : {"x", "branch\t1\t2\tf\ta.c\tc\n", "loop\t1\t2\tf\ta.c\tc\tx\n",
                          "branch\tone\t2\tf\ta.c\tc\tx\n"})
    EXPECT_FALSE(parsePointTable(bad, back)) << bad;
}

TEST(PointChoice, IsAList) {
  PointChoice choice;
  ASSERT_TRUE(parsePointChoice("assertions,functions", choice));
  EXPECT_TRUE(choice.kinds.has(PointKind::Assertion) && choice.kinds.has(PointKind::Entry) &&
              choice.kinds.has(PointKind::Exit));
  EXPECT_FALSE(choice.kinds.has(PointKind::Branch) || choice.alarms);
  ASSERT_TRUE(parsePointChoice("all", choice));
  EXPECT_EQ(choice.kinds, PointKinds::all());
  EXPECT_FALSE(choice.kinds.has(PointKind::Access));
  ASSERT_TRUE(parsePointChoice("accesses,all", choice));
  EXPECT_TRUE(choice.kinds.has(PointKind::Access) && choice.kinds.has(PointKind::Branch));
  ASSERT_TRUE(parsePointChoice("alarms", choice));
  EXPECT_TRUE(choice.alarms && !choice.any()) << "no alarm has been found yet";
  choice = {};
  ASSERT_TRUE(parsePointChoice("paths,all", choice));
  EXPECT_TRUE(choice.kinds.has(PointKind::Path) && choice.kinds.has(PointKind::Exit));
  EXPECT_FALSE(choice.kinds.has(PointKind::Access));
  EXPECT_FALSE(parsePointChoice("", choice));
  EXPECT_FALSE(parsePointChoice("assertions,loops", choice));
}

TEST(PointChoice, HasKindsAndPlaces) {
  PointChoice choice;
  ASSERT_TRUE(parsePointChoice("branches,alarms", choice));
  const std::string before = choice.key();
  choice.places.insert({PointKind::Access, "f", 3, 5});
  EXPECT_TRUE(choice.has({PointKind::Branch, "g", 1, 1}));
  EXPECT_TRUE(choice.has({PointKind::Access, "f", 3, 5}));
  EXPECT_FALSE(choice.has({PointKind::Access, "f", 3, 6}) ||
               choice.has({PointKind::Division, "f", 3, 5}));
  const std::string one = choice.key();
  choice.places.insert({PointKind::Access, "f", 3, 6});
  EXPECT_NE(before, one);
  EXPECT_NE(one, choice.key());
}

} // namespace
