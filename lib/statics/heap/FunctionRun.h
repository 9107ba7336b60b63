// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function's effects: its blocks are executed in reverse postorder on symbolic heaps, a bounded
// number at each block. Heaps that hold the same are joined. A loop has kRounds rounds that are
// told apart; in one more, what the loop changes is unknown, so that ways behind loops with more
// rounds are there, too.
#ifndef FATHOM_STATICS_HEAP_FUNCTIONRUN_H
#define FATHOM_STATICS_HEAP_FUNCTIONRUN_H

#include "statics/checkers/View.h"
#include "statics/heap/Effects.h"

#include <functional>

namespace fathom::statics::heap {

struct RunLimits {
  uint32_t states = 16;         ///< at one block
  uint32_t effects = 8;         ///< of one function, without issues
  uint32_t issues = 40;         ///< of one function
  uint32_t statements = 60'000; ///< executed in one function, each on each heap
  uint32_t depth = 5;           ///< of calls that an issue comes up through
  uint32_t pathDepth = 3;       ///< of pointers behind pointers that callers know
  uint8_t rounds = 2;           ///< of a loop, in which branches go either way
  uint8_t freeRounds = 16;      ///< of a loop, before these, in which none does
};

/// What the run of a function asks of the others. nullptr: the function is not known (yet).
using EffectsOf = std::function<const FunctionEffects *(FunctionId)>;

/// isMust: no branch of its path is left to chance.
using FoundIssue = std::function<void(const Issue &, bool isMust)>;

class FunctionRun {
public:
  FunctionRun(View &view, FunctionId function, const RunLimits &limits, const EffectsOf &effectsOf);
  /// Issues that do not depend on callers are given to `found`; the rest is part of the effects.
  void run(FunctionEffects &out, const FoundIssue &found);

private:
  // Values and memory.
  TermId valueOf(HeapState &state, ValueId value);
  TermId constantOf(ValueId value);
  TermId addressOfObject(ObjectId object);
  void set(HeapState &state, ValueId value, TermId term);
  TermId read(HeapState &state, const Address &at, uint32_t bytes, StatementId reader);
  TermId initialOf(const Address &at, uint32_t bytes);
  TermId contentOf(HeapState &state, const Address &at, uint32_t bytes, StatementId reader);
  TermId unknown(Origin origin, StatementId at, uint32_t bytes = 8);
  bool isInput(TermId term, unsigned depth = 0) const;
  bool isInputBase(TermId base) const;

  // Statements (Transfer.cpp).
  void execute(std::vector<HeapState> states, BlockId block);
  void select(HeapState state, StatementId id, std::vector<HeapState> &after);
  bool executeSimple(HeapState &state, StatementId id);
  bool arithmetic(HeapState &state, StatementId id);
  void move(HeapState &state, const Statement &s);
  void load(HeapState &state, StatementId id);
  void store(HeapState &state, StatementId id);
  void branch(HeapState state, StatementId id);
  void leave(HeapState state, StatementId at);
  void goTo(HeapState state, BlockId from, BlockId to);
  void arrive(HeapState state, BlockId block);
  void widenInto(std::vector<HeapState> &states, const HeapState &more,
                 const std::vector<bool> &live);
  bool enterRound(HeapState &state, BlockId header);
  void forgetLoop(HeapState &state, const Round &round);
  /// Global variables that the loop may write, also in functions that it calls.
  const std::vector<std::pair<Address, uint32_t>> &globalsWrittenIn(BlockId header);
  void findOrder();
  void findLoops();
  void findLive();
  /// Values that may be read somewhere in the block or after it.
  std::vector<bool> liveWithin(BlockId block) const;
  uint32_t index(BlockId block) const { return block - function_.firstBlock; }

  // Accesses (Accesses.cpp): false where the way ends.
  bool access(HeapState &state, StatementId id, TermId pointer, uint64_t bytes, bool writes);
  bool isLookup(TermId base) const;
  bool checkNull(HeapState &state, StatementId id, TermId pointer);
  void checkReleased(HeapState &state, StatementId id, TermId base);
  void checkBounds(HeapState &state, const Check &check, StatementId call = kNone);
  bool checkDivisor(HeapState &state, const Check &check, StatementId call = kNone);
  void checkUnwritten(HeapState &state, StatementId id);
  void note(HeapState &state, const Check &check);
  void release(HeapState &state, StatementId id, TermId pointer, bool closes,
               FunctionId callee = kNone, TraceId inside = kNoTrace);
  void checkLeaks(HeapState &state, StatementId at, TermId result);

  // Calls (CallTransfer.cpp).
  void call(HeapState state, StatementId id, std::vector<HeapState> &after);
  void summarised(HeapState state, StatementId id, const Summary &summary,
                  std::vector<HeapState> &after);
  void knownLibrary(HeapState state, StatementId id, const LibraryCall &known,
                    std::vector<HeapState> &after);
  bool checkOperands(HeapState &state, StatementId id);
  void forgetVariadic(HeapState &state, StatementId id, FunctionId callee);
  void allocate(HeapState state, StatementId id, const Summary &summary,
                std::vector<HeapState> &after);
  TermId sizeOf(HeapState &state, StatementId id, const Summary &summary);
  void copy(HeapState &state, StatementId id, const Summary &summary);
  void fill(HeapState &state, StatementId id);
  void unknownCall(HeapState state, StatementId id, bool isOwn, std::vector<HeapState> &after);
  void apply(const HeapState &before, StatementId id, FunctionId callee,
             const FunctionEffects &effects, std::vector<HeapState> &after);
  class Mapping;
  friend class Mapping;
  bool applyAccesses(HeapState &state, Mapping &mapping, StatementId id, const Effect &effect);
  bool applyChecks(HeapState &state, Mapping &mapping, StatementId id, const Effect &effect);
  StatementId innermost(FunctionId callee, TraceId inside) const;
  std::optional<HeapState> applied(const HeapState &before, StatementId id, FunctionId callee,
                                   const FunctionEffects &effects, const Effect &effect);

  // Issues (Issues.cpp).
  Issue issueAt(evidence::BugKind kind, StatementId sink) const;
  void explainNull(const HeapState &state, TermId base, Issue &issue) const;
  void addEvent(const HeapState &state, TraceId event, Issue &issue) const;
  void tell(const HeapState &state, Issue issue);
  void passOn(const HeapState &state, Issue issue);
  void addPath(const HeapState &state, Issue &issue) const;
  bool dependsOnCallers(const HeapState &state) const;
  bool needsFailure(const HeapState &state) const;

  View &view_;
  const Facts &facts_;
  const FunctionId id_;
  const Function &function_;
  const RunLimits limits_;
  const EffectsOf &effectsOf_;
  FunctionEffects *out_ = nullptr;
  const FoundIssue *found_ = nullptr;

  std::vector<uint32_t> order_;                     ///< by block: its position in reverse postorder
  std::vector<std::vector<bool>> live_;             ///< by block: values that count at its start
  std::map<uint32_t, std::vector<HeapState>> open_; ///< by position of the block
  std::vector<BlockId> byOrder_;
  std::map<std::pair<Address, uint32_t>, TermId> inputs_;
  std::map<BlockId, std::vector<bool>> loops_; ///< by header: the blocks of the loop
  std::map<BlockId, std::vector<std::pair<Address, uint32_t>>> globalsWritten_; ///< by header
  uint32_t executed_ = 0, serial_ = 0;
  bool isMain_ = false; ///< the program begins here
};

} // namespace fathom::statics::heap
#endif
