// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/TermTemplate.h"

#include "expr/Fold.h"

#include <algorithm>
#include <bit>

namespace fathom::patterns {

using expr::ExprContext;
using expr::ExprPtr;
using expr::Kind;
using expr::UnsimplifiedPtr;
using expr::UnsimplifiedTerm;
using expr::UnsimplifiedTerms;

namespace {

/// a with a * dx = dy in `width` bits; nullopt: there is none. Where several are, the one that
/// divides exactly as signed numbers, which is what a program counts by.
std::optional<uint64_t> slopeOf(uint64_t dx, uint64_t dy, unsigned width) {
  const uint64_t mask = expr::lowMask(width);
  const int64_t difference = expr::signedValue(dy & mask, width);
  if (dx <= uint64_t(1) << 62 && difference % static_cast<int64_t>(dx) == 0)
    return static_cast<uint64_t>(difference / static_cast<int64_t>(dx)) & mask;
  const int twos = std::countr_zero(dx);
  if (twos && (dy & expr::lowMask(static_cast<unsigned>(twos)))) return std::nullopt;
  // dx = odd * 2^twos: the inverse of the odd part, by Newton's iteration.
  const uint64_t odd = dx >> twos;
  uint64_t inverse = odd;
  for (int i = 0; i < 6; i++) inverse *= 2 - odd * inverse;
  return ((dy & mask) >> twos) * inverse & mask;
}

} // namespace

class TermTemplate::Generaliser {
public:
  Generaliser(UnsimplifiedTerms &unsimplified, ExprContext &context, const expr::Counters &counters,
              std::span<const uint64_t> xs)
      : unsimplified_(unsimplified), context_(context), counters_(counters), xs_(xs) {}

  using Each = std::vector<UnsimplifiedPtr>;

  std::optional<TermTemplate> of(const Each &each) {
    TermTemplate t;
    if (std::ranges::all_of(each, [&](UnsimplifiedPtr l) { return l == each[0]; })) {
      t.term_ = unsimplified_.instantiate(each[0]);
      return t;
    }
    if (std::ranges::all_of(
            each, [&](UnsimplifiedPtr l) { return UnsimplifiedTerms::isNumber(l, counters_); })) {
      std::vector<ExprPtr> numbers;
      for (UnsimplifiedPtr l : each) numbers.push_back(unsimplified_.instantiate(l));
      return linear(numbers);
    }
    if (std::ranges::all_of(each, [&](UnsimplifiedPtr l) { return isWord(l); })) return word(each);
    if (std::ranges::any_of(each, [&](UnsimplifiedPtr l) { return hasOffset(l); }))
      return sum(each);
    return operation(each);
  }

private:
  static bool fits(ExprPtr a, ExprPtr b) { return a->width() == b->width(); }

  std::optional<TermTemplate> linear(const std::vector<ExprPtr> &numbers) {
    const unsigned width = numbers[0]->width();
    if (width > 64 || !std::ranges::all_of(numbers, [&](ExprPtr e) { return fits(e, numbers[0]); }))
      return std::nullopt;
    TermTemplate t;
    t.form_ = Form::Linear;
    if (numbers.size() > 1) {
      // dy = a * dx determines a modulo 2^(width - tz(dx)), where tz counts trailing zeros. So of
      // all pairs with xs[0], the one with the smallest tz is taken.
      size_t other = 1;
      for (size_t l = 2; l < xs_.size(); l++)
        if (std::countr_zero(xs_[l] - xs_[0]) < std::countr_zero(xs_[other] - xs_[0])) other = l;
      ExprPtr difference = context_.sub(numbers[other], numbers[0]);
      if (!difference->isConst()) return std::nullopt;
      const bool up = xs_[other] > xs_[0];
      const uint64_t dx = up ? xs_[other] - xs_[0] : xs_[0] - xs_[other];
      const auto slope = slopeOf(dx, up ? difference->value() : 0 - difference->value(), width);
      if (!slope) return std::nullopt;
      t.slope_ = *slope;
    }
    t.term_ = context_.sub(numbers[0], context_.constant(t.slope_ * xs_[0], width));
    for (size_t l = 0; l < numbers.size(); l++)
      if (context_.add(t.term_, context_.constant(t.slope_ * xs_[l], width)) != numbers[l])
        return std::nullopt;
    if (!t.slope_) t.form_ = Form::Fixed;
    return t;
  }

  // --- words: also a byte at an index that is a number
  bool isByteRead(UnsimplifiedPtr l) const {
    return l->form() == UnsimplifiedTerm::Form::Operation && l->kind() == Kind::Read &&
           l->op(0)->form() == UnsimplifiedTerm::Form::Leaf &&
           UnsimplifiedTerms::isNumber(l->op(1), counters_);
  }
  bool isWord(UnsimplifiedPtr l) const {
    return l->form() == UnsimplifiedTerm::Form::Word || isByteRead(l);
  }

