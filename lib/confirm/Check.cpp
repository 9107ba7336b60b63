// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order one defect is looked for: along known inputs, by one question about all paths, by
// paths from the report's source, and by those from another one.
#include "confirm/Checking.h"
#include "confirm/Confirm.h"
#include "confirm/OneQuestion.h"
#include "confirm/SearchClock.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

using namespace explore;
using std::chrono::milliseconds;

/// Does the program call the environment model, which is not there?
static bool isModelMissing(const program::Program &program) {
  return !hasModel(program) &&
         std::ranges::any_of(program.externals, [](const program::External &external) {
           return external.name.starts_with("__fathom_");
         });
}

void Confirmer::showFromMain(std::unique_ptr<Bug> bug, std::vector<ValueUse> uses,
                             Checking &checking) const {
  Climb shown;
  shown.show(std::move(bug), std::move(uses), calls_.main()->id, EntryMemory::Objects,
             /*hasAssumed=*/false);
  checking.finding.entry = calls_.main()->name;
  tellHowFar(shown, "", checking);
}

bool Confirmer::tryKnown(const std::vector<const KnownInput *> &known, Checking &checking) const {
  const program::FunctionCode *main = calls_.main();
  // The paths themselves come to an end; what branches off may show it from its own source.
  for (const bool isOnlyAlong : {true, false}) {
    const SearchClock clock(checking.left() / (isOnlyAlong ? 2 : 4));
    for (const KnownInput *input : known) {
      if (clock.isOver()) break;
      const Start start{main, EntryMemory::Objects, &input->words, &input->seed, isOnlyAlong};
      Search search = checking.search.from(
          start, isOnlyAlong ? clock.left() : std::max(clock.left() / 2, kLeastSearch));
      checking.pathsOfMain += search.paths;
      if (!search.bug) continue;
      showFromMain(std::move(search.bug), std::move(search.uses), checking);
      return true;
    }
  }
  return false;
}

Finding Confirmer::check(const Defect &reported, const ReportTime &time,
                         const std::vector<const KnownInput *> &known) const {
  const WallClock::time_point started = WallClock::now();
  // The verdict is to be the same in every run.
  const Clock::CountsSteps counting;
  const Clock::time_point end = Clock::now() + time.time;
  Defect defect = reported;
  defect.isAtAccess = calls_.isAtAccess(defect.sink);
  const SourceUse source(program_, calls_, defect);
  const DefectSearch search(facts_, options_, time, defect, source);
  Checking checking{search, end};
  Finding &out = checking.finding;
  bool isOfAllSources = false;
  if (!tryKnown(known, checking)) {
    const OneAnswer asked = askFirst(defect, checking);
    if (asked.kind == OneAnswer::Kind::Bounded)
      checking.end = std::min(checking.end, Clock::now() + search.times().bounded);
    isOfAllSources = asked.kind == OneAnswer::Kind::Never;
    checking.holdsForAnyOverlap = holdsForAnyOverlap(asked);
    if (!isOfAllSources) checkBy(search, checking);
    // A path that shows it, up to callers, says more.
    if (asked.kind == OneAnswer::Kind::Bounded && out.verdict == Verdict::Open &&
        out.feasibleFrom.empty()) {
      out.wantsTime = false;
      checking.settle(Verdict::Open, text(asked, program_), Cut::Bounded);
    }
  }
  // All paths from the source were followed: those from others are left.
  const bool isOtherOpen = source.isTold() && !isOfAllSources &&
                           (out.verdict == Verdict::Refuted || checking.restsOnOverlap ||
                            out.cut == Cut::Input || out.cut == Cut::Assumption);
  if (!isShown(out.verdict) && (search.metOther() || isOtherOpen))
    lookElsewhere(search.metOther() ? checking.end
                                    : std::min(checking.end, Clock::now() + search.times().other),
                  checking);
  if (out.verdict == Verdict::Refuted && isModelMissing(program_))
    checking.settle(Verdict::Open,
                    out.reason + ", but the environment model is missing: what system calls do is "
                                 "unknown",
                    Cut::Outside, "an installation of Fathom with its lib/fathom/runtime.bc");
  if (Clock::isDegraded() && out.verdict == Verdict::Open && out.cut == Cut::Time &&
      out.reason.find(kByClock) == std::string::npos)
    out.reason += kByClock;
  out.paths += checking.pathsOfMain;
  out.had = time.time;
  out.seconds = std::chrono::duration<double>(WallClock::now() - started).count();
  return std::move(out);
}

