// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreter/TermBounds.h"

#include <algorithm>
#include <bit>

namespace fathom::explore {

using expr::ExprPtr;
using expr::Kind;

namespace {

constexpr int kMaxDepth = 12;

uint64_t allOnes(unsigned w) { return w >= 64 ? ~uint64_t(0) : (uint64_t(1) << w) - 1; }

unsigned bitsSigned(ExprPtr e, int depth) {
  unsigned w = e->width();
  if (depth > kMaxDepth) return w;
  auto sub = [&](unsigned i) { return bitsSigned(e->op(i), depth + 1); };
  switch (e->kind()) {
  case Kind::Const: {
    if (w > 64) return w;
    auto v = static_cast<int64_t>(e->value() << (64 - w)) >> (64 - w);
    return std::min(
        w, static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(v < 0 ? ~v : v))) + 1);
  }
  case Kind::ZExt: return std::min(w, e->op(0)->width() + 1);
  case Kind::SExt: return std::min(w, sub(0));
  case Kind::Concat: // leading zeros: concat(0, x)
    return e->op(0)->isConst(0) ? std::min(w, e->op(1)->width() + 1) : w;
  case Kind::Add:
  case Kind::Sub: return std::min(w, std::max(sub(0), sub(1)) + 1);
  case Kind::Mul: return std::min(w, sub(0) + sub(1));
  case Kind::And:
    for (unsigned i = 0; i < 2; i++)
      if (e->op(i)->isConst() && w <= 64 && !(e->op(i)->value() >> (w - 1))) return sub(i);
    return std::max(sub(0), sub(1));
  case Kind::Or:
  case Kind::Xor: return std::max(sub(0), sub(1));
  case Kind::Ite: return std::max(sub(1), sub(2));
  case Kind::SDiv: return std::min(w, sub(0) + 1);
  case Kind::SRem: return sub(1);
  case Kind::LShr:
    if (e->op(1)->isConst() && e->op(1)->value() > 0 && e->op(1)->value() < w)
      return w - static_cast<unsigned>(e->op(1)->value()) + 1;
    return w;
  case Kind::AShr:
    if (e->op(1)->isConst()) {
      uint64_t n = std::min<uint64_t>(e->op(1)->value(), w - 1);
      unsigned b = sub(0);
      return b > n ? b - static_cast<unsigned>(n) : 1;
    }
    return sub(0);
  default: return w;
  }
}

/// What an extension by zeros extends: the same number.
ExprPtr extended(ExprPtr e) {
  while (e->kind() == Kind::ZExt) e = e->op(0);
  return e;
}

uint64_t maxUnsigned(ExprPtr e, int depth) {
  unsigned w = e->width();
  uint64_t top = allOnes(w);
  if (depth > kMaxDepth || w > 64) return top;
  auto sub = [&](unsigned i) { return maxUnsigned(e->op(i), depth + 1); };
  auto spread = [](uint64_t v) {
    return v ? allOnes(static_cast<unsigned>(std::bit_width(v))) : 0;
  };
  switch (e->kind()) {
  case Kind::Const: return e->value();
  case Kind::ZExt: return sub(0);
  case Kind::Concat: {
    unsigned lowBits = e->op(1)->width();
    return (sub(0) << lowBits) | allOnes(lowBits);
  }
  case Kind::Add: {
    uint64_t r;
    return __builtin_add_overflow(sub(0), sub(1), &r) || r > top ? top : r;
  }
  case Kind::Mul: {
    uint64_t r;
    return __builtin_mul_overflow(sub(0), sub(1), &r) || r > top ? top : r;
  }
  case Kind::And: return std::min(sub(0), sub(1));
  case Kind::Or:
  case Kind::Xor: return spread(sub(0) | sub(1));
  case Kind::Ite: { // perhaps the smaller of two numbers
    uint64_t then = sub(1), otherwise = sub(2);
    ExprPtr c = e->op(0);
    if (c->kind() == Kind::Ule || c->kind() == Kind::Ult) {
      if (extended(c->op(0)) == extended(e->op(1)))
        then = std::min(then, maxUnsigned(c->op(1), depth + 1));
      if (extended(c->op(1)) == extended(e->op(2)))
        otherwise = std::min(otherwise, maxUnsigned(c->op(0), depth + 1));
    }
    return std::max(then, otherwise);
  }
  case Kind::UDiv:
    return e->op(1)->isConst() && e->op(1)->value() ? sub(0) / e->op(1)->value() : top;
  case Kind::URem:
    return e->op(1)->isConst() && e->op(1)->value() ? std::min(sub(0), e->op(1)->value() - 1) : top;
  case Kind::LShr:
    return e->op(1)->isConst() && e->op(1)->value() < w ? sub(0) >> e->op(1)->value() : top;
  case Kind::Shl:
    if (e->op(1)->isConst() && e->op(1)->value() < w) {
      uint64_t m = sub(0), n = e->op(1)->value();
      return m > (top >> n) ? top : m << n;
    }
    return top;
  default: return top;
  }
}

} // namespace

unsigned signedBits(ExprPtr e) { return bitsSigned(e, 0); }
uint64_t unsignedMax(ExprPtr e) { return maxUnsigned(e, 0); }

} // namespace fathom::explore
