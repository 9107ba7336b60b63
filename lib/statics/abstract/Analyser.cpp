// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop around functions (Analyser.h): shared analyses until none grows, then verdicts; and one
// function in one context, block by block.
#include "statics/abstract/Analyser.h"

#include <algorithm>

namespace fathom::statics::abstract {

namespace {

/// The context-sensitive analysis may use this share of the budget. The rest is for the fallback,
/// which analyses each function alone.
constexpr double kShareOfContexts = 0.75;
/// An entry or exit that grew more often is widened. Where there is no recursion, every chain of
/// joins ends by itself, and only its length is bounded.
constexpr unsigned kJoinsInRecursion = 3, kJoinsElsewhere = 12;

llvm::BitVector recursiveStackOf(const AbstractProgram &program, const CallPlan &calls) {
  llvm::BitVector out(unsigned(program.objects.size()));
  for (ObjectId o = 0; o < program.objects.size(); ++o) {
    const Object &object = program.objects[o];
    if (object.kind == Object::Kind::Stack && mayEscape(object) &&
        calls.isRecursive(object.function))
      out.set(o);
  }
  return out;
}

std::vector<FunctionPlan> plansOf(const AbstractProgram &program) {
  std::vector<FunctionPlan> out;
  out.reserve(program.functions.size());
  for (const Function &function : program.functions) out.emplace_back(function);
  return out;
}

} // namespace

Analyser::Analyser(const AbstractProgram &program, const AnalysisOptions &options,
                   const BudgetShare &spent, AnalysisResult &result)
    : program_(program), options_(options), spent_(spent), result_(result),
      plans_(plansOf(program)), calls_(program, plans_, options.mostStatements),
      memory_(program, calls_.recursive()), transfer_(program, memory_),
      recursiveStack_(recursiveStackOf(program, calls_)), shared_(program.functions.size()) {
  result_.followsAll = calls_.followsAll();
  // States of a large program are large, and it takes long without this.
  constexpr uint64_t kSmall = 20'000;
  uint64_t statements = 0;
  for (const Function &function : program.functions)
    for (const Block &block : function.blocks) statements += block.statements.size();
  extraRunsAllowed_ = options.mostBlocksApart * kSmall / std::max(kSmall, statements);
}

// MAIN LOOP
void Analyser::run() {
  State entry(*result_.domain);
  memory_.enterGlobals(entry);
  for (const FunctionId f : program_.entries)
    growEntry(f, program_.beginsFresh ? entry : unknownState());
  while (!waiting_.empty() && !isStopped_) {
    settleAll();
    // From here on no entry and no exit grows: what is noted covers every execution.
    recordAll();
  }
  if (isStopped_) analyseAlone();
}

const State &Analyser::unknownState() {
  if (!unknown_) {
    unknown_.emplace(*result_.domain);
    memory_.enterUnknown(*unknown_);
  }
  return *unknown_;
}

/// Counts one run of a block, and looks at the budget now and then. True: the analysis has to stop.
bool Analyser::checkBudget() {
  if (spent_ && blocksRun_++ % 64 == 0 && spent_() >= (isAlone_ ? 1 : kShareOfContexts))
    isStopped_ = true;
  return isStopped_;
}

// ---- shared analyses ----------------------------------------------------------------------------

SharedAnalysis &Analyser::sharedOf(FunctionId function) {
  std::unique_ptr<SharedAnalysis> &out = shared_[function];
  if (!out) out = std::make_unique<SharedAnalysis>(bottom());
  return *out;
}

void Analyser::open(FunctionId function) {
  sharedOf(function).isOpen = true;
  waiting_.insert({calls_.rank(function), function});
}

void Analyser::grow(FunctionId function, State &state, const State &with, unsigned times) const {
  const unsigned joins = calls_.isRecursive(function) ? kJoinsInRecursion : kJoinsElsewhere;
  if (times < joins)
    state.join(with);
  else
    Widening(program_, plans_[function]).apply(state, with, times - joins);
}

void Analyser::growEntry(FunctionId function, const State &with) {
  SharedAnalysis &shared = sharedOf(function);
  if (with.isSubsetOf(shared.entry)) return;
  grow(function, shared.entry, with, shared.entryGrowths++);
  open(function);
}

bool Analyser::growExit(FunctionId function, const State &with) {
  SharedAnalysis &shared = sharedOf(function);
  if (with.isSubsetOf(shared.exit)) return false;
  grow(function, shared.exit, with, shared.exitGrowths++);
  ++shared.version;
  ++epoch_;
  return true;
}

bool Analyser::usedOldExits() const {
  return std::any_of(used_.begin(), used_.end(), [&](const auto &use) {
    return shared_[std::get<3>(use.first)]->version != use.second;
  });
}

void Analyser::settle(FunctionId function) {
  SharedAnalysis &shared = sharedOf(function);
  // Another shared analysis may be suspended in a call of this function: its stack is saved.
  std::vector<Instance *> stack;
  decltype(used_) used;
  FunctionId current = function;
  std::swap(stack, stack_);
  std::swap(current, current_);
  shared.isActive = true;
  ++nested_;
  while (shared.isOpen && !isStopped_) {
    shared.isOpen = false;
    shared.isRecorded = false;
    std::swap(used, used_);
    used_.clear();
    auto instance =
        std::make_unique<Instance>(function, bottom(), program_.functions[function].blocks.size());
    allotExtraRuns();
    solve(*instance, shared.entry);
    if (growExit(function, instance->exit.joined(bottom())))
      for (const FunctionId reader : shared.readers)
        if (!sharedOf(reader).isActive) open(reader);
    if (usedOldExits()) shared.isOpen = true;
    shared.instance = std::move(instance);
    std::swap(used, used_);
  }
  --nested_;
  shared.isActive = false;
  std::swap(stack, stack_);
  std::swap(current, current_);
  // Suspended analyses that used an earlier exit of this function are not opened here: they notice
  // it at their end (usedOldExits).
}

void Analyser::settleAll() {
  while (!waiting_.empty() && !isStopped_) {
    const FunctionId function = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    settle(function);
  }
}

void Analyser::recordAll() {
  for (FunctionId f = 0; f < shared_.size() && !isStopped_; ++f) {
    if (!shared_[f] || shared_[f]->isRecorded || !shared_[f]->instance) continue;
    shared_[f]->isRecorded = true;
    current_ = f;
    allotExtraRuns();
    record(*shared_[f]->instance);
  }
}

void Analyser::analyseAlone() {
  result_.isPartial = true;
  isAlone_ = true;
  isStopped_ = spent_() >= 1;
  stack_.clear();
  shared_.clear();
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    // In any state and for any arguments, the original does what its copies do.
    if (program_.functions[f].blocks.empty() || program_.functions[f].copyOf != kNoId) continue;
    Instance instance(f, bottom(), program_.functions[f].blocks.size());
    if (!isStopped_) solve(instance, unknownState());
    if (!isStopped_) record(instance);
    if (!isStopped_) {
      ++result_.functionsAnalysed;
      continue;
    }
    for (CheckId id = 0; id < program_.checks.size(); ++id)
      if (program_.checks[id].function >= f) result_.checks[id].verdict = Verdict::Alarm;
    return;
  }
}

