// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of several accesses through one pointer comes first. If the pointer is null, the first
// access fails, and no later one is ever executed: it says nothing new.
#ifndef FATHOM_STATICS_CHECKERS_ACCESSES_H
#define FATHOM_STATICS_CHECKERS_ACCESSES_H

#include "statics/checkers/View.h"

namespace fathom::statics {

class Accesses {
public:
  explicit Accesses(View &view) : view_(view) {}

  /// The first access through the pointer, or through one that was moved from it, that every way to
  /// the end passes; kNone: there is none. A call counts if all its callees access the argument on
  /// every way to their returns.
  ///
  /// \param pointer  a value of the function.
  /// Guarantee:      if the pointer is null at the end, the access has failed; for a pointer that
  ///                 was kept in memory for another round of a loop, that of the round before.
  /// Cost:           O(blocks); the first time in a function, O(statements of it and its callees).
  StatementId before(FunctionId function, const WayEnd &end, ValueId pointer);

private:
  using FirstOfBlock = std::unordered_map<uint32_t, StatementId>; ///< blocks from the function's
  struct Table {
    bool isMade = false;
    std::unordered_map<ValueId, FirstOfBlock> byPointer; ///< by base, ValueNumbers::base
    std::vector<StatementId> returns;
  };
  const Table &of(FunctionId function);
  bool alwaysAccesses(uint32_t call, uint32_t operand);
  StatementId above(FunctionId function, const FirstOfBlock &accesses, BlockId block,
                    StatementId limit);

  View &view_;
  std::unordered_map<FunctionId, Table> tables_;
};

} // namespace fathom::statics
#endif
