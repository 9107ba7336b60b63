// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Results.h"

#include "evidence/LedgerCategory.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace fathom::explore {

using evidence::LedgerCategory;

const char *text(StopReason reason) {
  switch (reason) {
  case StopReason::Exhausted: return "no state left to explore";
  case StopReason::MaxTime: return "time budget spent (--max-time)";
  case StopReason::MaxInstructions: return "instruction budget spent (--max-instructions)";
  case StopReason::MaxMemory: return "memory budget spent (--max-memory)";
  case StopReason::Interrupted: return "interrupted";
  case StopReason::FirstBug: return "first bug found (--stop-at-first-bug)";
  case StopReason::DiskFull: return "a result could not be written (disk full?)";
  case StopReason::NoWorkers: return "no worker process is left and no new one can be started";
  case StopReason::InternalError: return "internal error";
  case StopReason::Crashed: return "nothing left to explore but paths on which Fathom crashed";
  }
  return "";
}

void Ledger::add(LedgerCategory category, std::string location, std::string detail,
                 uint64_t count) {
  if (muted_) return;
  Key key{category, std::move(location), std::move(detail)};
  if (category == LedgerCategory::MissingFile) return addMissing(std::move(key), count);
  entries_[std::move(key)] += count;
}

bool Ledger::isAssumption(const Key &key) { return evidence::rowOf(key.category).isAssumption; }

bool Ledger::isComplete() const {
  return std::ranges::all_of(entries_, [](auto &entry) { return isAssumption(entry.first); });
}

void Ledger::addUnnamed(uint64_t hash) {
  unnamed_.insert(hash);
  if (unnamed_.size() > kMaxUnnamed) unnamed_.erase(std::prev(unnamed_.end()));
}

void Ledger::addMissing(Key key, uint64_t count) {
  auto addToOthers = [&](const std::string &location, uint64_t more) {
    entries_[{LedgerCategory::MissingFile, location, kOtherNames}] += more;
  };
  if (key.detail == kOtherNames) return addToOthers(key.location, count); // of another ledger
  const bool isFull = missing_.size() >= kMaxNamed;
  if (isFull && key.detail > missing_.rbegin()->first) {
    addUnnamed(llvm::xxh3_64bits(key.detail));
    return addToOthers(key.location, count);
  }
  missing_[key.detail].insert(key.location);
  entries_[std::move(key)] += count;
  if (missing_.size() <= kMaxNamed) return;
  const auto last = std::prev(missing_.end());
  addUnnamed(llvm::xxh3_64bits(last->first));
  for (const std::string &location : last->second)
    addToOthers(location,
                entries_.extract({LedgerCategory::MissingFile, location, last->first}).mapped());
  missing_.erase(last);
}

void add(Ledger &sum, const Ledger &other) {
  for (const auto &[key, count] : other.entries())
    sum.add(key.category, key.location, key.detail, count);
  for (uint64_t hash : other.unnamed()) sum.addUnnamed(hash);
}

void add(Stats &sum, const Stats &other) {
  sum.isBehind |= other.isBehind;
  for (auto count : {&Stats::instructions,
                     &Stats::stepNanoseconds,
                     &Stats::states,
                     &Stats::forks,
                     &Stats::pathsCompleted,
                     &Stats::tests,
                     &Stats::bugs,
                     &Stats::partialTests,
                     &Stats::bugTests,
                     &Stats::liveStates,
                     &Stats::pathsTerminatedEarly,
                     &Stats::crashedPaths,
                     &Stats::sidesLeft,
                     &Stats::sidesAsked,
                     &Stats::sidesClosed,
                     &Stats::sidesOpen,
                     &Stats::replayedInstructions,
                     &Stats::queries,
                     &Stats::peakMemoryBytes,
                     &Stats::symbols,
                     &Stats::inputsTaken,
                     &Stats::seedsFollowed,
                     &Stats::seedsCut,
                     &Stats::seedBytesCut,
                     &Stats::externalCalls,
                     &Stats::concretizations,
                     &Stats::untriedFailures,
                     &Stats::pointerForks,
                     &Stats::pointerItes,
                     &Stats::pointerConcretized,
                     &Stats::symbolicSizes,
                     &Stats::mergedByPattern,
                     &Stats::mergedByTree,
                     &Stats::mergedPaths,
                     &Stats::joinedRounds,
                     &Stats::mergesChecked,
                     &Stats::mergesWrong,
                     &Stats::mergeQuestionsOpen,
                     &Stats::guessedFeasible,
                     &Stats::guessedInfeasible,
                     &Stats::wrongGuesses,
                     &Stats::guessedPaths,
                     &Stats::deferredCalls,
                     &Stats::symcretes,
                     &Stats::externalExecuted,
                     &Stats::externalFaults,
                     &Stats::externalValidated,
                     &Stats::externalDisagreements,
                     &Stats::exactQueries,
                     &Stats::openedStates})
    sum.*count += other.*count;
  sum.solverSeconds += other.solverSeconds;
  sum.externalSeconds += other.externalSeconds;
  sum.checkTimes.add(other.checkTimes);
  for (const solver::StageStats &stage : other.stages) {
    auto same = std::find_if(sum.stages.begin(), sum.stages.end(),
                             [&](const auto &s) { return s.name == stage.name; });
    if (same == sum.stages.end()) {
      sum.stages.push_back(stage);
      continue;
    }
    using solver::StageStats;
    for (auto count : {&StageStats::asked, &StageStats::sat, &StageStats::unsat,
                       &StageStats::assumed, &StageStats::unknown, &StageStats::passedOn,
                       &StageStats::evaluations, &StageStats::candidates})
      (*same).*count += stage.*count;
    same->seconds += stage.seconds;
  }
}

} // namespace fathom::explore
