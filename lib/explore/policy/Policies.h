// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policies of one exploration, and their points.
#ifndef FATHOM_EXPLORE_POLICY_POLICIES_H
#define FATHOM_EXPLORE_POLICY_POLICIES_H

#include "explore/decide/EngineComponent.h"
#include "explore/policy/Policy.h"

#include <memory>
#include <vector>

namespace fathom::explore {

class Policies : private EngineComponent {
public:
  explicit Policies(Engine &engine);

  /// The state is at a point: asks those that want to be asked there, in the order of
  /// ExploreOptions::policies. Does it go on?
  bool ask(State &s);
  /// The instruction at `point` was not run to its end, and the state is there again: it has been
  /// asked about.
  void keepPassed(State &s, const Inst *point) const;

private:
  Engine &engine_;
  std::vector<std::unique_ptr<Policy>> policies_;
};

} // namespace fathom::explore
#endif
