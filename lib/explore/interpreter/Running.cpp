// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong, in words.
#include "explore/interpreter/Running.h"

#include "evidence/BugKind.h"
#include "fmt/format.h"

namespace fathom::explore {

using evidence::BugKind;

using namespace program;

void Running::describeOverflow(const char *what, unsigned bits) {
  bug = BugKind::SignedOverflow;
  message = fmt::format("{} does not fit in a signed {}-bit integer", what, bits);
}

void Running::describeTrap(uint64_t check, TrapCause cause) {
  struct Check {
    BugKind kind;
    const char *what;
  };
  // In the order of clang's SanitizerHandler (clang/lib/CodeGen/CodeGenFunction.h), whose numbers
  // -fsanitize-trap gives to traps.
  static constexpr Check kChecks[] = {
      {BugKind::SignedOverflow, "a sum that does not fit"},
      {BugKind::Unreachable, "__builtin_unreachable"},
      {BugKind::BadCall, "a failed check of control flow"},
      {BugKind::SignedOverflow, "a quotient that does not fit"},
      {BugKind::BadCall, "an object of another type"},
      {BugKind::Abort, "a floating-point value that the integer type does not have"},
      {BugKind::BadCall, "a call of a function of another type"},
      {BugKind::Abort, "a conversion that changes the value"},
      {BugKind::Abort, "a builtin's argument that has no result"},
      {BugKind::BadCall, "an object of another type"},
      {BugKind::Abort, "a value that its type does not have"},
      {BugKind::Unreachable, "the end of a function that has to return a value"},
      {BugKind::SignedOverflow, "a product that does not fit"},
      {BugKind::SignedOverflow, "a negation that does not fit"},
      {BugKind::NullDereference, "a null pointer as an argument that must be none"},
      {BugKind::NullDereference, "a null pointer as a result that must be none"},
      {BugKind::NullDereference, "a null pointer as an argument that must be none"},
      {BugKind::NullDereference, "a null pointer as a result that must be none"},
      {BugKind::OutOfBoundsRead, "an index out of bounds"},
      {BugKind::Abort, "pointer arithmetic that leaves the address space"},
      {BugKind::Overshift, "a shift by too much, or of a value that does not fit"},
      {BugKind::SignedOverflow, "a difference that does not fit"},
      {BugKind::OutOfBoundsRead, "an object that is too small"},
      {BugKind::Abort, "a pointer that is not aligned as promised"},
      {BugKind::Abort, "an array of no or negative length"},
  };
  const bool isKnown = check < std::size(kChecks);
  Check found = isKnown ? kChecks[check] : Check{BugKind::Abort, ""};
  switch (cause) {
  case TrapCause::Zero: found = {BugKind::DivisionByZero, "a divisor of zero"}; break;
  case TrapCause::Null: found = {BugKind::NullDereference, "a null pointer"}; break;
  case TrapCause::Misaligned: found = {BugKind::Abort, "a pointer that is not aligned"}; break;
  case TrapCause::Unsigned:
    found = {BugKind::Abort, "unsigned arithmetic that wraps around"};
    break;
  case TrapCause::Write: found.kind = BugKind::OutOfBoundsWrite; break;
  case TrapCause::Read:
  case TrapCause::Unknown: break;
  }
  bug = found.kind;
  message = check == ~uint64_t(0) ? "trap instruction"
            : isKnown             ? fmt::format("sanitizer trap {}: {}", check, found.what)
                                  : fmt::format("sanitizer trap {}", check);
}

void Running::describeSurplus(size_t given, size_t taken, const FunctionCode &callee) {
  bug = BugKind::BadCall;
  message = fmt::format("a call of {} with {} argument{}, of which it takes {}", callee.shownName,
                        given, given == 1 ? "" : "s", taken);
}

} // namespace fathom::explore
