// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What static checkers report, as text with source lines and as SARIF 2.1.0.
#ifndef FATHOM_REPORT_SCANREPORT_H
#define FATHOM_REPORT_SCANREPORT_H

#include "report/Dismissals.h"
#include "report/SourceLines.h"
#include "statics/checkers/Report.h"
#include "support/TextSink.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <memory>

namespace fathom::report {

/// The compiler has `if (!p)` as a branch on p: of a condition that begins with `!` in the source,
/// the step takes the other side.
void takeSidesOfSource(statics::Report &report, SourceLines &sources);

/// One report: its message, and its steps in order, each with its line and a caret.
std::string scanText(const statics::Report &report, SourceLines &sources);

/// How many reports there are, of which kinds.
std::string scanCounts(const std::vector<statics::Report> &reports);

/// An earlier document's results by their fingerprints.
struct Baseline {
  struct Result {
    std::string rule, message;
    llvm::StringRef text; ///< in `file`
  };
  std::map<std::string, Result> results;
  std::shared_ptr<const llvm::MemoryBuffer> file;
};
/// Errors: not SARIF of this tool.
/// Cost: linear. Memory: that of the fingerprints, rules and messages, and the pages of the file.
llvm::Expected<Baseline> readBaseline(const std::string &path);

struct ScanSarif {
  const Baseline *baseline = nullptr; ///< adds baselineState; what is gone is `absent`
  std::vector<std::string> notes;     ///< what is missing from the results
  bool isComplete = true;
  /// Their checkers did not end: what the baseline has of them is `unchanged`, not `absent`.
  std::vector<evidence::BugKind> cut{};
  std::vector<std::string> programs{}; ///< absolute
  std::vector<DismissalMark> marks{};  ///< of the reports; empty: none is dismissed
  std::string scope{}; ///< what was asked: two documents of one scope can be compared
};
/// Equal for equal reports in two runs, also after unrelated lines moved: kind, functions, the text
/// of source and sink lines.
std::vector<std::string> scanFingerprints(const std::vector<statics::Report> &reports,
                                          SourceLines &sources);
/// Written result by result: a document with a million of them takes gigabytes.
void writeScanSarif(llvm::raw_ostream &out, const std::vector<statics::Report> &reports,
                    SourceLines &sources, const ScanSarif &options);
/// One document of all reports. `notes`: what is missing from them.
void writeScanJson(const std::vector<statics::Report> &reports, SourceLines &sources,
                   const std::vector<std::string> &notes, bool isComplete, double seconds,
                   const TextSink &out, const std::vector<DismissalMark> &marks = {});
/// For each report whether it is dismissed.
std::vector<DismissalMark> marksOf(const std::vector<statics::Report> &reports,
                                   SourceLines &sources, const Dismissals &dismissals);

} // namespace fathom::report
#endif
