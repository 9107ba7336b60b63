// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Categories of the ledger: the reasons why an answer is incomplete. Each category is registered
// once.
//
// To add one: an enumerator here, a row in LedgerCategory.cpp, and the code that adds entries; then
// `test/docs/check-ledger.py build/bin/fathom --write` brings the table in docs/explore.md up to
// date.
#ifndef FATHOM_EVIDENCE_LEDGERCATEGORY_H
#define FATHOM_EVIDENCE_LEDGERCATEGORY_H

#include "evidence/Fwd.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace fathom::evidence {

/// In the order of their names, which is the order of entries with equal counts. Those with a
/// comment are messages of `fathom confirm`'s policies to their search (isOfConfirm).
enum class LedgerCategory : uint8_t {
  AllocationFailure,
  AssumedFeasible,
  AssumedInfeasible,
  AssumedMemory,
  AssumedOutside,
  BoundDepth,
  BoundForks,
  BoundLoop,
  BoundLoopAsks, ///< an input that the condition of a loop depends on (PathBounds.h)
  BoundSeeds,
  BoundSize,
  BoundStacks,
  BugUnconfirmed,
  ConcretizedValue,
  CrowdedMemory,
  DeadEnd, ///< a path was ended because it cannot reach the sink (DeadEnds.h)
  Decides, ///< a decision that could have gone another way, by function (Busiest.h)
  DroppedState,
  DroppedTest,
  EarlierBug,
  Environment,
  EvictedState,
  ExternalArgument,
  ExternalCall,
  ExternalDisagreement,
  ExternalFault,
  ExternalState,
  Harness,
  LeftOut,        ///< a path skipped code whose effects are not fully modelled (Forget.h)
  LeftOutMatters, ///< a decision depends on a value of skipped code (Forget.h)
  MergedTest,
  MissedSource, ///< a path was ended because it missed the source (DeadEnds.h)
  MissingFile,
  Network,
  OpenSide,
  OutsideAnswer, ///< the environment model gave one of several answers (Outside.h)
  Process,
  SolverTimeout,
  SolverUnknown,
  SpeaksOf,     ///< a decision depends on a value (PathValues.h)
  SpeaksOfSink, ///< a check at the sink depends on a value (PathValues.h)
  Threads,
  UnsupportedInstruction,
};
inline constexpr size_t kLedgerCategories = 43;

struct LedgerCategoryRow {
  LedgerCategory category;
  const char *name;     ///< in ledger.json and in summaries
  const char *sentence; ///< what happened, for docs/explore.md; null: see isOfConfirm
  /// Nothing of what was asked is left out: it says what the answer takes for granted.
  bool isAssumption = false;
  /// A message of `fathom confirm`'s policies to their search. No results folder has it.
  bool isOfConfirm = false;
};

/// In the order of LedgerCategory.
std::span<const LedgerCategoryRow> ledgerCategoryRows();
const LedgerCategoryRow &rowOf(LedgerCategory category);

inline const char *name(LedgerCategory category) { return rowOf(category).name; }
/// Of the categories that a results folder may have.
std::optional<LedgerCategory> ledgerCategoryFromName(std::string_view name);

} // namespace fathom::evidence
#endif
