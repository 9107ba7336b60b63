// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A path's log leads to the same state again, in another executor and without a solver.
#include "Support.h"

#include "explore/decide/PathReplayer.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <unistd.h>

namespace fathom::explore::test {
namespace {

/// Every kind of decision: branches, a switch, indices to read, write and call through, a choice of
/// objects, a wild pointer's objects, checks that can fail, a copy of symbolic size, memory that
/// was never written, a value that is pinned.
const char *const kRestoreProgram = R"(
static int add(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*const table[3])(int) = {add, twice, square};
static char small[4] = "abc", large[9000];
struct Named { char *text; int length; } names[2] = {{small, 4}, {large, 9000}};
void *memcpy(void *, const void *, unsigned long);

int main(void) {
  unsigned char in[8];
  __fathom_make_symbolic(in, sizeof in, "in");
  int result = 0, cells[8] = {1, 2, 3};
  if (in[0] > 'm') result = 1;
  switch (in[1]) {
  case 1: result += 10; break;
  case 2:
  case 3: result += 20; break;
  case 200: return 3;
  }
  if (in[2] < 8) {
    cells[in[2]] = 7;
    if (cells[1] == 7) result += 100;
  }
  if (in[3] < 3) result += table[in[3]](in[0]);
  struct Named named = names[in[4] & 1];
  if (named.text[in[5] & 3] == 'b') result += 1000;
  if (in[6] && 1000 / in[6] == 11) result += 10000;
  char block[16];
  unsigned n = in[7] & 3;
  __builtin_memcpy(block, small, n);
  if (n > 1 && block[1] == 'b') result++;
  struct { char set, unset; } pair, copy;
  pair.set = 1;
  copy = pair;
  if (in[6] == 9 && copy.unset > 'x') result += pair.unset == 'y' ? 2 : 4;
  int *p = in[6] > 100 ? cells : &result;
  if (in[0] < 2) *p += large[in[6] * 35];
  return result & 0x7f;
}
)";

void expectSame(const State &a, const State &b, SymbolicExecutor &inA, SymbolicExecutor &inB) {
  EXPECT_EQ(a.top->function, b.top->function);
  // The restored one stops at its last decision, the other one may have gone on without any.
  EXPECT_GE(a.instructions, b.instructions);
  EXPECT_EQ(a.forks, b.forks);
  EXPECT_EQ(a.log.bytes(), b.log.bytes());
  EXPECT_EQ(a.path.size(), b.path.size());
  EXPECT_EQ(a.identity, b.identity);
  ASSERT_EQ(!a.pending, !b.pending);
  if (a.pending) {
    EXPECT_EQ(a.pending->kind, b.pending->kind);
    EXPECT_EQ(a.pending->branchId, b.pending->branchId);
    EXPECT_EQ(a.pending->side, b.pending->side);
    EXPECT_EQ(a.pending->attempts, b.pending->attempts);
  }
  auto symbolsA = a.symbols.items(), symbolsB = b.symbols.items();
  ASSERT_EQ(symbolsA.size(), symbolsB.size());
  for (size_t i = 0; i < symbolsA.size(); i++)
    EXPECT_EQ(a.witness->bytes(*symbolsA[i]), b.witness->bytes(*symbolsB[i]));
}

ExploreOptions askingRestored(const char *when) {
  ExploreOptions options;
  options.branchChecks = kBranchChecksNames.find(when).value();
  return options;
}

/// Questions are asked at once, or left for later.
class RestoreAsking : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Ask, RestoreAsking, testing::Values("eager"));
INSTANTIATE_TEST_SUITE_P(SlowAsk, RestoreAsking, testing::Values("lazy"));

std::set<std::pair<uint64_t, uint64_t>> waysOf(const Rig &rig) {
  std::set<std::pair<uint64_t, uint64_t>> ways;
  for (const TestCase &t : rig.kept.tests) ways.emplace(t.trace.count, t.trace.hash);
  return ways;
}

