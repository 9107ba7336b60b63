// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/Analysis.h"

#include "statics/abstract/Fixpoint.h"
#include "statics/abstract/Transfer.h"

#include <algorithm>
#include <deque>
#include <set>

namespace fathom::statics::abstract {

const char *textOf(Verdict verdict) {
  constexpr const char *kNames[] = {"unreachable", "proved", "alarm", "definite"};
  return kNames[size_t(verdict)];
}

namespace {

class Analyser final : public BlockRunner {
public:
  Analyser(const AbstractProgram &program, const AnalysisOptions &options,
           const std::function<bool()> &stop, AnalysisResult &result)
      : program_(program), options_(options), stop_(stop), result_(result), memory_(program),
        transfer_(program, memory_) {
    for (FunctionId f = 0; f < program.functions.size(); ++f) {
      plans_.emplace_back(program.functions[f]);
      if (program.functions[f].addressTaken) taken_.push_back(f);
    }
  }

  // MAIN LOOP
  void run() {
    for (const FunctionId entry : program_.entries) addRoot(entry, program_.beginsFresh);
    while (!roots_.empty()) {
      const auto [function, isFresh] = roots_.front();
      roots_.pop_front();
      if (stop_ && stop_()) result_.budgetSpent = isStopped_ = true;
      if (isStopped_) break;
      // From here on the function's states are fixed for any call that is not followed.
      Instance root(function, bottom(), program_.functions[function].blocks.size());
      solve(root, entryState(function, isFresh));
      record(root);
    }
    if (!isStopped_) return;
    for (CheckResult &check : result_.checks) check.verdict = Verdict::Alarm;
  }

  void runBlock(Instance &instance, BlockId block) override {
    runFrom(instance, block, {}, /*recording=*/false);
  }

private:
  State bottom() const { return State::bottom(*result_.domain); }

  void addRoot(FunctionId function, bool isFresh) {
    if (rooted_.insert(function).second) roots_.emplace_back(function, isFresh);
  }

  State entryState(FunctionId, bool isFresh) const {
    State state(*result_.domain);
    if (isFresh)
      memory_.enterGlobals(state);
    else
      memory_.enterUnknown(state);
    return state;
  }

  void solve(Instance &instance, const State &entry) {
    if (instance.isSolved && entry.isSubsetOf(instance.entry) && instance.entry.isSubsetOf(entry))
      return;
    instance.entry = entry;
    stack_.push_back(instance.function);
    Fixpoint(program_, options_, *this, plans_[instance.function], instance).solve();
    // Returns of earlier rounds of a loop are subsumed, but they were wider states than narrowing
    // leaves: once more, from what is stable.
    instance.exit = bottom();
    const Function &function = program_.functions[instance.function];
    for (BlockId b = 0; b < function.blocks.size(); ++b)
      if (function.blocks[b].returns && !instance.in[b].isBottom()) runBlock(instance, b);
    stack_.pop_back();
  }

  /// Goes over the stable states once, for the verdicts.
  void record(Instance &instance) {
    stack_.push_back(instance.function);
    const Transfer::Report report = [&](CheckId check, Verdict verdict, const State &state) {
      note(check, verdict, state);
    };
    for (BlockId b = 0; b < instance.in.size(); ++b) {
      if (instance.in[b].isBottom()) continue;
      if (options_.keepStates) result_.states[instance.function][b].join(instance.in[b]);
      runFrom(instance, b, report, /*recording=*/true);
    }
    stack_.pop_back();
  }

  void note(CheckId id, Verdict verdict, const State &state) {
    CheckResult &check = result_.checks[id];
    if (check.verdict == Verdict::Unreachable)
      check.verdict = verdict;
    else if (check.verdict != verdict)
      check.verdict = Verdict::Alarm;
    if (verdict == Verdict::Proved) return;
    if (check.state)
      check.state->join(state);
    else
      check.state = state;
  }

