// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The truth against execution: the recogniser runs inputs on the grammar and knows nothing of the
// analysis. That it does what the printed C does, test/synth shows.
#include "Mutate.h"
#include "Samples.h"

#include "synth/Derive.h"
#include "synth/Generate.h"
#include "synth/Recognise.h"
#include "synth/Synth.h"
#include "synth/Witness.h"

#include <gtest/gtest.h>

#include <set>

namespace fathom::synth {
namespace {

TEST(Truth, WitnessesCoverExactlyWhatIsReachable) {
  for (const Knobs &knobs : samples()) {
    Grammar g = generateGrammar(knobs);
    Reach reach = analyseReach(g);
    Covered covered(g);
    Witnesses inputs = makeWitnesses(g, reach, covered);
    EXPECT_TRUE(inputs.missed.empty()) << describe(knobs);
    for (NodeId id = 0; id < g.nodes.size(); ++id)
      ASSERT_EQ(covered.outcomes[id], reach.outcomes[id])
          << "node " << id << " of " << g.nonterminals[g.at(id).owner].name << describe(knobs);
    Covered ignored(g);
    for (const std::string &input : inputs.accepted) EXPECT_TRUE(recognise(g, input, ignored));
    for (const std::string &input : inputs.rejected) EXPECT_FALSE(recognise(g, input, ignored));
    EXPECT_GT(inputs.rejected.size(), inputs.accepted.size() / 10) << describe(knobs);
  }
}

TEST(Truth, NothingElseIsEverReached) {
  uint64_t executions = 0;
  for (const Knobs &knobs : samples()) {
    Grammar g = generateGrammar(knobs);
    Reach reach = analyseReach(g);
    Covered all(g), ignored(g);
    Witnesses inputs = makeWitnesses(g, reach, ignored);
    Rng rng(knobs.seed, 77);
    for (const auto *list : {&inputs.accepted, &inputs.rejected})
      for (const std::string &input : *list)
        for (int i = 0; i < 8; ++i, ++executions) recognise(g, mutate(input, rng), all);
    for (NodeId id = 0; id < g.nodes.size(); ++id)
      ASSERT_EQ(all.outcomes[id] & ~reach.outcomes[id], 0)
          << "node " << id << " of " << g.nonterminals[g.at(id).owner].name << describe(knobs);
  }
  EXPECT_GT(executions, 100000u);
}

TEST(Truth, SeedsAreValidAndDiffer) {
  for (Knobs knobs : samples()) {
    llvm::Expected<Synthesis> made = synthesise(knobs);
    ASSERT_TRUE(!!made);
    Covered covered(made->grammar);
    std::set<std::string> different;
    for (const std::string &seed : made->seeds) {
      EXPECT_TRUE(recognise(made->grammar, seed, covered)) << describe(knobs);
      different.insert(seed);
    }
    EXPECT_EQ(different.size(), made->seeds.size());
    EXPECT_GE(different.size(), 1u);
  }
}

TEST(Truth, EverythingUnreachableHasAReason) {
  std::set<Reason> seen;
  for (const Knobs &knobs : samples()) {
    llvm::Expected<Synthesis> made = synthesise(knobs);
    ASSERT_TRUE(!!made);
    const Program &program = made->program;
    for (uint32_t i = 0; i < made->grammar.nonterminals.size(); ++i)
      EXPECT_EQ(program.truth.functions[program.functionOf[i]].reason == Reason::Reachable,
                made->grammar.nonterminals[i].intended);
    for (const FunctionTruth &f : program.truth.functions) seen.insert(f.reason);
    for (const StatementTruth &s : program.truth.statements) seen.insert(s.reason);
    for (const BranchTruth &b : program.truth.branches) {
      seen.insert(b.reason);
      EXPECT_EQ(b.guard != 0, b.reason == Reason::Guard || b.reason == Reason::DeadBranch);
    }
  }
  for (Reason reason : kReasons) EXPECT_TRUE(seen.count(reason)) << name(reason);
}

} // namespace
} // namespace fathom::synth
