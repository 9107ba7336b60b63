// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setjmp and longjmp.
#ifndef FATHOM_EXPLORE_BUILTIN_JUMPBUILTINS_H
#define FATHOM_EXPLORE_BUILTIN_JUMPBUILTINS_H

#include "explore/builtin/BuiltinGroup.h"

namespace fathom::explore {

class BugReports;
struct Engine;

class JumpBuiltins : private BuiltinGroup {
public:
  explicit JumpBuiltins(Engine &engine);

  void add(BuiltinNames &to);

private:
  Outcome setjmpCall(State &, const Call &);
  Outcome longjmpCall(State &, const Call &);

  BugReports &bugs_;
};

} // namespace fathom::explore
#endif
