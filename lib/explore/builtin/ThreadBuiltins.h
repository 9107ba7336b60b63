// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, as the scheduler in the environment model asks for them.
#ifndef FATHOM_EXPLORE_BUILTIN_THREADBUILTINS_H
#define FATHOM_EXPLORE_BUILTIN_THREADBUILTINS_H

#include "explore/builtin/BuiltinGroup.h"

namespace fathom::explore {

class BugReports;
struct Engine;
class PathEnds;
class ThreadSwitches;

class ThreadBuiltins : private BuiltinGroup {
public:
  explicit ThreadBuiltins(Engine &engine);

  void add(BuiltinNames &to);

private:
  Outcome threadCreate(State &, const Call &);
  /// Can that thread go on? False: abandoned, the path has ended.
  bool isThread(State &s, uint64_t number, bool orSelf);
  Outcome threadSwitch(State &, const Call &);
  Outcome threadEnd(State &, const Call &);
  Outcome deadlock(State &, const Call &);

  BugReports &bugs_;
  PathEnds &ends_;
  ThreadSwitches &threadSwitches_;
};

} // namespace fathom::explore
#endif