// ---- one function in one context ----------------------------------------------------------------

/// Each shared analysis may spend a quarter of the extra block runs that are left, so that the
/// first ones leave some to the others.
void Analyser::allotExtraRuns() {
  extraRunsLimit_ = extraRuns_ + (extraRunsAllowed_ - std::min(extraRunsAllowed_, extraRuns_)) / 4;
}

size_t Analyser::mostParts() const {
  return extraRuns_ < extraRunsLimit_ && !isAlone_ ? std::max(1u, options_.mostParts) : 1;
}

bool Analyser::mayUnroll(unsigned round, size_t blocks) {
  if (round >= options_.mostUnrolled || mostParts() == 1 || isStopped_) return false;
  extraRuns_ += blocks;
  return true;
}

void Analyser::runBlock(Instance &instance, BlockId block) {
  for (States &edge : instance.edges[block]) edge = {};
  const States &in = instance.in[block];
  if (in.size() > 1) extraRuns_ += in.size() - 1;
  for (const State &state : in) runFrom(instance, block, state, {}, /*recording=*/false);
}

void Analyser::solve(Instance &instance, const State &entry) {
  const bool isCurrent = !instance.readsShared || instance.epoch == epoch_;
  if (instance.isSolved && isCurrent && entry.isSubsetOf(instance.entry) &&
      instance.entry.isSubsetOf(entry)) {
    if (instance.readsShared)
      for (Instance *caller : stack_) caller->readsShared = true;
    return;
  }
  instance.entry = entry;
  instance.readsShared = false;
  stack_.push_back(&instance);
  Fixpoint(program_, options_, *this, plans_[instance.function], instance).solve();
  // The exit states collected so far include those of earlier iterations, which are wider than what
  // narrowing leaves. They are recomputed from the stable states.
  instance.exit = {};
  const Function &function = program_.functions[instance.function];
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    if (function.blocks[b].returns && !instance.in[b].isBottom()) runBlock(instance, b);
  stack_.pop_back();
  instance.epoch = epoch_;
}

