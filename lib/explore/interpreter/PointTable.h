// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions before which policies are called. Their operation is Op::Point in the interpreter's
// code, and the original operation is kept here. So points cost nothing elsewhere in the code.
#ifndef FATHOM_EXPLORE_INTERPRETER_POINTTABLE_H
#define FATHOM_EXPLORE_INTERPRETER_POINTTABLE_H

#include "program/Code.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

class PointTable {
public:
  struct Point {
    program::Op original;
    std::vector<uint32_t> askers; ///< by their numbers, ascending
  };
  /// Makes it a point of this asker's as well.
  void add(program::Inst &inst, uint32_t asker) {
    Point &point = points_[&inst];
    if (inst.op != program::Op::Point) point.original = inst.op;
    if (point.askers.empty() || point.askers.back() != asker) point.askers.push_back(asker);
    inst.op = program::Op::Point;
  }
  bool empty() const { return points_.empty(); }
  /// The instruction is a point.
  const Point &at(const program::Inst *inst) const { return points_.find(inst)->second; }
  /// Not where calls and returns are inlined: hardly any instruction is a point.
  [[gnu::noinline, gnu::cold]] program::Op originalOf(const program::Inst *inst) const {
    return at(inst).original;
  }

private:
  std::unordered_map<const program::Inst *, Point> points_; ///< looked up only
};

} // namespace fathom::explore
#endif
