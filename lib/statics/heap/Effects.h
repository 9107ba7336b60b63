// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function does, for its callers: a few *effects*, each a way through it as a transformation
// of memory with the condition under which it happens, in the function's own terms. An effect whose
// way ends in a defect has an issue; it is the callers' if its condition depends on what they pass.
//
// Under-approximate in paths (bounded rounds of loops, bounded numbers of effects), not in values:
// what an effect does not say of memory is as it was before.
// Source: [pulse22] for issues that are manifest or latent.
#ifndef FATHOM_STATICS_HEAP_EFFECTS_H
#define FATHOM_STATICS_HEAP_EFFECTS_H

#include "evidence/BugKind.h"
#include "statics/checkers/Report.h"
#include "statics/heap/HeapState.h"

namespace fathom::statics::heap {

/// How an access leaves its object.
struct OutOfBounds {
  int64_t offset = 0;  ///< of the access in its object, or of what is freed in the middle
  bool isUpTo = false; ///< the offset is the largest, or smallest, of several
  uint64_t size = 0;   ///< of the object
  /// The object's size is not a number: the access ends `offset` bytes behind it.
  bool isBehind = false;
  /// Inside of its object, but nothing excludes that the text in it ends at the byte before.
  bool isBehindText = false;
  uint32_t bytes = 0; ///< of the access
};

/// What of an issue is the function's in which it showed, so that its callers only decide whether
/// the path is taken.
enum class Extent : uint8_t {
  Open,      ///< callers may be what is wrong
  SetToNull, ///< set to null in the function that uses it, maybe in a call that the compiler took
             ///< in
  OneRun,    ///< freed and used in the function and what it calls, or null itself that is used
};

struct Issue {
  evidence::BugKind kind{};
  StatementId sink = kNone;
  StatementId source = kNone;
  ObjectId global = kNone; ///< the global variable that is left, or read before it is written
  StepRole sourceRole = StepRole::Declares;
  std::vector<Step> steps;            ///< from the source on; the last is the sink
  std::vector<StatementId> callers{}; ///< calls that lead to where the steps begin, outermost first
  Extent extent = Extent::Open;
  StatementId follows = kNone; ///< the place inside of the wrapper that the sink calls
  /// The source's event, in the trace of the function that is looked at; kNoTrace: none, or it is
  /// in a callee.
  TraceId event = kNoTrace;
  bool needsFailure = false;
  bool isLookup = false; ///< it is null only if a lookup finds nothing
  /// It is on a path of a heap that stands for several: its conditions may contradict each other.
  bool isUnchecked = false;
  OutOfBounds bounds{};
};

struct Effect {
  TermId result = kNoTerm; ///< kNoTerm: none
  Constraints constraints;
  std::vector<Cell> cells;
  std::vector<Released> released;
  std::vector<TermId> made; ///< allocations that callers can still reach
  std::vector<TermId> forgotten, escaped, copied, partlyWritten, zeroed;
  std::vector<Access> accesses;
  std::vector<Check> checks;
  TraceId trace = kNoTrace;
  bool areGlobalsForgotten = false;
  bool fails = false, isBlurred = false; ///< as of the heap
  std::optional<Issue> issue;            ///< the way ends in it
};

struct FunctionEffects {
  Terms terms;
  Trace trace;
  std::vector<Effect> effects;
  std::vector<FunctionId> skipped; ///< functions of which a call is not followed; may repeat
  bool isPure = true;              ///< each of its calls only looks at memory, or ends the path
  bool isKnown = false;            ///< otherwise its calls may do anything
  bool isCut = false;              ///< a bound left some ways out

  /// Leaves the terms that effects are made of, and the conditions of each: most terms are of what
  /// happened on the way. Their order stays. Cost: linear in the number of terms.
  void compact();
};

} // namespace fathom::statics::heap
#endif
