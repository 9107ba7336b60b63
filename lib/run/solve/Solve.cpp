// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/solve/Solve.h"

#include "run/Failure.h"
#include "run/InputFiles.h"

namespace fathom::run {

llvm::Expected<solver::SmtLibAnswer> solve(const SolveRequest &request) {
  if (llvm::Error e = requireRegularFile("", request.file)) return std::move(e);
  if (std::string wrong = solver::validate(request.solver); !wrong.empty())
    return usageError(wrong);
  return asUsage(solver::solveSmtLibFile(request.file, request.solver, request.time));
}

} // namespace fathom::run
