// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parser by precedence. Where a name of the samples fits, the longest is taken, so that `b[i]`
// needs no knowledge of arrays.
#include "psp/Condition.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fathom::psp {

namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

struct BinaryOperator {
  const char *text;
  Operator op;
  int level; ///< the higher, the closer
};
/// Longer ones before their beginnings.
constexpr BinaryOperator kOperators[] = {
    {"||", Operator::Or, 1},        {"&&", Operator::And, 2},
    {"==", Operator::Equal, 6},     {"!=", Operator::NotEqual, 6},
    {"<<", Operator::ShiftLeft, 8}, {">>", Operator::ShiftRight, 8},
    {"<=", Operator::LessEqual, 7}, {">=", Operator::GreaterEqual, 7},
    {"<", Operator::Less, 7},       {">", Operator::Greater, 7},
    {"|", Operator::BitOr, 3},      {"^", Operator::BitXor, 4},
    {"&", Operator::BitAnd, 5},     {"+", Operator::Add, 9},
    {"-", Operator::Subtract, 9},   {"*", Operator::Multiply, 10},
    {"/", Operator::Divide, 10},    {"%", Operator::Remainder, 10},
};
constexpr int kMaxNested = 200;
/// What a chain such as a + a + ... becomes is as deep as it is long, and is walked recursively.
constexpr int kMaxOperators = 2000;

class Parser {
public:
  Parser(const std::string &text, const Samples &samples) : text_(text), samples_(samples) {}

  std::variant<Condition, ConditionError> run() {
    std::optional<Condition> out = expression(1);
    skipSpace();
    if (out && at_ != text_.size())
      out = fail(fmt::format("expected an operator before '{}'", text_.substr(at_)));
    if (!out) return ConditionError{error_};
    return std::move(*out);
  }

private:
  std::optional<Condition> fail(const std::string &why) {
    if (error_.empty()) error_ = why;
    return std::nullopt;
  }
  void skipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  const BinaryOperator *peekOperator() {
    skipSpace();
    for (const BinaryOperator &op : kOperators)
      if (text_.compare(at_, std::char_traits<char>::length(op.text), op.text) == 0) return &op;
    return nullptr;
  }

  std::optional<Condition> expression(int least) {
    std::optional<Condition> left = operand();
    while (left) {
      const BinaryOperator *op = peekOperator();
      if (!op || op->level < least) break;
      if (++operators_ > kMaxOperators) return fail("the condition has too many operators");
      at_ += std::char_traits<char>::length(op->text);
      std::optional<Condition> right = expression(op->level + 1);
      if (!right) return std::nullopt;
      left = Condition::binary(op->op, std::move(*left), std::move(*right));
    }
    return left;
  }

  /// How far a name of the samples reaches from here, spaces aside; 0: it does not fit.
  size_t matches(const std::string &name) const {
    size_t at = at_;
    for (const char c : name) {
      if (std::isspace(static_cast<unsigned char>(c))) continue;
      while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at]))) ++at;
      if (at >= text_.size() || text_[at] != c) return 0;
      ++at;
    }
    if (name.empty() || (isWord(name.back()) && at < text_.size() && isWord(text_[at]))) return 0;
    return at;
  }

  std::optional<Condition> name() {
    size_t best = 0;
    VariableId id = 0;
    for (VariableId v = 0; v < samples_.names().size(); ++v)
      if (const size_t end = matches(samples_.names()[v]); end > best) best = end, id = v;
    if (!best) return std::nullopt;
    at_ = best;
    return Condition::variable(id);
  }

  std::optional<Condition> literal() {
    size_t used = 0;
    const size_t from = at_;
    while (at_ + used < text_.size() && isWord(text_[at_ + used])) ++used;
    const std::string digits = text_.substr(from, used);
    char *end = nullptr;
    errno = 0;
    const unsigned long long value = std::strtoull(digits.c_str(), &end, 0);
    std::string suffix = end;
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), ::tolower);
    const bool isKnown = suffix.empty() || suffix == "u" || suffix == "l" || suffix == "ul" ||
                         suffix == "ll" || suffix == "ull" || suffix == "lu" || suffix == "llu";
    if (errno || !isKnown || value > INT64_MAX)
      return fail(fmt::format("'{}' is no number below 2^63", digits));
    at_ += used;
    return Condition::number(static_cast<int64_t>(value));
  }

  std::optional<Condition> operand() {
    if (++nested_ > kMaxNested) return fail("the condition is nested too deeply");
    std::optional<Condition> out = operandInside();
    --nested_;
    return out;
  }

  std::optional<Condition> operandInside() {
    skipSpace();
    if (std::optional<Condition> known = name()) return known;
    if (at_ >= text_.size()) return fail("expected a number or a variable at the end");
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c))) return literal();
    if (take('(')) {
      std::optional<Condition> inner = expression(1);
      if (inner && !take(')')) return fail("expected ')'");
      return inner;
    }
    constexpr std::pair<char, Operator> kUnary[] = {
        {'-', Operator::Negate}, {'~', Operator::Complement}, {'!', Operator::Not}};
    for (const auto &[sign, op] : kUnary)
      if (take(sign)) {
        std::optional<Condition> inner = operand();
        if (!inner) return std::nullopt;
        return Condition::unary(op, std::move(*inner));
      }
    if (take('+')) return operand();
    if (!isWord(c))
      return fail(fmt::format("expected a number or a variable before '{}'", text_.substr(at_)));
    size_t end = at_;
    while (end < text_.size() && isWord(text_[end])) ++end;
    return fail(fmt::format("unknown variable '{}'; known: {}", text_.substr(at_, end - at_),
                            fmt::join(samples_.names(), ", ")));
  }

  const std::string &text_;
  const Samples &samples_;
  size_t at_ = 0;
  int nested_ = 0, operators_ = 0;
  std::string error_;
};

} // namespace

std::variant<Condition, ConditionError> parseCondition(const std::string &text,
                                                       const Samples &samples) {
  return Parser(text, samples).run();
}

} // namespace fathom::psp
