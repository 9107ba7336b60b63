// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves with Z3 that two terms, possibly of different contexts, are equal for every input. Symbols
// of equal name are the same input.
#ifndef FATHOM_UNITTESTS_EXPR_PROVER_H
#define FATHOM_UNITTESTS_EXPR_PROVER_H

#include "solver/Z3Encoder.h"

#include <span>
#include <vector>

namespace fathom::expr::test {

class Prover {
public:
  enum class Verdict { Equal, Different, Unknown };
  Prover() {
    Z3_config config = Z3_mk_config();
    z3_ = Z3_mk_context_rc(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3_, [](Z3_context, Z3_error_code) {});
  }
  ~Prover() { Z3_del_context(z3_); }
  Prover(const Prover &) = delete;
  Prover &operator=(const Prover &) = delete;

  Verdict equal(const ExprContext &ca, ExprPtr a, const ExprContext &cb, ExprPtr b,
                unsigned timeoutMs = 2000) {
    solver::Z3Encoder ea(z3_, ca), eb(z3_, cb);
    const bool floats = a->has(kHasFloat) || b->has(kHasFloat);
    return differ({Z3_mk_not(z3_, Z3_mk_eq(z3_, ea.vector(a), eb.vector(b)))}, floats, timeoutMs);
  }

  /// The same for inputs under which each first term has the value of the second.
  Verdict equalUnder(const ExprContext &c, ExprPtr a, ExprPtr b,
                     std::span<const std::pair<ExprPtr, ExprPtr>> values,
                     unsigned timeoutMs = 2000) {
    solver::Z3Encoder encoder(z3_, c);
    std::vector<Z3_ast> claims{Z3_mk_not(z3_, Z3_mk_eq(z3_, encoder.vector(a), encoder.vector(b)))};
    Z3_inc_ref(z3_, claims[0]);
    for (auto [term, value] : values) {
      claims.push_back(Z3_mk_eq(z3_, encoder.vector(term), encoder.vector(value)));
      Z3_inc_ref(z3_, claims.back());
    }
    Verdict v = differ(claims, a->has(kHasFloat), timeoutMs);
    for (Z3_ast claim : claims) Z3_dec_ref(z3_, claim);
    return v;
  }

private:
  Verdict differ(const std::vector<Z3_ast> &claims, bool floats, unsigned timeoutMs) {
    for (Z3_ast claim : claims) Z3_inc_ref(z3_, claim);
    Z3_solver s =
        Z3_mk_solver_for_logic(z3_, Z3_mk_string_symbol(z3_, floats ? "QF_BVFP" : "QF_BV"));
    Z3_solver_inc_ref(z3_, s);
    Z3_params p = Z3_mk_params(z3_);
    Z3_params_inc_ref(z3_, p);
    // Units of Z3 end it, so that a busy machine proves as much; the clock is far behind.
    Z3_params_set_uint(z3_, p, Z3_mk_string_symbol(z3_, "rlimit"), timeoutMs * kUnitsPerMs);
    Z3_params_set_uint(z3_, p, Z3_mk_string_symbol(z3_, "timeout"), timeoutMs * 20);
    Z3_solver_set_params(z3_, s, p);
    Z3_params_dec_ref(z3_, p);
    for (Z3_ast claim : claims) {
      Z3_solver_assert(z3_, s, claim);
      Z3_dec_ref(z3_, claim);
    }
    Z3_lbool r = Z3_solver_check(z3_, s);
    Z3_solver_dec_ref(z3_, s);
    return r == Z3_L_FALSE  ? Verdict::Equal
           : r == Z3_L_TRUE ? Verdict::Different
                            : Verdict::Unknown;
  }

  static constexpr unsigned kUnitsPerMs = 5000;
  Z3_context z3_;
};

} // namespace fathom::expr::test
#endif
