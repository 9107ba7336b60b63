// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SanitizerReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <tuple>

namespace fathom::report {

using explore::BugKind;
using llvm::StringRef;
using Tool = SanitizerReport::Tool;

namespace {

struct Mark {
  StringRef text;
  Tool tool;
};
/// With what comes before the kind of error: "==12==ERROR: AddressSanitizer: heap-use-after-free on
/// address 0x...", "f.c:3:5: runtime error: shift exponent 32 is too large".
const Mark kMarks[] = {
    {"ERROR: AddressSanitizer: ", Tool::Address},
    {"ERROR: LeakSanitizer: ", Tool::Leak},
    {"WARNING: MemorySanitizer: ", Tool::Memory},
    {"ERROR: MemorySanitizer: ", Tool::Memory},
    {"ERROR: UndefinedBehaviorSanitizer: ", Tool::Undefined},
    {"runtime error: ", Tool::Undefined},
};

/// Without the numbers that differ from run to run.
StringRef withoutAddress(StringRef what) {
  for (StringRef end : {" on address 0x", " on unknown address", " on 0x", " (", ": 0x"})
    what = what.take_front(what.find(end));
  return what.trim();
}

} // namespace

std::string SanitizerReport::text() const {
  switch (tool) {
  case Tool::Address: return "AddressSanitizer: " + what;
  case Tool::Leak: return "LeakSanitizer: " + what;
  case Tool::Memory: return "MemorySanitizer: " + what;
  case Tool::Undefined: return "UndefinedBehaviorSanitizer: " + what;
  }
  return what;
}

std::vector<SanitizerReport> sanitizerReports(const std::string &text) {
  std::vector<SanitizerReport> reports;
  StringRef rest(text);
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    for (const Mark &mark : kMarks) {
      const size_t at = line.find(mark.text);
      if (at == StringRef::npos) continue;
      StringRef what = line.drop_front(at + mark.text.size());
      // The words of the undefined behaviour are its values, which say what it was.
      const bool hasValues = mark.text == "runtime error: ";
      reports.push_back({mark.tool, (hasValues ? what.trim() : withoutAddress(what)).str()});
      break;
    }
  }
  return reports;
}

static bool saysAny(const std::string &what, std::initializer_list<StringRef> words) {
  return llvm::any_of(words, [&](StringRef word) { return StringRef(what).contains(word); });
}

bool shows(const SanitizerReport &report, BugKind kind) {
  const std::string &what = report.what;
  const bool isAddress = report.tool == Tool::Address, isUndefined = report.tool == Tool::Undefined;
  switch (kind) {
  case BugKind::Leak: return report.tool == Tool::Leak;
  case BugKind::UninitializedRead: return report.tool == Tool::Memory;
  case BugKind::SignedOverflow:
    return isUndefined && saysAny(what, {"overflow", "cannot be represented"}) &&
           !saysAny(what, {"shift", "pointer"});
  case BugKind::Overshift: return isUndefined && saysAny(what, {"shift"});
  case BugKind::DivisionByZero:
    return (isUndefined && saysAny(what, {"division by zero"})) || saysAny(what, {"FPE"});
  case BugKind::Unreachable: return isUndefined && saysAny(what, {"unreachable", "end of a value"});
  case BugKind::StackOverflow: return saysAny(what, {"stack-overflow"});
  // Which of them it is depends on what lies beside the object, and in which order things happen.
  case BugKind::OutOfBoundsRead:
  case BugKind::OutOfBoundsWrite:
  case BugKind::UseAfterFree:
  case BugKind::DoubleFree:
  case BugKind::InvalidFree:
  case BugKind::NullDereference:
  case BugKind::BadCall:
  case BugKind::ExternalCrash:
    return isAddress || (isUndefined && saysAny(what, {"out of bounds", "out-of-bounds", "pointer",
                                                       "SEGV", "insufficient space", "function"}));
  case BugKind::Assertion:
  case BugKind::Abort: return saysAny(what, {"ABRT"});
  case BugKind::Deadlock:
  case BugKind::Hang: return false;
  }
  return false;
}

bool hasSanitizer(const std::string &executable) {
  auto file = llvm::MemoryBuffer::getFile(executable, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file) return false;
  return llvm::any_of(std::initializer_list<StringRef>{"__asan_", "__lsan_", "__msan_", "__ubsan_"},
                      [&](StringRef name) { return (*file)->getBuffer().contains(name); });
}

} // namespace fathom::report
