// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What machine code made of terms (lib/jit) looks like to those who run it: our own process, or
// fathom-native-helper where external operations are called. Plain data, no LLVM.
#ifndef FATHOM_NATIVE_TERMCODE_H
#define FATHOM_NATIVE_TERMCODE_H

#include <cstdint>

namespace fathom::native {

/// What the code calls for what it has no instructions for.
struct TermCalls {
  /// A floating-point operation on bit patterns; `operation`: kind | rounding << 8 | width << 16 |
  /// width of the operands << 24.
  uint64_t (*floating)(uint32_t operation, uint64_t a, uint64_t b, uint64_t c) = nullptr;
  /// Executes external operation number `operation`. 0: it could not be executed.
  uint64_t (*apply)(const TermCalls *self, uint64_t operation, const uint8_t *in,
                    uint8_t *out) = nullptr;
  void *context = nullptr; ///< For `apply`.
};

/// Computes the values of all roots (zero-extended words) for one row of input bytes. Returns 0 if
/// an external operation could not be executed; the values then mean nothing.
using TermFunction = uint64_t (*)(const uint8_t *row, uint64_t *values, const TermCalls *calls);

} // namespace fathom::native
#endif
