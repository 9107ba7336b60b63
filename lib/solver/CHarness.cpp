// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A term that is used once is written where it is used; one that is used more often gets a name.
// Words of more than 64 bits are clang's _BitInt.
#include "solver/CHarness.h"

#include "expr/ExternalOperation.h"
#include "expr/FloatFold.h"
#include "expr/Fold.h"
#include "expr/TermVisitor.h"
#include "solver/CHarnessPrelude.h"

#include <llvm/ADT/DenseMap.h>

#include <fmt/format.h>

namespace fathom::solver {

using expr::ExprPtr;
using expr::Kind;

namespace {

class Writer {
public:
  Writer(const expr::RowLayout &layout, std::string &out) : layout_(layout), out_(out) {}
  std::string error;

  /// Counts uses, over all terms that will be written.
  void count(ExprPtr root) {
    expr::visitPostOrder(root, counted_, [&](ExprPtr e) {
      for (unsigned i = 0; i < e->numOps(); ++i) ++uses_[e->op(i)];
    });
    ++uses_[root];
  }

  /// Writes what the term needs, and returns an expression for it.
  std::string term(ExprPtr root) {
    // Operands first, without recursion: terms are tall.
    std::vector<ExprPtr> order;
    std::vector<std::pair<ExprPtr, unsigned>> stack{{root, 0}};
    while (!stack.empty()) {
      auto &[e, next] = stack.back();
      if (text_.contains(e) || e->isConst()) {
        stack.pop_back();
        continue;
      }
      if (next < e->numOps()) {
        ExprPtr op = e->op(next++);
        stack.push_back({op, 0});
        continue;
      }
      ExprPtr done = e;
      stack.pop_back();
      place(done);
    }
    return get(root);
  }

  std::string arrayName(ExprPtr array) {
    if (array->kind() != Kind::Apply) return "in_" + array->array().name;
    return fmt::format("results{}", layout_.application(array)->offset);
  }

private:
  static constexpr size_t kMaxLine = 160;

  std::string get(ExprPtr e) {
    if (!e->isConst()) return text_.at(e);
    if (e->width() > 64) {
      std::string s;
      for (unsigned i = (e->width() + 63) / 64; i-- > 0;)
        s = s.empty() ? fmt::format("({}){:#x}u", type(e), e->word(i))
                      : fmt::format("({} << 64 | {:#x}u)", s, e->word(i));
      return "(" + s + ")";
    }
    return e->value() < 1000 ? fmt::format("{}", e->value()) : fmt::format("{:#x}u", e->value());
  }
  static std::string type(ExprPtr e) {
    return e->width() > 64 ? fmt::format("unsigned _BitInt({})", e->width()) : "u64";
  }
  void place(ExprPtr e) {
    if (e->isArray()) return array(e);
    std::string s = expression(e);
    if (uses_[e] > 1 || s.size() > kMaxLine || e->width() > 64) {
      const std::string name = fmt::format("v{}", names_++);
      fmt::format_to(std::back_inserter(out_), "  {} {} = {};\n", type(e), name, s);
      s = name;
    }
    text_[e] = std::move(s);
  }

