// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Executor.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/builtin/Builtins.h"
#include "explore/decide/Addresses.h"
#include "explore/decide/AssumedMemory.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/CheckDecisions.h"
#include "explore/decide/ControlDecisions.h"
#include "explore/decide/Decisions.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/MemoryDecisions.h"
#include "explore/decide/PathEnds.h"
#include "explore/decide/PathReplayer.h"
#include "explore/decide/Places.h"
#include "explore/decide/ProgramStart.h"
#include "explore/decide/SpeculativeBranches.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/TestCoverage.h"
#include "explore/decide/ThreadSwitches.h"
#include "explore/external/ExternalCalls.h"
#include "explore/policy/Policies.h"

#include "fmt/format.h"

#include <algorithm>
#include <tuple>

namespace fathom::explore {

using evidence::LedgerCategory;

using namespace program;

Step Executor::run(State &s, int64_t quantum) {
  Step step;
  stepContext_.step = &step;
  stepContext_.hasArrived = false;
  uint64_t stopAt = s.instructions + static_cast<uint64_t>(quantum);
  const bool led = s.replayedLog != nullptr; // then only to the end of what is known
  bool turnOver = false;
  if (s.pending && !stepContext_.mustStop()) {
    stepContext_.beginEvent(s);
    if (led) restorer_.beforeEvent(s);
    step.alive = feasibility_.askPending(s);
    if (led) restorer_.afterEvent();
    if (stepContext_.cut) putBack(s, step, s.log.size());
  }
  while (step.alive && !s.pending && !step.ready && !stepContext_.sinkFailed && !turnOver &&
         (!led || s.replayedLog)) {
    if (s.instructions >= stopAt || stepContext_.mustStop()) break;
    auto budget = static_cast<int64_t>(stopAt - s.instructions);
    if (s.threads) {
      threadSwitches_.preemptIfDue(s);
      budget = std::min(budget, threadSwitches_.untilPreemption(s));
    }
    Calls::ownTopFrame(s);
    const uint64_t ended = stats_.pathsCompleted + stats_.pathsTerminatedEarly;
    const size_t logged = s.log.size();
    stepContext_.beginEvent(s);
    const Event event = interpreter_.run(s, budget);
    if (event == Event::Quantum)
      turnOver = !s.threads; // with threads: stopAt says it
    else
      step.alive = led ? decideLed(s, event) : decideAt(s, event);
    if (stepContext_.hasArrived) turnOver = true;
    // Work that is done again: after each decision it is seen whether others have the path now.
    if (s.excludedPaths) turnOver = true;
    if (stepContext_.cut) {
      putBack(s, step, logged);
      break;
    }
    if (led) // of a path with a million ways beside it only one is wanted
      std::erase_if(step.forked, [](const auto &forked) { return forked->discarded; });
    if (!step.alive && !led && !s.discarded && !s.repeats &&
        ended == stats_.pathsCompleted + stats_.pathsTerminatedEarly)
      stats_.pathsTerminatedEarly++; // by a bug or an assumption
    // A fork was refused: this path ends as well, or it would go on asking at every branch.
    if (stepContext_.tooDeep) {
      stepContext_.tooDeep = false;
      if (step.alive)
        ends_.abandon(s, LedgerCategory::BoundDepth,
                      fmt::format("the path has {} forks (--max-depth)", s.forks));
      step.alive = false;
    }
  }
  assumed_.noteAccesses();
  stepContext_.step = nullptr;
  return step;
}

/// Other paths may part from this one here.
bool Executor::decideLed(State &s, Event event) {
  restorer_.beforeEvent(s);
  const bool goesOn = decideAt(s, event);
  restorer_.afterEvent();
  return goesOn;
}

/// What has been asked about at a point is not asked again when its instruction is run again.
bool Executor::decideAt(State &s, Event event) {
  const Inst *point = event != Event::Point && s.ip->op == Op::Point ? s.ip : nullptr;
  const bool goesOn = decide(s, event);
  if (point) {
    policies_.keepPassed(s, point);
    for (size_t i = stepContext_.forkedBefore; i < stepContext_.step->forked.size(); i++)
      policies_.keepPassed(*stepContext_.step->forked[i], point);
  }
  return goesOn;
}

/// What goes on as well where the input is only guessed: a branch, and the program's end, which
/// decides for itself.
bool Executor::needsInput(Event event) const {
  if (event == Event::External)
    return interpreter_.external == ExecutableCode::kEntryCall ||
           !builtins_.isExit(interpreter_.external);
  return event != Event::Quantum && event != Event::Branch && event != Event::Returned;
}

bool Executor::decide(State &s, Event event) {
  if (needsInput(event) && !guesses_.settle(s)) return false;
  switch (event) {
  case Event::Quantum: return true;
  case Event::Branch: return controlDecisions_.onBranch(s);
  case Event::Switch: return controlDecisions_.onSwitch(s);
  case Event::IndirectBr: return controlDecisions_.onIndirectBr(s);
  case Event::Memory: return memoryDecisions_.onMemory(s);
  case Event::MemOp: return memoryDecisions_.onMemOp(s);
  case Event::Fault:
    addresses_.reportFault(s, interpreter_.faultAddress, interpreter_.faultBytes, /*write=*/false,
                           s.witness);
    return false;
  case Event::Concretize: return memoryDecisions_.onConcretize(s);
  case Event::Check: return checkDecisions_.onCheck(s);
  case Event::Bug: return checkDecisions_.onBug(s);
  case Event::Call: return controlDecisions_.onIndirectCall(s);
  case Event::External: return onExternal(s);
  case Event::StackOverflow:
    bugs_.report(s, evidence::BugKind::StackOverflow,
                 fmt::format("the stack grows beyond {} frames or {} bytes",
                             options_.maxStackFrames, options_.maxStackBytes),
                 s.witness);
    return false;
  case Event::OutOfMemory:
    ledger_.add(LedgerCategory::BoundSize, places_.where(s),
                "no address space left for local variables and arguments");
    ends_.endPath(s, EndKind::Partial, 0, "partial: out of address space");
    return false;
  case Event::Returned: return onReturned(s);
  case Event::Unsupported: return onUnsupported(s);
  case Event::Point: return policies_.ask(s);
  }
  return false;
}

void Executor::putBack(State &s, Step &step, size_t logged) {
  stepContext_.cut = stepContext_.tooDeep = false;
  ledger_.mute(false);
  std::tie(stats_.forks, stats_.states, stats_.sidesLeft, stats_.pathsTerminatedEarly) =
      stepContext_.beforeEvent;
  // Every event has an entry of the log before which it can be begun again.
  step.suspended = {.log = s.log.bytes().substr(0, logged),
                    .newlyCovered = testCoverage_.newlyCoveredOf(s),
                    .attempts = s.attempts(),
                    .excludedPaths = s.excludedPaths};
  step.forked.resize(stepContext_.forkedBefore);
  step.ready = 0; // a turn ends with the first
  step.alive = false;
}

bool Executor::onUnsupported(State &s) {
  const std::string &what = program_.messages[s.ip->imm];
  ledger_.add(LedgerCategory::UnsupportedInstruction, places_.where(s), what);
  ends_.endPath(s, EndKind::Partial, 0, "partial: unsupported instruction: " + what);
  return false;
}

bool Executor::onReturned(State &s) {
  // Start-up code never returns; with --entry this is the end, and main's value is the status
  // (endPath).
  if (!ends_.endUnasked(s)) ends_.endPath(s, EndKind::Exit, 0, "path completed");
  return false;
}

/// The call as if it were none of an external function.
bool Executor::interpretCall(State &s, const External &callee) {
  interpreter_.state = &s;
  if (interpreter_.calls.call(s.ip, callee.body)) return true;
  return decide(s, interpreter_.event) && decisions_.runsAgain(s);
}

PathPrefix Executor::prefixOf(const State &s) const {
  return {.log = s.log.bytes(),
          .newlyCovered = testCoverage_.newlyCoveredOf(s),
          .attempts = s.attempts(),
          .excludedPaths = s.excludedPaths,
          .input = s.offeredInput()};
}

bool Executor::onExternal(State &s) {
  const Inst *ip = s.ip;
  if (interpreter_.external == ExecutableCode::kEntryCall) return start_.entryCall(s);
  const FunctionCode &f = program_.functions[s.top->function];
  BuiltinCall call{ip, f.pool.data() + ip->imm, ip->b, &program_.externals[interpreter_.external]};
  decisions_.counts(s);
  const uint64_t before = s.instructions;
  s.instructions += ip->w;
  const uint64_t all = interpreter_.instructions += ip->w;
  const bool goesOn = runExternal(s, call);
  // It runs again; and the log that it follows, if any, has not come to its end here.
  if (goesOn && s.instructions == before && interpreter_.instructions == all)
    interpreter_.instructions -= ip->w;
  return goesOn;
}

bool Executor::runExternal(State &s, const BuiltinCall &call) {
  if (const Builtin &builtin = builtins_.find(interpreter_.external)) {
    switch (builtin(s, call)) {
    case BuiltinOutcome::Next:
      s.ip = call.ip + 1;
      interpreter_.state = &s;
      interpreter_.coverage.coverAfterCall(s, s.ip);
      return true;
    case BuiltinOutcome::Jumped: return true;
    case BuiltinOutcome::Again: return decisions_.runsAgain(s);
    case BuiltinOutcome::Ended: return false;
    }
  }
  if (call.callee->name == "main" && !options_.entry.empty())
    return start_.entryCall(s); // a library: start-up code calls what is not there
  return externalCalls_.externalCall(s, *call.callee, call.args, call.numArgs);
}

} // namespace fathom::explore
