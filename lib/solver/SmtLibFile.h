// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers an SMT-LIB2 file: `fathom solve FILE.smt2`. What lies in our fragment (bit-vectors up to
// kMaxWidthBits, Booleans, arrays from 64-bit indices to bytes that are read at constant indices
// only) is converted to terms and put to the whole chain; everything else is left to Z3. The file
// is taken as one problem: all its assertions, one (check-sat).
#ifndef FATHOM_SOLVER_SMTLIBFILE_H
#define FATHOM_SOLVER_SMTLIBFILE_H

#include "solver/Chain.h"

#include <llvm/Support/Error.h>

#include <chrono>
#include <string>

namespace fathom::solver {

struct SmtLibAnswer {
  AnswerKind kind = AnswerKind::Unknown;
  std::string reason;   ///< Unknown.
  std::string model;    ///< Sat: one (define-fun ...) per line.
  bool byChain = false; ///< False: outside of our fragment, so Z3 alone answered.
};

/// Implemented in Z3SmtLibFile.cpp, beside what else knows Z3.
/// Errors: the file cannot be read, or Z3's parser does not accept it (with its message).
llvm::Expected<SmtLibAnswer> solveSmtLibFile(const std::string &path, const SolverOptions &options,
                                             std::chrono::milliseconds timeout);

} // namespace fathom::solver
#endif
