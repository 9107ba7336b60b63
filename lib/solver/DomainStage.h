// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 4: enumeration over the domains of few bytes.
//   * A constraint over one byte is the set of values for which it holds: evaluated once, for all
//   256 values at a time, and remembered. The intersection is the byte's domain.
//   * Constraints over several bytes are left to DomainSearch: with a small budget; if that is not
//   enough, and a circuit for them is at hand that may decide them (CircuitSolver), after that one;
//   with a budget that grows, up to a bound, with the size of the circuit that would have to be
//   built instead, unless such searches have failed on this program time and again (SuccessRate.h).
//   * A constraint that chooses between many bytes, or reads an array at an index which is not
//   constant, may have hundreds in reach, few of which matter under the domains. The search begins
//   with those that matter under the witness, and is begun again with those that an assignment
//   turns out to need.
// Terms wider than 128 bits, too many bytes, and searches that do not end within the budget or the
// query's deadline are passed on.
#ifndef FATHOM_SOLVER_DOMAINSTAGE_H
#define FATHOM_SOLVER_DOMAINSTAGE_H

#include "solver/ByteSet.h"
#include "solver/CircuitSolver.h"
#include "solver/Conjunction.h"
#include "solver/DomainSearch.h"
#include "solver/Isolation.h"
#include "solver/ModelCheck.h"
#include "solver/SuccessRate.h"
#include "solver/Support.h"

#include "expr/BatchEvaluator.h"

#include <llvm/ADT/DenseMap.h>

namespace fathom::solver {

class DomainStage final : public ConjunctionSolver {
public:
  /// `quick` (may be null): is tried before more than a little is spent on a search. `stop` (may be
  /// null): becomes true when the user interrupts. `isolation` (may be null): of the process;
  /// isolated queries are left to others.
  DomainStage(const expr::ExprContext &context, uint64_t budget,
              std::shared_ptr<CircuitSolver> quick, std::unique_ptr<ConjunctionSolver> next,
              const std::atomic<bool> *stop = nullptr, const Isolation *isolation = nullptr)
      : context_(context), budget_(budget), quick_(std::move(quick)), next_(std::move(next)),
        stop_(stop), isolation_(isolation) {
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
    bool isWide = false; // Several: bytes are found as they are needed
    ByteSet values;      // Single: where it holds
    Support bytes;       // unless isWide: what it depends on
    uint64_t gates = 0;  // see gatesOf
  };
  const Facts &factsOf(ExprPtr constraint);
  bool collect(ExprPtr constraint, Facts &facts);
  void decide(ExprPtr constraint, Facts &facts);

  /// After gather. Sat, Unsat, or Unknown when it takes a larger budget or more than this stage.
  Answer enumerate(const Conjunction &query, uint64_t budget);
  /// Fills bytes_ and constraints_. False: some byte has no value, or some constraint is false.
  bool gather(const Conjunction &query);
  Answer search(const Conjunction &query, uint64_t budget);
  size_t numberOf(ExprPtr symbol, uint64_t index, const Conjunction &query);
  Model assignment(const Conjunction &query) const;
  bool addBytesNeeded(const Conjunction &query, const Model &model);

  const expr::ExprContext &context_;
  uint64_t budget_;
  std::shared_ptr<CircuitSolver> quick_;
  std::unique_ptr<ConjunctionSolver> next_;
  const std::atomic<bool> *stop_;
  const Isolation *isolation_;
  llvm::DenseMap<ExprPtr, std::unique_ptr<Facts>> facts_; // looked up only
  uint64_t collections_ = 0;                              // of the context when facts_ was begun
  expr::BatchEvaluator batch_;
  ModelCheck check_;
  expr::Evaluator evaluator_; // of what a constraint needs under a model
  uint64_t modelVersion_ = 0;
  DomainSearch search_;
  SuccessRate large_; ///< searches with a budget that grows
  StageStats stats_;
  // Of the current query:
  std::vector<SearchByte> bytes_;
  std::vector<SearchByte> gathered_;          // bytes_ as a search has to find them
  std::vector<SearchConstraint> constraints_; // over several bytes
  bool allSupported_ = true;                  // no constraint was left out
  bool allGiven_ = true;                      // bytes_ are all that can be read
  uint64_t gates_ = 0;
  size_t newTerms_ = 0; // operations of constraints that were met first
};

} // namespace fathom::solver
#endif
