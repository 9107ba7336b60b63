// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract memory (the method: Memory.h). In this order: what memory is at the start and at the
// ends of functions; where an access may go; loads; stores, fills and transfers; allocation; what
// forgets contents.
#include "statics/abstract/Memory.h"

#include "statics/abstract/CellParts.h"

#include <algorithm>

namespace fathom::statics::abstract {

namespace {

constexpr uint64_t kMaxKnownPlaces = 64;

bool isCellSize(uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

bool isObject(const AbstractProgram &program, ObjectId object) {
  return object != kNull && object != kAbsolute &&
         program.objects[object].kind != Object::Kind::Function;
}

/// An integer in eight bytes of memory: no address of an object.
Bases numberBases() { return {kAbsolute, kNull}; }

bool isNumber(const std::optional<Bases> &bases) {
  return bases && std::all_of(bases->begin(), bases->end(),
                              [](ObjectId o) { return o == kNull || o == kAbsolute; });
}

void joinInto(Value &a, const Value &b) {
  a.number = a.number.join(b.number);
  if (!a.bases || !b.bases) {
    a.bases.reset();
    return;
  }
  Bases both;
  std::set_union(a.bases->begin(), a.bases->end(), b.bases->begin(), b.bases->end(),
                 std::back_inserter(both));
  a.bases = std::move(both);
}

Value unknown(unsigned width) { return {Progression::top(width), std::nullopt}; }

} // namespace

Memory::Memory(const AbstractProgram &program, llvm::BitVector recursive)
    : program_(program), escaped_(unsigned(program.objects.size())),
      recursive_(std::move(recursive)), stackOf_(program.functions.size()) {
  for (ObjectId o = 0; o < program.objects.size(); ++o) {
    const Object &object = program.objects[o];
    if (object.kind == Object::Kind::Function) continue;
    if (mayEscape(object)) escaped_.set(o);
    if (object.kind == Object::Kind::Stack) stackOf_[object.function].push_back(o);
  }
}

void Memory::enterGlobals(State &state) const {
  Cells &cells = state.domain().cells;
  for (ObjectId o = 0; o < program_.objects.size(); ++o) {
    const Object &object = program_.objects[o];
    const bool isDormant = object.kind == Object::Kind::Stack && !recursive_.test(object.function);
    if (object.kind == Object::Kind::Heap || isDormant) state.setFresh(o, true);
    if (object.kind == Object::Kind::Heap) state.unmade.set(o, true);
    if (object.kind != Object::Kind::Global || !object.isKnown) continue;
    // A periodic cell begins as nothing, and gets what each element has.
    const uint64_t period = cells.period(o);
    state.setFresh(o, true);
    for (const Initial &i : object.initial) {
      const uint64_t offset = period ? i.offset % period : i.offset;
      Value value{Progression::of(i.sizeBytes * 8, i.number), std::nullopt};
      if (i.object != kNoId) {
        value.number = Progression::of(64, i.objectOffset);
        value.bases = Bases{i.object};
      } else if (i.sizeBytes == 8) {
        value.bases = numberBases();
      }
      storeCell(state, o, offset, i.sizeBytes, !period, value, nullptr, true);
    }
    state.setFresh(o, false);
  }
}

void Memory::enterUnknown(State &state) const {
  // Content that never changes is known at all times.
  State known(state.domain());
  enterGlobals(known);
  Cells &cells = state.domain().cells;
  for (ObjectId o = 0; o < program_.objects.size(); ++o)
    if (program_.objects[o].isConstant)
      for (const VarId cell : cells.of(o)) {
        Value value{known.number(cell), std::nullopt};
        if (const Bases *bases = known.bases(cell)) value.bases = *bases;
        state.setValue(cell, value);
      }
}

void Memory::enterStack(State &state, ObjectId object, const Operand &size) const {
  const Object &o = program_.objects[object];
  if (!o.isSummary) {
    state.dropObject(object);
    state.setFresh(object, true);
  }
  if (o.sizeVar == kNoId) return;
  const bool isFirst = !o.isSummary || state.isUnborn(o.sizeVar);
  if (isFirst) {
    state.copy(o.sizeVar, size, false);
    state.setWritten(o.sizeVar);
  } else {
    state.setNumber(o.sizeVar, state.number(o.sizeVar).join(state.number(size)));
  }
}

void Memory::leaveStack(State &state, FunctionId function) const {
  // If no other call of the function can be active, its variables count as never written. Then a
  // join of a state before or after the call with a state during it keeps what the latter knows.
  const bool isOnly = !recursive_.test(function);
  for (const ObjectId object : stackOf_[function]) {
    state.dropObject(object);
    if (isOnly) state.setFresh(object, true);
  }
}

Access Memory::classify(const State &state, const Operand &address, const Operand &size) const {
  return classify(state, address, state.value(address, true), size);
}

bool Memory::failsByNullAlone(const State &state, const Operand &address,
                              const Operand &size) const {
  Value v = state.value(address, true);
  if (!v.bases) return false;
  size_t nulls = std::erase(*v.bases, kNull);
  // A member of a structure at null: there is no object in the first page.
  constexpr Wide kPage = 4096;
  if (v.number.min(true) >= 0 && v.number.max(true) < kPage)
    nulls += std::erase(*v.bases, kAbsolute);
  if (nulls == 0) return false;
  return v.bases->empty() || classify(state, address, v, size) == Access::Inside;
}

Access Memory::classify(const State &state, const Operand &address, const Value &v,
                        const Operand &size) const {
  const Progression n = state.number(size);
  if (n.isNone() || v.number.isNone()) return Access::Inside;
  if (n.single() == 0) return Access::Inside;
  if (!v.bases) return Access::Unknown;
  const Wide lo = v.number.min(true), hi = v.number.max(true);
  const Wide least = n.min(false), most = n.max(false);
  bool isInside = true, isOutside = least > 0;
  for (const ObjectId base : *v.bases) {
    if (!isObject(program_, base)) {
      isInside = false;
      continue;
    }
    const Object &o = program_.objects[base];
    Wide leastSize = 0, mostSize = Wide(1) << 62;
    if (o.sizeBytes) {
      leastSize = mostSize = Wide(*o.sizeBytes);
    } else if (o.sizeVar != kNoId) {
      const Progression bytes = state.number(o.sizeVar);
      leastSize = bytes.min(false);
      mostSize = bytes.max(false);
    }
    bool fits = lo >= 0 && hi + most <= leastSize;
    if (!fits && lo >= 0 && o.sizeVar != kNoId && !o.sizeBytes && !address.isConstant()) {
      // Offsets and sizes are related where both are natural numbers.
      const auto up = state.relations().upperBound({address.var, o.sizeVar, 1, -1, 0});
      fits = up && *up + most <= 0;
      if (!fits && lo == hi && !size.isConstant()) {
        const auto sizeUp = state.relations().upperBound({size.var, o.sizeVar, 1, -1, 0});
        fits = sizeUp && state.range(size.var).lo >= 0 && *sizeUp + hi <= 0;
      }
    }
    isInside &= fits;
    isOutside &= hi < 0 || lo + least > mostSize;
  }
  return isInside ? Access::Inside : isOutside ? Access::Outside : Access::Unknown;
}

void Memory::assumeInside(State &state, const Operand &address, const Operand &size) const {
  if (state.isBottom()) return;
  const Progression n = state.number(size);
  if (n.min(false) == 0) return; // nothing may be accessed at all
  if (address.isConstant()) return state.setBottom();
  const Value v = state.value(address, true);
  if (!v.bases) return;
  Bases kept;
  Wide most = 0;
  for (const ObjectId base : *v.bases) {
    if (!isObject(program_, base)) continue;
    const Object &o = program_.objects[base];
    Wide bytes = Wide(1) << 62;
    if (o.sizeBytes)
      bytes = Wide(*o.sizeBytes);
    else if (o.sizeVar != kNoId)
      bytes = std::min(bytes, state.number(o.sizeVar).max(false));
    if (v.number.min(true) + n.min(false) > bytes || v.number.max(true) < 0) continue;
    kept.push_back(base);
    most = std::max(most, bytes - n.min(false));
  }
  state.setBases(address.var, kept);
  if (kept.empty() || state.isBottom()) return;
  state.meetNumber(address.var, Progression::between(64, 0, uint64_t(most)));
}

Memory::Places Memory::placesOf(const State &state, ObjectId object, const Progression &offset,
                                uint32_t size) const {
  Places out;
  const uint64_t period = state.domain().cells.period(object);
  const Object &o = program_.objects[object];
  if (!isCellSize(size)) return out;
  Progression places = offset;
  if (o.sizeBytes) {
    if (*o.sizeBytes < size) return out;
    places = places.meet(Progression::between(64, 0, *o.sizeBytes - size));
  } else if (period) {
    places = refine(Predicate::Sge, places, Progression::of(64, 0));
  }
  if (period) places = apply(Binary::URem, places, Progression::of(64, period));
  const std::optional<std::vector<uint64_t>> few = places.members(kMaxKnownPlaces);
  if (!few) return out;
  // An access across two elements is none of a cell.
  if (period &&
      std::any_of(few->begin(), few->end(), [&](uint64_t at) { return at + size > period; }))
    return out;
  out.offsets = *few;
  out.areAll = true;
  return out;
}

Value Memory::loadCell(const State &state, ObjectId object, uint64_t offset, uint32_t size,
                       bool isAddress) const {
  Cells &cells = state.domain().cells;
  const VarId cell = cells.at(object, offset, size);
  Value out = unknown(size * 8);
  if (state.isUnborn(cell)) return out;
  out.number = state.number(cell);
  if (const Bases *bases = state.bases(cell)) out.bases = *bases;
  if (out.number.isTop() && !out.bases) {
    if (const std::optional<Progression> known = numberOfBytes(state, object, offset, size)) {
      out.number = *known;
      if (size == 8) out.bases = numberBases();
    }
  }
  if (!isAddress) {
    if (size == 8 && !isNumber(out.bases)) out.number = Progression::top(64);
    return out;
  }
  // An address that was stored as a number: null, or anything.
  if (isNumber(out.bases)) {
    if (out.number.single() == 0)
      out.bases = Bases{kNull};
    else if (*out.bases == numberBases())
      out = unknown(64);
  }
  return out;
}

Value Memory::load(const State &state, const Operand &address, uint32_t size,
                   bool isAddress) const {
  const Value at = state.value(address, true);
  const unsigned width = size * 8;
  if (!at.bases || !isCellSize(size)) return unknown(std::min(width, 64u));
  std::optional<Value> out;
  for (const ObjectId base : *at.bases) {
    if (!isObject(program_, base)) return unknown(width);
    const Places places = placesOf(state, base, at.number, size);
    if (!places.areAll) return unknown(width);
    for (const uint64_t offset : places.offsets) {
      const Value here = loadCell(state, base, offset, size, isAddress);
      if (out)
        joinInto(*out, here);
      else
        out = here;
    }
  }
  return out ? *out : unknown(width);
}

void Memory::loseCell(State &state, VarId cell) {
  state.forget(cell);
  state.setWritten(cell);
}

void Memory::writeCell(State &state, VarId cell, const Value &value) const {
  state.setValue(cell, value);
  state.setWritten(cell);
}

void Memory::storeCell(State &state, ObjectId object, uint64_t offset, uint32_t size, bool isStrong,
                       const Value &value, const Operand *exact, bool isAddress) const {
  Cells &cells = state.domain().cells;
  const VarId cell = cells.at(object, offset, size);
  const bool isWeak = cells.find(cell)->isWeak;
  const bool isUnborn = state.isUnborn(cell);
  const bool isOnly = isStrong && !isWeak;
  const std::vector<CellPart> beside =
      isOnly ? partsBeside(state, object, offset, size) : std::vector<CellPart>();
  const std::vector<VarId> others = cells.of(object);
  for (const VarId other : others) {
    const Cell &c = *cells.find(other);
    if (other != cell && c.offset < offset + size && offset < c.offset + c.sizeBytes)
      loseCell(state, other);
  }
  for (const CellPart &part : beside)
    writeCell(state, cells.at(object, part.offset, part.size), {part.number, std::nullopt});
  if (isOnly) {
    if (exact && !exact->isConstant()) {
      state.copy(cell, *exact, isAddress);
      state.setBases(cell, value.bases);
      state.setWritten(cell);
    } else {
      writeCell(state, cell, value);
    }
    return;
  }
  if (isUnborn) return writeCell(state, cell, value);
  Value joined{state.number(cell), std::nullopt};
  if (const Bases *bases = state.bases(cell)) joined.bases = *bases;
  joinInto(joined, value);
  writeCell(state, cell, joined);
}

void Memory::smear(State &state, ObjectId object, const Progression &offset,
                   const Progression &size) const {
  if (program_.objects[object].isConstant) return;
  // Whatever lies between the least and the greatest byte is unknown afterwards; cells that do not
  // exist yet too.
  Cells &cells = state.domain().cells;
  const Wide lo = offset.min(true), hi = offset.max(true) + size.max(false);
  const bool isPeriodic = cells.period(object) != 0;
  for (const VarId cell : std::vector<VarId>(cells.of(object))) {
    const Cell &c = *cells.find(cell);
    if (isPeriodic || (Wide(c.offset) < hi && lo < Wide(c.offset + c.sizeBytes)))
      loseCell(state, cell);
    else if (state.isUnborn(cell))
      loseCell(state, cell); // not in this write, but nothing keeps track of what is
  }
  state.setFresh(object, false);
}

void Memory::store(State &state, const Operand &address, uint32_t size, const Operand &operand,
                   bool isAddress) const {
  if (state.isBottom()) return;
  const Value at = state.value(address, true);
  if (!at.bases) return scrambleEscaped(state);
  Value value = isCellSize(size) ? state.value(operand, isAddress) : unknown(64);
  if (!isAddress && size == 8) value.bases = numberBases();
  const bool isOne = at.bases->size() == 1 && at.number.single().has_value();
  for (const ObjectId base : *at.bases) {
    if (base == kAbsolute) return scrambleEscaped(state);
    if (!isObject(program_, base) || program_.objects[base].isConstant) continue;
    const Places places = placesOf(state, base, at.number, size);
    if (!places.areAll) {
      smear(state, base, at.number, Progression::of(64, size));
      continue;
    }
    for (const uint64_t offset : places.offsets)
      storeCell(state, base, offset, size, isOne, value, isCellSize(size) ? &operand : nullptr,
                isAddress);
  }
}

void Memory::fill(State &state, const Operand &address, const Operand &sizeOperand,
                  std::optional<uint8_t> byte) const {
  if (state.isBottom()) return;
  const Value at = state.value(address, true);
  const Progression size = state.number(sizeOperand);
  if (size.single() == 0) return;
  if (!at.bases) return scrambleEscaped(state);
  const std::optional<uint64_t> offset = at.number.single(), length = size.single();
  Cells &cells = state.domain().cells;
  for (const ObjectId base : *at.bases) {
    if (base == kAbsolute) return scrambleEscaped(state);
    if (!isObject(program_, base) || program_.objects[base].isConstant) continue;
    const Object &object = program_.objects[base];
    const bool isWhole = offset == 0 && length && object.sizeBytes == length && !object.isSummary;
    const uint64_t period = cells.period(base);
    if (!byte || !offset || !length || (period && !isWhole)) {
      smear(state, base, at.number, size);
      continue;
    }
    const bool isStrong = at.bases->size() == 1 && !object.isSummary;
    if (isStrong && isWhole) {
      state.dropObject(base);
      state.setFresh(base, true); // what comes now is all there is
    } else {
      smear(state, base, at.number, size);
    }
    if (!isStrong) continue;
    for (const auto &[leaf, bytes] : object.leaves) {
      if (!period && (leaf < *offset || leaf + bytes > *offset + *length)) continue;
      const uint64_t pattern = uint64_t(*byte) * 0x0101010101010101ull;
      Value value{Progression::of(bytes * 8, pattern), std::nullopt};
      if (bytes == 8) value.bases = numberBases();
      const VarId cell = cells.at(base, leaf, bytes);
      writeCell(state, cell, value);
    }
    state.setFresh(base, false);
  }
}

void Memory::transfer(State &state, const Operand &to, const Operand &from,
                      const Operand &sizeOperand) const {
  if (state.isBottom()) return;
  const Value target = state.value(to, true), source = state.value(from, true);
  const std::optional<uint64_t> size = state.number(sizeOperand).single();
  Cells &cells = state.domain().cells;
  auto isOnePlace = [&](const Value &v) {
    return v.bases && v.bases->size() == 1 && v.number.single() &&
           isObject(program_, v.bases->front()) && !program_.objects[v.bases->front()].isSummary &&
           !cells.period(v.bases->front());
  };
  // Cells whose values are known are read before anything is written.
  struct Piece {
    uint64_t offset = 0;
    uint32_t size = 0;
    Value value;
  };
  std::vector<Piece> pieces;
  const bool isExact = size && isOnePlace(target) && isOnePlace(source);
  if (isExact) {
    const uint64_t first = *source.number.single();
    for (const VarId cell : cells.of(source.bases->front())) {
      const Cell &c = *cells.find(cell);
      if (c.offset < first || c.offset + c.sizeBytes > first + *size || state.isUnborn(cell))
        continue;
      Value value{state.number(cell), std::nullopt};
      if (const Bases *bases = state.bases(cell)) value.bases = *bases;
      if (value.number.isTop() && !value.bases) continue;
      pieces.push_back({c.offset - first + *target.number.single(), c.sizeBytes, value});
    }
  }
  fill(state, to, sizeOperand, std::nullopt);
  if (state.isBottom()) return;
  for (const Piece &piece : pieces)
    writeCell(state, cells.at(target.bases->front(), piece.offset, piece.size), piece.value);
}

void Memory::allocate(State &state, const Statement &s) const {
  const Object &object = program_.objects[s.object];
  if (!object.isSummary || state.unmade.contains(s.object)) {
    state.dropObject(s.object);
    state.setFresh(s.object, true);
    state.unmade.erase(s.object);
  }
  if (object.sizeVar != kNoId) {
    if (state.isUnborn(object.sizeVar)) {
      state.copy(object.sizeVar, s.a, false);
      state.setWritten(object.sizeVar);
    } else {
      state.setNumber(object.sizeVar, state.number(object.sizeVar).join(state.number(s.a)));
    }
  }
  if (s.zeroed) {
    // Zero is one more value that every cell may have; those not made yet are lost.
    Cells &cells = state.domain().cells;
    for (const auto &[leaf, bytes] : object.leaves) cells.at(s.object, leaf, bytes);
    for (const VarId cell : std::vector<VarId>(cells.of(s.object))) {
      const Cell c = *cells.find(cell);
      Value zero{Progression::of(c.sizeBytes * 8, 0), std::nullopt};
      if (c.sizeBytes == 8) zero.bases = numberBases();
      if (!state.isUnborn(cell)) {
        Value old{state.number(cell), std::nullopt};
        if (const Bases *bases = state.bases(cell)) old.bases = *bases;
        joinInto(zero, old);
      }
      writeCell(state, cell, zero);
    }
    state.setFresh(s.object, false);
  }
  state.setNumber(s.dst, Progression::of(64, 0));
  Bases bases{s.object};
  if (s.mayFail) bases.push_back(kNull);
  std::sort(bases.begin(), bases.end());
  state.setBases(s.dst, bases);
}

void Memory::scramble(State &state, ObjectId object) const {
  for (const VarId cell : state.domain().cells.of(object)) state.forget(cell);
  state.setFresh(object, false);
}

void Memory::scrambleTargets(State &state, const Operand &address) const {
  if (state.isBottom()) return;
  const std::optional<Bases> bases = state.value(address, true).bases;
  if (!bases) return scrambleEscaped(state);
  for (const ObjectId base : *bases) {
    if (base == kAbsolute) return scrambleEscaped(state);
    if (isObject(program_, base) && !program_.objects[base].isConstant) scramble(state, base);
  }
}

void Memory::scrambleEscaped(State &state) const { state.loseEscaped(escaped_); }

} // namespace fathom::statics::abstract
