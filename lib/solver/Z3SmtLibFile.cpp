// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable of n bits becomes a symbolic array of its own of ceil(n / 8) bytes, lowest byte first;
// its value is the low n bits of all of them. An SMT-LIB array has 2^64 elements and ours have a
// size, so an array is taken only if all its indices are constants: then the bytes that are read
// are all there is to it.
#include "solver/SmtLibFile.h"

#include "solver/Watchdog.h"

#include <llvm/ADT/APInt.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <unordered_map>
#include <z3.h>

namespace fathom::solver {

using expr::ExprContext;
using expr::Kind;

namespace {

/// Z3's context and what was parsed; released together.
struct Parsed {
  Z3_context z3 = nullptr;
  Z3_ast_vector assertions = nullptr;
  Parsed() {
    Z3_config config = Z3_mk_config();
    z3 = Z3_mk_context_rc(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3, [](Z3_context, Z3_error_code) {});
  }
  ~Parsed() {
    if (assertions) Z3_ast_vector_dec_ref(z3, assertions);
    Z3_del_context(z3);
  }
  Parsed(const Parsed &) = delete;
  Parsed &operator=(const Parsed &) = delete;
};

class Converter {
public:
  Converter(Z3_context z3, ExprContext &context) : z3_(z3), c(context) {}

  /// Null when something is outside of our fragment.
  ExprPtr convert(Z3_ast root) {
    std::vector<Z3_ast> stack{root};
    while (!stack.empty()) {
      Z3_ast a = stack.back();
      if (done_.contains(id(a))) {
        stack.pop_back();
        continue;
      }
      size_t before = stack.size();
      if (Z3_get_ast_kind(z3_, a) == Z3_APP_AST && !isSelect(a))
        for (unsigned i = 0; i < arity(a); ++i)
          if (!done_.contains(id(arg(a, i)))) stack.push_back(arg(a, i));
      if (stack.size() != before) continue;
      stack.pop_back();
      ExprPtr e = node(a);
      if (!e) return nullptr;
      done_[id(a)] = e;
    }
    return done_[id(root)];
  }

  struct Variable {
    std::string name;
    ExprPtr symbol;
    unsigned bits; ///< 0: Bool.
  };
  const std::vector<Variable> &variables() const { return variables_; }
  struct Array {
    std::string name;
    ExprPtr symbol;
    std::map<uint64_t, uint64_t> slots; ///< Index read -> byte of `symbol`.
  };
  const std::vector<Array> &arrays() const { return arrays_; }

private:
  static constexpr uint64_t kArrayBytes = 1 << 16; // distinct indices per array
  unsigned id(Z3_ast a) const { return Z3_get_ast_id(z3_, a); }
  Z3_app app(Z3_ast a) const { return Z3_to_app(z3_, a); }
  unsigned arity(Z3_ast a) const { return Z3_get_app_num_args(z3_, app(a)); }
  Z3_ast arg(Z3_ast a, unsigned i) const { return Z3_get_app_arg(z3_, app(a), i); }
  Z3_func_decl decl(Z3_ast a) const { return Z3_get_app_decl(z3_, app(a)); }
  Z3_decl_kind declKind(Z3_ast a) const { return Z3_get_decl_kind(z3_, decl(a)); }
  bool isSelect(Z3_ast a) const { return declKind(a) == Z3_OP_SELECT; }
  unsigned parameter(Z3_ast a, unsigned i) const {
    return static_cast<unsigned>(Z3_get_decl_int_parameter(z3_, decl(a), i));
  }
  ExprPtr op(Z3_ast a, unsigned i) { return done_[id(arg(a, i))]; }

  /// Width of a sort: 1 for Bool, 0 for what is not ours.
  unsigned widthOf(Z3_ast a) const {
    Z3_sort sort = Z3_get_sort(z3_, a);
    if (Z3_get_sort_kind(z3_, sort) == Z3_BOOL_SORT) return 1;
    if (Z3_get_sort_kind(z3_, sort) != Z3_BV_SORT) return 0;
    unsigned width = Z3_get_bv_sort_size(z3_, sort);
    return width <= expr::kMaxWidthBits ? width : 0;
  }

