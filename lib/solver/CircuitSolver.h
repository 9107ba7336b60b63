// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides sets of constraints as circuits (BitBlaster) with a SAT solver (CaDiCaL). What Z3 does
// for such queries costs it milliseconds of preparation each time; here the circuit is kept, and
// the solver with what it learned for as long as queries are about the same part of it. Every
// constraint is an assumption, so that an unsatisfiable set comes with its contradicting part.
#ifndef FATHOM_SOLVER_CIRCUITSOLVER_H
#define FATHOM_SOLVER_CIRCUITSOLVER_H

#include "solver/BitBlaster.h"
#include "solver/Conjunction.h"
#include "solver/Isolation.h"
#include "solver/ModelCheck.h"
#include "solver/Support.h"

#include <atomic>

namespace CaDiCaL { // NOLINT(readability-identifier-naming): not ours
class Solver;
}

namespace fathom::solver {

class CircuitSolver {
public:
  /// How much may be spent on a query.
  struct Effort {
    uint64_t
        newGates;  ///< at most so many gates more than the solver has, by the estimate of gatesOf
    int conflicts; ///< of the SAT solver
    /// There is one large query and not many small ones: its size is not estimated before it is
    /// translated (newGates is not looked at), and a model is not made.
    bool isAlone = false;
  };
  /// `maxBytes`: about what it may take, for the circuit that is kept and the solver of one query.
  /// `stop` (may be null): becomes true when the user interrupts. `isolation` (may be null): of the
  /// process; isolated queries are left to others.
  CircuitSolver(const expr::ExprContext &context, uint64_t maxBytes, const std::atomic<bool> *stop,
                const Isolation *isolation);
  ~CircuitSolver();
  /// Sat, Unsat, or Unknown: the effort was not enough, or there is floating point, or an array of
  /// which very much is in reach of one index, or it would take more memory than it may.
  Answer solve(const Conjunction &query, const Effort &effort);
  const StageStats &stats() const { return stats_; }
  void dropCaches();

private:
  Answer decide(const Conjunction &query, const Effort &effort);
  bool isWithin(const Conjunction &query, uint64_t newGates);
  bool translate(const Conjunction &query, std::vector<Wire> &wires);
  void findCone(const std::vector<Wire> &wires);
  /// Sees to it that the solver has the clauses of the cone.
  void encode(bool isAlone);
  void addGate(uint32_t index);
  int literal(Wire wire) const {
    const int variable = static_cast<int>(variables_[wire >> 1]);
    return wire & 1 ? -variable : variable;
  }
  bool hasVariable(Wire wire) const {
    return wire >> 1 < variables_.size() && variables_[wire >> 1];
  }
  void restart(); // with an empty solver
  void forget();  // the circuit too
  Model modelOf(const Support &support) const;

  const expr::ExprContext &context_;
  size_t maxGates_;   // in the circuit
  size_t maxEncoded_; // of them in the solver
  const std::atomic<bool> *stop_;
  const Isolation *isolation_;
  BitBlaster blaster_;
  SupportTable supportTable_;
  uint64_t collections_ = 0; // of the context when the blaster was begun
  ModelCheck check_;
  StageStats stats_;
  std::unique_ptr<CaDiCaL::Solver> sat_;
  std::vector<uint32_t> variables_; // per gate: its variable in sat_; 0: none
  std::vector<uint32_t> encoded_;   // gates that have one
  // Of the current query:
  std::vector<uint32_t> cone_;  // the gates it consists of, inputs of each before it
  std::vector<bool> inCone_;    // per gate; all false between queries
  std::vector<uint32_t> stack_; // of findCone
};

} // namespace fathom::solver
#endif
