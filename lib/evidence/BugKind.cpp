// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/BugKind.h"

#include <algorithm>
#include <iterator>

namespace fathom::evidence {

namespace {

using enum BugKind;

/// Memory errors end in many ways: a fault, or the allocator noticing what was broken.
constexpr uint8_t kAnySignal = kFault | kAbort | kTrap | kArithmetic;
constexpr const char *kNone = "";

constexpr BugKindRow kRows[] = {
    {.kind = OutOfBoundsRead,
     .name = "out-of-bounds-read",
     .cwe = 125,
     .isOfEngine = true,
     .scanRule = "Memory outside of an object is read.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayGoOnBehind = true},
    {.kind = OutOfBoundsWrite,
     .name = "out-of-bounds-write",
     .cwe = 787,
     .isOfEngine = true,
     .scanRule = "Memory outside of an object is written.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayGoOnBehind = true},
    {.kind = UseAfterFree,
     .name = "use-after-free",
     .cwe = 416,
     .isOfEngine = true,
     .scanRule = "Memory is used after it was freed.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayGoOnBehind = true},
    {.kind = DoubleFree,
     .name = "double-free",
     .cwe = 415,
     .isOfEngine = true,
     .scanRule = "Memory is freed twice.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayGoOnBehind = true},
    {.kind = InvalidFree,
     .name = "invalid-free",
     .cwe = 763,
     .isOfEngine = true,
     .scanRule = "Something is freed that no allocator returned.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayGoOnBehind = true},
    {.kind = NullDereference,
     .name = "null-dereference",
     .cwe = 476,
     .isOfEngine = true,
     .scanRule = "A pointer that may be null is dereferenced.",
     .symptom = Symptom::Signal,
     .signals = kFault | kTrap},
    {.kind = DivisionByZero,
     .name = "division-by-zero",
     .cwe = 369,
     .isOfEngine = true,
     .scanRule = "A number is divided by zero.",
     .symptom = Symptom::Signal,
     .signals = kArithmetic | kTrap},
    {.kind = Overshift,
     .name = "overshift",
     .cwe = 1335,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::Silent,
     .signals = kTrap | kArithmetic,
     .mayGoOnBehind = true},
    {.kind = Assertion,
     .name = "assertion",
     .cwe = 617,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAbort,
     .signalWord = "assert",
     .sanitizers = kNone},
    {.kind = Abort,
     .name = "abort",
     .cwe = 617,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAbort | kTrap,
     .sanitizers = kNone},
    {.kind = Unreachable,
     .name = "unreachable",
     .cwe = 561,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kTrap},
    {.kind = SignedOverflow,
     .name = "signed-overflow",
     .cwe = 190,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::Silent,
     .signals = kTrap | kArithmetic,
     .mayGoOnBehind = true},
    {.kind = UninitializedRead,
     .name = "uninitialized-read",
     .cwe = 457,
     .isOfEngine = true,
     .scanRule = "A variable is read before anything was written to it.",
     .symptom = Symptom::Silent,
     .signals = kAnySignal,
     .showsLater = true,
     .mayGoOnBehind = true,
     .hasOnePlace = false,
     .sanitizers = "memory"},
    {.kind = StackOverflow,
     .name = "stack-overflow",
     .cwe = 674,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kFault,
     .hasOnePlace = false},
    {.kind = Leak,
     .name = "leak",
     .cwe = 401,
     .isOfEngine = true,
     .scanRule = "Memory is never freed.",
     .symptom = Symptom::Silent,
     .signals = 0},
    {.kind = BadCall,
     .name = "bad-call",
     .cwe = 628,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kFault | kTrap,
     .mayGoOnBehind = true},
    {.kind = Deadlock,
     .name = "deadlock",
     .cwe = 833,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::NoEnd,
     .signals = kAbort, // of runtime/native/thread.c
     .signalWord = "deadlock",
     .sanitizers = kNone},
    {.kind = ExternalCrash,
     .name = "external-crash",
     .cwe = 248,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .sanitizers = kNone},
    {.kind = Hang,
     .name = "hang",
     .cwe = 835,
     .isOfEngine = true,
     .scanRule = nullptr,
     .symptom = Symptom::NoEnd,
     .signals = 0,
     .sanitizers = kNone},
    {.kind = HandleLeak,
     .name = "handle-leak",
     .cwe = 775,
     .isOfEngine = false,
     .scanRule = "A file is opened and never closed.",
     .symptom = Symptom::Silent,
     .signals = 0,
     .sanitizers = kNone},
};
static_assert(std::size(kRows) == kBugKinds);

constexpr bool isInOrder() {
  for (size_t i = 0; i < kBugKinds; ++i)
    if (kRows[i].kind != static_cast<BugKind>(i)) return false;
  return true;
}
static_assert(isInOrder(), "rows stand in the order of BugKind");

constexpr BugKind kScanKinds[] = {
    UseAfterFree, DoubleFree,      NullDereference,  Leak,           HandleLeak, UninitializedRead,
    InvalidFree,  OutOfBoundsRead, OutOfBoundsWrite, DivisionByZero,
};
static_assert(std::ranges::count_if(kRows, [](const BugKindRow &row) { return row.scanRule; }) ==
              std::size(kScanKinds));

} // namespace

std::span<const BugKindRow> bugKindRows() { return kRows; }
const BugKindRow &rowOf(BugKind kind) { return kRows[static_cast<size_t>(kind)]; }

bool bugKindFromName(std::string_view name, BugKind &out) {
  for (const BugKindRow &row : kRows)
    if (row.isOfEngine && name == row.name) {
      out = row.kind;
      return true;
    }
  return false;
}

std::span<const BugKind> scanKinds() { return kScanKinds; }

} // namespace fathom::evidence
