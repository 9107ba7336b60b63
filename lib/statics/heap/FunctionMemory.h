// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values and memory of the function that is run on symbolic heaps.
#ifndef FATHOM_STATICS_HEAP_FUNCTIONMEMORY_H
#define FATHOM_STATICS_HEAP_FUNCTIONMEMORY_H

#include "statics/heap/Effects.h"
#include "statics/heap/GlobalWrites.h"

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

class FunctionMemory {
protected:
  FunctionMemory(const View &view, const GlobalWrites &globalWrites, FunctionId function,
                 const RunLimits &limits)
      : view_(view), facts_(view.facts), globalWrites_(globalWrites), id_(function),
        function_(facts_.functions[function]), limits_(limits), isMain_(function_.name == "main") {}

  TermId valueOf(HeapState &state, ValueId value);
  /// The same, of an operand of the statement: null remembers where it comes from.
  TermId operandOf(HeapState &state, ValueId value, StatementId at);
  TermId constantOf(ValueId value);
  TermId addressOfObject(ObjectId object);
  void set(HeapState &state, ValueId value, TermId term);
  /// bytes 0: the length of the text there
  TermId read(HeapState &state, const Address &at, uint32_t bytes, StatementId reader);
  std::optional<std::string> literalText(const Address &at) const;
  bool isEndOfLiteral(const Address &at) const;
  const Object *variableOf(TermId base) const;
  TermId everHeld(const Address &at, uint32_t bytes, TermId value);
  TermId initialOf(const Address &at, uint32_t bytes);
  std::optional<Constraints::Bounds> inTable(const HeapState &state, const Address &at,
                                             uint32_t bytes) const;
  TermId contentOf(HeapState &state, const Address &at, uint32_t bytes, StatementId reader);
  TermId unknown(Origin origin, StatementId at, uint32_t bytes = 8);
  TermId byteOfText(HeapState &state, const Address &at, StatementId reader);
  TermId partOf(const HeapState &state, const Address &at, uint32_t bytes);
  bool isInput(TermId term) const;
  bool isInputBase(TermId base) const;
  bool isOfWidened(TermId term) const;
  bool isGlobalWritten(TermId base, StatementId call = kNone) const;

  FunctionId knownTarget(HeapState &state, const CallSite &site);
  /// What a lookup returns that may find nothing.
  bool isLookup(TermId base) const;

  const View &view_;
  const Facts &facts_;
  const GlobalWrites &globalWrites_;
  const FunctionId id_;
  const Function &function_;
  const RunLimits limits_;
  FunctionEffects *out_ = nullptr;
  std::map<std::pair<Address, uint32_t>, TermId> inputs_; ///< what memory held at the start
  uint32_t executed_ = 0;                                 ///< statements, each on each heap
  const bool isMain_;                                     ///< the program begins here
};

} // namespace fathom::statics::heap
#endif