  std::optional<TermTemplate> word(const Each &each) {
    auto arrayOf = [](UnsimplifiedPtr l) {
      return l->form() == UnsimplifiedTerm::Form::Word ? l->leaf() : l->op(0)->leaf();
    };
    std::vector<ExprPtr> offsets;
    for (UnsimplifiedPtr l : each) {
      if (arrayOf(l) != arrayOf(each[0]) || l->width() != each[0]->width()) return std::nullopt;
      offsets.push_back(l->form() == UnsimplifiedTerm::Form::Word
                            ? context_.constant(l->offset(), 64)
                            : unsimplified_.instantiate(l->op(1)));
    }
    std::optional<TermTemplate> offset = linear(offsets);
    if (!offset) return std::nullopt;
    TermTemplate t;
    t.form_ = Form::ByteRange;
    t.term_ = arrayOf(each[0]);
    t.built_ = each[0];
    t.parts_.push_back(std::move(*offset));
    return t;
  }

  // --- sums with a number
  bool isSum(UnsimplifiedPtr l) const {
    return l->form() == UnsimplifiedTerm::Form::Operation &&
           (l->kind() == Kind::Add || l->kind() == Kind::Sub);
  }
  bool hasOffset(UnsimplifiedPtr l) const {
    return isSum(l) &&
           (UnsimplifiedTerms::isNumber(l->op(1), counters_) ||
            (l->kind() == Kind::Add && UnsimplifiedTerms::isNumber(l->op(0), counters_)));
  }
  /// The term as x + c.
  std::pair<UnsimplifiedPtr, ExprPtr> takeApart(UnsimplifiedPtr l) {
    if (!hasOffset(l)) return {l, context_.constant(0, l->width())};
    const bool second = UnsimplifiedTerms::isNumber(l->op(1), counters_);
    ExprPtr number = unsimplified_.instantiate(l->op(second ? 1 : 0));
    if (l->kind() == Kind::Sub) number = context_.neg(number);
    return {l->op(second ? 0 : 1), number};
  }
  std::optional<TermTemplate> sum(const Each &each) {
    Each bases;
    std::vector<ExprPtr> numbers;
    for (UnsimplifiedPtr l : each) {
      if (l->width() != each[0]->width() || l->width() > 64) return std::nullopt;
      auto [base, number] = takeApart(l);
      bases.push_back(base);
      numbers.push_back(number);
    }
    std::optional<TermTemplate> base = of(bases), number = linear(numbers);
    if (!base || !number) return std::nullopt;
    // Only this term's operation is used.
    auto isAdd = [&](UnsimplifiedPtr l) { return hasOffset(l) && l->kind() == Kind::Add; };
    auto like = std::ranges::find_if(each, isAdd);
    if (like == each.end()) return std::nullopt;
    TermTemplate t;
    t.form_ = Form::Operation;
    t.built_ = *like;
    t.parts_.push_back(std::move(*base));
    t.parts_.push_back(std::move(*number));
    return t;
  }

  std::optional<TermTemplate> operation(const Each &each) {
    UnsimplifiedPtr first = each[0];
    TermTemplate t;
    t.form_ = Form::Operation;
    t.built_ = first;
    for (UnsimplifiedPtr l : each)
      if (l->form() != UnsimplifiedTerm::Form::Operation || l->kind() != first->kind() ||
          l->width() != first->width() || l->offset() != first->offset() ||
          l->numOps() != first->numOps())
        return std::nullopt;
    for (unsigned i = 0; i < first->numOps(); i++) {
      Each operands;
      for (UnsimplifiedPtr l : each) operands.push_back(l->op(i));
      std::optional<TermTemplate> part = of(operands);
      if (!part) return std::nullopt;
      t.parts_.push_back(std::move(*part));
    }
    return t;
  }

  UnsimplifiedTerms &unsimplified_;
  ExprContext &context_;
  const expr::Counters &counters_;
  std::span<const uint64_t> xs_;
};

std::optional<TermTemplate> TermTemplate::generalise(UnsimplifiedTerms &unsimplified,
                                                     ExprContext &context,
                                                     const expr::Counters &counters,
                                                     std::span<const UnsimplifiedPtr> each,
                                                     std::span<const uint64_t> xs) {
  std::optional<TermTemplate> t =
      Generaliser(unsimplified, context, counters, xs).of({each.begin(), each.end()});
  if (!t) return t;
  for (size_t l = 0; l < each.size(); l++)
    if (t->at(unsimplified, context, context.constant(xs[l], 64)) !=
        unsimplified.instantiate(each[l]))
      return std::nullopt;
  return t;
}

ExprPtr TermTemplate::at(const UnsimplifiedTerms &unsimplified, ExprContext &context,
                         ExprPtr x) const {
  switch (form_) {
  case Form::Fixed: return term_;
  case Form::Linear: {
    const unsigned width = term_->width();
    ExprPtr steps = context.mul(context.trunc(x, width), context.constant(slope_, width));
    return context.add(steps, term_);
  }
  case Form::ByteRange:
    return unsimplified.word(term_, parts_[0].at(unsimplified, context, x), built_->width() / 8);
  case Form::Operation: break;
  }
  ExprPtr operands[3] = {};
  for (size_t i = 0; i < parts_.size(); i++) operands[i] = parts_[i].at(unsimplified, context, x);
  return unsimplified.rebuild(built_, {operands, parts_.size()});
}

bool TermTemplate::isFixed() const {
  if (form_ == Form::Linear) return false;
  return std::ranges::all_of(parts_, [](const TermTemplate &t) { return t.isFixed(); });
}

} // namespace fathom::patterns
