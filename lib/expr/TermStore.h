// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores each existing term once. Makes leaves, and collects terms that are no longer used.
#ifndef FATHOM_EXPR_TERMSTORE_H
#define FATHOM_EXPR_TERMSTORE_H

#include "expr/Expr.h"
#include "expr/ExternalOperation.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace fathom::expr {

struct NodeTable;

struct ExprStats {
  uint64_t created = 0; ///< Nodes ever allocated.
  uint64_t live = 0;    ///< Nodes in the unique table now.
  uint64_t hits = 0;    ///< Builder calls answered by an existing node.
  uint64_t swept = 0;   ///< Nodes reclaimed so far.
};

class TermStore {
public:
  TermStore();
  ~TermStore();
  TermStore(const TermStore &) = delete;
  TermStore &operator=(const TermStore &) = delete;

  // --- leaves
  ExprPtr constant(uint64_t value, unsigned width); ///< width <= 64; value is truncated to it.
  ExprPtr constantWide(std::span<const uint64_t> words,
                       unsigned width); ///< least significant word first
  ExprPtr boolean(bool value) { return value ? true_ : false_; }
  ExprPtr trueExpr() const { return true_; }
  ExprPtr falseExpr() const { return false_; }

  /// A new symbolic array. A name in use gets a suffix (_1, _2 ...); see ArrayInfo::name for the
  /// final one.
  ExprPtr symbol(std::string_view name, uint64_t sizeBytes);
  /// The array with these bytes (hash-consed by contents).
  ExprPtr constArray(std::span<const uint8_t> contents);
  /// All symbols in order of creation: symbols()[i]->array().index == i.
  std::span<const ExprPtr> symbols() const;
  /// The 8-bit term that stands for byte `number` of those that a path finds unwritten
  /// (kHasUninit). It is a byte of an array of kUninitBlock such bytes; arrays are made as they are
  /// needed, and paths that number their bytes alike have the same terms.
  ExprPtr uninitByte(uint32_t number);
  static constexpr uint32_t kUninitBlock = 256;
  /// The number of such a byte; null for any other term.
  std::optional<uint32_t> uninitNumber(ExprPtr byte) const;
  /// The array of the operation's outputBytes results for this input: a chain of stores at constant
  /// indices on a constArray of inputBytes bytes. An operation is known by its name: of several
  /// with the same one the first is kept, for as long as the context lives.
  ExprPtr apply(const std::shared_ptr<ExternalOperation> &operation, ExprPtr input);

  // --- reclaiming
  /// Mark and sweep: everything not reachable from the roots that `visitRoots` hands to its
  /// argument (and from leaves this store keeps itself: true, false, symbols) is freed. No Expr
  /// may be on a C++ stack during this call.
  template <typename Visit> void collect(Visit visitRoots) {
    beginMark();
    visitRoots([this](ExprPtr e) { mark(e); });
    sweep();
  }

  /// Number of calls of collect() so far. The owner of a table keyed by terms that are not marked
  /// as roots remembers this number when it fills the table, and clears the table when the number
  /// has changed.
  uint64_t collections() const { return collections_; }
  const ExprStats &stats() const { return stats_; }

protected:
  NodeTable &nodes() { return *nodes_; }
  ExprStats stats_;

private:
  void beginMark();
  void mark(ExprPtr e);
  void sweep();
  uint64_t collections_ = 0;
  ExprPtr true_ = nullptr, false_ = nullptr;
  std::unique_ptr<NodeTable> nodes_;
};

} // namespace fathom::expr
#endif
