// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which global variables each function of the program may write, also in functions of the program
// that it calls or passes to a library. What a library does by pointers of its own is left out: it
// does not know the program's variables. (ModRef has it, and so nearly all variables for a function
// that prints: by the functions to which a stream's pointers may lead.)
#ifndef FATHOM_STATICS_HEAP_GLOBALWRITES_H
#define FATHOM_STATICS_HEAP_GLOBALWRITES_H

#include "statics/checkers/View.h"

namespace fathom::statics::heap {

class GlobalWrites {
public:
  /// Cost: linear in statements and calls, times the size of sets.
  explicit GlobalWrites(const View &view);

  /// By any statement of the function.
  bool mayWrite(FunctionId function, ObjectId global) const {
    return !view_.pts.isReached(function) || functions_[function].contains(global);
  }
  /// By one call.
  bool callMayWrite(StatementId call, ObjectId global) const;

private:
  struct Call {
    SparseBits own;                  ///< objects, without what callees write
    std::vector<FunctionId> callees; ///< of the program
  };
  void addStatement(StatementId id, SparseBits &into) const;
  std::vector<FunctionId> calleesOf(const Statement &call) const;
  void addPointees(ValueId pointer, SparseBits &into) const;

  const View &view_;
  std::vector<SparseBits> functions_; ///< objects, by function
  std::unordered_map<StatementId, Call> calls_;
};

} // namespace fathom::statics::heap
#endif
