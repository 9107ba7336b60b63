// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads: making them, switching between them, taking the processor from one that keeps it.
#ifndef FATHOM_EXPLORE_DECIDE_THREADSWITCHES_H
#define FATHOM_EXPLORE_DECIDE_THREADSWITCHES_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;
class Places;

class ThreadSwitches : private EngineComponent {
public:
  explicit ThreadSwitches(Engine &engine);

  /// Makes a thread that calls function(argument) when it is switched to. False: no room.
  bool createThread(State &s, uint32_t number, uint32_t function, uint64_t argument,
                    uint64_t threadPointer);
  void switchThread(State &s, uint32_t next, const program::Inst *resume);
  void endThread(State &s, uint32_t next);
  /// How many instructions the interpreter may run before the slice has to be checked again.
  int64_t untilPreemption(const State &s) const;
  void preemptIfDue(State &s);
  /// What each of the threads waits for, in words; waits: addresses of futexes, by thread.
  std::string describeWaits(const State &s, const std::vector<uint64_t> &waits) const;

private:
  void beginSlice(State &s);

  Places &places_;
};

} // namespace fathom::explore
#endif
