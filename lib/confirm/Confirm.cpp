// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Confirm.h"

#include "confirm/InputValues.h"
#include "confirm/LeakSearch.h"
#include "confirm/Notes.h"
#include "confirm/NullOrigin.h"
#include "confirm/OneQuestion.h"
#include "confirm/PathSteps.h"
#include "confirm/PathWords.h"
#include "confirm/Reloads.h"
#include "confirm/SearchClock.h"
#include "confirm/Sources.h"
#include "evidence/BugKind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fathom::confirm {

using evidence::StackFrame;

using namespace explore;
using std::chrono::milliseconds;

const char *name(Verdict verdict) {
  switch (verdict) {
  case Verdict::Confirmed: return "confirmed";
  case Verdict::Possible: return "possible";
  case Verdict::Refuted: return "refuted";
  case Verdict::Open: return "open";
  }
  return "";
}

/// Said of paths that refute a report unless unknown pointers lead into the middle of objects.
static constexpr const char *kNotInside =
    " if pointers of unknown origin lead to no place inside of another object";

/// One defect, while it is looked at.
struct Confirmer::Checking {
  const DefectSearch &search;
  Clock::time_point end;
  Finding finding{};
  bool missesSource = false;   ///< Search::missesSource, of searches from the entry
  bool putsBack = false;       ///< Search::putsBack, of searches from the entry
  uint64_t pathsOfMain = 0;    ///< of searches before those from the entry
  bool isOfOneCall = false;    ///< refuted for a single call of the entry; it may be called again
  bool assumesOutside = false; ///< Search::assumesOutside, of what a refutation rests on
  bool holdsForAnyOverlap = false; ///< what one question said of it (OneQuestion.h)
  bool restsOnOverlap = false;     ///< open for that alone: all paths were followed
  /// The path that shows it takes a shape of callers' memory that they may never make: it reloads
  /// (Reloads.h), or two pointers lead to one object.
  bool isOfShape = false;
  bool isNullOfCallers = false; ///< the null pointer at its end is one of callers (NullOrigin.h)

  /// \param by  Finding::settledBy
  void settle(Verdict verdict, std::string reason, Cut cut = Cut::None, std::string by = "") {
    finding.verdict = verdict;
    finding.reason = std::move(reason);
    finding.cut = cut;
    finding.settledBy = std::move(by);
  }
  bool mayOverlap() const { return assumesOutside && !holdsForAnyOverlap; }
  void refuteByPaths(const std::string &why) {
    restsOnOverlap = mayOverlap();
    if (!restsOnOverlap) return settle(Verdict::Refuted, why);
    settle(Verdict::Open, why + kNotInside, Cut::Bounded);
  }
  milliseconds left() const {
    return std::max(std::chrono::duration_cast<milliseconds>(end - Clock::now()), milliseconds(0));
  }
};

Confirmer::Confirmer(const program::Program &program, ConfirmOptions options)
    : program_(program), options_(std::move(options)), facts_(program, options_),
      calls_(facts_.calls), callers_(program_, calls_, options_) {}

uint32_t Confirmer::entryOf(const Defect &defect, Finding &finding) const {
  std::vector<uint32_t> wanted = calls_.functionsAt(defect.sink);
  if (wanted.empty()) {
    finding.reason =
        fmt::format("the program has no code at {}:{}", defect.sink.file, defect.sink.line);
    finding.cut = Cut::NoCode;
    return program::kNoIndex;
  }
  wanted.resize(1);
  for (const Place &step : defect.steps)
    if (std::vector<uint32_t> at = calls_.functionsAt(step); !at.empty()) wanted.push_back(at[0]);
  return calls_.commonCaller(wanted).value_or(wanted[0]);
}