  void array(ExprPtr e) {
    switch (e->kind()) {
    case Kind::SymbolArray: text_[e] = arrayName(e); return;
    case Kind::ConstArray: {
      const std::string name = fmt::format("table{}", names_++);
      std::string bytes;
      for (uint8_t b : e->array().contents) bytes += fmt::format("{},", b);
      fmt::format_to(std::back_inserter(out_), "  static const u8 {}[{}] = {{{}}};\n", name,
                     e->array().contents.size(), bytes);
      text_[e] = name;
      return;
    }
    case Kind::Store: {
      const std::string name = fmt::format("written{}", names_++), below = get(e->op(0));
      fmt::format_to(std::back_inserter(out_),
                     "  u8 {0}[sizeof {1}];\n  memcpy({0}, {1}, sizeof {0});\n"
                     "  if ((u64)({2}) < sizeof {0}) {0}[{2}] = {3};\n",
                     name, below, get(e->op(1)), get(e->op(2)));
      text_[e] = name;
      return;
    }
    case Kind::Apply: {
      const auto &operation = e->operation();
      const std::string name = fmt::format("results{}", names_++);
      fmt::format_to(std::back_inserter(out_), "  u8 {}[{}];\n  {}({}, {});\n", name,
                     operation.outputBytes, functionName(operation.name), get(e->op(0)), name);
      text_[e] = name;
      return;
    }
    default: error = "an array of an unknown kind"; return;
    }
  }

public:
  static std::string functionName(const std::string &operation) {
    std::string name = "op_";
    for (char c : operation) name += isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
  }

private:
  std::string expression(ExprPtr e) {
    const unsigned w = e->width();
    auto a = [&] { return get(e->op(0)); };
    auto b = [&] { return get(e->op(1)); };
    auto infix = [&](const char *o) { return fmt::format("({} {} {})", a(), o, b()); };
    auto cut = [&](std::string s) {
      return w % 64 && w < 64 ? fmt::format("CUT({}, {})", s, w) : s;
    };
    if (expr::isFloatKind(e->kind())) return floating(e);
    if (w > 64 || (e->numOps() && e->kind() != Kind::Read && e->kind() != Kind::Ite &&
                   e->op(0)->width() > 64))
      return wide(e);
    const unsigned from = e->numOps() ? e->op(0)->width() : 0;
    switch (e->kind()) {
    case Kind::Read:
      if (e->op(1)->isConst() && e->op(1)->value() < e->op(0)->array().sizeBytes)
        return fmt::format("{}[{}]", a(), e->op(1)->value());
      return fmt::format("AT({}, {})", a(), b());
    case Kind::Concat: return fmt::format("({} << {} | {})", "(u64)" + a(), e->op(1)->width(), b());
    case Kind::Extract:
      return e->offset() ? fmt::format("CUT({} >> {}, {})", a(), e->offset(), w)
                         : fmt::format("CUT({}, {})", a(), w);
    case Kind::ZExt: return a();
    case Kind::SExt: return fmt::format("CUT(SIGNED({}, {}), {})", a(), from, w);
    case Kind::Not: return w == 1 ? "!" + a() : cut("~(u64)" + a());
    case Kind::Ite: return fmt::format("({} ? {} : {})", a(), b(), get(e->op(2)));
    case Kind::And: return infix(w == 1 ? "&&" : "&");
    case Kind::Or: return infix(w == 1 ? "||" : "|");
    case Kind::Xor: return infix(w == 1 ? "!=" : "^");
    case Kind::Add: return cut(infix("+"));
    case Kind::Sub: return cut(fmt::format("((u64){} - {})", a(), b()));
    case Kind::Mul: return cut(fmt::format("((u64){} * {})", a(), b()));
    case Kind::UDiv: return fmt::format("udiv({}, {}, {})", a(), b(), w);
    case Kind::SDiv: return fmt::format("sdiv({}, {}, {})", a(), b(), w);
    case Kind::URem: return fmt::format("urem({}, {})", a(), b());
    case Kind::SRem: return fmt::format("srem({}, {}, {})", a(), b(), w);
    case Kind::Shl: return fmt::format("shl({}, {}, {})", a(), b(), w);
    case Kind::LShr: return fmt::format("lshr({}, {}, {})", a(), b(), w);
    case Kind::AShr: return fmt::format("ashr({}, {}, {})", a(), b(), w);
    case Kind::Eq: return infix("==");
    case Kind::Ult: return infix("<");
    case Kind::Ule: return infix("<=");
    case Kind::Slt:
    case Kind::Sle:
      return fmt::format("(SIGNED({}, {}) {} SIGNED({}, {}))", a(), from,
                         e->kind() == Kind::Slt ? "<" : "<=", b(), from);
    default: error = "a term of an unknown kind"; return "0";
    }
  }

  std::string wide(ExprPtr e) {
    const unsigned w = e->width();
    const unsigned from = e->op(0)->width();
    const std::string result = fmt::format("(unsigned _BitInt({}))", std::max(w, 2u));
    auto a = [&] { return get(e->op(0)); };
    auto b = [&] { return get(e->op(1)); };
    auto infix = [&](const char *o) { return fmt::format("({} {} {})", a(), o, b()); };
    auto asSigned = [&](const std::string &s) { return fmt::format("(_BitInt({})){}", from, s); };
    auto narrow = [&](const std::string &s) {
      return w <= 64 ? fmt::format("CUT({}, {})", s, w) : result + "(" + s + ")";
    };
    switch (e->kind()) {
    case Kind::Concat: return fmt::format("({}{} << {} | {})", result, a(), e->op(1)->width(), b());
    case Kind::Extract: return narrow(fmt::format("{} >> {}", a(), e->offset()));
    case Kind::ZExt: return result + a();
    case Kind::SExt:
      return from > 64 ? fmt::format("{}{}", result, asSigned(a()))
                       : fmt::format("{}(_BitInt({}))SIGNED({}, {})", result, w, a(), from);
    case Kind::Not: return narrow("~" + a());
    case Kind::Ite: return fmt::format("({} ? {} : {})", a(), b(), get(e->op(2)));
    case Kind::And: return infix("&");
    case Kind::Or: return infix("|");
    case Kind::Xor: return infix("^");
    case Kind::Add: return infix("+");
    case Kind::Sub: return infix("-");
    case Kind::Mul: return infix("*");
    case Kind::Eq: return infix("==");
    case Kind::Ult: return infix("<");
    case Kind::Ule: return infix("<=");
    case Kind::Slt: return fmt::format("({} < {})", asSigned(a()), asSigned(b()));
    case Kind::Sle: return fmt::format("({} <= {})", asSigned(a()), asSigned(b()));
    case Kind::UDiv: return fmt::format("({} ? {} / {} : ~{}0)", b(), a(), b(), result);
    case Kind::URem: return fmt::format("({} ? {} % {} : {})", b(), a(), b(), a());
    case Kind::Shl: return fmt::format("({} < {} ? {} << {} : {}0)", b(), w, a(), b(), result);
    case Kind::LShr: return fmt::format("({} < {} ? {} >> {} : {}0)", b(), w, a(), b(), result);
    case Kind::AShr:
      return fmt::format("{}({} >> ({} < {} ? {} : {}))", result, asSigned(a()), b(), w, b(),
                         w - 1);
    default: error = "a division of signed words of more than 64 bits"; return "0";
    }
  }

