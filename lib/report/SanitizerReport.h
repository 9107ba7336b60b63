// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sanitizers (clang's and gcc's) write to standard error, as far as it tells which bug they
// have seen.
#ifndef FATHOM_REPORT_SANITIZERREPORT_H
#define FATHOM_REPORT_SANITIZERREPORT_H

#include "evidence/BugKind.h"
#include "evidence/StackFrame.h"

#include <string>
#include <vector>

namespace fathom::report {

struct SanitizerReport {
  using Tool = evidence::Sanitizer;
  Tool tool = Tool::Address;
  std::string what; ///< "heap-buffer-overflow", "signed integer overflow: 2147483647 + 1 ..."
  /// Innermost call first, as far as it names calls: the access, then where the object was
  /// allocated and freed; of a leak, where each block was allocated. A frame without a known line
  /// has line 0.
  std::vector<std::vector<evidence::StackFrame>> stacks{};

  std::string text() const; ///< "AddressSanitizer: heap-buffer-overflow"
};

/// All reports in `text`, in order. Summaries, which repeat a report, are none. O(text).
std::vector<SanitizerReport> sanitizerReports(const std::string &text);

/// Does this report show this kind of bug?
bool shows(const SanitizerReport &report, evidence::BugKind kind);

/// Was the executable built with a sanitizer? False also when it cannot be read. O(its size).
bool hasSanitizer(const std::string &executable);

} // namespace fathom::report
#endif
