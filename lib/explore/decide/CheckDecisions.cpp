// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/CheckDecisions.h"

#include "evidence/BugKind.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/BugReports.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/UninitUses.h"
#include "explore/decide/Witnesses.h"
#include "support/Check.h"

#include <csignal>

namespace fathom::explore {

using evidence::BugKind;

using namespace program;

/// An addition that overflows wraps around, an argument too many is not looked at, and the program
/// goes on: so do we. Other bugs end the path.
static bool goesOnAfter(BugKind kind, Op op) {
  if (kind == BugKind::BadCall) return op == Op::CallIndirect || op == Op::SurplusArguments;
  return kind == BugKind::SignedOverflow && op != Op::SDiv && op != Op::SRem && op != Op::Trap;
}

/// The signal that the kernel sends for what the interpreter reports.
static int signalOf(BugKind kind, Op op) {
  if (kind == BugKind::DivisionByZero) return SIGFPE;
  return kind == BugKind::SignedOverflow && (op == Op::SDiv || op == Op::SRem) ? SIGFPE : 0;
}

void CheckDecisions::raiseFault(State &s, int signal, uint64_t address, ExprPtr condition,
                                const std::shared_ptr<const expr::Model> &model) {
  if (!options_.runFaultHandlers || !signal || stepContext_.cut || stepContext_.sinkFailed) return;
  const FunctionCode *f = program_.find("__fathom_raiseFault");
  if (!f || s.top->depth >= options_.maxStackFrames ||
      s.memory.usage().stackBytes > options_.maxStackBytes)
    return;
  State *t = forks_.fork(s);
  if (!t) return;
  if (condition) feasibility_.assume(*t, condition, model);
  decisions_.took(*t, State::kRaisedFault | static_cast<uint64_t>(signal));
  t->checked = nullptr;
  t->top->resume = t->ip + 1; // a place for stacks: the function does not return
  const bool entered = interpreter_.calls.enter(*t, f->id, nullptr, 0, nullptr, {f->id, 0});
  FATHOM_CHECK(entered, "room for a frame was looked for before");
  t->top->bits()[0] = static_cast<uint64_t>(signal);
  t->top->bits()[1] = address;
}

bool CheckDecisions::onCheck(State &s) {
  ExprPtr bad = interpreter_.term;
  BugKind kind = interpreter_.bug;
  std::string message = interpreter_.message;
  if (bad->has(expr::kHasUninit)) bad = uninitUses_.settleUninit(s, bad, "an operand");
  std::shared_ptr<const expr::Model> model;
  if (bad->has(expr::kHasUninit)) return !stepContext_.sinkFailed && goesWell(s, bad);
  // A bug that was reported from this very stack need not be found again: only the good side is of
  // interest then.
  const bool wraps = goesOnAfter(kind, interpreter_.code.opAt(s.ip));
  if (wraps && !bugs_.isWanted(kind)) { // nothing depends on it
    s.checked = s.ip;
    return true;
  }
  bool endsHere = false; // some inputs' path does
  const bool isNew = !LogFollower::isFollowed(s);
  const int signal = options_.runFaultHandlers ? signalOf(kind, interpreter_.code.opAt(s.ip)) : 0;
  if (wraps || signal || bugs_.looksFor(s, kind)) {
    const Feasible wrong = feasibility_.feasibleOrLater(
        s, bad, model, kNoBranch, wraps ? LossIfUnknown::Path : LossIfUnknown::Bug);
    if (wrong == Feasible::Later && wraps) forks_.leave(s, Pending::Kind::Check, bad);
    if (wrong == Feasible::Later && !wraps) forks_.leaveCheck(s, bad, kind);
    if (wrong == Feasible::Yes) {
      if (bugs_.looksFor(s, kind)) bugs_.report(s, kind, message, model, nullptr, bad, wraps);
      endsHere = !wraps;
      raiseFault(s, signal, 0, bad, model);
      if (State *t = wraps ? forks_.fork(s) : nullptr) {
        feasibility_.assume(*t, bad, model);
        decisions_.took(*t, 1, bad);
        t->checked = s.ip;
      }
    }
    if (stepContext_.sinkFailed) return false;
  } else if (isNew && witnesses_.holdsUnderWitness(s, bad)) { // the input at hand ends in it
    bugs_.report(s, kind, message, s.witness, nullptr, bad);
    if (stepContext_.sinkFailed) return false;
    endsHere = true;
  }
  ExprPtr good = ctx_.bvNot(bad);
  if (!feasibility_.assumeIfFeasible(s, good))
    return false; // the witness goes wrong here, and that was reported
  stats_.pathsTerminatedEarly += isNew && endsHere;
  decisions_.took(s, 0, good);
  s.checked = s.ip;
  return true;
}

/// An operand is unwritten memory, which was reported: what goes wrong with some of its values is
/// no bug of its own.
bool CheckDecisions::goesWell(State &s, ExprPtr bad) {
  if (!goesOnAfter(interpreter_.bug, interpreter_.code.opAt(s.ip))) {
    std::shared_ptr<const expr::Model> model;
    ExprPtr good = ctx_.bvNot(bad);
    if (feasibility_.feasible(s, good, model) != Feasible::Yes) return false;
    feasibility_.assume(s, good, model);
  }
  s.checked = s.ip;
  return true;
}

bool CheckDecisions::onBug(State &s) {
  const bool goesOn = goesOnAfter(interpreter_.bug, interpreter_.code.opAt(s.ip));
  bugs_.report(s, interpreter_.bug, interpreter_.message, s.witness, nullptr, nullptr, goesOn);
  raiseFault(s, signalOf(interpreter_.bug, interpreter_.code.opAt(s.ip)), 0, nullptr, s.witness);
  if (!goesOn) return false;
  s.checked = s.ip;
  return true;
}

} // namespace fathom::explore
