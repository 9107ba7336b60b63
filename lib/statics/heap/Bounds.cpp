// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses outside of their object. An index that varies is judged by what the branches of the path
// say of it: a comparison that lets it come to the end of the object, or past it, is a defect;
// where no branch bounds the index, nothing is known, and nothing is said.
#include "statics/heap/FunctionChecks.h"

#include <algorithm>

namespace fathom::statics::heap {

using evidence::BugKind;

namespace {

/// factor * of + offset, as if nothing overflowed; kNoTerm: the offset alone.
struct Linear {
  TermId of = kNoTerm;
  __int128 factor = 1, offset = 0;
};

/// The term as such, and what it is computed from, step by step.
std::vector<Linear> linearStepsOf(const Terms &terms, TermId term) {
  constexpr unsigned kMaxDepth = 8;
  std::vector<Linear> steps;
  Linear out{term};
  for (unsigned depth = 0; depth < kMaxDepth; depth++) {
    if (const auto n = terms.numberOf(out.of)) {
      out.offset += out.factor * *n;
      steps.push_back({kNoTerm, 1, out.offset});
      return steps;
    }
    steps.push_back(out);
    const Term &t = terms[out.of];
    if (t.kind != TermKind::Operation) break;
    const auto b = terms.numberOf(t.b);
    if (t.operation == Operation::Add && b)
      out.offset += out.factor * *b;
    else if (t.operation == Operation::Mul && b && *b > 0 && *b < INT32_MAX)
      out.factor *= *b;
    else if (t.operation == Operation::Shl && b && *b >= 0 && *b < 31)
      out.factor <<= *b;
    else if (t.operation != Operation::SExt && t.operation != Operation::ZExt)
      break;
    out.of = t.a;
  }
  return steps;
}

/// Of an object whose size is a number.
std::optional<OutOfBounds> outsideOf(const Terms &terms, const Constraints &constraints,
                                     const Check &check, int64_t size) {
  const Address &at = check.address;
  OutOfBounds out{.size = static_cast<uint64_t>(size), .bytes = check.bytes};
  Constraints::Bounds index{0, 0}, told{0, 0};
  if (at.varying != kNoTerm) {
    index = constraints.boundsOf(terms, at.varying);
    told = constraints.branchBoundsOf(terms, at.varying);
  }
  out.isUpTo = index.low != index.high;
  const bool isBoundAbove = told.high != INT64_MAX, isBoundBelow = told.low != INT64_MIN;
  // Without a bound above, it begins at the least index at least; without any, nowhere.
  const __int128 first = isBoundBelow ? __int128(at.offset) + index.low : 0;
  const __int128 last = isBoundAbove ? __int128(at.offset) + index.high : first;
  // A bound that is that far away is one of the type, or of what computes with it.
  constexpr int64_t kFar = int64_t(1) << 28;
  if (last > kFar || first < -kFar) return std::nullopt;
  if (last + check.bytes > size)
    out.offset = static_cast<int64_t>(last);
  else if (first < 0 && !check.isLast)
    out.offset = static_cast<int64_t>(first);
  else
    return std::nullopt;
  return out;
}

/// Of an object whose size is a term: where the access begins or ends at that term, too.
std::optional<OutOfBounds> behind(const Terms &terms, const Constraints &constraints,
                                  const Check &check, TermId bytes) {
  const Linear size = linearStepsOf(terms, bytes).back();
  const Address &at = check.address;
  if (size.of == kNoTerm || at.varying == kNoTerm) return std::nullopt;
  // At the largest index that a comparison with the size lets pass: of i + 1, say, or of i.
  std::optional<OutOfBounds> out;
  for (const Linear &index : linearStepsOf(terms, at.varying)) {
    if (index.of == kNoTerm || index.factor != size.factor) continue;
    __int128 most = index.offset + at.offset + check.bytes - size.offset;
    if (index.of != size.of) {
      const uint8_t orders = constraints.ordersOf(index.of, size.of);
      if (orders == kAnyOrder || orders & kGreater) continue;
      if (!(orders & kEqual)) most -= size.factor;
    }
    if (most <= 0 || most > INT32_MAX) return std::nullopt;
    if (out && most >= out->offset) continue;
    out = {.offset = static_cast<int64_t>(most),
           .isUpTo = index.of != size.of,
           .isBehind = true,
           .bytes = check.bytes};
  }
  return out;
}

} // namespace

/// \param call  where the access is in a callee: its call.
void FunctionChecks::checkBounds(HeapState &state, const Check &check, StatementId call) {
  const Terms &terms = out_->terms;
  const Address &at = check.address;
  if (check.bytes == 0) return;
  if (!terms.isInstance(at.base)) {
    if (isInputBase(at.base)) note(state, check);
    return;
  }
  const Instance &object = terms.instanceOf(at.base);
  if (object.kind == Instance::Kind::File || object.bytes == kNoTerm) return;
  const std::optional<int64_t> size = state.constraints.numberOf(terms, object.bytes);
  if (size && *size < 0) return;
  const std::optional<OutOfBounds> outside =
      size ? outsideOf(terms, state.constraints, check, *size)
           : behind(terms, state.constraints, check, object.bytes);
  if (!outside) {
    if (at.varying != kNoTerm && isInput(at.varying)) note(state, check);
    return;
  }
  Issue issue =
      issueAt(check.writes ? BugKind::OutOfBoundsWrite : BugKind::OutOfBoundsRead, check.at);
  setMadeBy(issue, object);
  issue.bounds = *outside;
  if (call != kNone) {
    if (issue.source != kNone) issue.steps.push_back({issue.sourceRole, issue.source});
    issue.steps.push_back({StepRole::Calls, call});
  }
  tell(state, std::move(issue));
}

/// Is the byte before the address one of a text from outside, and may it be the text's end? The
/// first byte of a text is not asked about: it is there if anything was read.
bool FunctionChecks::mayBeBehindText(HeapState &state, const Address &at) const {
  Terms &terms = out_->terms;
  const Cell *before = state.find({at.base, at.varying, at.offset - 1}, 1);
  if (!before || !terms.isSymbol(before->value) || !terms.isInstance(at.base)) return false;
  const auto isTextAround = [&](const Cell &cell) {
    if (cell.bytes != 0 || cell.at.varying != at.varying || cell.at.offset + 1 >= at.offset)
      return false;
    // Its length is not known, and no branch says that it comes to here.
    return terms.isSymbol(cell.value) && terms.symbolOf(cell.value).origin == Origin::Read &&
           state.constraints.boundsOf(terms, cell.value).low < at.offset - cell.at.offset;
  };
  return std::ranges::any_of(state.cellsOf(at.base), isTextAround) &&
         state.constraints.allows(terms, before->value, 0, 8);
}

/// What a loop's variable is in a later round that is not told apart from others: what it was
/// before the loop, and steps.
TermId FunctionChecks::afterSteps(const HeapState &state, TermId before, StatementId at,
                                  uint8_t bits, const std::optional<LoopSteps> &steps) {
  Terms &terms = out_->terms;
  Symbol what{.origin = Origin::Round, .statement = at};
  if (!steps || bits < 32) return terms.symbol(what); // narrow ones wrap around
  const auto begin = terms.numberOf(before);
  if (begin && steps->stride > 1 && steps->stride < INT32_MAX) {
    if (!steps->mayFall) what.low = 0;
    if (!steps->mayRise) what.high = 0;
    const TermId stride = terms.number(static_cast<int64_t>(steps->stride));
    return terms.operation(Operation::Add,
                           terms.operation(Operation::Mul, terms.symbol(what), stride, bits, bits),
                           terms.number(*begin), bits, bits);
  }
  const Constraints::Bounds bounds = state.constraints.boundsOf(terms, before);
  if (!steps->mayFall) what.low = bounds.low;
  if (!steps->mayRise) what.high = bounds.high;
  return terms.symbol(what);
}

/// A pointer that moves in its object stays in it, somewhere. False: it does not.
bool FunctionChecks::staysInObject(HeapState &state, TermId before, TermId &value, StatementId at,
                                   const std::optional<LoopSteps> &steps) {
  Terms &terms = out_->terms;
  const Address now = terms.addressOf(value), first = terms.addressOf(before);
  if (first.base != now.base) return false;
  const bool isCounted = steps && first.varying == kNoTerm;
  const Address offset = terms.addressOf(
      afterSteps(state, terms.number(first.offset), at, 64, isCounted ? steps : std::nullopt));
  if (mayBeBehindText(state, now)) state.behindText.push_back(offset.base);
  value = terms.ofAddress({now.base, offset.base, offset.offset});
  return true;
}

/// A byte is read.
void FunctionChecks::checkText(HeapState &state, StatementId id, const Address &at) {
  const auto behind = std::ranges::find(state.behindText, at.varying);
  const bool isNext = at.varying != kNoTerm && at.offset == 0 && behind != state.behindText.end();
  if (isNext) state.behindText.erase(behind);
  if (!isNext && !mayBeBehindText(state, at)) return;
  Issue issue = issueAt(BugKind::OutOfBoundsRead, id);
  setMadeBy(issue, out_->terms.instanceOf(at.base));
  issue.bounds = {.offset = at.offset, .isBehindText = true, .bytes = 1};
  tell(state, std::move(issue));
}

} // namespace fathom::statics::heap
