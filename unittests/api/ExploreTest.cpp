// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support.h"

#include <fathom/Explore.h>
#include <fathom/Results.h>
#include <fathom/Version.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <sys/resource.h>
#include <thread>

namespace fathom::api::test {
namespace {

ExploreOptions optionsFor(const char *entry) {
  ExploreOptions out;
  out.entry = entry;
  return out;
}

TEST(Version, HasThreeNumbers) {
  const std::string text = version();
  EXPECT_EQ(std::count(text.begin(), text.end(), '.'), 2);
}

TEST(BugKinds, AreOfExecutionsOrOfScans) {
  const std::vector<BugKind> kinds = bugKinds();
  const auto find = [&](const char *name) {
    return std::find_if(kinds.begin(), kinds.end(),
                        [&](const BugKind &kind) { return kind.name == name; });
  };
  const auto division = find("division-by-zero");
  ASSERT_NE(division, kinds.end());
  EXPECT_EQ(division->cwe, 369u);
  EXPECT_TRUE(division->isExecuted);
  const auto overflow = find("signed-overflow");
  ASSERT_NE(overflow, kinds.end());
  EXPECT_TRUE(overflow->isExecuted);
  EXPECT_FALSE(overflow->isScanned);
  const auto twice = find("double-free");
  ASSERT_NE(twice, kinds.end());
  EXPECT_TRUE(twice->isExecuted && twice->isScanned);
}

TEST(Load, ListsFunctions) {
  const Scratch scratch;
  const Result<Program> program = load(scratch.program(kSignAndDivide).files);
  ASSERT_TRUE(bool(program));
  ASSERT_EQ(program->functions.size(), 2u);
  EXPECT_EQ(program->functions[0].name, "divide");
  EXPECT_EQ(program->functions[1].name, "sign");
  EXPECT_EQ(program->branches, 1u);
  EXPECT_EQ(program->executable, "");
}

TEST(Load, ReturnsWrongUsage) {
  const Scratch scratch;
  EXPECT_EQ(usageOf(load({})), "no program given");
  EXPECT_TRUE(contains(usageOf(load({scratch.path("absent.bc")})), "absent.bc"));
  EXPECT_TRUE(contains(usageOf(load({scratch.path("")})), scratch.path("")));
  EXPECT_TRUE(contains(usageOf(load({scratch.write("text.ll", "no assembly")})), "text.ll"));
}

TEST(Explore, NeedsNoFolder) {
  const Scratch scratch;
  const std::string temporary = scratch.path("tmp");
  std::filesystem::create_directory(temporary);
  const char *before = getenv("TMPDIR");
  const std::string saved = before ? before : "/tmp";
  setenv("TMPDIR", temporary.c_str(), /*overwrite=*/1);
  ExploreOptions options = optionsFor("sign");
  std::vector<api::Test> tests;
  options.onTest = [&](const api::Test &test) { tests.push_back(test); };
  const Result<Exploration> done = explore(scratch.program(kSignAndDivide), options);
  setenv("TMPDIR", saved.c_str(), /*overwrite=*/1);
  ASSERT_TRUE(bool(done)) << done.error().message;
  EXPECT_EQ(done->end, ExploreEnd::Exhausted);
  EXPECT_TRUE(done->isComplete);
  EXPECT_EQ(done->paths, 2u);
  EXPECT_EQ(done->branchesCovered, 2u);
  EXPECT_TRUE(done->bugs.empty());
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].number, 1u);
  EXPECT_EQ(tests[1].number, 2u);
  // The parameter, negative in one of them.
  int negative = 0;
  for (const api::Test &test : tests) {
    ASSERT_EQ(test.symbols.size(), 1u);
    ASSERT_EQ(test.symbols[0].second.size(), 4u);
    negative += (test.symbols[0].second[3] & 0x80) != 0;
  }
  EXPECT_EQ(negative, 1);
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST(Explore, WritesAFolderThatCanBeRead) {
  const Scratch scratch;
  const Program program = scratch.program(kSignAndDivide);
  ExploreOptions options = optionsFor("divide");
  options.folder = scratch.path("out");
  std::vector<Bug> bugs;
  options.onBug = [&](const Bug &bug) { bugs.push_back(bug); };
  const Result<Exploration> done = explore(program, options);
  ASSERT_TRUE(bool(done)) << done.error().message;
  // 10 / 0, and no other: nothing overflows.
  ASSERT_EQ(done->bugs.size(), 1u);
  EXPECT_EQ(done->bugs[0].kind, "division-by-zero");
  EXPECT_EQ(done->bugs[0].place.function, "divide");
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].folder, "bugs/000001");

  const Result<RunResults> read = readResults(options.folder);
  ASSERT_TRUE(bool(read)) << read.error().message;
  EXPECT_EQ(read->activity, "explore");
  EXPECT_EQ(read->version, version());
  EXPECT_EQ(read->howEnded, done->howEnded);
  ASSERT_EQ(read->bugs.size(), 1u);
  EXPECT_EQ(read->bugs[0].message, done->bugs[0].message);
  EXPECT_EQ(read->bugs[0].folder, "bugs/000001");
  EXPECT_EQ(read->ledger.size(), done->ledger.size());
  std::vector<api::Test> tests;
  const Result<uint64_t> visited = readTests(options.folder, [&](const api::Test &test) {
    tests.push_back(test);
    return true;
  });
  ASSERT_TRUE(bool(visited)) << visited.error().message;
  EXPECT_EQ(*visited, done->tests + 1);
  ASSERT_EQ(tests.size(), *visited);
  EXPECT_EQ(tests.back().end, End::Bug);
  EXPECT_EQ(tests.back().bug, "bugs/000001");
  ASSERT_EQ(tests.back().symbols.size(), 1u);
  EXPECT_EQ(tests.back().symbols[0].second, std::string(4, '\0'));
  const Result<uint64_t> one = readTests(options.folder, [](const api::Test &) { return false; });
  ASSERT_TRUE(bool(one));
  EXPECT_EQ(*one, 1u);

  // The folder is taken now.
  EXPECT_TRUE(contains(usageOf(explore(program, options)), "--force"));
  options.replace = true;
  EXPECT_TRUE(bool(explore(program, options)));
}

