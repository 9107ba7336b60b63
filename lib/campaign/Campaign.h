// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fuzzing campaign with AFL++ that records exactly which elements every sampling unit covered.
//
//   fork servers (runtime/native/fuzz.c) -> unit maps -> campaign.db -> estimate
//
// Start reading at Campaign::run in Campaign.cpp (// MAIN LOOP).
#ifndef FATHOM_CAMPAIGN_CAMPAIGN_H
#define FATHOM_CAMPAIGN_CAMPAIGN_H

#include "campaign/AflFuzz.h"
#include "campaign/CoverageTally.h"
#include "campaign/FuzzVariant.h"
#include "campaign/SqliteStore.h"
#include "campaign/Triage.h"
#include "campaign/UnitMaps.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fathom::campaign {

/// How long a sampling unit is: a time, or a number of executions.
struct UnitLength {
  std::chrono::milliseconds time{10000}; ///< 0: the unit is measured in executions
  uint64_t executions = 0;               ///< 0: it is measured in time

  std::string text() const; ///< "10s", "1000execs"
  bool operator==(const UnitLength &) const = default;
};
/// "10s", "2m", "1000execs"; false when it is something else, or not positive.
bool parseUnitLength(const std::string &text, UnitLength &unit);

/// What campaign.db says about a campaign (table meta).
std::map<std::string, std::string> factsOf(const FuzzVariant &variant,
                                           const std::vector<std::string> &arguments,
                                           const UnitLength &unit);

struct CampaignOptions {
  std::string folder;        ///< the results folder, absolute; exists
  std::string aflFuzz;       ///< path of afl-fuzz
  std::string stagesLibrary; ///< path of afl-stages.so (runtime/afl); empty: all executions count
                             ///< as fuzzing
  std::string comparisonExecutable; ///< path of the comparison variant; empty: no comparison log
  std::vector<std::string> arguments;
  std::string seedFolder;                   ///< absolute; empty: one input of one line
  std::vector<std::string> dictionaryWords; ///< the user's dictionary (readDictionary)
  std::vector<std::string> mutators;        ///< as in AflOptions
  bool onlyMutators = false;
  UnitLength unit;
  unsigned jobs = 1;
  std::optional<uint64_t> seed;         ///< of AFL++'s random choices; none: its own choice
  unsigned iterations = 1000;           ///< inputs for each process of a harness; 1: a new
                                        ///< process for each input
  std::chrono::milliseconds maxTime{0}; ///< of this session, from its first execution on; 0: no
                                        ///< bound
  uint64_t maxExecutions = 0;           ///< of the whole campaign; 0: no bound
  uint64_t maxUnits = 0;                ///< complete ones of the whole campaign; 0: no bound
  std::chrono::milliseconds testTime{1000};
  uint64_t testMemoryBytes = uint64_t(2) << 30;
  bool resume = false;
  Diagnose diagnose; ///< as in TriageOptions
  /// A folder in which others leave inputs for afl-fuzz while it runs: files 000000, 000001, ...,
  /// each moved there complete. It is read when the next input of the queue has its turn. Empty:
  /// none.
  std::string inbox;
  bool record = true; ///< false: executions are not counted; to measure what recording costs
};

/// NoSeed: every initial input crashes the program or does not end in time. Stable: onStates
/// returned true.
enum class CampaignEnd { MaxTime, MaxExecutions, MaxUnits, Interrupted, NoSeed, Stable };
/// "time budget spent (--max-time)", ...
const char *text(CampaignEnd end);

/// Where a campaign stands.
struct CampaignStatus {
  double seconds = 0;             ///< of this session, from its first execution on
  uint64_t executions = 0;        ///< of the whole campaign, all stages
  uint64_t sessionExecutions = 0; ///< of this session
  double executionsPerSecond = 0; ///< over the last seconds
  CoverageCounts coverage;        ///< of the stored units; before the end, also of the running one
  uint64_t statePoints = 0;       ///< at which states are sampled
  uint64_t statesSampled = 0;     ///< distinct ones, at its end
  uint64_t statesDropped = 0;     ///< samples for which there was no room
  TriageCounts triage;            ///< inputs that AFL++ kept because they crash or hang
  uint64_t restarts = 0;          ///< of instances that died
};

struct CampaignEvents {
  std::function<void(const CampaignStatus &)> onProgress; ///< about four times a second
  /// Called together with onProgress: what has been covered so far, including by the running unit.
  std::function<void(const CampaignStatus &, const CoverageTally &)> onCoverage;
  /// While this returns false, afl-fuzz waits, because other work has the processors. Units of time
  /// wait as well.
  std::function<bool()> mayRun;
  /// Gets a crash whose stack no earlier crash had. False: it could not be stored, and the campaign
  /// ends.
  std::function<bool(const Crash &)> onCrash;
  /// Gets the states sampled so far, about every `statesEvery` executions. True: they are enough,
  /// and the campaign ends.
  std::function<bool(const StateSamples &, uint64_t executions)> onStates;
  uint64_t statesEvery = 5000;
};

class Campaign {
public:
  /// Creates the database and the unit maps, or goes on with those that are there. Errors: another
  /// program, another length of units; files that cannot be written or are damaged.
  static llvm::Expected<Campaign> create(const FuzzVariant &variant, CampaignOptions options);

  /// Runs until a budget is spent or `stop` is true. Errors: afl-fuzz cannot do its work; the disk
  /// is full. What was recorded until then is stored.
  llvm::Expected<CampaignEnd> run(const CampaignEvents &events, const std::atomic<bool> &stop);

  const CampaignStatus &status() const { return status_; }

private:
  Campaign(const FuzzVariant &variant, CampaignOptions options, SqliteStore store, UnitMaps maps);
  llvm::Error countStored();
  llvm::Error storeFinished();
  llvm::Error storeRest();
  llvm::Error storeStates();
  llvm::Expected<bool> areStatesEnough(const CampaignEvents &events);
  llvm::Error storeUnit(const UnitMap &map, bool isComplete);
  CoverageTally coverageSoFar() const;
  void passTime(std::chrono::nanoseconds time);
  bool takeCrashes(Triage &triage, const CampaignEvents &events);
  TriageOptions triageOptions() const;
  AflOptions aflOptions() const;
  void updateStatus(const CampaignEvents &events, bool isOver);
  void noticeStart(std::chrono::steady_clock::time_point now);
  bool isTimeOver(std::chrono::steady_clock::time_point now) const;

  const FuzzVariant &variant_;
  CampaignOptions options_;
  SqliteStore store_;
  UnitMaps maps_;
  CampaignStatus status_;
  CoverageTally tally_;
  std::map<uint64_t, std::chrono::nanoseconds>
      lengths_;            ///< of finished units of time that are not stored yet, by number
  double restSeconds_ = 0; ///< of the unit that an earlier session left incomplete
  std::chrono::steady_clock::time_point unitBegan_, began_;
  std::optional<std::chrono::steady_clock::time_point> firstExecution_; ///< of this session
  uint64_t executionsBefore_ = 0, executionsAtStart_ = 0;
  uint64_t statesShown_ = 0; ///< executions when onStates was asked last
  std::chrono::steady_clock::time_point rateTaken_;
};

} // namespace fathom::campaign
#endif
