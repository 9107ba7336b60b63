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

/// Which memory error a sanitizer sees depends on what lies beside the object, and in which order
/// things happen.
constexpr ShownBy kMemoryWords = {{{.tools = bit(Sanitizer::Address)},
                                   {.tools = bit(Sanitizer::Undefined),
                                    .words = {"out of bounds", "out-of-bounds", "pointer", "SEGV",
                                              "insufficient space", "function"}}}};
constexpr ShownBy kAbortWords = {{{.tools = kAnySanitizer, .words = {"ABRT"}}}};
/// Of a read or a write: the report of the check says which.
constexpr NativeChecks kBoundsChecks = {{"heap-buffer-overflow", "stack-buffer-overflow",
                                         "stack-buffer-underflow", "global-buffer-overflow",
                                         "dynamic-stack-buffer-overflow", "use-after-poison",
                                         "array-index-out-of-bounds"}};

constexpr BugKindRow kRows[] = {
    {.kind = OutOfBoundsRead,
     .name = "out-of-bounds-read",
     .cwe = 125,
     .isOfEngine = true,
     .condition = "a read is not completely inside one object",
     .scanRule = "Memory outside of an object is read.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayContinueAfter = true,
     .shownBy = kMemoryWords,
     .checks = kBoundsChecks},
    {.kind = OutOfBoundsWrite,
     .name = "out-of-bounds-write",
     .cwe = 787,
     .isOfEngine = true,
     .condition = "a write is not completely inside one object",
     .scanRule = "Memory outside of an object is written.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayContinueAfter = true,
     .shownBy = kMemoryWords,
     .checks = kBoundsChecks},
    {.kind = UseAfterFree,
     .name = "use-after-free",
     .cwe = 416,
     .isOfEngine = true,
     .condition = "the accessed object was freed, or belonged to a function that has returned",
     .scanRule = "Memory is used after it was freed.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayContinueAfter = true,
     .shownBy = kMemoryWords,
     .checks = {{"heap-use-after-free", "stack-use-after-scope"}},
     .confirmClass = ConfirmClass::Fault},
    {.kind = DoubleFree,
     .name = "double-free",
     .cwe = 415,
     .isOfEngine = true,
     .condition = "`free` gets a block that was freed before",
     .scanRule = "Memory is freed twice.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayContinueAfter = true,
     .shownBy = kMemoryWords,
     .checks = {{"double-free"}},
     .confirmClass = ConfirmClass::Fault},
    {.kind = InvalidFree,
     .name = "invalid-free",
     .cwe = 763,
     .isOfEngine = true,
     .condition = "`free` gets anything that `malloc` did not return",
     .scanRule = "Something is freed that no allocator returned.",
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .showsLater = true,
     .mayContinueAfter = true,
     .shownBy = kMemoryWords,
     .checks = {{"bad-free"}},
     .confirmClass = ConfirmClass::Fault},
    {.kind = NullDereference,
     .name = "null-dereference",
     .cwe = 476,
     .isOfEngine = true,
     .condition = "the program accesses the first page, or calls a null pointer",
     .scanRule = "A pointer that may be null is dereferenced.",
     .symptom = Symptom::Signal,
     .signals = kFault | kTrap,
     .shownBy = kMemoryWords,
     .confirmClass = ConfirmClass::Fault},
    {.kind = DivisionByZero,
     .name = "division-by-zero",
     .cwe = 369,
     .isOfEngine = true,
     .condition = "a divisor can be zero",
     .scanRule = "A number is divided by zero.",
     .symptom = Symptom::Signal,
     .signals = kArithmetic | kTrap,
     .shownBy = {{{.tools = bit(Sanitizer::Undefined), .words = {"division by zero"}},
                  {.tools = kAnySanitizer, .words = {"FPE"}}}},
     .checks = {{"integer-divide-by-zero"}},
     .confirmClass = ConfirmClass::Fault},
    {.kind = Overshift,
     .name = "overshift",
     .cwe = 1335,
     .isOfEngine = true,
     .condition = "a shift count is the width of the type or more",
     .scanRule = nullptr,
     .symptom = Symptom::Silent,
     .signals = kTrap | kArithmetic,
     .mayContinueAfter = true,
     .shownBy = {{{.tools = bit(Sanitizer::Undefined), .words = {"shift"}}}},
     .checks = {{"shift-exponent"}}},
    {.kind = Assertion,
     .name = "assertion",
     .cwe = 617,
     .isOfEngine = true,
     .condition =
         "`assert`, `fathom_assert` or `klee_assert` fails; the program calls `reach_error`",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAbort,
     .signalWord = "assert",
     .sanitizers = kNone,
     .shownBy = kAbortWords},
    {.kind = Abort,
     .name = "abort",
     .cwe = 617,
     .isOfEngine = true,
     .condition = "the program calls `abort` or raises `SIGABRT`",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAbort | kTrap,
     .sanitizers = kNone,
     .shownBy = kAbortWords},
    {.kind = Unreachable,
     .name = "unreachable",
     .cwe = 561,
     .isOfEngine = true,
     .condition = "the program reaches `__builtin_unreachable` or `fathom_unreachable`",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kTrap,
     .shownBy = {{{.tools = bit(Sanitizer::Undefined),
                   .words = {"unreachable", "end of a value"}}}}},
    {.kind = SignedOverflow,
     .name = "signed-overflow",
     .cwe = 190,
     .isOfEngine = true,
     .condition = "signed `+ - *`, a negation, or `INT_MIN / -1` overflows",
     .scanRule = nullptr,
     .symptom = Symptom::Silent,
     .signals = kTrap | kArithmetic,
     .mayContinueAfter = true,
     .shownBy = {{{.tools = bit(Sanitizer::Undefined),
                   .words = {"overflow", "cannot be represented"},
                   .butNot = {"shift", "pointer"}}}},
     .checks = {{"signed-integer-overflow"}}},
    {.kind = UninitializedRead,
     .name = "uninitialized-read",
     .cwe = 457,
     .isOfEngine = true,
     .condition = "a branch, address, size or divisor depends on bytes that were never written",
     .scanRule = "A variable is read before anything was written to it.",
     .symptom = Symptom::Silent,
     .signals = kAnySignal,
     .showsLater = true,
     .mayContinueAfter = true,
     .hasOnePlace = false,
     .sanitizers = "memory",
     .shownBy = {{{.tools = bit(Sanitizer::Memory)}}},
     .confirmClass = ConfirmClass::Absence},
    {.kind = StackOverflow,
     .name = "stack-overflow",
     .cwe = 674,
     .isOfEngine = true,
     .condition = "calls are `--max-stack` deep, or locals take `--max-stack-bytes`",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kFault,
     .hasOnePlace = false,
     .crashHasPlace = false,
     .shownBy = {{{.tools = kAnySanitizer, .words = {"stack-overflow"}}}}},
    {.kind = Leak,
     .name = "leak",
     .cwe = 401,
     .isOfEngine = true,
     .condition = "nothing points to a heap block when the program ends",
     .scanRule = "Memory is never freed.",
     .symptom = Symptom::Silent,
     .signals = 0,
     .shownBy = {{{.tools = bit(Sanitizer::Leak)}}},
     .confirmClass = ConfirmClass::Absence},
    {.kind = BadCall,
     .name = "bad-call",
     .cwe = 628,
     .isOfEngine = true,
     .condition = "a call through a pointer reaches no function of that signature, or a computed "
                  "goto reaches no label",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kFault | kTrap,
     .mayContinueAfter = true,
     .shownBy = kMemoryWords},
    {.kind = Deadlock,
     .name = "deadlock",
     .cwe = 833,
     .isOfEngine = true,
     .condition = "no thread can continue; also when a single thread locks a mutex twice",
     .scanRule = nullptr,
     .symptom = Symptom::NoEnd,
     .signals = kAbort, // of runtime/native/thread.c
     .signalWord = "deadlock",
     .crashHasPlace = false,
     .sanitizers = kNone},
    {.kind = ExternalCrash,
     .name = "external-crash",
     .cwe = 248,
     .isOfEngine = true,
     .condition = "a function outside of the program crashed",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAnySignal,
     .sanitizers = kNone,
     .shownBy = kMemoryWords},
    {.kind = Hang,
     .name = "hang",
     .cwe = 835,
     .isOfEngine = true,
     .condition = "only when fuzzing: the program does not end within five times `--test-time`",
     .scanRule = nullptr,
     .symptom = Symptom::NoEnd,
     .signals = 0,
     .crashHasPlace = false,
     .sanitizers = kNone},
    {.kind = HandleLeak,
     .name = "handle-leak",
     .cwe = 775,
     .isOfEngine = false,
     .condition = nullptr,
     .scanRule = "A file is opened and never closed.",
     .symptom = Symptom::Silent,
     .signals = 0,
     .sanitizers = kNone},
    {.kind = FormatString,
     .name = "format-string",
     .cwe = 134,
     .isOfEngine = false,
     .condition = nullptr,
     .scanRule = "A format string is no constant.",
     .symptom = Symptom::Silent,
     .signals = 0,
     .sanitizers = kNone},
    {.kind = DangerousFunction,
     .name = "dangerous-function",
     .cwe = 676,
     .isOfEngine = false,
     .condition = nullptr,
     .scanRule = "A function is called that cannot be used safely.",
     .symptom = Symptom::Silent,
     .signals = 0,
     .sanitizers = kNone},
    {.kind = UncaughtException,
     .name = "uncaught-exception",
     .cwe = 248,
     .isOfEngine = true,
     .condition =
         "C++: no handler catches an exception, or it leaves a function that is `noexcept`",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAbort,
     .signalWord = "exception",
     .sanitizers = kNone,
     .shownBy = kAbortWords},
    {.kind = PureVirtualCall,
     .name = "pure-virtual-call",
     .cwe = 758,
     .isOfEngine = true,
     .condition = "C++: a virtual function is called that has no body, or is deleted",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAbort,
     .signalWord = "virtual function",
     .sanitizers = kNone,
     .shownBy = kAbortWords},
    {.kind = LibraryCheck,
     .name = "library-check",
     .cwe = 628,
     .isOfEngine = true,
     .condition = "C++: a check of libc++ fails, such as that an index is within its `vector`",
     .scanRule = nullptr,
     .symptom = Symptom::Signal,
     .signals = kAbort,
     .signalWord = "assertion",
     .sanitizers = kNone,
     .shownBy = kAbortWords},
    {.kind = MismatchedFree,
     .name = "mismatched-free",
     .cwe = 762,
     .isOfEngine = true,
     .condition =
         "C++: memory of `malloc`, `new` and `new[]` is freed by another one's counterpart",
     .scanRule = nullptr,
     .symptom = Symptom::Silent,
     .signals = 0,
     .sanitizers = "address",
     .shownBy = {{{.tools = bit(Sanitizer::Address),
                   .words = {"alloc-dealloc-mismatch", "bad-free"}}}}},
};
static_assert(std::size(kRows) == kBugKinds);

