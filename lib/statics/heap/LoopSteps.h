// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a variable of a loop changes from round to round, where each way through the loop adds
// constants to it: an induction variable, with several ways to step.
#ifndef FATHOM_STATICS_HEAP_LOOPSTEPS_H
#define FATHOM_STATICS_HEAP_LOOPSTEPS_H

#include "statics/heap/FunctionShape.h"

#include <optional>

namespace fathom::statics::heap {

struct LoopSteps {
  /// Divides what each round adds; 0: no round adds anything.
  uint64_t stride = 0;
  bool mayFall = false, mayRise = false; ///< some round may subtract, or add
  /// What a round adds is between these; not if `isOften`: an inner loop adds to it, too.
  int64_t least = 0, most = 0;
  bool isOften = false;
};

/// \param phi  of a loop's header. Bytes are counted of a pointer.
/// nullopt: a round may set it to something else, or there are too many ways.
/// Cost: bounded, in the number of values that lead from one round to the next.
std::optional<LoopSteps> loopStepsOf(const Facts &facts, const FunctionShape &shape,
                                     StatementId phi);

/// The same of a global variable, or a part of one, that stores in the loop name; what calls and
/// other pointers do to it is left out. nullopt also: no store in the loop names it.
/// Cost: linear in the statements of the loop, times the loops in it.
std::optional<LoopSteps> loopStepsOf(const Facts &facts, const FunctionShape &shape, BlockId header,
                                     ObjectId global, int64_t offset, uint32_t bytes);

} // namespace fathom::statics::heap
#endif