TEST_P(RestoreAsking, LeadsToEveryState) {
  program::Program program = compile(kRestoreProgram);
  Rig original(program, {}, askingRestored(GetParam())),
      other(program, [](const solver::Query &) -> std::optional<solver::Answer> {
        ADD_FAILURE() << "the solver was asked";
        return std::nullopt;
      });
  std::string error;
  std::vector<std::unique_ptr<State>> first;
  first.push_back(original.executor->initialState(error));
  unsigned restored = 0;
  original.run(std::move(first), 400, [&](const std::vector<std::unique_ptr<State>> &live) {
    for (const auto &state : live) {
      PathPrefix prefix = original.executor->prefixOf(*state);
      if (prefix.log.empty()) continue;
      auto again = other.executor->restore(prefix, error);
      ASSERT_TRUE(again) << error;
      expectSame(*state, *again, *original.executor, *other.executor);
      restored++;
    }
  });
  EXPECT_GT(restored, 500u);
  EXPECT_TRUE(other.kept.tests.empty());
  EXPECT_TRUE(other.kept.bugs.empty());
  EXPECT_EQ(other.stats.forks, 0u);
  EXPECT_EQ(other.stats.instructions, 0u);
  EXPECT_GT(other.stats.replayedInstructions, 0u);
  EXPECT_TRUE(other.ledger.empty());
}

TEST_P(RestoreAsking, ManyAtOnceGoACommonWayOnce) {
  program::Program program = compile(kRestoreProgram);
  Rig original(program, {}, askingRestored(GetParam()));
  const auto never = [](const solver::Query &) -> std::optional<solver::Answer> {
    ADD_FAILURE() << "the solver was asked";
    return std::nullopt;
  };
  Rig together(program, never), alone(program, never);
  // Of several moments: some logs go on where others end.
  std::map<std::string, std::unique_ptr<State>> byLog;
  std::vector<PathPrefix> paths;
  std::string error;
  std::vector<std::unique_ptr<State>> first;
  first.push_back(original.executor->initialState(error));
  unsigned stepContext = 0;
  original.run(std::move(first), 300, [&](const std::vector<std::unique_ptr<State>> &live) {
    if (stepContext++ % 20) return;
    for (const auto &state : live) {
      PathPrefix path = original.executor->prefixOf(*state);
      path.excludedPaths = static_cast<uint32_t>(paths.size());
      auto [it, isNew] = byLog.try_emplace(path.log);
      if (!isNew) continue;
      it->second = alone.executor->restore(path, error);
      ASSERT_TRUE(it->second) << error;
      paths.push_back(std::move(path));
    }
  });
  ASSERT_GT(paths.size(), 50u);
  PathReplayer &restorer = together.executor->restorer;
  restorer.add(paths);
  EXPECT_EQ(restorer.size(), paths.size());
  while (!restorer.empty()) {
    const PathPrefix path = restorer.front();
    ASSERT_TRUE(byLog.count(path.log)) << "comes twice, or is none of them";
    auto again = restorer.next(error);
    ASSERT_TRUE(again) << error;
    EXPECT_EQ(again->excludedPaths, path.excludedPaths);
    EXPECT_EQ(again->instructions, byLog[path.log]->instructions);
    expectSame(*byLog[path.log], *again, *alone.executor, *together.executor);
    byLog.erase(path.log);
    EXPECT_EQ(restorer.size(), byLog.size());
    EXPECT_EQ(restorer.all().size(), byLog.size());
  }
  EXPECT_TRUE(byLog.empty());
  EXPECT_TRUE(together.kept.tests.empty());
  EXPECT_EQ(together.stats.instructions, 0u);
  EXPECT_LT(together.stats.replayedInstructions, alone.stats.replayedInstructions / 2);
}

TEST(Restore, OfManyOneThatIsNoPathSpoilsNoOther) {
  program::Program program = compile(kRestoreProgram);
  Rig original(program), other(program);
  std::string error;
  std::vector<std::unique_ptr<State>> first;
  first.push_back(original.executor->initialState(error));
  original.run(std::move(first), 100);
  std::vector<PathPrefix> paths;
  for (const auto &state : original.live) paths.push_back(original.executor->prefixOf(*state));
  ASSERT_GT(paths.size(), 5u);
  const size_t good = paths.size();
  PathPrefix wrong = paths[good / 2];
  wrong.log.back() = static_cast<char>(wrong.log.back() ^ 0x50); // a record of another kind
  paths.push_back(wrong);
  other.executor->restorer.add(paths);
  size_t restored = 0, refused = 0;
  while (!other.executor->restorer.empty()) {
    if (other.executor->restorer.next(error))
      restored++;
    else
      refused += !error.empty();
  }
  EXPECT_EQ(restored, good);
  EXPECT_EQ(refused, 1u);
}

