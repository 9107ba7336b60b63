// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocator as engine operations: every block is an object of exactly the size asked for.
#include "explore/Builtins.h"

#include "fmt/format.h"

#include <bit>
#include <cerrno>

namespace fathom::explore {

static constexpr uint64_t kMaxAlignment = uint64_t(1) << 30;

void Builtins::setErrno(State &s, int value) {
  const uint64_t at = s.threadPointer + kErrnoAt;
  if (s.memory.resolve(at, kErrnoBytes)) // a program without libc has none
    x_.machine.store(s, at, kErrnoBytes, static_cast<uint64_t>(value), 0);
}

/// Of the program's own code, or of libc on its behalf: what start-up code asks for does not fail.
static bool isForProgram(const State &s, const program::Program &program) {
  for (const Frame *f = s.top; f; f = f->parent)
    if (program.functions[f->function].own) return true;
  return false;
}

bool Builtins::mayFail(State &s, const Call &c, uint64_t failure) {
  if (!isForProgram(s, x_.program_)) return false;
  if (x_.failing_) return std::ranges::binary_search(*x_.failing_, s.allocations);
  if (!x_.options_.failsAllocations()) {
    if (!Executor::isFollowed(s)) x_.stats_.untriedFailures++;
    return false;
  }
  State *failed = x_.fork(s);
  if (!failed) return false;
  failed->failedAllocations.push(failed->allocations);
  failed->took(State::kFailedAllocation | failed->allocations);
  x_.splitSeeds(s, *failed);
  if (failure != ENOMEM) setErrno(*failed, ENOMEM);
  returns(*failed, c, failure);
  failed->ip = c.ip + 1;
  x_.machine.state = failed;
  x_.machine.coverAfterCall(failed->ip);
  x_.machine.state = &s;
  return false;
}

uint64_t Builtins::allocateHeap(State &s, uint64_t size, bool zeroed, const Call &c, uint64_t align,
                                uint64_t failure) {
  s.allocations++;
  const ObjectState *o = nullptr;
  if (size <= x_.options_.maxHeapBytes && s.memory.heapBytes() + size <= x_.options_.maxHeapBytes) {
    const bool fails = mayFail(s, c, failure);
    if (!fails)
      o = s.memory.allocate(size, ObjectKind::Heap, zeroed || !x_.options_.checkUninit, site(s, c),
                            {}, align);
    if (!o && !fails)
      x_.ledger_.add(
          "environment", x_.where(s),
          fmt::format("an allocation of {} bytes, aligned to {}, failed: no address is left "
                      "for it",
                      size, align));
  }
  if (o) return o->base();
  if (failure != ENOMEM) setErrno(s, ENOMEM);
  return 0;
}

/// Of the environment model, for memory that the program asks it for: mmap.
Builtins::Outcome Builtins::allocationFails(State &s, const Call &c) {
  s.allocations++;
  returns(s, c, mayFail(s, c, /*failure=*/1));
  return Outcome::Next;
}

Builtins::Outcome Builtins::mallocCall(State &s, const Call &c) {
  if (!sized(s, c, 0)) return Outcome::Again;
  uint64_t size = pinned(s, c, 0, "size");
  returns(s, c, allocateHeap(s, size, /*zeroed=*/false, c));
  return Outcome::Next;
}

Builtins::Outcome Builtins::callocCall(State &s, const Call &c) {
  if (!sized(s, c, 0) || !sized(s, c, 1)) return Outcome::Again;
  uint64_t n = pinned(s, c, 0, "count"), size = pinned(s, c, 1, "size"), total;
  if (__builtin_mul_overflow(n, size, &total)) total = ~uint64_t(0); // there is no room for either
  returns(s, c, allocateHeap(s, total, /*zeroed=*/true, c));
  return Outcome::Next;
}

/// condition: see Executor::report.
void Builtins::reportFree(State &s, uint64_t address, const Call &c, ExprPtr condition) {
  const ObjectState *o = s.memory.find(address);
  const std::string &function = c.callee->name;
  BugKind kind = BugKind::InvalidFree;
  std::string message;
  if (!o)
    message = fmt::format("{} of {:#x}, where there is no object", function, address);
  else if (o->freed && o->info->kind != ObjectKind::Stack) {
    kind = BugKind::DoubleFree;
    message =
        fmt::format("{} of a {}-byte heap object that was already freed", function, o->size());
  } else if (o->info->kind != ObjectKind::Heap)
    message = fmt::format("{} of a {} object{}", function, name(o->info->kind),
                          o->info->name.empty() ? "" : " '" + o->info->name + "'");
  else
    message = fmt::format("{} of a pointer to offset {} of a {}-byte heap object", function,
                          static_cast<int64_t>(address - o->base()), o->size());
  x_.report(s, kind, message, s.witness, o, condition);
}

Builtins::Outcome Builtins::block(State &s, const Call &c, uint64_t &address) {
  bool isUnwritten = false; // which was reported: no other bug is
  if (!isConcrete(s, c, 0)) {
    ExprPtr e = term(s, c, 0);
    if (e->has(expr::kHasUninit)) e = x_.settleUninit(s, e, "an argument");
    isUnwritten = e->has(expr::kHasUninit);
    // What was never written and is anything is not gone through block by block.
    e = isUnwritten ? x_.ctx_.constant(
                          x_.concretize(s, e, fmt::format("argument of {}", c.callee->name)), 64)
                    : x_.withoutChoices(s, e);
    if (!e) {
      x_.again(s);
      return Outcome::Again;
    }
    if (!e->isConst()) {
      const Executor::Chosen chosen =
          x_.chooseTarget(s, e, x_.freeTargets(s, e), [&](uint64_t seen, ExprPtr elsewhere) {
            reportFree(s, seen, c, elsewhere);
          });
      if (chosen.ended) return Outcome::Ended;
      if (!chosen.target) return Outcome::Again;
      e = x_.ctx_.constant(*chosen.target, 64);
    }
    x_.machine.setRegister(*s.top, c.args[0], e);
    x_.keepDecided(s);
    if (x_.step_->ready) return Outcome::Again;
  }
  address = s.top->bits()[c.args[0]];
  const ObjectState *o = address ? s.memory.find(address) : nullptr;
  if (!address || (o && !o->freed && o->info->kind == ObjectKind::Heap && o->base() == address))
    return Outcome::Next;
  if (!isUnwritten) reportFree(s, address, c, nullptr);
  return Outcome::Ended;
}

Builtins::Outcome Builtins::freeCall(State &s, const Call &c) {
  uint64_t address = 0;
  const Outcome outcome = block(s, c, address);
  if (outcome == Outcome::Next && address) s.memory.free(address, site(s, c));
  return outcome;
}

Builtins::Outcome Builtins::reallocCall(State &s, const Call &c) {
  uint64_t old = 0;
  if (Outcome outcome = block(s, c, old); outcome != Outcome::Next) return outcome;
  if (!sized(s, c, 1)) return Outcome::Again;
  uint64_t size = pinned(s, c, 1, "size");
  uint64_t fresh = allocateHeap(s, size, /*zeroed=*/false, c);
  if (fresh && old) {
    uint64_t n = std::min(size, s.memory.find(old)->size());
    if (n) x_.machine.copy(s, fresh, old, n);
    s.memory.free(old, site(s, c));
  }
  returns(s, c, fresh);
  return Outcome::Next;
}

Builtins::Outcome Builtins::memalignCall(State &s, const Call &c) { // memalign, aligned_alloc
  uint64_t align = pinned(s, c, 0, "alignment"), size = pinned(s, c, 1, "size");
  if (std::has_single_bit(align) && align <= kMaxAlignment) {
    returns(s, c, allocateHeap(s, size, /*zeroed=*/false, c, align));
  } else {
    s.allocations++;
    setErrno(s, std::has_single_bit(align) ? ENOMEM : EINVAL);
    returns(s, c, 0);
  }
  return Outcome::Next;
}

Builtins::Outcome Builtins::posixMemalignCall(State &s, const Call &c) {
  uint64_t to = pinned(s, c, 0, "result address"), align = pinned(s, c, 1, "alignment"),
           size = pinned(s, c, 2, "size");
  uint64_t result = 0;
  if (!std::has_single_bit(align) || align < sizeof(void *) || align > kMaxAlignment) {
    s.allocations++;
    result = EINVAL;
  } else {
    if (!bounds(s, to, 8, /*write=*/true)) return Outcome::Ended;
    uint64_t block = allocateHeap(s, size, /*zeroed=*/false, c, align, /*failure=*/ENOMEM);
    if (block)
      x_.machine.store(s, to, 8, block, 0);
    else
      result = ENOMEM;
  }
  returns(s, c, result);
  return Outcome::Next;
}

Builtins::Outcome Builtins::usableSize(State &s, const Call &c) {
  uint64_t address = 0;
  const Outcome outcome = block(s, c, address);
  if (outcome == Outcome::Next) returns(s, c, address ? s.memory.find(address)->size() : 0);
  return outcome;
}

void Builtins::addAllocator(std::map<std::string, Function> &to) {
  for (const char *prefix : {"", "__libc_"}) {
    std::string p = prefix;
    to[p + "malloc"] = &Builtins::mallocCall;
    to[p + "calloc"] = &Builtins::callocCall;
    to[p + "realloc"] = &Builtins::reallocCall;
    to[p + "free"] = &Builtins::freeCall;
    to[p + "memalign"] = &Builtins::memalignCall;
  }
  to["aligned_alloc"] = &Builtins::memalignCall;
  to["posix_memalign"] = &Builtins::posixMemalignCall;
  to["malloc_usable_size"] = &Builtins::usableSize;
  to["__fathom_allocation_fails"] = &Builtins::allocationFails;
}

} // namespace fathom::explore
