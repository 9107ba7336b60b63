// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/LeftOut.h"

#include "confirm/Busiest.h"
#include "confirm/Forget.h"
#include "explore/LedgerHint.h"
#include "explore/policy/PathBounds.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace fathom::confirm {

using namespace explore;

namespace {

/// Of what an exploration left out.
Cut cutOf(const std::string &category) {
  if (category == kLoopBoundCategory) return Cut::Loop;
  if (category == "bound-depth") return Cut::Depth;
  if (category == "bound-size") return Cut::Assumption;
  return Cut::Other;
}

/// What the condition of a loop that was cut asks for. \param detail  of PathBounds
llvm::SmallVector<llvm::StringRef, 4> loopAsks(llvm::StringRef detail) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  detail.split(kLoopAsksMark).second.split(names, ", ", -1, /*KeepEmpty=*/false);
  return names;
}

/// Does it go round for every argument?
bool asksForCount(const program::FunctionCode &entry, llvm::StringRef detail) {
  return entry.name == "main" && !entry.params.empty() &&
         llvm::is_contained(loopAsks(detail), llvm::StringRef(entry.params[0].name));
}

/// For people: what a call that was left out gave has no name that they know.
std::string detailText(const std::string &detail) {
  const bool isKnown = llvm::none_of(loopAsks(detail), [](llvm::StringRef name) {
    return siteOf(name.str()) || isErrno(name.str());
  });
  return isKnown ? withoutHint(detail) : llvm::StringRef(detail).split(kLoopAsksMark).first.str();
}

} // namespace

void noteLeftOut(const Ledger &ledger, const program::FunctionCode &entry, Search &search) {
  for (auto &[key, count] : ledger.entries()) {
    if (Ledger::isAssumption(key) || key.category == "assumed-memory" ||
        key.category == kDecidesCategory || key.category == kSpeaksOfCategory ||
        key.category == kSinkSpeaksOfCategory || key.category == kMissedSourceCategory)
      continue;
    if (key.category == kLeftOutCategory || key.category == kMattersCategory) {
      const bool matters = key.category == kMattersCategory;
      if (const std::optional<OmittedSite> site = siteOf(key.location))
        (matters ? search.mattering : search.inexact).insert(*site);
      search.usesErrno |= isErrno(key.location);
      continue;
    }
    const Cut cut = cutOf(key.category);
    const bool counts = cut == Cut::Loop && asksForCount(entry, key.detail);
    const bool isGraver =
        cut > search.cut || (cut == search.cut && counts && !search.countsArguments);
    search.countsArguments |= counts;
    if (!isGraver) continue;
    search.cut = cut;
    search.why = fmt::format("{} at {}", detailText(key.detail), key.location);
  }
}

void tellBounds(const program::FunctionCode &entry, std::chrono::milliseconds time, bool isTried,
                Search &bounded) {
  const bool isMain = entry.name == "main";
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
