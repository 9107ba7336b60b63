// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SOLVER_EXTERNALOPTIONS_H
#define FATHOM_SOLVER_EXTERNALOPTIONS_H

#include "solver/FuzzSolver.h"

#include <string>

namespace fathom::solver {

enum class FuzzBackEnd : uint8_t { Jit, Afl };

/// How queries with external operations are solved (ExternalStage.h).
struct ExternalOptions {
  FuzzBackEnd backEnd = FuzzBackEnd::Jit;
  bool logicFirst = true; ///< Ask the other stages before the fuzz solver.
  /// The other stages get the query's time divided by this, each time they are asked.
  unsigned logicTimeDivisor = 16;
  bool predictor = true; ///< Do not run what is predicted to be without a model.
  bool useSeeds = true; ///< Begin with the witness and with earlier models of the branch; off: with
                        ///< zeros.
  unsigned probe = 8; ///< Of the queries predicted to have no model, every 8th is run all the same.
  std::string keepHarnesses; ///< Afl: a folder for the C programs; empty: they are deleted.
  /// Non-empty: both back ends are asked, and what each did is appended to this file
  /// (ComparingFuzzSolver.h). Jit's answer counts.
  std::string compareFile;
  FuzzBudget budget; ///< For one query.
};

} // namespace fathom::solver
#endif
