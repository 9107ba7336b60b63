// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways out of a switch and their conditions. Cases that go to one place are one way, and
// neighbouring ones one interval: a test of a character's class is a few comparisons.
#ifndef FATHOM_EXPLORE_DECIDE_SWITCHWAYS_H
#define FATHOM_EXPLORE_DECIDE_SWITCHWAYS_H

#include "explore/interpreter/Interpreter.h"

#include <map>

namespace fathom::explore {

struct SwitchWay {
  uint32_t target = 0;
  ExprPtr condition = nullptr;
};

/// By side, as in SwitchTable; 0 is the default's, and of cases that go where it goes. O(cases).
std::map<uint32_t, SwitchWay> switchWays(Interpreter &interpreter,
                                         const program::SwitchTable &table, ExprPtr value);

} // namespace fathom::explore
#endif
