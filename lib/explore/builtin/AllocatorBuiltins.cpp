// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocator as engine operations: every block is an object of exactly the size asked for.
#include "explore/builtin/AllocatorBuiltins.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/Addresses.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/SeedPaths.h"
#include "explore/decide/Sizes.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Targets.h"
#include "explore/decide/UninitUses.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <cerrno>

namespace fathom::explore {

using evidence::BugKind;
using evidence::LedgerCategory;

static constexpr uint64_t kMaxAlignment = uint64_t(1) << 30;

void AllocatorBuiltins::setErrno(State &s, int value) {
  const uint64_t at = s.threadPointer + kErrnoAt;
  if (s.memory.resolve(at, kErrnoBytes)) // a program without libc has none
    interpreter_.memory.store(s, at, kErrnoBytes, static_cast<uint64_t>(value), 0);
}

/// Of the program's own code, or of libc on its behalf: what start-up code asks for does not fail.
static bool isForProgram(const State &s, const program::Program &program) {
  for (const Frame *f = s.top; f; f = f->parent)
    if (program.functions[f->function].own) return true;
  return false;
}

AllocationFamily AllocatorBuiltins::familyOf(const State &s) const {
  AllocationFamily family = AllocationFamily::Malloc;
  if (replacesOperators_) return family;
  for (const Frame *f = s.top; f; f = f->parent) {
    const program::FunctionCode &code = program_.functions[f->function];
    const std::string_view name(code.name);
    if (code.own) break; // an operator of a class, or a placement form
    if (name.starts_with("_Znw") || name.starts_with("_Zdl"))
      family = AllocationFamily::New;
    else if (name.starts_with("_Zna") || name.starts_with("_Zda"))
      family = AllocationFamily::NewArray;
    else if (name.find("operator_new_") == name.npos && name.find("__libcpp_aligned_") == name.npos)
      break; // none of what libc++abi's operators share
  }
  return family;
}

/// Has the program operators of its own in place of the library's? They may take memory from
/// anywhere.
bool AllocatorBuiltins::replacesOperators(const program::Program &program) {
  for (const char *name : {"_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"})
    if (const program::FunctionCode *f = program.find(name); f && f->own) return true;
  return false;
}

static const char *allocatorName(AllocationFamily family) {
  switch (family) {
  case AllocationFamily::Malloc: return "malloc";
  case AllocationFamily::New: return "new";
  case AllocationFamily::NewArray: return "new[]";
  }
  return "";
}

static const char *releaseName(AllocationFamily family) {
  switch (family) {
  case AllocationFamily::Malloc: return "free";
  case AllocationFamily::New: return "delete";
  case AllocationFamily::NewArray: return "delete[]";
  }
  return "";
}

bool AllocatorBuiltins::mayFail(State &s, const Call &c, uint64_t failure) {
  if (!isForProgram(s, program_)) return false;
  if (seedPaths_.failing) return std::ranges::binary_search(*seedPaths_.failing, s.allocations);
  if (!options_.failsAllocations()) {
    if (!LogFollower::isFollowed(s)) stats_.untriedFailures++;
    return false;
  }
  State *failed = forks_.fork(s);
  if (!failed) return false;
  failed->failedAllocations.push(failed->allocations);
  failed->failedAt.push(site(s, c));
  decisions_.took(*failed, State::kFailedAllocation | failed->allocations);
  seedPaths_.splitSeeds(s, *failed);
  if (failure != ENOMEM) setErrno(*failed, ENOMEM);
  returns(*failed, c, failure);
  failed->ip = c.ip + 1;
  interpreter_.state = failed;
  interpreter_.coverage.coverAfterCall(*failed, failed->ip);
  interpreter_.state = &s;
  return false;
}

uint64_t AllocatorBuiltins::allocateHeap(State &s, uint64_t size, bool zeroed, const Call &c,
                                         uint64_t align, uint64_t failure) {
  s.allocations++;
  const ObjectState *o = nullptr;
  if (size <= options_.maxHeapBytes && s.memory.usage().heapBytes + size <= options_.maxHeapBytes) {
    const bool fails = mayFail(s, c, failure);
    if (!fails) {
      Memory::AllocSite at = site(s, c);
      at.family = familyOf(s);
      o = s.memory.allocate(size, ObjectKind::Heap, zeroed || !options_.checkUninit, at, {}, align);
    }
    if (!o && !fails)
      ledger_.add(
          LedgerCategory::Environment, places_.where(s),
          fmt::format("an allocation of {} bytes, aligned to {}, failed: the address space is "
                      "full",
                      size, align));
  }
  if (o) return o->base();
  if (failure != ENOMEM) setErrno(s, ENOMEM);
  return 0;
}

/// Of the environment model, for memory that the program asks it for: mmap.
BuiltinOutcome AllocatorBuiltins::allocationFails(State &s, const Call &c) {
  s.allocations++;
  returns(s, c, mayFail(s, c, /*failure=*/1));
  return Outcome::Next;
}

ExprPtr AllocatorBuiltins::settled(State &s, const Call &c, unsigned i) {
  ExprPtr e = term(s, c, i);
  if (!e->has(expr::kHasUninit)) return e;
  e = uninitUses_.settleUninit(s, e, "a size");
  interpreter_.registers.setRegister(*s.top, c.args[i], e);
  return e;
}

BuiltinOutcome AllocatorBuiltins::allocateSized(State &s, const Call &c, unsigned i, uint64_t unit,
                                                bool zeroed, uint64_t &address) {
  if (!isConcrete(s, c, i) && unit) {
    ExprPtr count = settled(s, c, i);
    const Sizes::Fit fit = sizes_.fit(s, count, sizes_.capacity() / unit);
    if (fit == Sizes::Fit::Again) return Outcome::Again;
    if (fit == Sizes::Fit::Yes) {
      const uint64_t most = sizes_.largest(s, count, sizes_.capacity() / unit);
      address = allocateHeap(s, most * unit, zeroed, c);
      if (address) sizes_.give(s, address, ctx_.mul(count, ctx_.constant(unit, 64)));
      return Outcome::Next;
    }
  }
  if (!isConcrete(s, c, i) && unit && unit <= options_.maxHeapBytes &&
      !term(s, c, i)->has(expr::kHasUninit)) {
    const Sizes::Fit room = sizes_.fit(s, term(s, c, i), options_.maxHeapBytes / unit);
    if (room == Sizes::Fit::Again) return Outcome::Again;
    if (room == Sizes::Fit::No) { // whatever it is
      address = allocateHeap(s, ~uint64_t(0), zeroed, c);
      return Outcome::Next;
    }
  }
  const std::optional<uint64_t> count = sized(s, c, i, unit);
  if (!count) return Outcome::Again;
  uint64_t total;
  if (__builtin_mul_overflow(*count, unit, &total))
    total = ~uint64_t(0); // there is no room for either
  address = allocateHeap(s, total, zeroed, c);
  return Outcome::Next;
}

BuiltinOutcome AllocatorBuiltins::mallocCall(State &s, const Call &c) {
  uint64_t block = 0;
  const Outcome outcome = allocateSized(s, c, 0, /*unit=*/1, /*zeroed=*/false, block);
  if (outcome == Outcome::Next) returns(s, c, block);
  return outcome;
}

/// calloc of two symbolic numbers. isTerm: the block has their product as its size.
BuiltinOutcome AllocatorBuiltins::allocateProduct(State &s, const Call &c, bool &isTerm,
                                                  uint64_t &address) {
  const uint64_t most = sizes_.capacity();
  for (unsigned i = 0; i < 2; i++) { // then the product of the two cannot overflow
    const Sizes::Fit fit = sizes_.fit(s, settled(s, c, i), most);
    if (fit == Sizes::Fit::Again) return Outcome::Again;
    if (fit == Sizes::Fit::No) return Outcome::Next;
  }
  ExprPtr bytes = ctx_.mul(term(s, c, 0), term(s, c, 1));
  const Sizes::Fit fit = sizes_.fit(s, bytes, most);
  if (fit == Sizes::Fit::Again) return Outcome::Again;
  if (fit == Sizes::Fit::No) return Outcome::Next;
  isTerm = true;
  address = allocateHeap(s, sizes_.largest(s, bytes, most), /*zeroed=*/true, c);
  if (address) sizes_.give(s, address, bytes);
  return Outcome::Next;
}

BuiltinOutcome AllocatorBuiltins::callocCall(State &s, const Call &c) {
  if (!isConcrete(s, c, 0) && !isConcrete(s, c, 1)) {
    bool isTerm = false;
    uint64_t address = 0;
    const Outcome outcome = allocateProduct(s, c, isTerm, address);
    if (isTerm) returns(s, c, address);
    if (isTerm || outcome != Outcome::Next) return outcome;
  }
  // One of the two may stay a term.
  const unsigned counted = isConcrete(s, c, 0) ? 1 : 0;
  const std::optional<uint64_t> unit = sized(s, c, 1 - counted);
  if (!unit) return Outcome::Again;
  uint64_t block = 0;
  const Outcome outcome = allocateSized(s, c, counted, *unit, /*zeroed=*/true, block);
  if (outcome == Outcome::Next) returns(s, c, block);
  return outcome;
}

/// condition: see BugReports::report.
void AllocatorBuiltins::reportFree(State &s, uint64_t address, const Call &c, ExprPtr condition) {
  const ObjectState *o = s.memory.find(address);
  const AllocationFamily by = familyOf(s);
  const std::string function = by == AllocationFamily::Malloc ? c.callee->name : releaseName(by);
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
                          quotedName(program_, *o->info));
  else {
    message = fmt::format("{} of a pointer to offset {} of a {}-byte heap object", function,
                          static_cast<int64_t>(address - o->base()), o->size());
    // `new T[n]` keeps n in front of the elements if T has a destructor.
    if (by != o->info->family && o->info->family == AllocationFamily::NewArray &&
        address - o->base() <= 2 * sizeof(uint64_t)) {
      kind = BugKind::MismatchedFree;
      message += " that new[] made";
    }
  }
  bugs_.report(s, kind, message, s.witness, o, condition);
}

