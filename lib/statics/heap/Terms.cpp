// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/Terms.h"

#include "support/HashMix.h"

#include <algorithm>
#include <bit>

namespace fathom::statics::heap {

int64_t signExtended(int64_t value, unsigned bits) {
  if (bits == 0 || bits >= 64) return value;
  const unsigned shift = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

uint64_t zeroExtended(int64_t value, unsigned bits) {
  const auto all = static_cast<uint64_t>(value);
  return bits == 0 || bits >= 64 ? all : all & ((uint64_t(1) << bits) - 1);
}

int64_t multipleIn(const Terms &terms, TermId id) {
  const Term &t = terms[id];
  if (t.kind != TermKind::Operation || t.operation != Operation::Mul) return 1;
  constexpr int64_t kMost = int64_t(1) << 31;
  const auto by = terms.numberOf(t.b);
  return by && *by > 0 && *by < kMost ? *by : 1;
}

template <class T> static std::optional<bool> orderHolds(Predicate predicate, T a, T b) {
  switch (predicate) {
  case Predicate::Equal: return a == b;
  case Predicate::Unequal: return a != b;
  case Predicate::Less: return a < b;
  case Predicate::LessEqual: return a <= b;
  case Predicate::Greater: return a > b;
  case Predicate::GreaterEqual: return a >= b;
  case Predicate::Other: break;
  }
  return std::nullopt;
}

std::optional<bool> holds(Predicate predicate, bool isSigned, int64_t a, int64_t b, unsigned bits) {
  if (isSigned) return orderHolds(predicate, signExtended(a, bits), signExtended(b, bits));
  return orderHolds(predicate, zeroExtended(a, bits), zeroExtended(b, bits));
}

static uint64_t hashOf(const Term &t) {
  const uint64_t h =
      mixHash(static_cast<uint64_t>(t.kind) << 32 | static_cast<uint64_t>(t.operation) << 16 |
                  static_cast<uint64_t>(t.predicate) << 8 | t.bits,
              uint64_t(t.a) << 32 | t.b);
  return mixHash(h, static_cast<uint64_t>(t.number) ^ uint64_t(t.isSigned) << 63);
}

Terms::Terms() {
  number(0);
  number(1);
}

TermId Terms::intern(const Term &term) {
  if (2 * interned_ >= table_.size()) grow();
  const size_t mask = table_.size() - 1;
  size_t at = hashOf(term) & mask;
  for (; table_[at] != kNoTerm; at = (at + 1) & mask)
    if (terms_[table_[at]] == term) return table_[at];
  interned_++;
  return table_[at] = add(term);
}

void Terms::grow() {
  constexpr size_t kFirst = 64;
  std::vector<TermId> larger(std::max(kFirst, 2 * table_.size()), kNoTerm);
  const size_t mask = larger.size() - 1;
  for (const TermId id : table_) {
    if (id == kNoTerm) continue;
    size_t at = hashOf(terms_[id]) & mask;
    while (larger[at] != kNoTerm) at = (at + 1) & mask;
    larger[at] = id;
  }
  table_ = std::move(larger);
}

/// One that is equal to no other.
TermId Terms::add(const Term &term) {
  terms_.push_back(term);
  return static_cast<TermId>(terms_.size() - 1);
}

TermId Terms::number(int64_t value) { return intern({.kind = TermKind::Number, .number = value}); }

TermId Terms::symbol(const Symbol &what) {
  symbols_.push_back(what);
  return add({.kind = TermKind::Symbol, .number = static_cast<int64_t>(symbols_.size() - 1)});
}

TermId Terms::null(StatementId chosenAt) {
  auto [known, isNew] = nulls_.try_emplace(chosenAt, kNoTerm);
  if (isNew) known->second = symbol({.origin = Origin::Null, .statement = chosenAt});
  return known->second;
}

TermId Terms::instance(const Instance &what) {
  instances_.push_back(what);
  return intern(
      {.kind = TermKind::Instance, .number = static_cast<int64_t>(instances_.size() - 1)});
}

TermId Terms::variable(ObjectId object, TermId bytes) {
  auto [known, isNew] = variables_.try_emplace(object, kNoTerm);
  if (isNew) known->second = instance({.object = object, .bytes = bytes});
  return known->second;
}

TermId Terms::sum(TermId a, int64_t offset) {
  if (offset == 0) return a;
  const Term t = terms_[a];
  if (t.kind == TermKind::Number)
    return number(
        static_cast<int64_t>(static_cast<uint64_t>(t.number) + static_cast<uint64_t>(offset)));
  if (t.kind == TermKind::Operation && t.operation == Operation::Add && t.bits == 64)
    if (const auto n = numberOf(t.b))
      return sum(t.a,
                 static_cast<int64_t>(static_cast<uint64_t>(*n) + static_cast<uint64_t>(offset)));
  return intern({.kind = TermKind::Operation,
                 .operation = Operation::Add,
                 .bits = 64,
                 .a = a,
                 .b = number(offset)});
}

/// Of two numbers; nullopt: it is undefined, or there are none.
static std::optional<int64_t> computed(Operation op, int64_t a, int64_t b, unsigned bits,
                                       unsigned fromBits) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const uint64_t ux = zeroExtended(a, bits), uy = zeroExtended(b, bits);
  const int64_t sx = signExtended(a, bits), sy = signExtended(b, bits);
  const auto made = [&](uint64_t value) {
    return std::optional(signExtended(static_cast<int64_t>(value), bits));
  };
  switch (op) {
  case Operation::Add: return made(x + y);
  case Operation::Sub: return made(x - y);
  case Operation::Mul: return made(x * y);
  case Operation::UDiv: return uy ? made(ux / uy) : std::nullopt;
  case Operation::URem: return uy ? made(ux % uy) : std::nullopt;
  case Operation::SDiv:
    return sy && !(sy == -1 && sx == signExtended(INT64_MIN, 64)) ? made(uint64_t(sx / sy))
                                                                  : std::nullopt;
  case Operation::SRem: return sy && sy != -1 ? made(uint64_t(sx % sy)) : std::nullopt;
  case Operation::Shl: return uy < bits ? made(x << uy) : std::nullopt;
  case Operation::LShr: return uy < bits ? made(ux >> uy) : std::nullopt;
  case Operation::AShr: return uy < bits ? made(uint64_t(sx >> uy)) : std::nullopt;
  case Operation::And: return made(x & y);
  case Operation::Or: return made(x | y);
  case Operation::Xor: return made(x ^ y);
  case Operation::ZExt: return static_cast<int64_t>(zeroExtended(a, fromBits));
  case Operation::SExt: return signExtended(a, fromBits);
  case Operation::Trunc: return signExtended(a, bits);
  case Operation::Other: break;
  }
  return std::nullopt;
}

/// low | high << shift, where low was widened.
std::optional<Terms::Joined> Terms::joined(TermId id) const {
  const Term &t = terms_[id];
  if (t.kind != TermKind::Operation || t.operation != Operation::Or) return std::nullopt;
  for (const auto &[low, high] : {std::pair(t.a, t.b), std::pair(t.b, t.a)}) {
    const Term &l = terms_[low], &h = terms_[high];
    const bool isShifted = h.kind == TermKind::Operation && h.operation == Operation::Shl;
    if (!isShifted || !numberOf(h.b)) continue;
    if (const auto n = numberOf(low); n && *n >= 0)
      return Joined{low, h.a, *numberOf(h.b), static_cast<int64_t>(std::bit_width(uint64_t(*n)))};
    if (l.kind == TermKind::Operation && l.operation == Operation::ZExt)
      return Joined{low, h.a, *numberOf(h.b), terms_[l.b].number};
  }
  return std::nullopt;
}

TermId Terms::operation(Operation op, TermId a, TermId b, uint8_t bits, uint8_t fromBits) {
  const bool isCast = op >= Operation::ZExt;
  if (isCast) b = kZero;
  const auto x = numberOf(a), y = numberOf(b);
  if (x && y)
    if (const auto value = computed(op, *x, *y, bits, fromBits)) return number(*value);
  const Term t = terms_[a];
  switch (op) {
  case Operation::Add:
    if (x && !y) return operation(op, b, a, bits, fromBits);
    if (y && bits == 64) return sum(a, *y);
    if (y && *y == 0) return a;
    // What was subtracted is added again.
    for (const auto &[difference, back] : {std::pair(a, b), std::pair(b, a)})
      if (const Term &d = terms_[difference]; d.kind == TermKind::Operation &&
                                              d.operation == Operation::Sub && d.bits == bits &&
                                              d.b == back)
        return d.a;
    break;
  case Operation::Sub:
    if (y && bits == 64 && *y != INT64_MIN) return sum(a, -*y);
    if (y && *y == 0) return a;
    if (a == b) return kZero;
    if (y && *y != INT64_MIN)
      return operation(Operation::Add, a, number(signExtended(-*y, bits)), bits, fromBits);
    break;
  case Operation::Mul:
    if (x && !y) return operation(op, b, a, bits, fromBits);
    if (y && *y == 1) return a;
    if (y && *y == 0) return kZero;
    break;
  case Operation::And:
    if ((x && *x == 0) || (y && *y == 0)) return kZero;
    if (a == b || (y && *y == -1)) return a;
    if (bits == 1 && y) return a;
    break;
  case Operation::Or:
    if (a == b || (y && *y == 0)) return a;
    if (x && *x == 0) return b;
    break;
  case Operation::Xor:
    if (y && *y == 0) return a;
    if (bits == 1 && y && (*y & 1)) return negation(a);
    break;
  case Operation::LShr:
    if (y && *y == 0) return a;
    // The upper one of two numbers that were put together.
    if (const auto parts = joined(a); parts && y && parts->shift == *y && parts->lowBits <= *y)
      return parts->high;
    break;
  case Operation::Shl:
    if (y && *y == 0) return a;
    break;
  case Operation::Trunc:
    if (bits == fromBits) return a;
    if (const auto parts = joined(a); parts && parts->shift >= bits)
      return operation(Operation::Trunc, parts->low, kNoTerm, bits, fromBits);
    // What was widened from more bits than are left.
    if (t.kind == TermKind::Operation &&
        (t.operation == Operation::ZExt || t.operation == Operation::SExt) &&
        static_cast<uint8_t>(terms_[t.b].number) > bits)
      return operation(Operation::Trunc, t.a, kNoTerm, bits,
                       static_cast<uint8_t>(terms_[t.b].number));
    // What was widened and is narrowed again to what it was.
    if (t.kind == TermKind::Operation &&
        (t.operation == Operation::ZExt || t.operation == Operation::SExt) &&
        static_cast<uint8_t>(terms_[t.b].number) == bits)
      return t.a;
    break;
  default: break;
  }
  // A cast remembers the width from which it was made.
  if (isCast) b = number(fromBits);
  return intern({.kind = TermKind::Operation, .operation = op, .bits = bits, .a = a, .b = b});
}

TermId Terms::negation(TermId a) {
  if (const auto n = numberOf(a)) return (*n & 1) ? kZero : kOne;
  const Term t = terms_[a];
  if (t.kind == TermKind::Compare && t.predicate != Predicate::Other)
    return compare(oppositeOf(t.predicate), t.isSigned, t.a, t.b, t.bits);
  if (t.kind == TermKind::Operation && t.operation == Operation::Xor && t.bits == 1 && t.b == kOne)
    return t.a;
  return intern(
      {.kind = TermKind::Operation, .operation = Operation::Xor, .bits = 1, .a = a, .b = kOne});
}

TermId Terms::compare(Predicate predicate, bool isSigned, TermId a, TermId b, uint8_t bits) {
  const auto x = numberOf(a), y = numberOf(b);
  if (x && y)
    if (const auto known = holds(predicate, isSigned, *x, *y, bits)) return *known ? kOne : kZero;
  if (x && !y) return compare(mirroredOf(predicate), isSigned, b, a, bits);
  if (a == b && predicate != Predicate::Other)
    return *holds(predicate, isSigned, 0, 0, 64) ? kOne : kZero;
  const bool isEquality = predicate == Predicate::Equal || predicate == Predicate::Unequal;
  const Term t = terms_[a];
  if (y && isEquality) {
    // A truth value, compared with 0 or 1, also after it was widened.
    TermId truth = kNoTerm;
    if (t.kind == TermKind::Compare || (t.kind == TermKind::Operation && t.bits == 1)) truth = a;
    if (t.kind == TermKind::Operation && t.operation == Operation::ZExt && terms_[t.b].number == 1)
      truth = t.a;
    const int64_t wanted = t.kind == TermKind::Operation && t.bits != 1 ? *y : (*y & 1);
    if (truth != kNoTerm && (wanted == 0 || wanted == 1))
      return (wanted == 0) == (predicate == Predicate::Equal) ? negation(truth) : truth;
    // x + c == n is x == n - c.
    if (t.kind == TermKind::Operation && t.operation == Operation::Add && numberOf(t.b)) {
      const uint64_t n = static_cast<uint64_t>(*y) - static_cast<uint64_t>(*numberOf(t.b));
      return compare(predicate, isSigned, t.a, number(signExtended(static_cast<int64_t>(n), bits)),
                     bits);
    }
    // A widened number is one of the narrow type, or none.
    if (t.kind == TermKind::Operation &&
        (t.operation == Operation::ZExt || t.operation == Operation::SExt)) {
      const auto from = static_cast<uint8_t>(terms_[t.b].number);
      const int64_t narrow = signExtended(*y, from);
      const int64_t wide = t.operation == Operation::SExt
                               ? narrow
                               : static_cast<int64_t>(zeroExtended(narrow, from));
      if (wide != *y) return predicate == Predicate::Equal ? kZero : kOne;
      return compare(predicate, isSigned, t.a, number(narrow), from);
    }
  }
  if (isEquality && a > b && !y) std::swap(a, b);
  return intern({.kind = TermKind::Compare,
                 .predicate = predicate,
                 .isSigned = isSigned && !isEquality,
                 .bits = bits,
                 .a = a,
                 .b = b});
}

Terms Terms::reduced(std::vector<bool> isKept, std::vector<TermId> &moved) const {
  const auto keep = [&](TermId id) {
    if (id != kNoTerm) isKept[id] = true;
  };
  // Each term is made after its parts.
  for (size_t id = terms_.size(); id-- > 0;) {
    if (!isKept[id]) continue;
    const Term &t = terms_[id];
    keep(t.a);
    keep(t.b);
    const auto at = static_cast<TermId>(id);
    if (t.kind == TermKind::Instance) keep(instanceOf(at).bytes);
    if (t.kind == TermKind::Symbol) {
      keep(symbolOf(at).address.base);
      keep(symbolOf(at).address.varying);
    }
  }
  Terms out;
  moved.assign(terms_.size(), kNoTerm);
  const auto now = [&](TermId id) { return id == kNoTerm ? kNoTerm : moved[id]; };
  for (TermId id = 0; id < terms_.size(); id++) {
    if (!isKept[id]) continue;
    Term t = terms_[id];
    if (t.kind == TermKind::Symbol) {
      Symbol what = symbolOf(id);
      what.address.base = now(what.address.base);
      what.address.varying = now(what.address.varying);
      moved[id] = out.symbol(what);
    } else if (t.kind == TermKind::Instance) {
      Instance what = instanceOf(id);
      what.bytes = now(what.bytes);
      moved[id] = out.instance(what);
    } else {
      t.a = now(t.a);
      t.b = now(t.b);
      moved[id] = out.intern(t);
    }
  }
  return out;
}

Address Terms::addressOf(TermId id) const {
  Address out{.base = id};
  const auto isSum = [&](TermId t) {
    return terms_[t].kind == TermKind::Operation && terms_[t].operation == Operation::Add &&
           terms_[t].bits == 64;
  };
  if (isSum(out.base))
    if (const auto n = numberOf(terms_[out.base].b)) {
      out.offset = *n;
      out.base = terms_[out.base].a;
    }
  // One varying part; of several, the inner ones belong to the base.
  if (isSum(out.base)) {
    out.varying = terms_[out.base].b;
    out.base = terms_[out.base].a;
    // The constant of an inner sum.
    if (isSum(out.base))
      if (const auto n = numberOf(terms_[out.base].b)) {
        out.offset += *n;
        out.base = terms_[out.base].a;
      }
  }
  return out;
}

TermId Terms::ofAddress(const Address &address) {
  TermId out = address.base;
  if (address.varying != kNoTerm) out = operation(Operation::Add, out, address.varying, 64, 64);
  return sum(out, address.offset);
}

} // namespace fathom::statics::heap
