// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: search for an assignment that satisfies all constraints, guided by branch
// distances. One assignment is kept; again and again a constraint that it violates is drawn, a
// batch of changes of the bytes that this constraint depends on is assessed, and the best of them
// becomes the new assignment unless it is worse. Changes:
//
//   inversion   the way down from the constraint to the bytes (Inversion.h)
//   sweep       all values of a byte; a word plus and minus all powers of two (which, as the
//   distance
//               falls, closes in on a value like a bisection)
//   dictionary  constants of the constraint, byte strings of the operations that it depends on, and
//   what one
//               of their arguments holds written to another
//   step        what improved the assignment last, once more, doubled, halved
//   havoc       several small changes at random
//   splice      the bytes that the constraint depends on, as another good assignment has them
//
// Where operations are executed in another process, each batch is an exchange with it, which costs
// as much as evaluating some dozen rows, and far more on a busy machine. So a search that does not
// get on makes changes for several constraints before it assesses them.
//
// A search that has not found anything soon looks once whether all that is left can be enumerated:
// constraints on single bytes leave few values to many of them.
//
// A local minimum is left by giving more weight to the constraints that are violated in it, and
// after a while by starting from another assignment.
//
// Sources: distances and gradients [angora] P. Chen, H. Chen, S&P 2018; weights [paws] J. Thornton,
// AAAI 2004; havoc and splice are AFL's.
#ifndef FATHOM_SOLVER_GUIDEDSEARCH_H
#define FATHOM_SOLVER_GUIDEDSEARCH_H

#include "expr/Model.h"
#include "expr/RowLayout.h"
#include "solver/Deadline.h"
#include "solver/Oracle.h"
#include "solver/RowAssessor.h"
#include "solver/SearchClause.h"
#include "support/Rng.h"

#include <vector>

namespace fathom::solver {

class GuidedSearch {
public:
  using Row = std::vector<uint8_t>; // layout.rowBytes()

  GuidedSearch(const expr::RowLayout &layout, std::span<const ExprPtr> constraints, uint64_t seed);

  /// Evaluates `rows` and some that inversion makes of them, without compiled code. True: model()
  /// is one. May be asked before search().
  bool quick(std::span<const Row> rows, unsigned rounds, const Deadline &deadline);

  /// True: found. False: the budget is spent, or the deadline has passed.
  bool search(RowAssessor &assessor, std::span<const Row> seeds, uint64_t evaluations,
              const Deadline &deadline);

  const Row &found() const { return current_; }
  uint64_t evaluations() const { return evaluations_; }
  /// Not 0: there is no model, if operations are functions of their inputs: all of so many
  /// assignments were assessed, which are all that constraints on single bytes leave. An operation
  /// that failed on one of them proves nothing.
  uint64_t exhausted() const { return someFailed_ ? 0 : exhausted_; }

private:
  static constexpr size_t kBatch = 128; ///< Changes that are made for one constraint.
  struct Step {
    expr::RowLayout::Run word;
    uint64_t delta;
  };

  uint64_t score(const uint64_t *distances) const;
  bool adopt(const Row &row);    // evaluates it by itself; true: satisfies all
  void consider(const Row &row); // for the pool
  bool assessBatch(RowAssessor &assessor, const Deadline &deadline); // true: current_ is a model
  enum class Enumerated { Found, Nothing, TooMany };
  /// All rows that are left when each byte has only the values that constraints on it alone allow:
  /// where these are few, the search is over. Costs some milliseconds at most, whatever the budget.
  /// Found: current_ is a model.
  Enumerated enumerate(RowAssessor &assessor, uint64_t most, const Deadline &deadline);
  /// Whether an operation came to no end on a row of the batch.
  void noteFailures();
  /// Assesses the batch without moving on. True: current_ is a model, from the batch.
  bool findInBatch(RowAssessor &assessor, const Deadline &deadline);
  void restart();

  /// How many constraints are worked on between two assessments.
  unsigned breadth() const;
  // The batch of a clause; each fills up to `room` rows.
  void propose(const SearchClause &clause);
  void addInversions(const SearchClause &clause, size_t room);
  void addByteSweep(const SearchClause &clause);
  void addWordSweep(const SearchClause &clause);
  void addTokens(const SearchClause &clause, size_t room);
  void addSteps();
  void addHavoc(const SearchClause &clause, size_t room);
  uint8_t *nextRow(); ///< A copy of the current row at the end of the batch; null when it is full.
  void mutate(const SearchClause &clause, uint8_t *row);
  template <typename T> const T &any(const std::vector<T> &of) {
    return of[rng_.below(static_cast<uint32_t>(of.size()))];
  }

  const expr::RowLayout &layout_;
  std::vector<SearchClause> clauses_;
  Rng rng_;
  expr::Evaluator evaluator_;
  uint64_t version_ = 0;
  expr::Model model_;
  bool modelIsCurrent_ = false;
  uint64_t exhausted_ = 0; // candidates
  bool someFailed_ = false;

  Row current_;
  std::vector<uint64_t> distances_; // of current_
  std::vector<uint32_t> weights_;
  uint64_t score_ = 0;
  std::vector<Row> pool_;
  std::vector<uint8_t> batch_;
  size_t inBatch_ = 0, batchEnd_ = 0;
  unsigned maxBreadth_ = 1;
  std::vector<uint64_t> batchDistances_;
  std::vector<Step> steps_;
  unsigned stale_ = 0;
  uint64_t evaluations_ = 0;
};

} // namespace fathom::solver
#endif
