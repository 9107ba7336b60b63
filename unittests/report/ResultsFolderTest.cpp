// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ResultsFolder.h"
#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"

#include "report/KTest.h"
#include "report/Summary.h"
#include "report/TestFolder.h"
#include "report/Tests.h"

#include "fmt/format.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fathom::report;
using namespace fathom::explore;
using fathom::evidence::InputId;
using fathom::evidence::LedgerCategory;

namespace {

TestCase sampleTest() {
  TestCase t;
  auto bytes = [](std::string s) { return std::vector<uint8_t>(s.begin(), s.end()); };
  t.inputs = {{InputId::argument(0), bytes(std::string("prog\0", 5))},
              {InputId::argument(2), bytes(std::string("\xff'x\0yz\0", 7))},
              {InputId::argument(1), bytes(std::string("\0", 1))},
              {InputId::standardInput(), bytes(std::string("a\0b", 3))},
              {InputId::file("A"), bytes("contents")},
              {InputId::environment("V"), bytes(std::string("V=1\0", 4))}};
  t.symbols = {{"x", {1, 2, 3, 4}}};
  t.stdoutData = std::string("out\0\xfe", 5);
  t.stderrData = "err";
  t.status = 3;
  t.trace = {100, 0xfedcba9876543210ull, {{1, 11}, {2, 22}, {64, 0x8000000000000001ull}}};
  t.why = "path completed";
  return t;
}

Bug sampleBug(uint32_t line) {
  Bug bug;
  bug.kind = fathom::evidence::BugKind::OutOfBoundsWrite;
  bug.message = "write of 1 byte at offset 4 of a 4-byte heap object";
  bug.stack = {{"memcpy", "/fathom-libc/memcpy.c", 5, 1, false},
               {"f", "/src/a b.c", line, 3, true},
               {"main", "/src/a b.c", 40, 1, true}};
  bug.related = {{"allocated in main", "/src/a b.c", 39, 7, true}};
  bug.test = sampleTest();
  bug.test.end = EndKind::Bug;
  return bug;
}

class Folder : public testing::Test {
protected:
  Folder() {
    path = testing::TempDir() + "fathom-report-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    options.arguments = {"prog"};
  }
  ~Folder() override {
    if (auto parent = Directory::openOrCreate(path)) {
      for (auto &name : parent->entries()) llvm::consumeError(parent->remove(name));
    } else {
      llvm::consumeError(parent.takeError());
    }
    rmdir(path.c_str());
  }
  std::unique_ptr<ResultsFolder> create(bool force = false, const std::string &where = "",
                                        bool testComp = false) {
    FolderOptions f;
    f.path = where.empty() ? path + "/out" : where;
    f.force = force;
    f.testComp = testComp;
    f.testFolders = testFolders;
    f.commandLine = {"fathom", "explore"};
    f.programs = {"/src/pro\\gram"};
    f.nativeProgram = "/bin/it's";
    f.options = &options;
    auto folder = ResultsFolder::create(std::move(f));
    if (folder) return std::move(*folder);
    error = llvm::toString(folder.takeError());
    return nullptr;
  }
  llvm::json::Object json(const std::string &file) {
    auto object = readJsonObject(path + "/out/" + file);
    if (object) return std::move(*object);
    ADD_FAILURE() << llvm::toString(object.takeError());
    return {};
  }
  std::string text(const std::string &file) {
    auto data = readFile(path + "/out/" + file);
    if (data) return *data;
    ADD_FAILURE() << llvm::toString(data.takeError());
    return "";
  }

  std::string path, error;
  bool testFolders = true;
  ExploreOptions options;
};

} // namespace

