// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defects of the function that is run on symbolic heaps: where they show, and whose they are.
#ifndef FATHOM_STATICS_HEAP_FUNCTIONCHECKS_H
#define FATHOM_STATICS_HEAP_FUNCTIONCHECKS_H

#include "statics/heap/FunctionMemory.h"
#include "statics/heap/LoopSteps.h"

namespace fathom::statics::heap {

class FunctionChecks : protected FunctionMemory {
protected:
  FunctionChecks(const View &view, const GlobalWrites &globalWrites, FunctionId function,
                 const RunLimits &limits, const EffectsOf &effectsOf)
      : FunctionMemory(view, globalWrites, function, limits), effectsOf_(effectsOf) {}

  // Accesses (Accesses.cpp): false where the way ends.
  bool access(HeapState &state, StatementId id, TermId pointer, uint64_t bytes, bool writes);
  bool isNullWithOffset(const HeapState &state, TermId pointer) const;
  bool checkNull(HeapState &state, StatementId id, TermId pointer);
  void checkReleased(HeapState &state, StatementId id, TermId base);
  void checkBounds(HeapState &state, const Check &check, StatementId call = kNone);
  bool mayBeBehindText(HeapState &state, const Address &at) const;
  TermId afterSteps(const HeapState &state, TermId before, StatementId at, uint8_t bits,
                    const std::optional<LoopSteps> &steps);
  bool staysInObject(HeapState &state, TermId before, TermId &value, StatementId at,
                     const std::optional<LoopSteps> &steps);
  void checkText(HeapState &state, StatementId id, const Address &at);
  bool checkDivisor(HeapState &state, const Check &check, StatementId call = kNone);
  void checkUnwritten(HeapState &state, StatementId id);
  void note(HeapState &state, const Check &check);
  void release(HeapState &state, StatementId id, TermId pointer, bool closes,
               FunctionId callee = kNone, TraceId inside = kNoTrace);
  void checkLeaks(HeapState &state, StatementId at, TermId result);

  // Issues (Issues.cpp).
  Issue issueAt(evidence::BugKind kind, StatementId sink) const;
  void setMadeBy(Issue &issue, const Instance &object) const;
  void explainNull(const HeapState &state, TermId base, Issue &issue) const;
  void addEvent(TraceId event, Issue &issue) const;
  void tell(const HeapState &state, Issue issue);
  void passOn(const HeapState &state, Issue issue);
  void addPath(const HeapState &state, Issue &issue) const;
  bool isFreedByCount(const HeapState &state, TraceId event) const;
  Extent extentOf(const HeapState &state, const Issue &issue) const;
  bool dependsOnCallers(const HeapState &state) const;
  bool needsFailure(const HeapState &state) const;
  /// The statement of the library call in the calls that an event went through.
  StatementId innermost(FunctionId callee, TraceId inside) const;

  const EffectsOf &effectsOf_;
  const FoundIssue *found_ = nullptr;
};

} // namespace fathom::statics::heap
#endif
