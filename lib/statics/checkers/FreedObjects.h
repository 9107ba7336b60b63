// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values may be a freed pointer, and which memory may hold it, by what they may point to:
// points-to sets know more of a value than paths through memory that holds several pointers.
#ifndef FATHOM_STATICS_CHECKERS_FREEDOBJECTS_H
#define FATHOM_STATICS_CHECKERS_FREEDOBJECTS_H

#include "statics/checkers/View.h"

namespace fathom::statics {

class FreedObjects {
public:
  explicit FreedObjects(const View &view) : view_(view) {}

  /// What is freed is what each of these may point to, which are pointers or memory that holds one.
  /// Variables, and what the program was started with, are not freed: that would be another defect,
  /// the free itself.
  ///
  /// \param isFile  it is closed, which can be a variable of the library (stdin).
  /// \returns       false when there is nothing that can be freed.
  bool set(const std::vector<FlowNode> &pointers, bool isFile);
  /// What is too narrow for a pointer is none.
  bool mayBe(FlowNode node);
  /// Is one of the objects that the pointer may point into among those of the memory?
  bool mayPointInto(ValueId pointer, FlowNode memory);

private:
  bool isMemory(FlowNode node) const {
    return !view_.flow.isValue(node) && !view_.flow.isTransfer(node);
  }
  SetId regionOf(FlowNode memory) const;
  /// Objects that a pointer may point into, or those that memory holds; a function's callers are
  /// not told apart.
  const SparseBits &of(FlowNode node);
  const SparseBits &objectsOf(SetId locations);
  const SparseBits &heldIn(SetId region);

  const View &view_;
  std::unordered_map<SetId, SparseBits> objects_, held_;
  SparseBits freed_; ///< empty: nothing is known
};

} // namespace fathom::statics
#endif