  ExprPtr numeral(Z3_ast a, unsigned width) {
    llvm::APInt value(width, Z3_get_numeral_string(z3_, a), 10);
    return c.constantWide({value.getRawData(), value.getNumWords()}, width);
  }

  ExprPtr variable(Z3_ast a, unsigned width) {
    Variable v;
    v.name = Z3_get_symbol_string(z3_, Z3_get_decl_name(z3_, decl(a)));
    const uint64_t bytes = (width + 7) / 8;
    v.symbol = c.symbol(v.name, bytes);
    v.bits = Z3_get_sort_kind(z3_, Z3_get_sort(z3_, a)) == Z3_BOOL_SORT ? 0 : width;
    variables_.push_back(v);
    ExprPtr e = c.read(v.symbol, uint64_t(0));
    for (uint64_t i = 1; i < bytes; ++i) e = c.concat(c.read(v.symbol, i), e);
    return c.trunc(e, width);
  }

  ExprPtr select(Z3_ast a) {
    Z3_ast array = arg(a, 0), index = arg(a, 1);
    uint64_t at;
    if (Z3_get_ast_kind(z3_, array) != Z3_APP_AST || declKind(array) != Z3_OP_UNINTERPRETED ||
        arity(array))
      return nullptr;
    if (widthOf(a) != 8 || widthOf(index) != 64 || Z3_get_ast_kind(z3_, index) != Z3_NUMERAL_AST)
      return nullptr;
    if (!Z3_get_numeral_uint64(z3_, index, &at)) return nullptr;
    auto [it, isNew] = arrayIndex_.try_emplace(id(array), arrays_.size());
    if (isNew) {
      std::string name = Z3_get_symbol_string(z3_, Z3_get_decl_name(z3_, decl(array)));
      ExprPtr symbol = c.symbol(name, kArrayBytes);
      arrays_.push_back({std::move(name), symbol, {}});
    }
    Array &known = arrays_[it->second];
    auto [slot, fresh] = known.slots.try_emplace(at, known.slots.size());
    if (slot->second >= kArrayBytes) return nullptr;
    return c.read(known.symbol, slot->second);
  }

  /// Folds an operation of any number of operands to the left.
  template <typename F> ExprPtr fold(Z3_ast a, F f) {
    ExprPtr e = op(a, 0);
    for (unsigned i = 1; i < arity(a); ++i) e = f(e, op(a, i));
    return e;
  }
  ExprPtr fold(Z3_ast a, Kind kind) {
    return fold(a, [&](ExprPtr x, ExprPtr y) { return c.binary(kind, x, y); });
  }

