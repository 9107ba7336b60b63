// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of bugs, each registered once. Everything that is asked of a kind itself is a column of
// one table; code that is about the mechanism of one kind stays where the mechanism is.
//
// To add a kind: an enumerator here, a row in BugKind.cpp, and the code that finds it. The table in
// docs/results.md is checked against the rows (test/docs/kinds.test).
#ifndef FATHOM_EVIDENCE_BUGKIND_H
#define FATHOM_EVIDENCE_BUGKIND_H

#include <cstddef>
#include <cstdint>
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
};
inline constexpr size_t kBugKinds = 20;

/// How a program without sanitizers shows a kind, mostly.
enum class Symptom : uint8_t {
  Signal, ///< one of the row's signals
  Silent, ///< it goes on as if nothing were wrong
  NoEnd   ///< it does not end
};

/// Signals by what they say; the bits of BugKindRow::signals.
enum SignalClass : uint8_t {
  kFault = 1,      ///< SIGSEGV, SIGBUS
  kAbort = 2,      ///< SIGABRT
  kTrap = 4,       ///< SIGILL, SIGTRAP: of a sanitizer, or the program's own
  kArithmetic = 8, ///< SIGFPE
};

struct BugKindRow {
  BugKind kind;
  const char *name; ///< in reports, tests and options, and SARIF's rule
  unsigned cwe;
  bool isOfEngine;      ///< explore, fuzz and replay report it
  const char *scanRule; ///< a sentence about the rule of `fathom scan`; null: scan has none
  Symptom symptom;
  /// Natively, these (SignalClass).
  uint8_t signals;
  /// Non-null: standard error holds this word then, in any case.
  const char *signalWord = nullptr;
  /// It can do harm later, elsewhere: in memory that was broken, or by a value that was wrong.
  bool showsLater = false;
  /// A program that is not checked may go on behind it.
  bool mayGoOnBehind = false;
  /// Its place is where it is found: not so of a recursion, or of a value that nobody wrote.
  bool hasOnePlace = true;
  const char *sanitizers =
      "address,undefined"; ///< of clang that look for it, -fsanitize=; "": none
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

/// Those with a scanRule, in the order of scan's messages.
std::span<const BugKind> scanKinds();

} // namespace fathom::evidence
#endif
