// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocator as engine operations: every block is an object of exactly the size asked for.
#ifndef FATHOM_EXPLORE_BUILTIN_ALLOCATORBUILTINS_H
#define FATHOM_EXPLORE_BUILTIN_ALLOCATORBUILTINS_H

#include "explore/builtin/BuiltinGroup.h"

namespace fathom::explore {

class BugReports;
struct Engine;
class Forks;
class LogFollower;
class SeedPaths;
class Targets;

class AllocatorBuiltins : private BuiltinGroup {
public:
  explicit AllocatorBuiltins(Engine &engine);

  void add(BuiltinNames &to);

private:
  static bool replacesOperators(const program::Program &program);
  /// Of the function that asks for memory or frees it: C++'s operators call malloc and free, and
  /// those of arrays the others.
  AllocationFamily familyOf(const State &s) const;
  void setErrno(State &s, int value);
  /// Counts an allocation that can be had. Where it may fail, the state is forked, and in the other
  /// one the call has returned `failure`, with ENOMEM in errno unless that is what it returned.
  /// Forks a state in which the call gives `failure`, where allocations may fail. True: this one
  /// fails in the state itself (SeedPaths::failing).
  bool mayFail(State &s, const Call &c, uint64_t failure);
  /// A new block, counted; null where there is no room for it, or it is to fail: then errno is
  /// set. Where it may fail, that is a state of its own, in which the call has returned `failure`.
  uint64_t allocateHeap(State &s, uint64_t size, bool zeroed, const Call &c, uint64_t align = 16,
                        uint64_t failure = 0);
  /// Argument i, a size that was read from a buffer: where only a part of that was filled, this
  /// path may be one on which it is from that part.
  ExprPtr settled(State &s, const Call &c, unsigned i);
  /// A block of a size that may stay a term (Sizes.h): `unit` times argument i of the call. Next:
  /// it is in `address`.
  Outcome allocateSized(State &s, const Call &c, unsigned i, uint64_t unit, bool zeroed,
                        uint64_t &address);
  Outcome allocateProduct(State &s, const Call &c, bool &isTerm, uint64_t &address);
  Outcome allocationFails(State &, const Call &);
  Outcome mallocCall(State &, const Call &);
  Outcome callocCall(State &, const Call &);
  void reportFree(State &s, uint64_t address, const Call &c, ExprPtr condition);
  /// Argument 0 as the address of a block that can be freed, or null. Next: it is in `address`.
  Outcome block(State &s, const Call &c, uint64_t &address);
  /// Frees a block, and reports an allocator that is not its own.
  void release(State &s, const Call &c, uint64_t address);
  Outcome freeCall(State &, const Call &);
  Outcome reallocCall(State &, const Call &);
  Outcome memalignCall(State &, const Call &);
  Outcome posixMemalignCall(State &, const Call &);
  Outcome usableSize(State &, const Call &);

  LogFollower &follower_;
  SeedPaths &seedPaths_;
  Forks &forks_;
  Targets &targets_;
  BugReports &bugs_;
  const bool replacesOperators_;
};

} // namespace fathom::explore
#endif
