// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/expr: the arena and the unique table behind TermStore.
//
// Nodes live in slabs and never move; a sweep puts dead ones on a free list. The unique table is
// open addressing over tagged pointers: the upper 16 bits of a slot repeat bits of the hash, so
// that a probe touches a node only when it is almost certainly the one looked for.
#ifndef FATHOM_EXPR_NODETABLE_H
#define FATHOM_EXPR_NODETABLE_H

#include "expr/TermStore.h"

#include <cassert>
#include <memory>
#include <unordered_map>
#include <vector>

namespace fathom::expr {

struct NodeTable {
  explicit NodeTable(ExprStats &stats);
  ~NodeTable();

  /// The unique node of this shape; made if there is none. `value` is the constant, or the offset
  /// of an Extract.
  ExprPtr intern(Kind kind, unsigned width, uint64_t value, ExprPtr a = nullptr,
                 ExprPtr b = nullptr, ExprPtr c = nullptr);
  /// The same, but null if there is none yet.
  ExprPtr find(Kind kind, unsigned width, uint64_t value, ExprPtr a, ExprPtr b) const;
  ExprPtr internStore(ExprPtr array, ExprPtr index, ExprPtr byte);
  ExprPtr internApply(const ArrayInfo &results, ExprPtr input);
  /// After mark, before sweep: was it, or a term above it, marked?
  static bool isMarked(ExprPtr e) { return e->mark_; }
  void mark(ExprPtr e); ///< with all that is below it
  void sweep();         ///< what is not marked

  // --- data
  ExprStats &stats;
  std::vector<Expr *> slabs; // kNodesPerSlab each
  Expr *freeList = nullptr;  // linked through ops_[0]
  std::vector<uint64_t> slots;
  size_t occupied = 0;
  std::vector<ExprPtr> symbols;
  std::unordered_map<std::string, uint32_t> usedNames; // name -> next suffix to try
  std::vector<ExprPtr> uninitArrays;                   ///< of kUninitBlock bytes each
  std::unordered_map<ExprPtr, uint32_t> uninitBlocks;  ///< which one is this? looked up only
  /// External operations by name, and what their applications are as arrays.
  struct Operation {
    std::shared_ptr<ExternalOperation> operation;
    ArrayInfo results;
  };
  std::unordered_map<std::string, std::unique_ptr<Operation>> operations;
  std::vector<ExprPtr> markStack;

  static constexpr size_t kNodesPerSlab = 1024;
  static constexpr uint8_t kFree = 0xff; // numOps_ of a node on the free list
  Expr *allocate();
  void release(Expr *node); // frees what it owns; does not unlink
  void rebuildTable(size_t capacity);
  void insertSlot(uint32_t hash, const Expr *node);
  template <typename Equal> ExprPtr probe(uint32_t hash, const Equal &equal) const;
  ExprPtr addNode(Expr *node, uint32_t hash);
  void clearEvaluations();
};

} // namespace fathom::expr
#endif
