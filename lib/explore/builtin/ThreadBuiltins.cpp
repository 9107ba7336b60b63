// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the scheduler of the environment model (runtime/posix/schedule.c) asks of the engine.
#include "explore/builtin/ThreadBuiltins.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/PathEnds.h"
#include "explore/decide/ThreadSwitches.h"
#include "explore/decide/Witnesses.h"

#include "fathom/abi.h"

#include <cerrno>

namespace fathom::explore {

using evidence::LedgerCategory;

using namespace program;

BuiltinOutcome ThreadBuiltins::threadCreate(State &s, const Call &c) {
  const uint64_t number = concreteArgument(s, c, 0, "number"),
                 function = concreteArgument(s, c, 1, "function"),
                 argument = concreteArgument(s, c, 2, "argument"),
                 pointer = concreteArgument(s, c, 3, "thread pointer");
  const std::optional<uint64_t> index = functionIndex(function);
  const bool made = index && *index < program_.functions.size() && number < FATHOM_MAX_THREADS &&
                    threadSwitches_.createThread(s, static_cast<uint32_t>(number),
                                                 static_cast<uint32_t>(*index), argument, pointer);
  returns(s, c, made ? 0 : static_cast<uint64_t>(-EAGAIN));
  return Outcome::Next;
}

bool ThreadBuiltins::requireThread(State &s, uint64_t number, bool orSelf) {
  if (s.threads && number < s.threads->all.size() &&
      (s.threads->all[number].top || (orSelf && number == s.threads->running)))
    return true;
  ends_.abandon(s, LedgerCategory::Environment, "a switch to a thread that does not exist");
  return false;
}

BuiltinOutcome ThreadBuiltins::threadSwitch(State &s, const Call &c) {
  const uint64_t next = concreteArgument(s, c, 0, "number");
  if (!requireThread(s, next, /*orSelf=*/true)) return Outcome::Ended;
  threadSwitches_.switchThread(s, static_cast<uint32_t>(next), c.ip + 1);
  return Outcome::Jumped;
}

BuiltinOutcome ThreadBuiltins::threadEnd(State &s, const Call &c) {
  const uint64_t next = concreteArgument(s, c, 0, "number");
  if (!requireThread(s, next, /*orSelf=*/false)) return Outcome::Ended;
  threadSwitches_.endThread(s, static_cast<uint32_t>(next));
  return Outcome::Jumped;
}

BuiltinOutcome ThreadBuiltins::deadlock(State &s, const Call &c) {
  const uint64_t list = concreteArgument(s, c, 0, "list"),
                 count = concreteArgument(s, c, 1, "length");
  // The program may call this, too: a product that does not fit is more than any object has.
  const uint64_t bytes = count > UINT64_MAX / 8 ? UINT64_MAX : count * 8;
  if (!bounds(s, list, bytes, /*write=*/false)) return Outcome::Ended;
  std::vector<uint64_t> waits;
  for (uint64_t i = 0; i < count; i++) {
    const MemoryAccess::Loaded address = interpreter_.memory.load(s, list + 8 * i, 8);
    waits.push_back(address.term ? witnesses_.witnessValue(s, address.term) : address.lo);
  }
  bugs_.report(s, evidence::BugKind::Deadlock,
               "no thread can go on: " + threadSwitches_.describeWaits(s, waits), s.witness);
  return Outcome::Ended;
}

void ThreadBuiltins::add(BuiltinNames &to) {
  to["__fathom_thread_create"] = bind(this, &ThreadBuiltins::threadCreate);
  to["__fathom_thread_switch"] = bind(this, &ThreadBuiltins::threadSwitch);
  to["__fathom_thread_end"] = bind(this, &ThreadBuiltins::threadEnd);
  to["__fathom_deadlock"] = bind(this, &ThreadBuiltins::deadlock);
}

} // namespace fathom::explore
