// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of a generated program ([assess25] Sec. III-A, "controlling the program
// complexity"); Knobs.def lists them.
#ifndef FATHOM_SYNTH_KNOBS_H
#define FATHOM_SYNTH_KNOBS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace fathom::synth {

struct Knobs {
#define FATHOM_KNOB(type, field, defaultValue, least, most, flag, help) type field = defaultValue;
#include "synth/Knobs.def"
#undef FATHOM_KNOB
  bool witnesses = false; ///< also inputs that together cover every reachable element
};

/// Empty when fine, otherwise one line: the knob, its value, and what would be right.
std::string validate(const Knobs &knobs);

/// Whether a knob ("--seed") says something about a program that is made after another one.
bool appliesToLike(std::string_view flag);
/// The defaults there: nothing is added to what the program has.
Knobs likeDefaults();

} // namespace fathom::synth
#endif
