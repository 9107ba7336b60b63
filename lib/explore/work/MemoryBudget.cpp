// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/MemoryBudget.h"

#include "fmt/format.h"
#include "support/ProcFile.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <unistd.h>

namespace fathom::explore {

namespace {
constexpr std::chrono::seconds kMemoryLook{1};
constexpr unsigned kLookShare = 100; ///< looking takes at most this part of the time
constexpr uint64_t kMaxSolverMb = 1024, kLeastSolverMb = 32;
constexpr uint64_t kFirstStatesMb = 16;
/// Of the budget, what may be used: an eighth is for growth between two looks.
constexpr uint64_t kUsedOf8 = 7;
} // namespace

uint64_t residentBytes() {
  unsigned long size = 0, resident = 0;
  if (FILE *f = fopen("/proc/self/statm", "re")) {
    if (fscanf(f, "%lu %lu", &size, &resident) != 2) resident = 0;
    fclose(f);
  }
  return uint64_t(resident) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t leastMemoryMb(uint64_t peakBytes, unsigned workers) {
  const uint64_t usedMb = (peakBytes >> 20) + workers * (kLeastSolverMb + kFirstStatesMb);
  return usedMb * 8 / kUsedOf8 / 10 * 10 + 10;
}

uint64_t MemoryBudget::solverMb() const {
  if (!max_) return kMaxSolverMb;
  return std::clamp<uint64_t>((max_ >> 20) / 6 / workers_, kLeastSolverMb, kMaxSolverMb);
}

uint64_t MemoryBudget::workerBytes() const {
  if (!max_) return 0;
  const int64_t each = (static_cast<int64_t>(max_ / 8 * kUsedOf8) - beside_) / workers_ -
                       static_cast<int64_t>(solverMb() << 20);
  return static_cast<uint64_t>(std::max<int64_t>(each, 1 << 20));
}

void MemoryBudget::look(const std::vector<int> &workerPids) {
  auto now = WallClock::now();
  auto proportional = [](const std::string &pid) {
    return static_cast<int64_t>(procBytes("/proc/" + pid + "/smaps_rollup", "Pss"));
  };
  beside_ = proportional("self");
  // A worker's own children (a solver's process, a helper's) share its pages, which therefore count
  // less in its own proportional size.
  std::function<void(int)> addChildren = [&](int parent) {
    for (int pid : childrenOf(parent)) {
      beside_ += proportional(std::to_string(pid));
      addChildren(pid);
    }
  };
  for (int pid : workerPids) {
    addChildren(pid);
    beside_ += proportional(std::to_string(pid)) -
               static_cast<int64_t>(procBytes(fmt::format("/proc/{}/status", pid), "VmRSS"));
  }
  next_ = now + std::max<WallClock::duration>(kMemoryLook, (WallClock::now() - now) * kLookShare);
}

} // namespace fathom::explore
