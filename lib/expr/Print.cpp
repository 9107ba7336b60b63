// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms as SMT-LIB text. Width-1 terms exist in two sorts there: predicates and logic are Bool,
// slices of bytes are
// (_ BitVec 1); a term is written in its natural sort and converted where the other one is wanted.
// Floating-point numbers are written as what they are here, bit patterns, with a conversion around
// each operation; which NaN an operation gives is not in the text.
#include "expr/ExprContext.h"
#include "expr/FloatFold.h"
#include "expr/Fold.h"
#include "expr/TermVisitor.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallString.h>

#include <cstdio>
#include <deque>

namespace fathom::expr {

namespace {

enum class Sort : uint8_t { Natural, Bool, BitVector };

bool isBoolSorted(ExprPtr e) {
  if (e->width() != 1) return false;
  switch (e->kind()) {
  case Kind::Const:
  case Kind::Not:
  case Kind::And:
  case Kind::Or:
  case Kind::Xor:
  case Kind::Forall:
  case Kind::Ite: return true;
  default: return isPredicate(e->kind()) || isFloatPredicate(e->kind());
  }
}

const char *operatorName(ExprPtr e) {
  const bool logic = e->width() == 1;
  switch (e->kind()) {
  case Kind::Read: return "select";
  case Kind::Store: return "store";
  case Kind::Concat: return "concat";
  case Kind::Not: return logic ? "not" : "bvnot";
  case Kind::And: return logic ? "and" : "bvand";
  case Kind::Or: return logic ? "or" : "bvor";
  case Kind::Xor: return logic ? "xor" : "bvxor";
  case Kind::Add: return "bvadd";
  case Kind::Sub: return "bvsub";
  case Kind::Mul: return "bvmul";
  case Kind::UDiv: return "bvudiv";
  case Kind::SDiv: return "bvsdiv";
  case Kind::URem: return "bvurem";
  case Kind::SRem: return "bvsrem";
  case Kind::Shl: return "bvshl";
  case Kind::LShr: return "bvlshr";
  case Kind::AShr: return "bvashr";
  case Kind::Eq: return "=";
  case Kind::Ult: return "bvult";
  case Kind::Ule: return "bvule";
  case Kind::Slt: return "bvslt";
  case Kind::Sle: return "bvsle";
  case Kind::Ite: return "ite";
  default: return "?";
  }
}

std::string floatSort(unsigned width) {
  const FloatFormat f = floatFormat(width);
  return std::to_string(f.exponentBits) + " " + std::to_string(f.precision());
}

const char *roundingName(Rounding rounding) {
  switch (rounding) {
  case Rounding::Down: return "RTN";
  case Rounding::Up: return "RTP";
  case Rounding::TowardZero: return "RTZ";
  case Rounding::NearestEven: return "RNE";
  case Rounding::NearestAway: return "RNA";
  }
  return "?";
}

/// What comes before the operands of a floating-point operation.
std::string floatOperator(ExprPtr e) {
  switch (e->kind()) {
  case Kind::FAdd: return "fp.add RNE";
  case Kind::FSub: return "fp.sub RNE";
  case Kind::FMul: return "fp.mul RNE";
  case Kind::FDiv: return "fp.div RNE";
  case Kind::FEq: return "fp.eq";
  case Kind::FLt: return "fp.lt";
  case Kind::FLe: return "fp.leq";
  case Kind::FSqrt: return "fp.sqrt RNE";
  case Kind::FFma: return "fp.fma RNE";
  case Kind::FRound: return std::string("fp.roundToIntegral ") + roundingName(e->rounding());
  case Kind::FConvert:
  case Kind::SToF: return "(_ to_fp " + floatSort(e->width()) + ") RNE";
  case Kind::UToF: return "(_ to_fp_unsigned " + floatSort(e->width()) + ") RNE";
  case Kind::FToS: return "(_ fp.to_sbv " + std::to_string(e->width()) + ") RTZ";
  case Kind::FToU: return "(_ fp.to_ubv " + std::to_string(e->width()) + ") RTZ";
  default: return "?";
  }
}

class Printer {
public:
  /// isBody: of a Forall, whose terms are open or have their names already.
  std::string print(ExprPtr root, Sort sort = Sort::Natural, bool isBody = false) {
    TermVisitor visitor;
    std::vector<ExprPtr> order;
    llvm::DenseMap<ExprPtr, unsigned> uses;
    visitPostOrder(root, visitor, [&](ExprPtr e) {
      order.push_back(e);
      for (unsigned i = 0; i < e->numOps(); ++i) ++uses[e->op(i)];
    });
    unsigned lets = 0;
    for (ExprPtr e : order) {
      if (e == root || e->numOps() == 0 || uses[e] < 2 || e->has(kIsOpen) != isBody) continue;
      if (names_.contains(e)) continue;
      ++lets;
      std::string name = "?" + std::to_string(++named_);
      out_ += "(let ((" + name + " ";
      term(e);
      out_ += ")) ";
      names_[e] = name;
    }
    term(root, sort);
    out_.append(lets, ')');
    return std::move(out_);
  }

private:
  struct Item { // a term to write in some sort, or text
    ExprPtr term;
    Sort sort;
    const char *text;
  };