  void runFrom(Instance &instance, BlockId b, const Transfer::Report &report, bool recording) {
    // Once it is over, everything is an alarm: the states need not be right any more.
    if (stop_ && ++blocksRun_ % 64 == 0 && stop_()) result_.budgetSpent = isStopped_ = true;
    if (isStopped_) return;
    const Block &block = program_.functions[instance.function].blocks[b];
    State state = instance.in[b];
    for (uint32_t i = 0; i < block.statements.size() && !state.isBottom(); ++i) {
      const Statement &s = block.statements[i];
      ++result_.statements;
      if (s.kind == StatementKind::Call)
        call(instance, b, i, s, state, recording);
      else
        transfer_.run(state, s, report);
    }
    if (recording) return;
    if (block.returns && !state.isBottom()) leave(instance, block, state);
    for (size_t e = 0; e < block.successors.size(); ++e) {
      instance.edges[b][e] = state;
      transfer_.takeEdge(instance.edges[b][e], block.successors[e]);
    }
  }

  void leave(Instance &instance, const Block &block, State state) const {
    const Function &function = program_.functions[instance.function];
    if (function.result != kNoId) {
      if (block.returned)
        state.copy(function.result, *block.returned, block.returnsAddress);
      else
        state.forget(function.result);
    }
    for (const VarId var : function.variables) state.forget(var);
    memory_.leaveStack(state, instance.function);
    instance.exit.join(state);
  }

  // ---- calls ------------------------------------------------------------------------------------

  void call(Instance &caller, BlockId b, uint32_t i, const Statement &s, State &state,
            bool recording) {
    if (!s.isIndirect) {
      if (s.callee == kNoId || program_.functions[s.callee].blocks.empty())
        return callOutside(s, state);
      return callOne(caller, b, i, s, s.callee, state, recording);
    }
    const Value target = state.value(s.a, true);
    std::vector<FunctionId> callees;
    bool isKnown = target.bases.has_value();
    if (isKnown)
      for (const ObjectId base : *target.bases) {
        if (base == kNull) continue; // a call of null ends the execution
        if (base == kAbsolute || program_.objects[base].kind != Object::Kind::Function)
          isKnown = false;
        else
          callees.push_back(program_.objects[base].function);
      }
    if (!isKnown) {
      return callOutside(s, state, /*isUnknown=*/true);
    }
    State out = bottom();
    for (const FunctionId callee : callees) {
      State branch = state;
      if (program_.functions[callee].blocks.empty())
        callOutside(s, branch);
      else
        callOne(caller, b, i, s, callee, branch, recording);
      out.join(branch);
    }
    state = std::move(out);
  }

  /// Of a function without a body, or of one that nobody knows.
  void callOutside(const Statement &s, State &state, bool isUnknown = false) {
    if (s.touchesMemory || isUnknown) {
      memory_.scrambleEscaped(state);
      // It may call back.
      if (!taken_.empty()) lose(state, taken_);
      for (const FunctionId f : taken_) addRoot(f, false);
    }
    if (s.dst != kNoId) state.forget(s.dst);
  }

  void callOne(Instance &caller, BlockId b, uint32_t i, const Statement &s, FunctionId callee,
               State &state, bool recording) {
    const Function &function = program_.functions[callee];
    const bool isRecursive = std::count(stack_.begin(), stack_.end(), callee) > 0;
    if (result_.statements > options_.mostStatements) result_.budgetSpent = true;
    if (isRecursive || stack_.size() > options_.mostCalls || result_.budgetSpent) {
      ++result_.callsNotFollowed;
      lose(state, {callee});
      memory_.scrambleEscaped(state);
      addRoot(callee, false);
      if (s.dst != kNoId) state.forget(s.dst);
      return;
    }
    std::unique_ptr<Instance> &slot = caller.calls[{b, i, callee}];
    if (!slot) slot = std::make_unique<Instance>(callee, bottom(), function.blocks.size());
    // Keep the pointer: recursion may add calls to the map.
    Instance &instance = *slot;
    State entry = state;
    for (size_t p = 0; p < function.parameters.size(); ++p) {
      const VarId parameter = function.parameters[p];
      const Variable &variable = program_.variables[parameter];
      if (p < s.arguments.size() && s.arguments[p].width == variable.width &&
          bool(s.argumentIsAddress[p]) == variable.isAddress)
        entry.copy(parameter, s.arguments[p], variable.isAddress);
      else
        entry.forget(parameter);
    }
    solve(instance, entry);
    if (recording) record(instance);
    state = instance.exit;
    if (s.dst != kNoId) {
      const bool isSame = function.result != kNoId && program_.variables[function.result].width ==
                                                          program_.variables[s.dst].width;
      if (isSame)
        state.copy(s.dst, Operand::of(function.result, s.width),
                   program_.variables[function.result].isAddress);
      else
        state.forget(s.dst);
    }
    if (function.result != kNoId) state.forget(function.result);
  }

