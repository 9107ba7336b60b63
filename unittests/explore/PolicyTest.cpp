// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies: one that stands in for calls is the example of how one is written; the others ask
// whether every way to and from a point is seen once.
#include "Support.h"

#include "explore/decide/Engine.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace fathom::explore::test {
namespace {

/// What a function gives is anything: its calls are not run.
class Anything final : public CallPolicy {
public:
  explicit Anything(std::string function) : function_(std::move(function)) {}
  bool wants(const program::FunctionCode &callee) const override {
    return callee.name == function_;
  }
  Answer call(Engine &engine, State &s, const FunctionCall &call) override {
    ExprPtr symbol = engine.symbols.symbolFor(s, function_, 4);
    engine.symbols.addSymbol(s, symbol, function_);
    expr::ExprContext &c = engine.services.context;
    ExprPtr value = c.read(symbol, 3);
    for (int i = 2; i >= 0; i--) value = c.concat(value, c.read(symbol, static_cast<uint64_t>(i)));
    return returns(engine, s, call, value);
  }

private:
  std::string function_;
};

/// Counts visits of all conditional jumps of a function, and of its loads and stores.
class Counting final : public Policy {
public:
  Counting(std::string function, unsigned &visits)
      : function_(std::move(function)), visits_(visits) {}
  std::vector<PointSite> points(const program::Program &program) const override {
    std::vector<PointSite> out;
    for (const program::FunctionCode &f : program.functions)
      for (uint32_t i = 0; f.name == function_ && i < f.code.size(); i++)
        if (f.code[i].op != Op::Jmp) out.push_back({f.id, i});
    return out;
  }
  Answer at(Engine &, State &s) override {
    visits_ += !LogFollower::isFollowed(s);
    return Answer::GoOn;
  }

private:
  std::string function_;
  unsigned &visits_;
};

/// Ends every path that comes to a function, through a pointer as well.
class Ending final : public CallPolicy {
public:
  bool wants(const program::FunctionCode &callee) const override { return callee.name == "last"; }
  Answer call(Engine &engine, State &s, const FunctionCall &) override {
    engine.ends.abandon(s, std::nullopt, "nobody wants to know");
    return Answer::Ended;
  }
};

/// What a path has decided when it comes to done().
class Watching final : public CallPolicy {
public:
  struct Path {
    std::vector<Decision> decisions;
    std::vector<ExprPtr> constraints;
    ExprPtr input;
  };
  Watching(std::vector<Path> &paths, unsigned &told) : paths_(paths), told_(told) {}
  bool wants(const program::FunctionCode &callee) const override { return callee.name == "done"; }
  Answer call(Engine &, State &s, const FunctionCall &) override {
    Path path{{}, s.path.constraints(), *s.symbols.items().at(0)};
    for (const Decision *d : s.decisions.items()) path.decisions.push_back(*d);
    paths_.push_back(std::move(path));
    return Answer::GoOn;
  }
  bool keepsDecisions() const override { return true; }
  void decided(Engine &, State &, const Decision &) override { told_++; }

private:
  std::vector<Path> &paths_;
  unsigned &told_;
};

ExploreOptions with(PolicyMaker maker) {
  ExploreOptions options;
  options.branchChecks = BranchChecks::Eager;
  options.policies.push_back(std::move(maker));
  return options;
}

const char *const kHash = R"(
int hash(const unsigned char *in) {
  unsigned h = 5381;
  for (int i = 0; i < 4; i++) h = h * 33 ^ in[i];
  return (int)h;
}
int main(void) {
  unsigned char in[4];
  __fathom_make_symbolic(in, sizeof in, "in");
  if (hash(in) == 0x12345678) return 1;
  if (hash(in) > 0) return 2;
  return 3;
}
)";

TEST(Policy, StandsInForCalls) {
  program::Program program = compile(kHash);
  Rig rig(program, {}, with([] { return std::make_unique<Anything>("hash"); }));
  rig.runAll();
  std::multiset<int> statuses;
  for (const TestCase &t : rig.kept.tests) {
    statuses.insert(t.status);
    // Two results in the order of the calls, beside the input.
    EXPECT_EQ(t.symbols.size(), t.status == 1 ? 2u : 3u);
  }
  EXPECT_EQ(statuses, (std::multiset<int>{1, 2, 3}));
  EXPECT_TRUE(rig.kept.bugs.empty());
}

