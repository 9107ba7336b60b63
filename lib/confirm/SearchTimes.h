// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long one report may take, and what its searches get of that.
#ifndef FATHOM_CONFIRM_SEARCHTIMES_H
#define FATHOM_CONFIRM_SEARCHTIMES_H

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace fathom::confirm {

/// What a report gets, and what the parts of its time are made for. Source: [satracer] Sec. III-D.
inline constexpr std::chrono::milliseconds kUsualTime{10000};

/// How the time of one report is divided. Each is a limit: what one search leaves the others have.
struct SearchTimes {
  /// For each report, of the search that all share (SharedSearch.h), which takes perDefect at most.
  /// 0: there is none.
  std::chrono::milliseconds shared{1000};
  std::chrono::milliseconds callers{3000}; ///< of the search from callers; 0: there is none
  /// For each search with one round more than the one before; the first has one round (iterative
  /// deepening).
  std::chrono::milliseconds deeper{1000};
  /// Without bounds of loops and branches, where these cut a search that found nothing; 0: there is
  /// none.
  std::chrono::milliseconds unbounded{1000};
  /// Where no path shows it with calls and branches left out that do not cover every run: for a
  /// search without that, which can rule it out.
  std::chrono::milliseconds exact{2000};
  /// Where no path from the report's source shows it: to look for one from another source; 0: not
  /// to.
  std::chrono::milliseconds other{1000};
  /// Where the answer to one question is that no run shows it unless an assumption fails: for paths
  /// on which one does.
  std::chrono::milliseconds bounded{2000};

  /// Of a report that has so much: with more time than usual each part gets more; with less, none
  /// gets less.
  SearchTimes of(std::chrono::milliseconds time) const {
    const int64_t factor = std::max<int64_t>(1, time / kUsualTime);
    SearchTimes out = *this;
    for (std::chrono::milliseconds *part : {&out.shared, &out.callers, &out.deeper, &out.unbounded,
                                            &out.exact, &out.other, &out.bounded})
      *part *= factor;
    return out;
  }
};

/// How long one report may take.
struct ReportTime {
  std::chrono::milliseconds time = kUsualTime;
  /// What is said when it is over, as one clause.
  std::string over = "the time for one report ran out (--report-time)";
};

} // namespace fathom::confirm
#endif
