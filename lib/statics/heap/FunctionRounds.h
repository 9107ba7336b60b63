// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds of loops: which are told apart, and what is known of a later one, which stands for all the
// others: how the loop steps its variables, and what let each round before it begin.
#ifndef FATHOM_STATICS_HEAP_FUNCTIONROUNDS_H
#define FATHOM_STATICS_HEAP_FUNCTIONROUNDS_H

#include "statics/heap/FunctionBuffers.h"
#include "statics/heap/LoopGuards.h"

#include <set>

namespace fathom::statics::heap {

class FunctionRounds : protected FunctionBuffers {
protected:
  FunctionRounds(const View &view, const GlobalWrites &globalWrites, FunctionId function,
                 const RunLimits &limits, const EffectsOf &effectsOf)
      : FunctionBuffers(view, globalWrites, function, limits, effectsOf),
        shape_(view.facts, function) {}

  bool enterRound(HeapState &state, BlockId header);
  void forgetGlobals(HeapState &state, StatementId by);

  const FunctionShape shape_;

private:
  const std::optional<LoopSteps> &stepsOf(StatementId phi);
  const std::vector<LoopGuard> &guardsOf(StatementId phi);
  void forgetLoop(HeapState &state, const Round &round);
  TermId sameInRounds(HeapState &state, const Round &round, ValueId value, unsigned depth);
  void addFact(HeapState &state, TermId term, Constraints::Bounds bounds);
  const LoopSteps *stepsOfGlobal(BlockId header, const Address &at, uint32_t bytes);
  const std::vector<LoopGuard> &guardsOfGlobal(BlockId header, const Address &at, uint32_t bytes);
  void boundByGuards(HeapState &state, const Round &round, const std::vector<LoopGuard> &guards,
                     const LoopSteps &steps, TermId value, TermId before);
  void boundBy(HeapState &state, const LoopGuard &guard, const LoopSteps &steps, TermId value,
               TermId before, TermId bound);
  /// What a loop may do to global variables, also in functions that it calls.
  struct LoopWrites {
    std::set<std::pair<Address, uint32_t>> cells;
    std::set<TermId> forgotten;
    bool isAny = false; ///< it calls what is not known
  };
  const LoopWrites &globalsWrittenIn(BlockId header);

  std::map<BlockId, LoopWrites> globalsWritten_;          ///< by header
  std::map<StatementId, std::optional<LoopSteps>> steps_; ///< by phi of a header
  std::map<StatementId, std::vector<LoopGuard>> guards_;  ///< likewise
  /// By header and place.
  using Counter = std::tuple<BlockId, ObjectId, int64_t, uint32_t>;
  std::map<Counter, std::optional<LoopSteps>> globalSteps_;
  std::map<Counter, std::vector<LoopGuard>> globalGuards_;
};

} // namespace fathom::statics::heap
#endif
