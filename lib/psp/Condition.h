// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on program states: C in [psp23] Sec. III-C.
//
//   std::variant<Condition, ConditionError> parsed = parseCondition("b[i] <= 3*i*i + 3*i",
//   samples);
//
// The operators are C's. Arithmetic is that of the integers and does not wrap around. Variables are
// names of the samples, which may look like `i`, `b[i]`, `p->length`, `s.count` or `*p`; spaces in
// them do not matter.
#ifndef FATHOM_PSP_CONDITION_H
#define FATHOM_PSP_CONDITION_H

#include "psp/Samples.h"

#include <memory>
#include <variant>

namespace fathom::psp {

using Wide = __int128;

enum class Operator : uint8_t {
  Number,
  Variable,
  Negate,
  Complement,
  Not,
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
};

/// What an expression can be, given what its variables can be.
struct Interval {
  Wide lo = 0, hi = 0;
};

/// An immutable expression. As a condition, it holds where its value is not 0.
class Condition {
public:
  static Condition number(int64_t value);
  static Condition variable(VariableId id);
  static Condition unary(Operator op, Condition a);
  static Condition binary(Operator op, Condition a, Condition b);

  /// Absent: a variable is not bound, a division by zero, or a number beyond 127 bits.
  std::optional<Wide> evaluate(const State &state) const;
  /// Whether it holds; a value that is absent does not.
  bool holds(const State &state) const { return evaluate(state).value_or(0) != 0; }
  /// Shape: one interval per variable 0, 1, ...; all variables of the condition have one.
  /// Guarantee: over-approximates the values of evaluate(), where there is one.
  Interval range(std::span<const std::pair<int64_t, int64_t>> box) const;
  Condition negation() const { return unary(Operator::Not, *this); }
  /// Ascending, without duplicates.
  std::vector<VariableId> variables() const;
  /// With other ids: variable `ids[i]` becomes i. REQUIRES all its variables in `ids`.
  Condition renamed(std::span<const VariableId> ids) const;
  /// In C, with parentheses around every operation but the outermost, and negative numbers.
  std::string text(const std::vector<std::string> &names) const;

private:
  struct Node;
  explicit Condition(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  void collect(std::vector<VariableId> &out) const;
  std::shared_ptr<const Node> node_;
};

struct ConditionError {
  std::string text; ///< "unknown variable 'x'; known: i, n"
};
/// Errors: what is not a condition; a variable that the samples have no name for.
std::variant<Condition, ConditionError> parseCondition(const std::string &text,
                                                       const Samples &samples);

} // namespace fathom::psp
#endif
