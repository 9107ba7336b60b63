// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/CellParts.h"

#include <algorithm>

namespace fathom::statics::abstract {

/// Does the cell hold a number of which something is known, and no address?
static bool isKnownNumber(const State &state, VarId id, const Cell &cell) {
  if (state.number(id).isTop() || state.isUnborn(id)) return false;
  if (cell.sizeBytes < 8) return true;
  const Bases *bases = state.bases(id);
  return bases && std::all_of(bases->begin(), bases->end(),
                              [](ObjectId o) { return o == kNull || o == kAbsolute; });
}

static Progression partOf(const Progression &whole, uint64_t firstByte, uint32_t size) {
  const Progression shifted =
      firstByte ? apply(Binary::LShr, whole, Progression::of(whole.width(), 8 * firstByte)) : whole;
  return shifted.width() > size * 8 ? applyCast(Cast::Trunc, shifted, size * 8) : shifted;
}

std::optional<Progression> numberOfBytes(const State &state, ObjectId object, uint64_t offset,
                                         uint32_t size) {
  const Cells &cells = state.domain().cells;
  std::optional<Progression> out;
  for (const VarId id : cells.of(object)) {
    const Cell &c = *cells.find(id);
    if (c.offset > offset || c.offset + c.sizeBytes < offset + size) continue;
    if (!isKnownNumber(state, id, c)) continue;
    const Progression part = partOf(state.number(id), offset - c.offset, size);
    if (part.isTop()) continue;
    const Progression both = out ? out->meet(part) : part;
    if (!both.isNone()) out = both;
  }
  if (out || size == 1) return out;
  const uint32_t half = size / 2;
  const std::optional<Progression> low = numberOfBytes(state, object, offset, half);
  const std::optional<Progression> high = numberOfBytes(state, object, offset + half, half);
  if (!low && !high) return std::nullopt;
  const unsigned width = size * 8;
  auto widened = [&](const std::optional<Progression> &part) {
    return applyCast(Cast::ZExt, part ? *part : Progression::top(half * 8), width);
  };
  const Progression upper =
      apply(Binary::Shl, widened(high), Progression::of(width, uint64_t(half) * 8));
  const Progression sum = apply(Binary::Add, upper, widened(low));
  if (sum.isTop()) return std::nullopt;
  return sum;
}

std::vector<CellPart> partsBeside(const State &state, ObjectId object, uint64_t offset,
                                  uint32_t size) {
  const Cells &cells = state.domain().cells;
  std::vector<CellPart> out;
  auto add = [&](uint64_t from, uint64_t to) {
    while (from < to) {
      uint32_t bytes = 4;
      while (from % bytes || from + bytes > to) bytes /= 2;
      if (const std::optional<Progression> known = numberOfBytes(state, object, from, bytes))
        out.push_back({from, bytes, *known});
      from += bytes;
    }
  };
  for (const VarId id : cells.of(object)) {
    const Cell &c = *cells.find(id);
    const uint64_t end = c.offset + c.sizeBytes;
    if (c.offset >= offset + size || offset >= end || !isKnownNumber(state, id, c)) continue;
    if (c.offset < offset) add(c.offset, offset);
    if (end > offset + size) add(offset + size, end);
  }
  return out;
}

} // namespace fathom::statics::abstract
