// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that catches exceptions: Z3's C interface reports errors by code, but out-of-memory and internal
// errors have been seen to get through it.
#include "solver/Z3Session.h"

#include "solver/Watchdog.h"
#include "solver/Z3Encoder.h"

#include <algorithm>
#include <exception>

namespace fathom::solver {

/// Translated terms after which the context is renewed.
static constexpr size_t kMaxTranslated = 400'000;

struct Z3Session::Impl {
  Impl(const expr::ExprContext &context, const Z3Limits &limits) : context(context), limits(limits) {}
  ~Impl() { close(); }

  void open();
  void close();
  Answer solve(const Conjunction &query, const Support &support);
  Answer check(const Conjunction &query, const Support &support);
  std::string assertAll(const Conjunction &query, const Support &support);
  bool readModel(const Support &support, Model &out);
  bool readByte(Z3_model model, Z3_ast term, uint8_t &out);
  std::string failed() const;

  const expr::ExprContext &context;
  Z3Limits limits;
  Z3_context z3 = nullptr;
  Z3_solver solver = nullptr;
  std::unique_ptr<Z3Encoder> encoder;
  std::unique_ptr<Watchdog> watchdog;
  uint64_t collections = 0;
  Clock::duration overrun{};
};

Z3Session::Z3Session(const expr::ExprContext &context, const Z3Limits &limits) : impl_(new Impl(context, limits)) {}
Z3Session::~Z3Session() = default;

Clock::duration Z3Session::overrun() const { return impl_->overrun; }

// --- the context ------------------------------------------------------------------------------------------------

void Z3Session::Impl::open() {
  Z3_config config = Z3_mk_config();
  Z3_set_param_value(config, "auto_config", "true");
  z3 = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3, [](Z3_context, Z3_error_code) {}); // asked for with Z3_get_error_code
  solver = Z3_mk_solver_for_logic(z3, Z3_mk_string_symbol(z3, "QF_BV"));
  Z3_solver_inc_ref(z3, solver);
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "max_memory"), static_cast<unsigned>(limits.memoryMb));
  if (limits.resources)
    Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"),
                       static_cast<unsigned>(std::min<uint64_t>(limits.resources, ~0u)));
  Z3_solver_set_params(z3, solver, params);
  Z3_params_dec_ref(z3, params);
  encoder = std::make_unique<Z3Encoder>(z3, context);
  collections = context.collections();
}

void Z3Session::Impl::close() {
  if (!z3) return;
  encoder.reset();
  if (solver) Z3_solver_dec_ref(z3, solver);
  Z3_del_context(z3);
  z3 = nullptr;
  solver = nullptr;
}

/// What Z3 complains about, or empty.
std::string Z3Session::Impl::failed() const {
  Z3_error_code code = Z3_get_error_code(z3);
  if (code == Z3_OK) return {};
  if (code == Z3_MEMOUT_FAIL) return "memory limit";
  return std::string("solver: ") + Z3_get_error_msg(z3, code);
}

void Z3Session::forget() {
  if (!impl_->z3) return;
  Z3_solver_reset(impl_->z3, impl_->solver);
  impl_->encoder->clear();
}

// --- solving ------------------------------------------------------------------------------------------------------

std::string Z3Session::Impl::assertAll(const Conjunction &query, const Support &support) {
  Z3_solver_reset(z3, solver);
  for (ExprPtr e : query.constraints) {
    Z3_ast a = encoder->constraint(e);
    if (!a) return failed();
    Z3_solver_assert(z3, solver, a);
  }
  for (Z3_ast a : encoder->sideConditions(support)) Z3_solver_assert(z3, solver, a);
  return failed();
}

bool Z3Session::Impl::readByte(Z3_model model, Z3_ast term, uint8_t &out) {
  Z3_ast value = nullptr;
  if (!Z3_model_eval(z3, model, term, /*model_completion=*/true, &value) || !value) return false;
  Z3_inc_ref(z3, value);
  uint64_t number = 0;
  bool fine = Z3_get_numeral_uint64(z3, value, &number);
  Z3_dec_ref(z3, value);
  out = static_cast<uint8_t>(number);
  return fine;
}

