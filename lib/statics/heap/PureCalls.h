// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls on a path that only look at their arguments and at memory: made again while nothing of that
// has changed, they return the same. `if (getenv("X")) puts(getenv("X"));` is right.
#ifndef FATHOM_STATICS_HEAP_PURECALLS_H
#define FATHOM_STATICS_HEAP_PURECALLS_H

#include "statics/heap/Terms.h"

#include <algorithm>
#include <vector>

namespace fathom::statics::heap {

struct PureCall {
  FunctionId callee = kNone;
  std::vector<TermId> arguments{};
  /// Memory that it looks at, by base; ascending. Not used if `readsAny`.
  std::vector<TermId> bases{};
  bool readsAny = false; ///< any memory may matter
  TermId result = kNoTerm;
};

class PureCalls {
public:
  /// What the call returned; kNoTerm: it was not made, or something has changed.
  TermId find(FunctionId callee, const std::vector<TermId> &arguments) const {
    const auto known = std::ranges::find_if(calls_, [&](const PureCall &call) {
      return call.callee == callee && call.arguments == arguments;
    });
    return known == calls_.end() ? kNoTerm : known->result;
  }
  /// REQUIRES: find says kNoTerm.
  void add(PureCall call) {
    constexpr size_t kMax = 8;
    if (calls_.size() == kMax) calls_.erase(calls_.begin());
    calls_.push_back(std::move(call));
  }
  /// Memory of the object may have changed.
  void forget(TermId base) {
    std::erase_if(calls_, [&](const PureCall &call) {
      return call.readsAny || std::ranges::binary_search(call.bases, base);
    });
  }
  void clear() { calls_.clear(); }
  void assign(std::vector<PureCall> calls) { calls_ = std::move(calls); }
  const std::vector<PureCall> &calls() const { return calls_; }

private:
  std::vector<PureCall> calls_; ///< the oldest first
};

} // namespace fathom::statics::heap
#endif
