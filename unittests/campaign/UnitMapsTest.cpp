// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's side of the unit maps, with a fork server whose every step is made here.
#include "campaign/UnitMaps.h"

#include "../runtime/native/fuzz.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fathom::campaign;

namespace {

class UnitMapsTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/fathom-units-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    path_ = folder_ + "/units.map";
  }
  void TearDown() override {
    if (memory_) munmap(memory_, bytes_);
    unlink(path_.c_str());
    rmdir(folder_.c_str());
  }
  UnitMaps create(uint32_t counters, uint64_t unitExecutions) {
    auto maps = UnitMaps::create(path_, counters, /*slots=*/2, unitExecutions);
    EXPECT_TRUE(bool(maps));
    int fd = open(path_.c_str(), O_RDWR);
    struct stat info{};
    fstat(fd, &info);
    bytes_ = static_cast<size_t>(info.st_size);
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return std::move(*maps);
  }
  fathom_units &head() { return *static_cast<fathom_units *>(memory_); }
  fathom_slot &slot(unsigned index) {
    return *reinterpret_cast<fathom_slot *>(reinterpret_cast<uint8_t *>(&head() + 1) +
                                            index * FATHOM_SLOT_BYTES(head().mapBytes));
  }
  void mark(unsigned server, uint64_t unit, uint32_t counter,
            fathom_stage stage = FATHOM_STAGE_FUZZING) {
    const uint64_t place = unit % FATHOM_UNITS_KEPT;
    slot(server).executions[place][stage]++;
    const unsigned group = !FATHOM_STAGE_IS_FUZZING(stage);
    FATHOM_SLOT_MAP(&slot(server), place, group, head().mapBytes)[counter] |= 1;
  }

  std::string folder_, path_;
  void *memory_ = nullptr;
  size_t bytes_ = 0;
};

TEST_F(UnitMapsTest, AUnitIsTheUnionOfAllServers) {
  UnitMaps maps = create(100, 0);
  mark(0, 0, 3);
  mark(0, 0, 99);
  mark(1, 0, 3);
  mark(1, 1, 50);
  UnitMap unit;
  EXPECT_FALSE(maps.harvest(unit)) << "it still runs";
  ASSERT_TRUE(maps.nextUnit());
  ASSERT_TRUE(maps.harvest(unit));
  EXPECT_EQ(unit.number, 0u);
  EXPECT_EQ(sumOf(unit.executions), 3u);
  EXPECT_EQ(unit.map.size(), 100u);
  EXPECT_TRUE(unit.map[3] && unit.map[99] && !unit.map[50]);
}

TEST_F(UnitMapsTest, TheUnitThatRunsIsShownAndStays) {
  UnitMaps maps = create(100, 0);
  EXPECT_EQ(sumOf(maps.soFar().executions), 0u);
  mark(0, 0, 3, FATHOM_STAGE_CALIBRATION);
  mark(1, 0, 4);
  const UnitMap seen = maps.soFar();
  EXPECT_EQ(seen.number, 0u);
  EXPECT_EQ(sumOf(seen.executions), 2u);
  EXPECT_TRUE(seen.nonFuzzing[3] && seen.map[4] && !seen.map[3]);
  mark(1, 0, 5);
  ASSERT_TRUE(maps.nextUnit());
  UnitMap unit;
  ASSERT_TRUE(maps.harvest(unit));
  EXPECT_TRUE(unit.nonFuzzing[3] && unit.map[4] && unit.map[5]);
}

TEST_F(UnitMapsTest, StagesAreApart) {
  UnitMaps maps = create(100, 0);
  mark(0, 0, 3, FATHOM_STAGE_UNKNOWN);
  mark(0, 0, 4, FATHOM_STAGE_CALIBRATION);
  mark(1, 0, 5, FATHOM_STAGE_TRIMMING);
  mark(1, 0, 6, FATHOM_STAGE_TRIMMING);
  maps.nextUnit();
  UnitMap unit;
  ASSERT_TRUE(maps.harvest(unit));
  EXPECT_EQ(unit.executions, (StageCounts{1, 0, 1, 2, 0, 0}));
  EXPECT_EQ(fuzzingOf(unit.executions), 1u);
  EXPECT_TRUE(unit.map[3] && !unit.map[4] && !unit.map[5]);
  EXPECT_TRUE(!unit.nonFuzzing[3] && unit.nonFuzzing[4] && unit.nonFuzzing[5] &&
              unit.nonFuzzing[6]);
  maps.release(0);
  for (int i = 0; i < FATHOM_UNITS_KEPT; ++i) {
    ASSERT_TRUE(maps.nextUnit());
    ASSERT_TRUE(maps.harvest(unit));
    EXPECT_EQ(sumOf(unit.executions), 0u);
    maps.release(unit.number);
  }
  EXPECT_EQ(FATHOM_SLOT_MAP(&slot(1), 0, 1, head().mapBytes)[5], 0) << "cleared with the unit";
}

