// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What leaves nothing of what a place in memory held: a store over it, a copy or memset of known
// length over it (`*p = other`), a free of the object that it is in, and a call of a function that
// does one of these on each of its ways. Memory SSA knows such strong updates of variables only:
// one heap object stands for all that a call of malloc makes. Here the object is the one that a
// pointer of the function points to, and so it is one.
#ifndef FATHOM_STATICS_CHECKERS_OVERWRITES_H
#define FATHOM_STATICS_CHECKERS_OVERWRITES_H

#include "statics/checkers/View.h"

#include <map>
#include <set>
#include <unordered_map>

namespace fathom::statics {

/// As the values of a function name it; ValueNumbers says which are equal.
struct MemoryPlace {
  ValueId address = kNone; ///< leader; kNone: known by base and offset only
  ValueId base = kNone;    ///< leader of the pointer it is computed from; kNone: nothing is known
  int64_t offset = 0;      ///< from there
  bool isExact = false;    ///< the offset is known

  bool isKnown() const { return address != kNone || base != kNone; }
};

class Overwrites {
public:
  explicit Overwrites(View &view) : view_(view), facts_(view.facts) {}

  MemoryPlace placeOf(FunctionId function, ValueId address);
  /// The place, which is one of the callee's, as the function of the call names it.
  MemoryPlace inCaller(const MemoryPlace &place, FunctionId callee, StatementId call);
  /// Is nothing left, after the statement, of what the place held? The place is one of the
  /// statement's function. What `place.base` was computed anew between the two is not asked.
  bool at(StatementId statement, const MemoryPlace &place);

private:
  ValueId anyAddressOf(ObjectId object);
  bool atCall(StatementId call, const MemoryPlace &place);
  uint64_t bytesWritten(StatementId call, uint32_t operand) const;
  bool always(FunctionId function, uint32_t parameter, int64_t offset);
  bool isReallocation(const CallSite &site) const;

  View &view_;
  const Facts &facts_;
  std::unordered_map<ObjectId, ValueId> addressOf_;
  /// By function, parameter and offset: does every way overwrite it?
  std::map<std::tuple<FunctionId, uint32_t, int64_t>, bool> always_;
  std::set<FunctionId> asked_; ///< by always, which has not answered yet
};

} // namespace fathom::statics
#endif
