// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What results of library functions say of their arguments, and the other way round.
#include "statics/front/FormatLength.h"
#include "statics/heap/FunctionBuffers.h"

#include <algorithm>
#include <set>

namespace fathom::statics::heap {

void FunctionBuffers::splitByCall(std::vector<HeapState> &after, size_t i, StatementId id,
                                  const LibraryFunction &known, const BufferEffect &effect) {
  const Statement &s = facts_.statements[id];
  const BufferCall &call = known.buffer;
  if (call.isTime) tellTime(after[i], id);
  if (s.result == kNone || s.numOperands == 0) return;
  if (call.isReturnedOrNull) returnOrFail(after, i, id);
  if (call.isFalseAtZero) splitByResult(after, i, id);
  if (call.findsCharacter && !learnCharacter(after[i], id)) splitByCharacter(after, i, id);
  if (known.format.returnsLength()) limitByFormat(after[i], id, known.format.at);
  // The year of today fits into an int.
  if (effect.isToday)
    after[i].constraints.assume(out_->terms,
                                out_->terms.compare(Predicate::Unequal, false,
                                                    valueOf(after[i], s.result), Terms::kZero, 64),
                                id, /*byAccess=*/true);
}

/// Of strchr and its like: is the character known to be in the text, or not, by the text's first
/// byte, or by another one of them? False: it is not known.
bool FunctionBuffers::learnCharacter(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  Terms &terms = out_->terms;
  const auto operands = facts_.operandsOf(s);
  if (operands.size() < 2) return false;
  const TermId text = state.constraints.simplified(terms, valueOf(state, operands[0]));
  const TermId wanted = state.constraints.simplified(terms, valueOf(state, operands[1]));
  const TermId result = valueOf(state, s.result);
  const auto assumeFound = [&] {
    return state.constraints.assume(
        terms, terms.compare(Predicate::Unequal, false, result, Terms::kZero, 64), id,
        /*byAccess=*/true);
  };
  if (const auto character = terms.numberOf(wanted))
    if (const Cell *first = state.find(terms.addressOf(text), 1))
      if (const auto byte = state.constraints.numberOf(terms, first->value);
          byte && *character != 0 && signExtended(*byte, 8) == signExtended(*character, 8))
        return assumeFound();
  for (const PureCall &call : state.pure.calls()) {
    const LibraryFunction *known = facts_.functions[call.callee].known;
    if (!known || !known->buffer.findsCharacter || call.arguments != std::vector{text, wanted})
      continue;
    if (state.constraints.isNotNull(terms, call.result)) return assumeFound();
    if (!state.constraints.isNull(terms, call.result)) continue;
    set(state, s.result, terms.null(id));
    return true;
  }
  return false;
}

/// Of a call that returns its first argument, or null: the latter is a way of its own.
void FunctionBuffers::returnOrFail(std::vector<HeapState> &after, size_t i, StatementId id) {
  const Statement &s = facts_.statements[id];
  Terms &terms = out_->terms;
  HeapState failed = after[i];
  const TermId result = valueOf(failed, s.result);
  if (failed.constraints.assume(
          terms, terms.compare(Predicate::Equal, false, result, Terms::kZero, 64), id))
    after.push_back(std::move(failed));
  const TermId buffer = valueOf(after[i], facts_.operandsOf(s)[0]);
  after[i].constraints.assume(terms,
                              terms.compare(Predicate::Unequal, false, buffer, Terms::kZero, 64),
                              id, /*byAccess=*/true);
  set(after[i], s.result, buffer);
}

/// Of a call whose result is 0 where its argument is: each side is a way of its own.
void FunctionBuffers::splitByResult(std::vector<HeapState> &after, size_t i, StatementId id) {
  const Statement &s = facts_.statements[id];
  Terms &terms = out_->terms;
  const ValueId argument = facts_.operandsOf(s)[0];
  const auto assume = [&](HeapState &state, Predicate predicate, ValueId value) {
    const uint8_t bits = facts_.values[value].bits ? facts_.values[value].bits : uint8_t(32);
    return state.constraints.assume(
        terms, terms.compare(predicate, false, valueOf(state, value), Terms::kZero, bits), id,
        /*byAccess=*/true);
  };
  HeapState isNot = after[i];
  if (!assume(after[i], Predicate::Unequal, s.result) ||
      !assume(after[i], Predicate::Unequal, argument)) {
    after[i] = std::move(isNot);
    return;
  }
  if (assume(isNot, Predicate::Equal, s.result)) after.push_back(std::move(isNot));
}

/// The text, if it is a constant.
std::optional<std::string> FunctionBuffers::literalAt(HeapState &state, ValueId pointer) {
  Terms &terms = out_->terms;
  return literalText(terms.addressOf(state.constraints.simplified(terms, valueOf(state, pointer))));
}

/// Of strchr and its like: that it finds nothing is a way of its own. What it finds is one of the
/// characters of the text; the end of the text is one of them.
void FunctionBuffers::splitByCharacter(std::vector<HeapState> &after, size_t i, StatementId id) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  if (operands.size() < 2) return;
  Terms &terms = out_->terms;
  const TermId wanted = after[i].constraints.simplified(terms, valueOf(after[i], operands[1]));
  const TermId result = valueOf(after[i], s.result);
  const std::optional<std::string> literal = literalAt(after[i], operands[0]);
  const auto assume = [&](HeapState &state, Predicate predicate, TermId term, int64_t number,
                          uint8_t bits) {
    return state.constraints.assume(
        terms, terms.compare(predicate, true, term, terms.number(number), bits), id,
        /*byAccess=*/true);
  };
  if (const auto number = terms.numberOf(wanted)) {
    const char character = static_cast<char>(*number);
    const bool isThere = !character || (literal && literal->find(character) != std::string::npos);
    if (isThere || literal)
      assume(after[i], isThere ? Predicate::Unequal : Predicate::Equal, result, 0, 64);
    return;
  }
  constexpr size_t kMaxCharacters = 64;
  if (!literal || literal->size() > kMaxCharacters) return;
  std::set<int64_t> characters{0};
  for (const char character : *literal) characters.insert(character);
  HeapState none = after[i];
  const bool isNone = assume(none, Predicate::Equal, result, 0, 64) &&
                      std::ranges::all_of(characters, [&](int64_t character) {
                        return assume(none, Predicate::Unequal, wanted, character, 32);
                      });
  HeapState found = after[i];
  const bool isFound = assume(found, Predicate::Unequal, result, 0, 64) &&
                       assume(found, Predicate::GreaterEqual, wanted, *characters.begin(), 32) &&
                       assume(found, Predicate::LessEqual, wanted, *characters.rbegin(), 32);
  if (isNone) set(none, s.result, terms.null(id));
  if (isFound) after[i] = std::move(found);
  if (isFound && isNone)
    after.push_back(std::move(none));
  else if (isNone)
    after[i] = std::move(none);
}

