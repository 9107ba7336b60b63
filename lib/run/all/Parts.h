// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of fathom run, and what they tell each other: numbers and covered sides in memory that
// a fork shares. Every part writes its own numbers. A reader may see some numbers of one moment and
// some of another, which is good enough for a status line and for shares.
#ifndef FATHOM_RUN_ALL_PARTS_H
#define FATHOM_RUN_ALL_PARTS_H

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace fathom::run {

/// Seeds are what the run began with: no process of their own, but sides that they covered.
enum class Part : uint8_t { Seeds, Fuzz, Explore, Scan, Confirm };
inline constexpr unsigned kRunParts = 5;
inline constexpr std::array<const char *, kRunParts> kPartNames = {"seeds", "fuzz", "explore",
                                                                   "scan", "confirm"};
inline constexpr size_t indexOf(Part part) { return static_cast<size_t>(part); }
inline constexpr const char *nameOf(Part part) { return kPartNames[indexOf(part)]; }

/// What a part has done so far. Not all of them mean something for every part.
struct PartNumbers {
  std::atomic<uint64_t> work = 0;   ///< executions; completed paths
  std::atomic<uint64_t> inputs = 0; ///< that it took over from others
  std::atomic<uint64_t> bugs = 0;
  std::atomic<uint64_t> reports = 0, dismissed = 0; ///< of scan; reports: those not dismissed
  std::atomic<uint64_t> confirmed = 0, possible = 0, refuted = 0; ///< of these
  std::atomic<uint64_t> kept = 0;       ///< verdicts that an earlier run had reached
  std::atomic<unsigned> processors = 0; ///< that it may use now (of fuzz and explore)
  uint64_t settled() const { return confirmed + possible + refuted; }
};

struct SharedParts {
  static constexpr uint32_t kMaxSides = 1u << 22;
  std::atomic<uint32_t> sides = 0;      ///< of the program's own branches
  std::atomic<bool> isFuzzOver = false; ///< no inputs will come of it
  std::array<PartNumbers, kRunParts> numbers;
  /// By side, the parts that covered it, as bits.
  std::array<std::atomic<uint8_t>, kMaxSides> coveredBy;

  static constexpr uint8_t bit(Part part) { return static_cast<uint8_t>(1u << indexOf(part)); }
  PartNumbers &of(Part part) { return numbers[indexOf(part)]; }

  void cover(Part part, uint32_t side) {
    if (side < kMaxSides) coveredBy[side].fetch_or(bit(part), std::memory_order_relaxed);
  }
};

/// Zeroed memory that children made by fork share. Null: there is none.
std::shared_ptr<SharedParts> makeSharedParts();

} // namespace fathom::run
#endif
