// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is stored of a unit comes back: sets as bytes, layouts as text, campaign.db.
#include "campaign/AflFuzz.h"
#include "campaign/Campaign.h"
#include "campaign/CoverageTally.h"
#include "campaign/CoveredSet.h"
#include "campaign/Import.h"
#include "campaign/MapLayout.h"
#include "campaign/Minimize.h"
#include "campaign/ReadCampaign.h"
#include "support/Rng.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace fathom;
using namespace fathom::campaign;

namespace {

TEST(CoveredSet, RoundTrips) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    const uint32_t limit = 1 + static_cast<uint32_t>(rng.below(5000));
    const uint64_t density = 1 + rng.below(200);
    std::vector<uint32_t> elements, back;
    for (uint32_t e = 0; e < limit; ++e)
      if (rng.below(density) == 0) elements.push_back(e);
    std::string bytes = encodeCovered(elements);
    EXPECT_LE(bytes.size(), limit / 8 + 2);
    ASSERT_TRUE(decodeCovered(bytes, limit, back));
    EXPECT_EQ(back, elements);
    if (!elements.empty()) {
      EXPECT_FALSE(decodeCovered(bytes, elements.back(), back)) << "beyond the limit";
    }
  }
}

TEST(CoveredSet, RefusesOtherBytes) {
  std::vector<uint32_t> out;
  for (std::string bytes : {"", "x", "g\x80", "g\xff\xff\xff\xff\xff\x01"})
    EXPECT_FALSE(decodeCovered(bytes, 100, out)) << bytes;
}

MapLayout smallLayout() {
  MapLayout layout;
  layout.branches = {{"f", "a b.c", 3, 5, 2, 0}, {"operator new", "", 0, 0, 3, 2}};
  layout.sides = 5;
  layout.markers = 1;
  layout.blocks = {{"f", "a b.c", 2, 1, {5}}, {"f", "a b.c", 4, 1, {0, 3}}};
  layout.statements = {{"f", "a b.c", 2, {0}}, {"f", "a b.c", 3, {0, 1}}, {"f", "", 4, {1}}};
  layout.unreachable.resize(layout.elements());
  return layout;
}

TEST(MapLayout, BlocksAreShownBySides) {
  MapLayout layout = smallLayout();
  using Elements = std::vector<uint32_t>;
  EXPECT_EQ(elementsOf(layout, std::vector<uint8_t>{0, 0, 0, 0, 0, 0}), Elements{});
  EXPECT_EQ(elementsOf(layout, std::vector<uint8_t>{0, 0, 0, 9, 0, 0}), (Elements{3, 6}));
  EXPECT_EQ(elementsOf(layout, std::vector<uint8_t>{0, 0, 0, 0, 1, 255}), (Elements{4, 5}));
}

TEST(MapLayout, TextRoundTrips) {
  MapLayout layout = smallLayout(), back;
  ASSERT_TRUE(parseLayout(layoutText(layout), back));
  EXPECT_EQ(layoutText(back), layoutText(layout));
  EXPECT_EQ(back.branches[1].sideBase, 2u);
  EXPECT_EQ(back.branches[1].function, "operator new");
  layout.unreachable = {Unreachable::Condition, Unreachable::No, Unreachable::Uncalled,
                        Unreachable::No,        Unreachable::No, Unreachable::Behind,
                        Unreachable::No};
  ASSERT_TRUE(parseLayout(layoutText(layout), back));
  EXPECT_EQ(back.unreachable, layout.unreachable);
  std::string text = layoutText(layout);
  EXPECT_FALSE(parseLayout(text.substr(0, text.size() / 2), back));
  EXPECT_FALSE(parseLayout("something else", back));
}

class StoreTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/fathom-store-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    path_ = folder_ + "/campaign.db";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  /// As another process that damages the database.
  void execute(const char *sql) const {
    sqlite3 *db = nullptr;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  std::string folder_, path_;
};

