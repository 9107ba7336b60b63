// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Knobs.h"

#include <fmt/format.h>

namespace fathom::synth {

template <class T> static std::string range(const char *flag, T value, T least, T most) {
  if (value >= least && value <= most) return ""; // also refuses NaN
  return fmt::format("{} {}: expected {} to {}", flag, value, least, most);
}

std::string validate(const Knobs &knobs) {
  std::string wrong;
#define FATHOM_KNOB(type, field, defaultValue, least, most, flag, help)                            \
  if (wrong.empty()) wrong = range<type>(flag, knobs.field, least, most);
#include "synth/Knobs.def"
#undef FATHOM_KNOB
  if (!wrong.empty()) return wrong;
  // A choice takes a token for each rule, and as many may be taken by what precedes it.
  if (knobs.tokens < 2 * knobs.rules)
    return fmt::format("--tokens {}: --rules {} takes at least {}", knobs.tokens, knobs.rules,
                       2 * knobs.rules);
  if (knobs.lines && knobs.lines < 100)
    return fmt::format("--lines {}: expected at least 100", knobs.lines);
  return "";
}

} // namespace fathom::synth