constexpr bool isInOrder() {
  for (size_t i = 0; i < kBugKinds; ++i)
    if (kRows[i].kind != static_cast<BugKind>(i)) return false;
  return true;
}
static_assert(isInOrder(), "rows stand in the order of BugKind");

constexpr BugKind kScanKinds[] = {
    UseAfterFree,     DoubleFree,        NullDereference, Leak,
    HandleLeak,       UninitializedRead, InvalidFree,     OutOfBoundsRead,
    OutOfBoundsWrite, DivisionByZero,    FormatString,    DangerousFunction,
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

bool shows(BugKind kind, Sanitizer tool, std::string_view what) {
  const auto says = [&](std::string_view words) {
    return !words.empty() && what.find(words) != std::string_view::npos;
  };
  return std::ranges::any_of(rowOf(kind).shownBy.either, [&](const SanitizerWords &report) {
    return (report.tools & bit(tool)) &&
           (report.words[0].empty() || std::ranges::any_of(report.words, says)) &&
           std::ranges::none_of(report.butNot, says);
  });
}

std::optional<BugKind> kindOfCheck(std::string_view check, bool isWrite) {
  std::optional<BugKind> found;
  if (check.empty()) return found;
  for (const BugKindRow &row : kRows)
    if (std::ranges::find(row.checks.names, check) != std::end(row.checks.names))
      if (!found || isWrite) found = row.kind; // a read stands before a write
  return found;
}

std::span<const BugKind> scanKinds() { return kScanKinds; }

} // namespace fathom::evidence
