// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract state (State.h): assignments and the reduction of the product, conditions, memory
// that was never written, and the parts of a state that go into a call and come back.
#include "statics/abstract/State.h"

#include <algorithm>

namespace fathom::statics::abstract {

State::State(Domain &domain) : domain_(&domain) {
  if (domain.kind == DomainKind::Zones || domain.kind == DomainKind::Product)
    relations_.addDomain(makeZones());
  if (domain.kind == DomainKind::Octagons || domain.kind == DomainKind::Product)
    relations_.addDomain(makeOctagons());
}

State State::bottom(Domain &domain) {
  State out(domain);
  out.setBottom();
  return out;
}

void State::setBottom() {
  *this = State(*domain_);
  bottom_ = true;
}

// ---- variables ----------------------------------------------------------------------------------

Progression State::number(VarId var) const {
  const unsigned width = domain_->cells.widthOf(var);
  if (bottom_) return Progression::none(width);
  const Progression *known = numbers_.find(var);
  return known ? *known : Progression::top(width);
}

Progression State::number(const Operand &operand) const {
  return operand.isConstant() ? Progression::of(operand.width, operand.constant)
                              : number(operand.var);
}

Value State::value(const Operand &operand, bool isAddress) const {
  Value out{number(operand), {}};
  if (!isAddress) return out;
  if (operand.isConstant()) {
    out.bases = Bases{operand.constant == 0 ? kNull : kAbsolute};
  } else if (const Bases *known = bases(operand.var)) {
    out.bases = *known;
  }
  return out;
}

Range State::range(VarId var) const {
  const Progression p = number(var);
  if (p.isNone()) return {0, 0};
  return {p.min(true), p.max(true)};
}

void State::setNumber(VarId var, const Progression &number) {
  if (bottom_) return;
  forgetRelations(var);
  if (number.isNone()) return setBottom();
  if (number.isTop())
    numbers_.erase(var);
  else
    numbers_.set(var, number);
}

void State::setValue(VarId var, const Value &value) {
  setNumber(var, value.number);
  setBases(var, value.bases);
}

void State::meetNumber(VarId var, const Progression &with) {
  if (bottom_) return;
  const Progression old = number(var), met = old.meet(with);
  if (met.isNone()) return setBottom();
  if (met == old) return;
  numbers_.set(var, met);
  reduce(var);
}

void State::setBases(VarId var, std::optional<Bases> bases) {
  if (bottom_) return;
  if (bases && bases->empty()) return setBottom();
  if (!bases || bases->size() > domain_->mostBases)
    bases_.erase(var);
  else
    bases_.set(var, std::move(*bases));
}

void State::forget(VarId var) {
  if (bottom_) return;
  forgetRelations(var);
  numbers_.erase(var);
  bases_.erase(var);
}

void State::assignShifted(VarId dst, VarId src, int64_t offset, const Progression &result) {
  if (bottom_) return;
  if (result.isNone()) return setBottom();
  if (mayRelate(dst) && mayRelate(src)) {
    relations_.assign(dst, src, offset);
  } else {
    forgetRelations(dst);
  }
  if (result.isTop())
    numbers_.erase(dst);
  else
    numbers_.set(dst, result);
}

void State::copy(VarId dst, const Operand &src, bool isAddress) {
  if (bottom_) return;
  const Value v = value(src, isAddress);
  if (src.isConstant())
    setNumber(dst, v.number);
  else if (src.var != dst)
    assignShifted(dst, src.var, 0, v.number);
  setBases(dst, v.bases);
}

bool State::mayRelate(VarId var) const {
  const Cell *cell = domain_->cells.find(var);
  return !relations_.empty() && !(cell && cell->isWeak);
}

void State::forgetRelations(VarId var) {
  if (mayRelate(var)) relations_.forget(var);
}

void State::constrain(const PairBound &bound) {
  if (bottom_ || bound.x == bound.y || !mayRelate(bound.x) || !mayRelate(bound.y)) return;
  if (!relations_.constrain(bound, ranges())) return setBottom();
  reduce(bound.x);
  if (!bottom_) reduce(bound.y);
}

bool State::tightenOnce(VarId var) {
  const Progression old = number(var);
  const Range now = range(var);
  const Range next = relations_.tighten(var, now, ranges());
  if (next.lo > next.hi) {
    setBottom();
    return true;
  }
  if (next.lo == now.lo && next.hi == now.hi) return false;
  const Progression met = old.meet(Progression::of(
      old.width(), Stretch{next.lo, next.hi, next.lo == next.hi ? UWide(0) : UWide(1)}));
  if (met.isNone()) {
    setBottom();
    return true;
  }
  if (met == old) return false;
  numbers_.set(var, met);
  return true;
}

void State::reduce(VarId var) {
  if (relations_.empty() || bottom_ || !mayRelate(var)) return;
  tightenOnce(var);
  // Once around: closure already relates everything that is connected.
  if (bottom_) return;
  for (const VarId other : relations_.neighbours(var)) {
    tightenOnce(other);
    if (bottom_) return;
  }
}

// ---- conditions ---------------------------------------------------------------------------------

void State::assume(const Condition &c) {
  if (bottom_) return;
  switch (c.kind) {
  case Condition::Kind::True:
  case Condition::Kind::Unknown: return;
  case Condition::Kind::Compare:
    if (c.ofAddresses) return assumeAddresses(c);
    return assumeNumbers(c.predicate, c.a, c.b);
  case Condition::Kind::And:
    for (const Condition &part : c.parts) assume(part);
    return;
  case Condition::Kind::Or: {
    State other = *this;
    assume(c.parts[0]);
    other.assume(c.parts[1]);
    join(other);
    return;
  }
  }
}

void State::assumeNumbers(Predicate predicate, const Operand &a, const Operand &b) {
  const Progression x = number(a), y = number(b);
  const Progression newX = refine(predicate, x, y), newY = refine(swapped(predicate), y, x);
  if (newX.isNone() || newY.isNone()) return setBottom();
  if (!a.isConstant()) meetNumber(a.var, newX);
  if (bottom_) return;
  if (!b.isConstant()) meetNumber(b.var, newY);
  if (bottom_) return;
  relate(predicate, a, b);
}

void State::relate(Predicate predicate, const Operand &a, const Operand &b) {
  if (relations_.empty() || a.isConstant() || b.isConstant()) return;
  if (a.var == b.var) {
    const bool holds = predicate == Predicate::Eq || predicate == Predicate::Ule ||
                       predicate == Predicate::Uge || predicate == Predicate::Sle ||
                       predicate == Predicate::Sge;
    if (!holds) setBottom();
    return;
  }
  auto atMost = [&](VarId x, VarId y, int64_t c) {
    if (!bottom_) constrain({x, y, 1, -1, c});
  };
  auto isNatural = [&](VarId var) { return range(var).lo >= 0; };
  switch (predicate) {
  case Predicate::Eq:
    atMost(a.var, b.var, 0);
    atMost(b.var, a.var, 0);
    return;
  case Predicate::Ne: {
    const std::optional<int64_t> up = relations_.upperBound({a.var, b.var, 1, -1, 0});
    const std::optional<int64_t> down = relations_.upperBound({b.var, a.var, 1, -1, 0});
    if (up == 0) atMost(a.var, b.var, -1);
    if (down == 0) atMost(b.var, a.var, -1);
    return;
  }
  case Predicate::Slt: return atMost(a.var, b.var, -1);
  case Predicate::Sle: return atMost(a.var, b.var, 0);
  case Predicate::Sgt: return atMost(b.var, a.var, -1);
  case Predicate::Sge: return atMost(b.var, a.var, 0);
  default: break;
  }
  // Unsigned orders are the signed one where no number is negative.
  if (!isNatural(a.var) || !isNatural(b.var)) return;
  switch (predicate) {
  case Predicate::Ult: return atMost(a.var, b.var, -1);
  case Predicate::Ule: return atMost(a.var, b.var, 0);
  case Predicate::Ugt: return atMost(b.var, a.var, -1);
  default: return atMost(b.var, a.var, 0);
  }
}

void State::assumeAddresses(const Condition &c) {
  const Value a = value(c.a, true), b = value(c.b, true);
  auto without = [&](const Operand &operand, const Bases &bases, ObjectId drop) {
    if (operand.isConstant()) return;
    Bases kept;
    std::copy_if(bases.begin(), bases.end(), std::back_inserter(kept),
                 [&](ObjectId o) { return o != drop; });
    setBases(operand.var, std::move(kept));
  };
  const bool aIsNull = a.bases && *a.bases == Bases{kNull};
  const bool bIsNull = b.bases && *b.bases == Bases{kNull};
  if (c.predicate == Predicate::Ne || c.predicate == Predicate::Eq) {
    if (c.predicate == Predicate::Ne) {
      if (aIsNull && bIsNull) return setBottom();
      if (bIsNull && a.bases) return without(c.a, *a.bases, kNull);
      if (aIsNull && b.bases) return without(c.b, *b.bases, kNull);
    } else {
      // Equal addresses have a common base. (One past the end of an object may be the start of
      // another; such a comparison has no defined result, but a result: bases that are objects stay
      // unless the other side is null alone.)
      auto mayBeNull = [](const Value &v) {
        return !v.bases || std::any_of(v.bases->begin(), v.bases->end(),
                                       [](ObjectId o) { return o == kNull || o == kAbsolute; });
      };
      if ((bIsNull && !mayBeNull(a)) || (aIsNull && !mayBeNull(b))) return setBottom();
      auto becomesNull = [&](const Operand &operand) {
        if (operand.isConstant()) return;
        setBases(operand.var, Bases{kNull});
      };
      if (bIsNull) return becomesNull(c.a);
      if (aIsNull) return becomesNull(c.b);
    }
  }
  // Offsets say something where both point into one and the same object.
  if (!a.bases || !b.bases || a.bases->size() != 1 || *a.bases != *b.bases) return;
  const ObjectId base = a.bases->front();
  if (base == kNull || base == kAbsolute) return;
  if (domain_->cells.program().objects[base].isSummary) return;
  Predicate predicate = c.predicate;
  // Within an object the unsigned order of addresses is the signed one of offsets.
  switch (predicate) {
  case Predicate::Ult: predicate = Predicate::Slt; break;
  case Predicate::Ule: predicate = Predicate::Sle; break;
  case Predicate::Ugt: predicate = Predicate::Sgt; break;
  case Predicate::Uge: predicate = Predicate::Sge; break;
  default: break;
  }
  assumeNumbers(predicate, c.a, c.b);
}

// ---- memory that was never written --------------------------------------------------------------

void State::setFresh(ObjectId object, bool isFresh) {
  if (bottom_) return;
  if (isFresh)
    fresh_.set(object, true);
  else
    fresh_.erase(object);
}

bool State::isUnborn(VarId var) const {
  const Cell *cell = domain_->cells.find(var);
  if (!cell) {
    // The size of heap objects is born with the first of them.
    const ObjectId object = domain_->cells.sizedBy(var);
    return object != kNoId && fresh_.contains(object) && !written_.contains(var);
  }
  if (!fresh_.contains(cell->object)) return false;
  for (const VarId other : domain_->cells.of(cell->object)) {
    const Cell &c = *domain_->cells.find(other);
    if (c.offset < cell->offset + cell->sizeBytes && cell->offset < c.offset + c.sizeBytes &&
        written_.contains(other))
      return false;
  }
  return true;
}

void State::dropObject(ObjectId object) {
  for (const VarId cell : domain_->cells.of(object)) {
    forget(cell);
    written_.erase(cell);
  }
  if (const VarId size = domain_->cells.program().objects[object].sizeVar; size != kNoId) {
    forget(size);
    written_.erase(size);
  }
  fresh_.erase(object);
}

void State::loseEscaped(const llvm::BitVector &escaped) {
  if (bottom_) return;
  relations_.forgetIf(kFirstEscapedCell, [](VarId) { return true; });
  numbers_.eraseFrom(kFirstEscapedCell);
  bases_.eraseFrom(kFirstEscapedCell);
  fresh_.keepIf(kNoId, [&](ObjectId object) { return !escaped.test(object); });
}

// ---- calls --------------------------------------------------------------------------------------

bool Boundary::contains(VarId var, const Cells &cells) const {
  if (var >= kFirstConstantCell) return true;
  if (const Cell *cell = cells.find(var)) return objects.test(cell->object);
  if (const ObjectId object = cells.sizedBy(var); object != kNoId) return sizes.test(object);
  return std::binary_search(variables.begin(), variables.end(), var);
}

void State::keepInside(const Boundary &boundary) {
  if (bottom_) return;
  const Cells &cells = domain_->cells;
  auto isInside = [&](VarId var) { return boundary.contains(var, cells); };
  relations_.forgetIf(0, [&](VarId var) { return !isInside(var); });
  numbers_.keepIf(kFirstConstantCell, isInside);
  bases_.keepIf(kFirstConstantCell, isInside);
  written_.keepIf(kFirstConstantCell, isInside);
  if (boundary.hidden) {
    std::vector<VarId> gone;
    bases_.forEach([&](VarId var, const Bases &bases) {
      const bool isHidden = std::any_of(bases.begin(), bases.end(), [&](ObjectId base) {
        return base < boundary.hidden->size() && boundary.hidden->test(base);
      });
      if (isHidden) gone.push_back(var);
    });
    for (const VarId var : gone) bases_.erase(var);
  }
  // Objects that were never written stay so: no call sees writes of other calls to objects outside.
}

void State::takeOutside(const State &from, const Boundary &boundary) {
  if (bottom_) return;
  if (from.bottom_) return setBottom();
  const Cells &cells = domain_->cells;
  auto isInside = [&](VarId var) { return boundary.contains(var, cells); };
  auto isInsideObject = [&](ObjectId object) {
    return boundary.objects.test(object) || mayEscape(cells.program().objects[object]);
  };
  auto take = []<class Value>(PersistentMap<Value> &mine, const PersistentMap<Value> &others,
                              auto &&isMine) {
    using Maybe = std::optional<Value>;
    return PersistentMap<Value>::merge(
        mine, others,
        [&](uint32_t key, const Value &a, const Value &b) -> Maybe { return isMine(key) ? a : b; },
        [&](uint32_t key, const Value &a) { return isMine(key) ? Maybe(a) : std::nullopt; },
        [&](uint32_t key, const Value &b) { return isMine(key) ? std::nullopt : Maybe(b); });
  };
  // Cells of constant and escaped objects are all inside, and their ids the greater half.
  auto takeVariables = [&]<class Value>(PersistentMap<Value> &mine,
                                        const PersistentMap<Value> &others) {
    PersistentMap<Value> lower = PersistentMap<Value>::halves(mine, {});
    mine = PersistentMap<Value>::halves(
        take(lower, PersistentMap<Value>::halves(others, {}), isInside), mine);
  };
  static_assert(kFirstConstantCell == VarId(1) << 31, "the halves of a map");
  RelationSet relations = from.relations_;
  relations.forgetIf(0, isInside);
  relations_.forgetIf(0, [&](VarId var) { return !isInside(var); });
  relations.add(relations_);
  relations_ = std::move(relations);
  takeVariables(numbers_, from.numbers_);
  takeVariables(bases_, from.bases_);
  takeVariables(written_, from.written_);
  fresh_ = take(fresh_, from.fresh_, isInsideObject);
  unmade = take(unmade, from.unmade, isInsideObject);
}

} // namespace fathom::statics::abstract
