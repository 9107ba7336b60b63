// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads: making them, switching between them, taking the processor from one that keeps it.
//
// Which one runs is decided by the scheduler in the environment model, which is interpreted like
// everything else; the engine only carries it out. So a schedule follows from the program and the
// path's log alone, and costs a path nothing but a few instructions.
//
// A thread that waits in a loop for another one may make no call. After FATHOM_SLICE_BRANCHES
// branches of the program's own code the engine calls the scheduler in its place, as if there were
// a call between two instructions. Branches are counted, and not instructions, because a native
// trace variant can count them too: it preempts at the same branch (runtime/native/trace.c). The
// interpreter does not count for that: it runs for at most as many instructions as there are
// branches left, and is then called again.
#include "explore/decide/ThreadSwitches.h"

#include "explore/decide/Places.h"

#include "fathom/abi.h"
#include "fmt/format.h"

namespace fathom::explore {

using namespace program;

bool ThreadSwitches::createThread(State &s, uint32_t number, uint32_t function, uint64_t argument,
                                  uint64_t threadPointer) {
  const bool taken = s.threads ? number == s.threads->running ||
                                     (number < s.threads->all.size() && s.threads->all[number].top)
                               : number == 0;
  if (taken) return false;
  Frame *creator = s.top;
  const Inst *ip = s.ip;
  s.top = nullptr; // no frame called it
  const bool entered = interpreter_.calls.enter(s, function, nullptr, 0, nullptr, {});
  Frame *first = s.top;
  s.top = creator;
  const Inst *begin = s.ip;
  s.ip = ip;
  if (!entered) return false;
  first->bits()[0] = argument;
  if (!s.threads) {
    s.threads = std::make_unique<Threads>();
    beginSlice(s);
  }
  if (s.threads->all.size() <= number) s.threads->all.resize(number + 1);
  Thread &t = s.threads->all[number];
  t.top = first;
  t.ip = begin;
  t.threadPointer = threadPointer;
  t.locals.clear();
  return true;
}

void ThreadSwitches::beginSlice(State &s) {
  s.threads->sliceEnd = s.traceCount + FATHOM_SLICE_BRANCHES;
}

static void resume(State &s, uint32_t number) {
  Thread &next = s.threads->all[number];
  s.top = next.top;
  s.ip = next.ip;
  s.threadPointer = next.threadPointer;
  next.top = nullptr;
  s.threads->running = number;
}

void ThreadSwitches::switchThread(State &s, uint32_t next, const Inst *resumeAt) {
  Thread &self = s.threads->all[s.threads->running];
  self.top = s.top;
  self.ip = resumeAt;
  self.threadPointer = s.threadPointer;
  resume(s, next);
  beginSlice(s);
}

void ThreadSwitches::endThread(State &s, uint32_t next) {
  while (s.top) interpreter_.calls.leave(s); // the objects on its stack are gone
  Thread &self = s.threads->all[s.threads->running];
  for (auto [variable, copy] : self.locals) s.memory.free(copy, {});
  self = {};
  resume(s, next);
  beginSlice(s);
}

int64_t ThreadSwitches::untilPreemption(const State &s) const {
  return static_cast<int64_t>(s.threads->sliceEnd - s.traceCount);
}

void ThreadSwitches::preemptIfDue(State &s) {
  if (s.traceCount < s.threads->sliceEnd) return;
  beginSlice(s);
  const FunctionCode *scheduler = program_.find("__fathom_preempted");
  if (!scheduler) return; // the program has brought its own runtime
  Calls::ownTopFrame(s);
  s.top->resume = s.ip;
  interpreter_.calls.enter(s, scheduler->id, nullptr, 0, nullptr, {}); // no room: it goes on
}

/// The function that the program called there: libc's name without what marks it as internal.
static std::string publicName(const std::string &name) {
  size_t first = name.find_first_not_of('_');
  return first == std::string::npos ? name : name.substr(first);
}

std::string ThreadSwitches::describeWaits(const State &s,
                                          const std::vector<uint64_t> &waits) const {
  std::string out;
  auto describe = [&](size_t number, const Frame *top, const Inst *at) {
    std::string place, callee;
    for (const evidence::StackFrame &f : places_.stackOf(top, at)) {
      if (f.own) {
        place = f.line ? fmt::format(" at {}:{}", f.file, f.line) : " in " + f.function;
        break;
      }
      callee = f.function;
    }
    std::string what = callee.empty() ? "" : " in " + publicName(callee);
    const uint64_t address = number < waits.size() ? waits[number] : 0;
    const ObjectState *o = address ? s.memory.find(address) : nullptr;
    if (o && o->info->kind == ObjectKind::Global) what += fmt::format(" for '{}'", o->info->name);
    out += fmt::format("{}thread {} waits{}{}", out.empty() ? "" : ", ", number, what, place);
  };
  const uint32_t running = s.threads ? s.threads->running : 0;
  const size_t count = s.threads ? s.threads->all.size() : 1;
  for (size_t i = 0; i < count; i++)
    if (i == running)
      describe(i, s.top, s.ip);
    else if (const Thread &t = s.threads->all[i]; t.top)
      describe(i, t.top, t.ip);
  return out;
}

} // namespace fathom::explore