  ExprPtr node(Z3_ast a) {
    const unsigned width = widthOf(a);
    if (!width) return nullptr;
    if (Z3_get_ast_kind(z3_, a) == Z3_NUMERAL_AST) return numeral(a, width);
    if (Z3_get_ast_kind(z3_, a) != Z3_APP_AST) return nullptr;
    switch (declKind(a)) {
    case Z3_OP_TRUE: return c.trueExpr();
    case Z3_OP_FALSE: return c.falseExpr();
    case Z3_OP_UNINTERPRETED: return arity(a) ? nullptr : variable(a, width);
    case Z3_OP_SELECT: return select(a);
    case Z3_OP_EQ:
    case Z3_OP_IFF: return c.eq(op(a, 0), op(a, 1));
    case Z3_OP_DISTINCT: {
      ExprPtr e = c.trueExpr();
      for (unsigned i = 0; i < arity(a); ++i)
        for (unsigned j = 0; j < i; ++j) e = c.bvAnd(e, c.ne(op(a, i), op(a, j)));
      return e;
    }
    case Z3_OP_ITE: return c.ite(op(a, 0), op(a, 1), op(a, 2));
    case Z3_OP_IMPLIES: return c.bvOr(c.bvNot(op(a, 0)), op(a, 1));
    case Z3_OP_NOT:
    case Z3_OP_BNOT: return c.bvNot(op(a, 0));
    case Z3_OP_AND:
    case Z3_OP_BAND: return fold(a, Kind::And);
    case Z3_OP_OR:
    case Z3_OP_BOR: return fold(a, Kind::Or);
    case Z3_OP_XOR:
    case Z3_OP_BXOR: return fold(a, Kind::Xor);
    case Z3_OP_BNAND: return c.bvNot(fold(a, Kind::And));
    case Z3_OP_BNOR: return c.bvNot(fold(a, Kind::Or));
    case Z3_OP_BXNOR: return c.bvNot(fold(a, Kind::Xor));
    case Z3_OP_BCOMP: return c.eq(op(a, 0), op(a, 1));
    case Z3_OP_BNEG: return c.neg(op(a, 0));
    case Z3_OP_BADD: return fold(a, Kind::Add);
    case Z3_OP_BSUB: return fold(a, Kind::Sub);
    case Z3_OP_BMUL: return fold(a, Kind::Mul);
    case Z3_OP_BUDIV: return fold(a, Kind::UDiv);
    case Z3_OP_BSDIV: return fold(a, Kind::SDiv);
    case Z3_OP_BUREM: return fold(a, Kind::URem);
    case Z3_OP_BSREM: return fold(a, Kind::SRem);
    case Z3_OP_BSHL: return fold(a, Kind::Shl);
    case Z3_OP_BLSHR: return fold(a, Kind::LShr);
    case Z3_OP_BASHR: return fold(a, Kind::AShr);
    case Z3_OP_ULT: return c.ult(op(a, 0), op(a, 1));
    case Z3_OP_ULEQ: return c.ule(op(a, 0), op(a, 1));
    case Z3_OP_UGT: return c.ult(op(a, 1), op(a, 0));
    case Z3_OP_UGEQ: return c.ule(op(a, 1), op(a, 0));
    case Z3_OP_SLT: return c.slt(op(a, 0), op(a, 1));
    case Z3_OP_SLEQ: return c.sle(op(a, 0), op(a, 1));
    case Z3_OP_SGT: return c.slt(op(a, 1), op(a, 0));
    case Z3_OP_SGEQ: return c.sle(op(a, 1), op(a, 0));
    case Z3_OP_CONCAT: return fold(a, [&](ExprPtr x, ExprPtr y) { return c.concat(x, y); });
    case Z3_OP_EXTRACT: return c.extract(op(a, 0), parameter(a, 1), width);
    case Z3_OP_ZERO_EXT: return c.zext(op(a, 0), width);
    case Z3_OP_SIGN_EXT: return c.sext(op(a, 0), width);
    case Z3_OP_REPEAT: {
      ExprPtr e = op(a, 0);
      while (e->width() < width) e = c.concat(e, op(a, 0));
      return e;
    }
    case Z3_OP_ROTATE_LEFT:
    case Z3_OP_ROTATE_RIGHT: {
      unsigned n = parameter(a, 0) % width;
      if (declKind(a) == Z3_OP_ROTATE_RIGHT) n = (width - n) % width;
      if (n == 0) return op(a, 0);
      return c.concat(c.extract(op(a, 0), 0, width - n), c.extract(op(a, 0), width - n, n));
    }
    default: return nullptr;
    }
  }

