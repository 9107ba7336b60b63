// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opaque predicates: conditions of C on the parser's state that never hold, which a compiler or
// analysis cannot see easily.
#ifndef FATHOM_SYNTH_OPAQUEPREDICATE_H
#define FATHOM_SYNTH_OPAQUEPREDICATE_H

#include <cstdint>
#include <string>

namespace fathom::synth {

/// `left fails right` never holds, `left holds right` always does.
struct OpaquePredicate {
  std::string left, right;
  const char *fails, *holds;
};

/// One of them, chosen by `random`. They rest on arithmetic modulo powers of two of p->sum, which
/// every byte of the input goes into, and on what the parser keeps true of its other fields
/// (mode < kModes, pos <= size, depth <= limit).
OpaquePredicate opaquePredicate(uint32_t random, uint32_t limit);

} // namespace fathom::synth
#endif
