// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocator as engine operations: every block is an object of exactly the size asked for.
#include "explore/Builtins.h"

#include "fmt/format.h"

#include <bit>
#include <cerrno>

namespace fathom::explore {

uint64_t Builtins::allocateHeap(State &s, uint64_t size, bool zeroed, const Call &c,
                                uint64_t align) {
  if (size > x_.options_.maxHeapBytes || s.memory.heapBytes() + size > x_.options_.maxHeapBytes)
    return 0;
  const ObjectState *o = s.memory.allocate(
      size, ObjectKind::Heap, zeroed || !x_.options_.checkUninit, site(s, c), {}, align);
  if (!o)
    x_.ledger_.add(
        "environment", x_.where(s),
        fmt::format("an allocation of {} bytes, aligned to {}, failed: no address is left "
                    "for it",
                    size, align));
  return o ? o->base() : 0;
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
  returns(s, c,
          __builtin_mul_overflow(n, size, &total) ? 0 : allocateHeap(s, total, /*zeroed=*/true, c));
  return Outcome::Next;
}

bool Builtins::checkFree(State &s, uint64_t address, const char *function) {
  const ObjectState *o = s.memory.find(address);
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
  else if (o->base() != address)
    message = fmt::format("{} of a pointer to offset {} of a {}-byte heap object", function,
                          static_cast<int64_t>(address - o->base()), o->size());
  else
    return true;
  x_.report(s, kind, message, s.witness, o);
  return false;
}

Builtins::Outcome Builtins::freeCall(State &s, const Call &c) {
  if (!forked(s, c, 0)) return Outcome::Again;
  uint64_t address = s.top->bits()[c.args[0]];
  if (!address) return Outcome::Next;
  if (!checkFree(s, address, "free")) return Outcome::Ended;
  s.memory.free(address, site(s, c));
  return Outcome::Next;
}

Builtins::Outcome Builtins::reallocCall(State &s, const Call &c) {
  if (!forked(s, c, 0) || !sized(s, c, 1)) return Outcome::Again;
  uint64_t size = pinned(s, c, 1, "size"), old = s.top->bits()[c.args[0]];
  if (old && !checkFree(s, old, "realloc")) return Outcome::Ended;
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
  if (!std::has_single_bit(align) || align > (uint64_t(1) << 30))
    returns(s, c, 0);
  else
    returns(s, c, allocateHeap(s, size, /*zeroed=*/false, c, align));
  return Outcome::Next;
}

Builtins::Outcome Builtins::posixMemalignCall(State &s, const Call &c) {
  uint64_t to = pinned(s, c, 0, "result address"), align = pinned(s, c, 1, "alignment"),
           size = pinned(s, c, 2, "size");
  uint64_t result = 0;
  if (!std::has_single_bit(align) || align < sizeof(void *) || align > (uint64_t(1) << 30)) {
    result = EINVAL;
  } else {
    if (!bounds(s, to, 8, /*write=*/true)) return Outcome::Ended;
    uint64_t block = allocateHeap(s, size, /*zeroed=*/false, c, align);
    if (block)
      x_.machine.store(s, to, 8, block, 0);
    else
      result = ENOMEM;
  }
  returns(s, c, result);
  return Outcome::Next;
}

Builtins::Outcome Builtins::usableSize(State &s, const Call &c) {
  if (!forked(s, c, 0)) return Outcome::Again;
  uint64_t address = s.top->bits()[c.args[0]];
  if (address && !checkFree(s, address, "malloc_usable_size")) return Outcome::Ended;
  returns(s, c, address ? s.memory.find(address)->size() : 0);
  return Outcome::Next;
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
}

} // namespace fathom::explore
