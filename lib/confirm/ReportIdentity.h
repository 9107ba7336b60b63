// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a report of any analyser the same in two versions of a program.
#ifndef FATHOM_CONFIRM_REPORTIDENTITY_H
#define FATHOM_CONFIRM_REPORTIDENTITY_H

#include "confirm/Batch.h"
#include "report/Dismissals.h"
#include "report/Identity.h"
#include "report/Sarif.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>

namespace fathom::confirm {

/// Without its numbers: of lines, sizes and offsets.
std::string withoutNumbers(const std::string &text);
/// The function that a SARIF result is in; "": it does not say.
std::string functionOf(const llvm::json::Object &result);

/// Identities of the reports of one document, in its order.
class ReportIdentities {
public:
  /// \param code  the sources that the reports are about; null: they are not at hand, and an
  ///              identity has only what the report says.
  explicit ReportIdentities(report::SourceCode *code) : code_(code) {}

  /// That which the document has (Fathom wrote it), or one by rule, message without numbers, file
  /// and function. `result`: the report as SARIF; null: it is none.
  report::Identity of(const Defect &defect, const llvm::json::Object *result);

private:
  report::SourceCode *code_;
  std::map<std::string, unsigned> seen_;
};

/// Those of all reports of a batch, which are about sources that are at hand.
std::vector<report::Identity> identitiesOf(const Batch &batch, report::SourceLines &sources);

/// What else is told of the reports of a batch.
struct ReportListing {
  std::vector<report::Identity> identities; ///< of all reports, or none
  std::vector<report::DismissalMark> marks; ///< of all reports, or none
  report::BugListing how;

  bool isDismissed(size_t i) const { return i < marks.size() && marks[i].isDismissed(); }
  bool isListed(size_t i) const { return !isDismissed(i) || how.showsDismissed; }
  /// Lines, each with an indent.
  std::string notes(size_t i) const;
};
ReportListing listingOf(const Batch &batch, report::SourceLines &sources,
                        const report::Dismissals &dismissals, const report::BugListing &how);

} // namespace fathom::confirm
#endif