  Z3_context z3_;
  ExprContext &c; // NOLINT(readability-identifier-naming): in every line
  std::unordered_map<unsigned, ExprPtr> done_; // by Z3's id; the assertions keep the terms alive
  std::unordered_map<unsigned, size_t> arrayIndex_;
  std::vector<Variable> variables_;
  std::vector<Array> arrays_;
};

std::string quoted(const std::string &name) {
  bool simple =
      !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
      name.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$%^&*_-+=<>.?/") ==
          std::string::npos;
  return simple ? name : "|" + name + "|";
}

std::string modelText(const Converter &converter, const Model &model) {
  std::ostringstream out;
  for (const auto &v : converter.variables()) {
    std::vector<uint8_t> bytes = model.bytes(v.symbol);
    out << "(define-fun " << quoted(v.name) << " () ";
    if (v.bits == 0) {
      out << "Bool " << (bytes[0] & 1 ? "true" : "false") << ")\n";
      continue;
    }
    out << "(_ BitVec " << v.bits << ") #b";
    for (unsigned i = v.bits; i-- > 0;) out << (bytes[i / 8] >> (i % 8) & 1);
    out << ")\n";
  }
  for (const auto &a : converter.arrays()) {
    const char *sort = "(Array (_ BitVec 64) (_ BitVec 8))";
    std::string value = std::string("((as const ") + sort + ") #x00)";
    for (auto [index, slot] : a.slots) {
      char store[64];
      std::snprintf(store, sizeof store, " #x%016llx #x%02x)",
                    static_cast<unsigned long long>(index), model.byte(a.symbol, slot));
      value.insert(0, "(store ");
      value += store;
    }
    out << "(define-fun " << quoted(a.name) << " () " << sort << " " << value << ")\n";
  }
  return out.str();
}

SmtLibAnswer solveByZ3(const Parsed &parsed, const SolverOptions &options,
                       std::chrono::milliseconds timeout) {
  SmtLibAnswer out;
  Z3_context z3 = parsed.z3;
  Z3_solver solver = Z3_mk_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  Z3_params_set_bool(z3, params, Z3_mk_string_symbol(z3, "ctrl_c"), false); // it is not Z3's
  Z3_solver_set_params(z3, solver, params);
  Z3_params_dec_ref(z3, params);
  for (unsigned i = 0; i < Z3_ast_vector_size(z3, parsed.assertions); ++i)
    Z3_solver_assert(z3, solver, Z3_ast_vector_get(z3, parsed.assertions, i));
  Watchdog watchdog;
  watchdog.arm(
      Clock::now() + timeout, [z3] { Z3_interrupt(z3); },
      [&options] { return Z3_get_estimated_alloc_size() >> 20 >= options.z3MemoryMb; });
  Z3_lbool result = Z3_solver_check(z3, solver);
  bool interrupted = watchdog.disarm();
  if (result == Z3_L_TRUE) {
    out.kind = AnswerKind::Sat;
    if (Z3_model model = Z3_solver_get_model(z3, solver)) {
      Z3_model_inc_ref(z3, model);
      out.model = Z3_model_to_string(z3, model);
      Z3_model_dec_ref(z3, model);
    }
  } else if (result == Z3_L_FALSE) {
    out.kind = AnswerKind::Unsat;
  } else {
    out.reason = interrupted ? "timeout or memory limit" : Z3_solver_get_reason_unknown(z3, solver);
  }
  Z3_solver_dec_ref(z3, solver);
  return out;
}

llvm::Error inputError(const std::string &path, const std::string &what) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), "%s: %s",
                                 path.c_str(), what.c_str());
}

} // namespace

llvm::Expected<SmtLibAnswer> solveSmtLibFile(const std::string &path, const SolverOptions &options,
                                             std::chrono::milliseconds timeout) {
  std::ifstream in(path);
  if (!in) return inputError(path, "cannot be read");
  std::stringstream text;
  text << in.rdbuf();
  if (in.bad()) return inputError(path, "cannot be read");
  Z3_toggle_warning_messages(false);
  Parsed parsed;
  parsed.assertions = Z3_parse_smtlib2_string(parsed.z3, text.str().c_str(), 0, nullptr, nullptr, 0,
                                              nullptr, nullptr);
  const Z3_error_code code = Z3_get_error_code(parsed.z3); // both before the next call forgets them
  const std::string parserMessage = code == Z3_OK ? "" : Z3_get_error_msg(parsed.z3, code);
  if (parsed.assertions) Z3_ast_vector_inc_ref(parsed.z3, parsed.assertions);
  if (code != Z3_OK || !parsed.assertions) {
    std::string message = parserMessage;
    while (!message.empty() && message.back() == '\n') message.pop_back();
    return inputError(path, "is not SMT-LIB2: " + message);
  }

  ExprContext context;
  Converter converter(parsed.z3, context);
  PathCondition problem;
  for (unsigned i = 0; i < Z3_ast_vector_size(parsed.z3, parsed.assertions); ++i) {
    ExprPtr e = converter.convert(Z3_ast_vector_get(parsed.z3, parsed.assertions, i));
    if (!e) return solveByZ3(parsed, options, timeout);
    problem.add(e);
  }
  Answer answer = makeChain(context, options)
                      ->check({.path = problem, .goal = context.trueExpr(), .timeout = timeout});
  SmtLibAnswer out;
  out.byChain = true;
  out.kind = answer.kind;
  out.reason = answer.reason;
  if (answer.kind == AnswerKind::Sat) out.model = modelText(converter, answer.model);
  return out;
}

} // namespace fathom::solver
