// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's side of runtime/native/fuzz.h: which counters the executions of each sampling unit
// hit, by all fork servers together.
//
//   auto maps = UnitMaps::create("units.map", counters, /*slots=*/4, /*unitExecutions=*/0);
//   ... fork servers run with FATHOM_UNITS=units.map ...
//   maps->nextUnit();                       // ten seconds later
//   while (maps->harvest(unit)) store(unit); // exact: no execution can still write to it
//   maps->release(unit.number);
//
// The file outlives all processes. A process that opens it again finds all units that were not
// released, and the one that was running.
#ifndef FATHOM_CAMPAIGN_UNITMAPS_H
#define FATHOM_CAMPAIGN_UNITMAPS_H

#include "campaign/Stages.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

struct fathom_units;
struct fathom_slot;

namespace fathom::campaign {

/// One sampling unit that is over.
struct UnitMap {
  uint64_t number = 0;
  StageCounts executions{}; ///< that began in it, and ended
  /// By group of stages; not 0: some execution hit the counter.
  std::vector<uint8_t> map, nonFuzzing;
};

class UnitMaps {
public:
  /// \param slots           fork servers at a time.
  /// \param unitExecutions  0: units of time, ended by nextUnit().
  /// \param firstUnit       number of the first unit.
  /// Errors: the file cannot be created (no space).
  static llvm::Expected<UnitMaps> create(const std::string &path, uint32_t counters, unsigned slots,
                                         uint64_t unitExecutions, uint64_t firstUnit = 0);
  /// Errors: there is none; it is of another program or with other units.
  static llvm::Expected<UnitMaps> open(const std::string &path, uint32_t counters,
                                       uint64_t unitExecutions);
  UnitMaps(UnitMaps &&other) noexcept;
  UnitMaps &operator=(UnitMaps &&) = delete;
  ~UnitMaps();

  /// Ends the unit of time that runs. False when it cannot end yet, because the units before it are
  /// not stored: the unit then is longer.
  bool nextUnit();
  /// The oldest unit not released, if it is over and no execution of it is in flight. Does not
  /// change anything: a unit is lost only by release(). Cost: O(slots * counters).
  bool harvest(UnitMap &unit) const;
  /// \param everything  the running unit as well, over or not. REQUIRES that no fork server lives.
  bool harvestRest(UnitMap &unit) const;
  /// The oldest unit not released, as far as its executions have ended, for display. An execution
  /// that is in flight may have written a part of its map. Cost: O(slots * counters).
  UnitMap soFar() const;
  /// Makes room: `number` is stored. REQUIRES that harvest gave it.
  void release(uint64_t number);

  /// Forgets fork servers that were killed, so that no unit waits for their executions. Call it
  /// regularly.
  void dropDead();
  /// Forgets all fork servers, which are those of an earlier session. Waits up to two seconds for
  /// their end.
  void dropAll();

  uint64_t startedExecutions() const; ///< of all stages
  uint64_t slots() const;
  bool isIdle() const;                   ///< no execution is in flight
  void setMostExecutions(uint64_t most); ///< no execution begins after this number; 0: no bound
  uint64_t unit() const;                 ///< that runs
  uint64_t stored() const;               ///< all before it are released
  /// How much of the running unit of time is over, kept for a session that resumes the campaign.
  std::chrono::nanoseconds elapsed() const;
  void setElapsed(std::chrono::nanoseconds time);

private:
  UnitMaps(void *memory, size_t bytes);
  fathom_slot &slot(uint64_t index) const;
  UnitMap collect() const;
  bool isQuiet(uint64_t number) const;

  fathom_units *units_ = nullptr;
  size_t bytes_ = 0;
};

} // namespace fathom::campaign
#endif
