// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/HeapState.h"

#include <algorithm>

namespace fathom::statics::heap {

static auto keyOf(const Cell &cell) { return std::tie(cell.at, cell.bytes); }

const Cell *HeapState::find(const Address &at, uint32_t bytes) const {
  const auto found = std::ranges::lower_bound(cells, std::tie(at, bytes), {}, keyOf);
  return found == cells.end() || found->at != at || found->bytes != bytes ? nullptr : &*found;
}

void HeapState::clear(const Terms &, const Address &at, uint64_t bytes) {
  std::erase_if(cells, [&](const Cell &cell) {
    if (cell.at.base != at.base) return false;
    // Parts that vary differently may be the same place.
    if (cell.at.varying != at.varying) return true;
    const __int128 begin = at.offset, end = begin + bytes;
    return begin < __int128(cell.at.offset) + cell.bytes && cell.at.offset < end;
  });
}

void HeapState::write(const Terms &terms, const Address &at, uint32_t bytes, TermId value,
                      bool isInput) {
  if (!isInput) clear(terms, at, bytes);
  const auto place = std::ranges::lower_bound(cells, std::tie(at, bytes), {}, keyOf);
  cells.insert(place, {at, bytes, value, isInput});
}

bool HeapState::isForgotten(TermId base) const {
  return std::ranges::find(forgotten, base) != forgotten.end();
}

void HeapState::forget(const Terms &terms, TermId base, bool escapes) {
  std::vector<TermId> open{base};
  std::vector<TermId> seen;
  while (!open.empty()) {
    const TermId at = open.back();
    open.pop_back();
    if (std::ranges::find(seen, at) != seen.end()) continue;
    seen.push_back(at);
    if (!terms.isInstance(at) && !terms.isSymbol(at)) continue;
    if (!isForgotten(at)) forgotten.push_back(at);
    if (escapes && std::ranges::find(escaped, at) == escaped.end()) escaped.push_back(at);
    if (escapes)
      for (const Cell &cell : cells)
        if (cell.at.base == at && cell.bytes == 8) open.push_back(terms.addressOf(cell.value).base);
    std::erase_if(cells, [&](const Cell &cell) { return cell.at.base == at; });
    std::erase(zeroed, at);
  }
}

const Released *HeapState::findReleased(TermId base) const {
  const auto at = std::ranges::find(released, base, &Released::base);
  return at == released.end() ? nullptr : &*at;
}

static bool hasSameRounds(const std::vector<Round> &a, const std::vector<Round> &b) {
  return std::ranges::equal(a, b, [](const Round &x, const Round &y) {
    return x.header == y.header && x.count == y.count;
  });
}

bool HeapState::holdsSame(const HeapState &other, const std::vector<bool> &live) const {
  if (fails != other.fails || made != other.made || forgotten != other.forgotten ||
      escaped != other.escaped || zeroed != other.zeroed || !hasSameRounds(rounds, other.rounds) ||
      released.size() != other.released.size())
    return false;
  for (size_t i = 0; i < released.size(); i++)
    if (released[i].base != other.released[i].base) return false;
  for (size_t v = 0; v < values.size(); v++)
    if (live[v] && values[v] != other.values[v]) return false;
  const auto hasWrites = [](const HeapState &a, const HeapState &b) {
    return std::ranges::all_of(a.cells, [&](const Cell &cell) {
      if (cell.isInput) return true;
      const Cell *there = b.find(cell.at, cell.bytes);
      return there && there->value == cell.value;
    });
  };
  return hasWrites(*this, other) && hasWrites(other, *this);
}

void HeapState::join(Terms &terms, const HeapState &other) {
  constraints.keepCommon(terms, other.constraints);
  std::vector<Cell> inputs;
  for (const Cell &cell : other.cells)
    if (cell.isInput && !find(cell.at, cell.bytes)) inputs.push_back(cell);
  for (const Cell &cell : inputs) write(terms, cell.at, cell.bytes, cell.value, /*isInput=*/true);
  // What only one path accesses need not be there.
  std::erase_if(accesses, [&](const Access &access) {
    return std::ranges::find(other.accesses, access.base, &Access::base) == other.accesses.end();
  });
  std::erase_if(checks, [&](const Check &check) {
    return std::ranges::find(other.checks, check) == other.checks.end();
  });
}

} // namespace fathom::statics::heap
