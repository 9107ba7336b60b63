// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both back ends of the fuzz solver on every query, to measure them on the queries of a real
// exploration: one line of JSON for each query. The answer is the first one's.
#ifndef FATHOM_SOLVER_COMPARINGFUZZSOLVER_H
#define FATHOM_SOLVER_COMPARINGFUZZSOLVER_H

#include "solver/FuzzSolver.h"

#include <memory>
#include <string>

namespace fathom::solver {

/// `file`: appended to. Fields: query, constraints, and for each of jit and afl: found,
/// evaluations, compile_s (afl: until its first execution), search_s, reason.
std::unique_ptr<FuzzSolver> makeComparingFuzzSolver(std::unique_ptr<FuzzSolver> jit,
                                                    std::unique_ptr<FuzzSolver> afl,
                                                    std::string file);

} // namespace fathom::solver
#endif
