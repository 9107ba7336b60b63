// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/SwitchWays.h"

namespace fathom::explore {

using expr::Kind;

namespace {

/// Builds conditions, and notes how they are built for policies that watch.
class Conditions {
public:
  explicit Conditions(Interpreter &interpreter, ExprPtr value)
      : interpreter_(interpreter), context_(interpreter.context()), value_(value) {}

  /// The value is from `low` to `high`, as unsigned numbers.
  ExprPtr isBetween(uint64_t low, uint64_t high) {
    ExprPtr first = number(low), last = number(high);
    if (low == high) return note(context_.eq(value_, first), Kind::Eq, value_, first);
    ExprPtr isBelow = note(context_.ule(value_, last), Kind::Ule, value_, last);
    if (low == 0) return isBelow;
    ExprPtr isAbove = note(context_.ule(first, value_), Kind::Ule, first, value_);
    return both(Kind::And, isAbove, isBelow);
  }
  ExprPtr both(Kind kind, ExprPtr a, ExprPtr b) {
    return note(context_.binary(kind, a, b), kind, a, b);
  }
  ExprPtr negation(ExprPtr e) {
    ExprPtr negated = context_.bvNot(e);
    interpreter_.built(negated, Kind::Not, {e});
    return negated;
  }

private:
  ExprPtr number(uint64_t n) { return context_.constant(n, value_->width()); }
  ExprPtr note(ExprPtr result, Kind kind, ExprPtr a, ExprPtr b) {
    interpreter_.built(result, kind, {a, b});
    return result;
  }

  Interpreter &interpreter_;
  expr::ExprContext &context_;
  ExprPtr value_;
};

} // namespace

std::map<uint32_t, SwitchWay> switchWays(Interpreter &interpreter,
                                         const program::SwitchTable &table, ExprPtr value) {
  Conditions conditions(interpreter, value);
  std::map<uint32_t, SwitchWay> ways;
  ExprPtr isCase = nullptr; // that does not go where the default goes
  auto addTo = [&](ExprPtr &any, ExprPtr e) { any = any ? conditions.both(Kind::Or, any, e) : e; };
  const auto &values = table.values; // ascending
  /// The last of the neighbours of values[from] that `belong`.
  auto endOf = [&](size_t from, auto belong) {
    while (from + 1 < values.size() && values[from + 1] == values[from] + 1 && belong(from + 1))
      from++;
    return from;
  };
  for (size_t i = 0; i < values.size(); i++) {
    if (table.sides[i] == 0) continue;
    const size_t end = endOf(i, [&](size_t n) { return table.sides[n] == table.sides[i]; });
    SwitchWay &way = ways[table.sides[i]];
    way.target = table.targets[i];
    addTo(way.condition, conditions.isBetween(values[i], values[end]));
    i = end;
  }
  for (size_t i = 0; i < values.size(); i++) {
    if (table.sides[i] == 0) continue;
    const size_t end = endOf(i, [&](size_t n) { return table.sides[n] != 0; });
    addTo(isCase, conditions.isBetween(values[i], values[end]));
    i = end;
  }
  ways[0] = {table.defaultTarget,
             isCase ? conditions.negation(isCase) : interpreter.context().trueExpr()};
  return ways;
}

} // namespace fathom::explore
