// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/TestCoverage.h"

#include <algorithm>

namespace fathom::explore {

bool TestCoverage::isClaimed(uint32_t what) const {
  const std::vector<uint8_t> &claimed = what & Coverage::kSideBit ? testSideCover_ : testCover_;
  const uint32_t index = what & ~Coverage::kSideBit;
  return index < claimed.size() && claimed[index];
}

bool TestCoverage::coversUntested(const State &s) const {
  return s.newlyCovered.last && !isClaimed(s.newlyCovered.last->value); // see claimCoverage
}

bool TestCoverage::claimCoverage(const State &s) {
  testCover_.resize(interpreter_.coverage.cover.size());
  testSideCover_.resize(interpreter_.coverage.sideCover.size());
  bool any = false;
  // What is covered for the first time is so only once, and what a path claims it claims with all
  // that came before on it: after the first one that is claimed everything is.
  for (const ListNode<uint32_t> *n = s.newlyCovered.last.get(); n; n = n->previous.get()) {
    if (isClaimed(n->value)) break;
    any = true;
    (n->value & Coverage::kSideBit ? testSideCover_ : testCover_)[n->value & ~Coverage::kSideBit] =
        1;
  }
  return any;
}

std::vector<uint32_t> TestCoverage::newlyCoveredOf(const State &s) const {
  std::vector<uint32_t> out;
  for (const ListNode<uint32_t> *n = s.newlyCovered.last.get(); n && !isClaimed(n->value);
       n = n->previous.get())
    out.push_back(n->value);
  std::reverse(out.begin(), out.end());
  return out;
}

} // namespace fathom::explore
