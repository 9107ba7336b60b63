// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms: a hash-consed, immutable DAG of bit-vector, floating-point and array terms.
//
// Every term is built by an ExprContext (ExprContext.h), which simplifies while it builds and
// returns the one node that stands for that term, so equality of terms is equality of pointers. A
// node is 64 bytes or less, has at most three operands and carries what is asked of it all the time
// (width, hash, height, flags that are the union of the operands' flags).
//
// Concrete values never become expressions in the engine; constants exist here only as operands of
// terms with a symbolic part.
//
// Conventions
//   * A Boolean is a bit-vector of width 1. Widths go up to kMaxWidthBits.
//   * Bit 0 is the least significant bit. Concat(high, low).
//   * Arrays map 64-bit indices to 8-bit values. A symbolic array has a size in bytes; reading past
//   it is
//     unspecified (the engine checks bounds before it reads). A constant array has contents.
//   * Division by zero has SMT-LIB's meaning (all ones; remainder: the dividend); the engine checks
//   divisors first.
//     A shift by width or more gives 0 (AShr: copies of the sign bit), as in SMT-LIB.
//
//   * Floating-point operations take and give bit patterns: bit-vectors of width 16, 32 or 64, read
//     as IEEE 754 binary16, binary32, binary64. They round to nearest, ties to even. What they do
//     with NaNs is said in FloatFold.h.
//
// Source: the term language is SMT-LIB's QF_AUFBV, with operations of its FloatingPoint theory.
#ifndef FATHOM_EXPR_EXPR_H
#define FATHOM_EXPR_EXPR_H

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::expr {

inline constexpr unsigned kMaxWidthBits = 512;

class ExternalOperation;

enum class Kind : uint8_t {
  // Bit-vector leaves.
  Const, // value() or wideValue()
  // Bit-vector terms.
  Read, // op(0) = array, op(1) = 64-bit index; 8 bits
  Concat,
  Extract,
  ZExt,
  SExt,
  Not,
  And,
  Or,
  Xor,
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  // Predicates (width 1). Ugt, Uge, Sgt, Sge, Ne are built from these.
  Eq,
  Ult,
  Ule,
  Slt,
  Sle,
  Ite, // op(0) has width 1
  // Array terms (width 0).
  SymbolArray,
  ConstArray,
  Store, // op(0) = array, op(1) = index, op(2) = 8-bit value
  // Floating point (see FloatFold.h). Negation, absolute value and classes are bit operations.
  FAdd,
  FSub,
  FMul,
  FDiv,
  FEq, // predicates, width 1; false when an operand is a NaN
  FLt,
  FLe,
  FSqrt,
  FRound,   // to an integral value; rounding()
  FFma,     // op(0) * op(1) + op(2), rounded once; widths 32 and 64
  FConvert, // of another floating-point width
  SToF,     // of a signed integer of 1 .. 64 bits
  UToF,     // of an unsigned one
  FToS,     // to a signed integer of 1 .. 64 bits, towards zero
  FToU,     // to an unsigned one
  // An array of width 0 again: what an external operation gives (ExternalOperation.h).
  Apply, // op(0) = array of operation().inputBytes bytes
  // Bounded quantifiers (Quantifiers.h).
  Bound,  // a leaf of 64 bits: the number that the next Forall above counts, 1 .. range()
  Forall, // op(1), of width 1, holds for each number from 1 to min(op(0), range()); op(0): 64 bits
};

/// Direction in which Kind::FRound rounds.
enum class Rounding : uint8_t { Down, Up, TowardZero, NearestEven, NearestAway };

/// A named symbolic input (SymbolArray), a table of constant bytes (ConstArray), or the results of
/// an external operation (Apply).
struct ArrayInfo {
  std::string name;       ///< Unique within the context; valid as an SMT-LIB symbol without quotes.
  uint64_t sizeBytes = 0; ///< Number of elements.
  std::vector<uint8_t> contents; ///< ConstArray only: sizeBytes entries.
  uint32_t index = 0;            ///< Dense, in order of creation; indexes Model. SymbolArray only.
  ExternalOperation *operation = nullptr; ///< Apply only.
};

enum Flag : uint8_t {
  kHasSymbol =
      1, ///< Some SymbolArray below (false: the term is ground, e.g. a read of a ConstArray).
  kHasUninit =
      2, ///< Depends on a read of uninitialised memory (a symbol made by ExprContext::uninitByte).
  kHasFreeIndexRead = 4, ///< Some Read of a symbolic array below has an index that is not constant.
  kHasFloat = 8,  ///< Some floating-point operation below that is more than a comparison of bits:
                  ///< any but FEq, FLt, FLe.
  kHasApply = 16, ///< An application of an external operation below.
  kIsOpen = 32,   ///< A Bound below, and no Forall between: the term alone has no value.
  kHasForall = 64,
};

/// One term. Only ExprContext makes them; they live until they are reclaimed by its mark and sweep.
class Expr {
public:
  Kind kind() const { return kind_; }
  unsigned width() const { return width_; } ///< Bits; 0 for arrays.
  bool isConst() const { return kind_ == Kind::Const; }
  bool isArray() const { return width_ == 0; }
  bool isBool() const { return width_ == 1; }
  bool has(Flag f) const { return flags_ & f; }
  unsigned numOps() const { return numOps_; }
  const Expr *op(unsigned i) const { return ops_[i]; }
  uint32_t hash() const {
    return hash_;
  } ///< Structural: the same in every run with the same symbols.
  uint32_t height() const { return height_; }

  /// Const with width() <= 64: the value, zero-extended.
  uint64_t value() const { return value_; }
  bool isConst(uint64_t v) const { return kind_ == Kind::Const && width_ <= 64 && value_ == v; }
  bool isTrue() const { return width_ == 1 && isConst(1); }
  bool isFalse() const { return width_ == 1 && isConst(0); }
  /// Const of any width: word i (64 bits, least significant first).
  uint64_t word(unsigned i) const { return width_ <= 64 ? (i ? 0 : value_) : wide_[i]; }
  /// Extract: the lowest bit taken. (The number of bits is width().)
  unsigned offset() const { return static_cast<unsigned>(value_); }
  /// Bound, Forall: the greatest number that is counted.
  uint64_t range() const { return value_; }
  /// FRound: which way.
  Rounding rounding() const { return static_cast<Rounding>(value_); }
  /// SymbolArray, ConstArray, Apply; Store: of the array at the bottom of the chain of stores.
  const ArrayInfo &array() const { return *array_; }
  /// Apply: what is applied.
  ExternalOperation &operation() const { return *array_->operation; }

private:
  friend class TermStore;
  friend struct NodeTable;
  friend class Evaluator;
  friend class TermNotes;
  friend class TermVisitor;
  Expr() = default;
  Kind kind_ = Kind::Const;
  uint8_t flags_ = 0;
  uint8_t numOps_ = 0;
  uint8_t mark_ = 0; // mark and sweep
  uint16_t width_ = 0;
  uint32_t hash_ = 0;
  uint32_t height_ = 0;
  mutable uint32_t evalEpoch_ = 0;  // see Evaluator, TermNotes: evalValue_ holds in their epoch
  mutable uint32_t visitEpoch_ = 0; // see TermVisitor: visited when this is its current epoch
  union {
    uint64_t value_ = 0;
    const uint64_t *wide_;
    const ArrayInfo *array_;
  };
  const Expr *ops_[3] = {nullptr, nullptr, nullptr};
  mutable uint64_t evalValue_ = 0;
};
static_assert(sizeof(Expr) <= 64, "one cache line");

using ExprPtr = const Expr *;

} // namespace fathom::expr
#endif
