// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Executor.h"

#include "explore/Builtins.h"

#include "support/Check.h"

#include "fmt/format.h"

#include <csignal>

namespace fathom::explore {

using namespace program;

Executor::Executor(const Program &program, expr::ExprContext &context,
                   solver::FeasibilityOracle &oracle, const ExploreOptions &options,
                   ResultSink &sink, Stats &stats, Ledger &ledger)
    : machine(program, context, options), program_(program), ctx_(context), oracle_(oracle),
      options_(options), sink_(sink), stats_(stats), ledger_(ledger), asking_(options),
      externals_(std::make_unique<ExternalServer>(options)),
      builtins_(std::make_unique<Builtins>(*this)) {
  ExternalPolicy::make(options, policy_); // checked before: validate(ExploreOptions)
  machine.deferred = {policy_.deferFloats, policy_.deferNonlinear};
}

Executor::~Executor() = default;

void Executor::visitRoots(const std::function<void(ExprPtr)> &visit) const {
  builtins_->visitRoots(visit);
}

Step Executor::run(State &s, int64_t quantum) {
  Step step;
  step_ = &step;
  uint64_t stopAt = s.instructions + static_cast<uint64_t>(quantum);
  const bool led = s.script != nullptr; // then only to the end of what is known
  bool turnOver = false;
  if (s.pending && !mustStop()) {
    beginEvent(s);
    step.alive = askPending(s);
    if (cut_) putBack(s, step, s.log.size());
  }
  while (step.alive && !s.pending && !step.ready && !sinkFailed && !turnOver &&
         (!led || s.script)) {
    if (s.instructions >= stopAt || mustStop()) break;
    auto budget = static_cast<int64_t>(stopAt - s.instructions);
    if (s.threads) {
      preemptIfDue(s);
      budget = std::min(budget, untilPreemption(s));
    }
    Machine::ownTopFrame(s);
    const uint64_t ended = stats_.pathsCompleted + stats_.pathsTerminatedEarly;
    const size_t logged = s.log.size();
    beginEvent(s);
    const Event event = machine.run(s, budget);
    if (event == Event::Quantum)
      turnOver = !s.threads; // with threads: stopAt says it
    else
      step.alive = decide(s, event);
    if (cut_) {
      putBack(s, step, logged);
      break;
    }
    if (led) // of a path with a million ways beside it only one is wanted
      std::erase_if(step.forked, [](const auto &forked) { return forked->discarded; });
    if (!step.alive && !led && !s.discarded &&
        ended == stats_.pathsCompleted + stats_.pathsTerminatedEarly)
      stats_.pathsTerminatedEarly++; // by a bug or an assumption
    if (tooDeep_) { // a fork was refused: this path ends as well, or it would go on asking at every
                    // branch
      tooDeep_ = false;
      if (step.alive)
        abandon(s, "bound-depth", fmt::format("the path has {} forks (--max-depth)", s.forks));
      step.alive = false;
    }
  }
  step_ = nullptr;
  return step;
}

void Executor::beginEvent(const State &s) {
  noted_.clear();
  keepDecided(s);
  beforeEvent_ = {stats_.forks, stats_.states, stats_.sidesLeft, stats_.pathsTerminatedEarly};
  forkedBefore_ = step_->forked.size();
}

bool Executor::decide(State &s, Event event) {
  switch (event) {
  case Event::Quantum: return true;
  case Event::Branch: return onBranch(s);
  case Event::Switch: return onSwitch(s);
  case Event::IndirectBr: return onIndirectBr(s);
  case Event::Memory: return onMemory(s);
  case Event::MemOp: return onMemOp(s);
  case Event::Fault:
    reportFault(s, machine.faultAddress, machine.faultBytes, /*write=*/false, s.witness);
    return false;
  case Event::Concretize: return onConcretize(s);
  case Event::Check: return onCheck(s);
  case Event::Bug: return onBug(s);
  case Event::Call: return onIndirectCall(s);
  case Event::External: return onExternal(s);
  case Event::StackOverflow:
    report(s, BugKind::StackOverflow,
           fmt::format("the stack grows beyond {} frames or {} bytes", options_.maxStackFrames,
                       options_.maxStackBytes),
           s.witness);
    return false;
  case Event::OutOfMemory:
    ledger_.add("bound-size", where(s), "no address space left for local variables and arguments");
    endPath(s, EndKind::Partial, 0, "partial: out of address space");
    return false;
  case Event::Returned: return onReturned(s);
  case Event::Unsupported: return onUnsupported(s);
  }
  return false;
}

bool Executor::cutShort(State &s, bool lessTime) {
  // Timers are not exact.
  constexpr std::chrono::milliseconds kNearly{20};
  const bool over =
      deadline != solver::Clock::time_point{} && solver::Clock::now() + kNearly >= deadline;
  if (!lessTime && !over && !(stop && stop->load(std::memory_order_relaxed))) return false;
  cut_ = s.discarded = true;
  ledger_.mute(true);
  return true;
}

void Executor::putBack(State &s, Step &step, size_t logged) {
  cut_ = tooDeep_ = false;
  ledger_.mute(false);
  std::tie(stats_.forks, stats_.states, stats_.sidesLeft, stats_.pathsTerminatedEarly) =
      beforeEvent_;
  // Every event has an entry of the log before which it can be begun again.
  step.suspended = {
      .log = s.log.bytes().substr(0, logged), .firsts = firstsOf(s), .attempts = s.attempts()};
  step.forked.resize(forkedBefore_);
  step.ready = 0; // a turn ends with the first
  step.alive = false;
}

/// Between two decisions: a turn has many of them, and each may take the solver long.
bool Executor::mustStop() const {
  if (stop && stop->load(std::memory_order_relaxed)) return true;
  return deadline != solver::Clock::time_point{} && solver::Clock::now() >= deadline;
}

// --- asking and constraining
// -------------------------------------------------------------------------------------

bool Executor::holdsUnderWitness(State &s, ExprPtr condition) {
  evaluator_.setModel(*s.witness, s.witnessVersion);
  return evaluator_.isTrue(condition);
}

bool Executor::holdsUnder(const expr::Model &model, ExprPtr condition) {
  evaluator_.setModel(model, nextModelVersion());
  return evaluator_.isTrue(condition);
}

uint64_t Executor::witnessValue(State &s, ExprPtr e) {
  evaluator_.setModel(*s.witness, s.witnessVersion);
  return evaluator_.eval(e);
}

std::chrono::milliseconds Executor::queryTimeout() const {
  const std::chrono::milliseconds usual = attempt_.value_or(options_.solverTimeout);
  if (deadline == solver::Clock::time_point{}) return usual;
  auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - solver::Clock::now());
  return std::min(usual, std::max(left, std::chrono::milliseconds(10)));
}