TEST_F(StoreTest, TheMatrixIsThatOfCompleteUnits) {
  {
    auto store = SqliteStore::create(path_, smallLayout(), {{"unit", "10s"}});
    ASSERT_TRUE(bool(store));
    for (auto &[number, complete, elements] :
         std::vector<std::tuple<uint64_t, bool, std::vector<uint32_t>>>{
             {0, true, {1, 5}}, {1, true, {1, 6}}, {2, false, {0, 1, 2, 3, 4, 5, 6}}}) {
      StoredUnit unit{number, complete, 10.0, {0, 90, 10, 0, 0, 0}, elements, {2}};
      EXPECT_FALSE(bool(store->put(unit)));
    }
    EXPECT_EQ(store->fact("unit"), "10s");
    EXPECT_EQ(store->fact("none"), "");
  }
  auto sides = readCampaign(path_, ElementKind::BranchSide);
  ASSERT_TRUE(bool(sides));
  EXPECT_EQ(sides->matrix->units(), 2u);
  EXPECT_EQ(sides->matrix->listed(), 5u);
  EXPECT_EQ(sides->counts.observed(), 1u);
  EXPECT_EQ(sides->counts.count(2), 1u);
  EXPECT_EQ(sides->matrix->name(0), "f:a b.c:3:5:0#0");
  ASSERT_TRUE(sides->listing);
  EXPECT_EQ(sides->listing->unreachable, 0u);
  EXPECT_EQ(sides->listing->coveredApart, 4u)
      << "2 of calibration; 0, 3 and 4 of the unit that is not complete, less 2 and 1";
  auto all = readCampaign(path_, ElementKind::BranchSide, StageSelection::All);
  ASSERT_TRUE(bool(all));
  EXPECT_EQ(all->counts.observed(), 2u) << "1 of the fuzzing stages, 2 of calibration";
  auto blocks = readCampaign(path_, ElementKind::Block);
  ASSERT_TRUE(bool(blocks));
  EXPECT_EQ(blocks->counts.observed(), 2u);
  EXPECT_EQ(blocks->counts.count(1), 2u);
  // Line 3 is in both blocks, so both units cover it, each with another block.
  auto statements = readCampaign(path_, ElementKind::Statement);
  ASSERT_TRUE(bool(statements));
  EXPECT_EQ(statements->matrix->listed(), 3u);
  EXPECT_EQ(statements->counts.count(1), 2u);
  EXPECT_EQ(statements->counts.count(2), 1u);
  EXPECT_EQ(statements->matrix->name(1), "f:a b.c:3#1");
}

// The campaign as it was after its first units: as if the later ones had never been.
TEST_F(StoreTest, TheFirstUnitsKnowNothingOfLaterOnes) {
  MapLayout layout = smallLayout();
  layout.unreachable[3] = Unreachable::Uncalled; // which is wrong, but only later units show it
  const std::vector<StoredUnit> units{{0, true, 10, {0, 90}, {1, 5}, {2}},
                                      {1, true, 10, {0, 80}, {1, 3}, {4}},
                                      {2, false, 3, {0, 7}, {0, 1, 2}, {}}};
  auto read = [&](const std::string &path, size_t stored, uint32_t first) {
    {
      auto store = SqliteStore::create(path, layout, {});
      EXPECT_TRUE(bool(store));
      for (size_t i = 0; i < stored; ++i) EXPECT_FALSE(bool(store->put(units[i])));
    }
    auto data = readCampaign(path, ElementKind::BranchSide, StageSelection::Fuzzing, first);
    EXPECT_TRUE(bool(data));
    return std::move(*data);
  };
  for (uint32_t first : {1u, 2u}) {
    const std::string shorter = path_ + "-then" + std::to_string(first);
    const std::string longer = path_ + "-now" + std::to_string(first);
    const estimate::Incidence then = read(shorter, first, 0), now = read(longer, 3, first);
    EXPECT_EQ(now.counts, then.counts);
    EXPECT_EQ(now.matrix->units(), first);
    EXPECT_EQ(now.matrix->listed(), then.matrix->listed());
    EXPECT_EQ(now.listing->coveredApart, then.listing->coveredApart);
    EXPECT_EQ(now.listing->unreachable, then.listing->unreachable);
    std::filesystem::remove(shorter);
    std::filesystem::remove(longer);
  }
}