TEST_F(Folder, TestsRoundTrip) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  ASSERT_TRUE(folder->onTest(sampleTest()));
  auto test = readTest(path + "/out/tests/000001", /*isBug=*/false);
  ASSERT_TRUE(bool(test)) << llvm::toString(test.takeError());
  EXPECT_EQ(test->inputs.arguments, (std::vector<std::string>{"prog", "", "\xff'x"}));
  EXPECT_EQ(test->inputs.environment, std::vector<std::string>{"V=1"});
  EXPECT_EQ(test->inputs.standardInput, std::string("a\0b", 3));
  ASSERT_EQ(test->inputs.files.size(), 1u);
  EXPECT_EQ(test->inputs.files[0], (std::pair<std::string, std::string>{"A", "contents"}));
  EXPECT_EQ(test->status, 3);
  EXPECT_EQ(test->end, EndKind::Exit);
  TestCase sample = sampleTest();
  EXPECT_EQ(test->trace.count, 100u);
  EXPECT_EQ(test->trace.hash, sample.trace.hash);
  EXPECT_EQ(test->trace.checkpoints, sample.trace.checkpoints);
  EXPECT_EQ(test->standardOutput, sample.stdoutData);
  auto ktest = decodeKTest(text("tests/000001/test.ktest"));
  ASSERT_TRUE(bool(ktest)) << llvm::toString(ktest.takeError());
  EXPECT_EQ(ktest->objects[0].name, "x");
}

TEST_F(Folder, ReadableWhileTheRunGoesOn) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  auto run = json("run.json");
  EXPECT_EQ(run.getInteger("schema"), 1);
  ASSERT_NE(run.get("ended"), nullptr);
  EXPECT_TRUE(run.get("ended")->getAsNull());
  ExploreResult result;
  result.stats.tests = 99; // what was written counts
  ASSERT_TRUE(folder->onTest(sampleTest()));
  ASSERT_FALSE(bool(folder->finish(result)));
  EXPECT_TRUE(json("run.json").getString("ended"));
  EXPECT_EQ(json("stats.json").getInteger("tests"), 1);
  EXPECT_EQ(json("ledger.json").getBoolean("complete"), true);
}

TEST_F(Folder, OneFolderPerBug) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  EXPECT_TRUE(folder->onBug(sampleBug(10)));
  EXPECT_TRUE(folder->onBug(sampleBug(10)));
  EXPECT_TRUE(folder->onBug(sampleBug(11)));
  EXPECT_EQ(folder->findings().size(), 2u);
  auto bug = json("bugs/000001/bug.json");
  EXPECT_EQ(bug.getString("kind"), "out-of-bounds-write");
  EXPECT_EQ(bug.getInteger("cwe"), 787);
  EXPECT_EQ(bug.getString("function"), "f") << "the first frame of the program's own code";
  EXPECT_EQ(bug.getArray("stack")->size(), 3u);
  auto stored = readTest(path + "/out/bugs/000002", /*isBug=*/true);
  ASSERT_TRUE(bool(stored)) << llvm::toString(stored.takeError());
  EXPECT_EQ(stored->bugKind, fathom::evidence::BugKind::OutOfBoundsWrite);
}

TEST_F(Folder, BugsAreToldApartByOwnCallsAndAllocation) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  Bug bug = sampleBug(10);
  EXPECT_TRUE(folder->onBug(bug));
  bug.stack[2].line = 41; // another call of f
  EXPECT_TRUE(folder->onBug(bug));
  bug.related[0].line = 38; // of another object
  EXPECT_TRUE(folder->onBug(bug));
  EXPECT_EQ(folder->findings().size(), 3u);
  bug.stack[0].line = 6;                                 // in libc
  bug.stack.insert(bug.stack.begin() + 1, bug.stack[1]); // a call that repeats
  bug.related.push_back({"freed in g", "/src/a b.c", 50, 1, true});
  EXPECT_TRUE(folder->onBug(bug));
  EXPECT_EQ(folder->findings().size(), 3u);
  EXPECT_EQ(json("tests/000001/exit.json").getString("bug"), "bugs/000003");
  EXPECT_EQ(json("tests/000001/exit.json").getString("end"), "bug");
  bug.pathGoesOn = true; // and leaves a test of its own
  EXPECT_TRUE(folder->onBug(bug));
  EXPECT_EQ(folder->testsWritten(), 1u);
}