void Confirmer::takeBug(Bug &bug, const std::vector<ValueUse> &uses,
                        const program::FunctionCode &entry, EntryMemory memory,
                        Checking &checking) const {
  Finding &finding = checking.finding;
  const SourceUse &source = checking.search.source();
  finding.otherSource = source.isFrom(bug) ? "" : source.otherText(bug);
  const bool hasInput = memory == EntryMemory::Objects;
  checking.isOfShape = memory == EntryMemory::LazyAliased || (!hasInput && reloads(bug.test));
  checking.isNullOfCallers = !hasInput && isNullOfCallers(bug);
  std::erase_if(bug.test.symbols, [](const SymbolValue &s) { return isNote(s.name); });
  finding.kind = bug.kind;
  finding.path = pathSteps(program_, bug.test.trace);
  PathValues values = hasInput ? inputValues(bug.test, uses) : pathValues(bug.test.symbols, uses);
  finding.values = std::move(values.shown);
  finding.moreValues = values.more;
  finding.otherValues = values.others;
  finding.stack = bug.stack;
  finding.related = bug.related;
  finding.message = bug.message;
  const auto begins = std::ranges::find(finding.stack, entry.name, &StackFrame::function);
  if (begins != finding.stack.end()) finding.stack.erase(begins + 1, finding.stack.end());
  if (!calls_.isMain(entry.id))
    std::erase_if(finding.related,
                  [](const StackFrame &f) { return f.function.ends_with(" from main"); });
}

/// Numbers that its callers choose make almost any function have a bug of these kinds: then a path
/// from its start says little. A null pointer of theirs does so too. Others need that the function
/// itself frees, or takes null for memory; but a list of callers that is no list, or two pointers
/// to one object, make it find what it freed.
bool Confirmer::isUpToCallers(const Checking &checking) {
  using enum evidence::BugKind;
  const Finding &shown = checking.finding;
  if (checking.isOfShape || checking.isNullOfCallers) return true;
  const bool isOfNumbers = shown.kind == OutOfBoundsRead || shown.kind == OutOfBoundsWrite ||
                           shown.kind == DivisionByZero || shown.kind == Overshift ||
                           shown.kind == SignedOverflow;
  return isOfNumbers && !shown.values.empty();
}

void Confirmer::leaveToCallers(const std::string &from, const std::string &why, Cut cut,
                               bool isShort, Checking &checking) {
  checking.settle(Verdict::Open,
                  fmt::format("{}; whether callers make that possible is open: {}", from, why), cut,
                  isShort ? "more time for callers (--callers-time, --report-time)" : "");
}

void Confirmer::confirm(const program::FunctionCode &entry, const Search &shown, EntryMemory memory,
                        Checking &checking) const {
  Finding &finding = checking.finding;
  takeBug(*shown.bug, shown.uses, entry, memory, checking);
  const bool isMain = calls_.isMain(entry.id);
  finding.feasibleFrom = entry.name;
  finding.assumed = assumedText(entry, isMain, shown.assumes, memory);
  std::string from = "feasible from " + entry.name + startText(entry, shown.assumes, memory) +
                     failureText(finding);
  const milliseconds time = callersTime(checking);
  if (time.count() <= 0) {
    const bool hasMain = calls_.main();
    finding.wantsTime = options_.times.callers.count() > 0 && hasMain;
    const std::string why = !hasMain            ? "there is no main, and callers may be elsewhere"
                            : finding.wantsTime ? checking.search.time().over
                                                : "--callers-time 0";
    if (hasMain) finding.notFurther = why;
    if (finding.wantsTime && !isMain && isUpToCallers(checking))
      return leaveToCallers(from, why, Cut::Time, /*isShort=*/true, checking);
    const char *what = isMain ? "no input was looked for" : "callers not searched";
    return checking.settle(isMain ? Verdict::Confirmed : Verdict::Possible,
                           fmt::format("{}; {}: {}", from, what, why));
  }
  const Climb climb = this->climb(entry.id, time, checking);
  if (climb.isInfeasible) {
    finding.assumed.clear();
    // What the entry's own paths assume does not matter.
    checking.assumesOutside = climb.assumesOutside;
    return checking.refuteByPaths(fmt::format("{}, but not from its callers: {}", from,
                                              noneShows(climb.paths, "from there")));
  }
  tellHowFar(climb, std::move(from), checking);
}

milliseconds Confirmer::callersTime(const Checking &checking) const {
  // Functions of a library are called by code that is not here.
  if (!calls_.main()) return milliseconds(0);
  return std::min(checking.search.times().callers, checking.left());
}