  void constant(ExprPtr e, Sort sort) {
    if (e->width() == 1 && sort != Sort::BitVector) {
      out_ += e->value() ? "true" : "false";
    } else if (e->width() % 4 == 0) {
      llvm::SmallString<64> digits;
      toAPInt(e).toString(digits, 16, /*Signed=*/false, /*formatAsCLiteral=*/false,
                          /*UpperCase=*/false);
      out_ += "#x" + std::string(e->width() / 4 - digits.size(), '0') + digits.str().str();
    } else {
      llvm::SmallString<64> digits;
      toAPInt(e).toString(digits, 2, /*Signed=*/false);
      out_ += "#b" + std::string(e->width() - digits.size(), '0') + digits.str().str();
    }
  }

  /// ... of which each operand is a bit pattern to be read as a number, and so is the result.
  void floatTerm(ExprPtr e) {
    const bool ofInteger = e->kind() == Kind::SToF || e->kind() == Kind::UToF;
    out_ += (isFloatValued(e->kind()) ? "(fp.to_ieee_bv (" : "(") + floatOperator(e);
    pushText(isFloatValued(e->kind()) ? "))" : ")");
    for (unsigned i = e->numOps(); i-- > 0;) {
      if (!ofInteger) pushText(")");
      push(e->op(i), Sort::BitVector);
      if (!ofInteger)
        pushText(e->op(i)->width() == 64   ? " ((_ to_fp 11 53) "
                 : e->op(i)->width() == 32 ? " ((_ to_fp 8 24) "
                                           : " ((_ to_fp 5 11) ");
      else
        pushText(" ");
    }
  }

  /// Shared parts of the body that depend on the number get their names within it.
  void forall(ExprPtr e) {
    Printer body;
    body.names_ = names_;
    body.named_ = named_;
    ExprPtr count = e->op(0);
    char range[20];
    std::snprintf(range, sizeof range, "#x%016llx", static_cast<unsigned long long>(e->range()));
    out_ += "(forall ((?i (_ BitVec 64))) (or (= ?i #x0000000000000000) (bvult ";
    out_ += std::string(range) + " ?i) (bvult ";
    bodies_.push_back(body.print(e->op(1), Sort::Bool, /*isBody=*/true));
    pushText("))");
    pushText(bodies_.back().c_str());
    pushText(" ?i) ");
    push(count, Sort::BitVector);
  }

  void push(ExprPtr e, Sort sort) { stack_.push_back({e, sort, nullptr}); }
  void pushText(const char *text) { stack_.push_back({nullptr, Sort::Natural, text}); }

  void term(ExprPtr root, Sort sort = Sort::Natural) {
    push(root, sort);
    while (!stack_.empty()) {
      Item item = stack_.back();
      stack_.pop_back();
      if (item.text)
        out_ += item.text;
      else
        step(item.term, item.sort);
    }
  }

  /// Writes what comes before the operands of e, and leaves operands and closing text on the stack.
  void step(ExprPtr e, Sort wanted) {
    if (e->isConst()) return constant(e, wanted);
    const bool isBool = isBoolSorted(e);
    if (wanted == Sort::Bool && !isBool) {
      out_ += "(= ";
      pushText(" #b1)");
      return push(e, Sort::BitVector);
    }
    if (wanted == Sort::BitVector && isBool) {
      out_ += "(ite ";
      pushText(" #b1 #b0)");
      return push(e, Sort::Bool);
    }
    if (auto it = names_.find(e); it != names_.end()) {
      out_ += it->second;
      return;
    }
    if (isFloatKind(e->kind())) return floatTerm(e);
    switch (e->kind()) {
    case Kind::Bound: out_ += "?i"; return;
    case Kind::Forall: return forall(e);
    case Kind::SymbolArray:
    case Kind::ConstArray: out_ += e->array().name; return;
    case Kind::Apply: out_ += "(|" + e->array().name + "| "; break;
    case Kind::Extract:
      out_ += "((_ extract " + std::to_string(e->offset() + e->width() - 1) + " " +
              std::to_string(e->offset()) + ") ";
      break;
    case Kind::ZExt:
    case Kind::SExt:
      out_ += e->kind() == Kind::ZExt ? "((_ zero_extend " : "((_ sign_extend ";
      out_ += std::to_string(e->width() - e->op(0)->width()) + ") ";
      break;
    default: out_ += std::string("(") + operatorName(e) + " "; break;
    }
    pushText(")");
    for (unsigned i = e->numOps(); i-- > 0;) {
      push(e->op(i), operandSort(e, i));
      if (i) pushText(" ");
    }
  }

  static Sort operandSort(ExprPtr e, unsigned i) {
    switch (e->kind()) {
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
    case Kind::Xor: return e->width() == 1 ? Sort::Bool : Sort::BitVector;
    case Kind::Ite: return i == 0 || e->width() == 1 ? Sort::Bool : Sort::BitVector;
    default: return e->op(i)->isArray() ? Sort::Natural : Sort::BitVector;
    }
  }

  std::string out_;
  std::vector<Item> stack_;
  std::deque<std::string> bodies_; ///< texts that stack_ refers to
  unsigned named_ = 0;
  llvm::DenseMap<ExprPtr, std::string> names_; // looked up only
};

} // namespace

std::string toString(ExprPtr e) { return Printer().print(e); }

std::string toFormula(ExprPtr e) { return Printer().print(e, Sort::Bool); }

} // namespace fathom::expr
