// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all regions of a run share.
#ifndef FATHOM_EXPLORE_MERGE_MERGECONTEXT_H
#define FATHOM_EXPLORE_MERGE_MERGECONTEXT_H

#include "explore/merge/MergeBenefit.h"
#include "explore/merge/MergeCheck.h"
#include "explore/merge/MergeOptions.h"
#include "explore/merge/StateJoin.h"

#include <map>
#include <memory>
#include <utility>

namespace fathom::explore {

class MergeContext {
public:
  explicit MergeContext(MergeOptions given) : options(std::move(given)) {}
  StateJoin &join(Engine &engine);
  /// With Z3; tells what is wrong, and counts it. into: the merged state.
  void check(Engine &engine, const State &into, const Merged &what);
  /// The array of the counter that the path gets next, for counts up to `most`. Paths share them:
  /// no state has two of one number.
  ExprPtr counterFor(Engine &engine, const State &root, uint64_t most);

  const MergeOptions options;
  MergeBenefit benefit;

private:
  std::unique_ptr<StateJoin> join_;
  std::unique_ptr<MergeCheck> check_;
  std::map<std::pair<uint32_t, unsigned>, ExprPtr> counters_; ///< by number on the path, and bytes
};

} // namespace fathom::explore
#endif