Climb Confirmer::climb(uint32_t from, milliseconds time, Checking &checking) const {
  Climb out = callers_.climb(from, checking.search, time);
  checking.finding.paths += out.paths;
  // What the bound of its own ended would end the same with more time for the report.
  checking.finding.wantsTime |=
      out.isShort && !out.hasInput && time < checking.search.times().callers;
  return out;
}

void Confirmer::tellHowFar(const Climb &climb, std::string from, Checking &checking) const {
  Finding &finding = checking.finding;
  const bool isMain = calls_.isMain(climb.reached);
  std::string failure; // the text after "with an input"
  if (climb.bug) {
    const program::FunctionCode &reached = program_.functions[climb.reached];
    finding.feasibleFrom = reached.name;
    takeBug(*climb.bug, climb.uses, reached, climb.memory, checking);
    finding.assumed = assumedText(reached, isMain, climb.assumes, climb.memory);
    from =
        "feasible from " + finding.feasibleFrom + startText(reached, climb.assumes, climb.memory);
    failure = failureText(finding);
  }
  if (!climb.hasInput) {
    from += failure;
    finding.notFurther = climb.why;
    if (!isMain && isUpToCallers(checking))
      return leaveToCallers(from, climb.why, Cut::Assumption, climb.isShort, checking);
    const char *what = isMain ? "no input was found" : "not shown from its callers";
    return checking.settle(isMain ? Verdict::Confirmed : Verdict::Possible,
                           fmt::format("{}; {}: {}", from, what, climb.why));
  }
  from += " with an input" + failure;
  finding.wantsTime = false;
  if (options_.keepInput) {
    finding.reproduction = std::make_shared<Reproduction>(options_.keepInput(*climb.bug));
    if (const std::string &folder = finding.reproduction->folder; !folder.empty())
      from += fmt::format(" ({})", folder);
  }
  checking.settle(Verdict::Confirmed, from);
}

void Confirmer::refute(const program::FunctionCode &entry, bool assumes, Checking &checking) const {
  Finding &finding = checking.finding;
  if (checking.search.readsInput(entry.id, checking.putsBack))
    return checking.settle(
        Verdict::Open,
        fmt::format("{}, but {}", noneShows(finding.paths, "from " + entry.name), kEmptyInput),
        Cut::Input);
  const Defect &defect = checking.search.defect();
  if (isLeak(defect) && (defect.steps.empty() || !isAllocation(defect.steps[0])))
    return checking.settle(Verdict::Open,
                           fmt::format("{}, but the report does not say that memory is allocated "
                                       "at its source: of other leaks none is seen",
                                       noneShows(finding.paths, "from " + entry.name)),
                           Cut::NoSource);
  if (defect.isOfFreed() && calls_.returnsPointer(defect.sink))
    return checking.settle(Verdict::Open,
                           fmt::format("{}, but the line returns a pointer: whether the memory is "
                                       "used after that is open",
                                       noneShows(finding.paths, "from " + entry.name)),
                           Cut::Other, "a report of the place where the memory is used");
  if (!isLeak(defect) && !calls_.isOneLine(defect.sink))
    return checking.settle(Verdict::Open,
                           fmt::format("{}, but the statement goes on over further lines, which "
                                       "are other places",
                                       noneShows(finding.paths, "from " + entry.name)),
                           Cut::Other, "a report of the line where the memory is used");
  const bool isOnce = calls_.runsOnce(entry.id);
  checking.isOfOneCall = checking.missesSource && !isOnce && !assumes;
  const std::string none = noneShows(finding.paths, "from " + entry.name);
  const bool isOfItself = !assumes || isOnce;
  const milliseconds time = callersTime(checking);
  // From its callers, what pointers of unknown origin lead to may be known.
  if (isOfItself && (!checking.mayOverlap() || time.count() <= 0 || calls_.isMain(entry.id)))
    return checking.refuteByPaths(none);
  if (!calls_.main())
    return checking.settle(Verdict::Open,
                           fmt::format("no path of a single call of {} shows it; what callers of "
                                       "the library did before is unknown",
                                       entry.name),
                           Cut::Assumption);
  // An earlier call may have left behind what this one uses, and takes for valid.
  const Climb climb = this->climb(entry.id, time, checking);
  if (climb.isInfeasible) {
    checking.assumesOutside = climb.assumesOutside;
    return checking.refuteByPaths(
        noneShows(finding.paths, "from " + entry.name + " and its callers"));
  }
  if (!climb.bug && isOfItself) return checking.refuteByPaths(none);
  if (!climb.bug)
    return checking.settle(Verdict::Open,
                           fmt::format("no path of a single call of {} shows it; whether earlier "
                                       "calls make one possible is open: {}",
                                       entry.name, climb.why),
                           Cut::Assumption,
                           !climb.isShort ? ""
                           : time < checking.search.times().callers
                               ? settledBy(Cut::Time)
                               : "more time for callers (--callers-time)");
  finding.entry = program_.functions[climb.reached].name;
  tellHowFar(climb, "", checking);
}

