// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a function are equal for certain: a pointer that is checked and the same pointer
// that is read from memory once more for its use.
//
// A value's *leader* is an equal value. Two loads are equal if their addresses are and they read
// the same versions of memory; a load from where the version it reads was stored is what was
// stored. Everything else follows by the operation and its operands.
#ifndef FATHOM_STATICS_CHECKERS_VALUENUMBERS_H
#define FATHOM_STATICS_CHECKERS_VALUENUMBERS_H

#include "statics/valueflow/ValueFlow.h"

#include <map>

namespace fathom::statics {

class ValueNumbers {
public:
  ValueNumbers(const ValueFlow &flow, FunctionId function) : flow_(flow), function_(function) {}

  /// \returns  itself if nothing better is known. Constants are their own leaders.
  ValueId leader(ValueId value);
  enum class Reading : uint8_t {
    Anew,     ///< a load may read something else each time: other code writes that memory
    ByWrites, ///< only what the function and its callees write makes a load read something else
  };
  /// Blocks in which the value gets another content when control comes there once more.
  const std::vector<BlockId> &changedIn(ValueId leader, Reading reading = Reading::Anew);
  /// Without moves: the pointer that a member's address was computed from.
  ValueId base(ValueId value);

private:
  using Key = std::vector<uint64_t>;
  ValueId find(ValueId value, unsigned depth);
  ValueId leader(ValueId value, unsigned depth);
  ValueId stored(StatementId load, unsigned depth);

  const ValueFlow &flow_;
  const FunctionId function_;
  std::unordered_map<ValueId, ValueId> leaders_;
  std::unordered_map<ValueId, std::vector<BlockId>> changed_, changedByWrites_;
  std::map<Key, ValueId> known_;
};

} // namespace fathom::statics
#endif