// What no execution covers is not listed; what one covered is, come what may.
TEST_F(StoreTest, UnreachableElementsAreNotListed) {
  MapLayout layout = smallLayout();
  for (size_t i = 2; i < layout.unreachable.size(); ++i)
    if (i != 5) layout.unreachable[i] = i == 6 ? Unreachable::Behind : Unreachable::Uncalled;
  {
    auto store = SqliteStore::create(path_, layout, {});
    ASSERT_TRUE(bool(store));
    EXPECT_FALSE(bool(store->put({0, true, 1, StageCounts{0, 10}, {0, 3}, {}})));
  }
  auto sides = readCampaign(path_, ElementKind::BranchSide);
  ASSERT_TRUE(bool(sides));
  EXPECT_EQ(sides->matrix->listed(), 3u) << "two of f, and the third of operator new";
  EXPECT_EQ(sides->listing->unreachable, 2u);
  EXPECT_EQ(sides->listing->coveredApart, 0u);
  EXPECT_EQ(sides->counts.observed(), 2u);
  EXPECT_EQ(sides->matrix->name(2), "operator new::0:0:1#3");
  auto blocks = readCampaign(path_, ElementKind::Block);
  ASSERT_TRUE(bool(blocks));
  EXPECT_EQ(blocks->matrix->listed(), 1u);
  auto statements = readCampaign(path_, ElementKind::Statement);
  ASSERT_TRUE(bool(statements));
  EXPECT_EQ(statements->matrix->listed(), 2u) << "those with code in the first block";
  EXPECT_EQ(statements->listing->unreachable, 1u);
}

TEST_F(StoreTest, AnIncompleteUnitIsReplaced) {
  auto store = SqliteStore::create(path_, smallLayout(), {});
  ASSERT_TRUE(bool(store));
  EXPECT_FALSE(bool(store->put({0, false, 1, {0, 10}, {0}, {}})));
  EXPECT_FALSE(bool(store->put({0, true, 2, {1, 20, 3, 4, 5, 6}, {0, 4}, {1}})));
  std::vector<StoredUnit> units;
  EXPECT_FALSE(bool(store->forEachUnit([&](const StoredUnit &u) { units.push_back(u); })));
  ASSERT_EQ(units.size(), 1u);
  EXPECT_TRUE(units[0].complete);
  EXPECT_EQ(units[0].executions, (StageCounts{1, 20, 3, 4, 5, 6}));
  EXPECT_EQ(units[0].nonFuzzing, (std::vector<uint32_t>{1}));
  EXPECT_EQ(units[0].elements, (std::vector<uint32_t>{0, 4}));
}

TEST_F(StoreTest, AnErrorIsNotTheEndOfTheRows) {
  auto store = SqliteStore::create(path_, smallLayout(), {});
  ASSERT_TRUE(bool(store));
  auto reason = [](auto read) { return read ? "" : toString(read.takeError()); };
  EXPECT_EQ(reason(store->names(ElementKind::Statement)), "");
  execute("drop table statement; drop table state_point; drop table statement_block");
  EXPECT_NE(reason(store->names(ElementKind::Statement)).find("no such table"), std::string::npos);
  EXPECT_NE(reason(store->unreachable(ElementKind::Statement)).find("no such table"),
            std::string::npos);
  EXPECT_NE(reason(store->points()).find("no such table"), std::string::npos);
  EXPECT_EQ(reason(store->names(ElementKind::Block)), "");
  EXPECT_EQ(reason(store->unreachable(ElementKind::Block)), "");
  execute("drop table element");
  EXPECT_NE(reason(store->names(ElementKind::Block)).find("no such table"), std::string::npos);
  EXPECT_NE(reason(store->unreachable(ElementKind::Block)).find("no such table"),
            std::string::npos);
}

TEST_F(StoreTest, AFailedChangeLeavesNoTransactionOpen) {
  {
    auto store = SqliteStore::create(path_, smallLayout(), {});
    ASSERT_TRUE(bool(store));
    execute("drop table state");
    EXPECT_NE(toString(store->putStates({})).find("no such table"), std::string::npos);
    EXPECT_FALSE(bool(store->put({0, true, 1, {0, 10}, {0}, {}})));
  }
  EXPECT_TRUE(bool(readCampaign(path_, ElementKind::Block))) << "the unit is stored";
}

TEST_F(StoreTest, ASettledDatabaseIsOneFile) {
  auto beside = [&] { return std::filesystem::exists(path_ + "-wal"); };
  {
    auto store = SqliteStore::create(path_, smallLayout(), {});
    ASSERT_TRUE(bool(store));
    EXPECT_FALSE(bool(store->put({0, true, 1, {0, 10}, {0}, {}})));
    EXPECT_TRUE(beside());
    store->leaveWalMode();
    EXPECT_FALSE(beside());
    EXPECT_TRUE(bool(readCampaign(path_, ElementKind::BranchSide)));
  }
  EXPECT_TRUE(bool(readCampaign(path_, ElementKind::BranchSide)));
  EXPECT_FALSE(beside()) << "reading alone leaves nothing";
  auto again = SqliteStore::open(path_, /*readOnly=*/false);
  ASSERT_TRUE(bool(again));
  EXPECT_FALSE(bool(again->put({1, true, 1, {0, 10}, {0}, {}})));
  EXPECT_TRUE(beside()) << "a campaign that goes on has its log";
}

