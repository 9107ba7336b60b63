// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of integers of more than 128 bits on their words of 64, the lowest first, as
// instructions.
#ifndef FATHOM_PROGRAM_WIDEWORDS_H
#define FATHOM_PROGRAM_WIDEWORDS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace fathom::program {

constexpr unsigned kWordBits = 64;
/// The number of words of an integer of this many bits.
inline size_t wordCount(unsigned bits) { return (bits + kWordBits - 1) / kWordBits; }

using Words = llvm::SmallVector<llvm::Value *, 4>;

/// Operands have the same number of words, and 0 in the bits of the last one above the integer's.
/// Results may have anything there, until they are made canonical.
class WideWords {
public:
  /// Instructions go where the builder stands.
  explicit WideWords(llvm::IRBuilder<> &builder) : b_(builder) {}

  llvm::Type *word() { return b_.getInt64Ty(); }
  llvm::Value *number(uint64_t n) { return b_.getInt64(n); }

  /// The last word of an integer of this many bits, with 0 above them.
  llvm::Value *canonical(llvm::Value *last, unsigned bits);
  Words canonical(Words w, unsigned bits);
  /// The last word with copies of the sign above the integer's bits.
  llvm::Value *withSign(llvm::Value *last, unsigned bits);
  /// All ones or all zeros.
  llvm::Value *signOf(const Words &w, unsigned bits);
  llvm::Value *holds(llvm::CmpInst::Predicate predicate, Words a, Words b, unsigned bits);
  Words choose(llvm::Value *condition, const Words &a, const Words &b);
  /// carry: receives that of the last word's 64 bits.
  Words sum(const Words &a, const Words &b, llvm::Value *&carry);
  Words difference(const Words &a, const Words &b, llvm::Value *&borrow);
  Words product(const Words &a, const Words &b);
  Words shift(llvm::Instruction::BinaryOps op, Words a, const Words &by, unsigned bits);

private:
  llvm::IRBuilder<> &b_;
};

} // namespace fathom::program
#endif
