// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes never written that a term depends on.
#ifndef FATHOM_EXPLORE_DECIDE_UNINITBYTES_H
#define FATHOM_EXPLORE_DECIDE_UNINITBYTES_H

#include "explore/state/State.h"
#include "expr/ExprContext.h"

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace fathom::explore {

struct UninitBytes {
  std::vector<ExprPtr> reads;    ///< in the order of a walk
  std::vector<uint32_t> numbers; ///< of the reads: see forgetSettled
  llvm::DenseSet<ExprPtr> seen;  ///< looked up only

  /// Adds those that e depends on.
  void collect(ExprPtr e);
  /// Numbers those that are left.
  void forgetSettled(const State &s, const expr::ExprContext &ctx);
};

/// Of those by which something was decided before: where they come from, each once.
std::vector<Unwritten::Source> settledSources(const State &s, const expr::ExprContext &ctx,
                                              const UninitBytes &bytes);

} // namespace fathom::explore
#endif
