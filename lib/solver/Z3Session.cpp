// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that catches exceptions: Z3's C interface reports errors by code, but out-of-memory
// and internal errors have been seen to get through it.
#include "solver/Z3Session.h"

#include "solver/Watchdog.h"
#include "solver/Z3Encoder.h"

#include <algorithm>
#include <atomic>
#include <exception>

namespace fathom::solver {

/// Translated terms after which the context is renewed.
static constexpr size_t kMaxTranslated = 400'000;
/// Z3's resource units for the incremental solvers; some tens of milliseconds.
static constexpr uint64_t kIncrementalBudget = 300000;

struct Z3Session::Impl {
  Impl(const expr::ExprContext &context, const Z3Limits &limits)
      : context(context), limits(limits) {}
  ~Impl() { close(); }

  void open();
  void close();
  void forget();
  Answer solve(const Conjunction &query, const Support &support, bool readsByIndex);
  Answer check(const Conjunction &query, const Support &support, bool readsByIndex);
  Answer checkIncrementally(const Conjunction &query, const Support &support, bool readsByIndex);
  Answer checkAfresh(const Conjunction &query, const Support &support, bool arrays);
  Answer conclude(Z3_solver solver, Z3_lbool result, const Conjunction &query,
                  const Support &support);
  void configure(Z3_solver solver, uint64_t resources, bool plain);
  bool readModel(Z3_solver solver, const Support &support, Model &out);
  bool readByte(Z3_model model, Z3_ast term, uint8_t &out);
  std::string failed() const;
  Z3_lbool run(Z3_solver solver);

  const expr::ExprContext &context;
  Z3Limits limits;
  Z3_context z3 = nullptr;
  struct Incremental {
    Z3_solver solver = nullptr;
    bool open = false; // a scope with the last query's constraints
  } core, sat;
  std::unique_ptr<Z3Encoder> encoder;
  std::unique_ptr<Watchdog> watchdog;
  uint64_t collections = 0;
  Clock::duration overrun{};
  uint64_t units = 0;        ///< of all contexts until now
  uint64_t contextUnits = 0; ///< of the one that is open
  std::atomic<bool> outOfMemory = false;
};

Z3Session::Z3Session(const expr::ExprContext &context, const Z3Limits &limits)
    : impl_(new Impl(context, limits)) {}
Z3Session::~Z3Session() = default;

uint64_t Z3Session::units() const { return impl_->units; }
Clock::duration Z3Session::overrun() const { return impl_->overrun; }

// --- the context
// ------------------------------------------------------------------------------------------------

void Z3Session::Impl::open() {
  Z3_config config = Z3_mk_config();
  Z3_set_param_value(config, "auto_config", "true");
  z3 = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3, [](Z3_context, Z3_error_code) {}); // asked for with Z3_get_error_code
  // Z3 drops an object without references when the next one is made, so each gets a reference at
  // once.
  core.solver = Z3_mk_simple_solver(z3);
  Z3_solver_inc_ref(z3, core.solver);
  sat.solver = Z3_mk_solver_for_logic(
      z3, Z3_mk_string_symbol(z3, "QF_BV")); // its SAT solver, as there are scopes
  Z3_solver_inc_ref(z3, sat.solver);
  uint64_t budget =
      limits.resources ? std::min(limits.resources, kIncrementalBudget) : kIncrementalBudget;
  configure(core.solver, budget, /*plain=*/true);
  configure(sat.solver, budget, /*plain=*/false);
  encoder = std::make_unique<Z3Encoder>(z3, context);
  collections = context.collections();
}

/// `plain`: without automatic configuration, which costs the SMT core more on every query than it
/// gains.
void Z3Session::Impl::configure(Z3_solver solver, uint64_t resources, bool plain) {
  auto symbol = [this](const char *name) { return Z3_mk_string_symbol(z3, name); };
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  Z3_params_set_uint(z3, params, symbol("max_memory"), static_cast<unsigned>(limits.memoryMb));
  if (resources)
    Z3_params_set_uint(z3, params, symbol("rlimit"),
                       static_cast<unsigned>(std::min<uint64_t>(resources, ~0u)));
  // Z3 would take Ctrl-C for itself: the query would end, and the run would not hear of it.
  Z3_params_set_bool(z3, params, symbol("ctrl_c"), false);
  if (plain) Z3_params_set_bool(z3, params, symbol("auto_config"), false);
  Z3_solver_set_params(z3, solver, params);
  Z3_params_dec_ref(z3, params);
}

void Z3Session::Impl::close() {
  if (!z3) return;
  encoder.reset();
  for (Incremental *i : {&core, &sat}) {
    Z3_solver_dec_ref(z3, i->solver);
    *i = {};
  }
  Z3_del_context(z3);
  z3 = nullptr;
  contextUnits = 0;
}