TEST_F(Folder, OnePlaceHasSixteenStacks) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  for (uint32_t line = 1; line <= 20; ++line) {
    Bug bug = sampleBug(10);
    bug.stack[2].line = line;
    EXPECT_TRUE(folder->onBug(bug));
  }
  EXPECT_EQ(folder->findings().size(), 16u);
  EXPECT_EQ(folder->testsWritten(), 4u);
  EXPECT_EQ(json("tests/000004/exit.json").getString("bug"), "bugs/000001");
  ExploreResult result;
  ASSERT_FALSE(bool(folder->finish(result)));
  EXPECT_EQ(json("stats.json").getInteger("bug_tests"), 4);
  ASSERT_EQ(result.ledger.entries().size(), 1u);
  EXPECT_EQ(result.ledger.entries().begin()->first.category, LedgerCategory::BoundStacks);
  EXPECT_EQ(result.ledger.entries().begin()->second, 4u);
}

TEST_F(Folder, AFolderOfOthersIsRefused) {
  auto out = Directory::openOrCreate(path + "/out");
  ASSERT_FALSE(bool(out->write(".gitignore", "*")));
  EXPECT_EQ(stateOf(path + "/out"), FolderState::Free);
  ASSERT_FALSE(bool(out->write("notes.txt", "mine")));
  EXPECT_EQ(stateOf(path + "/out"), FolderState::Other);
  EXPECT_FALSE(create());
  EXPECT_FALSE(create(/*force=*/true));
  EXPECT_EQ(out->entries().size(), 2u);
}

