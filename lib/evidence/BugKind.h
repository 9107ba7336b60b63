// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of bugs, each registered once. All properties of a kind are columns of one table; code
// that detects a kind is not here.
//
// To add a kind: an enumerator here, with kBugKinds, a row in BugKind.cpp (for one that scan
// reports, also its place in kScanKinds), and the code that finds it; then
// `test/docs/check-kinds.py build/bin/fathom --write` brings the table in docs/results.md up to
// date. Headers that only pass a kind on include Fwd.h, so that few files are compiled again.
#ifndef FATHOM_EVIDENCE_BUGKIND_H
#define FATHOM_EVIDENCE_BUGKIND_H

#include "evidence/Fwd.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fathom::evidence {

enum class BugKind : uint8_t {
  OutOfBoundsRead,
  OutOfBoundsWrite,
  UseAfterFree,
  DoubleFree,
  InvalidFree,
  NullDereference,
  DivisionByZero,
  Overshift,
  Assertion,
  Abort,
  Unreachable,
  SignedOverflow,
  UninitializedRead,
  StackOverflow,
  Leak,
  BadCall,
  Deadlock,
  ExternalCrash,
  Hang,
  HandleLeak,
  FormatString,
  DangerousFunction,
  UncaughtException,
  PureVirtualCall,
  LibraryCheck,
  MismatchedFree,
};
inline constexpr size_t kBugKinds = 26;

/// The usual symptom of a kind in a program that was built without sanitizers.
enum class Symptom : uint8_t {
  Signal, ///< one of the row's signals
  Silent, ///< the program continues as if nothing were wrong
  NoEnd   ///< the program does not end
};

/// Signals by what they say; the bits of BugKindRow::signals.
enum SignalClass : uint8_t {
  kFault = 1,      ///< SIGSEGV, SIGBUS
  kAbort = 2,      ///< SIGABRT
  kTrap = 4,       ///< SIGILL, SIGTRAP: of a sanitizer, or the program's own
  kArithmetic = 8, ///< SIGFPE
};

/// Sanitizers of clang and gcc, whose reports replay reads.
enum class Sanitizer : uint8_t { Address, Leak, Memory, Undefined };
constexpr uint8_t bit(Sanitizer s) { return static_cast<uint8_t>(1u << static_cast<unsigned>(s)); }
inline constexpr uint8_t kAnySanitizer = 0xff;

/// Reports of sanitizers that show a kind.
struct SanitizerWords {
  uint8_t tools = 0;           ///< by one of these (bit); 0: none
  std::string_view words[6]{}; ///< with one of these texts; none given: with any
  std::string_view butNot[2]{};
};
struct ShownBy {
  SanitizerWords either[2]{};
};

/// Checks of `fathom fuzz --sanitize`, by their names in runtime/native/crash.h.
struct NativeChecks {
  std::string_view names[7]{};
};

/// How a defect shows when its path is run. `fathom confirm` explores the first class first.
enum class ConfirmClass : uint8_t {
  Fault,  ///< at the sink
  Value,  ///< at the sink, with some of the possible values only
  Absence ///< at the end of the path, or because a write is missing
};
inline constexpr uint32_t kConfirmClasses = 3;

struct BugKindRow {
  BugKind kind;
  const char *name; ///< in reports, tests and options, and SARIF's rule
  unsigned cwe;
  bool isOfEngine;       ///< explore, fuzz and replay report it
  const char *condition; ///< when the engine does, for docs/results.md; null: it never does
  const char *scanRule;  ///< a sentence about the rule of `fathom scan`; null: scan has none
  Symptom symptom;
  /// The signals with which the native program may end (bits of SignalClass).
  uint8_t signals;
  /// Non-null: standard error then contains this word, in upper or lower case.
  const char *signalWord = nullptr;
  /// The native program may also crash later, at another place, because of damaged memory or a
  /// wrong value.
  bool showsLater = false;
  /// A program without checks may continue after the bug.
  bool mayContinueAfter = false;
  /// The bug is at the place where it is found. False for a recursion, and for a value that was
  /// never written.
  bool hasOnePlace = true;
  /// The stack of a crash that it causes contains its place. False if the stack is full, or if the
  /// program does not end by itself.
  bool crashHasPlace = true;
  const char *sanitizers =
      "address,undefined"; ///< clang's sanitizers that look for it (-fsanitize=); "": none
  ShownBy shownBy{};       ///< what sanitizers say of it
  NativeChecks checks{};
  ConfirmClass confirmClass = ConfirmClass::Value;
};

/// In the order of BugKind.
std::span<const BugKindRow> bugKindRows();
const BugKindRow &rowOf(BugKind kind);

inline const char *name(BugKind kind) { return rowOf(kind).name; }
inline unsigned cwe(BugKind kind) { return rowOf(kind).cwe; }
/// A bug that shows by the program's not ending, as a deadlock on another schedule than ours may.
inline bool doesNotEnd(BugKind kind) { return rowOf(kind).symptom == Symptom::NoEnd; }
/// The kind with this name among those that the engine reports, or false.
bool bugKindFromName(std::string_view name, BugKind &out);

/// Does it show this kind if the sanitizer says `what`?
bool shows(BugKind kind, Sanitizer tool, std::string_view what);
/// The kind with this check; where a read and a write have it, the one that `isWrite` says.
std::optional<BugKind> kindOfCheck(std::string_view check, bool isWrite);

/// Those with a scanRule, in the order of scan's messages.
std::span<const BugKind> scanKinds();

} // namespace fathom::evidence
#endif
