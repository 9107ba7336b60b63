// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to LowerIntrinsics*.cpp: one call of an x86 intrinsic, and what its meaning in ordinary
// instructions is put together with.
#ifndef FATHOM_PROGRAM_VECTORLOWERING_H
#define FATHOM_PROGRAM_VECTORLOWERING_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"

namespace fathom::program {

struct VectorLowering {
  llvm::CallInst &call;
  llvm::IRBuilder<> b;

  explicit VectorLowering(llvm::CallInst &c) : call(c), b(&c) {}

  llvm::Value *arg(unsigned i) const { return call.getArgOperand(i); }
  llvm::Type *result() const { return call.getType(); }
  /// An argument that the instruction has as an immediate.
  uint64_t immediate(unsigned i) const;

  static unsigned lanesOf(llvm::Type *vector);
  /// Elements in each block of 128 bits: most instructions treat such blocks one by one.
  static unsigned lanesOfBlock(llvm::Type *vector);
  /// The same number of elements, of this type.
  static llvm::Type *withElement(llvm::Type *vector, llvm::Type *element);
  static llvm::Type *withWidth(llvm::Type *vector, unsigned bits);

  llvm::Value *lane(llvm::Value *vector, unsigned i) { return b.CreateExtractElement(vector, i); }
  /// A vector of these elements.
  llvm::Value *build(llvm::Type *vector, llvm::function_ref<llvm::Value *(unsigned)> element);
  llvm::Value *withLane(llvm::Value *vector, unsigned i, llvm::Value *element) {
    return b.CreateInsertElement(vector, element, i);
  }
  /// Elements of two vectors, chosen by their number in both: those of `y` follow those of `x`.
  llvm::Value *choose(llvm::Value *x, llvm::Value *y, unsigned count,
                      llvm::function_ref<unsigned(unsigned)> from);
  /// Signed elements, cut to what a narrower one can have, and narrowed.
  llvm::Value *saturate(llvm::Value *vector, unsigned bits, bool isSigned);
  /// Every second element of both, in the order of horizontal operations: block by block, first
  /// those of x.
  llvm::Value *everySecond(llvm::Value *x, llvm::Value *y, unsigned first);
  /// As integers of the same width.
  llvm::Value *bits(llvm::Value *vector);
};

/// What a call is replaced with. Null: not with these operands.
using LowerIntrinsic = llvm::Value *(*)(VectorLowering &);

/// Null: it stays as it is. `name`: without "llvm.x86.".
LowerIntrinsic findIntegerLowering(llvm::StringRef name);
LowerIntrinsic findFloatLowering(llvm::StringRef name);

} // namespace fathom::program
#endif
