// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of generated grammars, computed on the plain rules.
#include "Samples.h"
#include "Tables.h"

#include "synth/Bnf.h"
#include "synth/Generate.h"

#include <gtest/gtest.h>

#include <set>

namespace fathom::synth {
namespace {

TEST(Grammar, IsLl1) {
  for (const Knobs &knobs : samples()) {
    Bnf bnf = toBnf(generateGrammar(knobs));
    EXPECT_EQ(Tables(bnf).conflict(), "") << describe(knobs);
  }
}

TEST(Grammar, ConflictsWouldBeSeen) {
  // S -> a | A ; A -> a b, and S -> A b ; A -> b A | (empty)
  Bnf choice{{"S", "A"}, {{{{true, 'a'}}, {{false, 1}}}, {{{true, 'a'}, {true, 'b'}}}}};
  EXPECT_EQ(Tables(choice).conflict(), "S on 97");
  Bnf follow{{"S", "A"}, {{{{false, 1}, {true, 'b'}}}, {{{true, 'b'}, {false, 1}}, {}}}};
  EXPECT_EQ(Tables(follow).conflict(), "A on 98");
}

TEST(Grammar, EveryNonterminalIsProductive) {
  for (const Knobs &knobs : samples())
    EXPECT_EQ(unproductive(toBnf(generateGrammar(knobs))), "") << describe(knobs);
}

TEST(Grammar, ReachableAreThoseIntended) {
  for (const Knobs &knobs : samples()) {
    Grammar g = generateGrammar(knobs);
    Bnf bnf = toBnf(g);
    std::vector<bool> seen(bnf.rules.size());
    std::vector<uint32_t> work{0};
    seen[0] = true;
    while (!work.empty()) {
      uint32_t n = work.back();
      work.pop_back();
      for (const auto &rule : bnf.rules[n])
        for (const BnfSymbol &s : rule)
          if (!s.terminal && !seen[s.id]) seen[s.id] = true, work.push_back(s.id);
    }
    Reach reach = analyseReach(g);
    size_t reachable = 0;
    for (uint32_t n = 0; n < g.nonterminals.size(); ++n) {
      EXPECT_EQ(seen[n], g.nonterminals[n].intended) << bnf.names[n] << describe(knobs);
      EXPECT_EQ(seen[n], reach.reached(g, n)) << bnf.names[n] << describe(knobs);
      reachable += seen[n];
    }
    if (knobs.nonterminals > 1)
      EXPECT_EQ(reachable < g.nonterminals.size(), knobs.unreachable > 0) << describe(knobs);
  }
}

TEST(Grammar, NoLeftRecursion) {
  for (const Knobs &knobs : samples()) {
    Bnf bnf = toBnf(generateGrammar(knobs));
    Tables tables(bnf);
    // Depth-first over "begins with": 1 open, 2 done.
    std::vector<char> state(bnf.rules.size());
    auto visit = [&](auto &self, uint32_t n) -> bool {
      if (state[n]) return state[n] == 2;
      state[n] = 1;
      for (const auto &rule : bnf.rules[n])
        for (const BnfSymbol &s : rule) {
          if (s.terminal) break;
          if (!self(self, s.id)) return false;
          if (!tables.nullable[s.id]) break;
        }
      state[n] = 2;
      return true;
    };
    for (uint32_t n = 0; n < bnf.rules.size(); ++n)
      EXPECT_TRUE(visit(visit, n)) << bnf.names[n] << describe(knobs);
  }
}

TEST(Grammar, KnobsDoWhatTheySay) {
  auto count = [](const Knobs &knobs, auto &&is) {
    Grammar g = generateGrammar(knobs);
    std::set<uint32_t> owners;
    for (const Node &n : g.nodes)
      if (is(n) && g.nonterminals[n.owner].intended) owners.insert(n.owner);
    size_t live = 0;
    for (const Nonterminal &n : g.nonterminals) live += n.intended;
    return static_cast<double>(owners.size()) / static_cast<double>(live);
  };
  Knobs knobs;
  knobs.nonterminals = 2000;
  auto loops = [](const Node &n) { return n.kind == Kind::Loop; };
  auto direct = [](const Node &n) { return n.recursive && n.target == n.owner; };
  auto indirect = [](const Node &n) { return n.recursive && n.target != n.owner; };
  auto context = [](const Node &n) {
    return n.kind == Kind::Tagged || n.kind == Kind::Counted || n.kind == Kind::Use;
  };
  knobs.unreachable = 0.25;
  EXPECT_NEAR(count(knobs, [](const Node &) { return true; }), 1, 0);
  EXPECT_NEAR(count(knobs, loops), knobs.linear, 0.04);
  EXPECT_NEAR(count(knobs, direct), knobs.direct, 0.03);
  EXPECT_NEAR(count(knobs, indirect), knobs.indirect, 0.03);
  EXPECT_NEAR(count(knobs, context), knobs.context, 0.04);
  knobs.linear = knobs.direct = knobs.indirect = knobs.context = 0;
  EXPECT_EQ(count(knobs, direct) + count(knobs, indirect) + count(knobs, context), 0);
  // The loop of declarations is there only where names are used.
  EXPECT_EQ(count(knobs, loops), 0);
}

TEST(Grammar, SharesOfCallSites) {
  Knobs knobs;
  knobs.nonterminals = 4000;
  knobs.guarded = 0.4, knobs.keyed = 0.3;
  Grammar g = generateGrammar(knobs);
  double guarded = 0, keyed = 0, plain = 0, recursive = 0;
  for (const Node &n : g.nodes) {
    if (n.kind != Kind::Call) continue;
    Kind around = g.at(g.at(n.parent).parent == kNone ? n.parent : g.at(n.parent).parent).kind;
    if (n.recursive)
      recursive++;
    else if (around == Kind::Dead)
      guarded++;
    else if (around == Kind::Keyed)
      keyed++;
    else
      plain++;
  }
  EXPECT_NEAR(guarded / (guarded + keyed + plain + recursive), 0.4, 0.03);
  EXPECT_NEAR(keyed / (keyed + plain), 0.3, 0.04);
}

} // namespace
} // namespace fathom::synth
