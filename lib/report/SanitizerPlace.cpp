// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SanitizerPlace.h"

#include "support/SourcePlace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace fathom::report {

using explore::BugKind;
using explore::StackFrame;
using llvm::StringRef;

namespace {

/// Code of the sanitizer itself or of libc, whose debug information may be installed. Debug
/// information of a program has whole paths; libc's, which was built elsewhere, has none.
bool isOfLibrary(const StackFrame &frame) {
  const StringRef file(frame.file), function(frame.function);
  return file.contains("libsanitizer/") || file.contains("compiler-rt/lib/") ||
         file.starts_with("../") || file.starts_with("./") || function.starts_with("__asan_") ||
         function.starts_with("__interceptor_") || function.starts_with("__sanitizer_");
}

std::vector<StackFrame> ofProgram(const std::vector<StackFrame> &stack) {
  std::vector<StackFrame> out;
  for (const StackFrame &frame : stack)
    if (frame.line && !isOfLibrary(frame)) out.push_back(frame);
  return out;
}

bool isSameLine(const StackFrame &a, const StackFrame &b) {
  return a.line == b.line && baseName(a.file) == baseName(b.file);
}

bool hasLine(const std::vector<StackFrame> &frames, const StackFrame &line) {
  return llvm::any_of(frames, [&](const StackFrame &frame) { return isSameLine(frame, line); });
}

bool isSameAccess(const std::vector<StackFrame> &report, const std::vector<StackFrame> &bug) {
  return hasLine(bug, report.front()) || hasLine(report, bug.front());
}

bool isSameAllocation(const std::vector<StackFrame> &report, const std::vector<StackFrame> &bug) {
  const auto both = static_cast<ptrdiff_t>(std::min(report.size(), bug.size()));
  return std::equal(report.begin(), report.begin() + both, bug.begin(), isSameLine);
}

} // namespace

bool hasOnePlace(BugKind kind) {
  return kind != BugKind::UninitializedRead && kind != BugKind::StackOverflow;
}

PlaceAgreement placeAgreement(const SanitizerReport &report, BugKind kind,
                              const std::vector<StackFrame> &stack) {
  std::vector<StackFrame> bug;
  for (const StackFrame &frame : stack)
    if (frame.own && frame.line) bug.push_back(frame);
  bool isTold = false;
  for (const std::vector<StackFrame> &one : report.stacks) {
    const std::vector<StackFrame> frames = ofProgram(one);
    if (frames.empty() || bug.empty()) continue;
    isTold = true;
    if (kind == BugKind::Leak ? isSameAllocation(frames, bug) : isSameAccess(frames, bug))
      return PlaceAgreement::Same;
    if (kind != BugKind::Leak) break; // what follows is where the object was allocated and freed
  }
  return isTold ? PlaceAgreement::Other : PlaceAgreement::Unknown;
}

std::string placeText(const SanitizerReport &report) {
  for (const std::vector<StackFrame> &one : report.stacks)
    if (const std::vector<StackFrame> frames = ofProgram(one); !frames.empty())
      return shortPlace(frames.front().file, frames.front().line);
  return "";
}

} // namespace fathom::report
