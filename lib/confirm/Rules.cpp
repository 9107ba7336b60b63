// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Rules.h"

#include "evidence/BugKind.h"

#include "llvm/ADT/StringRef.h"

namespace fathom::confirm {

using evidence::BugKind;

namespace {

struct Rule {
  const char *rule;    ///< as the analyser has it
  const char *message; ///< "": any; else part of the message, in lower case
  std::vector<BugKind> kinds;
};

/// In this order: the first that fits counts.
const std::vector<Rule> &rules() {
  using enum BugKind;
  static const std::vector<Rule> all = {
      // clang --analyze: one checker has several kinds.
      {"unix.Malloc", "leak", {Leak}},
      {"unix.Malloc", "free released memory", {DoubleFree, UseAfterFree}},
      {"unix.Malloc", "after it is freed", {UseAfterFree, DoubleFree}},
      {"unix.Malloc", "", {InvalidFree, DoubleFree, UseAfterFree}},
      {"cplusplus.NewDeleteLeaks", "", {Leak}},
      {"cplusplus.NewDelete", "", {UseAfterFree, DoubleFree}},
      {"core.NullDereference", "", {NullDereference}},
      {"core.NonNullParamChecker", "", {NullDereference}},
      {"core.CallAndMessage", "null", {NullDereference}},
      {"core.CallAndMessage", "", {UninitializedRead}},
      {"unix.cstring.NullArg", "", {NullDereference}},
      {"unix.StdCLibraryFunctions", "null", {NullDereference}},
      {"unix.MismatchedDeallocator", "", {InvalidFree}},
      {"unix.Stream", "leak", {}},
      {"unix.Stream", "null", {NullDereference}},
      {"core.DivideZero", "", {DivisionByZero}},
      {"core.StackAddressEscape", "", {UseAfterFree}},
      {"core.uninitialized", "", {UninitializedRead}},
      {"core.UndefinedBinaryOperatorResult", "", {UninitializedRead, Overshift}},
      {"core.BitwiseShift", "", {Overshift}},
      {"security.ArrayBound", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      {"alpha.security.ArrayBound", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      {"alpha.unix.cstring.OutOfBounds", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      // gcc -fanalyzer
      {"-Wanalyzer-use-after-free", "", {UseAfterFree}},
      {"-Wanalyzer-double-free", "", {DoubleFree}},
      {"-Wanalyzer-double-fclose", "", {DoubleFree, UseAfterFree}},
      {"-Wanalyzer-free-of-non-heap", "", {InvalidFree}},
      {"-Wanalyzer-malloc-leak", "", {Leak}},
      {"-Wanalyzer-null-dereference", "", {NullDereference}},
      {"-Wanalyzer-possible-null-dereference", "", {NullDereference}},
      {"-Wanalyzer-null-argument", "", {NullDereference}},
      {"-Wanalyzer-possible-null-argument", "", {NullDereference}},
      {"-Wanalyzer-use-of-uninitialized-value", "", {UninitializedRead}},
      {"-Wanalyzer-out-of-bounds", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      {"-Wanalyzer-shift-count", "", {Overshift}},
      // cppcheck
      {"nullPointer", "", {NullDereference}},
      {"nullPointerRedundantCheck", "", {NullDereference}},
      {"nullPointerDefaultArg", "", {NullDereference}},
      {"nullPointerArithmetic", "", {NullDereference}},
      {"ctunullpointer", "", {NullDereference}},
      {"deallocuse", "", {UseAfterFree}},
      {"doubleFree", "", {DoubleFree}},
      {"memleak", "", {Leak}},
      {"uninitvar", "", {UninitializedRead}},
      {"uninitdata", "", {UninitializedRead}},
      {"legacyUninitvar", "", {UninitializedRead}},
      {"zerodiv", "", {DivisionByZero}},
      {"zerodivcond", "", {DivisionByZero}},
      {"ctuuninitvar", "", {UninitializedRead}},
      {"uninitStructMember", "", {UninitializedRead}},
      {"resourceLeak", "", {}},
      {"memleakOnRealloc", "", {Leak}},
      {"leakReturnValNotUsed", "", {Leak}},
      {"danglingLifetime", "", {UseAfterFree}},
      {"returnDanglingLifetime", "", {UseAfterFree}},
      {"deallocret", "", {UseAfterFree}},
      {"shiftNegative", "", {Overshift}},
      {"shiftTooManyBitsSigned", "", {Overshift}},
      {"negativeIndex", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      {"arrayIndexOutOfBounds", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      {"arrayIndexOutOfBoundsCond", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      {"bufferAccessOutOfBounds", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      {"autovarInvalidDeallocation", "", {InvalidFree}},
      {"invalidLifetime", "", {UseAfterFree}},
      {"shiftTooManyBits", "", {Overshift}},
      {"integerOverflow", "", {SignedOverflow}},
      // Infer
      {"NULL_DEREFERENCE", "", {NullDereference}},
      {"NULLPTR_DEREFERENCE", "", {NullDereference}},
      {"USE_AFTER_FREE", "free", {UseAfterFree, DoubleFree}},
      {"USE_AFTER_FREE", "", {UseAfterFree}},
      {"MEMORY_LEAK", "", {Leak}},
      {"BUFFER_OVERRUN", "", {OutOfBoundsRead, OutOfBoundsWrite}},
      {"DIVIDE_BY_ZERO", "", {DivisionByZero}},
      {"PULSE_UNINITIALIZED_VALUE", "", {UninitializedRead}},
      // CodeQL
      {"cpp/use-after-free", "", {UseAfterFree}},
      {"cpp/double-free", "", {DoubleFree}},
      {"cpp/missing-null-test", "", {NullDereference}},
      {"cpp/uninitialized-local", "", {UninitializedRead}},
      {"cpp/memory-never-freed", "", {Leak}},
  };
  return all;
}

/// The rule itself, or a family of it: core.uninitialized.Assign, BUFFER_OVERRUN_L1.
bool fits(llvm::StringRef rule, llvm::StringRef family) {
  return rule.consume_front(family) && (rule.empty() || rule[0] == '.' || rule[0] == '_');
}

} // namespace

std::vector<BugKind> kindsOfCwe(unsigned cwe) {
  using enum BugKind;
  std::vector<BugKind> kinds;
  for (const evidence::BugKindRow &row : evidence::bugKindRows())
    if (row.isOfEngine && row.cwe == cwe) kinds.push_back(row.kind);
  if (!kinds.empty()) {
    if (cwe == evidence::cwe(DoubleFree)) kinds.push_back(UseAfterFree);
    return kinds;
  }
  switch (cwe) {
  case 119:
  case 120:
  case 788: return {OutOfBoundsRead, OutOfBoundsWrite};
  case 121:
  case 122:
  case 124: return {OutOfBoundsWrite};
  case 126:
  case 127: return {OutOfBoundsRead};
  case 590:
  case 761:
  case 762: return {InvalidFree};
  case 690: return {NullDereference};
  case 672:
  case 825: return {UseAfterFree};
  case 772: return {Leak};
  case 824:
  case 908: return {UninitializedRead};
  default: return {};
  }
}

std::vector<BugKind> kindsOfRule(const std::string &rule, const std::string &message) {
  BugKind own;
  if (evidence::bugKindFromName(rule, own)) {
    if (own == BugKind::DoubleFree) return {own, BugKind::UseAfterFree};
    return {own};
  }
  llvm::StringRef number = rule;
  unsigned cwe = 0;
  if (number.consume_front_insensitive("CWE-") && !number.getAsInteger(10, cwe))
    return kindsOfCwe(cwe);
  const std::string lower = llvm::StringRef(message).lower();
  for (const Rule &known : rules())
    if (fits(rule, known.rule) && lower.find(known.message) != std::string::npos)
      return known.kinds;
  return {};
}

bool isOfOpenFile(const std::string &rule, const std::string &message) {
  for (const char *known : {"handle-leak", "resourceLeak", "-Wanalyzer-file-leak",
                            "-Wanalyzer-fd-leak", "RESOURCE_LEAK", "PULSE_RESOURCE_LEAK"})
    if (rule == known) return true;
  return fits(rule, "unix.Stream") && llvm::StringRef(message).contains_insensitive("leak");
}

} // namespace fathom::confirm