TEST_P(RestoreAsking, TheRestIsExploredAsIfNothingHadHappened) {
  program::Program program = compile(kRestoreProgram);
  Rig whole(program, {}, askingRestored(GetParam())), eager(program);
  whole.runAll();
  eager.runAll();
  ASSERT_GT(whole.kept.tests.size(), 200u);
  // What waits is split over addresses as well: more paths, but no other ways through the program.
  EXPECT_EQ(waysOf(whole), waysOf(eager));
  for (unsigned turns : {1u, 7u, 60u, 200u}) {
    Rig before(program, {}, askingRestored(GetParam())),
        after(program, {}, askingRestored(GetParam()));
    runInTwo(before, turns, after);
    EXPECT_EQ(after.paths(), whole.paths());
    EXPECT_EQ(after.stats.pathsCompleted + before.stats.pathsCompleted, whole.stats.pathsCompleted);
  }
}

TEST(Restore, AWitnessThatDoesNotTakeThePathIsRefused) {
  auto comparing = [](const char *with) {
    return compile(std::string(R"(int main(void) {
      unsigned char in[2];
      __fathom_make_symbolic(in, sizeof in, "in");
      if (in[0] == )") +
                   with + R"() return in[1] == 'x' ? 1 : 2;
      return in[1] == 'y' ? 3 : 4;
    })");
  };
  program::Program a = comparing("'a'"), b = comparing("'b'");
  Rig original(a), same(a), changed(b);
  unsigned followed = 0, refused = 0;
  std::string error;
  std::vector<std::unique_ptr<State>> first;
  first.push_back(original.executor->initialState(error));
  original.run(std::move(first), 1, [&](const std::vector<std::unique_ptr<State>> &live) {
    for (const auto &state : live) {
      PathPrefix prefix = original.executor->prefixOf(*state);
      EXPECT_TRUE(same.executor->restore(prefix, error)) << error;
      (changed.executor->restore(prefix, error) ? followed : refused)++;
    }
  });
  EXPECT_EQ(refused, 1u); // where in[0] is 'a'
  EXPECT_EQ(followed, 1u);
}

TEST(Restore, BoundsOnForksDoNotChangeWhatALogMeans) {
  program::Program program = compile(kRestoreProgram);
  for (uint64_t bound : {0, 3, 100000})
    for (uint64_t later : {0, 1, 100000}) {
      Rig original(program), other(program);
      original.options.maxForks = bound;
      other.options.maxForks = later;
      std::string error;
      std::vector<std::unique_ptr<State>> first;
      first.push_back(original.executor->initialState(error));
      original.run(std::move(first), 40, [&](const std::vector<std::unique_ptr<State>> &live) {
        for (const auto &state : live) {
          auto again = other.executor->restore(original.executor->prefixOf(*state), error);
          ASSERT_TRUE(again) << error << ", bounds " << bound << " and " << later;
          EXPECT_EQ(again->path.size(), state->path.size());
          EXPECT_EQ(again->log.bytes(), state->log.bytes());
        }
      });
    }
}

/// Says what a file holds and how large it is; both are the host's, not the program's.
struct HostFile : testing::Test {
  HostFile() : path_(testing::TempDir() + "fathom-restore-" + std::to_string(getpid())) {
    write("abcdef");
  }
  ~HostFile() override { unlink(path_.c_str()); }
  void write(const std::string &text) { std::ofstream(path_) << text; }
  program::Program reading(const std::string &what) {
    return compile("long __fathom_host_read(const char *, unsigned long, void *, unsigned long);\n"
                   "long __fathom_host_stat(const char *, int, void *);\n"
                   "int main(void) {\n"
                   "  unsigned char in[2];\n"
                   "  char text[8] = {0};\n"
                   "  unsigned long info[7];\n"
                   "  __fathom_make_symbolic(in, sizeof in, \"in\");\n"
                   "  const char *path = \"" +
                   path_ + "\";\n" + what + "}");
  }
  /// The paths as they are after one turn.
  std::vector<PathPrefix> prefixes(Rig &rig) {
    std::vector<PathPrefix> out;
    std::string error;
    std::vector<std::unique_ptr<State>> first;
    first.push_back(rig.executor->initialState(error));
    rig.run(std::move(first), 1, [&](const std::vector<std::unique_ptr<State>> &live) {
      for (const auto &state : live) out.push_back(rig.executor->prefixOf(*state));
    });
    return out;
  }
  std::string path_;
};