BuiltinOutcome AllocatorBuiltins::block(State &s, const Call &c, uint64_t &address) {
  bool isUnwritten = false; // which was reported: no other bug is
  if (!isConcrete(s, c, 0)) {
    ExprPtr e = term(s, c, 0);
    if (e->has(expr::kHasUninit)) e = uninitUses_.settleUninit(s, e, "an argument");
    isUnwritten = e->has(expr::kHasUninit);
    // What was never written and is anything is not gone through block by block.
    e = isUnwritten
            ? ctx_.constant(
                  feasibility_.concretize(s, e, fmt::format("argument of {}", c.callee->name)), 64)
            : addresses_.withoutChoices(s, e);
    if (!e) {
      decisions_.again(s);
      return Outcome::Again;
    }
    e = addresses_.settled(s, e);
    if (!e) return Outcome::Ended;
    if (!e->isConst()) {
      const Chosen chosen = targets_.chooseTarget(
          s, e, targets_.freeTargets(s, e),
          [&](uint64_t seen, ExprPtr elsewhere) { reportFree(s, seen, c, elsewhere); });
      if (chosen.ended) return Outcome::Ended;
      if (!chosen.target) return Outcome::Again;
      e = ctx_.constant(*chosen.target, 64);
    }
    interpreter_.registers.setRegister(*s.top, c.args[0], e);
    decisions_.keep(s);
    if (stepContext_.step->ready) return Outcome::Again;
  }
  address = number(s, c, 0);
  const ObjectState *o = address ? s.memory.find(address) : nullptr;
  if (!address || (o && !o->freed && o->info->kind == ObjectKind::Heap && o->base() == address))
    return Outcome::Next;
  if (!isUnwritten) reportFree(s, address, c, nullptr);
  if (!options_.continuesAfterMemoryError || stepContext_.sinkFailed || isUnwritten)
    return Outcome::Ended;
  address = 0; // as if it were not asked to free anything
  return Outcome::Next;
}