  /// What the functions, or what they call, may change.
  void lose(State &state, const std::vector<FunctionId> &functions) {
    const Touched &touched = touchedBy(functions);
    state.loseObjects(touched.objects);
    for (const VarId size : touched.sizes) {
      state.forget(size);
      state.setWritten(size);
    }
  }

  struct Touched {
    llvm::BitVector objects;
    std::vector<VarId> sizes; ///< of heap objects
  };

  const Touched &touchedBy(const std::vector<FunctionId> &roots) {
    const auto [at, isNew] = touched_.try_emplace(roots);
    Touched &out = at->second;
    if (!isNew) return out;
    out.objects.resize(unsigned(program_.objects.size()));
    std::set<FunctionId> seen(roots.begin(), roots.end());
    std::vector<FunctionId> open = roots;
    auto visit = [&](FunctionId f) {
      if (seen.insert(f).second) open.push_back(f);
    };
    while (!open.empty()) {
      const Function &function = program_.functions[open.back()];
      open.pop_back();
      for (const Block &block : function.blocks)
        for (const Statement &s : block.statements) {
          const bool names = s.kind == StatementKind::AddressOf ||
                             s.kind == StatementKind::Allocate || s.kind == StatementKind::Enter;
          if (names && program_.objects[s.object].kind != Object::Kind::Function &&
              !program_.objects[s.object].isConstant)
            out.objects.set(s.object);
          if (s.kind != StatementKind::Call) continue;
          if (s.callee != kNoId) visit(s.callee);
          if (s.isIndirect || s.touchesMemory)
            for (const FunctionId f : taken_) visit(f);
        }
    }
    for (const unsigned object : out.objects.set_bits())
      if (const VarId size = program_.objects[object].sizeVar; size != kNoId)
        out.sizes.push_back(size);
    return out;
  }

  const AbstractProgram &program_;
  const AnalysisOptions &options_;
  const std::function<bool()> &stop_;
  AnalysisResult &result_;
  Memory memory_;
  Transfer transfer_;
  std::vector<FunctionPlan> plans_;
  std::vector<FunctionId> stack_, taken_;
  std::deque<std::pair<FunctionId, bool>> roots_;
  std::set<FunctionId> rooted_;
  std::map<std::vector<FunctionId>, Touched> touched_;
  uint64_t blocksRun_ = 0;
  bool isStopped_ = false;
};

} // namespace

AnalysisResult analyse(const AbstractProgram &program, const AnalysisOptions &options,
                       const std::function<bool()> &stop) {
  AnalysisResult result;
  result.cells = std::make_unique<Cells>(program);
  result.domain = std::make_unique<Domain>(Domain{*result.cells, options.domain});
  result.checks.resize(program.checks.size());
  result.states.resize(program.functions.size());
  if (options.keepStates)
    for (FunctionId f = 0; f < program.functions.size(); ++f)
      result.states[f].assign(program.functions[f].blocks.size(), State::bottom(*result.domain));
  Analyser(program, options, stop, result).run();
  return result;
}

std::vector<Verdict> groupVerdicts(const AbstractProgram &program, const AnalysisResult &result) {
  std::vector<Verdict> out(program.groups, Verdict::Unreachable);
  std::vector<bool> isDefinite(program.groups, false), mayFail(program.groups, false);
  for (CheckId id = 0; id < program.checks.size(); ++id) {
    const Check &check = program.checks[id];
    if (check.group == kNoId) continue;
    const Verdict verdict = result.checks[id].verdict;
    if (verdict == Verdict::Unreachable) continue;
    if (out[check.group] == Verdict::Unreachable) out[check.group] = Verdict::Proved;
    if (verdict != Verdict::Proved) mayFail[check.group] = true;
    if (verdict == Verdict::Definite && check.decidesGroup) isDefinite[check.group] = true;
  }
  for (uint32_t g = 0; g < program.groups; ++g) {
    if (mayFail[g]) out[g] = Verdict::Alarm;
    if (isDefinite[g]) out[g] = Verdict::Definite;
  }
  return out;
}

} // namespace fathom::statics::abstract
