// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer values of unoptimised code in the words of the source: `i`, `b[i]`, `p->length`,
// `b[i] <= ((3 * i) * i) + (3 * i)`.
//
// Debug information names variables and members; the rest is read off the instructions. A *leaf* is
// a value that has a name: what was loaded from a named place, and the result of a call
// (`strlen(...)`). An expression is a formula over leaves and numbers. Casts that keep the number
// are left out.
//
// The formula is about integers, as psp/Condition.h evaluates it. An unsigned comparison, division
// or shift means the same there only if no operand is negative, so that formulas in which a signed
// value takes part in one are given up; arithmetic that wraps around is not noticed.
#ifndef FATHOM_PROGRAM_SOURCENAMES_H
#define FATHOM_PROGRAM_SOURCENAMES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class AllocaInst;
class DILocalVariable;
class DIVariable;
class Value;
} // namespace llvm

namespace fathom::program {

struct SourceLeaf {
  std::string name;
  llvm::Value *value = nullptr; ///< an integer of at most 64 bits
  bool isSigned = true;         ///< how its bits are read
};

struct SourceFormula {
  std::string text;
  std::vector<SourceLeaf> leaves; ///< one for each name, in the order of their occurrence
};

/// Absent: something in it has no name, or is no integer of at most 64 bits.
/// REQUIRES code whose locals were not promoted.
std::optional<SourceFormula> sourceFormula(llvm::Value &value);

/// "b[i]" for an address; "" when it has no name.
std::string sourcePlaceName(const llvm::Value &address);

/// Whether a name is that of a place in memory or of a call's result (`b[i]`, `p->n`, `*p`,
/// `strlen(...)`), and not that of a variable.
bool isPlaceName(std::string_view name);

/// The variable that a local lives in; null: none, or one of an inlined function.
const llvm::DILocalVariable *localVariable(llvm::AllocaInst &alloca);
/// Whether a variable of an integer type of at most 64 bits (also enumerations and bool) is signed.
/// Absent: it has another type.
std::optional<bool> integerSign(const llvm::DIVariable &variable);

} // namespace fathom::program
#endif