Executor::Feasible Executor::feasible(State &s, ExprPtr condition,
                                      std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                                      Unanswered lost) {
  if (condition->isFalse() || s.discarded) return Feasible::No;
  if (std::optional<uint64_t> known = scripted(s)) {
    model = s.witness; // a new one comes with assume
    return static_cast<Feasible>(*known);
  }
  model = seedWith(s, condition);
  Feasible answer = model ? Feasible::Yes : ask(s, condition, model, branchId, lost);
  if (cut_) return Feasible::No; // no answer: nothing to be kept
  s.log.append(static_cast<uint64_t>(answer));
  return answer;
}

const char *Executor::consequenceOf(Unanswered lost) {
  switch (lost) {
  case Unanswered::Bug: return ": a bug on inputs for which the condition holds may be missed";
  case Unanswered::Nothing: return ": no path was dropped";
  case Unanswered::Path: break;
  }
  return ": the path on which the condition holds was dropped";
}

Executor::Feasible Executor::ask(State &s, ExprPtr condition,
                                 std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                                 Unanswered lost) {
  if (condition->has(expr::kHasApply) || (s.hasExact && wantsExact(s, condition)))
    return askExactly(s, condition, model, branchId, lost);
  Feasible answer = askPath(s, s.path, condition, s.witness, model, branchId, lost);
  if (answer == Feasible::Yes && s.hasExact) fitResults(s, condition, model);
  return answer;
}