TEST(Policy, OfAFunctionThatNobodyCallsChangesNothing) {
  program::Program program = compile("int main(void) { return 7; }");
  Rig rig(program, {}, with([] { return std::make_unique<Anything>("hash"); }));
  EXPECT_TRUE(rig.executor->interpreter.code.points.empty());
  rig.runAll();
  ASSERT_EQ(rig.kept.tests.size(), 1u);
  EXPECT_EQ(rig.kept.tests[0].status, 7);
}

const char *const kLoops = R"(
static int table[16] = {3, 1, 4, 1, 5, 9, 2, 6};
static int one(int x) { return x + 1; }
static int two(int x) { return x * 2; }
static int (*const choices[2])(int) = {one, two};
int work(unsigned char *in) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    if (in[i] > 100) sum += 1;
    switch (in[i] & 3) {
    case 1: sum += 2; break;
    case 2: sum += table[in[i] & 7]; break;
    }
    table[in[i] & 3] = sum;
    sum += choices[in[i] & 1](sum);
    if (in[i]) sum += 100 / in[i];
  }
  return sum & 63;
}
int main(void) {
  unsigned char in[3];
  __fathom_make_symbolic(in, sizeof in, "in");
  return work(in);
}
)";

/// Every instruction of a function a point: nothing is different, and a path asks at each
/// instruction that it runs, once.
TEST(Policy, IsAskedOncePerVisitAndChangesNothing) {
  program::Program program = compile(kLoops);
  ExploreOptions options;
  options.branchChecks = BranchChecks::Eager;
  Rig plain(program, {}, options);
  plain.runAll();
  unsigned visits = 0;
  Rig asked(program, {}, with([&] { return std::make_unique<Counting>("work", visits); }));
  EXPECT_FALSE(asked.executor->interpreter.code.points.empty());
  asked.runAll();
  EXPECT_EQ(asked.paths(), plain.paths());
  EXPECT_GT(plain.paths().size(), 8u);
  EXPECT_EQ(asked.stats.queries, plain.stats.queries);
  EXPECT_EQ(asked.kept.bugs.size(), plain.kept.bugs.size());
  // Without input there is one path, and each of its instructions is visited once.
  program::Program concrete =
      compile("int work(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }\n"
              "int main(void) { return work(5); }");
  visits = 0;
  Rig counted(concrete, {}, with([&] { return std::make_unique<Counting>("work", visits); }));
  counted.runAll();
  ASSERT_EQ(counted.kept.tests.size(), 1u);
  EXPECT_EQ(counted.kept.tests[0].status, 10);
  unsigned five = visits;
  program::Program more =
      compile("int work(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }\n"
              "int main(void) { return work(6); }");
  visits = 0;
  Rig again(more, {}, with([&] { return std::make_unique<Counting>("work", visits); }));
  again.runAll();
  const unsigned stepContext = visits - five;
  EXPECT_GT(stepContext, 3u);
  EXPECT_EQ((five - 5 * stepContext) + 6 * stepContext, visits)
      << "every turn of the loop asks as often";
}

TEST(Policy, LogsLeadBackPastPoints) {
  program::Program program = compile(kHash);
  auto options = with([] { return std::make_unique<Anything>("hash"); });
  Rig first(program, {}, options), second(program, {}, options);
  std::string error;
  std::vector<std::unique_ptr<State>> start, restored;
  start.push_back(first.executor->initialState(error));
  std::vector<PathPrefix> live;
  first.run(std::move(start), 1, [&](const auto &states) {
    for (const auto &state : states) live.push_back(first.executor->prefixOf(*state));
  });
  ASSERT_EQ(live.size(), 2u);
  for (const PathPrefix &prefix : live) {
    restored.push_back(second.executor->restore(prefix, error));
    ASSERT_TRUE(restored.back()) << error;
  }
  second.run(std::move(restored));
  std::multiset<int> statuses;
  for (const TestCase &t : second.kept.tests) statuses.insert(t.status);
  EXPECT_EQ(statuses, (std::multiset<int>{1, 2, 3}));
}