TEST(Explore, EndsEarly) {
  const Scratch scratch;
  // Four thousand million paths.
  const Program program = scratch.program(R"(
define i32 @count(i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %c = icmp eq i32 %i, %x
  br i1 %c, label %out, label %loop
out:
  ret i32 0
})");
  ExploreOptions options = optionsFor("count");
  options.maxInstructions = 2000;
  const Result<Exploration> limited = explore(program, options);
  ASSERT_TRUE(bool(limited)) << limited.error().message;
  EXPECT_EQ(limited->end, ExploreEnd::Instructions);
  EXPECT_FALSE(limited->isComplete);
  EXPECT_FALSE(limited->ledger.empty());

  options.maxInstructions = 100'000'000; // a backstop
  std::atomic<bool> stop{false};
  Session session;
  session.stop = &stop;
  options.onTest = [&](const api::Test &) { stop = true; };
  const Result<Exploration> stopped = explore(program, options, session);
  ASSERT_TRUE(bool(stopped)) << stopped.error().message;
  EXPECT_EQ(stopped->end, ExploreEnd::Stopped);
}

TEST(Explore, HasWorkers) {
  const Scratch scratch;
  ExploreOptions options = optionsFor("sign");
  options.jobs = 2;
  const Result<Exploration> done = explore(scratch.program(kSignAndDivide), options);
  ASSERT_TRUE(bool(done)) << done.error().message;
  EXPECT_TRUE(done->isComplete);
  EXPECT_EQ(done->paths, 2u);
}

