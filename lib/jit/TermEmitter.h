// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/jit: terms as LLVM IR.
#ifndef FATHOM_JIT_TERMEMITTER_H
#define FATHOM_JIT_TERMEMITTER_H

#include "expr/RowLayout.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <span>

namespace fathom::jit {

using expr::ExprPtr;

/// Emits one TermFunction. A value of up to 64 bits is an i64, zero-extended, whatever its
/// width: the instructions on it are the few that LLVM's fast instruction selection knows. Wider
/// ones are integers of their own width. All is one basic block; choices are selects.
class TermEmitter {
public:
  TermEmitter(llvm::Module &module, const expr::RowLayout &layout);

  /// False: some term is of a kind that cannot be compiled, or there are more than `maxTerms`.
  bool emit(std::span<const ExprPtr> roots, llvm::StringRef name, size_t maxTerms);

  /// Does what was emitted use TermCalls?
  bool callsOut() const { return callsOut_; }

private:
  using Value = llvm::Value;

  std::optional<expr::RowLayout::Run> asLoad(ExprPtr e) const;
  void appendOperands(ExprPtr e, llvm::SmallVectorImpl<ExprPtr> &out) const;
  bool emitAll(ExprPtr root, size_t maxTerms);
  Value *value(ExprPtr e);
  Value *make(ExprPtr e);
  Value *makeBinary(ExprPtr e);
  Value *makeWide(ExprPtr e);
  Value *makeFloat(ExprPtr e);
  Value *makeRead(ExprPtr e);
  Value *makeDivision(ExprPtr e);
  Value *readBottom(ExprPtr array, ExprPtr index);
  Value *condition(ExprPtr e);
  Value *fromCondition(Value *i1) { return b.CreateZExt(i1, i64); }

  Value *constant(uint64_t v) { return llvm::ConstantInt::get(i64, v); }
  Value *maskTo(Value *v, unsigned width); ///< The low `width` bits; the others become 0.
  Value *signExtended(Value *v, unsigned width);
  Value *zeroExtended(ExprPtr e, unsigned width); ///< An integer of this many bits.
  Value *asWord(Value *v);                        ///< An integer of up to 64 bits as an i64.
  Value *byteAddress(Value *base, Value *offset);
  Value *loadByte(Value *address);

  llvm::Module &module_;
  const expr::RowLayout &layout_;
  // Short names, since nearly every line that emits code uses them.
  // NOLINTBEGIN(readability-identifier-naming)
  llvm::IRBuilder<> b;
  llvm::Type *i8, *i64;
  // NOLINTEND(readability-identifier-naming)
  llvm::Function *function_ = nullptr;
  Value *row_ = nullptr, *calls_ = nullptr;
  bool callsOut_ = false;
  llvm::DenseMap<ExprPtr, Value *> values_;     // looked up only
  llvm::DenseMap<ExprPtr, Value *> conditions_; // of terms of width 1
  llvm::DenseMap<ExprPtr, Value *> tables_;
};

} // namespace fathom::jit
#endif
