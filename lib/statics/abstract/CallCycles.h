// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that call each other, also through others.
#ifndef FATHOM_STATICS_ABSTRACT_CALLCYCLES_H
#define FATHOM_STATICS_ABSTRACT_CALLCYCLES_H

#include "statics/abstract/Program.h"

#include "llvm/ADT/BitVector.h"

#include <vector>

namespace fathom::statics::abstract {

struct CallCycles {
  /// Strongly connected components: callees come before their callers.
  std::vector<std::vector<FunctionId>> components;
  llvm::BitVector recursive; ///< those that call themselves, also through others
};

/// \param callees  by function.
/// Cost: linear.
CallCycles cyclesOf(const std::vector<std::vector<FunctionId>> &callees);

} // namespace fathom::statics::abstract
#endif