const char *const kDecisions = R"(
static unsigned char small[256], other[256];
void done(void) {}
int main(void) {
  unsigned char in;
  __fathom_make_symbolic(&in, 1, "in");
  int result = 0;
  if (in > 200) result = 1;
  if (in > 100) result += 2; /* implied by the one before, on one path */
  switch (in & 7) {
  case 1: case 2: result += 4; break;
  case 5: result += 8; break;
  }
  unsigned char *p = in & 1 ? small : other;
  p[in & 3] = 9;
  if (small[1] == 9) result += 16;
  if (in != 3) result += 1000 / (in - 3);
  done();
  return result & 63;
}
)";

/// All that a path knows of its input it has decided, and the other way round: the inputs are
/// enumerated.
TEST(Policy, DecisionsAreThePath) {
  program::Program program = compile(kDecisions);
  for (const char *ask : {"eager", "lazy"}) {
    std::vector<Watching::Path> paths;
    unsigned told = 0;
    ExploreOptions options = with([&] { return std::make_unique<Watching>(paths, told); });
    options.branchChecks = kBranchChecksNames.find(ask).value();
    Rig rig(program, {}, options);
    rig.runAll();
    ASSERT_EQ(paths.size(), rig.kept.tests.size()) << ask;
    ASSERT_GT(paths.size(), 10u);
    EXPECT_GT(told, paths.size() * 3);
    unsigned inputs = 0;
    for (const Watching::Path &path : paths) {
      bool anyImplied = false;
      for (unsigned value = 0; value < 256; value++) {
        expr::Model model;
        model.setByte(path.input, 0, static_cast<uint8_t>(value));
        expr::Evaluator evaluator;
        evaluator.setModel(model, nextModelVersion());
        bool takes = true, decides = true, needed = true;
        for (ExprPtr e : path.constraints) takes &= evaluator.isTrue(e);
        for (const Decision &d : path.decisions) {
          anyImplied |= d.isImplied;
          if (!d.condition) continue;
          decides &= evaluator.isTrue(d.condition);
          needed &= d.isImplied || evaluator.isTrue(d.condition);
        }
        EXPECT_EQ(takes, decides) << ask << ": input " << value;
        EXPECT_EQ(needed, decides) << "what is implied adds nothing";
        inputs += takes;
      }
      EXPECT_TRUE(anyImplied) << "behind the first branch something is implied on every path";
    }
    EXPECT_EQ(inputs, 256u) << "each input takes one path";
  }
}

/// Keeps the conditions of what is decided in a function as they were built, by place and side.
class Shapes final : public Policy {
public:
  struct Seen {
    std::set<uint64_t> shapes, simplified; ///< as built; of the terms
  };
  using Places = std::map<std::pair<uint32_t, uint64_t>, Seen>;
  Shapes(std::string function, Places &places) : function_(std::move(function)), places_(places) {}
  bool keepsDecisions() const override { return true; }
  bool keepsUnsimplifiedTerms() const override { return true; }
  void decided(Engine &engine, State &, const Decision &d) override {
    if (engine.services.program.functions[d.function].name != function_) return;
    EXPECT_EQ(engine.interpreter.unsimplified->instantiate(d.asBuilt), d.condition);
    Seen &seen = places_[{d.inst, d.way}];
    seen.shapes.insert(expr::UnsimplifiedTerms::shape(d.asBuilt));
    expr::UnsimplifiedTerms plain(engine.services.context);
    seen.simplified.insert(expr::UnsimplifiedTerms::shape(plain.of(d.condition)));
  }

private:
  std::string function_;
  Places &places_;
};