/// Goes over the stable states once, for the verdicts.
void Analyser::record(Instance &instance) {
  stack_.push_back(&instance);
  const Transfer::Report report = [&](CheckId check, Verdict verdict, const State &state,
                                      const Transfer::HowItFails &how) {
    note(check, verdict, state, how);
  };
  const FunctionId original = program_.originalOf(instance.function);
  for (BlockId b = 0; b < instance.in.size(); ++b) {
    if (instance.in[b].isBottom()) continue;
    result_.reached[original][b] = true;
    for (const State &state : instance.in[b]) {
      if (options_.keepStates) result_.states[original][b].join(state);
      runFrom(instance, b, state, report, /*recording=*/true);
    }
  }
  stack_.pop_back();
}

/// In some states `known` holds, in others `verdict`.
static Verdict inBoth(Verdict known, Verdict verdict) {
  return known == Verdict::Unreachable || known == verdict ? verdict : Verdict::Alarm;
}

void Analyser::note(CheckId id, Verdict verdict, const State &state,
                    const Transfer::HowItFails &how) {
  CheckResult &check = result_.checks[id];
  check.verdict = inBoth(check.verdict, verdict);
  CheckResult::End &end = how.atSource ? check.source : check.end;
  const bool hasFailed = end.verdict == Verdict::Alarm || end.verdict == Verdict::Definite;
  end.verdict = inBoth(end.verdict, how.verdict);
  if (how.verdict == Verdict::Proved) return;
  end.hasObjects |= how.hasObjects;
  end.byNullAlone = how.byNullAlone && (end.byNullAlone || !hasFailed);
  if (check.state)
    check.state->join(state);
  else
    check.state = state;
}

void Analyser::runFrom(Instance &instance, BlockId b, const State &begin,
                       const Transfer::Report &report, bool recording) {
  if (checkBudget()) return;
  const Block &block = program_.functions[instance.function].blocks[b];
  States states(begin);
  for (uint32_t i = 0; i < block.statements.size() && !states.isBottom(); ++i) {
    const Statement &s = block.statements[i];
    result_.statements += states.size();
    if (s.kind != StatementKind::Call) {
      for (State &state : states) transfer_.run(state, s, report);
      states.dropBottoms();
      continue;
    }
    States after;
    for (const State &state : states) call({instance, b, i, s, recording}, state, after);
    states = std::move(after);
  }
  if (recording) return;
  for (const State &state : states) {
    if (block.returns) leave(instance, block, state);
    for (size_t e = 0; e < block.successors.size(); ++e) {
      State edge = state;
      transfer_.takeEdge(edge, block, block.successors[e]);
      instance.edges[b][e].add(std::move(edge), mostParts());
    }
  }
}

void Analyser::leave(Instance &instance, const Block &block, State state) const {
  const Function &function = program_.functions[instance.function];
  if (function.result != kNoId) {
    if (block.returned)
      state.copy(function.result, *block.returned, block.returnsAddress);
    else
      state.forget(function.result);
  }
  for (const VarId var : function.variables) state.forget(var);
  memory_.leaveStack(state, instance.function);
  instance.exit.add(std::move(state), mostParts());
}

} // namespace fathom::statics::abstract
