// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A searcher is a class, a function that makes it, and a line of registration. This one is
// complete: it takes the state with the most frames first, so that recursion is followed down to
// its end. One that belongs to Fathom is a file in lib/explore/search, and its line is in
// Searchers.def.
#include "explore/search/SearcherTable.h"

#include "Support.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace fathom::explore::test {
namespace {

class DeepestCallSearcher final : public Searcher {
public:
  /// least: of the frames that count.
  explicit DeepestCallSearcher(unsigned least) : least_(least) {}
  State &next() override {
    return **std::max_element(states_.begin(), states_.end(), [&](const State *a, const State *b) {
      return calls(*a) < calls(*b);
    });
  }
  void add(State *, State &forked) override { states_.push_back(&forked); }
  void remove(State &state) override { std::erase(states_, &state); }

private:
  unsigned calls(const State &state) const {
    unsigned count = 0;
    for (const Frame *f = state.top; f; f = f->parent) count++;
    return std::max(count, least_);
  }
  unsigned least_;
  std::vector<State *> states_;
};

std::unique_ptr<Searcher> makeDeepestCall(const SearcherOptions &options, std::string &error) {
  const unsigned least = static_cast<unsigned>(strtoul(options.values[0].c_str(), nullptr, 10));
  if (!least) {
    error = "--search deepest-call: at least 1 frame";
    return nullptr;
  }
  return std::make_unique<DeepestCallSearcher>(least);
}

SearcherTable withExample() {
  SearcherTable table = SearcherTable::builtIn();
  table.add({"deepest-call", "FRAMES", "the path with the most calls open", makeDeepestCall});
  return table;
}

/// Each path returns from another depth; the deepest ends with a fault.
const char *const kRecursion = R"(
static int down(const unsigned char *in, int n) {
  if (n == 4) return *(volatile int *)0;
  if (in[n] == 'd') return down(in, n + 1);
  return n;
}
int main(void) {
  unsigned char in[4];
  __fathom_make_symbolic(in, sizeof in, "in");
  if (in[0] == 'x') return 9;
  return down(in, 0);
}
)";

class ExampleSearcher : public testing::Test {
protected:
  ExampleSearcher() : program_(compile(kRecursion)) {}
  /// How each path ended, in the order in which they did.
  std::vector<std::string> explore(const std::string &list) {
    Rig rig(program_);
    Rng rng(1);
    std::string error;
    const SearcherTable table = withExample();
    EXPECT_EQ(validateSearch(list, table), "");
    std::unique_ptr<Searcher> searcher =
        makeSearcher(list, rig.executor->interpreter, rng, error, table);
    EXPECT_EQ(error, "");
    if (searcher) rig.runAll(*searcher);
    std::vector<std::string> ends;
    for (const TestCase &test : rig.kept.tests) ends.push_back(std::to_string(test.status));
    return ends;
  }
  program::Program program_;
};

TEST_F(ExampleSearcher, ChoosesThePathWithTheMostCalls) {
  // What main decides before it calls comes last. (Breadth first it is first.)
  EXPECT_EQ(explore("deepest-call=1"), (std::vector<std::string>{"0", "1", "2", "3", "9"}));
  EXPECT_EQ(explore("bfs").front(), "9");
}

TEST_F(ExampleSearcher, FindsWhatOthersFind) {
  for (const char *list : {"deepest-call=3", "dfs,deepest-call=1", "deepest-call=1,bfs"}) {
    std::vector<std::string> found = explore(list), others = explore("bfs");
    std::ranges::sort(found);
    std::ranges::sort(others);
    EXPECT_EQ(found, others) << list;
  }
}

TEST_F(ExampleSearcher, EveryBuiltInOneFindsTheSame) {
  std::vector<std::string> others = explore("bfs");
  std::ranges::sort(others);
  for (const SearcherEntry &entry : SearcherTable::builtIn().entries()) {
    if (entry.value) continue; // needs a place of the program
    std::vector<std::string> found = explore(entry.name);
    std::ranges::sort(found);
    EXPECT_EQ(found, others) << entry.name;
  }
}

TEST_F(ExampleSearcher, ItsMakerSaysWhatIsWrong) {
  Rig rig(program_);
  Rng rng(1);
  std::string error;
  EXPECT_FALSE(
      makeSearcher("dfs,deepest-call=none", rig.executor->interpreter, rng, error, withExample()));
  EXPECT_EQ(error, "--search deepest-call: at least 1 frame");
}

TEST(SearcherTable, NamesWhatItHas) {
  const std::string names = SearcherTable::builtIn().names();
  EXPECT_TRUE(names.starts_with("dfs, false-first, ")) << names;
  EXPECT_NE(names.find(", targets=FILE:LINE"), std::string::npos) << names;
  EXPECT_NE(withExample().names().find(", deepest-call=FRAMES"), std::string::npos);
  EXPECT_EQ(validateSearch("covnew,deepest-call=1"),
            "--search: unknown searcher 'deepest-call=1' (" + SearcherTable::builtIn().names() +
                ")");
  EXPECT_NE(validateSearch("dfs=1"), "");
  EXPECT_NE(validateSearch("targets"), "");
}

TEST(SearcherTable, ValuesGoOnAfterACommaWhereTheyHaveAColon) {
  const auto asked = SearcherTable::builtIn().parse("dfs,targets=a.c:1,x=b.c:2,covnew");
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_EQ(asked[0].entry->name, "dfs");
  EXPECT_EQ(asked[1].values, (std::vector<std::string>{"a.c:1", "x=b.c:2"}));
  EXPECT_EQ(asked[2].entry->name, "covnew");
  EXPECT_FALSE(SearcherTable::builtIn().parse("dfs,b.c:2")[1].entry);
}

} // namespace
} // namespace fathom::explore::test
