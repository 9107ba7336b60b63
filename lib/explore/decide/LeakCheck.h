// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heap memory that nothing points to when the program ends.
#ifndef FATHOM_EXPLORE_DECIDE_LEAKCHECK_H
#define FATHOM_EXPLORE_DECIDE_LEAKCHECK_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

class BugReports;
struct Engine;
class Witnesses;

class LeakCheck : private EngineComponent {
public:
  explicit LeakCheck(Engine &engine);

  void checkLeaks(State &s);

private:
  Witnesses &witnesses_;
  BugReports &bugs_;
};

} // namespace fathom::explore
#endif
