// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory operations that the interpreter cannot execute by itself: accesses and block operations
// with symbolic addresses or sizes, and terms where it needs a value.
#ifndef FATHOM_EXPLORE_DECIDE_MEMORYDECISIONS_H
#define FATHOM_EXPLORE_DECIDE_MEMORYDECISIONS_H

#include "explore/decide/Addresses.h"
#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

class Addresses;
class FeasibilityChecks;
class BugReports;
class Decisions;
struct Engine;
class Forks;
class LogFollower;
class ObjectAccess;
class Sizes;
class UninitUses;
class Witnesses;

class MemoryDecisions : private EngineComponent {
public:
  explicit MemoryDecisions(Engine &engine);

  bool onMemory(State &s);
  bool onMemOp(State &s);
  bool onConcretize(State &s);

private:
  bool mayIgnoreFault(const State &s, ExprPtr address) const;
  bool onBlockSize(State &s);
  bool allocateLocal(State &s, ExprPtr count);
  bool copySized(State &s, ExprPtr size, uint64_t most);
  enum class Copied : uint8_t {
    No,    ///< the size takes one value
    Done,  ///< the next instruction follows
    Again, ///< the path forked
    Ended
  };
  Copied leaveNothingOut(State &s, ExprPtr size);
  Copied copyPlaced(State &s, ExprPtr size, uint64_t most);
  bool excludeOverlap(State &s, const Resolved &to, const Resolved &from, uint64_t size);

  LogFollower &follower_;
  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  Forks &forks_;
  UninitUses &uninitUses_;
  Addresses &addresses_;
  ObjectAccess &access_;
  Sizes &sizes_;
  BugReports &bugs_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
