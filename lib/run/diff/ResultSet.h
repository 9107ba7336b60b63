// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bugs and reports of one version of a program, from whatever a user names: a results folder of
// explore, fuzz, confirm or run, or a file of reports of any analyser that confirm reads.
#ifndef FATHOM_RUN_RESULTSET_H
#define FATHOM_RUN_RESULTSET_H

#include "report/Sarif.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fathom::run {

/// A bug or a report, as far as two versions are compared by it.
struct KnownResult {
  report::Identity identity;                 ///< with an id, unique in its ResultSet
  std::map<std::string, std::string> prints; ///< fingerprints of its own document, by name
  std::string rule, message, file, function;
  uint32_t line = 0, column = 0;
  std::string verdict, reason;             ///< of confirm; "": none
  std::string input;                       ///< the folder of an input that shows it; "": none
  std::optional<evidence::BugKind> kind;   ///< of a bug
  std::vector<evidence::StackFrame> stack; ///< of a bug
  size_t analysis = 0;                     ///< in ResultSet::analyses
  report::DismissalMark mark;
  std::string sarif; ///< the report as its document has it; "": a bug

  bool isRefuted() const { return verdict == "refuted"; }
  bool isShownByPath() const { return verdict == "confirmed" || verdict == "possible"; }
};

/// One document or folder with results, and what is known of how it came to be.
struct Analysis {
  std::string path; ///< as the user would name it
  std::string tool; ///< "fathom explore", "fathom scan", "cppcheck"
  /// Results are compared with those of analyses of the same class: "bugs" with inputs, or "reports
  /// of TOOL".
  std::string klass;
  std::string version;                   ///< of the tool; "": not said
  std::string howEnded;                  ///< in words; "": not said
  bool isComplete = true;                ///< it looked at all that it was asked to look at
  std::string scope;                     ///< of a scan: what it was asked; "": not said
  std::vector<std::string> programs;     ///< absolute; none: not said
  std::optional<llvm::json::Object> run; ///< run.json
  size_t results = 0;
};

struct ResultSet {
  std::string path;
  std::vector<Analysis> analyses;
  std::vector<KnownResult> results;
};

/// \param unfinished  a run that has not ended is no error
/// \param code        the sources that reports are about; null: they may have changed since
/// A UsageError names the path, what is wrong with it, and what would be right.
llvm::Expected<ResultSet> readResults(const std::string &path, bool unfinished,
                                      report::SourceCode *code = nullptr);

} // namespace fathom::run
#endif