TEST_F(StoreTest, ReadersOfOneThatWasNotSettledLeaveNothing) {
  {
    auto store = SqliteStore::create(path_, smallLayout(), {});
    ASSERT_TRUE(bool(store));
    EXPECT_FALSE(bool(store->put({0, true, 1, {0, 10}, {0}, {}})));
  }
  EXPECT_TRUE(bool(readCampaign(path_, ElementKind::BranchSide)));
  for (const char *file : {"-wal", "-shm"}) EXPECT_FALSE(std::filesystem::exists(path_ + file));
}

TEST(CoverageTally, AUnitThatIsNotCompleteIsFoundAndNotCounted) {
  CoverageTally tally(smallLayout());
  tally.add({0, true, 10, {0, 5, 2, 0, 0, 0}, {0, 5}, {1}});
  tally.add({1, true, 14, {1, 0, 0, 0, 0, 0}, {0}, {}});
  tally.add({2, false, 3, {0, 7, 0, 0, 0, 0}, {2}, {}});
  CoverageCounts counts = tally.counts();
  EXPECT_EQ(counts.units, 2u);
  EXPECT_EQ(counts.unitSeconds, 12);
  EXPECT_EQ(counts.stages, (StageCounts{1, 12, 2, 0, 0, 0}));
  EXPECT_EQ(counts.sidesFound, 3u);
  EXPECT_EQ(counts.blocksFound, 1u);
  // The same unit, complete: its executions are not counted twice.
  tally.add({2, true, 10, {0, 9, 0, 0, 0, 0}, {2}, {}});
  EXPECT_EQ(tally.counts().stages, (StageCounts{1, 14, 2, 0, 0, 0}));
  EXPECT_EQ(tally.counts().units, 3u);
}

TEST(Minimize, NoByteCanGo) {
  auto holds = [](const std::string &text) {
    return text.find("needle") != std::string::npos && text.find('!') != std::string::npos;
  };
  std::string hay(3000, 'x');
  hay.replace(1500, 6, "needle");
  hay[2900] = '!';
  EXPECT_EQ(minimizeInput(hay, holds, 1000000), "needle!");
  // What matters only by being there becomes a plain byte.
  auto isLong = [](const std::string &text) { return text.size() >= 4; };
  EXPECT_EQ(minimizeInput("abcdefgh", isLong, 1000000), "0000");
  EXPECT_EQ(minimizeInput("abc", [](const std::string &) { return false; }, 1000), "abc");
  // Needs two passes over single bytes: 'b' can only go when 'a' is gone.
  auto depends = [](const std::string &text) {
    return text.find('k') != std::string::npos &&
           (text.find('a') == std::string::npos || text.find('b') != std::string::npos);
  };
  EXPECT_EQ(minimizeInput("bak", depends, 1000), "k");
}

TEST(Minimize, StopsWhenRunsAreSpent) {
  uint64_t runs = 0;
  std::string input(1000, 'x');
  auto isSame = [&](const std::string &text) {
    ++runs;
    return text.size() >= 990;
  };
  std::string out = minimizeInput(input, isSame, 50);
  EXPECT_EQ(runs, 50u);
  EXPECT_LE(out.size(), 1000u);
}

class ImportTest : public StoreTest {
protected:
  void put(const std::string &name, int secondsAgo = 0) {
    const std::filesystem::path file = folder_ + "/" + name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << name;
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() -
                                               std::chrono::seconds(secondsAgo));
  }
  /// "name@milliseconds" each; the reason when there is none.
  std::vector<std::string> order() {
    auto inputs = keptInputs(folder_);
    if (!inputs) return {toString(inputs.takeError())};
    std::vector<std::string> out;
    for (const KeptInput &input : *inputs)
      out.push_back(std::filesystem::path(input.file).filename().string() + "@" +
                    std::to_string(input.found.count()));
    return out;
  }
};

