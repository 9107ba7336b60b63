// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Confirm.h"

#include "confirm/Checking.h"
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

} // namespace fathom::confirm
