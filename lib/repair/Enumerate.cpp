// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/Enumerate.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>

namespace fathom::repair {

namespace {

using psp::Condition;
using psp::Operator;
using Values = std::vector<int64_t>; ///< one for each state

bool commutes(Operator op) {
  switch (op) {
  case Operator::Add:
  case Operator::Multiply:
  case Operator::Equal:
  case Operator::NotEqual:
  case Operator::And:
  case Operator::Or: return true;
  default: return false;
  }
}

/// One type of expressions.
struct Bank {
  std::vector<CandidateClass> classes;
  std::vector<Values> values; ///< by class
  std::map<Values, size_t> known;
  bool isFull = false; ///< a class had no room
};

class Enumerator {
public:
  Enumerator(const Grammar &grammar, Goal goal, const std::function<bool()> &stop)
      : grammar_(grammar), goal_(goal), stop_(stop) {
    assert(!grammar.states.empty() && "expressions are told apart by states");
  }

  Enumeration run() {
    for (psp::VariableId v = 0; v < grammar_.variables; ++v) leaf(numbers_, Condition::variable(v));
    for (const int64_t constant : grammar_.constants) leaf(numbers_, Condition::number(constant));
    // No number is made of conditions.
    if (goal_ == Goal::Condition) {
      for (const int64_t constant : {0, 1}) leaf(conditions_, Condition::number(constant));
      for (size_t t = 0; t < grammar_.truths; ++t)
        leaf(conditions_,
             Condition::variable(static_cast<psp::VariableId>(grammar_.variables + t)));
    }
    Enumeration out;
    out.completeDepth = 1;
    for (unsigned depth = 2; depth <= grammar_.mostDepth; ++depth) {
      const bool hasAllOperands = !numbers_.isFull;
      if (!level(depth)) break;
      if (hasAllOperands) out.completeDepth = depth;
    }
    out.classes = std::move(goal_ == Goal::Number ? numbers_.classes : conditions_.classes);
    out.tried = tried_;
    return out;
  }

private:
  void leaf(Bank &bank, const Condition &formula) {
    Values values;
    for (const psp::State &state : grammar_.states) {
      const std::optional<psp::Wide> value = formula.evaluate(state);
      assert(value && "each state binds all variables");
      values.push_back(static_cast<int64_t>(*value));
    }
    ++tried_;
    // A leaf that equals another one in all states is still one of its own: the difference may be
    // just what the patch is about.
    bank.known.try_emplace(values, bank.classes.size());
    bank.values.push_back(std::move(values));
    bank.classes.push_back({{formula, 1, 1}, {}, 0});
  }

  void insert(Bank &bank, Candidate candidate, Values values) {
    const auto [at, isNew] = bank.known.try_emplace(std::move(values), bank.classes.size());
    if (isNew) {
      bank.values.push_back(at->first);
      bank.classes.push_back({std::move(candidate), {}, 0});
      return;
    }
    CandidateClass &same = bank.classes[at->second];
    if (same.others.size() < grammar_.mostOthers)
      same.others.push_back(std::move(candidate));
    else
      ++same.leftOut;
  }

  /// The value of the operation in each state; none: undefined in one, or too large.
  static std::optional<Values> apply(Operator op, const Values &a, const Values &b) {
    static const Condition x = Condition::variable(0), y = Condition::variable(1);
    const Condition formula = Condition::binary(op, x, y);
    Values out(a.size());
    psp::State state = psp::State::of({0, 0});
    for (size_t i = 0; i < a.size(); ++i) {
      state.bindings[0].second = a[i];
      state.bindings[1].second = b[i];
      const std::optional<psp::Wide> value = formula.evaluate(state);
      if (!value || *value < INT64_MIN || *value > INT64_MAX) return std::nullopt;
      out[i] = static_cast<int64_t>(*value);
    }
    return out;
  }

  /// All pairs of operands of which one has depth - 1 and none more, small ones first. False: a
  /// bound cut.
  bool level(unsigned depth) {
    // What this level adds is no operand of it.
    const size_t numbers = numbers_.classes.size(), conditions = conditions_.classes.size();
    unsigned most = 0;
    for (const CandidateClass &c : numbers_.classes) most = std::max(most, c.first.size);
    for (const CandidateClass &c : conditions_.classes) most = std::max(most, c.first.size);
    for (unsigned size = 3; size <= 2 * most + 1; ++size) {
      if (goal_ == Goal::Condition &&
          (!pairs(numbers_, numbers, depth, size,
                  {Operator::Less, Operator::LessEqual, Operator::Greater, Operator::GreaterEqual,
                   Operator::Equal, Operator::NotEqual},
                  conditions_, /*ordered=*/true) ||
           !pairs(conditions_, conditions, depth, size, {Operator::And, Operator::Or}, conditions_,
                  /*ordered=*/true)))
        return false;
      // Conditions are not made of numbers of the last depth.
      if ((goal_ == Goal::Number || depth < grammar_.mostDepth) &&
          !pairs(numbers_, numbers, depth, size,
                 {Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide,
                  Operator::Remainder},
                 numbers_, /*ordered=*/false))
        return false;
    }
    return true;
  }

  /// \param ordered  only pairs whose first comes before the second: a > b is tried, b < a is not.
  bool pairs(const Bank &from, size_t count, unsigned depth, unsigned size,
             std::initializer_list<Operator> ops, Bank &into, bool ordered) {
    std::vector<std::vector<size_t>> bySize(size);
    for (size_t i = 0; i < count; ++i)
      if (const unsigned s = from.classes[i].first.size; s < size) bySize[s].push_back(i);
    for (unsigned left = 1; left + 1 < size; ++left)
      for (const size_t i : bySize[left])
        for (const size_t j : bySize[size - 1 - left]) {
          const Candidate &a = from.classes[i].first, &b = from.classes[j].first;
          if (std::max(a.depth, b.depth) + 1 != depth || (ordered && j <= i)) continue;
          if (a.formula.variables().empty() && b.formula.variables().empty()) continue;
          for (const Operator op : ops) {
            if (j < i && commutes(op)) continue;
            if (!combine(from, i, j, op, into)) return false;
          }
        }
    return true;
  }

  bool combine(const Bank &from, size_t i, size_t j, Operator op, Bank &into) {
    if (tried_ >= grammar_.mostTried) return false;
    ++tried_;
    if (stop_ && tried_ % 1024 == 0 && stop_()) return false;
    std::optional<Values> values = apply(op, from.values[i], from.values[j]);
    if (!values) return true;
    if (!into.known.count(*values) && into.classes.size() >= grammar_.mostClasses) {
      into.isFull = true;
      // Only a condition's operands are combined further, if they have room.
      return goal_ == Goal::Condition && &into == &numbers_;
    }
    const Candidate &a = from.classes[i].first, &b = from.classes[j].first;
    // Copied before `into` grows: it may be `from`.
    Candidate made{Condition::binary(op, a.formula, b.formula), std::max(a.depth, b.depth) + 1,
                   a.size + b.size + 1};
    insert(into, std::move(made), std::move(*values));
    return true;
  }

  const Grammar &grammar_;
  const Goal goal_;
  const std::function<bool()> &stop_;
  Bank numbers_, conditions_;
  uint64_t tried_ = 0;
};

} // namespace

Enumeration enumerate(const Grammar &grammar, Goal goal, const std::function<bool()> &stop) {
  return Enumerator(grammar, goal, stop).run();
}

} // namespace fathom::repair
