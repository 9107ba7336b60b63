// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Question.h"

#include "bmc/GatedCode.h"
#include "solver/CircuitSolver.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::bmc {

namespace {

/// Of the circuit and of the SAT solver: steps, so that an answer does not depend on the machine.
constexpr uint64_t kMaxBytes = uint64_t(2) << 30;
constexpr int kMaxConflicts = 20'000;

constexpr Assumption kAll[] = {Assumption::DistinctPointers, Assumption::ValidPointers,
                               Assumption::NotFreedBefore,   Assumption::NothingFreed,
                               Assumption::EarlierValid,     Assumption::NothingBeside,
                               Assumption::OtherCalls};
static_assert(std::size(kAll) == kAssumptions);

solver::Answer solve(solver::CircuitSolver &circuits, std::vector<ExprPtr> constraints) {
  std::erase_if(constraints, [](ExprPtr e) { return e->isTrue(); });
  if (std::ranges::any_of(constraints, &expr::Expr::isFalse)) return solver::Answer::unsat();
  if (constraints.empty()) return solver::Answer::sat({});
  solver::Conjunction query{
      .constraints = constraints, .deadline = solver::Clock::time_point::max(), .needModel = false};
  return circuits.solve(query, {.newGates = 0, .conflicts = kMaxConflicts, .isAlone = true});
}

} // namespace

const char *text(Assumption assumption) {
  switch (assumption) {
  case Assumption::DistinctPointers: return "pointers of unknown origin lead to different objects";
  case Assumption::ValidPointers: return "pointers of callers are not null";
  case Assumption::NotFreedBefore: return "what callers pass is not freed";
  case Assumption::NothingFreed: return "calls and rounds that were not followed free nothing";
  case Assumption::EarlierValid: return "accesses before it go well";
  case Assumption::NothingBeside: return "no other thread or signal handler changes memory";
  case Assumption::OtherCalls:
    return "recursive calls, calls of unknown functions and the program's end do not lead to it";
  }
  return "";
}

Answer ask(const program::Program &program, const Knowledge &knowledge, const Question &question,
           const std::atomic<bool> *stop) {
  Answer out;
  expr::ExprContext context;
  GatedCode code(context, program, knowledge, question, stop);
  code.run();
  out.instructions = code.instructions();
  out.why = code.failure();
  if (!out.why.empty()) return out;
  if (!code.meetsSink()) {
    out.why = "no code of the place was come to";
    return out;
  }
  ExprPtr goal = context.falseExpr();
  for (ExprPtr one : code.accesses().goals()) goal = context.bvOr(goal, one);
  const std::vector<ExprPtr> &facts = code.accesses().objects().facts();
  std::vector<ExprPtr> constraints(facts.begin(), facts.end());
  constraints.push_back(goal);
  solver::CircuitSolver circuits(context, kMaxBytes, stop, nullptr);
  for (const Assumption assumption : kAll)
    constraints.push_back(code.accesses().literalOf(assumption));
  const solver::Answer answer = solve(circuits, constraints);
  if (answer.kind == solver::AnswerKind::Sat) {
    out.kind = Answer::Kind::Maybe;
    return out;
  }
  if (answer.kind != solver::AnswerKind::Unsat) {
    out.why = fmt::format("the solver gave up, after {} instructions", out.instructions);
    return out;
  }
  for (const Assumption assumption : kAll)
    if (std::ranges::find(answer.core, code.accesses().literalOf(assumption)) != answer.core.end())
      out.assumed.push_back(assumption);
  // Then the contradiction needs none of them, and holds for all runs.
  const bool isOfAll = out.assumed.empty() && !answer.core.empty();
  if (!isOfAll) {
    constraints.resize(constraints.size() - kAssumptions);
    if (solve(circuits, constraints).kind != solver::AnswerKind::Unsat) {
      out.kind = Answer::Kind::Bounded;
      if (out.assumed.empty()) out.assumed.assign(std::begin(kAll), std::end(kAll));
      return out;
    }
  }
  out.kind = Answer::Kind::Never;
  out.assumed.clear();
  return out;
}

} // namespace fathom::bmc
