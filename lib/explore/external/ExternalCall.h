// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of an external function with all
// that it can see, as bytes.
#ifndef FATHOM_EXPLORE_EXTERNAL_EXTERNALCALL_H
#define FATHOM_EXPLORE_EXTERNAL_EXTERNALCALL_H

#include "explore/external/ExternalEffects.h"
#include "explore/external/ExternalServer.h"
#include "expr/ExprContext.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace fathom::explore {

struct ExternalCall {
  ExternalSignature signature;
  const FunctionEffects *effects = nullptr; ///< null: not described
  FunctionEffects ofAssembly;               ///< what effects are then
  std::vector<uint8_t> bytes;               ///< the operation's input; symbolic ones are 0
  std::vector<std::pair<uint64_t, expr::ExprPtr>> symbolic; ///< (place, term of 8 bits)
  std::vector<uint64_t> addresses;                          ///< of the blocks
  std::vector<expr::ExprPtr> arguments;                     ///< as they are, of any width
  /// Of each parameter: the block that it points into, -1: none.
  std::vector<int> blockOf;
};

} // namespace fathom::explore
#endif
