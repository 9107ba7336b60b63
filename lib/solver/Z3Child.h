// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One conjunction, solved by Z3 in a forked copy of this process that is killed at the deadline.
// Holds its deadline whatever Z3 does, and survives a crash of Z3; costs a fork, so only queries
// with a bad record go here.
#ifndef FATHOM_SOLVER_Z3CHILD_H
#define FATHOM_SOLVER_Z3CHILD_H

#include "solver/Z3Session.h"

namespace fathom::solver {

Answer solveInChild(const expr::ExprContext &context, const Z3Limits &limits,
                    const Conjunction &query, const Support &support, bool readsByIndex);

} // namespace fathom::solver
#endif