Executor::Feasible Executor::askPath(State &s, const solver::PathCondition &path, ExprPtr condition,
                                     const std::shared_ptr<const expr::Model> &witness,
                                     std::shared_ptr<const expr::Model> &model, uint32_t branchId,
                                     Unanswered lost) {
  solver::Query query{.path = path,
                      .goal = condition,
                      .witness = witness.get(),
                      .witnessVersion = s.witnessVersion,
                      .branchId = branchId,
                      .timeout = queryTimeout(),
                      .asksAgain = attempt_ && *attempt_ < options_.solverTimeout};
  auto start = solver::Clock::now();
  solver::Answer answer = oracle_.check(query);
  stats_.queries++;
  stats_.exactQueries += answer.ofOperations || condition->has(expr::kHasApply);
  const auto end = solver::Clock::now();
  const std::chrono::duration<double> took = end - start;
  stats_.solverSeconds += took.count();
  stats_.checkTimes.add(took.count(), std::chrono::duration<double>(query.timeout).count());
  asking_.asked(took, end);
  switch (answer.kind) {
  case solver::AnswerKind::Sat:
    model =
        answer.isWitness ? witness : std::make_shared<const expr::Model>(std::move(answer.model));
    return Feasible::Yes;
  case solver::AnswerKind::Unsat: return Feasible::No;
  default:
    const bool timedOut = answer.why == solver::UnknownReason::Timeout;
    if (cutShort(s, timedOut && query.timeout < attempt_.value_or(options_.solverTimeout)))
      return Feasible::Unknown;
    if (timedOut && attempt_ && *attempt_ < options_.solverTimeout) {
      attemptFailed_ = true;
      return Feasible::Unknown;
    }
    ledger_.add(timedOut ? "solver-timeout" : "solver-unknown", where(s),
                answer.reason + consequenceOf(lost));
    return Feasible::Unknown;
  }
}

void Executor::assume(State &s, ExprPtr condition,
                      const std::shared_ptr<const expr::Model> &model) {
  s.path.add(condition);
  if (s.hasExact) s.exact.add(exactTerm(s, condition));
  if (s.discarded) return;
  if (model && model == opening_ && model != s.witness && !s.opened) {
    s.opened = true;
    stats_.openedStates++;
  }
  const bool seeded = keepSeeds(s, condition, model);
  if (std::optional<uint64_t> changes = scripted(s))
    adoptScriptedWitness(s, *changes);
  else
    adoptWitness(s, seeded ? s.seeds->front().model : model);
}

bool Executor::boundForbids(State &s) {
  if (s.script || s.discarded) return false; // what was refused then, the log tells
  if (options_.maxDepth && s.forks >= options_.maxDepth) {
    tooDeep_ = true;
    return true;
  }
  if (!options_.maxForks || stats_.forks < options_.maxForks) return false;
  ledger_.add("bound-forks", where(s),
              "what the other side of a branch leads to was not looked at (--max-forks)");
  return true;
}

Executor::Feasible Executor::otherWay(State &s, ExprPtr condition,
                                      std::shared_ptr<const expr::Model> &model,
                                      uint32_t branchId) {
  if (condition->isFalse() || !boundForbids(s))
    return feasibleOrLater(s, condition, model, branchId);
  s.log.append(static_cast<uint64_t>(Feasible::Unknown));
  return Feasible::Unknown;
}

State *Executor::fork(State &s) {
  if (boundForbids(s)) {
    s.log.append(0); // whoever follows it forks, and the other one is not on the way
    return nullptr;
  }
  stats_.forks++;
  stats_.states++;
  stats_.openedStates += s.opened;
  step_->ready++;
  s.forks++;
  return &branchOff(s);
}

State &Executor::branchOff(State &s) {
  auto copy = std::make_unique<State>(s);
  copy->id = nextStateId_++;
  copy->forkedAt = s.log.size();
  copy->discarded = s.discarded;
  if (s.script) { // one of the two is on the way
    PathScript &script = *s.script;
    bool taken = script.next().value_or(0) != 0;
    copy->log.append(1);
    s.log.append(0);
    if (taken) copy->script = std::move(s.script);
    (taken ? s : *copy).discarded = true;
    if (State &follower = taken ? *copy : s; follower.script->done()) goLive(follower);
  } else {
    copy->log.append(1);
    s.log.append(0);
  }
  Machine::ownTopFrame(
      *copy); // the copy's, so that references into the frame of s stay what they are
  step_->forked.push_back(std::move(copy));
  return *step_->forked.back();
}

