// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/policy/BranchCheckPolicy.h"

#include "explore/Options.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace fathom::explore {

namespace {
/// Questions are dear when their mean is above this (seconds) and they take more than this share of
/// the time. They are so until one of the two falls below a quarter or a half of it.
constexpr double kDear = 0.002, kShare = 0.5;
/// In so many seconds what is past fades to a third.
constexpr double kMemory = 1;
/// The share of the newest question in the mean.
constexpr double kNewest = 1.0 / 64;
/// What takes less was answered without a search, and says nothing.
constexpr double kFree = 0.00005;
/// One question counts at most so much: a single timeout does not change the mode.
constexpr double kMaxCounted = 0.05;
/// For the first attempts at a pending question.
constexpr std::chrono::milliseconds kAttempts[] = {std::chrono::milliseconds(200),
                                                   std::chrono::milliseconds(2000)};
/// With seeds there are more questions than time: what has an answer mostly has it within
/// milliseconds, and nearly all time went into the few that take a tenth of a second.
constexpr std::chrono::milliseconds kSeeded[] = {
    std::chrono::milliseconds(10), std::chrono::milliseconds(100), std::chrono::milliseconds(2000)};
} // namespace

BranchCheckPolicy::BranchCheckPolicy(const ExploreOptions &options)
    : mode_(options.branchChecks), isTimed_(!options.maxInstructions),
      hasSeeds_(!options.seeds.empty() || options.inputs) {}

void BranchCheckPolicy::asked(std::chrono::duration<double> took, Clock::time_point now) {
  const std::chrono::duration<double> passed =
      last_ == Clock::time_point{} ? took : std::chrono::duration<double>(now - last_);
  last_ = now;
  const double left = std::exp(-passed.count() / kMemory);
  feasibility_ = feasibility_ * left + took.count();
  all_ = all_ * left + passed.count();
  if (took.count() >= kFree) mean_ += (std::min(took.count(), kMaxCounted) - mean_) * kNewest;
  isDear_ = isDear_ ? mean_ > kDear / 4 && feasibility_ > all_ * kShare / 2
                    : mean_ > kDear && feasibility_ > all_ * kShare;
}

std::chrono::milliseconds BranchCheckPolicy::timeFor(unsigned attempts,
                                                     std::chrono::milliseconds full) const {
  using Times = std::span<const std::chrono::milliseconds>;
  const Times times = hasSeeds_ ? Times(kSeeded) : Times(kAttempts);
  return isTimed_ && attempts < times.size() ? std::min(full, times[attempts]) : full;
}

} // namespace fathom::explore
