// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom diff: what is new, fixed, not found again and unchanged between two versions of a program.
#ifndef FATHOM_RUN_DIFF_H
#define FATHOM_RUN_DIFF_H

#include "run/diff/Match.h"
#include "run/diff/ResultSet.h"
#include "run/Limits.h"
#include "run/Session.h"
#include "support/TextSink.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fathom::run {

struct DiffRequest {
  std::string before, after;                   ///< what readResults reads
  std::vector<std::string> programs;           ///< the new version; none: that of `after`
  bool replays = true;                         ///< old inputs, where the new program is there
  std::chrono::milliseconds replayTime{30000}; ///< of one input
  std::chrono::milliseconds maxTime{0};        ///< of all; 0: no bound
  std::string dismissed;   ///< the file of dismissals; "": found (report/Dismissals.h)
  bool unfinished = false; ///< runs that have not ended are compared, too
  bool anyProgram = false; ///< the program may have another name
};

enum class Change : uint8_t {
  New,
  Fixed,    ///< something shows that it is gone
  NotFound, ///< the new run has not found it, which may have other reasons
  Unchanged
};
inline constexpr Change kChanges[] = {Change::New, Change::Fixed, Change::NotFound,
                                      Change::Unchanged};
const char *name(Change change); ///< "new", "fixed", "not-found-again", "unchanged"

struct Changed {
  Change change = Change::New;
  std::optional<size_t> before, after; ///< indices of the results
  std::optional<MatchedBy> by;         ///< both are there
  std::string reason;                  ///< why it is said to be so, one clause; may be empty
  bool isReplayed = false;             ///< by its input on the new program
};

struct Difference {
  ResultSet before, after;
  std::vector<Changed> changes; ///< in the order of Change; refuted ones that are gone are left out
  std::vector<std::string> notes; ///< what limits the comparison
  size_t refutedGone = 0;         ///< reports that were refuted, and are gone

  const KnownResult &result(const Changed &c) const {
    return c.after ? after.results[*c.after] : before.results[*c.before];
  }
  /// Of both versions; "" where one has none, or they are equal.
  bool isVerdictChanged(const Changed &c) const;
  /// New and not refuted; or confirmed or possible now, and not before.
  bool isNews(const Changed &c) const;
  /// Of the new version: somebody has dismissed it.
  bool isDismissed(const Changed &c) const {
    return c.after && after.results[*c.after].mark.isDismissed();
  }
  /// Without what is dismissed.
  size_t count(Change change) const;
  size_t countDismissed() const;
  bool hasNews() const;
};

/// A UsageError: one of them cannot be read, nothing in them can be compared, or they are about
/// different programs.
llvm::Expected<Difference> diffResults(const DiffRequest &request, Session &session);

/// `listsAll`: also what is unchanged; `listsDismissed`: also what is dismissed.
std::string diffText(const Difference &difference, bool listsAll, bool listsDismissed);
std::string diffJson(const Difference &difference);
/// SARIF 2.1.0 with baselineState; results of SARIF documents as they were.
void writeDiffSarif(const Difference &difference, llvm::raw_ostream &out);

} // namespace fathom::run
#endif
