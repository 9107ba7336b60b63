// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts by hand: bugs and reports that somebody has looked at, and that need no repair. They are
// kept in a file that a project commits: one JSON object on a line, sorted by id, so that git
// merges what two people dismiss.
//
//   auto known = Dismissals::forProgram("", {"/src/prog"});   // --dismissed, or found upwards
//   DismissalMark mark = known->judge({identity, "leak", "f", "/src/a.c"});
#ifndef FATHOM_REPORT_DISMISSALS_H
#define FATHOM_REPORT_DISMISSALS_H

#include "report/Identity.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fathom::report {

/// One line of the file.
struct Dismissal {
  Identity identity;
  std::string rule, function, file, message; ///< as it was when it was dismissed
  std::string because;
  std::string date; ///< 2026-01-31
};

/// What a bug or report is recognised by.
struct Dismissible {
  Identity identity;
  std::string rule, function, file;
};

class Dismissals {
public:
  static constexpr const char *kFileName = "fathom-dismissed.jsonl";

  /// Errors: FILE, or FILE:LINE, and what is wrong: cannot be read, no JSON, a conflict of git, of
  /// another version, a field is missing.
  static llvm::Expected<Dismissals> read(const std::string &path);
  /// The file of that name in one of these folders or above, up to the root of a git repository;
  /// the first folder counts most. "": there is none. Files among them stand for their folders.
  static std::string find(const std::vector<std::string> &folders);
  /// `option`, or the file that is found from the working directory or from these; none: empty.
  /// Errors: see read; `option` is not there.
  static llvm::Expected<Dismissals> forProgram(const std::string &option,
                                               const std::vector<std::string> &places);

  /// Dismissed: it has the id of one, and its code is the same, or is not known; or it has another
  /// id, but the code of its line and of its functions is the same. Reopened: it has the id of one,
  /// and its code has changed. Similar: its line was edited, or it is another one of this kind in
  /// the same function.
  DismissalMark judge(const Dismissible &what) const;

  const std::string &path() const { return path_; } ///< "": none was found
  const std::vector<Dismissal> &all() const { return all_; }
  /// Replaces one of the same id.
  void add(Dismissal dismissal);
  /// Returns what was removed: all whose id begins so.
  std::vector<Dismissal> removeIf(const std::string &prefix);
  /// Those whose id begins so.
  std::vector<const Dismissal *> matching(const std::string &prefix) const;
  /// Errors: it cannot be written.
  llvm::Error write(const std::string &path) const;

private:
  std::string path_;
  std::vector<Dismissal> all_; ///< sorted by id
};

/// The member "suppressions" of a SARIF result: none unless it is dismissed.
void writeSuppressions(llvm::json::OStream &json, const DismissalMark &mark);

/// For people, of one that is shown although it was dismissed before; "": it was not.
std::string reopenedText(const DismissalMark &mark);
/// " (3 dismissed)"; "": none.
std::string dismissedCountText(size_t count);

} // namespace fathom::report
#endif
