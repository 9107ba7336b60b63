// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells: the variables that stand for pieces of memory ([cells06] Sec. 4).
//
// A cell is an object, an offset and a size; the program's accesses make cells as they need them,
// and cells of one object may overlap. An object that is an array of many equal elements is
// *periodic*: its cells have offsets within one element and stand for all elements at once. Those
// cells, and those of objects that stand for several objects, are *weak*: a write may change one of
// many concrete places, so it keeps the old values beside the new one.
#ifndef FATHOM_STATICS_ABSTRACT_CELLS_H
#define FATHOM_STATICS_ABSTRACT_CELLS_H

#include "statics/abstract/Program.h"

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace fathom::statics::abstract {

/// Arrays up to this size are expanded: every element is a cell of its own.
inline constexpr uint64_t kExpandedBytes = 256;

/// Ids tell what a variable is: the program's variables come first, then cells of objects that only
/// the program's own code sees by their name, then those of constant objects, and those that code
/// outside may write. What concerns a class of cells as a whole is then done to all at once.
inline constexpr VarId kFirstCell = VarId(1) << 30, kFirstConstantCell = VarId(2) << 30,
                       kFirstEscapedCell = VarId(3) << 30;

struct Cell {
  ObjectId object = kNoId;
  uint64_t offset = 0;
  uint32_t sizeBytes = 0;
  bool isWeak = false;
};

class Cells {
public:
  explicit Cells(const AbstractProgram &program);

  /// The cell's variable, made when it is asked for the first time. Sizes: 1, 2, 4 or 8.
  VarId at(ObjectId object, uint64_t offset, uint32_t sizeBytes);
  /// All cells made so far of an object.
  const std::vector<VarId> &of(ObjectId object) const { return ofObject_[object]; }
  /// nullptr if the variable is none of a cell.
  const Cell *find(VarId var) const {
    const std::vector<Cell> &cells = cells_[var / kFirstCell];
    const VarId index = var % kFirstCell;
    return index < cells.size() ? &cells[index] : nullptr;
  }
  /// The object whose size the variable holds; kNoId: none.
  ObjectId sizedBy(VarId var) const { return var < sizes_.size() ? sizes_[var] : kNoId; }
  /// 0: every element has its own cells; else the bytes of one element.
  uint64_t period(ObjectId object) const;
  unsigned widthOf(VarId var) const;
  std::string nameOf(VarId var) const;
  const AbstractProgram &program() const { return program_; }

private:
  const AbstractProgram &program_;
  std::array<std::vector<Cell>, 4> cells_; ///< by class of their ids; none in the first
  std::vector<std::vector<VarId>> ofObject_;
  std::map<std::tuple<ObjectId, uint64_t, uint32_t>, VarId> ids_;
  std::vector<ObjectId> sizes_; ///< by variable
};

} // namespace fathom::statics::abstract
#endif