void Confirmer::lookElsewhere(Clock::time_point end, Checking &checking) const {
  const DefectSearch &before = checking.search;
  const DefectSearch all(facts_, options_, before.time(), before.defect(), before.source(),
                         &before);
  Checking again{all, end};
  again.holdsForAnyOverlap = checking.holdsForAnyOverlap;
  // A path from main with an input, if one was met, says more than others.
  const program::FunctionCode *main = calls_.main();
  const Search *met = main ? before.otherFrom({main, EntryMemory::Objects}) : nullptr;
  if (met)
    showFromMain(std::make_unique<Bug>(*met->bug), met->uses, again);
  else
    checkBy(all, again);
  Finding &found = checking.finding, &other = again.finding;
  other.paths += found.paths;
  // A bound of its own would end it the same with more time for the report.
  other.wantsTime = found.wantsTime || (other.wantsTime && end == checking.end);
  if (!other.otherSource.empty())
    other.otherSource +=
        found.verdict != Verdict::Refuted
            ? fmt::format("; whether a path from the reported source shows it is open: {}",
                          found.reason)
        : checking.isOfOneCall
            ? fmt::format("; no path of a single call of {} from the reported source shows it",
                          found.entry)
            : "; no path from the reported source shows it";
  // Whether there is one from another source may stay open. If more time may show one, the report
  // is asked about again.
  if (other.verdict == Verdict::Open && !checking.isOfOneCall) {
    found.paths = other.paths;
    found.wantsTime = other.wantsTime;
    if (found.verdict == Verdict::Refuted) found.reason += "; other sources were not ruled out";
    return;
  }
  found = std::move(other);
}

OneAnswer Confirmer::askFirst(const Defect &defect, Checking &checking) const {
  Finding &finding = checking.finding;
  const uint32_t entry = entryOf(defect, finding);
  // Where a freed pointer is returned, the use is elsewhere (refute).
  const bool isElsewhere = defect.isOfFreed() && calls_.returnsPointer(defect.sink);
  if (!options_.asksFirst || entry == program::kNoIndex || isElsewhere) return {};
  // It takes nothing away from the search that follows.
  const Clock::time_point before = Clock::now();
  OneAnswer answer = askOnce(facts_, options_, checking.search, entry, checking.left() / 4);
  checking.end += Clock::now() - before;
  if (answer.kind != OneAnswer::Kind::Never) return answer;
  finding.entry = program_.functions[entry].name;
  checking.settle(Verdict::Refuted, text(answer, program_));
  return answer;
}

bool Confirmer::tryMain(Checking &checking) const {
  const milliseconds time = std::min(checking.search.times().callers, checking.left() / 4);
  if (time < kLeastSearch) return false;
  const Climb climb = callers_.fromMain(checking.search, time);
  checking.pathsOfMain += climb.paths;
  if (climb.bug) tellHowFar(climb, "", checking);
  return climb.bug != nullptr;
}

void Confirmer::checkBy(const DefectSearch &search, Checking &checking) const {
  Finding &finding = checking.finding;
  const uint32_t entry = entryOf(search.defect(), finding);
  if (entry == program::kNoIndex) return;
  finding.entry = program_.functions[entry].name;
  if (calls_.isMain(entry) && tryMain(checking)) return;
  decide(program_.functions[entry], checking);
  if (finding.verdict == Verdict::Open) tryInput(checking);
}

} // namespace fathom::confirm
