// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/Readable.h"

#include "expr/Fold.h"

#include <llvm/ADT/SmallString.h>

#include <cctype>
#include <optional>

namespace fathom::expr {

namespace {

/// How tightly operators bind; operands that bind less get parentheses.
enum Binding : int { kLoose, kChoice, kOr, kAnd, kCompare, kBits, kShift, kSum, kProduct, kUnary };

struct Operator {
  const char *text;
  Binding binding;
};

std::optional<Operator> operatorOf(ExprPtr e) {
  const bool isLogic = e->width() == 1;
  switch (e->kind()) {
  case Kind::And: return isLogic ? Operator{" and ", kAnd} : Operator{" & ", kBits};
  case Kind::Or: return isLogic ? Operator{" or ", kOr} : Operator{" | ", kBits};
  case Kind::Xor: return isLogic ? Operator{" != ", kCompare} : Operator{" ^ ", kBits};
  case Kind::Add: return Operator{" + ", kSum};
  case Kind::Sub: return Operator{" - ", kSum};
  case Kind::Mul: return Operator{" * ", kProduct};
  case Kind::UDiv: return Operator{" / ", kProduct};
  case Kind::SDiv: return Operator{" /s ", kProduct};
  case Kind::URem: return Operator{" % ", kProduct};
  case Kind::SRem: return Operator{" %s ", kProduct};
  case Kind::Shl: return Operator{" << ", kShift};
  case Kind::LShr: return Operator{" >> ", kShift};
  case Kind::AShr: return Operator{" >>s ", kShift};
  case Kind::Concat: return Operator{" : ", kBits};
  case Kind::Eq: return Operator{" == ", kCompare};
  case Kind::Ult: return Operator{" < ", kCompare};
  case Kind::Ule: return Operator{" <= ", kCompare};
  case Kind::Slt: return Operator{" <s ", kCompare};
  case Kind::Sle: return Operator{" <=s ", kCompare};
  default: return {};
  }
}

/// The operator of the opposite comparison.
const char *oppositeOf(Kind kind) {
  switch (kind) {
  case Kind::Eq: return " != ";
  case Kind::Ult: return " >= ";
  case Kind::Ule: return " > ";
  case Kind::Slt: return " >=s ";
  case Kind::Sle: return " >s ";
  default: return nullptr;
  }
}

/// Bytes of an array that follow each other, the lowest first, as one number.
struct WordRead {
  ExprPtr array;
  uint64_t from, bytes;
};

std::optional<WordRead> wordRead(ExprPtr e) {
  if (e->kind() == Kind::Read) {
    if (e->op(0)->kind() != Kind::SymbolArray || !e->op(1)->isConst()) return {};
    return WordRead{e->op(0), e->op(1)->value(), 1};
  }
  if (e->kind() != Kind::Concat) return {};
  const auto high = wordRead(e->op(0)), low = wordRead(e->op(1));
  if (!high || !low || high->array != low->array || high->from != low->from + low->bytes) return {};
  return WordRead{low->array, low->from, low->bytes + high->bytes};
}

class Writer {
public:
  explicit Writer(const ReadableOptions &options) : options_(options) {}

  std::string write(std::span<const ExprPtr> conjuncts) {
    for (ExprPtr e : conjuncts) {
      if (!out_.empty()) out_ += " and ";
      term(e, conjuncts.size() > 1 ? kAnd : kLoose);
    }
    if (isFull()) out_ = out_.substr(0, options_.mostBytes) + "...";
    return out_.empty() ? "true" : std::move(out_);
  }

private:
  bool isFull() const { return out_.size() > options_.mostBytes; }

  void constant(ExprPtr e) {
    if (e->width() == 1) {
      out_ += e->value() ? "true" : "false";
      return;
    }
    llvm::SmallString<40> digits;
    toAPInt(e).toString(digits, 10, /*Signed=*/false);
    out_ += digits;
  }

  /// A byte that is compared with one: as a character where it is one.
  void compared(ExprPtr e, ExprPtr other) {
    const bool isCharacter = e->isConst() && e->width() == 8 && !other->isConst() &&
                             std::isprint(static_cast<int>(e->value())) && e->value() != '\'' &&
                             e->value() != '\\';
    if (isCharacter)
      out_ += {'\'', static_cast<char>(e->value()), '\''};
    else
      term(e, kBits);
  }

  void word(const WordRead &read) {
    const bool isWhole = read.from == 0 && read.bytes == read.array->array().sizeBytes;
    if (auto name = options_.names.find(read.array); isWhole && name != options_.names.end()) {
      out_ += name->second;
      return;
    }
    out_ += read.array->array().name;
    if (isWhole) return;
    out_ += "[" + std::to_string(read.from);
    if (read.bytes > 1) out_ += ".." + std::to_string(read.from + read.bytes - 1);
    out_ += "]";
  }

