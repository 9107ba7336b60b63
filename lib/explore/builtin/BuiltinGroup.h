// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What builtins have in common: arguments, results, memory that is read and written.
#ifndef FATHOM_EXPLORE_BUILTIN_BUILTINGROUP_H
#define FATHOM_EXPLORE_BUILTIN_BUILTINGROUP_H

#include "explore/builtin/Builtins.h"
#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

#include <optional>

namespace fathom::explore {

class Addresses;
class FeasibilityChecks;
class Decisions;
struct Engine;
class Places;
class Sizes;
class UninitUses;
class Witnesses;

class BuiltinGroup : protected EngineComponent {
public:
  explicit BuiltinGroup(Engine &engine);

protected:
  using Call = BuiltinCall;
  using Outcome = BuiltinOutcome;
  template <typename Group>
  static Builtin bind(Group *group, Outcome (Group::*function)(State &, const Call &)) {
    return [group, function](State &s, const Call &c) { return (group->*function)(s, c); };
  }

  /// Arguments that a call of a function without a prototype leaves out are 0.
  ExprPtr term(State &s, const Call &c, unsigned i, unsigned width = 64);
  bool isConcrete(State &s, const Call &c, unsigned i);
  /// Of a concrete argument.
  static uint64_t number(const State &s, const Call &c, unsigned i) {
    return i < c.numArgs ? s.top->bits()[c.args[i]] : 0;
  }
  /// The value of argument i. If it is symbolic, it is pinned to one value, with a ledger entry.
  uint64_t concreteArgument(State &s, const Call &c, unsigned i, const char *what,
                            unsigned width = 64);
  /// Makes argument i concrete by forking over its values. False: forked, the call has to be run
  /// again.
  bool forked(State &s, const Call &c, unsigned i, unsigned width = 64);
  /// Argument i, a size of `unit` bytes for each, as a number (Sizes::number). None: forked, the
  /// call has to be run again.
  std::optional<uint64_t> sized(State &s, const Call &c, unsigned i, uint64_t unit = 1);
  std::string text(State &s, uint64_t address, uint64_t limit = 4096);
  void returns(State &s, const Call &c, uint64_t value);
  void returnsTerm(State &s, const Call &c, ExprPtr value);
  Memory::AllocSite site(const State &s, const Call &c) const;
  /// Are these bytes there? False: the path ended here, or waits.
  bool bounds(State &s, uint64_t address, uint64_t size, bool write);
  void snapshot(State &s, uint64_t address, uint64_t size, std::vector<uint8_t> &bytes,
                std::vector<ExprPtr> &terms);

  Places &places_;
  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  UninitUses &uninitUses_;
  Addresses &addresses_;
  Sizes &sizes_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
