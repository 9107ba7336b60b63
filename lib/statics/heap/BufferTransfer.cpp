// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of library functions that read and write ranges of bytes: memcpy, strcpy, read and their
// like. The length of a text is a cell of no bytes at the place where the text begins.
#include "statics/heap/FunctionBuffers.h"

#include <algorithm>

namespace fathom::statics::heap {

/// Of the text that the pointer points to.
TermId FunctionBuffers::textLength(HeapState &state, TermId pointer, StatementId id) {
  Terms &terms = out_->terms;
  return read(state, terms.addressOf(state.constraints.simplified(terms, pointer)), 0, id);
}

/// A use of so many bytes from its address on, of which there is one at least.
void FunctionBuffers::checkRange(HeapState &state, Check use, TermId bytes, StatementId call) {
  Terms &terms = out_->terms;
  if (const auto number = state.constraints.numberOf(terms, bytes)) {
    use.bytes = static_cast<uint32_t>(*number);
    if (*number > 0 && *number < UINT32_MAX) checkBounds(state, use, call);
    return;
  }
  // Its last byte says whether it fits.
  const Address size = terms.addressOf(bytes);
  const TermId varies = terms.ofAddress({size.base, size.varying, 0});
  Address &at = use.address;
  at.varying =
      at.varying == kNoTerm ? varies : terms.operation(Operation::Add, at.varying, varies, 64, 64);
  at.offset += size.offset - 1;
  use.bytes = 1;
  use.isLast = true;
  checkBounds(state, use, call);
}

/// A text is read to its end. Where its length is that of a caller, the caller is asked how long it
/// is; where it is not known, callers do not know more.
void FunctionBuffers::checkTextRead(HeapState &state, StatementId at, TermId text,
                                    StatementId call) {
  Terms &terms = out_->terms;
  text = state.constraints.simplified(terms, text);
  const Address address = terms.addressOf(text);
  if (terms.numberOf(address.base)) return;
  const TermId length = textLength(state, text, call == kNone ? at : call);
  const bool isOfCaller = isInput(length);
  if (isInputBase(address.base) && !isOfCaller && !state.constraints.numberOf(terms, length))
    return;
  checkRange(state, {.at = at, .address = address, .text = isOfCaller ? text : kNoTerm},
             terms.sum(length, 1), call);
}

/// Checks what the call uses. \returns  what is known of its text afterwards, by what is there
/// before.
FunctionBuffers::BufferEffect FunctionBuffers::useBuffers(HeapState &state, StatementId id,
                                                          const BufferCall &call) {
  Terms &terms = out_->terms;
  const auto operands = facts_.operandsOf(facts_.statements[id]);
  const auto argument = [&](int8_t i) {
    return static_cast<size_t>(i) < operands.size()
               ? state.constraints.simplified(terms,
                                              valueOf(state, operands[static_cast<size_t>(i)]))
               : kNoTerm;
  };
  const auto wide = [&](int8_t i) {
    const TermId value = argument(i);
    if (value == kNoTerm) return kNoTerm;
    const uint8_t bits = facts_.values[operands[static_cast<size_t>(i)]].bits;
    return bits == 0 || bits == 64 ? value
                                   : terms.operation(Operation::SExt, value, kNoTerm, 64, bits);
  };
  BufferEffect out;
  if (call.lengthOf >= 0 && argument(call.lengthOf) != kNoTerm)
    out.length = textLength(state, argument(call.lengthOf), id);
  if (call.textFrom >= 0 && argument(call.textFrom) != kNoTerm)
    out.text = textLength(state, argument(call.textFrom), id);
  if (call.after == TextAfter::Appended && argument(call.text) != kNoTerm)
    out.text = terms.operation(Operation::Add, textLength(state, argument(call.text), id), out.text,
                               64, 64);
  if (call.countOf >= 0) out.most = wide(call.countOf);
  if (call.mostTextOf >= 0 && argument(call.mostTextOf) != kNoTerm)
    out.mostText = textLength(state, argument(call.mostTextOf), id);
  if (call.failsByTime && argument(0) != kNoTerm) out.isToday = isToday(state, argument(0), id);
  for (const BufferUse &use : call.uses) {
    if (use.argument < 0 || argument(use.argument) == kNoTerm) continue;
    TermId bytes = kNoTerm;
    if (use.textAt >= 0)
      bytes = terms.sum(textLength(state, argument(use.textAt), id), 1);
    else if (use.bytesAt >= 0)
      bytes = wide(use.bytesAt);
    if (use.timesAt >= 0 && bytes != kNoTerm && wide(use.timesAt) != kNoTerm)
      bytes = terms.operation(Operation::Mul, bytes, wide(use.timesAt), 64, 64);
    if (bytes == kNoTerm) continue;
    Address at = terms.addressOf(argument(use.argument));
    if (terms.numberOf(at.base)) continue;
    if (use.isBehindText) {
      const TermId before = textLength(state, argument(use.argument), id);
      at = terms.addressOf(terms.operation(Operation::Add, argument(use.argument), before, 64, 64));
    }
    if (use.textAt == use.argument && use.timesAt < 0 && !use.isBehindText && !use.writes)
      checkTextRead(state, id, argument(use.argument));
    else
      checkRange(state, {.at = id, .address = at, .writes = use.writes}, bytes);
  }
  return out;
}

/// After the call has done to memory what it does.
void FunctionBuffers::applyBuffers(HeapState &state, StatementId id, const BufferCall &call,
                                   const BufferEffect &effect) {
  Terms &terms = out_->terms;
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  const auto assumeBetween = [&](TermId term, std::optional<int64_t> low, TermId most,
                                 uint8_t bits) {
    const auto assume = [&](Predicate predicate, TermId other) {
      state.constraints.assume(terms, terms.compare(predicate, true, term, other, bits), id,
                               /*byAccess=*/true);
    };
    if (low) assume(Predicate::GreaterEqual, terms.number(*low));
    if (most != kNoTerm) assume(Predicate::LessEqual, most);
  };
  if (s.result != kNone && call.lengthOf >= 0 && effect.length != kNoTerm)
    set(state, s.result, effect.length);
  if (s.result != kNone && call.countOf >= 0 && effect.most != kNoTerm &&
      facts_.values[s.result].bits != 0)
    assumeBetween(valueOf(state, s.result), call.countFails ? -1 : 0, effect.most,
                  facts_.values[s.result].bits);
  if (s.result != kNone && effect.mostText != kNoTerm && facts_.values[s.result].bits == 64)
    assumeBetween(valueOf(state, s.result), std::nullopt, effect.mostText, 64);
  if (call.after == TextAfter::Nothing) return;
  TermId text = kNoTerm;
  if (call.text == BufferCall::kResult)
    text = s.result == kNone ? kNoTerm : valueOf(state, s.result);
  else if (static_cast<size_t>(call.text) < operands.size())
    text = valueOf(state, operands[static_cast<size_t>(call.text)]);
  if (text == kNoTerm) return;
  const Address at = terms.addressOf(state.constraints.simplified(terms, text));
  if (terms.numberOf(at.base)) return;
  TermId length = effect.text;
  if (call.after == TextAfter::Outside) {
    length = unknown(Origin::Read, id, 0);
  }
  if (length != kNoTerm) state.write(terms, at, 0, length);
}

void FunctionBuffers::copy(HeapState &state, StatementId id, const Summary &summary) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  Terms &terms = out_->terms;
  const auto addressAt = [&](int i) {
    return terms.addressOf(
        state.constraints.simplified(terms, valueOf(state, operands[static_cast<size_t>(i)])));
  };
  const Address to = addressAt(summary.to), from = addressAt(summary.from);
  TermId amount = kNoTerm;
  if (const uint64_t known = facts_.calls[s.extra].copiedBytes)
    amount = terms.number(static_cast<int64_t>(known));
  else if (summary.lengthAt > 0 && static_cast<size_t>(summary.lengthAt) < operands.size())
    amount = state.constraints.simplified(
        terms, valueOf(state, operands[static_cast<size_t>(summary.lengthAt)]));
  const std::optional<int64_t> bytes =
      amount == kNoTerm ? std::nullopt : state.constraints.numberOf(terms, amount);
  // A text that is copied with its end is as long as it was.
  TermId length = kNoTerm;
  if (const auto literal = literalText(from))
    length = terms.number(static_cast<int64_t>(literal->size()));
  else if (const Cell *text = state.find(from, 0))
    length = state.constraints.simplified(terms, text->value);
  const auto whole = length == kNoTerm ? std::nullopt : state.constraints.numberOf(terms, length);
  const bool isWhole =
      length != kNoTerm && (bytes && whole ? *bytes > *whole : amount == terms.sum(length, 1));
  if (!bytes || isInputBase(from.base)) state.spread(terms, from.base, isInputBase(from.base));
  if (!bytes) {
    state.forget(terms, to.base, /*escapes=*/false);
    if (isWhole) state.write(terms, to, 0, length);
    return;
  }
  if (*bytes <= 0) return;
  std::vector<Cell> copied;
  for (const Cell &cell : state.cellsOf(from.base))
    if (cell.bytes > 0 && cell.at.varying == from.varying && cell.at.offset >= from.offset &&
        cell.at.offset + int64_t(cell.bytes) <= from.offset + *bytes)
      copied.push_back(cell);
  // What no cell tells of the source is not known in the destination.
  state.addForgotten(to.base);
  std::erase(state.zeroed, to.base);
  state.clear(terms, to, static_cast<uint64_t>(*bytes));
  for (const Cell &cell : copied)
    state.write(terms, {to.base, to.varying, to.offset + cell.at.offset - from.offset}, cell.bytes,
                cell.value);
  if (isWhole) state.write(terms, to, 0, length);
}

/// memset
void FunctionBuffers::fill(HeapState &state, StatementId id) {
  const auto operands = facts_.operandsOf(facts_.statements[id]);
  Terms &terms = out_->terms;
  if (operands.size() < 3) return;
  const auto simple = [&](uint32_t i) {
    return state.constraints.simplified(terms, valueOf(state, operands[i]));
  };
  const Address to = terms.addressOf(simple(0));
  const auto byte = terms.numberOf(simple(1)), bytes = terms.numberOf(simple(2));
  std::optional<int64_t> size;
  if (terms.isInstance(to.base) && terms.instanceOf(to.base).bytes != kNoTerm)
    size = state.constraints.numberOf(terms, terms.instanceOf(to.base).bytes);
  const bool isWhole =
      to.offset == 0 && to.varying == kNoTerm && (!size || !bytes || *bytes >= *size);
  state.forget(terms, to.base, /*escapes=*/false);
  if (isWhole && byte && *byte == 0) {
    state.zeroed.push_back(to.base);
    std::erase(state.forgotten, to.base);
    std::erase(state.mixed, to.base);
  }
}

} // namespace fathom::statics::heap
