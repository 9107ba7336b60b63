// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knobs that tests go through: the defaults, and each kind of structure to its extreme.
#ifndef FATHOM_UNITTESTS_SYNTH_SAMPLES_H
#define FATHOM_UNITTESTS_SYNTH_SAMPLES_H

#include "synth/Knobs.h"
#include "synth/Reach.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace fathom::synth {

inline std::vector<Knobs> samples() {
  std::vector<Knobs> all;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    auto add = [&](auto &&change) {
      Knobs knobs;
      knobs.nonterminals = 40, knobs.seed = seed;
      change(knobs);
      all.push_back(knobs);
    };
    add([](Knobs &) {});
    add([](Knobs &k) { k.nonterminals = 1; });
    add([](Knobs &k) { k.nonterminals = 2, k.rules = 12; });
    add([](Knobs &k) { k.nonterminals = 400; });
    add([](Knobs &k) { k.rules = 1; });
    add([](Knobs &k) { k.rules = 1, k.nesting = 0, k.context = 1; });
    add([](Knobs &k) { k.rules = 24, k.ruleLength = 20, k.nonterminals = 10; });
    add([](Knobs &k) { k.ruleLength = 1, k.nesting = 0; });
    add([](Knobs &k) { k.nesting = 4, k.groups = 0.6, k.ruleLength = 8; });
    add([](Knobs &k) { k.linear = k.direct = k.indirect = k.reuse = 1; });
    add([](Knobs &k) { k.linear = k.direct = k.indirect = k.reuse = 1, k.limit = 1; });
    add([](Knobs &k) { k.indirect = 1, k.cycle = 12, k.fanout = 1, k.limit = 3; });
    add([](Knobs &k) { k.context = k.keyed = 1, k.keyBytes = 4; });
    add([](Knobs &k) { k.tokens = 8, k.reuse = 1; });
    add([](Knobs &k) { k.fanout = 10; });
    add([](Knobs &k) { k.returned = 0; });
    add([](Knobs &k) { k.returned = 0.5, k.nonterminals = 200, k.dead = 0.6; });
    add([](Knobs &k) { k.returned = 0.5, k.context = k.keyed = 0.7, k.limit = 2; });
    add([](Knobs &k) { k.returned = 0, k.linear = k.direct = k.indirect = k.reuse = 1; });
    add([](Knobs &k) { k.skew = 4, k.rules = 20, k.ruleLength = 16; });
    add([](Knobs &k) { k.guarded = 0.8, k.dead = 1, k.unreachable = 0.5; });
    add([](Knobs &k) {
      k.statements = 0;
      k.unreachable = k.guarded = k.dead = k.keyed = k.context = 0;
    });
  }
  return all;
}

inline std::string describe(const Knobs &knobs) {
  std::string out = "\n with";
#define FATHOM_KNOB(type, field, defaultValue, least, most, flag, help)                            \
  if (knobs.field != type(defaultValue)) out += fmt::format(" {} {}", flag, knobs.field);
#include "synth/Knobs.def"
#undef FATHOM_KNOB
  return out;
}

} // namespace fathom::synth
#endif
