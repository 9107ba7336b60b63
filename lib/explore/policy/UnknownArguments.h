// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's start with any arguments: main's parameters become unknown (AssumedMemory.h) where
// libc calls it. Variables have the values that they begin with.
#ifndef FATHOM_EXPLORE_POLICY_UNKNOWNARGUMENTS_H
#define FATHOM_EXPLORE_POLICY_UNKNOWNARGUMENTS_H

#include "explore/policy/Policy.h"

namespace fathom::explore {

/// REQUIRES ExploreOptions::entryMemory != Objects, and no other entry.
class UnknownArguments : public Policy {
public:
  std::vector<PointSite> points(const program::Program &program) const override;
  Answer at(Engine &engine, State &s) override;
};

} // namespace fathom::explore
#endif
