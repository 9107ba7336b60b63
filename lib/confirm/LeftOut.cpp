// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/LeftOut.h"

#include "confirm/Busiest.h"
#include "confirm/DeadEnds.h"
#include "confirm/Forget.h"
#include "confirm/Outside.h"
#include "evidence/LedgerCategory.h"
#include "explore/LedgerText.h"
#include "explore/policy/PathBounds.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fathom::confirm {

using evidence::LedgerCategory;

using namespace explore;

namespace {

/// Of what an exploration left out.
Cut cutOf(LedgerCategory category) {
  if (category == kLoopBoundCategory) return Cut::Loop;
  if (category == LedgerCategory::BoundDepth) return Cut::Depth;
  if (category == LedgerCategory::BoundSize) return Cut::Assumption;
  if (category == LedgerCategory::EarlierBug) return Cut::Earlier;
  if (category == kOutsideCategory) return Cut::Outside;
  return Cut::Other;
}

/// By category: what would have taken a search further that ended by what it left out, as one
/// clause. Others: what settledBy(Cut::Other) says.
constexpr std::pair<LedgerCategory, const char *> kRemedies[] = {
    {LedgerCategory::ConcretizedValue,
     "nothing today: one of the possible values was tried here, and no option "
     "of confirm tries the others"},
    {LedgerCategory::ExternalCall, "a program that has the code of this function"},
    {LedgerCategory::UnsupportedInstruction,
     "a program without this instruction: Fathom does not execute it"},
    {LedgerCategory::SolverTimeout, "nothing today: a query here is too hard for the solver"},
    {LedgerCategory::SolverUnknown, "nothing today: a query here is too hard for the solver"},
    {LedgerCategory::EvictedState,
     "more memory (--max-memory), or fewer reports at a time (--jobs)"},
};

std::string remedyFor(LedgerCategory category) {
  const auto *known =
      std::ranges::find_if(kRemedies, [&](const auto &r) { return category == r.first; });
  return known == std::end(kRemedies) ? "" : known->second;
}

/// By location: the inputs that the conditions of loops that were cut there ask for.
std::map<std::string, std::vector<std::string>> loopAsks(const Ledger &ledger) {
  std::map<std::string, std::vector<std::string>> out;
  for (const auto &[key, count] : ledger.entries())
    if (key.category == kLoopAsksCategory) out[key.location].push_back(key.detail);
  return out;
}

/// For people: what a call that was left out gave has no name that they know.
std::string asksText(const std::vector<std::string> &asks) {
  const bool isKnown =
      llvm::none_of(asks, [](const std::string &name) { return siteOf(name) || isErrno(name); });
  if (asks.empty() || !isKnown) return "";
  return fmt::format("; whether it goes on depends on {}", fmt::join(asks, ", "));
}

} // namespace

void noteLeftOut(const Ledger &ledger, const std::string &count, Search &search) {
  const std::map<std::string, std::vector<std::string>> allAsks = loopAsks(ledger);
  for (auto &[key, times] : ledger.entries()) {
    if (Ledger::isAssumption(key) || key.category == LedgerCategory::AssumedMemory ||
        key.category == LedgerCategory::AssumedOutside || key.category == kDecidesCategory ||
        key.category == kSpeaksOfCategory || key.category == kSinkSpeaksOfCategory ||
        key.category == kMissedSourceCategory || key.category == kLoopAsksCategory ||
        key.category == kDeadEndCategory)
      continue;
    if (key.category == kLeftOutCategory || key.category == kMattersCategory) {
      const bool matters = key.category == kMattersCategory;
      if (const std::optional<OmittedSite> site = siteOf(key.location))
        (matters ? search.mattering : search.inexact).insert(*site);
      search.usesErrno |= isErrno(key.location);
      continue;
    }
    const Cut cut = cutOf(key.category);
    const auto known = cut == Cut::Loop ? allAsks.find(key.location) : allAsks.end();
    const std::vector<std::string> asks =
        known == allAsks.end() ? std::vector<std::string>() : known->second;
    // It goes round for every argument.
    const bool counts = !count.empty() && llvm::is_contained(asks, count);
    const bool isGraver =
        cut > search.cut || (cut == search.cut && counts && !search.countsArguments);
    search.countsArguments |= counts;
    if (!isGraver) continue;
    const std::string text = withoutSites(withoutHint(key.detail));
    search.stoppedBy(cut, text + asksText(asks) + whereText(key.location),
                     cut == Cut::Other ? remedyFor(key.category) : "");
  }
}

void tellBounds(bool isMain, std::chrono::milliseconds time, bool isTried, Search &bounded) {
  if (isTried)
    bounded.why +=
        fmt::format("; without this bound, the search did not end in {:g} s (--unbounded-time)",
                    std::chrono::duration<double>(time).count());
  if (bounded.countsArguments)
    bounded.settledBy = "an input that shows it (--sym-args, --sym-stdin, --sym-files); no number "
                        "of rounds rules it out, for main can get any number of arguments";
  else if (!isTried)
    bounded.settledBy =
        std::string(settledBy(bounded.cut)) + ", or a search without this bound (--unbounded-time)";
  else
    bounded.settledBy = std::string("more time for the search without this bound "
                                    "(--unbounded-time)") +
                        (isMain ? "" : ", or the code of callers, if what they pass has a bound");
}

} // namespace fathom::confirm
