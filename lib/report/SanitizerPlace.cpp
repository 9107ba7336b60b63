// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SanitizerPlace.h"

#include "evidence/BugKind.h"
#include "support/SourcePlace.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace fathom::report {

using evidence::BugKind;
using evidence::StackFrame;
using llvm::StringRef;

namespace {

/// Code of the sanitizer itself, of our runtime or of libc, whose debug information may be
/// installed. Paths of libc's, which was built elsewhere, are relative. A program's are whole,
/// unless it was built with -ffile-prefix-map: such frames count as libc's, and a report without
/// others says nothing.
bool isOfLibrary(const StackFrame &frame) {
  const StringRef file(frame.file), function(frame.function);
  return file.contains("libsanitizer/") || file.contains("compiler-rt/lib/") ||
         file.starts_with("/fathom-") || file.starts_with("../") || file.starts_with("./") ||
         function.starts_with("__asan_") || function.starts_with("__interceptor_") ||
         function.starts_with("__sanitizer_");
}

std::vector<StackFrame> ofProgram(const std::vector<StackFrame> &stack) {
  std::vector<StackFrame> out;
  for (const StackFrame &frame : stack)
    if (frame.line && !isOfLibrary(frame)) out.push_back(frame);
  return out;
}

/// The stacks that say where it is: of leaks, one for each block. Of an access the first one: those
/// after it say where the object was allocated and freed.
llvm::ArrayRef<std::vector<StackFrame>> placesOf(const SanitizerReport &report, BugKind kind) {
  const llvm::ArrayRef<std::vector<StackFrame>> all(report.stacks);
  return kind == BugKind::Leak ? all : all.take_front(1);
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

static std::vector<StackFrame> ownLines(const std::vector<StackFrame> &stack) {
  std::vector<StackFrame> out;
  for (const StackFrame &frame : stack)
    if (frame.own && frame.line) out.push_back(frame);
  return out;
}

PlaceAgreement crashAgreement(const std::vector<StackFrame> &calls,
                              const std::vector<StackFrame> &stack) {
  const std::vector<StackFrame> native = ofProgram(calls), bug = ownLines(stack);
  if (native.empty() || bug.empty()) return PlaceAgreement::Unknown;
  return isSameAccess(native, bug) ? PlaceAgreement::Same : PlaceAgreement::Other;
}

std::string crashPlaceText(const std::vector<StackFrame> &calls) {
  const std::vector<StackFrame> native = ofProgram(calls);
  return native.empty() ? "" : shortPlace(native.front().file, native.front().line);
}

PlaceAgreement placeAgreement(const SanitizerReport &report, BugKind kind,
                              const std::vector<StackFrame> &stack) {
  const std::vector<StackFrame> bug = ownLines(stack);
  bool isTold = false;
  for (const std::vector<StackFrame> &one : placesOf(report, kind)) {
    const std::vector<StackFrame> frames = ofProgram(one);
    if (frames.empty() || bug.empty()) continue;
    isTold = true;
    if (kind == BugKind::Leak ? isSameAllocation(frames, bug) : isSameAccess(frames, bug))
      return PlaceAgreement::Same;
  }
  return isTold ? PlaceAgreement::Other : PlaceAgreement::Unknown;
}

std::string placeText(const SanitizerReport &report, BugKind kind) {
  for (const std::vector<StackFrame> &one : placesOf(report, kind))
    if (const std::vector<StackFrame> frames = ofProgram(one); !frames.empty())
      return shortPlace(frames.front().file, frames.front().line);
  return "";
}

} // namespace fathom::report
