// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Knobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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
  if (knobs.lines && knobs.lines < 100)
    return fmt::format("--lines {}: expected at least 100", knobs.lines);
  return "";
}

bool appliesToLike(std::string_view flag) {
  static constexpr std::string_view kFlags[] = {
      "--recursion-limit", "--guarded-calls", "--dead-branches",   "--keyed-calls", "--key-bytes",
      "--file-lines",      "--seeds",         "--returned-errors", "--seed-bytes",  "--seed"};
  return std::find(std::begin(kFlags), std::end(kFlags), flag) != std::end(kFlags);
}

Knobs likeDefaults() {
  Knobs knobs;
  knobs.guarded = knobs.dead = knobs.keyed = knobs.returned = 0;
  return knobs;
}

} // namespace fathom::synth
