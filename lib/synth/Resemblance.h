// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a program and the one that was made after it compare. Both are measured: the program in its
// bitcode, the generated one in the C that was written and in its grammar.
#ifndef FATHOM_SYNTH_RESEMBLANCE_H
#define FATHOM_SYNTH_RESEMBLANCE_H

#include "synth/Emit.h"
#include "synth/Grammar.h"

#include "support/ControlFlow.h"

#include <string>
#include <vector>

namespace fathom::synth {

/// A program in numbers.
struct Shape {
  uint64_t functions = 0;
  uint64_t reachable = 0; ///< from the first function by calls
  uint64_t calls = 0;     ///< pairs of caller and callee
  uint64_t depth = 0; ///< functions on the longest chain of calls from the first; a cycle is one
  uint64_t recursive = 0; ///< functions on cycles of calls
  uint64_t loops = 0, lines = 0;
  std::vector<uint32_t> complexity; ///< cyclomatic; sorted, one number for each function
};

/// The mean of sorted complexities, and the one below which `share` of them are.
double meanOf(const std::vector<uint32_t> &sorted);
uint32_t quantile(const std::vector<uint32_t> &sorted, double share);

Shape shapeOf(const ControlFlow &program);
/// The functions of nonterminals; calls that are never executed are left out.
Shape shapeOf(const Grammar &grammar, const Program &program);

} // namespace fathom::synth
#endif
