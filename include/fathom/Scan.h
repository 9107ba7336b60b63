// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_SCAN_H
#define FATHOM_API_SCAN_H

/// \file
/// Static analysis of a program, as `fathom scan` does it (docs/scan.md).

#include <fathom/Program.h>
#include <fathom/Result.h>
#include <fathom/Session.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom::api {

/// What to look for.
struct ScanOptions {
  std::string entry;              ///< the analysis starts at this function (--entry); "": at main
  std::vector<std::string> kinds; ///< names of BugKind (--kinds); empty: all that have isScanned
  size_t maxReports = 1000;       ///< of each kind (--most-reports), at least 1
  /// Also what the analyses cannot rule out without looking at the conditions together (--all).
  bool all = false;
  bool allocationFailures = false; ///< also what needs an allocation that fails
  /// Which of them: kinds, parts of the path of a file, FILE:LINE (--only); empty: all.
  std::vector<std::string> only;
  Limits limits;         ///< time and memory
  unsigned jobs = 1;     ///< functions that are analysed at a time (--jobs); at least 1
  bool usesCache = true; ///< an unchanged program is answered from an earlier run
  /// Also writes the reports as SARIF 2.1.0 to this file (--sarif), which confirm() reads; "": not.
  std::string sarif;
};

/// A place that a report leads through.
struct ReportStep {
  /// What it says: "allocates", "frees", "may-be-null", "true-side", "defect" ... (docs/scan.md).
  std::string role;
  std::string function; ///< that the place is in
  std::string file;     ///< "" without debug information
  uint32_t line = 0;    ///< from 1; 0 if it is unknown
  uint32_t column = 0;  ///< from 1; 0 if it is unknown
  std::string text;     ///< why it follows from the step before
};

/// A defect that an analysis found, or cannot rule out.
struct Report {
  std::string kind;              ///< the name of a BugKind
  unsigned cwe = 0;              ///< the CWE number of that kind
  std::string message;           ///< one line
  std::string certainty;         ///< "must", "may", "lookup", "allocation", "callers", "unchecked"
  std::vector<ReportStep> steps; ///< at least one; the last is the place of the defect
  /// How many steps rest on a guess of the analysis. Reports with fewer come first.
  uint32_t doubts = 0;

  /// Returns the place of the defect.
  const ReportStep &place() const { return steps.back(); }
};

/// What a scan reports.
struct ScanResult {
  std::vector<Report> reports;    ///< by kind, certainty, doubts, place
  std::vector<std::string> notes; ///< what is missing from the reports, one line each
  bool isComplete = true;         ///< no limit cut the analysis short
};

/// Scans a program.
///
/// Errors: Usage if an option is wrong, the program cannot be read, or the document cannot be
/// written.
/// Guarantee: neither; reports may be false, and defects may be missing (docs/scan.md, Limits).
/// Determinism: equal in every run that no limit cuts short.
/// Threads: starts and ends a thread that watches the limits; forks no process but a compiler.
/// Cost: superlinear in the program; limits bound it.
Result<ScanResult> scan(const Program &program, const ScanOptions &options = {},
                        const Session &session = {});

} // namespace fathom::api
#endif
