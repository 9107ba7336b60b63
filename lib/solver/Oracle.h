// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The question every part of Fathom asks: can this set of constraints hold, and for which inputs?
//
//   PathCondition path;                       // shared-prefix list of width-1 terms
//   Answer a = oracle.check({.path = path, .goal = c, .witness = &state.model, .timeout = 1s});
//   switch (a.kind) { ... }
//
// The chain that answers is built in one function, Chain.cpp's makeChain(); Stages.def lists its
// stages.
#ifndef FATHOM_SOLVER_ORACLE_H
#define FATHOM_SOLVER_ORACLE_H

#include "expr/Expr.h"
#include "expr/Model.h"
#include "support/WorkClock.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fathom::solver {

using expr::ExprPtr;
using expr::Model;

/// A conjunction of width-1 terms, as a persistent list: states that forked share their common
/// prefix, and copying one is O(1). Never holds `true`; holding `false` makes every answer Unsat.
class PathCondition {
public:
  struct Node {
    ExprPtr constraint;
    std::shared_ptr<const Node> previous;
    uint32_t length; ///< Constraints up to and including this one.
    uint64_t hash;   ///< Of the sequence up to here.
    ~Node();         // iterative: paths are long
  };
  bool empty() const { return !last_; }
  uint32_t size() const { return last_ ? last_->length : 0; }
  uint64_t hash() const { return last_ ? last_->hash : 0; }
  const Node *last() const { return last_.get(); }
  /// Appends; `true` is dropped, a conjunction (And of width 1) is appended piece by piece.
  void add(ExprPtr constraint);
  /// Oldest first.
  std::vector<ExprPtr> constraints() const;

private:
  std::shared_ptr<const Node> last_;
};

/// Deadlines and shares of time are in the time that the thread worked, or in steps (WorkClock.h):
/// what else runs on the machine does not change an answer.
using Clock = WorkClock;

struct Query {
  const PathCondition &path;
  ExprPtr goal;                   ///< Width 1. Asks for path AND goal.
  const Model *witness = nullptr; ///< A model of path, or null when none is at hand.
  bool witnessFails = false;      ///< The witness is known not to satisfy the goal.
  uint64_t witnessVersion = 0;    ///< Changes whenever *witness does (see Evaluator::setModel).
  uint32_t branchId = ~0u; ///< program::BranchId that asks, for predictors and the log; ~0u: none.
  std::chrono::milliseconds timeout{10000};
  bool needModel = true; ///< False: Sat without a model will do.
  /// Only stages that need no search answer (witness, ranges); otherwise Unknown.
  bool cheapStagesOnly = false;
  /// Without an answer the query is asked again, with more time, so stages that seldom help may be
  /// left out.
  bool asksAgain = false;
};

enum class AnswerKind : uint8_t {
  Sat,
  Unsat,
  Assumed, ///< not proved: a predictor's answer, with Answer::probability. No stage of the chain
           ///< gives it yet; callers must not treat it as Unsat.
  Unknown
};

/// Why there is no answer; only reasons that callers react to have a value of their own.
enum class UnknownReason : uint8_t {
  Other, ///< in words only
  Timeout,
  MemoryLimit,
  ResourceLimit, ///< Z3's steps
  Interrupted,   ///< by the user
  Budget         ///< of one stage's search, which it may raise
};
const char *text(UnknownReason reason);

struct Answer {
  AnswerKind kind = AnswerKind::Unknown;
  Model model; ///< Sat and needModel: satisfies path AND goal; total (unassigned bytes are 0).
  double probability = 0; ///< Assumed: what the predictor gives.
  std::string reason;     ///< Unknown: text(why), or "solver: ..." and the like. For people.
  bool isWitness =
      false; ///< Sat: the query's own witness satisfies the goal; `model` is a copy of it.
  /// The goal, or a constraint of the path that decides it, applies an external operation.
  bool dependsOnExternalResults = false;
  std::vector<ExprPtr>
      core; ///< Unsat: constraints that already contradict each other; may be empty.
  UnknownReason why = UnknownReason::Other; ///< Unknown.
  static Answer sat(Model m) {
    Answer answer;
    answer.kind = AnswerKind::Sat;
    answer.model = std::move(m);
    return answer;
  }
  static Answer unsat(std::vector<ExprPtr> core = {}) {
    Answer answer;
    answer.kind = AnswerKind::Unsat;
    answer.core = std::move(core);
    return answer;
  }
  static Answer unknown(UnknownReason why) {
    Answer answer = unknown(text(why));
    answer.why = why;
    return answer;
  }
  /// For a reason (UnknownReason::Other) that no caller reacts to.
  static Answer unknown(std::string reason) {
    Answer answer;
    answer.reason = std::move(reason);
    return answer;
  }
};

/// Counts of one stage of the chain. `seconds` is the stage's own time, without the stages below
/// it.
struct StageStats {
  std::string name;
  uint64_t asked = 0, sat = 0, unsat = 0, assumed = 0, unknown = 0, passedOn = 0;
  uint64_t evaluations = 0; ///< Of a stage that searches: assignments tried.
  /// Of the fuzz solver: how many assignments its exhaustive searches executed before they answered
  /// Unsat.
  uint64_t candidates = 0;
  double seconds = 0;
};

/// The last step of the stage quantifiers, which counts for itself (QuantifierStage.h).
inline constexpr const char *kRefinementStage = "refinement";
/// Names of the two parts of the external stage that count for themselves (ExternalStage.h).
inline constexpr const char *kPredictorStage = "predictor", *kFuzzStage = "fuzz";

class FeasibilityOracle {
public:
  virtual ~FeasibilityOracle() = default;
  virtual Answer check(const Query &query) = 0;
  /// One entry per stage, in the order of asking.
  virtual std::vector<StageStats> stats() const = 0;
  /// Visits terms that this oracle keeps alive (caches). The engine calls it before it reclaims
  /// terms.
  virtual void visitRoots(const std::function<void(ExprPtr)> &visit) const { (void)visit; }
  /// Forgets cached terms (called before reclaiming, when memory is short).
  virtual void dropCaches() {}
};

} // namespace fathom::solver
#endif
