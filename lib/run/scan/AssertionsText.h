// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked assertions, for people and for programs.
#ifndef FATHOM_RUN_ASSERTIONSTEXT_H
#define FATHOM_RUN_ASSERTIONSTEXT_H

#include "run/scan/ScanAssertions.h"

#include <string>

namespace fathom::run {

/// What may fail, with what is known there, and the counts. `all`: also what was proved.
std::string assertionsText(const CheckedAssertions &checked, bool all);
/// `domain`: the name of the abstract domain.
std::string assertionsJson(const CheckedAssertions &checked, const std::string &domain);

} // namespace fathom::run
#endif
