// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/OpaquePredicate.h"

#include "synth/Helpers.h"

#include <fmt/format.h>

namespace fathom::synth {

OpaquePredicate opaquePredicate(uint32_t random, uint32_t limit) {
  uint32_t constant = random >> 8;
  switch (random % 6) {
  case 0: return {"p->mode", fmt::format("{}u", kModes + constant % 56), "==", "!="};
  case 1: {
    // Squares modulo 32 are 0, 1, 4, 9, 16, 17 and 25, also of numbers that wrapped at 2^32.
    static constexpr unsigned kNoSquares[] = {5, 8, 12, 13, 20, 21, 24, 28, 29};
    return {"p->sum * p->sum % 32u", fmt::format("{}u", kNoSquares[constant % 9]), "==", "!="};
  }
  case 2: return {"p->sum * (p->sum + 1u) % 2u", "1u", "==", "!="}; // one of two neighbours is even
  case 3: return {"p->pos", "p->size", ">", "<="};
  case 4: return {"p->depth", fmt::format("{}u", limit), ">", "<="};
  default: // odd squares are 1 modulo 8
    return {"(p->sum | 1u) * (p->sum | 1u) % 8u", fmt::format("{}u", 2 + constant % 6), "==", "!="};
  }
}

} // namespace fathom::synth
