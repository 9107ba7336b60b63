// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function's effects: its blocks are executed in reverse postorder on symbolic heaps, a bounded
// number at each block. Heaps that hold the same are joined. A loop has kRounds rounds that are
// told apart; in one more, what the loop changes is unknown, so that ways behind loops with more
// rounds are there, too.
#ifndef FATHOM_STATICS_HEAP_FUNCTIONRUN_H
#define FATHOM_STATICS_HEAP_FUNCTIONRUN_H

#include "statics/heap/FunctionRounds.h"

namespace fathom::statics::heap {

class FunctionRun : private FunctionRounds {
public:
  FunctionRun(const View &view, const GlobalWrites &globalWrites, FunctionId function,
              const RunLimits &limits, const EffectsOf &effectsOf);
  /// Issues that do not depend on callers are given to `found`; the rest is part of the effects.
  void run(FunctionEffects &out, const FoundIssue &found);

private:
  // Statements (Transfer.cpp).
  void execute(std::vector<HeapState> states, BlockId block);
  void select(HeapState state, StatementId id, std::vector<HeapState> &after);
  bool executeSimple(HeapState &state, StatementId id);
  bool arithmetic(HeapState &state, StatementId id);
  bool isOnlyUpdated(ValueId loaded) const;
  void move(HeapState &state, StatementId id);
  void load(HeapState &state, StatementId id);
  void store(HeapState &state, StatementId id);
  void branch(HeapState state, StatementId id);
  void leave(HeapState state, StatementId at);
  void goTo(HeapState state, BlockId from, BlockId to);
  void arrive(HeapState state, BlockId block);
  bool widenInto(std::vector<HeapState> &states, const HeapState &more,
                 std::span<const uint32_t> live);

  // Calls (CallTransfer.cpp).
  void call(HeapState state, StatementId id, std::vector<HeapState> &after);
  void makeCall(HeapState state, StatementId id, std::vector<HeapState> &after);
  std::optional<PureCall> pureCallAt(HeapState &state, StatementId id);
  bool isPure(FunctionId callee) const;
  bool onlyLooks() const;
  void libraryCall(HeapState state, StatementId id, const Summary *summary,
                   const LibraryFunction *known, std::vector<HeapState> &after);
  bool isFollowed(FunctionId callee) const;
  void summarised(HeapState state, StatementId id, const Summary &summary,
                  std::vector<HeapState> &after);
  void knownLibrary(HeapState state, StatementId id, const LibraryFunction &known,
                    std::vector<HeapState> &after);
  bool isGiven(StatementId call, uint32_t operand, UseKind use) const;
  bool checkOperands(HeapState &state, StatementId id);
  void forgetVariadic(HeapState &state, StatementId id, FunctionId callee);
  void allocate(HeapState state, StatementId id, const Summary &summary,
                std::vector<HeapState> &after);
  TermId sizeOf(HeapState &state, StatementId id, const Summary &summary);

  bool isCutCall(StatementId id) const;
  void unknownCall(HeapState state, StatementId id, bool isOwn, std::vector<HeapState> &after);

  // Effects of callees (EffectTransfer.cpp).
  void apply(HeapState before, StatementId id, FunctionId callee, const FunctionEffects &effects,
             std::vector<HeapState> &after);
  class Mapping;
  friend class Mapping; // reads and makes terms of the caller
  bool applyAccesses(HeapState &state, Mapping &mapping, StatementId id, FunctionId callee,
                     const Effect &effect);
  bool applyChecks(HeapState &state, Mapping &mapping, StatementId id, const Effect &effect);
  std::optional<HeapState> applied(const HeapState &before, StatementId id, FunctionId callee,
                                   const FunctionEffects &effects, const Effect &effect);

  std::vector<TermId> mapped_; ///< Mapping: by a callee's term; kNoTerm between calls
  bool endsInDefect_ = false;  ///< a way through the call that is executed
  bool isOnlyChecked_ = false; ///< what returns has no effect of its own
  std::map<uint32_t, std::vector<HeapState>> open_; ///< by position of the block
};

} // namespace fathom::statics::heap
#endif
