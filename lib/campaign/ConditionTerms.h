// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of one function as terms: what they are made of within the function, and symbols for what
// comes from elsewhere.
#ifndef FATHOM_CAMPAIGN_CONDITIONTERMS_H
#define FATHOM_CAMPAIGN_CONDITIONTERMS_H

#include "expr/ExprContext.h"

#include <unordered_map>

namespace llvm {
class Function;
class Instruction;
class PHINode;
class Value;
} // namespace llvm

namespace fathom::campaign {

/// Integers of up to 64 bits and pointers. Arithmetic wraps. Unknown, and so a symbol of its own:
/// what is loaded, called, an argument, a float, a phi of anything but constants, a shift by or a
/// division through what is not a constant, and what is more than kDeepest operations away. Loads
/// of one place are the same where nothing is written in between, in a block and the only one that
/// leads to it. Nothing is believed that only attributes or flags say: the fuzzed code is compiled
/// as it stands.
/// Guarantee: over-approximates; whatever values an execution gives the function's instructions,
/// some assignment of the symbols gives them to the terms of all values that are alive at one
/// place.
class ConditionTerms {
public:
  /// `function`: the one whose values are asked for; does not change afterwards. Linear.
  ConditionTerms(expr::ExprContext &context, const llvm::Function &function);
  /// The same term for the same value. REQUIRES an integer or a pointer of at most 64 bits.
  expr::ExprPtr term(const llvm::Value &value) { return term(value, 0); }

private:
  static constexpr unsigned kDeepest = 32;

  expr::ExprPtr term(const llvm::Value &value, unsigned depth);
  /// Null: unknown.
  expr::ExprPtr known(const llvm::Value &value, unsigned depth);
  expr::ExprPtr knownBinary(const llvm::Instruction &instruction, unsigned depth);
  expr::ExprPtr knownComparison(const llvm::Instruction &instruction, unsigned depth);
  expr::ExprPtr knownPhi(const llvm::PHINode &phi);
  expr::ExprPtr unknown(unsigned width);

  expr::ExprContext &context_;
  std::unordered_map<const llvm::Value *, expr::ExprPtr> terms_;
  std::unordered_map<const llvm::Value *, const llvm::Value *> first_; ///< of equal loads
  unsigned symbols_ = 0;
};

} // namespace fathom::campaign
#endif
