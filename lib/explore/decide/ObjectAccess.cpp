// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/ObjectAccess.h"

#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/RegularTable.h"
#include "explore/decide/StepContext.h"
#include "explore/interpreter/TermBounds.h"
#include "explore/LedgerText.h"
#include "solver/Values.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>

namespace fathom::explore {

using expr::Kind;

namespace {

/// Largest range of a symbolic read in which each byte that was never written gets a term of its
/// own. In a larger one they share one.
constexpr uint64_t kUninitTable = 256;

/// Number of low bits of e that are 0 whatever its symbols.
unsigned trailingZeros(ExprPtr e, int depth = 0) {
  unsigned w = e->width();
  if (depth > 8) return 0;
  switch (e->kind()) {
  case Kind::Const:
    return w <= 64 && e->value() ? static_cast<unsigned>(std::countr_zero(e->value())) : w;
  case Kind::Add:
  case Kind::Sub:
  case Kind::Or:
  case Kind::Xor:
    return std::min(trailingZeros(e->op(0), depth + 1), trailingZeros(e->op(1), depth + 1));
  case Kind::And:
    return std::max(trailingZeros(e->op(0), depth + 1), trailingZeros(e->op(1), depth + 1));
  case Kind::Mul:
    return std::min(w, trailingZeros(e->op(0), depth + 1) + trailingZeros(e->op(1), depth + 1));
  case Kind::Shl:
    return e->op(1)->isConst()
               ? std::min<unsigned>(
                     w, trailingZeros(e->op(0), depth + 1) +
                            static_cast<unsigned>(std::min<uint64_t>(e->op(1)->value(), w)))
               : trailingZeros(e->op(0), depth + 1);
  case Kind::Concat: {
    unsigned low = trailingZeros(e->op(1), depth + 1);
    return low < e->op(1)->width() ? low : low + trailingZeros(e->op(0), depth + 1);
  }
  case Kind::ZExt:
  case Kind::SExt: {
    unsigned n = trailingZeros(e->op(0), depth + 1);
    return n < e->op(0)->width() ? n : w;
  }
  case Kind::Ite:
    return std::min(trailingZeros(e->op(1), depth + 1), trailingZeros(e->op(2), depth + 1));
  default: return 0;
  }
}

} // namespace

/// An offset into a large object that has at most this many values is forked over.
constexpr unsigned kFewValues = 8;

/// A write that can go to more places than these is split over them, where addresses are
/// (FeasibilityChecks::forksOnAddresses).
constexpr uint64_t kFewPlaces = 4;

ObjectAccess::OffsetRange ObjectAccess::offsetRange(State &s, ExprPtr offset) {
  OffsetRange out;
  if (stepContext_.cut || s.discarded) return out;
  auto start = solver::Clock::now();
  solver::Range range;
  if (!s.replayedLog)
    range = solver::feasibleRange(oracle_, s.path, s.witness.get(), s.witnessVersion, offset,
                                  feasibility_.queryTimeout(), ctx_);
  if (!s.replayedLog && !range.exact && stepContext_.cutShort(s, false)) return out;
  out.exact = follower_.logged(s, Record::Range, [&] { return range.exact; });
  out.min = follower_.logged(s, Record::Range, [&] { return range.min; });
  out.max = follower_.logged(s, Record::Range, [&] { return range.max; });
  stats_.solverSeconds += std::chrono::duration<double>(solver::Clock::now() - start).count();
  return out;
}

bool ObjectAccess::hasFewValues(State &s, ExprPtr offset) {
  if (s.discarded) return true;
  auto start = solver::Clock::now();
  const bool few = follower_.logged(s, Record::Known, [&] {
    const bool complete =
        solver::feasibleValues(oracle_, s.path, s.witness.get(), s.witnessVersion, offset,
                               kFewValues, feasibility_.queryTimeout(), ctx_)
            .complete;
    return complete || stepContext_.cutShort(s, false);
  });
  stats_.solverSeconds += std::chrono::duration<double>(solver::Clock::now() - start).count();
  return few;
}

void ObjectAccess::boundOffset(State &s, const ObjectState &o, ExprPtr &offset, unsigned size,
                               uint64_t &first, uint64_t &last) {
  first = 0;
  last = o.size() - size;
  uint64_t bound = unsignedMax(offset);
  last = std::min(last, bound);
  if (last - first + size <= options_.maxTableBytes) return;
  auto pinTo = [&](uint64_t v) {
    offset = ctx_.constant(v, 64);
    first = last = v;
  };
  const bool splits =
      follower_.logged(s, Record::Known, [&] { return feasibility_.forksOnAddresses(s); });
  if (splits || hasFewValues(s, offset)) return pinTo(feasibility_.splitOnValue(s, offset));
  if (OffsetRange seen = offsetRange(s, offset); seen.exact) {
    first = std::max(first, seen.min);
    last = std::min(last, seen.max);
    if (first <= last && last - first + size <= options_.maxTableBytes) return;
  }
  stats_.pointerConcretized++;
  const std::string why =
      fmt::format("an offset that ranges over more than {} bytes", options_.maxTableBytes);
  pinTo(feasibility_.concretize(s, offset, withHint(why, "max-table follows more")));
}

/// Where a write of `size` bytes at this offset can go, in ascending order: multiples of `stride`
/// in [first, last], or fewer when it pays to ask the solver. Each is an if-then-else for every
/// byte, now and whenever these bytes are read.
std::vector<uint64_t> ObjectAccess::writePlaces(State &s, ExprPtr offset, unsigned stride,
                                                uint64_t first, uint64_t last) {
  constexpr uint64_t kMany = 16;
  std::vector<uint64_t> places;
  first -= first % stride;
  if ((last - first) / stride >= kFewPlaces &&
      follower_.logged(s, Record::Known, [&] { return feasibility_.forksOnAddresses(s); }))
    return {feasibility_.splitOnValue(s, offset)};
  if ((last - first) / stride >= kMany && !s.discarded) {
    solver::Values seen;
    auto start = solver::Clock::now();
    const uint64_t few = follower_.logged(s, Record::Known, [&] {
      seen = solver::feasibleValues(oracle_, s.path, s.witness.get(), s.witnessVersion, offset,
                                    kMany, feasibility_.queryTimeout(), ctx_);
      if (!seen.complete) stepContext_.cutShort(s, false);
      return seen.complete ? seen.values.size() : 0;
    });
    stats_.solverSeconds += std::chrono::duration<double>(solver::Clock::now() - start).count();
    std::sort(seen.values.begin(), seen.values.end());
    for (uint64_t i = 0; i < few; i++)
      places.push_back(follower_.logged(s, Record::Range, [&] { return seen.values[i]; }));
    if (few) return places;
    if (OffsetRange range = offsetRange(s, offset); range.exact) {
      first = std::max(first, range.min);
      last = std::min(last, range.max);
    }
  }
  for (uint64_t p = first - first % stride; p <= last; p += stride) places.push_back(p);
  return places;
}

/// Do elements of this size at these offsets have no terms? Of a large range no byte that was never
/// written has one of its own.
bool ObjectAccess::isConstantTable(State &s, const ObjectState &o, uint64_t first, uint64_t last,
                                   unsigned size) {
  const bool isLarge = last + size - first > kUninitTable;
  for (uint64_t at = first; at < std::min(last + size, o.size()); at++)
    if (ByteValue b = s.memory.read(o, at); b.sym || (b.uninit && !isLarge)) return false;
  return true;
}

ExprPtr ObjectAccess::readAt(State &s, const ObjectState &object, ExprPtr offset, unsigned size) {
  uint64_t base = object.base(), first, last;
  boundOffset(s, object, offset, size, first, last);
  if (offset->isConst()) {
    MemoryAccess::Loaded l = interpreter_.memory.load(s, base + offset->value(), size);
    if (l.term) return l.term;
    uint64_t words[2] = {l.lo, l.hi};
    return size <= 8 ? ctx_.constant(l.lo, size * 8) : ctx_.constantWide(words, size * 8);
  }
  if (follower_.logged(s, Record::Known, [&] {
        return feasibility_.forksOnAddresses(s) && !isConstantTable(s, object, first, last, size);
      }))
    return readAt(s, object, ctx_.constant(feasibility_.splitOnValue(s, offset), 64), size);
  stats_.pointerItes++;
  const ObjectState &o = *s.memory.find(base);
  // With offsets that are multiples of the element's size (an array index), one array per byte of
  // the element: smaller arrays, and those of high bytes are often constant.
  unsigned stride = std::has_single_bit(size) &&
                            trailingZeros(offset) >= static_cast<unsigned>(std::countr_zero(size))
                        ? size
                        : 1;
  first -= first % stride;
  uint64_t count = (last - first) / stride + 1;
  ExprPtr distance = ctx_.sub(offset, ctx_.constant(first, 64)), index = distance;
  if (stride > 1)
    index = ctx_.lshr(index, ctx_.constant(static_cast<unsigned>(std::countr_zero(stride)), 64));
  ExprPtr value = nullptr;
  for (unsigned lane = 0; lane < size; lane++) {
    std::vector<uint8_t> contents(count), isUnwritten;
    std::vector<std::pair<uint64_t, ExprPtr>> symbolic;
    for (uint64_t i = 0; i < count; i++) {
      uint64_t at = first + i * stride + lane;
      if (at >= o.size()) continue;
      ByteValue b = s.memory.read(*s.memory.find(base), at);
      if (b.uninit && options_.checkUninit && count * stride <= kUninitTable) {
        b.sym = interpreter_.memory.load(s, base + at, 1).term;
      } else if (b.uninit && options_.checkUninit) {
        isUnwritten.resize(count);
        isUnwritten[i] = 1;
      }
      contents[i] = b.value;
      if (b.sym) symbolic.emplace_back(i, b.sym);
    }
    // Bytes of a result of an external function are known one by one.
    ExprPtr byte = s.results.size() ? nullptr
                                    : regularTable(ctx_, interpreter_.unsimplified, contents,
                                                   symbolic, {index, distance, stride});
    if (!byte) {
      ExprPtr array = ctx_.constArray(contents);
      for (auto &[i, e] : symbolic) array = ctx_.store(array, ctx_.constant(i, 64), e);
      byte = ctx_.read(array, index);
    }
    if (!isUnwritten.empty()) {
      const uint64_t whole = o.size(); // no offset: any of them
      const uint32_t number = s.unwritten.add(*s.memory.find(base), whole, 1);
      ExprPtr hitsNone =
          ctx_.eq(ctx_.read(ctx_.constArray(isUnwritten), index), ctx_.constant(0, 8));
      byte = ctx_.ite(hitsNone, byte, ctx_.uninitByte(number));
    }
    value = value ? ctx_.concat(byte, value) : byte;
  }
  return value;
}

ObjectAccess::PlannedWrite ObjectAccess::planWrite(State &s, const ObjectState &object,
                                                   ExprPtr offset, unsigned size) {
  const uint64_t base = object.base();
  uint64_t first, last;
  boundOffset(s, object, offset, size, first, last);
  if (offset->isConst()) return {base, offset, {}};
  unsigned stride = std::has_single_bit(size) &&
                            trailingZeros(offset) >= static_cast<unsigned>(std::countr_zero(size))
                        ? size
                        : 1;
  return {base, offset, writePlaces(s, offset, stride, first, last)};
}

void ObjectAccess::carryOut(State &s, const PlannedWrite &write, ExprPtr value) {
  const unsigned size = value->width() / 8;
  const auto &[base, offset, places] = write;
  if (offset->isConst()) {
    if (value->isConst())
      interpreter_.memory.store(s, base + offset->value(), size, value->word(0),
                                size > 8 ? value->word(1) : 0);
    else
      interpreter_.memory.storeTerm(s, base + offset->value(), value);
    return;
  }
  stats_.pointerItes++;
  // Byte `at` becomes the value's byte at - p for the one position p that is the offset, if any.
  for (uint64_t p : places) {
    ExprPtr place = ctx_.constant(p, 64);
    ExprPtr here = places.size() == 1 ? ctx_.trueExpr() : ctx_.eq(offset, place);
    if (here->isFalse()) continue;
    interpreter_.built(here, Kind::Eq, {offset, place});
    for (unsigned i = 0; i < size; i++) {
      ByteValue old = s.memory.read(*s.memory.find(base), p + i);
      if (old.uninit && options_.checkUninit)
        old.sym = interpreter_.memory.load(s, base + p + i, 1).term; // stays unwritten elsewhere
      ExprPtr oldTerm = old.sym ? old.sym : ctx_.constant(old.value, 8);
      ExprPtr newTerm = ctx_.extract(value, 8 * i, 8), term = ctx_.ite(here, newTerm, oldTerm);
      interpreter_.built(term, Kind::Ite, {here, newTerm, oldTerm});
      s.memory.writeSym(base + p + i, term);
    }
  }
}

void ObjectAccess::writeAt(State &s, const ObjectState &object, ExprPtr offset, ExprPtr value) {
  carryOut(s, planWrite(s, object, offset, value->width() / 8), value);
}

} // namespace fathom::explore
