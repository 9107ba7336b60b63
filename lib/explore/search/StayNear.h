// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a searcher stays near the state that ran last. Anything of that state is in the caches,
// and the path's constraints are already those of the solver's indices. With a hundred thousand
// states, any other choice costs as much as thousands of instructions.
#ifndef FATHOM_EXPLORE_SEARCH_STAYNEAR_H
#define FATHOM_EXPLORE_SEARCH_STAYNEAR_H

#include "explore/interpreter/Interpreter.h"

#include <cstddef>
#include <cstdint>

namespace fathom::explore {

/// Counts instructions, not time: choices may not depend on time (--max-instructions).
class StayNear {
public:
  explicit StayNear(const Interpreter &interpreter) : interpreter_(interpreter) {}

  /// Whether the next choice should be near the last one. `states`: those to choose from.
  bool goesOn(size_t states) {
    if (states > kMany && ++choices_ < kMaxChoices && interpreter_.instructions < until_)
      return true;
    begin();
    return false;
  }
  /// The next choice is somewhere else.
  void begin() {
    choices_ = 0;
    until_ = interpreter_.instructions + kInstructions;
  }

private:
  /// With fewer states all of them are near.
  static constexpr size_t kMany = 1024;
  /// A choice of another state costs at most a few percent of these. The tools of coreutils take
  /// them in five to ten turns.
  static constexpr uint64_t kInstructions = 16000;
  static constexpr unsigned kMaxChoices = 64; ///< Also where turns cost next to nothing.

  const Interpreter &interpreter_;
  unsigned choices_ = 0;
  uint64_t until_ = 0;
};

} // namespace fathom::explore
#endif