void Confirmer::tryInput(Checking &checking) const {
  Finding &finding = checking.finding;
  const bool needsInput = finding.cut == Cut::Input;
  if (!needsInput && (options_.times.callers.count() <= 0 || !calls_.main())) return;
  // Nothing else is left to do for the report.
  const milliseconds time = options_.times.callers.count() > 0 ? checking.left() : milliseconds(0);
  const Climb climb = callers_.fromMain(checking.search, time);
  finding.paths += climb.paths;
  if (!climb.bug) {
    finding.wantsTime |= climb.isShort && options_.times.callers.count() > 0;
    if (needsInput || !climb.isShort) finding.reason += "; " + climb.why;
    if (!needsInput) return;
    if (!calls_.main())
      finding.settledBy = "a program with a main that calls this code";
    else if (options_.times.callers.count() <= 0)
      finding.settledBy = "a search from main (--callers-time)";
    else if (climb.isShort)
      finding.settledBy = settledBy(Cut::Time);
    return;
  }
  finding.entry = "main";
  tellHowFar(climb, "", checking);
}

void Confirmer::decide(const program::FunctionCode &entry, Checking &checking) const {
  bool assumes = false, isSecond = false;
  for (EntryMemory memory : {EntryMemory::Lazy, EntryMemory::LazyAliased}) {
    const milliseconds left = checking.left();
    if (left < kLeastSearch) {
      checking.finding.wantsTime = true;
      return checking.settle(Verdict::Open,
                             isSecond
                                 ? "no path shows it if pointers of callers point to different "
                                   "objects; the other paths were not explored: " +
                                       checking.search.time().over
                                 : checking.search.time().over,
                             Cut::Time);
    }
    const Search search = checking.search.from({&entry, memory}, left);
    checking.finding.paths += search.paths;
    if (search.bug) return confirm(entry, search, memory, checking);
    if (!search.isExhausted) {
      checking.finding.wantsTime |= search.isShort;
      return checking.settle(Verdict::Open, search.why, search.cut, search.settledBy);
    }
    isSecond = true;
    assumes |= search.assumes;
    checking.assumesOutside |= search.assumesOutside;
    checking.missesSource |= search.missesSource;
    checking.putsBack |= search.putsBack;
    if (!search.assumes) break; // two pointers that are not there lead to no one object
    if (std::string why = whyNotRuledOut(checking.search.defect()); !why.empty())
      return checking.settle(Verdict::Open, why,
                             checking.search.defect().steps.empty() ? Cut::NoSource
                                                                    : Cut::Assumption);
  }
  refute(entry, assumes, checking);
}

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

Finding Confirmer::check(const Defect &defect, const ReportTime &time,
                         const std::vector<const KnownInput *> &known) const {
  const WallClock::time_point started = WallClock::now();
  // The verdict is to be the same in every run.
  const Clock::CountsSteps counting;
  const Clock::time_point end = Clock::now() + time.time;
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
  OneAnswer answer = askOnce(facts_, options_, checking.search, entry, checking.left() / 8);
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
