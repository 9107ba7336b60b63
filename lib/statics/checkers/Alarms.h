// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alarms of the abstract interpreter as reports: accesses outside of objects, divisions by zero.
//
// The interpreter raises an alarm at every access that may fail, so one cause has many alarms. Here
// each becomes a statement of the facts, and joins the report that tells its cause: an access that
// fails only by null is a null dereference, which the checker for these may have reported; one that
// another access at the same address comes before cannot be the first that fails; and what one line
// does with one pointer is one report.
#ifndef FATHOM_STATICS_CHECKERS_ALARMS_H
#define FATHOM_STATICS_CHECKERS_ALARMS_H

#include "evidence/BugKind.h"
#include "statics/abstract/Analysis.h"
#include "statics/checkers/Checkers.h"

namespace fathom::statics {

/// Kinds whose reports are alarms, also: a null dereference may be one that its checker missed.
inline constexpr DefectKinds kAlarmKinds =
    bitOf(evidence::BugKind::OutOfBoundsRead) | bitOf(evidence::BugKind::OutOfBoundsWrite) |
    bitOf(evidence::BugKind::DivisionByZero) | bitOf(evidence::BugKind::NullDereference);

/// REQUIRES: the checkers for `kinds` have run; program and facts are of the same module.
void reportAlarms(CheckContext &context, const abstract::AbstractProgram &program,
                  const abstract::AnalysisResult &result, DefectKinds kinds);

} // namespace fathom::statics
#endif
