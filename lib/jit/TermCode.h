// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/jit: what the machine code made of terms looks like to its caller.
#ifndef FATHOM_JIT_TERMCODE_H
#define FATHOM_JIT_TERMCODE_H

#include <cstdint>

namespace fathom::jit {

/// Callbacks for operations that have no machine instruction.
struct TermCalls {
  /// A floating-point operation on bit patterns; `operation`: kind | rounding << 8 | width << 16 |
  /// width of the operands << 24.
  uint64_t (*floating)(uint32_t operation, uint64_t a, uint64_t b, uint64_t c) = nullptr;
};

/// Computes the values of some roots (zero-extended words) for one row of input bytes.
using TermFunction = void (*)(const uint8_t *row, uint64_t *values, const TermCalls *calls);

} // namespace fathom::jit
#endif