TEST_F(Folder, ReplayScriptRuns) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  ASSERT_TRUE(folder->onBug(sampleBug(10)));
  // A program that shows its arguments, environment, file and input.
  std::string program = path + "/show";
  auto dir = Directory::openOrCreate(path);
  ASSERT_TRUE(bool(dir));
  ASSERT_FALSE(bool(dir->write(
      "show",
      "#!/bin/sh\nprintf '%s|' \"$#\" \"$1\" \"$2\" \"$V\" \"$(cat A)\"; od -An -tx1; exit 5\n",
      true)));
  std::string out = path + "/shown", script = path + "/out/bugs/000001/replay.sh";
  struct stat st{};
  ASSERT_EQ(stat(script.c_str(), &st), 0);
  EXPECT_TRUE(st.st_mode & S_IXUSR);
  int status = system((script + " " + program + " >" + out + " 2>/dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 5);
  EXPECT_EQ(*readFile(out), "2||\xff'x|1|contents| 61 00 62\n");
}

TEST(ProgressLine, SaysWhichTestsEndInABug) {
  Stats stats;
  stats.tests = 8;
  stats.bugs = 1;
  EXPECT_NE(progressLine(stats).find(" 8 tests, 1 bug,"), std::string::npos);
  stats.bugTests = 3;
  EXPECT_NE(progressLine(stats).find(" 8 tests (3 of them in a bug), 1 bug,"), std::string::npos);
}

/// What a native run cannot show is not run: the script says in one line what shows it.
TEST_F(Folder, ReplayScriptSaysWhatShowsTheBug) {
  std::string said = path + "/said";
  auto saidBy = [&](const std::string &folder) {
    const int status = system(("sh " + folder + "/replay.sh /bin/true 2>" + said).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2);
    return *readFile(said);
  };
  Bug bug = sampleBug(10);
  bug.test.failedAllocations = {1};
  ASSERT_TRUE(create()->onBug(bug));
  EXPECT_EQ(saidBy(path + "/out/bugs/000001"),
            "replay.sh: not run: this bug needs an allocation that fails, which it would not do "
            "here; to reproduce the bug: fathom replay '/src/pro\\gram' '" +
                path + "/out/bugs/000001'\n");
  options.entry = "parse";
  ASSERT_TRUE(create(/*force=*/true)->onBug(bug));
  EXPECT_EQ(saidBy(path + "/out/bugs/000001"),
            "replay.sh: not run: this bug was found with --entry parse, but a native run starts at "
            "main; call parse in a main of your own (fathom.h), explore that with "
            "--fail-allocations, and replay its bug\n");
  bug.test.failedAllocations.clear();
  ASSERT_TRUE(create(/*force=*/true)->onBug(bug));
  EXPECT_NE(saidBy(path + "/out/bugs/000001").find("explore that, and"), std::string::npos);
}

TEST_F(Folder, NeverOverwrittenSilently) {
  ASSERT_TRUE(create()->onTest(sampleTest()));
  EXPECT_FALSE(create());
  EXPECT_NE(error.find("--force"), std::string::npos) << error;
  auto dir = Directory::openOrCreate(path + "/out");
  ASSERT_FALSE(bool(dir->write("campaign.db", "another subcommand's")));
  ASSERT_TRUE(create(/*force=*/true)) << error;
  EXPECT_FALSE(dir->exists("tests/000001"));
  EXPECT_TRUE(dir->exists("campaign.db"));
}

TEST_F(Folder, WhatIsNotOursStays) {
  auto out = Directory::openOrCreate(path + "/out");
  auto coverage = out->create("coverage");
  ASSERT_FALSE(bool(coverage->write("mine", "x")));
  for (bool force : {false, true}) {
    EXPECT_FALSE(create(force));
    EXPECT_NE(error.find("name another folder"), std::string::npos) << error;
  }
  EXPECT_EQ(out->entries(), std::vector<std::string>{"coverage"});

  // A run.json that another tool wrote is not a licence either.
  ASSERT_FALSE(bool(out->write("run.json", "{\"schema\": 1, \"tool\": {\"name\": \"other\"}}")));
  EXPECT_FALSE(create(/*force=*/true));
  EXPECT_TRUE(coverage->exists("mine"));
  EXPECT_EQ(stateOf(path + "/out"), FolderState::Foreign);
}

TEST_F(Folder, FilesAmongResultsStay) {
  ASSERT_TRUE(create()->onTest(sampleTest()));
  ExploreResult result;
  for (const char *name : {"tests", "bugs", "coverage"}) {
    auto dir = Directory::openOrCreate(path + "/out/" + name);
    ASSERT_FALSE(bool(dir->write("mine", "x")));
    ASSERT_TRUE(bool(dir->create(".000002"))) << "a run that was killed";
  }
  auto folder = create(/*force=*/true);
  ASSERT_TRUE(folder) << error;
  auto tests = Directory::openOrCreate(path + "/out/tests");
  EXPECT_EQ(tests->entries(), std::vector<std::string>{"mine"});
  EXPECT_TRUE(folder->onTest(sampleTest()));
  ASSERT_FALSE(bool(folder->finish(result)));
  folder->discard();
  EXPECT_EQ(text("coverage/mine"), "x");
  EXPECT_EQ(text("bugs/mine"), "x");
  EXPECT_EQ(tests->entries(), std::vector<std::string>{"mine"});
  EXPECT_EQ(stateOf(path + "/out"), FolderState::Foreign);
}

TEST_F(Folder, OneRunAtATime) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  EXPECT_FALSE(create(/*force=*/true));
  EXPECT_NE(error.find("another run is writing there"), std::string::npos) << error;
  folder.reset();
  EXPECT_TRUE(create(/*force=*/true)) << error;
}

