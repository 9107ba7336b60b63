// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the input of a bug show it? Where a path went on with what an external function gave for one
// value of its arguments, that is found out by running the program once more on that input.
#ifndef FATHOM_EXPLORE_DECIDE_SHOWBUG_H
#define FATHOM_EXPLORE_DECIDE_SHOWBUG_H

#include "explore/decide/BugReports.h"
#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;
class TestBuilder;

class ShowBug : private EngineComponent {
public:
  explicit ShowBug(Engine &engine);

  /// Does the input of this model show the bug? Run on it alone, the program has a
  /// bug of this kind and stack.
  bool showsBug(State &s, const BugKey &key, const expr::Model &model);

private:
  const Services &services_;
  TestBuilder &tests_;
};

} // namespace fathom::explore
#endif
