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
  /// Ends the path, with a ledger entry, and returns false if there is no such thread that could
  /// run.
  bool requireThread(State &s, uint64_t number, bool orSelf);
  Outcome threadSwitch(State &, const Call &);
  Outcome threadEnd(State &, const Call &);
  Outcome deadlock(State &, const Call &);

  BugReports &bugs_;
  PathEnds &ends_;
  ThreadSwitches &threadSwitches_;
};

} // namespace fathom::explore
#endif
