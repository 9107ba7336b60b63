// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which step of a report is the defect's source. Reports of fathom scan, and SARIF's kinds of
// places, say it as data; other analysers only have words.
#ifndef FATHOM_CONFIRM_SOURCES_H
#define FATHOM_CONFIRM_SOURCES_H

#include "confirm/Defect.h"

namespace fathom::confirm {

/// Gives steps the roles that their words have, where the analyser has words only. The one place
/// that reads words: everything behind it asks for roles.
void readRoles(Defect &defect);

/// Removes the steps before the source: where the memory is released, the null pointer comes from,
/// the variable is declared without a value. What leads there ("calling f from main") is the path
/// of the analyser, and the engine finds its own. Steps of which none is known as a source stay as
/// they are, and the first one counts.
void beginAtSource(Defect &defect);

/// Does the first step say that it is the source?
bool namesSource(const Defect &defect);
/// Does it say that memory is allocated there?
inline bool isAllocation(const Place &source) {
  return source.role == evidence::StepRole::Allocates;
}

} // namespace fathom::confirm
#endif
