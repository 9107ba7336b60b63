// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which stages a chain has, and how each is put on top of those below it. Z3 is at the bottom.
//
//   StageTable table = StageTable::builtIn();                 // Stages.def
//   table.addAbove("cache", {.name = "mine", .put = putMine});
//   makeChain(context, options, table);
#ifndef FATHOM_SOLVER_STAGETABLE_H
#define FATHOM_SOLVER_STAGETABLE_H

#include "solver/Chain.h"
#include "solver/CircuitSolver.h"
#include "solver/Conjunction.h"
#include "solver/PathIndex.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::solver {

/// A chain that is being built, from the bottom up. The lower stages answer about sets of
/// constraints, those from slicing on about a path and a goal.
class ChainBuilder {
public:
  ChainBuilder(expr::ExprContext &context, const SolverOptions &options);

  expr::ExprContext &context;
  const SolverOptions &options;
  const std::shared_ptr<PathIndex> index;  ///< ranges' and slicing's
  std::shared_ptr<CircuitSolver> circuits; ///< of the stage sat; null: it is not in the chain

  /// What is built so far, for a stage of sets to stand on. REQUIRES: no stage of paths below.
  std::unique_ptr<ConjunctionSolver> takeSets();
  /// ... for a stage of paths; where there is none yet, sets get the whole path.
  std::unique_ptr<FeasibilityOracle> takePaths();
  void put(std::unique_ptr<ConjunctionSolver> stage);
  void put(std::unique_ptr<FeasibilityOracle> stage);

private:
  std::unique_ptr<ConjunctionSolver> sets_; // one of the two is null
  std::unique_ptr<FeasibilityOracle> paths_;
};

struct StageEntry {
  std::string name;
  bool canBeDisabled = false;
  const char *help = ""; ///< what it answers
  void (*put)(ChainBuilder &chain) = nullptr;
};

class StageTable {
public:
  /// Those of Stages.def.
  static const StageTable &builtIn();
  /// The stage comes to be asked before the one of this name. REQUIRES: there is one.
  void addAbove(const std::string &below, StageEntry entry);
  /// In the order of asking.
  const std::vector<StageEntry> &entries() const { return entries_; }
  /// The names of those that can be switched off, with commas and a last "or".
  std::string names() const;
  bool has(const std::string &name) const;
  /// Switches a stage off; false: there is none of this name that can be.
  bool disable(const std::string &name, SolverOptions &options) const;

private:
  std::vector<StageEntry> entries_;
};

std::unique_ptr<FeasibilityOracle> makeChain(expr::ExprContext &context,
                                             const SolverOptions &options, const StageTable &table);

#define FATHOM_STAGE(name, put, help) void put(ChainBuilder &chain);
#include "solver/Stages.def"
#undef FATHOM_STAGE

} // namespace fathom::solver
#endif
