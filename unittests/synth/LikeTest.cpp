// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grammars of control flow: that of Figure 2 of [assess25], and of random programs, which have to
// keep what grammars and truths promise and to have the conditions and calls of the program.
#include "Mutate.h"
#include "Tables.h"

#include "synth/Bnf.h"
#include "synth/Recognise.h"
#include "synth/Synth.h"
#include "synth/Witness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace fathom::synth {
namespace {

Flow statements(uint32_t lines) { return {.kind = Flow::Statements, .value = lines}; }
Flow call(uint32_t function) { return {.kind = Flow::Call, .value = function}; }
Flow sequence(std::vector<Flow> children) {
  Flow flow;
  flow.children = std::move(children);
  return flow;
}
Flow loop(Flow body) {
  Flow flow{.kind = Flow::Loop};
  flow.children.push_back(std::move(body));
  return flow;
}
Flow ifElse(Flow then, Flow otherwise) {
  Flow flow{.kind = Flow::Choice, .lastIsElse = true, .labels = {1}};
  flow.children.push_back(std::move(then));
  flow.children.push_back(std::move(otherwise));
  return flow;
}

TEST(Like, Figure2) {
  ControlFlow program;
  FlowFunction &f = program.functions.emplace_back();
  f.name = "bsearch";
  f.complexity = 4;
  Flow inner = ifElse(sequence({statements(1)}), sequence({statements(1)}));
  Flow outer = ifElse(sequence({statements(1)}), sequence({inner}));
  f.body = sequence({statements(1), loop(sequence({statements(1), outer})), statements(1)});
  Knobs knobs = likeDefaults();
  knobs.seed = 2; // where tokens differ by chance; else one closes the loop's body
  llvm::Expected<Synthesis> made = synthesiseLike(program, "bsearch", knobs);
  ASSERT_TRUE(!!made);
  // <bsearch> -> l2 <while> l12, <while> -> T l4 <if> <while> | (empty), <if> -> T l6 | <if2>, and
  // so on: as there, but that only one way of a branch has a token.
  Bnf bnf = toBnf(made->grammar);
  std::string rules;
  for (size_t n = 0; n < bnf.rules.size(); ++n) {
    rules += bnf.names[n] + ":";
    for (const auto &rule : bnf.rules[n]) {
      for (const BnfSymbol &s : rule) rules += s.terminal ? " t" : " " + bnf.names[s.id];
      rules += " |";
    }
    rules += "\n";
  }
  EXPECT_EQ(rules, "bsearch: t bsearch.1 |\n"
                   "bsearch.1: t bsearch.2 bsearch.1 | |\n"
                   "bsearch.2: t | bsearch.3 |\n"
                   "bsearch.3: t | |\n");
  EXPECT_EQ(made->model->sameComplexity, 1u);
  EXPECT_EQ(made->model->generated.loops, 1u);
}

/// Programs with everything, also what is awkward: recursion that nothing avoids, wide switches,
/// functions without anything, nothing but calls.
class RandomProgram {
public:
  RandomProgram(uint64_t seed, uint32_t functions, double upwards)
      : rng_(seed, 5), count_(functions), upwards_(upwards) {
    for (uint32_t i = 0; i < 3; ++i) {
      std::vector<uint32_t> targets;
      for (uint32_t f = 0; f < count_; ++f)
        if (rng_.below(8) == 0) targets.push_back(f);
      if (targets.empty()) targets.push_back(count_ - 1);
      program.targets.push_back(targets);
    }
    for (current_ = 0; current_ < count_; ++current_) {
      FlowFunction f;
      f.name = "f." + std::to_string(current_);
      complexity_ = 1, loops_ = 0;
      f.body = body(0);
      f.complexity = complexity_, f.loops = loops_;
      program.functions.push_back(std::move(f));
    }
  }
  ControlFlow program;

private:
  Flow body(unsigned depth) {
    Flow flow;
    for (uint32_t i = rng_.below(5); i-- > 0;) flow.children.push_back(any(depth));
    return flow;
  }
  Flow any(unsigned depth) {
    uint32_t kind = rng_.below(depth < 4 ? 10 : 5);
    if (kind < 2) return statements(1 + rng_.below(3));
    if (kind < 4) return call(callee());
    if (kind == 4) return {.kind = Flow::Indirect, .value = rng_.below(3)};
    if (kind == 5) {
      complexity_++, loops_++;
      return loop(body(depth + 1));
    }
    Flow flow{.kind = Flow::Choice};
    flow.isSwitch = kind == 6;
    uint32_t ways = !flow.isSwitch ? 1 : rng_.below(20) ? 1 + rng_.below(5) : 120;
    for (uint32_t i = 0; i < ways; ++i) {
      flow.labels.push_back(flow.isSwitch && rng_.below(4) == 0 ? 1 + rng_.below(6) : 1);
      complexity_ += flow.labels.back();
      flow.children.push_back(ways > 100 ? sequence({}) : body(depth + 1));
    }
    flow.lastIsElse = rng_.flip();
    if (flow.lastIsElse) flow.children.push_back(sequence({statements(1), any(depth + 1)}));
    return flow;
  }
  uint32_t callee() {
    bool up = rng_.next() < upwards_ * 4294967296.0;
    if (up || current_ + 1 == count_) return rng_.below(current_ + 1);
    return std::min(count_ - 1, current_ + 1 + rng_.below(4));
  }
  Rng rng_;
  uint32_t count_, current_ = 0, complexity_ = 1, loops_ = 0;
  double upwards_;
};

std::vector<Knobs> likeKnobs() {
  std::vector<Knobs> all(4, likeDefaults());
  all[1].dead = all[1].guarded = 0.4, all[1].keyed = 0.3;
  all[2].returned = 1, all[2].limit = 1;
  all[3].returned = all[3].dead = 0.5, all[3].limit = 3;
  return all;
}

TEST(Like, RandomProgramsKeepEveryPromise) {
  uint64_t recursive = 0, guarded = 0, unreachable = 0;
  for (uint64_t seed = 1; seed <= 25; ++seed)
    for (const Knobs &knobs : likeKnobs()) {
      ControlFlow program = RandomProgram(seed, 5 + static_cast<uint32_t>(seed), 0.2).program;
      LikeNotes notes;
      Grammar g = likeGrammar(program, knobs, notes);
      Bnf bnf = toBnf(g);
      ASSERT_EQ(Tables(bnf).conflict(), "") << seed;
      ASSERT_EQ(unproductive(bnf), "") << seed;
      Reach reach = analyseReach(g);
      Covered covered(g), mutants(g);
      Witnesses inputs = makeWitnesses(g, reach, covered);
      ASSERT_TRUE(inputs.missed.empty()) << seed;
      Rng rng(seed, 9);
      for (const auto *list : {&inputs.accepted, &inputs.rejected})
        for (const std::string &input : *list)
          for (int i = 0; i < 3; ++i) recognise(g, mutate(input, rng), mutants);
      for (NodeId id = 0; id < g.nodes.size(); ++id) {
        ASSERT_EQ(covered.outcomes[id], reach.outcomes[id]) << "node " << id << ", seed " << seed;
        ASSERT_EQ(mutants.outcomes[id] & ~reach.outcomes[id], 0) << "node " << id << ", " << seed;
        recursive += g.at(id).recursive;
      }
      for (uint32_t n = 0; n < g.nonterminals.size(); ++n) {
        ASSERT_EQ(reach.reached(g, n), g.nonterminals[n].intended) << seed;
        unreachable += !g.nonterminals[n].intended;
      }
      guarded += notes.guarded;
    }
  // All of it did occur.
  EXPECT_GT(recursive, 100u);
  EXPECT_GT(guarded, 100u);
  EXPECT_GT(unreachable, 100u);
}

/// Conditions that are not there are counted, and there are no others.
TEST(Like, ConditionsAndCallsAreTheProgram) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    ControlFlow program = RandomProgram(seed, 30, seed % 3 ? 0.05 : 0).program;
    llvm::Expected<Synthesis> made = synthesiseLike(program, "random", likeDefaults());
    ASSERT_TRUE(!!made);
    const Model &m = *made->model;
    uint64_t ours = 0, theirs = 0, dispatching = 0;
    for (size_t i = 0; i < m.complexity.size(); ++i) {
      uint32_t complexity = made->program.truth.functions[made->program.functionOf[i]].complexity;
      (m.complexity[i] ? ours : dispatching) += complexity;
      theirs += m.complexity[i];
    }
    EXPECT_EQ(ours, theirs + m.notes.guarded - m.notes.labels) << seed;
    EXPECT_EQ(m.original.loops, m.generated.loops) << seed;
    EXPECT_EQ(m.generated.functions, m.original.functions + m.notes.dispatchers);
    EXPECT_EQ(m.generated.reachable - m.original.reachable <= m.notes.dispatchers, true);
    EXPECT_GE(m.sameComplexity + m.notes.guarded + m.notes.labels, m.original.functions);
  }
}

