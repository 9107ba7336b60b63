// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Condition.h"

#include <algorithm>
#include <fmt/format.h>

namespace fathom::psp {

struct Condition::Node {
  Operator op = Operator::Number;
  int64_t number = 0;
  VariableId variable = 0;
  std::vector<Condition> parts;
};

Condition Condition::number(int64_t value) {
  return Condition(std::make_shared<Node>(Node{Operator::Number, value, 0, {}}));
}
Condition Condition::variable(VariableId id) {
  return Condition(std::make_shared<Node>(Node{Operator::Variable, 0, id, {}}));
}
Condition Condition::unary(Operator op, Condition a) {
  return Condition(std::make_shared<Node>(Node{op, 0, 0, {std::move(a)}}));
}
Condition Condition::binary(Operator op, Condition a, Condition b) {
  return Condition(std::make_shared<Node>(Node{op, 0, 0, {std::move(a), std::move(b)}}));
}

static constexpr Wide kMost = Wide(~static_cast<unsigned __int128>(0) >> 1), kLeast = -kMost - 1;

static std::optional<Wide> apply(Operator op, Wide a, Wide b) {
  Wide out = 0;
  const bool canShift = b >= 0 && b < 64;
  switch (op) {
  case Operator::Add: return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  case Operator::Subtract:
    return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  case Operator::Multiply:
    return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  case Operator::Divide:
  case Operator::Remainder:
    if (b == 0 || (b == -1 && a == kLeast)) return std::nullopt;
    return op == Operator::Divide ? a / b : a % b;
  case Operator::ShiftLeft:
    return canShift ? apply(Operator::Multiply, a, Wide(1) << b) : std::nullopt;
  case Operator::ShiftRight: return canShift ? std::optional(a >> b) : std::nullopt;
  case Operator::BitAnd: return a & b;
  case Operator::BitOr: return a | b;
  case Operator::BitXor: return a ^ b;
  case Operator::Less: return a < b;
  case Operator::LessEqual: return a <= b;
  case Operator::Greater: return a > b;
  case Operator::GreaterEqual: return a >= b;
  case Operator::Equal: return a == b;
  case Operator::NotEqual: return a != b;
  default: return std::nullopt;
  }
}

std::optional<Wide> Condition::evaluate(const State &state) const {
  const Node &n = *node_;
  if (n.op == Operator::Number) return n.number;
  if (n.op == Operator::Variable) {
    const std::optional<int64_t> value = state.value(n.variable);
    return value ? std::optional<Wide>(*value) : std::nullopt;
  }
  const std::optional<Wide> a = n.parts[0].evaluate(state);
  if (!a) return std::nullopt;
  switch (n.op) {
  case Operator::Negate: return apply(Operator::Subtract, 0, *a);
  case Operator::Complement: return ~*a;
  case Operator::Not: return *a == 0;
  // As in C, the second operand may be undefined where the first decides.
  case Operator::And:
    if (*a == 0) return 0;
    break;
  case Operator::Or:
    if (*a != 0) return 1;
    break;
  default: break;
  }
  const std::optional<Wide> b = n.parts[1].evaluate(state);
  if (!b) return std::nullopt;
  if (n.op == Operator::And || n.op == Operator::Or) return *b != 0;
  return apply(n.op, *a, *b);
}

static constexpr Interval kAny{kLeast, kMost};

/// The hull of an operation that is monotone in each operand over the given corners.
static Interval corners(Operator op, const Interval &a, const Interval &b) {
  Interval out{kMost, kLeast};
  for (const Wide x : {a.lo, a.hi})
    for (const Wide y : {b.lo, b.hi}) {
      const std::optional<Wide> value = apply(op, x, y);
      if (!value) return kAny;
      out.lo = std::min(out.lo, *value);
      out.hi = std::max(out.hi, *value);
    }
  return out;
}

static Interval truth(bool canFail, bool canHold) { return {!canFail, canHold}; }

static Interval applyRange(Operator op, const Interval &a, const Interval &b) {
  switch (op) {
  case Operator::Add:
  case Operator::Subtract:
  case Operator::Multiply: return corners(op, a, b);
  case Operator::Divide:
    if (b.lo > 0 || b.hi < 0) return corners(op, a, b);
    return kAny;
  case Operator::Remainder: {
    if (b.lo == kLeast || (b.lo <= 0 && b.hi >= 0)) return kAny;
    const Wide most = std::max(b.hi < 0 ? -b.hi : b.hi, b.lo < 0 ? -b.lo : b.lo) - 1;
    return {a.lo < 0 ? std::max(a.lo, -most) : 0, a.hi > 0 ? std::min(a.hi, most) : 0};
  }
  case Operator::ShiftLeft:
  case Operator::ShiftRight: return corners(op, a, b);
  case Operator::BitAnd:
    if (a.lo >= 0 && b.lo >= 0) return {0, std::min(a.hi, b.hi)};
    if (b.lo >= 0) return {0, b.hi};
    if (a.lo >= 0) return {0, a.hi};
    return kAny;
  case Operator::BitOr:
  case Operator::BitXor: {
    if (a.lo < 0 || b.lo < 0 || a.hi > INT64_MAX || b.hi > INT64_MAX) return kAny;
    Wide most = 1;
    while (most <= std::max(a.hi, b.hi)) most *= 2;
    return {0, most - 1};
  }
  case Operator::Less: return truth(a.hi >= b.lo, a.lo < b.hi);
  case Operator::LessEqual: return truth(a.hi > b.lo, a.lo <= b.hi);
  case Operator::Greater: return applyRange(Operator::Less, b, a);
  case Operator::GreaterEqual: return applyRange(Operator::LessEqual, b, a);
  case Operator::Equal:
    return truth(a.lo != a.hi || b.lo != b.hi || a.lo != b.lo, a.lo <= b.hi && b.lo <= a.hi);
  case Operator::NotEqual: {
    const Interval equal = applyRange(Operator::Equal, a, b);
    return {1 - equal.hi, 1 - equal.lo};
  }
  default: return kAny;
  }
}

static bool canBeZero(const Interval &a) { return a.lo <= 0 && a.hi >= 0; }
static bool canBeOther(const Interval &a) { return a.lo != 0 || a.hi != 0; }

Interval Condition::range(std::span<const std::pair<int64_t, int64_t>> box) const {
  const Node &n = *node_;
  if (n.op == Operator::Number) return {n.number, n.number};
  if (n.op == Operator::Variable) return {box[n.variable].first, box[n.variable].second};
  const Interval a = n.parts[0].range(box);
  switch (n.op) {
  case Operator::Negate: return applyRange(Operator::Subtract, {0, 0}, a);
  case Operator::Complement: return {~a.hi, ~a.lo};
  case Operator::Not: return truth(canBeOther(a), canBeZero(a));
  default: break;
  }
  const Interval b = n.parts[1].range(box);
  if (n.op == Operator::And)
    return truth(canBeZero(a) || canBeZero(b), canBeOther(a) && canBeOther(b));
  if (n.op == Operator::Or)
    return truth(canBeZero(a) && canBeZero(b), canBeOther(a) || canBeOther(b));
  return applyRange(n.op, a, b);
}

void Condition::collect(std::vector<VariableId> &out) const {
  if (node_->op == Operator::Variable) out.push_back(node_->variable);
  for (const Condition &part : node_->parts) part.collect(out);
}

std::vector<VariableId> Condition::variables() const {
  std::vector<VariableId> out;
  collect(out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Condition Condition::renamed(std::span<const VariableId> ids) const {
  Node copy = *node_;
  if (copy.op == Operator::Variable)
    copy.variable =
        static_cast<VariableId>(std::find(ids.begin(), ids.end(), copy.variable) - ids.begin());
  for (Condition &part : copy.parts) part = part.renamed(ids);
  return Condition(std::make_shared<Node>(std::move(copy)));
}

static const char *textOf(Operator op) {
  constexpr const char *kTexts[] = {"",   "",  "-",  "~",  "!",  "+",  "-", "*",
                                    "/",  "%", "<<", ">>", "&",  "|",  "^", "<",
                                    "<=", ">", ">=", "==", "!=", "&&", "||"};
  return kTexts[size_t(op)];
}

std::string Condition::text(const std::vector<std::string> &names) const {
  const Node &n = *node_;
  if (n.op == Operator::Number) return std::to_string(n.number);
  if (n.op == Operator::Variable) return names[n.variable];
  auto inner = [&](const Condition &part) {
    const std::string text = part.text(names);
    // --1 would be something else than -(-1).
    return part.node_->parts.empty() && text[0] != '-' ? text : "(" + text + ")";
  };
  if (n.parts.size() == 1) return textOf(n.op) + inner(n.parts[0]);
  return fmt::format("{} {} {}", inner(n.parts[0]), textOf(n.op), inner(n.parts[1]));
}

} // namespace fathom::psp
