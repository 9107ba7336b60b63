// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input bytes a term depends on. Two constraints whose supports do not meet are independent: a
// model of one and a model of the other make a model of both. Over-approximated where an index is
// not constant.
#ifndef FATHOM_SOLVER_SUPPORT_H
#define FATHOM_SOLVER_SUPPORT_H

#include "expr/ExprContext.h"

#include <llvm/ADT/DenseMap.h>

#include <deque>
#include <unordered_map>
#include <vector>

namespace fathom::solver {

using expr::ExprPtr;

/// A byte of a symbolic array, or (index kWhole) all of them.
struct Cell {
  uint64_t key = 0; // symbol index << 40 | byte index, so that cells sort by symbol, then index
  static constexpr uint64_t kWhole = (uint64_t(1) << 40) - 1;
  static Cell of(uint32_t symbol, uint64_t index) { return {uint64_t(symbol) << 40 | index}; }
  static Cell whole(uint32_t symbol) { return of(symbol, kWhole); }
  uint32_t symbol() const { return static_cast<uint32_t>(key >> 40); }
  uint64_t index() const { return key & kWhole; }
  bool isWhole() const { return index() == kWhole; }
  auto operator<=>(const Cell &) const = default;
};

/// Sorted, without repetition. A symbol's whole cell comes after its single ones, if it has both.
using Support = std::vector<Cell>;

/// Supports of constraints, computed once per term. Starts over when the context reclaimed terms.
class SupportTable {
public:
  explicit SupportTable(const expr::ExprContext &context) : context_(context) {}
  /// Valid until terms are reclaimed.
  const Support &of(ExprPtr e) { return entry(e).support; }
  /// Some read below has an index that is not constant.
  bool readsByIndex(ExprPtr e) { return entry(e).readsByIndex; }
  /// About how many gates the term takes as a circuit: what a SAT-based solver has to build before
  /// it can even start. Shared subterms of different constraints may be counted several times.
  uint64_t gates(ExprPtr e);
  void clear() {
    table_.clear();
    entries_.clear();
    numbers_.clear();
    unions_.clear();
    gates_.clear();
  }

private:
  struct Entry {
    Support support;
    bool readsByIndex = false;
  };
  const Entry &entry(ExprPtr e);
  uint32_t combine(ExprPtr e);
  uint32_t keep(Entry entry);
  uint32_t unite(uint32_t a, uint32_t b);
  Entry walk(ExprPtr e) const;

  const expr::ExprContext &context_;
  uint64_t collections_ = 0;
  llvm::DenseMap<ExprPtr, uint32_t> table_;             // in entries_; looked up only
  std::deque<Entry> entries_;                           // no two alike; references stay valid
  std::unordered_multimap<uint64_t, uint32_t> numbers_; // of entries, by hash; looked up only
  std::unordered_map<uint64_t, uint32_t> unions_;       // of two entries; looked up only
  llvm::DenseMap<ExprPtr, uint64_t> gates_;             // looked up only
};

/// About how many gates the operation of a term takes as a circuit, without its operands.
uint64_t gatesOf(ExprPtr e);

/// The union, for the support of a conjunction.
void mergeInto(Support &into, const Support &from);

/// The conjuncts of a width-1 term, in order.
void flattenConjunction(ExprPtr e, std::vector<ExprPtr> &out);

} // namespace fathom::solver
#endif