TEST_F(ImportTest, AflsOutputIsInTheOrderOfItsNames) {
  put("main/queue/id:000000,time:0,execs:0,orig:a");
  put("main/queue/id:000001,src:000000,time:700,execs:90,op:havoc", 50);
  put("main/crashes/id:000000,sig:11,src:000000,time:300,execs:40,op:havoc");
  put("main/crashes/README.txt");
  put("main/queue/.state/x");
  put("1/queue/id:000000,src:000000,time:500,execs:60,op:splice");
  put("1/hangs/id:000000,src:000000,time:900,execs:99,op:havoc");
  put("1/fuzzer_stats");
  EXPECT_EQ(order(),
            (std::vector<std::string>{"id:000000,time:0,execs:0,orig:a@0",
                                      "id:000000,sig:11,src:000000,time:300,execs:40,op:havoc@300",
                                      "id:000000,src:000000,time:500,execs:60,op:splice@500",
                                      "id:000001,src:000000,time:700,execs:90,op:havoc@700",
                                      "id:000000,src:000000,time:900,execs:99,op:havoc@900"}));
}

TEST_F(ImportTest, OtherFoldersAreInTheOrderOfTheirTimes) {
  put("0a1b", 100);
  put("ffff", 300);
  put("1234", 200);
  std::vector<std::string> got = order();
  ASSERT_EQ(got.size(), 3u);
  EXPECT_EQ(got[0], "ffff@0");
  EXPECT_NEAR(std::stod(got[1].substr(5)), 100000, 2000);
  EXPECT_NEAR(std::stod(got[2].substr(5)), 200000, 2000);
}

TEST_F(ImportTest, RefusesWhatHasNone) {
  EXPECT_NE(order()[0].find("no input in it"), std::string::npos);
  auto inputs = keptInputs(folder_ + "/" + std::string(300, 'n')); // no folder has such a long name
  ASSERT_FALSE(bool(inputs));
  EXPECT_NE(toString(inputs.takeError()).find("no input in it"), std::string::npos);
}

TEST_F(StoreTest, RefusesWhatItCannotRead) {
  auto message = [&] {
    auto store = SqliteStore::open(path_, /*readOnly=*/true);
    return store ? std::string() : toString(store.takeError());
  };
  EXPECT_NE(message(), "");
  std::ofstream(path_) << "a text that is no database, and long enough to be read as one";
  EXPECT_NE(message().find("not the database of a campaign"), std::string::npos) << message();
  std::filesystem::remove(path_);
  {
    auto store = SqliteStore::create(path_, smallLayout(), {});
    ASSERT_TRUE(bool(store));
    auto empty = readCampaign(path_, ElementKind::Block);
    ASSERT_FALSE(bool(empty));
    EXPECT_NE(toString(empty.takeError()).find("no sampling unit is complete"), std::string::npos);
    EXPECT_FALSE(bool(store->setFact("schema", "99")));
  }
  EXPECT_NE(message().find("schema version 99"), std::string::npos) << message();
}

TEST(UnitLength, IsATimeOrANumberOfExecutions) {
  UnitLength unit;
  ASSERT_TRUE(parseUnitLength("10s", unit));
  EXPECT_EQ(unit.time, std::chrono::seconds(10));
  ASSERT_TRUE(parseUnitLength("1000execs", unit));
  EXPECT_EQ(unit.executions, 1000u);
  EXPECT_EQ(unit.time.count(), 0);
  EXPECT_EQ(unit.text(), "1000execs");
  ASSERT_TRUE(parseUnitLength("2m", unit));
  EXPECT_EQ(unit.text(), "120s");
  for (const char *text : {"", "10", "0s", "-1s", "execs", "10 s", "5ms", "99999999999999999999s",
                           "99999999999999execs"})
    EXPECT_FALSE(parseUnitLength(text, unit)) << text;
}

TEST(AflCrashingSeeds, AreThoseOfItsDryRun) {
  EXPECT_EQ(
      aflCrashingSeeds("\x1b[0m[!] Test case 'id:000003,time:0,orig:it's' results in a crash, "
                       "skipping\n[*] Attempting dry run with 'id:000004'...\n"
                       "Test case 'id:000005,orig:b' results in a timeout\n"),
      std::vector<std::string>{"id:000003,time:0,orig:it's"});
  EXPECT_TRUE(aflCrashingSeeds("").empty());
}

TEST(AflReason, IsTheLastWordOfTheLog) {
  EXPECT_EQ(aflReason("\x1b[1;91m\n[-] PROGRAM ABORT : \x1b[0mNo instrumentation "
                      "detected\x1b[1;91m\n         Location : x()\n"),
            "No instrumentation detected");
  EXPECT_EQ(aflReason("[-]  SYSTEM ERROR : Unable to open 'x'\n    OS message : none\n"),
            "Unable to open 'x'");
  EXPECT_EQ(aflReason("all is well\n"), "");
}

} // namespace
