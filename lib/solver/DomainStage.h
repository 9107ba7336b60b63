// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 4: enumeration over the domains of few bytes.
//   * A constraint over one byte is the set of values for which it holds: evaluated once, for all
//   256 values at a time, and remembered. The intersection is the byte's domain.
//   * Constraints over several bytes are left to DomainSearch, with a budget that grows with the
//   size of the circuit that an SMT solver would have to build instead.
// Terms wider than 64 bits, reads that may reach anywhere in a large array, too many bytes, and
// searches that do not end within the budget are passed on.
#ifndef FATHOM_SOLVER_DOMAINSTAGE_H
#define FATHOM_SOLVER_DOMAINSTAGE_H

#include "solver/ByteSet.h"
#include "solver/Conjunction.h"
#include "solver/DomainSearch.h"
#include "solver/Support.h"

#include "expr/BatchEvaluator.h"

#include <llvm/ADT/DenseMap.h>

namespace fathom::solver {

class DomainStage final : public ConjunctionSolver {
public:
  DomainStage(const expr::ExprContext &context, uint64_t budget,
              std::unique_ptr<ConjunctionSolver> next)
      : context_(context), budget_(budget), next_(std::move(next)), supports_(context) {
    stats_.name = "domains";
  }
  Answer solve(const Conjunction &query) override;
  void appendStats(std::vector<StageStats> &out) const override;
  void visitRoots(const std::function<void(ExprPtr)> &visit) const override {
    next_->visitRoots(visit);
  }
  void dropCaches() override;

private:
  /// What there is to know about a constraint by itself.
  struct Facts {
    enum Kind : uint8_t { Unsupported, Ground, Single, Several } kind = Unsupported;
    bool groundValue = false;
    const Support *support = nullptr;
    ByteSet values; // Single: where it holds
  };
  const Facts &factsOf(ExprPtr constraint);
  void decide(ExprPtr constraint, Facts &facts);
  /// Sat, Unsat, or Unknown when it takes more than this stage.
  Answer enumerate(const Conjunction &query);

  const expr::ExprContext &context_;
  uint64_t budget_;
  std::unique_ptr<ConjunctionSolver> next_;
  SupportTable supports_;
  llvm::DenseMap<ExprPtr, std::unique_ptr<Facts>> facts_; // looked up only
  uint64_t collections_ = 0;                              // of the context when facts_ was begun
  expr::BatchEvaluator batch_;
  DomainSearch search_;
  std::vector<SearchByte> bytes_;             // of the current query
  std::vector<SearchConstraint> constraints_; //
  StageStats stats_;
};

} // namespace fathom::solver
#endif