TEST_F(HostFile, ThatHasChangedIsNoticed) {
  // The log would be followed all the same: the path does not ask for the byte that is another.
  program::Program program = reading("__fathom_host_read(path, 0, text, 8);\n"
                                     "if (in[0]) return 1;\n"
                                     "return text[5];\n");
  Rig original(program), same(program), changed(program), gone(program);
  const std::vector<PathPrefix> paths = prefixes(original);
  ASSERT_EQ(paths.size(), 2u);
  std::string error;
  for (const PathPrefix &p : paths) EXPECT_TRUE(same.executor->restore(p, error)) << error;
  write("abcdeF");
  for (const PathPrefix &p : paths) {
    EXPECT_FALSE(changed.executor->restore(p, error));
    EXPECT_EQ(error, path_ + " has changed since a path that read it was stored");
  }
  unlink(path_.c_str());
  EXPECT_FALSE(gone.executor->restore(paths[0], error));
  EXPECT_EQ(error, path_ + " has changed since a path that read it was stored");
  EXPECT_EQ(changed.kept.tests.size() + gone.kept.tests.size(), 0u);
  EXPECT_TRUE(changed.ledger.empty());
}

TEST_F(HostFile, IsAsLargeAsItWasSeen) {
  program::Program program = reading("__fathom_host_stat(path, 1, info);\n"
                                     "if (in[0]) return 100;\n"
                                     "return (int)info[1];\n");
  Rig original(program), grown(program);
  const std::vector<PathPrefix> paths = prefixes(original);
  write("0123456789");
  std::string error;
  std::vector<std::unique_ptr<State>> restored;
  for (const PathPrefix &p : paths) {
    restored.push_back(grown.executor->restore(p, error));
    ASSERT_TRUE(restored.back()) << error;
  }
  grown.run(std::move(restored));
  std::set<int> statuses;
  for (const TestCase &t : grown.kept.tests) statuses.insert(t.status);
  EXPECT_EQ(statuses, (std::set<int>{6, 100}));
}

TEST(Restore, ALogOfAnotherProgramIsRefused) {
  program::Program program = compile("int main(void) { return 0; }");
  Rig rig(program);
  std::string error;
  EXPECT_FALSE(rig.executor->restore({std::string("\x01\x00\x01", 3), {}}, error));
  EXPECT_NE(error, "");
  EXPECT_EQ(rig.stats.tests, 0u);
}

TEST(Restore, WhereALogIsOfAnotherProgramIsSaid) {
  // The one branches where the other one has a symbol more.
  program::Program one = compile("int main(void) { unsigned char a; __fathom_make_symbolic(&a, 1, "
                                 "\"a\"); if (a > 7) return 1; return a == 3; }");
  program::Program other =
      compile("int main(void) { unsigned char a, b; __fathom_make_symbolic(&a, 1, \"a\"); "
              "__fathom_make_symbolic(&b, 1, \"b\"); return a + b > 7; }");
  Rig rig(one), wrong(other);
  std::string error;
  std::vector<PathPrefix> live;
  std::vector<std::unique_ptr<State>> first;
  first.push_back(rig.executor->initialState(error));
  rig.run(std::move(first), 1, [&](const auto &states) {
    for (const auto &state : states) live.push_back(rig.executor->prefixOf(*state));
  });
  ASSERT_EQ(live.size(), 2u);
  for (const PathPrefix &prefix : live) {
    EXPECT_FALSE(wrong.executor->restore(prefix, error));
    EXPECT_EQ(error, "the stored path is not one of this program under these options: byte 1 of "
                     "its log has an answer where the program comes to a witness");
  }
  EXPECT_TRUE(wrong.ledger.empty());
}

TEST(PathLog, RecordsSayTheirKind) {
  PathLog log;
  const std::pair<Record, uint64_t> records[] = {
      {Record::Answer, 0},   {Record::Fork, 1},      {Record::Known, 15},
      {Record::Witness, 16}, {Record::Range, ~0ull}, {Record::Environment, 1ull << 40}};
  for (auto [kind, value] : records) log.append(kind, value);
  log.append(300);
  LogReader script(log.bytes());
  for (auto [kind, value] : records) EXPECT_EQ(script.next(kind), value) << name(kind);
  EXPECT_EQ(script.next(), 300u);
  EXPECT_TRUE(script.done());
  EXPECT_FALSE(script.next(Record::Answer));
  EXPECT_FALSE(script.misaligned());

  LogReader other(log.bytes());
  EXPECT_FALSE(other.next(Record::Fork));
  EXPECT_TRUE(other.misaligned());
  EXPECT_STREQ(other.kindThere(), name(Record::Answer));
  EXPECT_EQ(other.at(), 0u);
}

} // namespace
} // namespace fathom::explore::test
