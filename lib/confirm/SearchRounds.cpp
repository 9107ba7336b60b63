// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explorations that differ in their bounds only: with one round (iteration) of each loop, with
// more, and without bounds. Rounds.h is about other rounds, those of --rounds.
//
// Cost: where a bound is not the last one, what it explored is explored again (iterative deepening:
// R. Korf, Artificial Intelligence 27, 1985). Short paths come first for that.
#include "confirm/LeftOut.h"
#include "confirm/Search.h"
#include "confirm/SearchClock.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace fathom::confirm {

Search DefectSearch::deeper(const Start &start, const Omitted &omitted,
                            std::chrono::milliseconds time) const {
  const SearchClock clock(time);
  const uint32_t most = options_.loopBound;
  Search known =
      once(start, omitted, {.rounds = std::min(1u, most), .branches = options_.maxDepth}, time);
  for (uint32_t rounds = 2; rounds <= most && !known.bug && known.cut == Cut::Loop; ++rounds) {
    const auto more = std::min(clock.left(), times_.deeper);
    const auto stays = [&](const std::string &why) {
      known.why += fmt::format("; with {} rounds, {}", rounds, why);
      known.isShort = more < times_.deeper;
      // If the report's time cut the search short, a larger --deeper-time would change nothing.
      known.settledBy = known.isShort ? settledBy(Cut::Time)
                                      : "more time for searches with more rounds (--deeper-time)";
      known.isDeepest = false;
      return std::move(known);
    };
    if (times_.deeper.count() <= 0) return stays("--deeper-time 0");
    if (more < kLeastSearch) return stays(time_.over);
    Search next = once(start, omitted, {.rounds = rounds, .branches = options_.maxDepth}, more);
    next.paths += known.paths;
    if (!next.bug && next.cut == Cut::Time) {
      known.paths = next.paths;
      return stays(fmt::format(
          "the search did not end in {:g} s ({})", std::chrono::duration<double>(more).count(),
          more < times_.deeper ? "what was left for this report" : "--deeper-time"));
    }
    known = std::move(next);
  }
  return known;
}

Search DefectSearch::boundedThenUnbounded(const Start &start, const Omitted &omitted,
                                          std::chrono::milliseconds time) const {
  const SearchClock clock(time);
  Search bounded = deeper(start, omitted, time);
  const bool isCut = bounded.cut == Cut::Loop || bounded.cut == Cut::Depth;
  if (bounded.bug || !isCut || !bounded.isDeepest) return bounded;
  const auto most = times_.unbounded, more = std::min(clock.left(), most);
  if (most.count() <= 0) {
    tellBounds(calls_.isMain(start.entry->id), most, /*isTried=*/false, bounded);
    return bounded;
  }
  // The last word has what stopped the search without bounds.
  const auto outOfTime = [&](const std::string &over) {
    bounded.stoppedBy(Cut::Time, bounded.why + "; for the search without this bound, " + over);
    bounded.isShort = true;
    return std::move(bounded);
  };
  if (more < kLeastSearch) return outOfTime(time_.over);
  Search unbounded = once(start, omitted, {}, more);
  unbounded.paths += bounded.paths;
  if (unbounded.bug || unbounded.cut != Cut::Time) return unbounded;
  bounded.paths = unbounded.paths;
  if (more < most) return outOfTime(unbounded.why);
  tellBounds(calls_.isMain(start.entry->id), most, /*isTried=*/true, bounded);
  return bounded;
}

} // namespace fathom::confirm
