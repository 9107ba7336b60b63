// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Z3Stage.h"

#include "solver/Z3Child.h"

#include <cassert>
#include <cstdio>

namespace fathom::solver {

/// A query that comes back this much after its deadline is stubborn.
static constexpr std::chrono::milliseconds kGrace{250};
/// From this size on, Z3 spends long stretches in places that look neither at interrupts nor at
/// limits.
static constexpr uint64_t kHeavyGates = 600'000;
/// Terms taller than this take it a C++ stack frame or more per level.
static constexpr uint32_t kTall = 3000;

static Z3Limits limitsOf(const SolverOptions &options) {
  Z3Limits limits;
  limits.memoryMb = options.z3MemoryMb;
  limits.resources = options.z3ResourceLimit;
  limits.stop = options.stop;
  return limits;
}

Z3Stage::Z3Stage(const expr::ExprContext &context, const SolverOptions &options)
    : context_(context), options_(options), supports_(context),
      session_(context, limitsOf(options)) {
  stats_.name = "z3";
}

void Z3Stage::dropCaches() {
  session_.forget();
  supports_.clear();
}

Answer Z3Stage::solve(const Conjunction &asked) {
  StageTimer timer(stats_);
  const Clock::time_point now = Clock::now();
  if (now >= asked.deadline) return timer.answered(Answer::unknown(UnknownReason::Timeout));
  if (options_.stop && *options_.stop)
    return timer.answered(Answer::unknown(UnknownReason::Interrupted));
  if (asked.asksAgain && !brief_.isDue())
    return timer.answered(Answer::unknown(UnknownReason::Timeout));
  Conjunction query = asked;
  Support support;
  bool readsByIndex = false;
  for (ExprPtr e : query.constraints) {
    mergeInto(support, supports_.of(e));
    readsByIndex |= supports_.readsByIndex(e);
    // Z3 knows nothing of what an external operation gives: only a model that holds says anything.
    query.needModel |= e->has(expr::kHasApply);
  }
  Answer answer = ask(query, support, readsByIndex);
  if (asked.asksAgain) brief_.note(answer.kind != AnswerKind::Unknown);
  if (answer.kind == AnswerKind::Sat && query.needModel &&
      !check_.satisfies(answer.model, query.constraints))
    answer = Answer::unknown("solver: model fails the check by evaluation");
  if (!options_.logFile.empty()) log(query, support, answer);
  return timer.answered(std::move(answer));
}

Answer Z3Stage::ask(const Conjunction &query, const Support &support, bool readsByIndex) {
  const uint64_t hash = hashOf(query);
  bool heavy = false;
  for (ExprPtr e : query.constraints) heavy |= e->height() > kTall;
  uint64_t gates = 0;
  for (size_t i = 0; i < query.constraints.size() && !heavy; ++i) {
    gates += supports_.gates(query.constraints[i]);
    heavy = gates >= kHeavyGates;
  }
  const Isolation *isolation = options_.isolation;
  const bool apart = heavy || stubborn_.contains(hash) ||
                     (isolation && (isolation->all || isolation->apart.contains(hash)));
  QueryHeartbeat announced(isolation, hash, apart, query.deadline, query.asksAgain);
  if (apart) return solveInChild(context_, limitsOf(options_), query, support, readsByIndex);
  Answer answer = session_.solve(query, support, readsByIndex);
  // Not when runs have to be reproducible: which queries overrun depends on the machine.
  if (session_.overrun() > kGrace && !options_.z3ResourceLimit && !Clock::countsSteps())
    stubborn_.insert(hash);
  return answer;
}

void Z3Stage::log(const Conjunction &query, const Support &support, const Answer &answer) {
  const char *status = answer.kind == AnswerKind::Sat     ? "sat"
                       : answer.kind == AnswerKind::Unsat ? "unsat"
                                                          : "unknown";
  std::string script = session_.script(query, support, status);
  std::FILE *file = std::fopen(options_.logFile.c_str(), "a");
  if (!file) return; // logging never stops a run
  std::fprintf(file, "; query %llu, branch %d, expected %s%s%s\n(reset)\n%s\n",
               static_cast<unsigned long long>(++logged_), static_cast<int>(query.branchId), status,
               answer.reason.empty() ? "" : ": ", answer.reason.c_str(), script.c_str());
  std::fclose(file);
}

} // namespace fathom::solver
