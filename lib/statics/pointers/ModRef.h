// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory each statement and each function may read and write.
#ifndef FATHOM_STATICS_POINTERS_MODREF_H
#define FATHOM_STATICS_POINTERS_MODREF_H

#include "statics/pointers/PointsTo.h"

#include <atomic>

namespace fathom::statics {

/// Sets of locations, none of them *anywhere*: instead of it a set has all leaves of the object.
///
/// Guarantee: over-approximates what is read and written, like PointsTo. A frame's variables do not
///            count for callers, unless the function may be called again before it returns.
/// Cost:      O(statements + edges of the call graph), times the size of sets.
class ModRef {
public:
  /// \param stop  Set: sets are too small. It outlives the constructor.
  explicit ModRef(PointsTo &pts, const std::atomic<bool> *stop = nullptr);

  /// Including what its callees do.
  SetId mod(FunctionId function) const { return functions_[function].mod; }
  SetId ref(FunctionId function) const { return functions_[function].ref; }
  /// What a statement itself may read and write; of a call, including what callees do.
  SetId statementMod(const Statement &s) const { return of(s).mod; }
  SetId statementRef(const Statement &s) const { return of(s).ref; }
  /// May the function be called again before it returns?
  bool isRecursive(FunctionId function) const { return recursive_[function]; }

private:
  struct Sets {
    SetId mod = 0, ref = 0;
  };
  struct Bits {
    SparseBits mod, ref;
  };
  Sets of(const Statement &s) const { return statements_[index(s)]; }
  size_t index(const Statement &s) const {
    return static_cast<size_t>(&s - pts_.facts.statements.data());
  }
  SetId accessed(ValueId address, uint64_t bytes);
  SetId objectsBehind(ValueId address);
  void addOwn(FunctionId function, Bits &bits);
  void addSummary(const CallSite &site, Bits &bits);
  void addExternal(Bits &bits);
  void findCycles();
  void finishCall(const Statement &s);

  PointsTo &pts_;
  std::vector<Sets> functions_, statements_;
  std::vector<bool> recursive_;
  std::vector<std::vector<FunctionId>> components_; ///< callees first
  std::unordered_map<uint64_t, SetId> accessed_;    ///< (set, bytes)
  std::unordered_map<SetId, SetId> objects_;
};

} // namespace fathom::statics
#endif
