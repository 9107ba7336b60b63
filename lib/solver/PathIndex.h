// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stages want to know about a path condition, kept up to date instead of computed per
// query: which constraints hang together (union-find over input bytes), and which values each byte
// can have by the constraints on it alone (one 256-bit set per byte). Everything is on a trail:
// going from one path to another undoes what follows their common prefix and adds the rest, so a
// state that only grows pays for its new constraints.
//
// Guarantee: components over-approximate dependence, domains over-approximate the feasible values.
#ifndef FATHOM_SOLVER_PATHINDEX_H
#define FATHOM_SOLVER_PATHINDEX_H

#include "solver/ByteSet.h"
#include "solver/Oracle.h"
#include "solver/Support.h"

#include <span>

namespace fathom::solver {

/// What there is to know about one constraint by itself.
struct ConstraintInfo {
  ExprPtr term = nullptr;
  const Support *support = nullptr;
  std::vector<uint32_t> cells; ///< Dense ids of the support's cells.
  bool isSingle = false; ///< Depends on one byte only, and `values` is exactly where it holds.
  bool isGround = false; ///< Depends on nothing; `groundValue` is its value.
  bool groundValue = false;
  ByteSet values;
};

class PathIndex {
public:
  PathIndex(const expr::ExprContext &context) : context_(context), supports_(context) {}

  /// Makes this index that of `path`.
  void sync(const PathCondition &path);
  const ConstraintInfo &info(ExprPtr constraint);

  /// Some byte has no value left, or a constraint without symbols is false: the path itself is
  /// infeasible.
  bool contradictory() const { return contradictions_ > 0; }
  /// Values of a byte by the single-byte constraints of the path. All, if it has none.
  ByteSet domain(Cell cell) const;
  ByteSet domain(uint32_t cellId) const { return cells_[cellId].domain; }
  /// Some constraint of the path ties the byte to others.
  bool isCoupled(uint32_t cellId) const;

  /// This very constraint is one of the path.
  bool holds(ExprPtr constraint) const { return present_.contains(constraint); }

  ExprPtr symbol(uint32_t index) const { return context_.symbols()[index]; }

  /// Appends the constraints that share bytes with `goals`, directly or through others, oldest
  /// first.
  void slice(std::span<const ConstraintInfo *const> goals,
             std::vector<const ConstraintInfo *> &out);
  /// All constraints with symbols, grouped by component, components in order of their first
  /// constraint.
  std::vector<std::vector<const ConstraintInfo *>> components();
  void clear();

private:
  struct CellState {
    Cell cell;
    uint32_t parent = 0, rank = 0;
    uint32_t coupled = 0;         // constraints of the path with this and other cells
    int32_t head = -1, tail = -1; // list of constraints, of a root
    ByteSet domain = ByteSet::all();
  };
  struct Frame {
    const PathCondition::Node *node;
    const ConstraintInfo *info;
    size_t trail;
    uint32_t contradictions;
  };
  struct Undo {
    enum Kind : uint8_t { Union, Append, Domain } kind;
    bool rankGrew;
    uint32_t cell, root;
    int32_t oldTail;
  };
  struct SymbolState {
    std::vector<uint32_t> ids;
    uint32_t wholeId = ~0u;
    uint32_t wholeActive =
        0; // constraints of the path that read it at an index that is not constant
  };

  uint32_t idOf(Cell cell);
  SymbolState &symbolOf(uint32_t cellId) { return symbols_[cells_[cellId].cell.symbol()]; }
  uint32_t find(uint32_t id) const {
    while (cells_[id].parent != id) id = cells_[id].parent;
    return id;
  }
  void unite(uint32_t a, uint32_t b);
  void push(const PathCondition::Node *node);
  void pop();

  const expr::ExprContext &context_;
  SupportTable supports_;
  uint64_t collections_ = 0;
  llvm::DenseMap<ExprPtr, std::unique_ptr<ConstraintInfo>> infos_; // looked up only
  llvm::DenseMap<uint64_t, uint32_t> ids_;
  std::vector<CellState> cells_;
  std::vector<SymbolState> symbols_;
  std::vector<Frame> frames_; // one per constraint of the path
  std::vector<int32_t> next_; // per constraint: the next one of its component
  std::vector<Undo> trail_;
  std::vector<ByteSet> oldDomains_;
  uint32_t contradictions_ = 0;
  llvm::DenseMap<ExprPtr, uint32_t>
      present_;        ///< constraints of the path: how often (looked up only)
  PathCondition held_; // keeps the nodes of frames_ alive, so that equal addresses are equal nodes
  expr::BatchEvaluator batch_;
  expr::Evaluator evaluator_;
  uint64_t modelVersion_ = 0;
};

} // namespace fathom::solver
#endif
