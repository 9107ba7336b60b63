// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a path is, in the words of the source: stacks, places for the ledger, and the numbers by
// which stacks are told apart.
//
// A stack is folded (turns of a recursion are one) and has the program's own calls only, where it
// is what tells two bugs apart.
#ifndef FATHOM_EXPLORE_DECIDE_PLACES_H
#define FATHOM_EXPLORE_DECIDE_PLACES_H

#include "explore/decide/EngineComponent.h"
#include "explore/interpreter/CallStacks.h"
#include "explore/Results.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;

/// What the source calls an object, for messages: " 'buffer'"; "": nothing.
std::string quotedName(const program::Program &program, const ObjectInfo &object);

class Places : private EngineComponent {
public:
  explicit Places(Engine &engine);

  /// For the ledger: "file:line in function", of the innermost of the program's own; "in function"
  /// where its line is not known, or "in main" of a harness. Names of the environment model are
  /// nothing for users: "in the environment model", before main and after it.
  std::string where(const State &s) const;
  void mixSites(std::span<const CallSite> sites, uint64_t &place, uint64_t &stack) const;
  std::vector<evidence::StackFrame> framesOf(std::span<const CallSite> sites, bool ownOnly) const;
  std::vector<evidence::StackFrame> stackOf(const State &s) const;
  std::vector<evidence::StackFrame> stackOf(const Frame *top, const program::Inst *at) const;
  evidence::StackFrame frameAt(uint32_t function, uint32_t inst) const;
  std::vector<CallSite> sitesOf(const State &s); ///< where it is, folded
  uint64_t stackKey(const State &s);

  CallStacks stacks; ///< of allocations
};

} // namespace fathom::explore
#endif
