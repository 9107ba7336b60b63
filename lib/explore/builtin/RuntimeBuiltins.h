// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's intrinsics (fathom/abi.h).
#ifndef FATHOM_EXPLORE_BUILTIN_RUNTIMEBUILTINS_H
#define FATHOM_EXPLORE_BUILTIN_RUNTIMEBUILTINS_H

#include "explore/builtin/BuiltinGroup.h"

namespace fathom::explore {

class BugReports;
struct Engine;
class SpeculativeBranches;
class LeakCheck;
class PathEnds;
class Symbols;

class RuntimeBuiltins : private BuiltinGroup {
public:
  explicit RuntimeBuiltins(Engine &engine);

  static constexpr const char *kExit = "__fathom_exit";
  void add(BuiltinNames &to);

private:
  Outcome makeSymbolic(State &, const Call &);
  Outcome assumeCall(State &, const Call &);
  Outcome input(State &, const Call &);
  Outcome sizedInput(State &, const Call &);
  Outcome setSize(State &, const Call &);
  Outcome output(State &, const Call &);
  Outcome exitCall(State &, const Call &);
  Outcome killed(State &, const Call &);
  Outcome faultEnds(State &s, const Call &c);
  Outcome assertFail(State &, const Call &);
  Outcome reportBug(State &, const Call &);
  Outcome ledger(State &, const Call &);
  Outcome unsupported(State &, const Call &);
  Outcome isSymbolic(State &, const Call &);
  Outcome isZero(State &, const Call &);
  Outcome concretizeCall(State &, const Call &);
  Outcome forkValues(State &, const Call &);
  Outcome allocCall(State &, const Call &);
  Outcome objectSize(State &, const Call &);
  Outcome prefer(State &, const Call &);
  Outcome print(State &, const Call &);
  Outcome say(State &s, const Call &c);
  Outcome getTp(State &, const Call &);
  Outcome setTp(State &, const Call &);
  Outcome map(State &, const Call &);
  Outcome unmap(State &, const Call &);

  Symbols &symbols_;
  BugReports &bugs_;
  LeakCheck &leaks_;
  PathEnds &ends_;
  SpeculativeBranches &guesses_;
};

} // namespace fathom::explore
#endif
