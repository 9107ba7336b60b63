// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run comes to: stats.json, ledger.json, and the short table for people.
#ifndef FATHOM_REPORT_SUMMARY_H
#define FATHOM_REPORT_SUMMARY_H

#include "explore/Explore.h"
#include "report/Sarif.h"

#include "llvm/Support/JSON.h"

namespace fathom::report {

/// The members of stats.json, into an open object.
void writeStats(llvm::json::OStream &json, const explore::Stats &stats, bool withBugCount = true);
std::string statsText(const explore::Stats &stats);
/// The lines of stats.csv: its first, and one for each moment.
std::string statsColumns();
std::string statsRow(const explore::Stats &stats);
/// stats.json and the bugs: what `explore --json` prints.
std::string summaryJson(const explore::Stats &stats, const std::vector<Finding> &findings);
std::string ledgerText(const explore::Ledger &ledger);

/// Sorted by count, heaviest first.
std::vector<std::pair<explore::Ledger::Key, uint64_t>> heaviest(const explore::Ledger &ledger);

/// The table after a run. Ends in what the answer does not cover: the ledger's three heaviest
/// lines, or the sentence that says that there is nothing; and in the assumptions.
/// \param hasLedger  false: it could not be written, so all of its lines are here.
std::string humanSummary(const explore::ExploreResult &result, const std::vector<Finding> &findings,
                         const std::string &program, const std::string &folder,
                         bool hasLedger = true, const BugListing &listing = {});
/// One line about a run that is going on.
std::string progressLine(const explore::Stats &stats);

/// 1234567 -> "1.23 M"; 1536 MiB -> "1.5 GB".
std::string shortNumber(uint64_t n);
std::string shortBytes(uint64_t bytes);
/// "3 of 4 (75.0 %)"; "none" when the whole is 0.
std::string ratioText(uint64_t part, uint64_t whole);

} // namespace fathom::report
#endif
