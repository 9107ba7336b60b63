// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the analysis: its state. Analyser.cpp has the loop around functions, AnalyserCalls.cpp
// what a call does. Names used here:
//
//   followed  a call that is analysed in its caller's state (inlined)
//   shared    the one context-insensitive analysis of a function, for all its other calls
//   open      a shared analysis whose result is out of date; those that wait are the worklist
//   grow      to join a state into an entry or exit, or to widen that
//   settle    to repeat a shared analysis until it is not open any more
//   apart     states of one place that are kept as a disjunction instead of being joined
//   alone     the fallback when the budget ends: each function by itself, for any state
#ifndef FATHOM_STATICS_ABSTRACT_ANALYSER_H
#define FATHOM_STATICS_ABSTRACT_ANALYSER_H

#include "statics/abstract/CallPlan.h"
#include "statics/abstract/Fixpoint.h"
#include "statics/abstract/Transfer.h"

#include <deque>
#include <map>
#include <memory>
#include <set>

namespace fathom::statics::abstract {

/// The one analysis of a function that all calls of it share which are not followed.
struct SharedAnalysis {
  explicit SharedAnalysis(const State &bottom) : entry(bottom), exit(bottom) {}
  State entry, exit; ///< only grow
  std::unique_ptr<Instance> instance;
  std::set<FunctionId> readers; ///< whose shared analyses used the exit
  uint32_t version = 0;         ///< of the exit
  unsigned entryGrowths = 0, exitGrowths = 0;
  bool isOpen = false;     ///< the entry, or an exit that was used, grew since it was solved
  bool isActive = false;   ///< being solved
  bool isRecorded = false; ///< its verdicts are noted
};

class Analyser final : public BlockRunner {
public:
  Analyser(const AbstractProgram &program, const AnalysisOptions &options, const BudgetShare &spent,
           AnalysisResult &result);
  void run();
  void runBlock(Instance &instance, BlockId block) override;
  size_t mostParts() const override;
  bool mayUnroll(unsigned round, size_t blocks) override;

private:
  State bottom() const { return State::bottom(*result_.domain); }
  const State &unknownState();
  bool checkBudget();

  // Shared analyses.
  SharedAnalysis &sharedOf(FunctionId function);
  void growEntry(FunctionId function, const State &with);
  void open(FunctionId function);
  void settle(FunctionId function);
  bool growExit(FunctionId function, const State &with);
  /// \param times  how often it has grown
  void grow(FunctionId function, State &state, const State &with, unsigned times) const;
  bool usedOldExits() const;
  void settleAll();
  void recordAll();
  /// Each function for any state and arguments, while the budget lasts.
  void analyseAlone();

  // One function in one context.
  void solve(Instance &instance, const State &entry);
  void record(Instance &instance);
  void note(CheckId id, Verdict verdict, const State &state, const Transfer::HowItFails &how);
  void runFrom(Instance &instance, BlockId b, const State &state, const Transfer::Report &report,
               bool recording);
  void leave(Instance &instance, const Block &block, State state) const;
  void allotExtraRuns();

  // Calls.
  struct CallSite {
    Instance &caller;
    BlockId block;
    uint32_t statement;
    const Statement &s;
    bool recording;
  };
  /// Adds to `out` the states after the call.
  void call(const CallSite &site, State state, States &out);
  void callOne(const CallSite &site, FunctionId callee, State state, States &out);
  void callFollowed(const CallSite &site, FunctionId callee, const State &state, States &out);
  void callShared(const CallSite &site, FunctionId callee, State &state);
  void callOutside(const Statement &s, State &state, bool isUnknown);
  void passArguments(const Statement &s, FunctionId callee, State &state) const;
  void takeResult(const Statement &s, FunctionId callee, State &state) const;
  void forgetEffectsOf(State &state, const std::vector<FunctionId> &functions);

  const AbstractProgram &program_;
  const AnalysisOptions &options_;
  const BudgetShare &spent_;
  AnalysisResult &result_;
  std::vector<FunctionPlan> plans_;
  CallPlan calls_;
  Memory memory_;
  Transfer transfer_;
  llvm::BitVector recursiveStack_; ///< stack objects of recursive functions that escape
  std::vector<std::unique_ptr<SharedAnalysis>> shared_; ///< by function
  std::set<std::pair<uint32_t, FunctionId>> waiting_;   ///< open ones, callees first
  std::optional<State> unknown_;
  std::vector<Instance *> stack_; ///< of the shared analysis that is being solved
  FunctionId current_ = kNoId;    ///< whose shared analysis that is
  /// What it used: by call, of which function, and the version of its exit.
  std::map<std::tuple<const Instance *, BlockId, uint32_t, FunctionId>, uint32_t> used_;
  uint64_t epoch_ = 0; ///< counts all growth of exits
  unsigned nested_ = 0;
  uint64_t blocksRun_ = 0;
  /// Block runs that disjunctive states and unrolled loops cost beside the one run of each block;
  /// how many of them the whole analysis may have; at which count the current shared analysis ends
  /// them.
  uint64_t extraRuns_ = 0, extraRunsAllowed_ = 0, extraRunsLimit_ = 0;
  bool isAlone_ = false; ///< the fallback runs: calls are not looked at
  bool isStopped_ = false;
};

} // namespace fathom::statics::abstract
#endif