TEST_F(Folder, SarifHasWhatReadersNeed) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  ASSERT_TRUE(folder->onBug(sampleBug(10)));
  ExploreResult result;
  result.lines.files["/src/a b.c"] = {{10, true}, {11, false}};
  ASSERT_FALSE(bool(folder->finish(result)));
  auto sarif = json("results.sarif");
  EXPECT_EQ(sarif.getString("version"), "2.1.0");
  auto &run = *(*sarif.getArray("runs"))[0].getAsObject();
  auto &finding = *(*run.getArray("results"))[0].getAsObject();
  EXPECT_EQ(finding.getString("ruleId"), "out-of-bounds-write");
  auto &location =
      *(*finding.getArray("locations"))[0].getAsObject()->getObject("physicalLocation");
  EXPECT_EQ(location.getObject("artifactLocation")->getString("uri"), "file:///src/a%20b.c");
  EXPECT_EQ(location.getObject("region")->getInteger("startLine"), 10);
  auto &flow = *(*(*finding.getArray("codeFlows"))[0].getAsObject()->getArray("threadFlows"))[0]
                    .getAsObject();
  EXPECT_EQ(flow.getArray("locations")->size(), 3u);
  EXPECT_EQ(text("coverage/lcov.info"),
            "TN:explore\nSF:/src/a b.c\nDA:10,1\nDA:11,0\nLF:2\nLH:1\nend_of_record\n");
}

TEST_F(Folder, TestCompSuite) {
  auto folder = create(false, "", /*testComp=*/true);
  ASSERT_TRUE(folder) << error;
  TestCase t = sampleTest();
  t.symbols = {{"__VERIFIER_nondet_int", {0xff, 0xff, 0xff, 0xff}},
               {"__VERIFIER_nondet_uchar", {0xff}},
               {"__VERIFIER_nondet_double", {0, 0, 0, 0, 0, 0, 4, 0x40}},
               {"__VERIFIER_nondet_float_1", {0, 0, 0x20, 0xc0}},
               {"__VERIFIER_nondet_U32", {0, 0, 0, 0xf0}},
               {"__VERIFIER_nondet_int128", std::vector<uint8_t>(16, 0xff)},
               {"__VERIFIER_nondet_sector_t_12", std::vector<uint8_t>(8, 0xff)},
               {"buffer", {1, 2, 3}}};
  ASSERT_TRUE(folder->onTest(t));
  EXPECT_NE(text("tests-testcomp/metadata.xml").find("<sourcecodelang>C</sourcecodelang>"),
            std::string::npos);
  std::string xml = text("tests-testcomp/testcase-1.xml");
  EXPECT_NE(xml.find(">-1</input>"), std::string::npos) << xml;
  EXPECT_NE(xml.find(">255</input>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("nondet_double\">2.5</input>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("nondet_float_1\">-2.5</input>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("nondet_U32\">4026531840</input>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("nondet_int128\">-1</input>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("nondet_sector_t_12\">18446744073709551615</input>"), std::string::npos)
      << xml;
  EXPECT_NE(xml.find("variable=\"buffer[2]\">3<"), std::string::npos) << xml;

  // Only what ends in reach_error covers the error; not any abort.
  Bug bug = sampleBug(10);
  bug.kind = fathom::evidence::BugKind::Abort;
  ASSERT_TRUE(folder->onBug(bug));
  bug.stack.insert(bug.stack.begin(), {"reach_error", "/src/a b.c", 5, 1, true});
  ASSERT_TRUE(folder->onBug(bug));
  EXPECT_EQ(text("tests-testcomp/testcase-bug-1.xml").find("coversError"), std::string::npos);
  EXPECT_NE(text("tests-testcomp/testcase-bug-2.xml").find("<testcase coversError=\"true\">"),
            std::string::npos);
}