  std::string floating(ExprPtr e) {
    const auto o = expr::FloatOperation::of(e);
    const std::string x = get(e->op(0)), y = e->numOps() > 1 ? get(e->op(1)) : "";
    auto call = [&](const char *name) {
      return fmt::format("{}{}({}{}{})", name, o.operandWidth, x, y.empty() ? "" : ", ", y);
    };
    auto compare = [&](const char *op) {
      return fmt::format("(num{0}({1}) {2} num{0}({3}))", o.operandWidth, x, op, y);
    };
    auto number = [&] { return fmt::format("num{}({})", o.operandWidth, x); };
    auto cType = [](unsigned w) { return w == 16 ? "_Float16" : w == 32 ? "float" : "double"; };
    auto made = [&](const std::string &s) {
      return fmt::format("bits{}(({})({}))", o.width, cType(o.width), s);
    };
    switch (o.kind) {
    case Kind::FAdd: return call("fadd");
    case Kind::FSub: return call("fsub");
    case Kind::FMul: return call("fmul");
    case Kind::FDiv: return call("fdiv");
    case Kind::FSqrt: return call("fsqrt");
    case Kind::FEq: return compare("==");
    case Kind::FLt: return compare("<");
    case Kind::FLe: return compare("<=");
    case Kind::FFma: return fmt::format("ffma{}({}, {}, {})", o.operandWidth, x, y, get(e->op(2)));
    case Kind::FRound: {
      static constexpr const char *kNames[] = {"floor", "ceil", "trunc", "nearbyint", "round"};
      return made(fmt::format("{}({})", kNames[static_cast<unsigned>(o.rounding)], number()));
    }
    case Kind::FConvert: return made(number());
    case Kind::SToF: return made(fmt::format("SIGNED({}, {})", x, o.operandWidth));
    case Kind::UToF: return made("(u64)" + x);
    case Kind::FToS: return fmt::format("ftos{}({}, {})", o.operandWidth, x, o.width);
    case Kind::FToU: return fmt::format("ftou{}({}, {})", o.operandWidth, x, o.width);
    default: error = "a floating-point operation of an unknown kind"; return "0";
    }
  }

  const expr::RowLayout &layout_;
  std::string &out_;
  expr::TermVisitor counted_;
  llvm::DenseMap<ExprPtr, unsigned> uses_;    // looked up only
  llvm::DenseMap<ExprPtr, std::string> text_; // looked up only
  unsigned names_ = 0;
};

} // namespace

CHarness makeCHarness(std::span<const ExprPtr> constraints, const expr::RowLayout &layout) {
  CHarness harness;
  std::string &out = harness.source;
  out = kCHarnessPrelude;
  for (const auto &symbol : layout.symbols())
    out += fmt::format("\nstatic u8 in_{}[{}];", symbol.array->array().name,
                       symbol.array->array().sizeBytes);
  out += "\n";
  std::vector<std::string> declared;
  for (const auto &application : layout.applications()) {
    const auto &operation = application.term->operation();
    const std::string name = Writer::functionName(operation.name);
    if (std::find(declared.begin(), declared.end(), name) != declared.end()) continue;
    declared.push_back(name);
    const std::string source = operation.cSource(name);
    if (source.empty()) {
      harness.error = operation.name + " has no C";
      return harness;
    }
    out += fmt::format("\n/* {} */\n{}", operation.name, source);
  }
  std::string body;
  Writer writer(layout, body);
  for (ExprPtr e : constraints) writer.count(e);
  for (ExprPtr e : constraints) {
    const std::string condition = writer.term(e);
    body += fmt::format("  if (!{}) return 0;\n", condition);
  }
  harness.error = writer.error;
  out += "\n/* 1: the input is a model */\nstatic int satisfied(void) {\n" + body +
         "  return 1;\n}\n\nstatic void take(const u8 *input) {\n";
  for (size_t i = 0; i < layout.size(); ++i)
    out += fmt::format("  in_{}[{}] = input[{}];\n", layout.place(i).symbol->array().name,
                       layout.place(i).index, i);
  out += fmt::format(R"(}}

int main(void) {{
  static const int signals[] = {{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], exitQuietly);
  static u8 input[{}];
  note("first");
  while (__afl_persistent_loop(100000)) {{
    unsigned length = *__afl_fuzz_len < sizeof input ? *__afl_fuzz_len : sizeof input;
    memset(input, 0, sizeof input);
    memcpy(input, __afl_fuzz_ptr, length);
    take(input);
    if (satisfied()) found();
  }}
  return 0;
}}
)",
                     std::max<size_t>(layout.size(), 1));
  return harness;
}

} // namespace fathom::solver
