// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM constants to numbers. Every address is known when decoding starts (Address.h), so every
// constant expression is a number.
#ifndef FATHOM_PROGRAM_CONSTANTS_H
#define FATHOM_PROGRAM_CONSTANTS_H

#include "program/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace fathom::program {

/// A scalar constant: up to 128 bits, zero-extended.
struct Word {
  uint64_t lo = 0, hi = 0;
  bool undef = false; ///< undef or poison (docs/undef-poison.md)
};

class Constants {
public:
  Constants(const llvm::DataLayout &dl, Layouts &layouts) : dl_(dl), layouts_(layouts) {}

  void setAddress(const llvm::GlobalValue *value, uint64_t address) { addresses_[value] = address; }
  void setAddress(const llvm::BasicBlock *block, uint64_t address) { blocks_[block] = address; }
  /// Address of a block taken by blockaddress, 0 if it is not.
  uint64_t address(const llvm::BasicBlock *block) const { return blocks_.lookup(block); }
  /// Address of a global, function or alias. Undefined weak symbols: 0.
  uint64_t address(const llvm::GlobalValue *value) const;

  /// The value of a scalar constant; nothing if it is of a kind or width that is not supported.
  std::optional<Word> scalar(const llvm::Constant *constant) const;
  /// Scalar number `index` of a constant of any type, as Layout counts them.
  std::optional<Word> element(const llvm::Constant *constant, unsigned index) const;
  /// Stores the constant's bytes as they lie in memory. Undefined bytes become 0.
  /// REQUIRES: out.size() >= the type's allocation size.
  llvm::Error write(const llvm::Constant *constant, llvm::MutableArrayRef<uint8_t> out) const;

private:
  std::optional<Word> expression(const llvm::ConstantExpr *e) const;

  const llvm::DataLayout &dl_;
  Layouts &layouts_;
  llvm::DenseMap<const llvm::GlobalValue *, uint64_t> addresses_;
  llvm::DenseMap<const llvm::BasicBlock *, uint64_t> blocks_;
};

/// The function an ifunc stands for: what its resolver returns, when that is a single constant;
/// otherwise null.
const llvm::Function *resolveIFunc(const llvm::GlobalIFunc &ifunc);

/// The low `bits` bits of a 128-bit number.
Word maskTo(Word value, unsigned bits);

} // namespace fathom::program
#endif