TEST_F(UnitMapsTest, WaitsForWhatIsInFlight) {
  UnitMaps maps = create(10, 0);
  slot(0).pid = static_cast<unsigned long>(getpid());
  slot(0).busyFrom = 0;
  maps.nextUnit();
  UnitMap unit;
  EXPECT_FALSE(maps.harvest(unit));
  slot(0).busyFrom = 1; // the next execution began in the next unit
  EXPECT_TRUE(maps.harvest(unit));
}

TEST_F(UnitMapsTest, DoesNotWaitForTheDead) {
  UnitMaps maps = create(10, 0);
  pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT); // it stays a zombie
  slot(0).pid = static_cast<unsigned long>(child);
  slot(0).busyFrom = 0;
  maps.nextUnit();
  UnitMap unit;
  EXPECT_FALSE(maps.harvest(unit));
  maps.dropDead();
  EXPECT_TRUE(maps.harvest(unit));
  EXPECT_EQ(slot(0).pid, 0u);
  waitpid(child, nullptr, 0);
}

TEST_F(UnitMapsTest, ReleaseClearsThePlace) {
  UnitMaps maps = create(10, 0);
  mark(0, 0, 4);
  maps.nextUnit();
  UnitMap unit;
  ASSERT_TRUE(maps.harvest(unit));
  ASSERT_TRUE(maps.harvest(unit)) << "nothing is lost before release";
  maps.release(0);
  for (int i = 0; i < FATHOM_UNITS_KEPT; ++i) {
    ASSERT_TRUE(maps.nextUnit());
    ASSERT_TRUE(maps.harvest(unit));
    EXPECT_EQ(sumOf(unit.executions), 0u);
    EXPECT_FALSE(unit.map[4]);
    maps.release(unit.number);
  }
}

TEST_F(UnitMapsTest, UnitsThatAreNotStoredHoldUpTheClock) {
  UnitMaps maps = create(10, 0);
  for (int i = 1; i < FATHOM_UNITS_KEPT; ++i) EXPECT_TRUE(maps.nextUnit());
  EXPECT_FALSE(maps.nextUnit());
  UnitMap unit;
  ASSERT_TRUE(maps.harvest(unit));
  maps.release(unit.number);
  EXPECT_TRUE(maps.nextUnit());
}

TEST_F(UnitMapsTest, UnitsOfExecutionsEndByThemselves) {
  UnitMaps maps = create(10, 100);
  UnitMap unit;
  head().started = 150; // of all stages
  head().numbered = 99; // of fuzzing stages
  EXPECT_FALSE(maps.harvest(unit));
  head().numbered = 100;
  EXPECT_TRUE(maps.harvest(unit));
  EXPECT_EQ(maps.unit(), 1u);
}

TEST_F(UnitMapsTest, OutlivesItsDriver) {
  {
    UnitMaps maps = create(10, 0);
    mark(1, 0, 7);
    maps.nextUnit();
    maps.setElapsed(std::chrono::seconds(3));
  }
  auto again = UnitMaps::open(path_, 10, 0);
  ASSERT_TRUE(bool(again));
  UnitMap unit;
  ASSERT_TRUE(again->harvest(unit));
  EXPECT_TRUE(unit.map[7]);
  EXPECT_EQ(again->elapsed(), std::chrono::seconds(3));
  for (auto [counters, executions] : {std::pair<uint32_t, uint64_t>{11, 0}, {10, 5}}) {
    auto other = UnitMaps::open(path_, counters, executions);
    ASSERT_FALSE(bool(other));
    EXPECT_NE(toString(other.takeError()).find("another program, or to other units"),
              std::string::npos);
  }
}

TEST_F(UnitMapsTest, RefusesWhatIsNone) {
  {
    UnitMaps maps = create(10, 0);
  }
  head().magic = 1;
  auto maps = UnitMaps::open(path_, 10, 0);
  ASSERT_FALSE(bool(maps));
  llvm::consumeError(maps.takeError());
  ASSERT_EQ(truncate(path_.c_str(), 20), 0);
  auto shortOne = UnitMaps::open(path_, 10, 0);
  ASSERT_FALSE(bool(shortOne));
  EXPECT_NE(toString(shortOne.takeError()).find("too short"), std::string::npos);
}

} // namespace
