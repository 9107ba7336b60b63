// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/Cells.h"

#include <fmt/format.h>

#include <cassert>

namespace fathom::statics::abstract {

Cells::Cells(const AbstractProgram &program)
    : program_(program), ofObject_(program.objects.size()),
      sizes_(program.variables.size(), kNoId) {
  assert(program.variables.size() < kFirstCell && "variables and cells have different ids");
  for (ObjectId o = 0; o < program.objects.size(); ++o)
    if (program.objects[o].sizeVar != kNoId) sizes_[program.objects[o].sizeVar] = o;
}

VarId Cells::at(ObjectId object, uint64_t offset, uint32_t sizeBytes) {
  const Object &of = program_.objects[object];
  const VarId first = mayEscape(of)   ? kFirstEscapedCell
                      : of.isConstant ? kFirstConstantCell
                                      : kFirstCell;
  std::vector<Cell> &cells = cells_[first / kFirstCell];
  const auto [found, isNew] =
      ids_.try_emplace({object, offset, sizeBytes}, first + VarId(cells.size()));
  if (isNew) {
    cells.push_back({object, offset, sizeBytes, of.isSummary || period(object) != 0});
    ofObject_[object].push_back(found->second);
  }
  return found->second;
}

uint64_t Cells::period(ObjectId object) const {
  const Object &o = program_.objects[object];
  if (!o.elementBytes || (o.sizeBytes && *o.sizeBytes <= kExpandedBytes)) return 0;
  return o.elementBytes;
}

unsigned Cells::widthOf(VarId var) const {
  const Cell *cell = find(var);
  return cell ? cell->sizeBytes * 8 : program_.variables[var].width;
}

std::string Cells::nameOf(VarId var) const {
  const Cell *cell = find(var);
  if (!cell) return program_.variables[var].name;
  const Object &object = program_.objects[cell->object];
  const uint64_t step = object.elementBytes;
  if (object.sizeBytes == cell->sizeBytes && !step) return object.name;
  if (step == cell->sizeBytes)
    return period(cell->object) ? object.name + "[*]"
                                : fmt::format("{}[{}]", object.name, cell->offset / step);
  return fmt::format("{}{}+{}:{}", object.name, period(cell->object) ? "[*]" : "", cell->offset,
                     cell->sizeBytes);
}

} // namespace fathom::statics::abstract