/// What Z3 complains about, or empty.
std::string Z3Session::Impl::failed() const {
  Z3_error_code code = Z3_get_error_code(z3);
  if (code == Z3_OK) return {};
  if (code == Z3_MEMOUT_FAIL) return "memory limit";
  return std::string("solver: ") + Z3_get_error_msg(z3, code);
}

void Z3Session::forget() { impl_->forget(); }

void Z3Session::Impl::forget() {
  if (!z3) return;
  for (Incremental *i : {&core, &sat}) {
    if (i->open) Z3_solver_pop(z3, i->solver, 1);
    i->open = false;
  }
  encoder->clear();
}

// --- solving
// ------------------------------------------------------------------------------------------------------

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

bool Z3Session::Impl::readModel(Z3_solver solver, const Support &support, Model &out) {
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

/// Checks what is asserted, and counts the units that it took.
Z3_lbool Z3Session::Impl::run(Z3_solver solver) {
  const Z3_lbool result = Z3_solver_check(z3, solver);
  if (!limits.countsUnits && !Clock::countsSteps()) return result;
  Z3_stats stats = Z3_solver_get_statistics(z3, solver);
  Z3_stats_inc_ref(z3, stats);
  for (unsigned i = 0; i < Z3_stats_size(z3, stats); ++i) {
    if (std::string_view(Z3_stats_get_key(z3, stats, i)) != "rlimit count") continue;
    const uint64_t now = Z3_stats_is_uint(z3, stats, i)
                             ? Z3_stats_get_uint_value(z3, stats, i)
                             : static_cast<uint64_t>(Z3_stats_get_double_value(z3, stats, i));
    const uint64_t used = now - std::min(now, contextUnits);
    contextUnits = now;
    units += used;
    Clock::spend(StepKind::Z3Unit, used);
  }
  Z3_stats_dec_ref(z3, stats);
  return result;
}

/// The answer that a check with this result amounts to.
Answer Z3Session::Impl::conclude(Z3_solver solver, Z3_lbool result, const Conjunction &query,
                                 const Support &support) {
  if (result == Z3_L_FALSE) return Answer::unsat();
  if (result == Z3_L_TRUE) {
    Model model;
    if (query.needModel && !readModel(solver, support, model))
      return Answer::unknown("solver: no model");
    return Answer::sat(std::move(model));
  }
  if (std::string error = failed(); !error.empty()) return Answer::unknown(error);
  std::string reason = Z3_solver_get_reason_unknown(z3, solver);
  if (reason.find("memory") != std::string::npos || reason.find("memout") != std::string::npos)
    return Answer::unknown(UnknownReason::MemoryLimit);
  const bool isOver = Clock::now() >= query.deadline;
  if (reason.find("resource") != std::string::npos)
    return Answer::unknown(isOver ? UnknownReason::Timeout : UnknownReason::ResourceLimit);
  if (reason == "timeout" || reason == "interrupted from keyboard")
    return Answer::unknown(UnknownReason::Timeout);
  if (reason.find("cancel") !=
      std::string::npos) // "canceled", "sat.canceled": a deadline or a spent budget
    return Answer::unknown(isOver ? UnknownReason::Timeout : UnknownReason::ResourceLimit);
  return Answer::unknown("solver: " + reason);
}

Answer Z3Session::Impl::checkIncrementally(const Conjunction &query, const Support &support,
                                           bool readsByIndex) {
  Incremental &in = readsByIndex ? sat : core;
  // One scope for the whole query, opened while nothing is asserted. A scope per constraint would
  // keep what queries share, but Z3_solver_push preprocesses what was asserted before it, and there
  // neither interrupts nor limits are looked at.
  if (in.open) Z3_solver_pop(z3, in.solver, 1);
  Z3_solver_push(z3, in.solver);
  in.open = true;
  for (ExprPtr e : query.constraints) {
    Z3_ast a = encoder->constraint(e);
    if (!a) return Answer::unknown(failed());
    Z3_solver_assert(z3, in.solver, a);
  }
  return conclude(in.solver, run(in.solver), query, support);
}

/// The SMT-LIB logic of a query, as Z3 knows it: it has no name for arrays and floating point.
static const char *logicOf(bool arrays, bool floats, bool quantified = false) {
  if (quantified) return "ALL";
  if (floats) return arrays ? "ALL" : "QF_BVFP";
  return arrays ? "QF_ABV" : "QF_BV";
}

static bool hasFloats(const Conjunction &query) {
  return std::any_of(query.constraints.begin(), query.constraints.end(),
                     [](ExprPtr e) { return e->has(expr::kHasFloat); });
}

Answer Z3Session::Impl::checkAfresh(const Conjunction &query, const Support &support, bool arrays) {
  const bool floats = hasFloats(query);
  Z3_solver solver =
      isQuantified(query) || (arrays && floats)
          ? Z3_mk_solver(z3)
          : Z3_mk_solver_for_logic(z3, Z3_mk_string_symbol(z3, logicOf(arrays, floats)));
  if (!solver) return Answer::unknown(failed());
  Z3_solver_inc_ref(z3, solver);
  configure(solver, limits.resourcesUntil(query.deadline), /*plain=*/false);
  for (ExprPtr e : query.constraints)
    if (Z3_ast a = encoder->constraint(e)) Z3_solver_assert(z3, solver, a);
  for (Z3_ast a : encoder->sideConditions(support)) Z3_solver_assert(z3, solver, a);
  std::string error = failed();
  Answer answer =
      error.empty() ? conclude(solver, run(solver), query, support) : Answer::unknown(error);
  Z3_solver_dec_ref(z3, solver);
  return answer;
}

Answer Z3Session::Impl::check(const Conjunction &query, const Support &support, bool readsByIndex) {
  for (ExprPtr e : query.constraints) {
    if (!encoder->constraint(e)) return Answer::unknown(failed());
    if (Clock::now() >= query.deadline) return Answer::unknown(UnknownReason::Timeout);
  }
  const bool arrays = std::any_of(support.begin(), support.end(), [&](Cell c) {
    return c.isWhole() && encoder->arrayOf(c.symbol());
  });
  // The incremental solvers have no good way with floating point, and none with quantifiers.
  if (!arrays && !hasFloats(query) && !isQuantified(query)) {
    // Its budget is small and spent with various words, or none ("no reason given"): whatever is
    // not the end of the whole query's time or memory is for the fresh solver.
    Answer answer = checkIncrementally(query, support, readsByIndex);
    if (answer.kind != AnswerKind::Unknown || answer.why == UnknownReason::Timeout ||
        answer.why == UnknownReason::MemoryLimit || outOfMemory || !failed().empty())
      return answer;
  }
  if (Clock::now() >= query.deadline) return Answer::unknown(UnknownReason::Timeout);
  return checkAfresh(query, support, arrays);
}

Answer Z3Session::Impl::solve(const Conjunction &query, const Support &support, bool readsByIndex) {
  if (z3 && encoder->size() > kMaxTranslated) close();
  if (z3 && collections != context.collections()) {
    forget();
    collections = context.collections();
  }
  if (!z3) open();
  bool barked = false;
  if (limits.useWatchdog) {
    if (!watchdog) watchdog = std::make_unique<Watchdog>();
    outOfMemory = false;
    // Not Z3's memory_max_size: once that has struck, everything in Z3 throws, destructors too.
    watchdog->arm(
        Clock::backstop(query.deadline), [z3 = z3] { Z3_interrupt(z3); },
        [this] {
          if (limits.mustStop()) return true;
          if (Z3_get_estimated_alloc_size() >> 20 < limits.memoryMb) return false;
          outOfMemory = true;
          return true;
        });
  }
  Answer answer;
  try {
    answer = check(query, support, readsByIndex);
  } catch (const std::exception &e) {
    answer = Answer::unknown(std::string("solver: ") + e.what());
  } catch (...) {
    answer = Answer::unknown("solver: exception");
  }
  if (limits.useWatchdog) barked = watchdog->disarm();
  if (barked && answer.kind == AnswerKind::Unknown && !outOfMemory && !limits.mustStop())
    Clock::reportOverrun(query.deadline);
  Clock::time_point now = Clock::now();
  overrun = now > query.deadline ? now - query.deadline : Clock::duration::zero();
  if (barked && answer.kind == AnswerKind::Unknown)
    answer = Answer::unknown(outOfMemory         ? UnknownReason::MemoryLimit
                             : limits.mustStop() ? UnknownReason::Interrupted
                                                 : UnknownReason::Timeout);
  // In a child there is no need, and after a memory limit no way, to tidy up.
  if (limits.useWatchdog && (barked || answer.kind == AnswerKind::Unknown)) close();
  return answer;
}

Answer Z3Session::solve(const Conjunction &query, const Support &support, bool readsByIndex) {
  return impl_->solve(query, support, readsByIndex);
}

std::string Z3Session::script(const Conjunction &query, const Support &support,
                              const char *status) {
  Impl &i = *impl_;
  if (!i.z3) i.open();
  std::vector<Z3_ast> assertions;
  for (ExprPtr e : query.constraints) assertions.push_back(i.encoder->constraint(e));
  for (Z3_ast a : i.encoder->sideConditions(support)) assertions.push_back(a);
  if (assertions.empty()) assertions.push_back(Z3_mk_true(i.z3));
  Z3_ast last = assertions.back();
  bool arrays = std::any_of(support.begin(), support.end(),
                            [&](Cell c) { return i.encoder->arrayOf(c.symbol()); });
  return Z3_benchmark_to_smtlib_string(
      i.z3, "fathom query", logicOf(arrays, hasFloats(query), isQuantified(query)), status, "",
      static_cast<unsigned>(assertions.size() - 1), assertions.data(), last);
}

} // namespace fathom::solver
