// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SanitizerReport.h"

#include "evidence/BugKind.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <tuple>

namespace fathom::report {

using evidence::StackFrame;
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

/// Takes ":12" from the end; 0: there is none.
uint32_t takeNumber(StringRef &text) {
  const size_t colon = text.rfind(':');
  uint32_t number = 0;
  if (colon == StringRef::npos || text.drop_front(colon + 1).getAsInteger(10, number)) return 0;
  text = text.take_front(colon);
  return number;
}

/// Of FILE:LINE or FILE:LINE:COLUMN; line 0: it is neither.
StackFrame placeFrom(StringRef text) {
  StackFrame out;
  const uint32_t last = takeNumber(text), before = takeNumber(text);
  out.line = before ? before : last;
  out.column = before ? last : 0;
  out.file = text.str();
  return out;
}

/// Adds a line of a stack: "    #1 0x55f0 in main /tmp/a b.c:12:5", "    #2 0x7f in f
/// (lib.so+0x8)".
void addFrame(StringRef line, SanitizerReport &report) {
  line = line.trim();
  uint32_t number = 0;
  if (!line.consume_front("#") || line.consumeInteger(10, number)) return;
  if (number == 0) report.stacks.emplace_back();
  if (report.stacks.empty()) return;
  StackFrame frame;
  if (const size_t in = line.find(" in "); in != StringRef::npos) {
    line = line.drop_front(in + 4);
    // A C++ function has spaces in its name, and a file may have them.
    size_t file = line.find(" /");
    if (file == StringRef::npos) file = line.rfind(' ');
    if (file != StringRef::npos) frame = placeFrom(line.drop_front(file + 1));
    frame.function = line.take_front(file).str();
  }
  report.stacks.back().push_back(std::move(frame));
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
    if (!reports.empty()) addFrame(line, reports.back());
    for (const Mark &mark : kMarks) {
      const size_t at = line.find(mark.text);
      if (at == StringRef::npos) continue;
      StringRef what = line.drop_front(at + mark.text.size());
      // The words of the undefined behaviour are its values, which say what it was.
      const bool hasValues = mark.text == "runtime error: ";
      reports.push_back({mark.tool, (hasValues ? what.trim() : withoutAddress(what)).str()});
      if (StringRef place = line.take_front(at).trim(); hasValues && place.consume_back(":"))
        if (StackFrame frame = placeFrom(place); frame.line)
          reports.back().stacks.push_back({std::move(frame)});
      break;
    }
  }
  return reports;
}

bool shows(const SanitizerReport &report, evidence::BugKind kind) {
  return evidence::shows(kind, report.tool, report.what);
}

bool hasSanitizer(const std::string &executable) {
  auto file = llvm::MemoryBuffer::getFile(executable, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file) return false;
  return llvm::any_of(std::initializer_list<StringRef>{"__asan_", "__lsan_", "__msan_", "__ubsan_"},
                      [&](StringRef name) { return (*file)->getBuffer().contains(name); });
}

} // namespace fathom::report
