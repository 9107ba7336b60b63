// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/HeapState.h"

#include <algorithm>

namespace fathom::statics::heap {

static auto keyOf(const Cell &cell) { return std::tie(cell.at, cell.bytes); }

static void insert(std::vector<TermId> &bases, TermId base) {
  const auto at = std::ranges::lower_bound(bases, base);
  if (at == bases.end() || *at != base) bases.insert(at, base);
}

/// Of all other memory nothing is known anyway.
static bool isTracked(const Terms &terms, TermId base) {
  return terms.isInstance(base) || terms.isInputSymbol(base);
}

const Cell *HeapState::find(const Address &at, uint32_t bytes) const {
  const auto found = std::ranges::lower_bound(cells, std::tie(at, bytes), {}, keyOf);
  return found == cells.end() || found->at != at || found->bytes != bytes ? nullptr : &*found;
}

void HeapState::note(const Access &access) {
  constexpr size_t kMax = 64;
  const bool isKnown = std::ranges::any_of(accesses, [&](const Access &known) {
    return known.base == access.base && known.after >= access.after;
  });
  if (!isKnown && accesses.size() < kMax) accesses.push_back(access);
}

void HeapState::clear(const Terms &terms, const Address &at, uint64_t bytes) {
  pure.forget(at.base);
  std::vector<TermId> lost;
  const std::span<const Cell> there = cellsOf(at.base);
  if (there.empty()) return;
  const auto first = cells.begin() + (there.data() - cells.data());
  const auto last = first + static_cast<ptrdiff_t>(there.size());
  const auto isOver = [&](const Cell &cell) {
    if (cell.bytes == 0) return true;
    // Parts that vary differently may be the same place, or not.
    if (cell.at.varying != at.varying) {
      lost.push_back(cell.value);
      return true;
    }
    const __int128 begin = at.offset, end = begin + bytes;
    return begin < __int128(cell.at.offset) + cell.bytes && cell.at.offset < end;
  };
  cells.erase(std::remove_if(first, last, isOver), last);
  for (const TermId value : lost) escape(terms, value);
  if (!lost.empty() && isTracked(terms, at.base)) insert(forgotten, at.base);
}

void HeapState::keep(const Address &at, uint32_t bytes, TermId value, bool isInput) {
  const auto place = std::ranges::lower_bound(cells, std::tie(at, bytes), {}, keyOf);
  cells.insert(place, {at, bytes, value, isInput});
}

void HeapState::write(const Terms &terms, const Address &at, uint32_t bytes, TermId value) {
  if (bytes == 0)
    std::erase_if(cells, [&](const Cell &cell) { return cell.at == at && cell.bytes == 0; });
  else
    clear(terms, at, bytes);
  keep(at, bytes, value, /*isInput=*/false);
}

void HeapState::writeAll(const Terms &terms, const std::vector<Cell> &written) {
  for (const bool areTexts : {false, true})
    for (const Cell &cell : written)
      if ((cell.bytes == 0) == areTexts) write(terms, cell.at, cell.bytes, cell.value);
}

void HeapState::addForgotten(TermId base) { insert(forgotten, base); }

void HeapState::spread(const Terms &terms, TermId base, bool isOutside) {
  if (isOutside) insert(copied, base);
  for (const Cell &cell : cellsOf(base)) escape(terms, cell.value);
}

bool HeapState::isForgotten(TermId base) const {
  return std::ranges::binary_search(forgotten, base);
}

void HeapState::addPartlyWritten(TermId base) { insert(partlyWritten, base); }

bool HeapState::isPartlyWritten(TermId base) const {
  return std::ranges::binary_search(partlyWritten, base);
}

bool HeapState::isMixed(TermId base) const { return std::ranges::binary_search(mixed, base); }

void HeapState::forget(const Terms &terms, std::vector<TermId> bases, bool escapes) {
  std::vector<TermId> seen;
  while (!bases.empty()) {
    const TermId at = bases.back();
    bases.pop_back();
    const auto place = std::ranges::lower_bound(seen, at);
    if (place != seen.end() && *place == at) continue;
    seen.insert(place, at);
    pure.forget(at);
    if (!terms.isInstance(at) && !terms.isSymbol(at)) continue;
    if (isTracked(terms, at)) insert(forgotten, at);
    if (escapes) escape(terms, at);
    for (const Cell &cell : cellsOf(at)) {
      if (cell.bytes != 8) continue;
      if (escapes)
        bases.push_back(terms.addressOf(cell.value).base);
      else
        escape(terms, cell.value); // it may have been overwritten, or not
    }
  }
  const auto isForgotten = [&](TermId base) {
    return std::ranges::binary_search(seen, base) &&
           (terms.isInstance(base) || terms.isSymbol(base));
  };
  std::erase_if(cells, [&](const Cell &cell) { return isForgotten(cell.at.base); });
  std::erase_if(zeroed, isForgotten);
  std::erase_if(mixed, isForgotten); // what it holds now comes from elsewhere
}

std::span<const Cell> HeapState::cellsOf(TermId base) const {
  const auto range =
      std::ranges::equal_range(cells, base, {}, [](const Cell &c) { return c.at.base; });
  return {range.begin(), range.end()};
}

void HeapState::escape(const Terms &terms, TermId pointer) {
  const TermId base = terms.addressOf(pointer).base;
  if (!isTracked(terms, base)) return;
  // What this function and its callees did not allocate is no leak of theirs.
  const bool isMade =
      terms.isInstance(base) && terms.instanceOf(base).kind != Instance::Kind::Variable;
  if (isMade && std::ranges::find(made, base) == made.end()) return;
  insert(escaped, base);
}

const Released *HeapState::findReleased(TermId base) const {
  const auto at = std::ranges::find(released, base, &Released::base);
  return at == released.end() ? nullptr : &*at;
}

bool hasSameRounds(const std::vector<Round> &a, const std::vector<Round> &b) {
  return std::ranges::equal(a, b, [](const Round &x, const Round &y) {
    return x.header == y.header && x.count == y.count && x.free == y.free;
  });
}

bool HeapState::holdsSame(const HeapState &other, std::span<const uint32_t> live) const {
  if (fails != other.fails || areGlobalsForgotten != other.areGlobalsForgotten ||
      made != other.made || forgotten != other.forgotten || escaped != other.escaped ||
      copied != other.copied || zeroed != other.zeroed || mixed != other.mixed ||
      !hasSameRounds(rounds, other.rounds) || released.size() != other.released.size())
    return false;
  for (size_t i = 0; i < released.size(); i++)
    if (released[i].base != other.released[i].base) return false;
  for (const uint32_t v : live)
    if (values[v] != other.values[v]) return false;
  const auto hasWrites = [](const HeapState &a, const HeapState &b) {
    return std::ranges::all_of(a.cells, [&](const Cell &cell) {
      if (cell.isInput) return true;
      const Cell *there = b.find(cell.at, cell.bytes);
      return there && there->value == cell.value;
    });
  };
  return hasWrites(*this, other) && hasWrites(other, *this);
}

static void unite(std::vector<TermId> &bases, const std::vector<TermId> &others) {
  if (others.empty() || bases == others) return;
  std::vector<TermId> both;
  both.reserve(bases.size() + others.size());
  std::ranges::set_union(bases, others, std::back_inserter(both));
  bases = std::move(both);
}

/// With what the path says of it: a truth value is a number on either side of its branch.
static TermId settled(Terms &terms, const Constraints &constraints, TermId result) {
  result = constraints.simplified(terms, result);
  const Term &t = terms[result];
  const bool isWidened = t.kind == TermKind::Operation && t.operation == Operation::ZExt;
  const TermId truth = isWidened ? t.a : result;
  if (terms[truth].kind != TermKind::Compare) return result;
  const auto known = constraints.decides(terms, truth);
  return known ? terms.number(*known) : result;
}

void HeapState::keepCommon(Terms &terms, const HeapState &other) {
  std::vector<PureCall> kept;
  std::vector<TermId> nonZero;
  for (PureCall call : pure.calls()) {
    TermId theirs = other.pure.find(call.callee, call.arguments);
    if (theirs == kNoTerm) continue;
    call.result = settled(terms, constraints, call.result);
    theirs = settled(terms, other.constraints, theirs);
    if (call.result != theirs) {
      const bool isNonZero =
          constraints.isNotNull(terms, call.result) && other.constraints.isNotNull(terms, theirs);
      call.result = terms.symbol({.origin = Origin::Unknown});
      if (isNonZero) nonZero.push_back(call.result);
    }
    kept.push_back(std::move(call));
  }
  pure.assign(std::move(kept));
  constraints.keepCommon(terms, other.constraints);
  for (const TermId result : nonZero)
    constraints.assume(terms, terms.compare(Predicate::Unequal, false, result, Terms::kZero, 64),
                       kNone, /*byAccess=*/true);
}

void HeapState::addBlur(const HeapState &other) {
  isBlurredBelow |= other.isBlurredBelow;
  if (!other.isBlurred) return;
  blurredAt = isBlurred ? std::max(blurredAt, other.blurredAt) : other.blurredAt;
  isBlurred = true;
}

void HeapState::dropSettled(const Terms &terms) {
  std::erase_if(made,
                [&](TermId base) { return findReleased(base) || constraints.isNull(terms, base); });
}

void HeapState::join(Terms &terms, const HeapState &other) {
  keepCommon(terms, other);
  addBlur(other);
  unite(partlyWritten, other.partlyWritten);
  std::vector<Cell> inputs;
  for (const Cell &cell : other.cells)
    if (cell.isInput && !find(cell.at, cell.bytes)) inputs.push_back(cell);
  for (const Cell &cell : inputs) keep(cell.at, cell.bytes, cell.value, /*isInput=*/true);
  // What only one path accesses need not be there.
  std::erase_if(accesses, [&](const Access &access) {
    return std::ranges::find(other.accesses, access.base, &Access::base) == other.accesses.end();
  });
  std::erase_if(checks, [&](const Check &check) {
    return std::ranges::find(other.checks, check) == other.checks.end();
  });
}

/// Does anything that the heap holds, or a live value, point into the object?
bool HeapState::isPointedTo(const Terms &terms, TermId base, std::span<const uint32_t> live) const {
  const auto isIn = [&](TermId value) {
    return value != kNoTerm && terms.addressOf(value).base == base;
  };
  if (std::ranges::any_of(live, [&](uint32_t v) { return isIn(values[v]); })) return true;
  return std::ranges::any_of(cells, [&](const Cell &cell) { return isIn(cell.value); });
}

std::optional<uint32_t> HeapState::distance(const Terms &terms, const HeapState &other,
                                            std::span<const uint32_t> live, uint32_t below) const {
  if (fails != other.fails || made != other.made) return std::nullopt;
  // Of what escaped, no leak is looked for.
  const auto isKept = [](const HeapState &heap, TermId base) {
    return std::ranges::binary_search(heap.escaped, base);
  };
  if (std::ranges::any_of(made,
                          [&](TermId base) { return isKept(*this, base) != isKept(other, base); }))
    return std::nullopt;
  uint32_t out = 0;
  bool isOther = false;
  const auto hasReleases = [&](const HeapState &a, const HeapState &b) {
    for (const Released &r : a.released) {
      if (b.findReleased(r.base)) continue;
      out++;
      isOther = isOther || a.isPointedTo(terms, r.base, live) || b.isPointedTo(terms, r.base, live);
    }
  };
  hasReleases(*this, other);
  hasReleases(other, *this);
  // Null, what was never written, and pointers to what was allocated here.
  const auto isOfObjects = [&](TermId value) {
    if (value == kNoTerm) return false;
    const TermId base = terms.addressOf(value).base;
    if (terms.isInstance(base)) return true;
    if (!terms.isSymbol(base)) return false;
    const Origin origin = terms.symbolOf(base).origin;
    return origin == Origin::Null || origin == Origin::Unwritten;
  };
  const auto add = [&](TermId mine, TermId theirs) {
    if (mine == theirs) return;
    out++;
    isOther = isOther || isOfObjects(mine) || isOfObjects(theirs);
  };
  const auto isOver = [&] { return isOther || out >= below; };
  for (size_t i = 0; i < live.size() && !isOver(); i++) add(values[live[i]], other.values[live[i]]);
  // A pointer in memory may be null as what memory was filled with.
  const auto addCells = [&](const HeapState &a, const HeapState &b) {
    auto at = b.cells.begin();
    for (const Cell &cell : a.cells) {
      if (isOver()) return;
      while (at != b.cells.end() && keyOf(*at) < keyOf(cell)) ++at;
      const Cell *there = at != b.cells.end() && keyOf(*at) == keyOf(cell) ? &*at : nullptr;
      if (!there && cell.isInput) continue;
      const bool isZeroed =
          terms.isInstance(cell.at.base) && terms.instanceOf(cell.at.base).isZeroed;
      const TermId theirs = there ? there->value : isZeroed ? Terms::kZero : kNoTerm;
      add(cell.value, theirs);
      const bool isZero = cell.value == Terms::kZero || theirs == Terms::kZero;
      const bool isNumber =
          terms.numberOf(cell.value) && theirs != kNoTerm && terms.numberOf(theirs);
      isOther = isOther || (cell.bytes == 8 && cell.value != theirs && isZero && !isNumber);
    }
  };
  addCells(*this, other);
  addCells(other, *this);
  return isOver() ? std::nullopt : std::optional(out);
}

void HeapState::widen(Terms &terms, const HeapState &other, std::span<const uint32_t> live) {
  // What only one of them allocated is not looked at any more.
  std::erase_if(
      made, [&](TermId base) { return std::ranges::find(other.made, base) == other.made.end(); });
  struct Hull {
    TermId of;
    Constraints::Bounds bounds;
    bool isNotNull;
  };
  std::vector<Hull> hulls;
  const auto differ = [&](TermId &mine, TermId theirs, uint32_t bytes) {
    for (const TermId value : {mine, theirs})
      if (value != kNoTerm) escape(terms, value);
    Hull hull{};
    Constraints::Bounds known;
    if (mine != kNoTerm && theirs != kNoTerm) {
      const auto ofBoth = [](const Constraints::Bounds &a, const Constraints::Bounds &b) {
        return Constraints::Bounds{std::min(a.low, b.low), std::max(a.high, b.high)};
      };
      hull.bounds = ofBoth(constraints.branchBoundsOf(terms, mine),
                           other.constraints.branchBoundsOf(terms, theirs));
      known = ofBoth(constraints.boundsOf(terms, mine), other.constraints.boundsOf(terms, theirs));
      hull.isNotNull =
          constraints.isNotNull(terms, mine) && other.constraints.isNotNull(terms, theirs);
    }
    hull.of = mine = terms.symbol(
        {.origin = Origin::Widened, .bytes = bytes, .low = known.low, .high = known.high});
    hulls.push_back(hull);
  };
  for (const uint32_t v : live)
    if (values[v] != other.values[v]) differ(values[v], other.values[v], 8);
  // Cells that differ are forgotten, and with them what no cell tells of their objects.
  std::vector<Cell> kept;
  const auto mix = [&](TermId base) {
    insert(forgotten, base);
    insert(mixed, base);
  };
  const auto lose = [&](const Cell &cell) {
    escape(terms, cell.value);
    if (isTracked(terms, cell.at.base)) mix(cell.at.base);
  };
  for (const Cell &cell : cells) {
    const Cell *there = other.find(cell.at, cell.bytes);
    // A write at a place that varies may have been there.
    const bool isKept =
        there ? there->value == cell.value : cell.isInput && !other.isForgotten(cell.at.base);
    if (isKept) {
      kept.push_back(cell);
      kept.back().isInput &= !there || there->isInput;
    } else {
      lose(cell);
    }
  }
  for (const Cell &cell : other.cells)
    if (const Cell *here = find(cell.at, cell.bytes);
        !(here && here->value == cell.value) && !cell.isInput)
      lose(cell);
  cells = std::move(kept);
  std::erase_if(released, [&](const Released &r) { return !other.findReleased(r.base); });
  for (Access &access : accesses) access.after = 0; // how many of those are before it is not known
  unite(forgotten, other.forgotten);
  unite(mixed, other.mixed);
  unite(escaped, other.escaped);
  unite(copied, other.copied);
  unite(partlyWritten, other.partlyWritten);
  const auto isBoth = [](const std::vector<TermId> &bases, TermId base) {
    return std::ranges::find(bases, base) != bases.end();
  };
  for (const TermId base : other.zeroed)
    if (!isBoth(zeroed, base)) mix(base);
  std::erase_if(zeroed, [&](TermId base) {
    if (isBoth(other.zeroed, base)) return false;
    mix(base);
    return true;
  });
  std::erase_if(accesses, [&](const Access &access) {
    return std::ranges::find(other.accesses, access.base, &Access::base) == other.accesses.end();
  });
  std::erase_if(checks, [&](const Check &check) {
    return std::ranges::find(other.checks, check) == other.checks.end();
  });
  keepCommon(terms, other);
  areGlobalsForgotten |= other.areGlobalsForgotten;
  fails &= other.fails;
  addBlur(other);
  // What is known of either value is known of what stands for both.
  for (const Hull &hull : hulls) {
    constraints.assumeBounds(terms, hull.of, hull.bounds, /*byAccess=*/true);
    if (hull.isNotNull)
      constraints.assume(terms, terms.compare(Predicate::Unequal, true, hull.of, Terms::kZero, 64),
                         kNone,
                         /*byAccess=*/true);
  }
}

} // namespace fathom::statics::heap