void AllocatorBuiltins::release(State &s, const Call &c, uint64_t address) {
  const ObjectState *o = s.memory.find(address);
  const AllocationFamily by = familyOf(s), made = o->info->family;
  if (by != made && bugs_.looksFor(s, BugKind::MismatchedFree, o))
    bugs_.report(s, BugKind::MismatchedFree,
                 fmt::format("{} of a {}-byte heap object that {} made", releaseName(by), o->size(),
                             allocatorName(made)),
                 s.witness, o, nullptr, /*pathGoesOn=*/true);
  s.memory.free(address, site(s, c));
}

BuiltinOutcome AllocatorBuiltins::freeCall(State &s, const Call &c) {
  uint64_t address = 0;
  const Outcome outcome = block(s, c, address);
  if (outcome == Outcome::Next && address) release(s, c, address);
  return outcome;
}

BuiltinOutcome AllocatorBuiltins::reallocCall(State &s, const Call &c) {
  uint64_t old = 0;
  if (Outcome outcome = block(s, c, old); outcome != Outcome::Next) return outcome;
  uint64_t fresh = 0;
  if (Outcome outcome = allocateSized(s, c, 1, /*unit=*/1, /*zeroed=*/false, fresh);
      outcome != Outcome::Next)
    return outcome;
  if (fresh && old) {
    // Where a length is a term that is all that there may be: what is beyond cannot be read.
    const uint64_t n = std::min(s.memory.find(fresh)->size(), s.memory.find(old)->size());
    if (n) interpreter_.memory.copy(s, fresh, old, n);
    release(s, c, old);
  }
  returns(s, c, fresh);
  return Outcome::Next;
}

