// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that a call makes: local variables and their scopes, arguments in memory, and a thread's
// copies of thread-local variables.
#ifndef FATHOM_EXPLORE_INTERPRETER_LOCALS_H
#define FATHOM_EXPLORE_INTERPRETER_LOCALS_H

#include "explore/interpreter/MemoryAccess.h"

#include <string>

namespace fathom::explore {

class Locals {
public:
  Locals(Running &running, const program::Program &program, const ExploreOptions &options,
         const ExecutableCode &code, MemoryAccess &memory)
      : run_(running), program_(program), options_(options), code_(code), memory_(memory) {}

  bool allocateLocal(const Inst *ip, uint64_t *r, uint64_t size); ///< false: `event` says why
  void releaseLocals(uint64_t keep, const Inst *ip); ///< all but the `keep` oldest of the top frame
  void beginLifetime(uint64_t address);              ///< nothing for what is alive
  void endLifetime(uint64_t address, const Inst *ip); ///< nothing for what is not
  /// The address of the running thread's copy of the thread-local variable at this address.
  uint64_t threadLocal(uint64_t variable);
  /// A local object of the frame that is being entered. Null: `event` says why.
  const ObjectState *allocateArgument(State &s, Frame &f, uint64_t bytes, bool zeroed,
                                      Memory::AllocSite site, const std::string &name,
                                      uint64_t align);

private:
  Running &run_;
  const program::Program &program_;
  const ExploreOptions &options_;
  const ExecutableCode &code_;
  MemoryAccess &memory_;
};

} // namespace fathom::explore
#endif
