// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the BatchEvaluator: one operation on many values at once.
//
// A *lane* is one of up to kBatchLanes assignments of bytes, and a *slot* the values of one term in
// all lanes: an array of kBatchLanes elements of the narrowest lane type that holds the term's
// width, zero-extended. So a condition is 256 bytes and an int a kilobyte, and the loops over them
// are what a compiler turns into vector instructions (for AVX2 where the machine has it).
//
// Slots are named by their byte offset in one buffer. A slot only ever has one lane type, and the
// output of an instruction is none of its operands' slots.
#ifndef FATHOM_EXPR_BATCHKERNELS_H
#define FATHOM_EXPR_BATCHKERNELS_H

#include "expr/Expr.h"

#include <cstddef>
#include <span>

namespace fathom::expr {

inline constexpr unsigned kBatchLanes = 256;
/// run() works on multiples of this many lanes; what is in the lanes beyond those asked for is
/// harmless.
inline constexpr unsigned kLaneBlock = 32;

/// U128 is there for products and for words shifted in wider ones; no machine has vectors of it.
enum class LaneType : uint8_t { U8, U32, U64, U128 };
inline constexpr unsigned kLaneTypes = 4;
inline constexpr unsigned kMaxLaneWidth = 128;
using Uint128 = unsigned __int128;

constexpr LaneType laneTypeOf(unsigned width) {
  return width <= 8    ? LaneType::U8
         : width <= 32 ? LaneType::U32
         : width <= 64 ? LaneType::U64
                       : LaneType::U128;
}
constexpr unsigned laneBytes(LaneType t) {
  constexpr unsigned kBytes[kLaneTypes] = {1, 4, 8, 16};
  return kBytes[static_cast<unsigned>(t)];
}
/// Calls f with a value of the type that the lanes have.
template <typename F> constexpr void withLaneType(LaneType t, F f) {
  switch (t) {
  case LaneType::U8: return f(uint8_t());
  case LaneType::U32: return f(uint32_t());
  case LaneType::U64: return f(uint64_t());
  case LaneType::U128: return f(Uint128());
  }
}

/// kind        out                                          operand lanes     out lanes
/// And..AShr   a op b                                       from              from
/// Eq..Sle     a op b                                       from              U8
/// Not         ~a                                           from              from
/// Ite         a ? b : c                                    a: U8; b, c: from from
/// ZExt        a                                            from              to, wider
/// SExt        a                                            from              to, not narrower
/// Extract     a >> shift                                   from              to, not wider
/// Concat      a << shift | b                               from              from
/// Read        table[a], 0 past its end                     from              U8
/// FAdd..FToU  foldFloat(a, b, c), shift: the rounding       from              to
///
/// Results are cut to outWidth bits where they may have more.
struct LaneInstruction {
  Kind kind;
  LaneType from, to;
  bool hasImmediate = false; ///< The second operand of a binary operation is `immediate`.
  uint8_t width = 0;         ///< Of the operands, in bits.
  uint8_t outWidth = 0;      ///< Of the result.
  uint8_t shift = 0;
  uint32_t out = 0, a = 0, b = 0, c = 0; ///< Byte offsets of slots.
  uint64_t immediate = 0;
  const ArrayInfo *table = nullptr;
};

/// Portable: for any machine. Best: for this one.
enum class LaneKernels : uint8_t { Portable, Best };

/// Carries out the instructions for lanes 0 .. lanes-1, rounded up to a multiple of kLaneBlock.
/// `buffer` is aligned to 64 bytes.
void runLanes(std::span<const LaneInstruction> code, std::byte *buffer, unsigned lanes,
              LaneKernels kernels = LaneKernels::Best);

/// About what one lane of this instruction costs, in units of one byte-wide addition (some 10 ps).
unsigned laneCost(const LaneInstruction &i);

} // namespace fathom::expr
#endif
