// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a defect's places are in the register code, and at which function a path to them can begin.
#ifndef FATHOM_CONFIRM_CALLGRAPH_H
#define FATHOM_CONFIRM_CALLGRAPH_H

#include "confirm/Defect.h"
#include "program/Code.h"

#include <cstdint>
#include <vector>

namespace fathom::confirm {

/// Calls of the program's own functions; one through a pointer may call any whose address is taken.
class CallGraph {
public:
  /// Linear in the code.
  explicit CallGraph(const program::Program &program);

  /// The own functions that have code at this line, by their ids; none: no such line. O(code).
  std::vector<uint32_t> functionsAt(const Place &place) const;
  /// Functions from which all of `wanted` can be reached by calls, those that reach least first.
  std::vector<uint32_t> commonCallers(const std::vector<uint32_t> &wanted) const;

  /// Can the function read a file or standard input? By what it calls, in libc too.
  bool readsInput(uint32_t function) const;

private:
  std::vector<bool> reachableFrom(uint32_t function) const;
  const program::Program &program_;
  std::vector<std::vector<uint32_t>> callees_, callers_;
};

} // namespace fathom::confirm
#endif