/// The result is 0. If strcmp or strncmp returned it, and one of the texts is a constant, the other
/// one has its bytes, and its length. False: it cannot.
bool FunctionBuffers::learnEqualText(HeapState &state, TermId result, StatementId id) {
  Terms &terms = out_->terms;
  // Nothing has been written since, or the call would be forgotten.
  const auto made = std::ranges::find(state.pure.calls(), result, &PureCall::result);
  if (made == state.pure.calls().end()) return true;
  const PureCall call = *made;
  const LibraryFunction *known = facts_.functions[call.callee].known;
  if (!known || known->buffer.compares == Compares::Nothing) return true;
  const bool areWhole = known->buffer.compares == Compares::Texts;
  const auto assume = [&](Predicate predicate, TermId term, int64_t number, uint8_t bits) {
    return state.constraints.assume(
        terms, terms.compare(predicate, true, term, terms.number(number), bits), id,
        /*byAccess=*/true);
  };
  for (const size_t mine : {0, 1}) {
    const auto literal = literalText(terms.addressOf(call.arguments[1 - mine]));
    const Address at = terms.addressOf(call.arguments[mine]);
    if (!literal || terms.numberOf(at.base)) continue;
    const auto length = static_cast<int64_t>(literal->size());
    const auto most = areWhole ? length + 1 : terms.numberOf(call.arguments[2]).value_or(0);
    if (const auto other = literalText(at)) {
      const auto part = static_cast<size_t>(most);
      return other->substr(0, part) == literal->substr(0, part);
    }
    const int64_t equal = std::min(length, most);
    constexpr int64_t kMaxBytes = 4; // of which more is learnt than how many there are
    for (int64_t i = 0; i < std::min(equal, kMaxBytes); i++)
      if (!assume(Predicate::Equal, read(state, {at.base, at.varying, at.offset + i}, 1, id),
                  (*literal)[static_cast<size_t>(i)], 8))
        return false;
    // Bytes that begin like the literal need not be a text.
    if (most <= length && !isInputBase(at.base) && !state.find(at, 0)) continue;
    if (!assume(most > length ? Predicate::Equal : Predicate::GreaterEqual, read(state, at, 0, id),
                equal, 64))
      return false;
  }
  return true;
}

/// printf and its like return how many characters they wrote, or would have.
void FunctionBuffers::limitByFormat(HeapState &state, StatementId id, int8_t formatAt) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  if (static_cast<size_t>(formatAt) >= operands.size()) return;
  const auto format = literalAt(state, operands[static_cast<size_t>(formatAt)]);
  const auto length = format ? outputLength(*format) : std::nullopt;
  if (!length) return;
  Terms &terms = out_->terms;
  const auto assume = [&](Predicate predicate, int64_t number) {
    state.constraints.assume(
        terms, terms.compare(predicate, true, valueOf(state, s.result), terms.number(number), 32),
        id,
        /*byAccess=*/true);
  };
  assume(Predicate::GreaterEqual, length->least);
  assume(Predicate::LessEqual, length->most);
}

/// time stores what it returns.
void FunctionBuffers::tellTime(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  if (operands.empty()) return;
  Terms &terms = out_->terms;
  const TermId at = state.constraints.simplified(terms, valueOf(state, operands[0]));
  if (terms.numberOf(at)) return;
  const TermId now = s.result == kNone ? unknown(Origin::Result, id) : valueOf(state, s.result);
  state.write(terms, terms.addressOf(at), 8, now);
}

/// Is the time that the pointer points to the one that time told?
bool FunctionBuffers::isToday(HeapState &state, TermId pointer, StatementId id) {
  const Terms &terms = out_->terms;
  const Address at = terms.addressOf(state.constraints.simplified(out_->terms, pointer));
  if (terms.numberOf(at.base)) return false;
  const TermId seconds = read(state, at, 8, id);
  if (!terms.isSymbol(seconds)) return false;
  const Symbol &symbol = terms.symbolOf(seconds);
  if (symbol.origin == Origin::Read) return true; // a clock or a file system wrote it
  if (symbol.origin != Origin::Result || symbol.statement == kNone) return false;
  const Statement &by = facts_.statements[symbol.statement];
  const LibraryFunction *known =
      by.kind == StatementKind::Call ? view_.onlyKnownOf(facts_.calls[by.extra]) : nullptr;
  return known && known->buffer.isTime;
}

} // namespace fathom::statics::heap
