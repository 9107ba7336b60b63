// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// {"units": 121, "frequencies": {"1": 23, "2": 9}}. The adapter around the JSON library: nothing of
// it is seen outside.
#ifndef FATHOM_ESTIMATE_FREQUENCYJSON_H
#define FATHOM_ESTIMATE_FREQUENCYJSON_H

#include "estimate/Incidence.h"

#include <string_view>

namespace fathom::estimate {

/// Other keys besides the two are an error: they are more likely misspelt than meant for others.
Result<FrequencyCounts> parseFrequencyJson(std::string_view text);

} // namespace fathom::estimate
#endif
