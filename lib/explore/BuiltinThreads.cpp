// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the scheduler of the environment model (runtime/posix/schedule.c) asks of the engine.
#include "explore/Builtins.h"

#include "fathom/abi.h"
#include "program/Address.h"

#include <cerrno>

namespace fathom::explore {

using namespace program;

Builtins::Outcome Builtins::threadCreate(State &s, const Call &c) {
  const uint64_t number = pinned(s, c, 0, "number"), function = pinned(s, c, 1, "function"),
                 argument = pinned(s, c, 2, "argument"),
                 pointer = pinned(s, c, 3, "thread pointer");
  const std::optional<uint64_t> index = functionIndex(function);
  const bool made = index && *index < x_.program_.functions.size() && number < FATHOM_MAX_THREADS &&
                    x_.createThread(s, static_cast<uint32_t>(number), static_cast<uint32_t>(*index),
                                    argument, pointer);
  returns(s, c, made ? 0 : static_cast<uint64_t>(-EAGAIN));
  return Outcome::Next;
}

bool Builtins::isThread(State &s, uint64_t number, bool orSelf) {
  if (s.threads && number < s.threads->all.size() &&
      (s.threads->all[number].top || (orSelf && number == s.threads->running)))
    return true;
  x_.abandon(s, "environment", "a switch to a thread that does not exist");
  return false;
}

Builtins::Outcome Builtins::threadSwitch(State &s, const Call &c) {
  const uint64_t next = pinned(s, c, 0, "number");
  if (!isThread(s, next, /*orSelf=*/true)) return Outcome::Ended;
  x_.switchThread(s, static_cast<uint32_t>(next), c.ip + 1);
  return Outcome::Jumped;
}

Builtins::Outcome Builtins::threadEnd(State &s, const Call &c) {
  const uint64_t next = pinned(s, c, 0, "number");
  if (!isThread(s, next, /*orSelf=*/false)) return Outcome::Ended;
  x_.endThread(s, static_cast<uint32_t>(next));
  return Outcome::Jumped;
}

Builtins::Outcome Builtins::deadlock(State &s, const Call &c) {
  const uint64_t list = pinned(s, c, 0, "list"), count = pinned(s, c, 1, "length");
  if (!bounds(s, list, count * 8, /*write=*/false)) return Outcome::Ended;
  std::vector<uint64_t> waits;
  for (uint64_t i = 0; i < count; i++) {
    const Machine::Loaded address = x_.machine.load(s, list + 8 * i, 8);
    waits.push_back(address.term ? x_.witnessValue(s, address.term) : address.lo);
  }
  x_.report(s, BugKind::Deadlock, "no thread can go on: " + x_.describeWaits(s, waits), s.witness);
  return Outcome::Ended;
}

void Builtins::addThreads(std::map<std::string, Function> &to) {
  to["__fathom_thread_create"] = &Builtins::threadCreate;
  to["__fathom_thread_switch"] = &Builtins::threadSwitch;
  to["__fathom_thread_end"] = &Builtins::threadEnd;
  to["__fathom_deadlock"] = &Builtins::deadlock;
}

} // namespace fathom::explore
