// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transfer functions of statements, run() being their dispatch, and of the edges between
// blocks: phis, conditions, remainders.
#include "statics/abstract/Transfer.h"

#include <algorithm>
#include <limits>

namespace fathom::statics::abstract {

namespace {

/// The least and greatest signed number of a width.
Range signedRange(unsigned width) {
  const Wide half = Wide(1) << (width - 1);
  return {-half, half - 1};
}

bool fits(Wide lo, Wide hi, unsigned width) {
  const Range range = signedRange(width);
  return lo >= range.lo && hi <= range.hi;
}

bool fitsWord(Wide value) {
  return value >= std::numeric_limits<int64_t>::min() / 4 &&
         value <= std::numeric_limits<int64_t>::max() / 4;
}

Range rangeOf(const State &state, const Operand &operand) {
  const Progression p = state.number(operand);
  if (p.isNone()) return {0, 0};
  return {p.min(true), p.max(true)};
}

} // namespace

void Transfer::run(State &state, const Statement &s, const Report &report) const {
  if (state.isBottom()) return;
  switch (s.kind) {
  case StatementKind::Assign: return state.copy(s.dst, s.a, s.isAddress);
  case StatementKind::Operate: return operate(state, s);
  case StatementKind::Convert: return convert(state, s);
  case StatementKind::Test:
  case StatementKind::Select: return select(state, s);
  case StatementKind::Forget: return state.forget(s.dst);
  case StatementKind::AddressOf:
    state.setNumber(s.dst, Progression::of(64, 0));
    return state.setBases(s.dst, Bases{s.object});
  case StatementKind::Shift: return shiftAddress(state, s);
  case StatementKind::ToInteger: return toInteger(state, s);
  case StatementKind::ToAddress: return toAddress(state, s);
  case StatementKind::Load:
  case StatementKind::Store:
  case StatementKind::Fill:
  case StatementKind::Transfer:
  case StatementKind::Scramble: return runAccess(state, s, report);
  case StatementKind::Enter: return memory_.enterStack(state, s.object, s.a);
  case StatementKind::Allocate: return memory_.allocate(state, s);
  case StatementKind::Assume: return state.assume(s.condition);
  case StatementKind::Verify:
    verify(state, s, report);
    // Undefined behaviour ends the executions that are looked at; an assertion has its own branch.
    if (program_.checks[s.check].kind != CheckKind::Assertion) state.assume(s.condition);
    return;
  case StatementKind::End: return state.setBottom();
  case StatementKind::Call: return; // the analysis does these
  }
}

/// The numbers in [lo, hi] that are `rest` modulo `by`.
static Progression congruent(unsigned width, Wide lo, Wide hi, Wide rest, Wide by) {
  const auto modulo = [&](Wide n) { return ((n % by) + by) % by; };
  const Wide first = lo + modulo(rest - lo), last = hi - modulo(hi - rest);
  if (first > last) return Progression::none(width);
  return Progression::of(width, Stretch{first, last, first == last ? UWide(0) : UWide(by)});
}

/// After `if (x % 2 == 0)`, x is even: the remainder is known, and what it is the remainder of was
/// not assigned since.
void Transfer::refineRemainders(State &state, const Block &from) const {
  for (size_t i = 0; i < from.statements.size() && !state.isBottom(); ++i) {
    const Statement &s = from.statements[i];
    const bool isMask = s.binary == Binary::And && (s.b.constant & (s.b.constant + 1)) == 0;
    const bool isSigned = s.binary == Binary::SRem;
    if (s.kind != StatementKind::Operate || s.a.isConstant() || !s.b.isConstant()) continue;
    if (!isMask && !isSigned && s.binary != Binary::URem) continue;
    const Wide by = isMask ? Wide(s.b.constant) + 1 : Wide(s.b.constant);
    if (by < 2 || by >= (Wide(1) << (s.width - 1))) continue; // a negative divisor, among others
    const std::optional<uint64_t> rest = state.number(s.dst).single();
    if (!rest) continue;
    const bool isKept =
        std::none_of(from.statements.begin() + ptrdiff_t(i) + 1, from.statements.end(),
                     [&](const Statement &next) { return next.dst == s.a.var; });
    if (!isKept || s.a.var == s.dst) continue;
    const Progression old = state.number(s.a);
    const Wide signedRest = Progression::of(s.width, *rest).min(isSigned);
    // A remainder has the sign of what was divided.
    const Wide lo =
        isSigned && signedRest > 0 ? std::max(old.min(true), Wide(1)) : old.min(isSigned);
    const Wide hi =
        isSigned && signedRest < 0 ? std::min(old.max(true), Wide(-1)) : old.max(isSigned);
    if (lo > hi) return state.setBottom();
    state.meetNumber(s.a.var, congruent(s.width, lo, hi, signedRest, by));
  }
}

void Transfer::takeEdge(State &state, const Block &from, const Edge &edge) const {
  state.assume(edge.condition);
  if (edge.condition.kind != Condition::Kind::True) refineRemainders(state, from);
  if (!state.isBottom()) assignTogether(state, edge.assignments);
}

/// Targets that others read come last, and a cycle of reads goes through what is known of the
/// values.
void Transfer::assignTogether(State &state, const std::vector<EdgeAssignment> &assignments) {
  std::vector<const EdgeAssignment *> open;
  for (const EdgeAssignment &x : assignments) open.push_back(&x);
  while (!open.empty()) {
    auto isRead = [&](const EdgeAssignment *x) {
      return std::any_of(open.begin(), open.end(), [&](const EdgeAssignment *y) {
        return y != x && !y->isUnknown && !y->value.isConstant() && y->value.var == x->dst;
      });
    };
    auto free =
        std::find_if(open.begin(), open.end(), [&](const EdgeAssignment *x) { return !isRead(x); });
    if (free != open.end()) {
      const EdgeAssignment &x = **free;
      if (x.isUnknown)
        state.forget(x.dst);
      else
        state.copy(x.dst, x.value, x.isAddress);
      open.erase(free);
      continue;
    }
    std::vector<Value> values;
    for (const EdgeAssignment *x : open) values.push_back(state.value(x->value, x->isAddress));
    for (size_t i = 0; i < open.size(); ++i) state.setValue(open[i]->dst, values[i]);
    return;
  }
}

void Transfer::operate(State &state, const Statement &s) const {
  if (s.binary == Binary::Add || s.binary == Binary::Sub) return addOrSubtract(state, s);
  const Progression result = apply(s.binary, state.number(s.a), state.number(s.b));
  state.setNumber(s.dst, result);
  if (!state.isBottom()) relateResult(state, s);
}

/// dst is between 0 and a, for natural a.
void Transfer::relateResult(State &state, const Statement &s) const {
  switch (s.binary) {
  case Binary::And:
    if (!s.b.isConstant() && s.b.var != s.dst && state.range(s.b.var).lo >= 0)
      state.constrain({s.dst, s.b.var, 1, -1, 0});
    break;
  case Binary::UDiv:
  case Binary::URem:
  case Binary::LShr: break;
  case Binary::SDiv:
  case Binary::SRem:
    if (rangeOf(state, s.b).lo < 0) return;
    break;
  default: return;
  }
  if (!s.a.isConstant() && s.a.var != s.dst && state.range(s.a.var).lo >= 0)
    state.constrain({s.dst, s.a.var, 1, -1, 0});
  // A remainder is less than the divisor.
  const bool isRemainder = s.binary == Binary::URem || s.binary == Binary::SRem;
  if (isRemainder && !s.b.isConstant() && s.b.var != s.dst && state.range(s.b.var).lo > 0)
    state.constrain({s.dst, s.b.var, 1, -1, -1});
}

void Transfer::addOrSubtract(State &state, const Statement &s) const {
  const bool isAdd = s.binary == Binary::Add;
  const unsigned width = s.width;
  const Progression result = apply(s.binary, state.number(s.a), state.number(s.b));
  const Range a = rangeOf(state, s.a), b = rangeOf(state, s.b);
  Wide lo = isAdd ? a.lo + b.lo : a.lo - b.hi, hi = isAdd ? a.hi + b.hi : a.hi - b.lo;
  // The result is exact in the integers, also if relations say so: an index below a length.
  if (!isAdd && !s.a.isConstant() && !s.b.isConstant()) {
    if (const auto up = state.relations().upperBound({s.a.var, s.b.var, 1, -1, 0}))
      hi = std::min<Wide>(hi, *up);
    if (const auto down = state.relations().upperBound({s.b.var, s.a.var, 1, -1, 0}))
      lo = std::max<Wide>(lo, -Wide(*down));
  }
  if (lo > hi) return state.setBottom();
  const bool isExact = fits(lo, hi, width);
  Progression better = result;
  if (isExact)
    better = result.meet(Progression::of(width, Stretch{lo, hi, lo == hi ? UWide(0) : UWide(1)}));
  // One operand is a constant: a shift of the other.
  const Operand &variable = s.a.isConstant() ? s.b : s.a, &other = s.a.isConstant() ? s.a : s.b;
  const bool isShift = !variable.isConstant() && (isAdd || !s.a.isConstant());
  const Range by = rangeOf(state, other);
  if (isExact && isShift && by.lo == by.hi && fitsWord(by.lo))
    return state.assignShifted(s.dst, variable.var, int64_t(isAdd ? by.lo : -by.lo), better);
  const bool keepsOperands = s.dst != s.a.var && s.dst != s.b.var;
  state.setNumber(s.dst, better);
  if (!isExact || !keepsOperands || state.isBottom()) return;
  auto relate = [&](VarId y, Wide least, Wide most) { // dst - y between
    if (fitsWord(most)) state.constrain({s.dst, y, 1, -1, int64_t(most)});
    if (!state.isBottom() && fitsWord(least)) state.constrain({y, s.dst, 1, -1, int64_t(-least)});
  };
  if (!s.a.isConstant()) relate(s.a.var, isAdd ? b.lo : -b.hi, isAdd ? b.hi : -b.lo);
  if (isAdd && !s.b.isConstant() && !state.isBottom()) relate(s.b.var, a.lo, a.hi);
  if (!isAdd && s.a.isConstant() && !s.b.isConstant() && a.lo == a.hi && fitsWord(a.lo)) {
    // c - y: their sum is known.
    state.constrain({s.dst, s.b.var, 1, 1, int64_t(a.lo)});
    if (!state.isBottom()) state.constrain({s.dst, s.b.var, -1, -1, int64_t(-a.lo)});
  }
}

void Transfer::convert(State &state, const Statement &s) const {
  const Progression from = state.number(s.a), to = applyCast(s.cast, from, s.width);
  if (to.isNone()) return state.setBottom();
  const Range range{from.min(true), from.max(true)};
  const bool keepsValue = s.cast == Cast::SExt || (s.cast == Cast::ZExt && range.lo >= 0) ||
                          (s.cast == Cast::Trunc && fits(range.lo, range.hi, s.width));
  if (keepsValue && !s.a.isConstant() && s.a.width > 1)
    state.assignShifted(s.dst, s.a.var, 0, to);
  else
    state.setNumber(s.dst, to);
}

void Transfer::select(State &state, const Statement &s) const {
  const bool isTest = s.kind == StatementKind::Test;
  State other = state;
  state.assume(s.condition);
  other.assume(s.condition.negation());
  if (isTest) {
    state.setNumber(s.dst, Progression::of(1, 1));
    other.setNumber(s.dst, Progression::of(1, 0));
  } else {
    state.copy(s.dst, s.a, s.isAddress);
    other.copy(s.dst, s.b, s.isAddress);
  }
  state.join(other);
}

void Transfer::shiftAddress(State &state, const Statement &s) const {
  std::optional<Bases> bases = state.value(s.a, true).bases;
  const Progression by = state.number(s.b), from = state.number(s.a);
  if (bases && by.single() != 0) {
    // Null plus something is not null, but no object either.
    auto null = std::find(bases->begin(), bases->end(), kNull);
    if (null != bases->end()) {
      if (!by.contains(0)) bases->erase(null);
      bases->push_back(kAbsolute);
      std::sort(bases->begin(), bases->end());
      bases->erase(std::unique(bases->begin(), bases->end()), bases->end());
    }
  }
  Statement sum = s;
  sum.kind = StatementKind::Operate;
  sum.binary = Binary::Add;
  sum.width = 64;
  // The offset of the start of an object is zero: the sum is the other operand.
  if (from.single() == 0 && !s.b.isConstant() && s.b.width == 64)
    state.assignShifted(s.dst, s.b.var, 0, by);
  else
    addOrSubtract(state, sum);
  state.setBases(s.dst, std::move(bases));
}

void Transfer::toInteger(State &state, const Statement &s) const {
  const Value v = state.value(s.a, true);
  const bool isNull = v.bases && *v.bases == Bases{kNull};
  state.setNumber(s.dst, isNull ? Progression::of(s.width, 0) : Progression::top(s.width));
}

void Transfer::toAddress(State &state, const Statement &s) const {
  const std::optional<uint64_t> number = state.number(s.a).single();
  state.forget(s.dst);
  if (!number) return;
  state.setNumber(s.dst, Progression::of(64, *number));
  state.setBases(s.dst, Bases{*number ? kAbsolute : kNull});
}

Transfer::HowItFails Transfer::howItFails(const State &state, const Operand &address,
                                          const Operand &size) const {
  const Access where = memory_.classify(state, address, size);
  if (where == Access::Inside) return {.verdict = Verdict::Proved};
  return {.verdict = where == Access::Outside ? Verdict::Definite : Verdict::Alarm,
          .hasObjects = state.value(address, true).bases.has_value(),
          .byNullAlone = memory_.failsByNullAlone(state, address, size)};
}

void Transfer::access(State &state, const Statement &s, const Operand &address, const Operand &size,
                      const Report &report) const {
  if (report && s.check != kNoId) {
    const HowItFails how = howItFails(state, address, size);
    report(s.check, how.verdict, state, how);
  }
  memory_.assumeInside(state, address, size);
}

/// Both ends have one check: it fails where one of them does, so it is certain to fail where one of
/// them is. What is read is looked at only where the written end is inside.
void Transfer::copy(State &state, const Statement &s, const Report &report) const {
  if (report && s.check != kNoId) {
    const HowItFails to = howItFails(state, s.a, s.c);
    State inside = state;
    memory_.assumeInside(inside, s.a, s.c);
    if (inside.isBottom()) {
      report(s.check, to.verdict, state, to);
    } else {
      HowItFails from = howItFails(inside, s.b, s.c);
      from.atSource = true;
      const Verdict worse = std::max(to.verdict, from.verdict);
      report(s.check, worse, state, to);
      report(s.check, worse, inside, from);
    }
  }
  memory_.assumeInside(state, s.a, s.c);
  if (state.isBottom()) return;
  memory_.assumeInside(state, s.b, s.c);
  memory_.transfer(state, s.a, s.b, s.c);
}

void Transfer::runAccess(State &state, const Statement &s, const Report &report) const {
  const Operand size = Operand::number(64, s.sizeBytes);
  switch (s.kind) {
  case StatementKind::Load: {
    access(state, s, s.a, size, report);
    if (state.isBottom()) return;
    Value v = memory_.load(state, s.a, s.sizeBytes, s.isAddress);
    if (s.dst == kNoId) return;
    if (v.number.width() != s.width)
      v.number = v.number.width() > s.width ? applyCast(Cast::Trunc, v.number, s.width)
                                            : Progression::top(s.width);
    if (!s.isAddress) v.bases.reset();
    // A load from one strong cell is a copy of it.
    const Value at = state.value(s.a, true);
    if (at.bases && at.bases->size() == 1 && at.number.single() && s.width == s.sizeBytes * 8 &&
        at.bases->front() != kNull && at.bases->front() != kAbsolute) {
      Cells &cells = state.domain().cells;
      const ObjectId object = at.bases->front();
      const bool isSize =
          s.sizeBytes == 1 || s.sizeBytes == 2 || s.sizeBytes == 4 || s.sizeBytes == 8;
      if (isSize && !cells.period(object) && !program_.objects[object].isSummary &&
          program_.objects[object].kind != Object::Kind::Function &&
          v.number == state.number(cells.at(object, *at.number.single(), s.sizeBytes))) {
        state.assignShifted(s.dst, cells.at(object, *at.number.single(), s.sizeBytes), 0, v.number);
        return state.setBases(s.dst, v.bases);
      }
    }
    return state.setValue(s.dst, v);
  }
  case StatementKind::Store:
    access(state, s, s.a, size, report);
    return memory_.store(state, s.a, s.sizeBytes, s.b, s.isAddress);
  case StatementKind::Fill: {
    access(state, s, s.a, s.c, report);
    const std::optional<uint64_t> byte = state.number(s.b).single();
    return memory_.fill(state, s.a, s.c,
                        byte ? std::optional<uint8_t>(uint8_t(*byte)) : std::nullopt);
  }
  case StatementKind::Scramble:
    if (s.isWhole) return memory_.scrambleTargets(state, s.a);
    access(state, s, s.a, s.c, report);
    return memory_.fill(state, s.a, s.c, std::nullopt);
  default: return copy(state, s, report);
  }
}

void Transfer::verify(const State &state, const Statement &s, const Report &report) const {
  if (!report) return;
  State failing = state, passing = state;
  failing.assume(s.condition.negation());
  if (failing.isBottom())
    return report(s.check, Verdict::Proved, state, {.verdict = Verdict::Proved});
  passing.assume(s.condition);
  const bool isUnknown = s.condition.kind == Condition::Kind::Unknown;
  const Verdict verdict = passing.isBottom() && !isUnknown ? Verdict::Definite : Verdict::Alarm;
  report(s.check, verdict, failing, {.verdict = verdict});
}

} // namespace fathom::statics::abstract
