// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/UnsimplifiedTerm.h"

#include "expr/FloatFold.h"
#include "expr/NodeTable.h"
#include "support/HashMix.h"

#include <algorithm>
#include <cassert>

namespace fathom::expr {

namespace {

constexpr uint32_t kMaxHeight = 256; // of a term that is looked into: it takes so much stack

struct Shape {
  uint64_t hash;
  bool isConstant;
};

uint64_t wordShape(ExprPtr array, unsigned width) {
  return mixHash(mixHash(uint64_t(UnsimplifiedTerm::Form::Word), array->hash()), width);
}

class Shapes {
public:
  explicit Shapes(const Counters &counters) : counters_(counters) {}

  Shape of(UnsimplifiedPtr l) {
    const Shape constant{mixHash(1, l->width()), true};
    switch (l->form()) {
    case UnsimplifiedTerm::Form::Constant: return constant;
    case UnsimplifiedTerm::Form::Word:
      if (counters_.contains(l->leaf())) return constant;
      return {wordShape(l->leaf(), l->width()), false};
    case UnsimplifiedTerm::Form::Leaf:
      return {mixHash(uint64_t(UnsimplifiedTerm::Form::Leaf), l->leaf()->hash()), false};
    case UnsimplifiedTerm::Form::Operation: break;
    }
    Shape ops[3] = {};
    bool all = true;
    for (unsigned i = 0; i < l->numOps(); i++) {
      ops[i] = of(l->op(i));
      all &= ops[i].isConstant;
    }
    if (all) return constant;
    if (l->kind() == Kind::Add && ops[0].isConstant) return ops[1];
    if ((l->kind() == Kind::Add || l->kind() == Kind::Sub) && ops[1].isConstant) return ops[0];
    if (l->kind() == Kind::Read && ops[1].isConstant) // of a counter, where a word has an offset
      return {wordShape(l->op(0)->leaf(), 8), false};
    uint64_t h = mixHash(uint64_t(UnsimplifiedTerm::Form::Operation) << 32 |
                             uint64_t(l->kind()) << 16 | l->width(),
                         l->offset());
    for (unsigned i = 0; i < l->numOps(); i++) h = mixHash(h, ops[i].hash);
    return {h, false};
  }

private:
  const Counters &counters_;
};

} // namespace

bool UnsimplifiedTerm::operator==(const UnsimplifiedTerm &o) const {
  return form_ == o.form_ && kind_ == o.kind_ && width_ == o.width_ && value_ == o.value_ &&
         leaf_ == o.leaf_ && std::ranges::equal(ops_, o.ops_);
}

size_t UnsimplifiedTerms::Hash::operator()(const std::unique_ptr<const UnsimplifiedTerm> &l) const {
  uint64_t h = mixHash(uint64_t(l->form_) << 32 | uint64_t(l->kind_) << 16 | l->width_, l->value_);
  h = mixHash(h, reinterpret_cast<uintptr_t>(l->leaf_));
  for (UnsimplifiedPtr op : l->ops_) h = mixHash(h, reinterpret_cast<uintptr_t>(op));
  return h;
}

UnsimplifiedPtr UnsimplifiedTerms::intern(const UnsimplifiedTerm &l) {
  return all_.insert(std::make_unique<const UnsimplifiedTerm>(l)).first->get();
}

UnsimplifiedPtr UnsimplifiedTerms::leaf(ExprPtr e) {
  UnsimplifiedTerm l;
  l.form_ = e->isConst() ? UnsimplifiedTerm::Form::Constant : UnsimplifiedTerm::Form::Leaf;
  l.width_ = static_cast<uint16_t>(e->width());
  l.leaf_ = e;
  return intern(l);
}

UnsimplifiedPtr UnsimplifiedTerms::word(ExprPtr array, uint64_t offset, unsigned bytes) {
  UnsimplifiedTerm l;
  l.form_ = UnsimplifiedTerm::Form::Word;
  l.width_ = static_cast<uint16_t>(8 * bytes);
  l.value_ = offset;
  l.leaf_ = array;
  return intern(l);
}

/// Null: it is too large.
UnsimplifiedPtr UnsimplifiedTerms::operation(Kind kind, unsigned width, uint64_t value,
                                             std::span<const UnsimplifiedPtr> operands) {
  UnsimplifiedTerm l;
  l.form_ = UnsimplifiedTerm::Form::Operation;
  l.kind_ = kind;
  l.width_ = static_cast<uint16_t>(width);
  l.value_ = value;
  for (UnsimplifiedPtr op : operands) {
    l.ops_[l.numOps_++] = op;
    l.size_ += op->size();
  }
  return l.size_ <= kMaxSize ? intern(l) : nullptr;
}

UnsimplifiedPtr UnsimplifiedTerms::of(ExprPtr e) {
  if (auto it = known_.find(e); it != known_.end()) return it->second;
  UnsimplifiedPtr l = structureOf(e);
  known_.emplace(e, l);
  return l;
}

UnsimplifiedPtr UnsimplifiedTerms::structureOf(ExprPtr e) {
  if (e->isConst() || e->isArray() || e->has(kHasForall) || e->height() > kMaxHeight)
    return leaf(e);
  if (e->kind() == Kind::Read && e->op(1)->isConst() && e->op(0)->kind() != Kind::Store)
    return word(e->op(0), e->op(1)->value(), 1);
  UnsimplifiedPtr ops[3] = {};
  ExprPtr terms[3] = {};
  for (unsigned i = 0; i < e->numOps(); i++) {
    ops[i] = of(e->op(i));
    terms[i] = e->op(i);
  }
  if (e->kind() == Kind::Concat && ops[0]->form() == UnsimplifiedTerm::Form::Word &&
      ops[1]->form() == UnsimplifiedTerm::Form::Word && ops[0]->leaf() == ops[1]->leaf() &&
      ops[0]->offset() == ops[1]->offset() + ops[1]->width() / 8) {
    UnsimplifiedPtr w = word(ops[0]->leaf(), ops[1]->offset(), e->width() / 8);
    if (instantiate(w) == e) return w;
  }
  const uint64_t value = e->kind() == Kind::Extract  ? e->offset()
                         : e->kind() == Kind::FRound ? static_cast<uint64_t>(e->rounding())
                                                     : 0;
  UnsimplifiedPtr l = operation(e->kind(), e->width(), value, {ops, e->numOps()});
  // The rules are local: a term that they would take further now stays whole.
  return l && context_.rebuild(e, {terms, e->numOps()}) == e ? l : leaf(e);
}

UnsimplifiedPtr UnsimplifiedTerms::negation(UnsimplifiedPtr l) {
  UnsimplifiedPtr n = operation(Kind::Not, l->width(), 0, {&l, 1});
  return n ? n : leaf(context_.bvNot(instantiate(l)));
}

UnsimplifiedPtr UnsimplifiedTerms::both(Kind kind, UnsimplifiedPtr a, UnsimplifiedPtr b) {
  UnsimplifiedPtr ops[] = {a, b}, l = operation(kind, 1, 0, ops);
  return l ? l : leaf(context_.binary(kind, instantiate(a), instantiate(b)));
}

void UnsimplifiedTerms::built(ExprPtr result, Kind kind, std::initializer_list<ExprPtr> operands,
                              uint64_t offset) {
  if (result->isConst()) return;
  // What the builder gave back as it was is still what it was.
  if (std::ranges::find(operands, result) != operands.end()) return;
  UnsimplifiedPtr ops[3] = {};
  unsigned n = 0;
  for (ExprPtr e : operands) ops[n++] = of(e);
  if (UnsimplifiedPtr l = operation(kind, result->width(), offset, {ops, n})) note(result, l);
}

void UnsimplifiedTerms::note(ExprPtr term, UnsimplifiedPtr built) {
  if (term->isConst()) return;
  UnsimplifiedPtr &known = known_[term];
  if (!known || !contains(built, known)) known = built;
}

bool UnsimplifiedTerms::contains(UnsimplifiedPtr l, UnsimplifiedPtr part) {
  if (l == part) return true;
  for (unsigned i = 0; i < l->numOps(); i++)
    if (l->op(i)->size() >= part->size() && contains(l->op(i), part)) return true;
  return false;
}

ExprPtr UnsimplifiedTerms::build(const UnsimplifiedTerm &l, std::span<const ExprPtr> ops) const {
  switch (l.kind()) {
  case Kind::Read: return context_.read(ops[0], ops[1]);
  case Kind::Extract: return context_.extract(ops[0], static_cast<unsigned>(l.offset()), l.width());
  case Kind::ZExt: return context_.zext(ops[0], l.width());
  case Kind::SExt: return context_.sext(ops[0], l.width());
  case Kind::Not: return context_.bvNot(ops[0]);
  case Kind::Ite: return context_.ite(ops[0], ops[1], ops[2]);
  default:
    if (isFloatKind(l.kind())) {
      const FloatOperation operation{l.kind(), static_cast<Rounding>(l.offset()), l.width(),
                                     ops[0]->width()};
      return context_.floatTerm(operation, ops[0], ops.size() > 1 ? ops[1] : nullptr,
                                ops.size() > 2 ? ops[2] : nullptr);
    }
    return context_.binary(l.kind(), ops[0], ops[1]);
  }
}

ExprPtr UnsimplifiedTerms::word(ExprPtr array, ExprPtr first, unsigned bytes) const {
  ExprPtr e = nullptr;
  for (unsigned i = 0; i < bytes; i++) {
    ExprPtr byte = context_.read(array, context_.add(first, context_.constant(i, 64)));
    e = e ? context_.concat(byte, e) : byte;
  }
  return e;
}

ExprPtr UnsimplifiedTerms::instantiate(UnsimplifiedPtr root,
                                       std::span<const ExprPtr> numbers) const {
  const bool given = !numbers.empty();
  size_t used = 0;
  auto next = [&] {
    assert(used < numbers.size() && "too few numbers");
    return numbers[used++];
  };
  std::unordered_map<UnsimplifiedPtr, ExprPtr> done; // with other numbers each use has its own
  auto walk = [&](auto &&self, UnsimplifiedPtr l) -> ExprPtr {
    switch (l->form()) {
    case UnsimplifiedTerm::Form::Constant: return given ? next() : l->leaf();
    case UnsimplifiedTerm::Form::Leaf: return l->leaf();
    case UnsimplifiedTerm::Form::Word:
      return word(l->leaf(), given ? next() : context_.constant(l->offset(), 64), l->width() / 8);
    case UnsimplifiedTerm::Form::Operation: break;
    }
    if (auto it = done.find(l); !given && it != done.end()) return it->second;
    ExprPtr ops[3] = {};
    for (unsigned i = 0; i < l->numOps(); i++) ops[i] = self(self, l->op(i));
    ExprPtr e = build(*l, {ops, l->numOps()});
    if (!given) done.emplace(l, e);
    return e;
  };
  ExprPtr e = walk(walk, root);
  assert(used == numbers.size() && "too many numbers");
  return e;
}

std::vector<ExprPtr> UnsimplifiedTerms::constantsOf(UnsimplifiedPtr root) const {
  std::vector<ExprPtr> out;
  auto walk = [&](auto &&self, UnsimplifiedPtr l) -> void {
    if (l->form() == UnsimplifiedTerm::Form::Constant) out.push_back(l->leaf());
    if (l->form() == UnsimplifiedTerm::Form::Word)
      out.push_back(context_.constant(l->offset(), 64));
    for (unsigned i = 0; i < l->numOps(); i++) self(self, l->op(i));
  };
  walk(walk, root);
  return out;
}

uint64_t UnsimplifiedTerms::shape(UnsimplifiedPtr l, const Counters &counters) {
  return Shapes(counters).of(l).hash;
}

bool UnsimplifiedTerms::isNumber(UnsimplifiedPtr l, const Counters &counters) {
  return Shapes(counters).of(l).isConstant;
}

void UnsimplifiedTerms::keep(UnsimplifiedPtr l, const Visit &visit) {
  if (!l || l->mark_) return;
  l->mark_ = true;
  if (l->leaf_) visit(l->leaf_);
  for (UnsimplifiedPtr op : l->ops_) keep(op, visit);
}

void UnsimplifiedTerms::keepKnown(const Visit &visit) {
  // An unsimplified term may need a term that has a note, too.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [term, l] : known_)
      if (!l->mark_ && NodeTable::isMarked(term)) {
        keep(l, visit);
        changed = true;
      }
  }
  std::erase_if(known_, [&](const auto &entry) { return !NodeTable::isMarked(entry.first); });
}

void UnsimplifiedTerms::sweep() {
  std::erase_if(all_, [](const auto &l) { return !l->mark_; });
  for (const auto &l : all_) l->mark_ = false;
}

} // namespace fathom::expr