TEST(Explore, ReturnsWrongUsage) {
  const Scratch scratch;
  const Program program = scratch.program(kSignAndDivide);
  const auto wrong = [&](auto change) {
    ExploreOptions options = optionsFor("sign");
    options.folder = scratch.path("out");
    change(options);
    std::string text = usageOf(explore(program, options));
    EXPECT_FALSE(std::filesystem::exists(scratch.path("out"))) << text;
    return text;
  };
  EXPECT_EQ(usageOf(explore(Program())), "no program given");
  EXPECT_EQ(wrong([](ExploreOptions &o) { o.jobs = 0; }), "--jobs 0: expected 1 to 256");
  EXPECT_TRUE(contains(wrong([](ExploreOptions &o) { o.search = "best"; }), "best"));
  EXPECT_TRUE(contains(wrong([](ExploreOptions &o) { o.entry = "absent"; }), "absent"));
  EXPECT_TRUE(contains(wrong([](ExploreOptions &o) { o.environment = {"=x"}; }), "--env =x"));
  EXPECT_TRUE(
      contains(wrong([](ExploreOptions &o) { o.arguments = {"--sym-arg", "-1"}; }), "is negative"));
  EXPECT_TRUE(contains(wrong([](ExploreOptions &o) { o.resume = true; }), "--resume"));
  EXPECT_TRUE(contains(wrong([](ExploreOptions &o) {
                         o.folder = "";
                         o.resume = true;
                       }),
                       "--resume"));
}

TEST(Explore, RefusesASecondThread) {
  const Scratch scratch;
  std::mutex mutex;
  mutex.lock();
  std::thread other([&] { const std::lock_guard<std::mutex> until(mutex); });
  const std::string text = usageOf(explore(scratch.program(kSignAndDivide), optionsFor("sign")));
  mutex.unlock();
  other.join();
  EXPECT_TRUE(contains(text, "the process has 2 threads")) << text;
}

// What a call changes in the process, it changes back.
TEST(Explore, LeavesTheProcessAsItWas) {
  const Scratch scratch;
  rlimit before{}, after{};
  getrlimit(RLIMIT_STACK, &before);
  ASSERT_TRUE(bool(explore(scratch.program(kSignAndDivide), optionsFor("sign"))));
  getrlimit(RLIMIT_STACK, &after);
  EXPECT_EQ(before.rlim_cur, after.rlim_cur);
}

TEST(Results, ReturnWrongUsage) {
  const Scratch scratch;
  const auto all = [](const api::Test &) { return true; };
  EXPECT_TRUE(contains(usageOf(readResults(scratch.path("absent"))), "holds no results"));
  EXPECT_TRUE(contains(usageOf(readTests(scratch.path("absent"), all)), "holds no results"));
  scratch.write("run.json", "{");
  EXPECT_TRUE(contains(usageOf(readResults(scratch.path(""))), "run.json"));
  scratch.write("run.json", "{}");
  EXPECT_TRUE(contains(usageOf(readResults(scratch.path(""))), "is not of Fathom"));
  scratch.write("run.json", R"({"schema": 99, "tool": {"name": "fathom"}})");
  EXPECT_TRUE(contains(usageOf(readResults(scratch.path(""))), "schema version 99"));
  EXPECT_TRUE(contains(usageOf(readTests(scratch.path(""), all)), "schema version 99"));
  scratch.write("run.json", R"({"schema": 1, "tool": {"name": "fathom"}})");
  EXPECT_TRUE(bool(readResults(scratch.path(""))));
  scratch.write("ledger.json", R"({"entries": [7]})");
  EXPECT_TRUE(contains(usageOf(readResults(scratch.path(""))), "ledger.json"));
  scratch.write("ledger.json", R"({"entries": []})");
  scratch.write("bugs", "");
  EXPECT_TRUE(contains(usageOf(readResults(scratch.path(""))), "/bugs: cannot be read"));
  std::filesystem::remove(scratch.path("bugs"));
  std::filesystem::create_directories(scratch.path("bugs/000001"));
  scratch.write("bugs/000001/bug.json", R"({"kind": "nothing"})");
  EXPECT_TRUE(contains(usageOf(readResults(scratch.path(""))), "bugs/000001/bug.json"));
}

} // namespace
} // namespace fathom::api::test