bool Z3Session::Impl::readModel(const Support &support, Model &out) {
  Z3_model model = Z3_solver_get_model(z3, solver);
  if (!model) return false;
  Z3_model_inc_ref(z3, model);
  bool fine = true;
  uint8_t value = 0;
  for (Cell cell : support) {
    ExprPtr symbol = context.symbols()[cell.symbol()];
    if (!cell.isWhole()) {
      fine &= readByte(model, encoder->byteVariable(cell), value);
      out.setByte(symbol, cell.index(), value);
      continue;
    }
    Z3_ast array = encoder->arrayOf(cell.symbol());
    Z3_sort index = Z3_mk_bv_sort(z3, 64);
    for (uint64_t i = 0; fine && i < symbol->array().sizeBytes; ++i) {
      Z3_ast term = encoder->byteVariable(Cell::of(cell.symbol(), i));
      if (array) term = Z3_mk_select(z3, array, Z3_mk_unsigned_int64(z3, i, index));
      Z3_inc_ref(z3, term);
      fine &= readByte(model, term, value);
      Z3_dec_ref(z3, term);
      out.setByte(symbol, i, value);
    }
  }
  Z3_model_dec_ref(z3, model);
  return fine;
}

Answer Z3Session::Impl::check(const Conjunction &query, const Support &support) {
  if (std::string error = assertAll(query, support); !error.empty()) return Answer::unknown(error);
  if (Clock::now() >= query.deadline) return Answer::unknown("timeout");
  switch (Z3_solver_check(z3, solver)) {
  case Z3_L_FALSE: return Answer::unsat();
  case Z3_L_TRUE: {
    Model model;
    if (query.needModel && !readModel(support, model)) return Answer::unknown("solver: no model");
    return Answer::sat(std::move(model));
  }
  default: break;
  }
  if (std::string error = failed(); !error.empty()) return Answer::unknown(error);
  std::string reason = Z3_solver_get_reason_unknown(z3, solver);
  if (reason.find("memory") != std::string::npos || reason.find("memout") != std::string::npos)
    return Answer::unknown("memory limit");
  if (reason.find("resource") != std::string::npos || (limits.resources && reason == "canceled"))
    return Answer::unknown("resource limit");
  if (reason == "timeout" || reason == "canceled" || reason == "interrupted from keyboard")
    return Answer::unknown("timeout");
  return Answer::unknown("solver: " + reason);
}

Answer Z3Session::Impl::solve(const Conjunction &query, const Support &support) {
  if (z3 && encoder->size() > kMaxTranslated) close();
  if (z3 && collections != context.collections()) {
    Z3_solver_reset(z3, solver);
    encoder->clear();
    collections = context.collections();
  }
  if (!z3) open();
  bool barked = false;
  if (limits.useWatchdog) {
    if (!watchdog) watchdog = std::make_unique<Watchdog>();
    watchdog->arm(query.deadline, [z3 = z3] { Z3_interrupt(z3); });
  }
  Answer answer;
  try {
    answer = check(query, support);
  } catch (const std::exception &e) {
    answer = Answer::unknown(std::string("solver: ") + e.what());
  } catch (...) {
    answer = Answer::unknown("solver: exception");
  }
  if (limits.useWatchdog) barked = watchdog->disarm();
  Clock::time_point now = Clock::now();
  overrun = now > query.deadline ? now - query.deadline : Clock::duration::zero();
  if (barked && answer.kind == AnswerKind::Unknown) answer.reason = "timeout";
  if (barked || answer.kind == AnswerKind::Unknown) close();
  return answer;
}

Answer Z3Session::solve(const Conjunction &query, const Support &support) { return impl_->solve(query, support); }

std::string Z3Session::script(const Conjunction &query, const Support &support, const char *status) {
  Impl &i = *impl_;
  if (!i.z3) i.open();
  std::vector<Z3_ast> assertions;
  for (ExprPtr e : query.constraints) assertions.push_back(i.encoder->constraint(e));
  for (Z3_ast a : i.encoder->sideConditions(support)) assertions.push_back(a);
  if (assertions.empty()) assertions.push_back(Z3_mk_true(i.z3));
  Z3_ast last = assertions.back();
  bool arrays = std::any_of(support.begin(), support.end(), [&](Cell c) { return i.encoder->arrayOf(c.symbol()); });
  return Z3_benchmark_to_smtlib_string(i.z3, "fathom query", arrays ? "QF_ABV" : "QF_BV", status, "",
                                       static_cast<unsigned>(assertions.size() - 1), assertions.data(), last);
}

} // namespace fathom::solver