BuiltinOutcome AllocatorBuiltins::memalignCall(State &s, const Call &c) { // memalign, aligned_alloc
  const uint64_t align = concreteArgument(s, c, 0, "alignment");
  const std::optional<uint64_t> size = sized(s, c, 1);
  if (!size) return Outcome::Again;
  if (std::has_single_bit(align) && align <= kMaxAlignment) {
    returns(s, c, allocateHeap(s, *size, /*zeroed=*/false, c, align));
  } else {
    s.allocations++;
    setErrno(s, std::has_single_bit(align) ? ENOMEM : EINVAL);
    returns(s, c, 0);
  }
  return Outcome::Next;
}

BuiltinOutcome AllocatorBuiltins::posixMemalignCall(State &s, const Call &c) {
  const uint64_t to = concreteArgument(s, c, 0, "result address"),
                 align = concreteArgument(s, c, 1, "alignment");
  const std::optional<uint64_t> size = sized(s, c, 2);
  if (!size) return Outcome::Again;
  uint64_t result = 0;
  if (!std::has_single_bit(align) || align < sizeof(void *) || align > kMaxAlignment) {
    s.allocations++;
    result = EINVAL;
  } else {
    if (!bounds(s, to, 8, /*write=*/true)) return Outcome::Ended;
    uint64_t block = allocateHeap(s, *size, /*zeroed=*/false, c, align, /*failure=*/ENOMEM);
    if (block)
      interpreter_.memory.store(s, to, 8, block, 0);
    else
      result = ENOMEM;
  }
  returns(s, c, result);
  return Outcome::Next;
}

BuiltinOutcome AllocatorBuiltins::usableSize(State &s, const Call &c) {
  uint64_t address = 0;
  const Outcome outcome = block(s, c, address);
  if (outcome != Outcome::Next) return outcome;
  const ObjectState *o = address ? s.memory.find(address) : nullptr;
  if (o && o->length)
    returnsTerm(s, c, o->length);
  else
    returns(s, c, o ? o->size() : 0);
  return outcome;
}

void AllocatorBuiltins::add(BuiltinNames &to) {
  for (const char *prefix : {"", "__libc_"}) {
    std::string p = prefix;
    to[p + "malloc"] = bind(this, &AllocatorBuiltins::mallocCall);
    to[p + "calloc"] = bind(this, &AllocatorBuiltins::callocCall);
    to[p + "realloc"] = bind(this, &AllocatorBuiltins::reallocCall);
    to[p + "free"] = bind(this, &AllocatorBuiltins::freeCall);
    to[p + "memalign"] = bind(this, &AllocatorBuiltins::memalignCall);
  }
  to["aligned_alloc"] = bind(this, &AllocatorBuiltins::memalignCall);
  to["posix_memalign"] = bind(this, &AllocatorBuiltins::posixMemalignCall);
  to["malloc_usable_size"] = bind(this, &AllocatorBuiltins::usableSize);
  to["__fathom_allocation_fails"] = bind(this, &AllocatorBuiltins::allocationFails);
}

} // namespace fathom::explore