uint64_t Executor::splitOnValue(State &s, ExprPtr e) {
  if (e->isConst()) return e->value();
  uint64_t mine = witnessValue(s, e);
  ExprPtr is = ctx_.eq(e, ctx_.constant(mine, e->width())), others = ctx_.bvNot(is);
  std::shared_ptr<const expr::Model> model;
  Feasible answer = otherWay(s, others, model);
  if (answer == Feasible::Later) leave(s, Pending::Kind::Way, others);
  if (answer == Feasible::Yes)
    if (State *t = forkAgain(s)) assume(*t, others, model);
  if (answer != Feasible::No) assume(s, is, s.witness);
  s.took(mine);
  return mine;
}

void Executor::notePinned(State &s, const std::string &why) {
  ledger_.add("concretized-value", where(s), why);
  stats_.concretizations++;
}

uint64_t Executor::concretize(State &s, ExprPtr e, const std::string &why) {
  if (e->has(expr::kHasUninit)) e = settleUninit(s, e, "a value that is used concretely");
  if (e->isConst()) return e->value();
  uint64_t v = witnessValue(s, e);
  ExprPtr is = ctx_.eq(e, ctx_.constant(v, e->width()));
  std::shared_ptr<const expr::Model> other;
  const Feasible answer = feasibleOrLater(s, ctx_.bvNot(is), other, ~0u, Unanswered::Nothing);
  if (answer == Feasible::No) {
    s.took(v);
    return v;
  }
  if (answer == Feasible::Later)
    leave(s, {.kind = Pending::Kind::Others, .condition = ctx_.bvNot(is), .why = why});
  else
    notePinned(s, why);
  assume(s, is, s.witness);
  s.took(v);
  return v;
}

bool Executor::onConcretize(State &s) {
  ExprPtr e = s.top->syms[machine.slot];
  if (s.ip->op == Op::Trap) { // what it is for: the path forks
    machine.setRegister(*s.top, machine.slot, ctx_.constant(splitOnValue(s, e), 64));
    return true;
  }
  if (isCall(s.ip->op)) { // the address of a structure passed by value
    const uint32_t slot = machine.slot;
    if (e->has(expr::kHasUninit)) e = settleUninit(s, e, "an address");
    Resolved from = resolve(s, e, machine.faultBytes, /*write=*/false);
    if (from.again) return again(s);
    if (!from.object) return false;
    const uint64_t base = from.object->base();
    machine.setRegister(*s.top, slot, ctx_.constant(base + splitOnValue(s, from.offset), 64));
    return true;
  }
  const char *op = opName(s.ip->op);
  bool block = s.ip->op == Op::MemCpy || s.ip->op == Op::MemMove || s.ip->op == Op::MemSet;
  if (block && machine.slot == s.ip->c) return onBlockSize(s);
  if (e->width() <= 64) {
    uint64_t v = concretize(s, e, fmt::format("operand of {}", op));
    machine.setRegister(*s.top, machine.slot, ctx_.constant(v, e->width()));
    return true;
  }
  // In two halves (x86_fp80).
  uint64_t lo = concretize(s, ctx_.extract(e, 0, 64), fmt::format("operand of {}", op));
  uint64_t hi =
      concretize(s, ctx_.extract(e, 64, e->width() - 64), fmt::format("operand of {}", op));
  uint64_t words[2] = {lo, hi};
  machine.setRegister(*s.top, machine.slot, ctx_.constantWide(words, e->width()));
  return true;
}

/// An addition that overflows wraps around, an argument too many is not looked at, and the program
/// goes on: so do we. Other bugs end the path.
static bool goesOnAfter(BugKind kind, Op op) {
  if (kind == BugKind::BadCall) return op == Op::CallIndirect || op == Op::SurplusArguments;
  return kind == BugKind::SignedOverflow && op != Op::SDiv && op != Op::SRem && op != Op::Trap;
}

/// The kernel's signal for what the machine reports.
static int signalOf(BugKind kind, Op op) {
  if (kind == BugKind::DivisionByZero) return SIGFPE;
  return kind == BugKind::SignedOverflow && (op == Op::SDiv || op == Op::SRem) ? SIGFPE : 0;
}

