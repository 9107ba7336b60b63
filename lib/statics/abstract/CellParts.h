// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of memory that are written as one number and read as another: parts of larger cells, and
// cells that are put together from smaller ones. Unions do that, and structures that are passed and
// returned in registers. The machine is little-endian.
#ifndef FATHOM_STATICS_ABSTRACT_CELLPARTS_H
#define FATHOM_STATICS_ABSTRACT_CELLPARTS_H

#include "statics/abstract/State.h"

namespace fathom::statics::abstract {

/// What the bytes are as one number, from all cells that know something of them; nullopt: nothing
/// is known. Sizes: 1, 2, 4 or 8. Cost: O(cells of the object) for each of at most 15 parts.
///
/// Guarantee: covers the number where nothing that was never written is among the bytes.
std::optional<Progression> numberOfBytes(const State &state, ObjectId object, uint64_t offset,
                                         uint32_t size);

struct CellPart {
  uint64_t offset = 0;
  uint32_t size = 0;
  Progression number = Progression::top(8);
};
/// What is known of the other bytes of the cells that a write to these bytes overlaps.
std::vector<CellPart> partsBeside(const State &state, ObjectId object, uint64_t offset,
                                  uint32_t size);

} // namespace fathom::statics::abstract
#endif
