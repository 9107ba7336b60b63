// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An analysis for people: one sentence, the table of estimators, and what else is worth saying.
#ifndef FATHOM_ESTIMATE_ANALYSISTEXT_H
#define FATHOM_ESTIMATE_ANALYSISTEXT_H

#include "estimate/Analysis.h"

namespace fathom::estimate {

/// \param noun  what elements are called, in the plural.
std::string analysisText(const Analysis &analysis, const std::string &noun = "elements");
/// Only the sentence on top.
std::string headline(const Analysis &analysis, const std::string &noun = "elements");

} // namespace fathom::estimate
#endif