TEST(Like, ShapesAreMeasured) {
  // 0 calls 1 and 2, 1 and 2 call 3, 3 calls itself and 4, 4 and 5 call each other, 6 calls 0.
  ControlFlow program;
  std::vector<std::vector<uint32_t>> callees = {{1, 2, 1}, {3}, {3}, {3, 4}, {5}, {4}, {0}};
  for (const auto &mine : callees) {
    FlowFunction f;
    f.name = "f" + std::to_string(program.functions.size());
    for (uint32_t callee : mine) f.body.children.push_back(call(callee));
    f.complexity = static_cast<uint32_t>(mine.size());
    program.functions.push_back(f);
  }
  Shape shape = shapeOf(program);
  EXPECT_EQ(shape.functions, 7u);
  EXPECT_EQ(shape.reachable, 6u);
  EXPECT_EQ(shape.calls, 9u);
  EXPECT_EQ(shape.depth, 4u); // 0, 1, 3, {4, 5}
  EXPECT_EQ(shape.recursive, 3u);
  EXPECT_EQ(meanOf(shape.complexity), 10.0 / 7);
  EXPECT_EQ(quantile(shape.complexity, 0.5), 1u);
  EXPECT_EQ(quantile(shape.complexity, 1), 3u);
}

TEST(Like, SameProgramSameBytes) {
  ControlFlow program = RandomProgram(3, 40, 0.1).program;
  auto bytes = [&](uint64_t seed) {
    Knobs knobs = likeDefaults();
    knobs.seed = seed;
    std::string all;
    for (const OutputFile &file : outputFiles(*synthesiseLike(program, "random", knobs)))
      all += file.text;
    return all;
  };
  EXPECT_EQ(bytes(1), bytes(1));
  EXPECT_NE(bytes(1), bytes(2));
}

} // namespace
} // namespace fathom::synth