/// Of a loop over input: what each place and side decides has one shape in all rounds.
Shapes::Places shapesOf(const char *parameters, const char *body, const char *ask) {
  const std::string source =
      std::string("typedef unsigned long size_t;\nlong work(") + parameters + ") {" + body + R"(}
int main(void) {
  static unsigned char s[300];
  unsigned long n;
  __fathom_make_symbolic(s, sizeof s, "s");
  __fathom_make_symbolic(&n, sizeof n, "n");
  return (int)work(s, n) & 127;
})";
  program::Program program = compile(source);
  Shapes::Places places;
  ExploreOptions options = with([&] { return std::make_unique<Shapes>("work", places); });
  options.branchChecks = kBranchChecksNames.find(ask).value();
  Rig rig(program, {}, options);
  rig.runAll();
  EXPECT_GT(rig.kept.tests.size(), 100u) << body;
  return places;
}

TEST(Policy, ConditionsAsBuiltHaveOneShapeInAllRounds) {
  const struct {
    const char *parameters, *body;
    unsigned sides;
    bool differs = true; ///< the shapes of the terms, from round to round
  } kCases[] = {
      {"const unsigned char *s, size_t n",
       "size_t i = 0; while (i < n && i < 270 && s[i] == 'a') i++; return i;", 4},
      {"const unsigned char *s, unsigned n",
       "unsigned i = 0; while (i < n && i < 270 && s[i] != 7) i++; return i;", 4},
      {"const unsigned char *s, int n",
       "int i = 0; while (i < n && i < 270 && (signed char)s[i] > 3) i++; return i;", 4, false},
      {"const unsigned char *s, size_t n",
       "const unsigned char *p = s, *end = s + (n & 511);"
       "while (p != end && p - s < 270 && *p == 'a') p++; return p - s;",
       4},
      {"const unsigned char *s, size_t n",
       "size_t i = 0; for (; n > i && i < 150; i++) switch (s[i]) {"
       "case 'a': case 'b': continue; case 'x': return 1; default: return 2; } return 3;",
       5},
  };
  for (const char *ask : {"eager", "lazy"})
    for (const auto &c : kCases) {
      std::set<uint64_t> all;
      const Shapes::Places places = shapesOf(c.parameters, c.body, ask);
      EXPECT_EQ(places.size(), c.sides) << c.body;
      bool differs = false;
      for (const auto &[place, seen] : places) {
        EXPECT_EQ(seen.shapes.size(), 1u) << c.body << ": " << place.first << ' ' << place.second;
        all.insert(seen.shapes.begin(), seen.shapes.end());
        differs |= seen.simplified.size() > 1;
      }
      EXPECT_EQ(differs, c.differs)
          << c.body << ": the terms have shapes of their own in some rounds";
      EXPECT_EQ(all.size(), places.size()) << "places and sides have shapes of their own";
    }
}

TEST(Policy, NothingIsKeptWhereNobodyWatches) {
  program::Program program = compile(kDecisions);
  Rig rig(program);
  std::string error;
  std::vector<std::unique_ptr<State>> first;
  first.push_back(rig.executor->initialState(error));
  unsigned seen = 0;
  rig.run(std::move(first), ~0u, [&](const auto &states) {
    for (const auto &state : states) {
      seen++;
      EXPECT_EQ(state->decisions.size(), 0u);
      EXPECT_EQ(rig.executor->interpreter.unsimplified, nullptr);
    }
  });
  EXPECT_GT(seen, 0u);
}

TEST(Policy, EndsPathsAlsoBehindPointers) {
  program::Program program = compile(R"(
int first(void) { return 1; }
int last(void) { return 2; }
int (*const which[2])(void) = {first, last};
int main(void) {
  unsigned char in;
  __fathom_make_symbolic(&in, 1, "in");
  if (in == 7) return last();
  return which[in & 1]();
})");
  Rig rig(program, {}, with([] { return std::make_unique<Ending>(); }));
  rig.runAll();
  std::multiset<int> statuses;
  for (const TestCase &t : rig.kept.tests)
    if (t.end == EndKind::Exit) statuses.insert(t.status);
  EXPECT_EQ(statuses, (std::multiset<int>{1}));
  EXPECT_EQ(rig.stats.pathsTerminatedEarly, 2u);
}

} // namespace
} // namespace fathom::explore::test
