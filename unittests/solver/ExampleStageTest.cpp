// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stage is a class, a function that puts it into the chain, and a line of registration. This one
// is complete: two constraints that say which value one byte has, and not the same, contradict each
// other. A stage that belongs to Fathom is a file in lib/solver, and its line is in Stages.def.
#include "SolverTestUtil.h"

#include "solver/StageTable.h"

#include <gtest/gtest.h>
#include <map>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;

namespace {

class TwoValuesStage final : public ConjunctionSolver {
public:
  explicit TwoValuesStage(std::unique_ptr<ConjunctionSolver> next) : next_(std::move(next)) {
    stats_.name = "two-values";
  }
  Answer solve(const Conjunction &query) override {
    StageTimer timer(stats_);
    std::map<std::pair<ExprPtr, uint64_t>, std::pair<ExprPtr, ExprPtr>> valueOf;
    for (ExprPtr e : query.constraints) {
      if (e->kind() != Kind::Eq) continue;
      ExprPtr value = e->op(0), byte = e->op(1);
      if (!value->isConst()) std::swap(value, byte);
      if (!value->isConst()) continue;
      auto [known, isNew] = valueOf.try_emplace({byte, 0}, value, e);
      if (!isNew && known->second.first != value)
        return timer.answered(Answer::unsat({known->second.second, e}));
    }
    return timer.pass([&] { return next_->solve(query); });
  }
  void appendStats(std::vector<StageStats> &out) const override {
    out.push_back(stats_);
    next_->appendStats(out);
  }
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override { next_->dropCaches(); }

private:
  std::unique_ptr<ConjunctionSolver> next_;
  StageStats stats_;
};

void putTwoValuesStage(ChainBuilder &chain) {
  chain.put(std::make_unique<TwoValuesStage>(chain.takeSets()));
}

StageTable withExample() {
  StageTable table = StageTable::builtIn();
  table.addAbove("cache", {.name = "two-values",
                           .help = "sets in which a byte has two values",
                           .put = putTwoValuesStage});
  return table;
}

TEST(ExampleStage, AnswersWhatItKnowsAndPassesOnTheRest) {
  ExprContext c;
  SolverOptions options;
  options.useStages({"ranges"}, false); // which knows that too
  auto chain = makeChain(c, options, withExample());
  const ExprPtr in = c.symbol("in", 2);
  auto byte = [&](unsigned i) { return c.read(in, c.constant(i, 64)); };
  PathCondition path;
  path.add(c.eq(byte(0), c.constant(7, 8)));

  const Answer no = chain->check({.path = path, .goal = c.eq(byte(0), c.constant(9, 8))});
  EXPECT_EQ(no.kind, AnswerKind::Unsat);
  EXPECT_EQ(countOf(*chain, "two-values", &StageStats::unsat), 1u);
  EXPECT_EQ(countOf(*chain, "two-values", &StageStats::passedOn), 0u);
  EXPECT_EQ(countOf(*chain, "cache", &StageStats::asked), 0u);

  const Answer yes =
      chain->check({.path = path, .goal = c.ult(byte(0), c.add(byte(1), c.constant(1, 8)))});
  EXPECT_EQ(yes.kind, AnswerKind::Sat);
  EXPECT_EQ(countOf(*chain, "two-values", &StageStats::asked), 2u);
  EXPECT_EQ(countOf(*chain, "two-values", &StageStats::passedOn), 1u);
  EXPECT_EQ(countOf(*chain, "cache", &StageStats::asked), 1u);
}

TEST(ExampleStage, StandsWhereItWasPut) {
  ExprContext c;
  std::vector<std::string> names;
  for (const StageStats &s : makeChain(c, {}, withExample())->stats()) names.push_back(s.name);
  const auto at = std::ranges::find(names, "two-values");
  ASSERT_NE(at, names.end());
  EXPECT_EQ(at[-1], "slicing");
  EXPECT_EQ(at[1], "cache");
  EXPECT_EQ(names.back(), "z3");
}

TEST(StageTable, SwitchesStagesOffByName) {
  SolverOptions options;
  EXPECT_TRUE(StageTable::builtIn().disable("domains", options));
  EXPECT_FALSE(options.uses("domains"));
  EXPECT_TRUE(options.uses("sat"));
  EXPECT_FALSE(StageTable::builtIn().disable("z3", options));
  EXPECT_FALSE(withExample().disable("two-values", options)); // has no switch
  EXPECT_EQ(StageTable::builtIn().names(), "witness, ranges, slicing, cache, counters, constants, "
                                           "quantifiers, external, domains, sat or guided");
}

} // namespace