TEST_F(Folder, DamagedTestsAreNamed) {
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  ASSERT_TRUE(folder->onTest(sampleTest()));
  std::string dir = path + "/out/tests/000001";
  auto expect = [&](const std::string &what) {
    auto test = readTest(dir, false);
    ASSERT_FALSE(bool(test));
    std::string message = llvm::toString(test.takeError());
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  auto files = Directory::openOrCreate(dir);
  std::string good = *readFile(dir + "/args.json");
  ASSERT_FALSE(
      bool(files->write("args.json", "{\"args_hex\": [\"7\"], \"env_hex\": [], \"files\": []}")));
  expect("args_hex");
  ASSERT_FALSE(bool(files->write(
      "args.json", "{\"args_hex\": [\"70\"], \"env_hex\": [], \"files\": [\"../x\"]}")));
  expect("files");
  ASSERT_FALSE(bool(files->write("args.json", "{")));
  expect("not JSON");
  ASSERT_FALSE(bool(files->write("args.json", good)));
  ASSERT_FALSE(bool(files->remove("stdin")));
  expect("stdin: No such file");
}

// A file size limit stands for any write that fails: nothing half-written may stay.
TEST_F(Folder, FailedWritesLeaveNoHalfTest) {
  signal(SIGXFSZ, SIG_IGN);
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  ASSERT_TRUE(folder->onTest(sampleTest()));
  rlimit before{}, small{};
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  TestCase large = sampleTest();
  large.stdoutData = std::string(5000, 'x');
  EXPECT_FALSE(folder->onTest(large));
  EXPECT_FALSE(folder->onTest(sampleTest())) << "what failed once stays failed";
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(folder->failure().find("stdout: File too large"), std::string::npos)
      << folder->failure();
  auto tests = Directory::openOrCreate(path + "/out/tests");
  EXPECT_EQ(tests->entries(), std::vector<std::string>{"000001"});
  ExploreResult result;
  EXPECT_FALSE(bool(folder->finish(result)));
  EXPECT_EQ(json("stats.json").getInteger("tests"), 1);
}

// The same of tests that wait for the store: they are no part of the results.
TEST_F(Folder, FailedFlushesDoNotCount) {
  signal(SIGXFSZ, SIG_IGN);
  testFolders = false;
  auto folder = create();
  ASSERT_TRUE(folder) << error;
  ASSERT_TRUE(folder->onTest(sampleTest()));
  ASSERT_TRUE(folder->onCheckpoint("first")) << "this flushes";
  ASSERT_TRUE(folder->onTest(sampleTest()));
  ASSERT_TRUE(folder->onTest(sampleTest()));
  EXPECT_EQ(folder->testsWritten(), 3u);
  rlimit before{}, small{};
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 50;
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_FALSE(folder->onCheckpoint("second"));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(folder->onCheckpoint("third")) << "it would not know of those that are lost";
  EXPECT_NE(text("checkpoint").find("first"), std::string::npos);
  EXPECT_FALSE(folder->onTest(sampleTest())) << "what failed once stays failed";
  EXPECT_NE(folder->failure().find("tests.store: File too large"), std::string::npos)
      << folder->failure();
  ExploreResult result;
  EXPECT_FALSE(bool(folder->finish(result)));
  EXPECT_EQ(json("stats.json").getInteger("tests"), 1);
  EXPECT_EQ(json("stats.json").getString("stop"), "disk-full");
  auto tests = Tests::open(path + "/out", Tests::Which::Tests);
  ASSERT_TRUE(bool(tests)) << llvm::toString(tests.takeError());
  EXPECT_EQ(tests->items().size(), 1u);
}

TEST_F(Folder, FullDisk) {
  std::string disk = path + "/disk";
  mkdir(disk.c_str(), 0777);
  if (mount("none", disk.c_str(), "tmpfs", 0, "size=3m") != 0)
    GTEST_SKIP() << "mounting is not allowed here";
  {
    auto folder = create(false, disk + "/out");
    if (!folder) umount(disk.c_str());
    ASSERT_TRUE(folder) << error;
    TestCase test = sampleTest();
    test.stdoutData = std::string(100000, 'x');
    test.coversNew = true; // others are left out before the disk is full
    size_t written = 0;
    while (written < 1000 && folder->onTest(test)) ++written;
    EXPECT_GT(written, 5u);
    EXPECT_LT(written, 100u);
    EXPECT_NE(folder->failure().find("No space left"), std::string::npos) << folder->failure();
    auto tests = Directory::openOrCreate(disk + "/out/tests");
    EXPECT_EQ(tests->entries().size(), written);
    for (auto &name : tests->entries()) {
      auto back = readTest(fmt::format("{}/out/tests/{}", disk, name), false);
      EXPECT_TRUE(bool(back)) << llvm::toString(back.takeError());
    }
    ExploreResult result;
    EXPECT_FALSE(bool(folder->finish(result))) << "there was a reserve for this";
    EXPECT_EQ(readJsonObject(disk + "/out/stats.json")->getInteger("tests"),
              static_cast<int64_t>(written));
  }
  umount2(disk.c_str(), MNT_DETACH);
}

TEST_F(Folder, DiskBudget) {
  TestCase test = sampleTest();
  FolderOptions limited;
  limited.path = path + "/limited";
  limited.options = &options;
  limited.maxDiskBytes = 200'000;
  limited.testFolders = true;
  auto other = ResultsFolder::create(std::move(limited));
  ASSERT_TRUE(bool(other)) << llvm::toString(other.takeError());
  for (int i = 0; i < 100; ++i) EXPECT_TRUE((*other)->onTest(test));
  const uint64_t written = (*other)->testsWritten();
  EXPECT_GT(written, 1u);
  EXPECT_LT(written, 50u);
  test.coversNew = true;
  EXPECT_TRUE((*other)->onTest(test));
  EXPECT_EQ((*other)->testsWritten(), written + 1);
  ExploreResult result;
  EXPECT_FALSE(bool((*other)->finish(result)));
  ASSERT_EQ(result.ledger.entries().size(), 1u);
  EXPECT_EQ(result.ledger.entries().begin()->first.category, LedgerCategory::DroppedTest);
  EXPECT_EQ(result.ledger.entries().begin()->second, 100 - written);
}

TEST(Summary, SaysWhatIsNotCovered) {
  ExploreResult result;
  const char *const kOneRun =
      "nothing was symbolic: this was one run on one input; make input symbolic";
  const char *const kAll = "all paths under these inputs";
  EXPECT_NE(humanSummary(result, {}, "p", "out").find(kOneRun), std::string::npos);
  EXPECT_EQ(humanSummary(result, {}, "p", "out").find(kAll), std::string::npos);
  // What parts paths without input is no input either.
  result.stats.forks = 1;
  EXPECT_NE(humanSummary(result, {}, "p", "out").find("no input was symbolic: paths forked only"),
            std::string::npos);
  result.stats.forks = 0;
  result.ledger.add(LedgerCategory::Environment, "", "a call that is not modelled");
  EXPECT_NE(humanSummary(result, {}, "p", "out").find(kOneRun), std::string::npos);
  result = {};
  result.stats.symbols = 1;
  EXPECT_NE(
      humanSummary(result, {}, "p", "out")
          .find("all paths under these inputs and this model of the environment were explored"),
      std::string::npos);
  uint64_t count = 0;
  for (const LedgerCategory category : {LedgerCategory::BoundForks, LedgerCategory::OpenSide,
                                        LedgerCategory::DroppedState, LedgerCategory::Threads})
    result.ledger.add(category, "a.c:1 in f", "detail", ++count);
  std::string text = humanSummary(result, {}, "p", "out");
  EXPECT_NE(text.find("4 x threads at a.c:1 in f: detail"), std::string::npos) << text;
  EXPECT_EQ(text.find("bound-forks"), std::string::npos) << "three lines";
  // Of a ledger that could not be written, no line is elsewhere.
  text = humanSummary(result, {}, "p", "out", /*hasLedger=*/false);
  EXPECT_NE(text.find("1 x bound-forks"), std::string::npos) << text;
  EXPECT_EQ(text.find("ledger.json"), std::string::npos) << text;
  // Assumptions leave nothing out, and are told all the same.
  result.ledger = {};
  for (const char *name : {"/d", "/c", "/b", "/a", "/a (again)"})
    result.ledger.add(LedgerCategory::MissingFile, "a.c:1 in f", name);
  text = humanSummary(result, {}, "p", "out");
  EXPECT_NE(text.find(kAll), std::string::npos) << text;
  EXPECT_NE(text.find("assumption: the program asked for /a, /a (again), /b and 2 more names"),
            std::string::npos)
      << text;
  for (int k = 0; k < 100; ++k)
    result.ledger.add(LedgerCategory::MissingFile, "a.c:1 in f", "/e" + std::to_string(k));
  text = humanSummary(result, {}, "p", "out");
  EXPECT_NE(text.find("asked for /a, /a (again), /b and 102 more names"), std::string::npos)
      << text;
  EXPECT_EQ(shortNumber(1234567), "1.23 M");
  EXPECT_EQ(shortNumber(999), "999");
}

TEST(Summary, SaysWhatBecameOfSeeds) {
  ExploreResult result;
  EXPECT_EQ(humanSummary(result, {}, "p", "out").find("  seeds"), std::string::npos);
  result.stats.seedsGiven = 3;
  EXPECT_NE(humanSummary(result, {}, "p", "out")
                .find("seeds         0 of 3 followed to the end of their path\n"),
            std::string::npos);
  Stats part;
  part.seedsFollowed = part.seedsCut = 1;
  part.seedBytesCut = 21;
  add(result.stats, part);
  add(result.stats, part);
  EXPECT_NE(humanSummary(result, {}, "p", "out")
                .find("2 of 3 followed to the end of their path; 2 did not fit into the symbolic "
                      "input: 42 bytes left out\n"),
            std::string::npos);
}

TEST(Summary, TheSolversShareIsOfAllWorkersTime) {
  ExploreResult result;
  result.stats.wallSeconds = result.stats.workerSeconds = 10;
  result.stats.solverSeconds = 9;
  EXPECT_NE(humanSummary(result, {}, "p", "out").find("9.0 s (90 % of the time)"),
            std::string::npos);
  result.stats.workerSeconds = 20;
  result.stats.solverSeconds = 19;
  EXPECT_NE(humanSummary(result, {}, "p", "out").find("19.0 s (95 % of all workers' time)"),
            std::string::npos);
}

TEST(Summary, TheFuzzSolverCountsAsItsStagesDo) {
  ExploreResult result;
  EXPECT_EQ(humanSummary(result, {}, "p", "out").find("fuzz solver"), std::string::npos);
  Stats part;
  part.states = 10;
  part.externalCalls = 4;
  part.deferredCalls = 3;
  part.openedStates = 2;
  part.stages = {{.name = fathom::solver::kPredictorStage, .asked = 9, .unknown = 2, .passedOn = 7},
                 {.name = fathom::solver::kFuzzStage,
                  .asked = 7,
                  .sat = 5,
                  .unknown = 2,
                  .evaluations = 90,
                  .seconds = 0.5}};
  add(result.stats, part);
  add(result.stats, part);
  const std::string text = statsText(result.stats);
  EXPECT_NE(text.find("\"predicted_unsat\": 4"), std::string::npos) << text;
  EXPECT_NE(text.find("\"deferred_calls\": 6"), std::string::npos) << text;
  const std::string summary = humanSummary(result, {}, "p", "out");
  EXPECT_NE(summary.find(
                "solved 10 of 18 queries that the other stages left open; skipped 4 as predicted "
                "unsatisfiable; 180 inputs, 1.0 s"),
            std::string::npos)
      << summary;
  EXPECT_NE(summary.find("4 of 20 (20.0 %) states need another result than the first"),
            std::string::npos)
      << summary;
}
