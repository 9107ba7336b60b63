// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 3b: answers of the past. For a set of constraints Q, in this order:
//   * Q was asked before: the same answer;
//   * a subset of Q was unsatisfiable: so is Q;
//   * a superset of Q was satisfiable: its model is one of Q;
//   * one of the most recent models happens to satisfy Q: found by evaluating it, seldom where that
//     has not helped for a while.
// Unknown answers are not kept. Bounded in number and in bytes; when full it starts over.
//
// Source: [klee] C. Cadar, D. Dunbar, D. Engler, OSDI 2008, §3.3 (counterexample cache). Departs:
// sets are found through lists of the constraint they have in common with Q instead of a UBTree.
#ifndef FATHOM_SOLVER_CACHESTAGE_H
#define FATHOM_SOLVER_CACHESTAGE_H

#include "solver/Conjunction.h"
#include "solver/ModelCheck.h"

#include "expr/ExprContext.h"

#include <llvm/ADT/DenseMap.h>

#include <deque>
#include <unordered_map>

namespace fathom::solver {

class CacheStage final : public ConjunctionSolver {
public:
  CacheStage(const expr::ExprContext &context, std::unique_ptr<ConjunctionSolver> next)
      : context_(context), next_(std::move(next)) {
    stats_.name = "cache";
  }
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override;
  void dropCaches() override;

private:
  struct Entry {
    std::vector<ExprPtr> key; // sorted
    uint64_t hash;
    bool sat;
    Model model;
  };
  bool lookUp(const std::vector<ExprPtr> &key, uint64_t hash, const Conjunction &query,
              Answer &answer);
  /// `newest`: the member by which supersets of an unsatisfiable set find it.
  void remember(std::vector<ExprPtr> key, uint64_t hash, ExprPtr newest, const Answer &answer);
  void clear();

  const expr::ExprContext &context_;
  std::unique_ptr<ConjunctionSolver> next_;
  std::deque<Entry> entries_;
  std::unordered_multimap<uint64_t, uint32_t> exact_;
  llvm::DenseMap<ExprPtr, std::vector<uint32_t>>
      unsatBy_; // the goal of an unsatisfiable set -> the latest such sets
  llvm::DenseMap<ExprPtr, std::vector<uint32_t>>
      satBy_;                    // a member of a satisfiable set -> the latest such sets
  std::vector<uint32_t> recent_; // ring of satisfiable entries
  size_t recentAt_ = 0;
  /// Queries since a recent model satisfied one; those that did not try after that.
  uint64_t inVain_ = 0, passedOver_ = 0;
  size_t bytes_ = 0; // of keys and models
  StageStats stats_;
  ModelCheck check_;
  uint64_t collections_ = 0;
  mutable bool rootsVisited_ = false;
};

} // namespace fathom::solver
#endif
