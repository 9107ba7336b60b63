// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the program's own code loads pointers from memory.
#ifndef FATHOM_CONFIRM_POINTERLOADS_H
#define FATHOM_CONFIRM_POINTERLOADS_H

#include "explore/policy/Policy.h"
#include "program/Code.h"

#include <vector>

namespace fathom::confirm {

inline bool loadsPointer(const program::Inst &inst) {
  return inst.op == program::Op::Load64 && (inst.flags & program::kPointer);
}

/// The instructions after such loads: there the register has the pointer. O(code).
inline std::vector<explore::PointSite> behindPointerLoads(const program::Program &program) {
  std::vector<explore::PointSite> out;
  for (const program::FunctionCode &f : program.functions)
    for (uint32_t i = 0; f.own && i + 1 < f.code.size(); ++i)
      if (loadsPointer(f.code[i])) out.push_back({f.id, i + 1});
  return out;
}

} // namespace fathom::confirm
#endif
