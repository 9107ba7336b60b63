// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textbook fixpoints on plain rules, which know nothing of how grammars are made to keep promises.
#ifndef FATHOM_UNITTESTS_SYNTH_TABLES_H
#define FATHOM_UNITTESTS_SYNTH_TABLES_H

#include "synth/Bnf.h"

#include <set>
#include <string>
#include <vector>

namespace fathom::synth {

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

/// The first nonterminal from which no input can be derived, "" when there is none.
inline std::string unproductive(const Bnf &bnf) {
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
    if (!productive[n]) return bnf.names[n];
  return "";
}

} // namespace fathom::synth
#endif
