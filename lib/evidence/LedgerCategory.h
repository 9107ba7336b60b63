// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry of the ledger is about: a cause for which an answer does not cover everything. Each
// category is registered once.
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

/// In the order of their names, which is the order of entries with equal counts.
enum class LedgerCategory : uint8_t {
  AllocationFailure,
  AssumedFeasible,
  AssumedInfeasible,
  AssumedMemory,
  BoundDepth,
  BoundForks,
  BoundLoop,
  BoundLoopAsks,
  BoundSeeds,
  BoundSize,
  BoundStacks,
  BugUnconfirmed,
  ConcretizedValue,
  CrowdedMemory,
  DeadEnd,
  Decides,
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
  LeftOut,
  LeftOutMatters,
  MergedTest,
  MissedSource,
  MissingFile,
  Network,
  OpenSide,
  OutsideAnswer,
  Process,
  SolverTimeout,
  SolverUnknown,
  SpeaksOf,
  SpeaksOfSink,
  Threads,
  UnsupportedInstruction,
};
inline constexpr size_t kLedgerCategories = 42;

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
