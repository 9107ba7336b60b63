// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of generated grammars, computed on the plain rules by textbook fixpoints that know
// nothing of how the generator keeps its promises.
#include "Samples.h"

#include "synth/Bnf.h"
#include "synth/Generate.h"

#include <gtest/gtest.h>

#include <set>

namespace fathom::synth {
namespace {

/// FIRST, FOLLOW and who derives the empty string, after Aho, Sethi, Ullman. Classes of bytes count
/// as these bytes; the two sorts of keys are told apart by what the parser reads before it decides.
struct Tables {
  static constexpr uint32_t kEndMark = 300;
  const Bnf &bnf;
  std::vector<std::set<uint32_t>> first, follow;
  std::vector<bool> nullable;

  explicit Tables(const Bnf &b)
      : bnf(b), first(b.rules.size()), follow(b.rules.size()), nullable(b.rules.size()) {
    follow[0].insert(kEndMark);
    for (bool changed = true; changed;) {
      size_t before = size();
      for (size_t n = 0; n < bnf.rules.size(); ++n)
        for (const auto &rule : bnf.rules[n]) add(n, rule);
      changed = size() != before;
    }
  }
  static std::set<uint32_t> bytes(uint32_t terminal) {
    std::set<uint32_t> all;
    if (terminal == kLetter)
      for (uint32_t c = 'a'; c <= 'z'; ++c) all.insert(c);
    else if (terminal == kDigit)
      for (uint32_t c = '0'; c <= '9'; ++c) all.insert(c);
    else
      all.insert(terminal);
    return all;
  }
  std::set<uint32_t> firstOf(const std::vector<BnfSymbol> &rule, size_t from, bool &empty) const {
    std::set<uint32_t> all;
    for (size_t k = from; k < rule.size(); ++k) {
      std::set<uint32_t> one = rule[k].terminal ? bytes(rule[k].id) : first[rule[k].id];
      all.insert(one.begin(), one.end());
      if (rule[k].terminal || !nullable[rule[k].id]) {
        empty = false;
        return all;
      }
    }
    empty = true;
    return all;
  }
  void add(size_t n, const std::vector<BnfSymbol> &rule) {
    bool empty = false;
    std::set<uint32_t> begin = firstOf(rule, 0, empty);
    first[n].insert(begin.begin(), begin.end());
    if (empty) nullable[n] = true;
    for (size_t k = 0; k < rule.size(); ++k) {
      if (rule[k].terminal) continue;
      std::set<uint32_t> rest = firstOf(rule, k + 1, empty);
      follow[rule[k].id].insert(rest.begin(), rest.end());
      if (empty) follow[rule[k].id].insert(follow[n].begin(), follow[n].end());
    }
  }
  size_t size() const {
    size_t sum = 0;
    for (size_t n = 0; n < first.size(); ++n)
      sum += first[n].size() + follow[n].size() + nullable[n];
    return sum;
  }
  /// The first conflict of the predictive table, "" when it has none.
  std::string conflict() const {
    for (size_t n = 0; n < bnf.rules.size(); ++n) {
      std::set<uint32_t> taken;
      for (const auto &rule : bnf.rules[n]) {
        bool empty = false;
        std::set<uint32_t> predict = firstOf(rule, 0, empty);
        if (empty) predict.insert(follow[n].begin(), follow[n].end());
        for (uint32_t terminal : predict)
          if (!taken.insert(terminal).second)
            return bnf.names[n] + " on " + std::to_string(terminal);
      }
    }
    return "";
  }
};

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
  for (const Knobs &knobs : samples()) {
    Bnf bnf = toBnf(generateGrammar(knobs));
    std::vector<bool> productive(bnf.rules.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t n = 0; n < bnf.rules.size(); ++n)
        for (const auto &rule : bnf.rules[n]) {
          bool all = true;
          for (const BnfSymbol &s : rule) all = all && (s.terminal || productive[s.id]);
          if (all && !productive[n]) productive[n] = changed = true;
        }
    }
    for (size_t n = 0; n < productive.size(); ++n)
      EXPECT_TRUE(productive[n]) << bnf.names[n] << describe(knobs);
  }
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
