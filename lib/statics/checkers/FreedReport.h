// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report says of memory that is used after it was freed, or freed again: from the call that
// frees it to the use.
#ifndef FATHOM_STATICS_CHECKERS_FREEDREPORT_H
#define FATHOM_STATICS_CHECKERS_FREEDREPORT_H

#include "statics/checkers/Hops.h"

#include <utility>

namespace fathom::statics {

struct FreedUse {
  StatementId free; ///< the call of free, of a wrapper of it, or of what closes a file
  /// Calls that return after it, innermost first, each with the function that was called.
  std::vector<std::pair<StatementId, FunctionId>> calls{};
  const FlowSearch *search = nullptr; ///< how the pointer gets to the use; nullptr: it is there
  uint32_t state = 0;
  StatementId sink = kNone;
  uint32_t operand = 0; ///< of the sink
  bool again = false;   ///< the sink frees it
  uint32_t doubts = 0;
};

Report freedReport(const View &view, const FreedUse &use);

} // namespace fathom::statics
#endif
