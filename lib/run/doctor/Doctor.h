// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom doctor: looks at everything that Fathom needs, and at a program, and says for each finding
// what to do about it.
#ifndef FATHOM_RUN_DOCTOR_H
#define FATHOM_RUN_DOCTOR_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

struct DoctorFinding {
  enum Grade { Fine, Remark, Problem } grade = Fine;
  std::string what, advice; ///< advice: "" where there is nothing to do
};

struct Examination {
  std::vector<DoctorFinding> findings;
  std::string whyUnusable; ///< why the program cannot be analysed; "": it can, or there is none

  bool isFine() const; ///< there is no problem
  std::string text() const;
  std::string json() const;
};

/// `programs`: parts of one program; none: only the installation. A UsageError: one of them is no
/// file that can be read.
llvm::Expected<Examination> examine(const std::vector<std::string> &programs);

} // namespace fathom::run
#endif