  void negation(ExprPtr e) {
    if (e->width() == 1)
      if (const char *opposite = oppositeOf(e->op(0)->kind()))
        return infix(e->op(0), {opposite, kCompare});
    out_ += e->width() == 1 ? "not " : "~";
    term(e->op(0), kUnary);
  }

  /// In a comparison the number stands last.
  void infix(ExprPtr e, Operator op) {
    if (op.binding == kCompare) {
      // C's order: the number last.
      const bool isTurned = e->kind() == Kind::Eq && e->op(0)->isConst();
      ExprPtr left = e->op(isTurned ? 1 : 0), right = e->op(isTurned ? 0 : 1);
      compared(left, right);
      out_ += op.text;
      compared(right, left);
      return;
    }
    ExprPtr left = e->op(0), right = e->op(1);
    // These bind alike here, and not in C.
    const bool isMixed = op.binding == kBits && left->kind() != e->kind();
    term(left, isMixed ? kBits + 1 : op.binding);
    // x + (2^n - c) is x - c.
    if (e->kind() == Kind::Add && right->isConst() && right->width() > 1 && right->width() <= 64 &&
        right->value() >> (right->width() - 1)) {
      out_ +=
          " - " + std::to_string((~right->value() + 1) & (~uint64_t(0) >> (64 - right->width())));
      return;
    }
    out_ += op.text;
    // a - (b - c) needs its parentheses, a + (b + c) none.
    const bool isAssociative = e->kind() == Kind::Add || e->kind() == Kind::Mul ||
                               e->kind() == Kind::And || e->kind() == Kind::Or;
    term(right, isAssociative && right->kind() == e->kind() ? op.binding : op.binding + 1);
  }

  void call(const std::string &name, ExprPtr e) {
    out_ += name + "(";
    for (unsigned i = 0; i < e->numOps() && !isFull(); i++) {
      if (i) out_ += ", ";
      term(e->op(i), kLoose);
    }
    out_ += ")";
  }

  static int bindingOf(ExprPtr e) {
    if (wordRead(e)) return kUnary;
    if (e->kind() == Kind::Ite || e->kind() == Kind::Extract) return kChoice;
    if (e->kind() == Kind::Not && e->width() == 1 && oppositeOf(e->op(0)->kind())) return kCompare;
    if (e->kind() == Kind::ZExt) return bindingOf(e->op(0));
    if (e->kind() == Kind::Forall) return kLoose;
    const auto op = operatorOf(e);
    return op ? op->binding : kUnary;
  }

  /// In parentheses if it binds less than `least`.
  void term(ExprPtr e, int least) {
    if (isFull()) return;
    if (depth_ == kMaxDepth) {
      out_ += "...";
      return;
    }
    depth_++;
    const bool isApart = bindingOf(e) < least;
    if (isApart) out_ += "(";
    bare(e);
    if (isApart) out_ += ")";
    depth_--;
  }

  void bare(ExprPtr e) {
    if (e->isConst()) return constant(e);
    if (auto read = wordRead(e)) return word(*read);
    switch (e->kind()) {
    case Kind::ZExt: return bare(e->op(0));
    case Kind::SExt: return call("signed", e);
    case Kind::Not: return negation(e);
    case Kind::Bound: out_ += "i"; return;
    case Kind::SymbolArray:
    case Kind::ConstArray: out_ += e->array().name; return;
    case Kind::Read:
      term(e->op(0), kUnary);
      out_ += "[";
      term(e->op(1), kLoose);
      out_ += "]";
      return;
    case Kind::Extract:
      out_ += e->width() == 1 ? "bit " + std::to_string(e->offset())
                              : "bits " + std::to_string(e->offset()) + " to " +
                                    std::to_string(e->offset() + e->width() - 1);
      out_ += " of ";
      return term(e->op(0), kUnary);
    case Kind::Ite:
      term(e->op(0), kOr);
      out_ += " ? ";
      term(e->op(1), kOr);
      out_ += " : ";
      return term(e->op(2), kChoice);
    case Kind::Forall:
      out_ += "for 1 <= i <= ";
      term(e->op(0), kSum);
      out_ += ": ";
      return term(e->op(1), kLoose);
    case Kind::Store: return call("store", e);
    case Kind::Apply: return call(e->array().name, e);
    default: break;
    }
    if (const auto op = operatorOf(e)) return infix(e, *op);
    call("float", e);
  }

  static constexpr unsigned kMaxDepth = 200;
  const ReadableOptions &options_;
  std::string out_;
  unsigned depth_ = 0;
};

} // namespace

std::string toReadable(ExprPtr e, const ReadableOptions &options) {
  return Writer(options).write({&e, 1});
}

std::string toReadable(std::span<const ExprPtr> conjuncts, const ReadableOptions &options) {
  return Writer(options).write(conjuncts);
}

} // namespace fathom::expr
