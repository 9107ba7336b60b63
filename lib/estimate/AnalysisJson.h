// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An analysis for programs; docs/estimate.md lists the keys. A number that there is not is null.
#ifndef FATHOM_ESTIMATE_ANALYSISJSON_H
#define FATHOM_ESTIMATE_ANALYSISJSON_H

#include "estimate/Analysis.h"

#include <string>

namespace fathom::estimate {

/// Indented, with a final newline.
std::string analysisJson(const Analysis &analysis);

} // namespace fathom::estimate
#endif