void Executor::raiseFault(State &s, int signal, uint64_t address, ExprPtr condition,
                          const std::shared_ptr<const expr::Model> &model) {
  if (!options_.runFaultHandlers || !signal || cut_ || sinkFailed) return;
  const FunctionCode *f = program_.find("__fathom_raiseFault");
  if (!f || s.top->depth >= options_.maxStackFrames ||
      s.memory.stackBytes() > options_.maxStackBytes)
    return;
  State *t = fork(s);
  if (!t) return;
  if (condition) assume(*t, condition, model);
  t->took(State::kRaisedFault | static_cast<uint64_t>(signal));
  t->checked = nullptr;
  t->top->resume = t->ip + 1; // a place for stacks: the function does not return
  const bool entered = machine.enter(*t, f->id, nullptr, 0, nullptr, {f->id, 0});
  FATHOM_CHECK(entered, "room for a frame was looked for before");
  t->top->bits()[0] = static_cast<uint64_t>(signal);
  t->top->bits()[1] = address;
}

bool Executor::onCheck(State &s) {
  ExprPtr bad = machine.term;
  BugKind kind = machine.bug;
  std::string message = machine.message;
  if (bad->has(expr::kHasUninit)) bad = settleUninit(s, bad, "an operand");
  std::shared_ptr<const expr::Model> model;
  if (bad->has(expr::kHasUninit)) return !sinkFailed && goesWell(s, bad);
  // A bug that was reported from this very stack need not be found again: only the good side is of
  // interest then.
  const bool wraps = goesOnAfter(kind, s.ip->op);
  bool endsHere = false; // some inputs' path does
  const bool isNew = !isFollowed(s);
  const int signal = options_.runFaultHandlers ? signalOf(kind, s.ip->op) : 0;
  const bool all = options_.allBugInputs;
  if (wraps || signal || all || !alreadyReported(s, kind)) {
    const Feasible wrong =
        feasibleOrLater(s, bad, model, ~0u, wraps ? Unanswered::Path : Unanswered::Bug);
    if (wrong == Feasible::Later && wraps) leave(s, Pending::Kind::Check, bad);
    if (wrong == Feasible::Later && !wraps) leaveCheck(s, bad, kind);
    if (wrong == Feasible::Yes) {
      if (all || !alreadyReported(s, kind)) report(s, kind, message, model, nullptr, bad, wraps);
      endsHere = !wraps;
      raiseFault(s, signal, 0, bad, model);
      if (State *t = wraps ? fork(s) : nullptr) {
        assume(*t, bad, model);
        t->took(1);
        t->checked = s.ip;
      }
    }
    if (sinkFailed) return false;
  } else if (isNew && holdsUnderWitness(s, bad)) { // the input at hand ends in it
    report(s, kind, message, s.witness, nullptr, bad);
    if (sinkFailed) return false;
    endsHere = true;
  }
  ExprPtr good = ctx_.bvNot(bad);
  if (!goesOnWith(s, good)) return false; // the witness goes wrong here, and that was reported
  stats_.pathsTerminatedEarly += isNew && endsHere;
  s.took(0);
  s.checked = s.ip;
  return true;
}

/// An operand is unwritten memory, which was reported: what goes wrong with some of its values is
/// no bug of its own.
bool Executor::goesWell(State &s, ExprPtr bad) {
  if (!goesOnAfter(machine.bug, s.ip->op)) {
    std::shared_ptr<const expr::Model> model;
    ExprPtr good = ctx_.bvNot(bad);
    if (feasible(s, good, model) != Feasible::Yes) return false;
    assume(s, good, model);
  }
  s.checked = s.ip;
  return true;
}

bool Executor::onBug(State &s) {
  const bool goesOn = goesOnAfter(machine.bug, s.ip->op);
  report(s, machine.bug, machine.message, s.witness, nullptr, nullptr, goesOn);
  raiseFault(s, signalOf(machine.bug, s.ip->op), 0, nullptr, s.witness);
  if (!goesOn) return false;
  s.checked = s.ip;
  return true;
}

bool Executor::onUnsupported(State &s) {
  const std::string &what = program_.messages[s.ip->imm];
  ledger_.add("unsupported-instruction", where(s), what);
  endPath(s, EndKind::Partial, 0, "partial: unsupported instruction: " + what);
  return false;
}

bool Executor::onReturned(State &s) {
  // Start-up code never returns; with --entry this is the end, and main's value is the status
  // (endPath).
  endPath(s, EndKind::Exit, 0, "path completed");
  return false;
}

} // namespace fathom::explore
