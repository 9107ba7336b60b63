// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/FunctionMemory.h"

#include <algorithm>

namespace fathom::statics::heap {

TermId FunctionMemory::unknown(Origin origin, StatementId at, uint32_t bytes) {
  return out_->terms.symbol({.origin = origin, .statement = at, .bytes = bytes});
}

TermId FunctionMemory::addressOfObject(ObjectId object) {
  const Object &o = facts_.objects[object];
  return out_->terms.variable(object, o.bytes ? out_->terms.number(static_cast<int64_t>(o.bytes))
                                              : kNoTerm);
}

TermId FunctionMemory::constantOf(ValueId value) {
  if (value == kNullValue || value == kZeroValue) return Terms::kZero;
  if (const auto number = facts_.numbers.find(value); number != facts_.numbers.end())
    return out_->terms.number(number->second);
  if (const uint32_t at = facts_.values[value].address; at != kNone) {
    const ConstantAddress &address = facts_.addresses[at];
    return out_->terms.sum(addressOfObject(address.object), address.offset);
  }
  return unknown(value == kUndefinedValue ? Origin::Unwritten : Origin::Unknown, kNone);
}

TermId FunctionMemory::valueOf(HeapState &state, ValueId value) {
  if (facts_.values[value].function != id_) return constantOf(value);
  TermId &term = state.values[value - function_.firstValue];
  if (term == kNoTerm) term = unknown(Origin::Unknown, facts_.values[value].definition);
  return term;
}

TermId FunctionMemory::operandOf(HeapState &state, ValueId value, StatementId at) {
  return value == kNullValue ? out_->terms.null(at) : valueOf(state, value);
}

void FunctionMemory::set(HeapState &state, ValueId value, TermId term) {
  if (value != kNone) state.values[value - function_.firstValue] = term;
}

/// The variable or function whose address it is; nullptr: it is no such address.
const Object *FunctionMemory::variableOf(TermId base) const {
  if (!out_->terms.isInstance(base)) return nullptr;
  const Instance &instance = out_->terms.instanceOf(base);
  return instance.kind == Instance::Kind::Variable ? &facts_.objects[instance.object] : nullptr;
}

/// Memory that callers know.
bool FunctionMemory::isInputBase(TermId base) const {
  if (out_->terms.isSymbol(base)) return out_->terms.isInputSymbol(base);
  const Object *object = variableOf(base);
  return object && (object->kind == ObjectKind::Global || object->kind == ObjectKind::Environment);
}

/// A global variable that the call may write; kNone: that this function may.
bool FunctionMemory::isGlobalWritten(TermId base, StatementId call) const {
  const Terms &terms = out_->terms;
  if (!terms.isInstance(base) || !isInputBase(base)) return false;
  const ObjectId id = terms.instanceOf(base).object;
  const Object &object = facts_.objects[id];
  if (object.isConstant || object.kind != ObjectKind::Global) return !object.isConstant;
  return call == kNone ? globalWrites_.mayWrite(id_, id) : globalWrites_.callMayWrite(call, id);
}

/// Does the term depend on what callers pass, or have in memory?
bool FunctionMemory::isInput(TermId term) const {
  return out_->terms.mentions(term,
                              [&](TermId symbol) { return out_->terms.isInputSymbol(symbol); });
}

/// Does it depend on what heaps that are one now held differently?
bool FunctionMemory::isOfWidened(TermId term) const {
  return out_->terms.mentions(
      term, [&](TermId symbol) { return out_->terms.symbolOf(symbol).origin == Origin::Widened; });
}

/// What a global variable holds before anything writes it: constants, and at the program's start.
TermId FunctionMemory::initialOf(const Address &at, uint32_t bytes) {
  Terms &terms = out_->terms;
  const Object *variable = at.varying == kNoTerm ? variableOf(at.base) : nullptr;
  if (!variable || variable->kind != ObjectKind::Global || !variable->isInitialKnown)
    return kNoTerm;
  const Object &object = *variable;
  const ObjectId id = terms.instanceOf(at.base).object;
  if (!object.isConstant && !isMain_) return kNoTerm;
  if (at.offset < 0 || at.offset + int64_t(bytes) > int64_t(object.bytes)) return kNoTerm;
  for (const InitialPointer &pointer : facts_.initial)
    if (pointer.object == id && pointer.offset == at.offset)
      return bytes == 8 ? constantOf(pointer.value) : kNoTerm;
  // The nearest number at or before the address.
  auto number = facts_.initialNumbers.upper_bound({id, at.offset});
  if (number != facts_.initialNumbers.begin()) {
    --number;
    const auto &[where, what] = *number;
    if (where.first == id && where.second + int64_t(what.bytes) > at.offset)
      return where.second == at.offset && what.bytes == bytes ? terms.number(what.value) : kNoTerm;
    ++number;
  }
  const bool isFree = number == facts_.initialNumbers.end() || number->first.first != id ||
                      number->first.second >= at.offset + int64_t(bytes);
  return isFree ? Terms::kZero : kNoTerm;
}

/// Between which numbers an element of a constant array is, by what is known of its index.
std::optional<Constraints::Bounds>
FunctionMemory::inTable(const HeapState &state, const Address &at, uint32_t bytes) const {
  constexpr uint64_t kMaxBytes = 4096;
  const Object *table = at.varying == kNoTerm ? nullptr : variableOf(at.base);
  if (!table || !table->isConstant || !table->isInitialKnown || table->bytes > kMaxBytes ||
      bytes == 0 || bytes > 4 || at.offset < 0)
    return std::nullopt;
  const int64_t step = std::max<int64_t>(multipleIn(out_->terms, at.varying), bytes);
  const Constraints::Bounds index = state.constraints.boundsOf(out_->terms, at.varying);
  const auto end = static_cast<int64_t>(table->bytes) - bytes;
  Constraints::Bounds out{INT64_MAX, INT64_MIN};
  const ObjectId id = out_->terms.instanceOf(at.base).object;
  for (int64_t place = at.offset % step; place <= end; place += step) {
    if (place - at.offset < index.low || place - at.offset > index.high) continue;
    const auto number = facts_.initialNumbers.lower_bound({id, place});
    const bool isThere = number != facts_.initialNumbers.end() && number->first.first == id &&
                         number->first.second < place + bytes;
    if (isThere && (number->first.second != place || number->second.bytes != bytes))
      return std::nullopt; // parts of it
    const int64_t value = isThere ? number->second.value : 0;
    out = {std::min(out.low, value), std::max(out.high, value)};
  }
  return out.low > out.high ? std::nullopt : std::optional(out);
}

TermId FunctionMemory::contentOf(HeapState &state, const Address &at, uint32_t bytes,
                                 StatementId reader) {
  Terms &terms = out_->terms;
  if (std::ranges::find(state.zeroed, at.base) != state.zeroed.end()) return Terms::kZero;
  if (state.isForgotten(at.base) || (state.areGlobalsForgotten && isGlobalWritten(at.base)))
    return unknown(state.isMixed(at.base) ? Origin::Widened : Origin::Read, reader, bytes);
  if (const TermId initial = initialOf(at, bytes); initial != kNoTerm) return initial;
  const std::optional<Constraints::Bounds> element = inTable(state, at, bytes);
  if (isInputBase(at.base)) {
    const bool isContent =
        terms.isSymbol(at.base) && terms.symbolOf(at.base).origin == Origin::Content;
    const uint32_t depth = isContent ? terms.symbolOf(at.base).index + 1 : 0;
    // Callers cannot tell which element of several it was.
    const bool isAnyElement = at.varying != kNoTerm && !isInput(at.varying);
    if (element && isAnyElement)
      return terms.symbol({.origin = Origin::Read,
                           .statement = reader,
                           .bytes = bytes,
                           .low = element->low,
                           .high = element->high});
    if (depth >= limits_.pathDepth || isAnyElement) return unknown(Origin::Read, reader, bytes);
    auto [known, isNew] = inputs_.try_emplace({at, bytes}, kNoTerm);
    if (isNew)
      known->second = terms.symbol({.origin = Origin::Content,
                                    .index = depth,
                                    .statement = reader,
                                    .address = at,
                                    .bytes = bytes});
    if (element) state.constraints.addFact(terms, known->second, *element);
    return known->second;
  }
  if (!terms.isInstance(at.base)) return unknown(Origin::Read, reader, bytes);
  const Instance &block = terms.instanceOf(at.base);
  if (block.kind == Instance::Kind::File) return unknown(Origin::Read, reader, bytes);
  const bool isStack = block.kind == Instance::Kind::Variable &&
                       facts_.objects[block.object].kind == ObjectKind::Stack;
  if (block.kind == Instance::Kind::Variable && !isStack)
    return unknown(Origin::Read, reader, bytes);
  if (block.isZeroed && !state.isPartlyWritten(at.base)) return Terms::kZero;
  // Part of something that was written there, or a place that may be one that was written.
  const auto isNear = [&](const Cell &cell) {
    return cell.at.varying != at.varying || (cell.at.offset < at.offset + int64_t(bytes) &&
                                             at.offset < cell.at.offset + int64_t(cell.bytes));
  };
  const bool isTouched =
      state.isPartlyWritten(at.base) || std::ranges::any_of(state.cellsOf(at.base), isNear);
  return unknown(isTouched ? Origin::Read : Origin::Unwritten, reader, bytes);
}

/// What is read of a global variable is one of the numbers that it may hold at any time, or not
/// below the least.
TermId FunctionMemory::everHeld(const Address &at, uint32_t bytes, TermId value) {
  const Object *object = at.varying == kNoTerm && at.offset == 0 ? variableOf(at.base) : nullptr;
  if (!object || object->bytes != bytes || value == kNoTerm) return value;
  Terms &terms = out_->terms;
  if (object->numbers.size() == 1) return terms.number(object->numbers.front());
  if (!terms.isSymbol(value) || terms.numberOf(value)) return value;
  if (!object->numbers.empty())
    terms.setNumbers(value, object->numbers);
  else if (object->least)
    terms.setLeast(value, *object->least);
  return value;
}

/// Of a constant that is a text; nullopt: it is none.
std::optional<std::string> FunctionMemory::literalText(const Address &at) const {
  if (at.varying != kNoTerm || at.offset < 0) return std::nullopt;
  const Object *object = variableOf(at.base);
  if (!object || !object->isInitialKnown || !object->isConstant) return std::nullopt;
  const ObjectId id = out_->terms.instanceOf(at.base).object;
  std::string text;
  const auto end = [&] { return at.offset + static_cast<int64_t>(text.size()); };
  for (auto byte = facts_.initialNumbers.find({id, at.offset});
       byte != facts_.initialNumbers.end() && byte->second.bytes == 1 && byte->second.value != 0 &&
       byte->first == std::pair(id, end());
       ++byte)
    text += static_cast<char>(byte->second.value);
  if (end() >= int64_t(object->bytes)) return std::nullopt;
  return text;
}

/// Whatever calls may have done to what they got: a text that is a constant ends where it did.
bool FunctionMemory::isEndOfLiteral(const Address &at) const {
  const auto text = literalText(at);
  return text && text->empty();
}

/// From a larger cell around the place, or from smaller ones that fill it; kNoTerm: there are none.
/// Numbers begin with their lowest byte.
TermId FunctionMemory::partOf(const HeapState &state, const Address &at, uint32_t bytes) {
  Terms &terms = out_->terms;
  constexpr uint32_t kMaxBytes = 8;
  if (bytes > kMaxBytes) return kNoTerm;
  const auto bits = [](int64_t n) { return static_cast<uint8_t>(n * 8); };
  const int64_t end = at.offset + bytes;
  TermId whole = kNoTerm;
  int64_t filled = at.offset;
  // Cells are in the order of their addresses.
  const auto first =
      std::ranges::lower_bound(state.cells, Address{at.base, at.varying, INT64_MIN}, {}, &Cell::at);
  for (const Cell &cell : std::ranges::subrange(first, state.cells.end())) {
    if (cell.at.base != at.base || cell.at.varying != at.varying || cell.at.offset >= end) break;
    if (cell.bytes == 0 || cell.bytes > kMaxBytes || cell.value == kNoTerm) continue;
    const int64_t begin = cell.at.offset, cellEnd = begin + cell.bytes;
    if (begin <= at.offset && cellEnd >= end) {
      const TermId moved =
          terms.operation(Operation::LShr, cell.value, terms.number(8 * (at.offset - begin)),
                          bits(cell.bytes), bits(cell.bytes));
      return terms.operation(Operation::Trunc, moved, kNoTerm, bits(bytes), bits(cell.bytes));
    }
    if (begin != filled || cellEnd > end) continue;
    const TermId wide =
        terms.operation(Operation::ZExt, cell.value, kNoTerm, bits(bytes), bits(cell.bytes));
    const TermId there = terms.operation(
        Operation::Shl, wide, terms.number(8 * (begin - at.offset)), bits(bytes), bits(bytes));
    whole = whole == kNoTerm
                ? there
                : terms.operation(Operation::Or, whole, there, bits(bytes), bits(bytes));
    filled = cellEnd;
  }
  return filled == end ? whole : kNoTerm;
}

/// A byte of a text whose length is a number: its end, or none of the zeros. kNoTerm: it is of no
/// such text.
TermId FunctionMemory::byteOfText(HeapState &state, const Address &at, StatementId reader) {
  if (isInputBase(at.base)) return kNoTerm; // callers know it, too
  for (const Cell &cell : state.cellsOf(at.base)) {
    if (cell.bytes != 0 || cell.at.varying != at.varying || cell.at.offset > at.offset) continue;
    const auto length = state.constraints.numberOf(out_->terms, cell.value);
    const int64_t behind = at.offset - cell.at.offset;
    if (!length || behind > *length) continue;
    if (behind == *length) return Terms::kZero;
    const TermId byte = unknown(Origin::Read, reader, 1);
    state.constraints.assume(
        out_->terms, out_->terms.compare(Predicate::Unequal, false, byte, Terms::kZero, 8), reader,
        /*byAccess=*/true);
    state.keep(at, 1, byte, /*isInput=*/false);
    return byte;
  }
  return kNoTerm;
}

TermId FunctionMemory::read(HeapState &state, const Address &at, uint32_t bytes,
                            StatementId reader) {
  if (bytes == 0) {
    if (const auto literal = literalText(at))
      return out_->terms.number(static_cast<int64_t>(literal->size()));
  } else if (bytes == 1 && isEndOfLiteral(at)) {
    return Terms::kZero;
  }
  if (const Cell *cell = state.find(at, bytes)) return everHeld(at, bytes, cell->value);
  if (bytes == 0) {
    TermId length = kNoTerm;
    const bool isInput = isInputBase(at.base) && !state.isForgotten(at.base) &&
                         std::ranges::all_of(state.cellsOf(at.base), &Cell::isInput);
    if (isInput) length = contentOf(state, at, 0, reader);
    if (length == kNoTerm) length = unknown(Origin::Read, reader, 0);
    if (!out_->terms.numberOf(length)) state.keep(at, 0, length, isInput);
    return length;
  }
  if (const TermId part = partOf(state, at, bytes); part != kNoTerm) return part;
  if (bytes == 1)
    if (const TermId byte = byteOfText(state, at, reader); byte != kNoTerm) return byte;
  const TermId value = everHeld(at, bytes, contentOf(state, at, bytes, reader));
  // What the memory of callers holds is no write of this function, also where they cannot name it.
  const bool isInputCell = isInputBase(at.base) && !state.isForgotten(at.base) &&
                           !(state.areGlobalsForgotten && isGlobalWritten(at.base)) &&
                           std::ranges::find(state.zeroed, at.base) == state.zeroed.end();
  if (at.base != kNoTerm) state.keep(at, bytes, value, isInputCell);
  return value;
}

/// The function that the pointer holds on this path; kNone: it may be several.
FunctionId FunctionMemory::knownTarget(HeapState &state, const CallSite &site) {
  if (site.callee != kNone || site.target == kNone) return kNone;
  const TermId pointer = state.constraints.simplified(out_->terms, valueOf(state, site.target));
  const Object *object = variableOf(pointer);
  return object && object->kind == ObjectKind::Function ? object->function : kNone;
}

/// A lookup that may find nothing.
bool FunctionMemory::isLookup(TermId base) const {
  if (!out_->terms.isSymbol(base)) return false;
  const Symbol &symbol = out_->terms.symbolOf(base);
  if (symbol.origin != Origin::Result || symbol.statement == kNone) return false;
  const Statement &s = facts_.statements[symbol.statement];
  return s.kind == StatementKind::Call && view_.mayReturnNull(facts_.calls[s.extra]);
}

} // namespace fathom::statics::heap
