// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_UNITTESTS_SYNTH_MUTATE_H
#define FATHOM_UNITTESTS_SYNTH_MUTATE_H

#include "support/Rng.h"

#include <string>

namespace fathom::synth {

/// Changes some bytes, cuts, doubles: a fuzzer's havoc.
inline std::string mutate(std::string input, Rng &rng) {
  auto at = [&] { return rng.below(static_cast<uint32_t>(input.size())); };
  for (uint32_t i = 1 + rng.below(4); i-- > 0 && !input.empty();) switch (rng.below(5)) {
    case 0: input[at()] = static_cast<char>(rng.below(256)); break;
    case 1: input.insert(at(), 1, static_cast<char>('0' + rng.below(75))); break;
    case 2: input.erase(at(), 1); break;
    case 3: input.resize(at()); break;
    default: {
      uint32_t from = at();
      input.insert(at(), input.substr(from, 1 + rng.below(12)));
    }
    }
  return input;
}

} // namespace fathom::synth
#endif
