// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/AskPolicy.h"

#include "explore/Options.h"

#include <algorithm>

namespace fathom::explore {

namespace {
/// Questions whose mean is above this are dear, until it falls below a quarter of it. (Seconds.)
constexpr double kDear = 0.002;
/// The share of the newest question in the mean.
constexpr double kNewest = 1.0 / 64;
/// What takes less was answered without a search, and says nothing.
constexpr double kFree = 0.00005;
/// One question counts at most so much: a single timeout does not change the mode.
constexpr double kMostCounted = 0.05;
/// For the first and the second attempt at a pending question.
constexpr std::chrono::milliseconds kAttempts[] = {std::chrono::milliseconds(200),
                                                   std::chrono::milliseconds(2000)};
} // namespace

std::optional<Ask> askFromName(const std::string &name) {
  if (name == "eager") return Ask::Eager;
  if (name == "lazy") return Ask::Lazy;
  if (name == "auto") return Ask::Auto;
  return std::nullopt;
}

AskPolicy::AskPolicy(const ExploreOptions &options)
    : mode_(askFromName(options.ask).value_or(Ask::Auto)), isTimed_(!options.maxInstructions) {}

void AskPolicy::asked(std::chrono::duration<double> took) {
  if (took.count() < kFree) return;
  mean_ += (std::min(took.count(), kMostCounted) - mean_) * kNewest;
  isDear_ = mean_ > (isDear_ ? kDear / 4 : kDear);
}

std::chrono::milliseconds AskPolicy::timeFor(unsigned attempts,
                                             std::chrono::milliseconds full) const {
  return isTimed_ && attempts < std::size(kAttempts) ? std::min(full, kAttempts[attempts]) : full;
}

} // namespace fathom::explore
