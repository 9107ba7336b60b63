// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Search.h"

#include "confirm/Busiest.h"
#include "confirm/LeakSearch.h"
#include "confirm/LeftOut.h"
#include "confirm/Notes.h"
#include "confirm/NullOrigin.h"
#include "confirm/OneQuestion.h"
#include "confirm/Outside.h"
#include "confirm/PaperInit.h"
#include "confirm/PathSteps.h"
#include "confirm/Reloads.h"
#include "confirm/SearchClock.h"
#include "confirm/Shows.h"
#include "confirm/SkipCalls.h"
#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/Explore.h"
#include "explore/policy/PathBounds.h"
#include "explore/policy/UnknownArguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace fathom::confirm {

using evidence::BugKind;
using evidence::LedgerCategory;

using namespace explore;

namespace {

/// What an exploration ends with (ExploreOptions::endsWith): the bug. What was met from another
/// source than the report's is an answer, too: half of the time has to be enough for a better one.
class EndsWith {
public:
  /// \param source  only paths from it are waited for; null: all are
  EndsWith(const Defect &defect, const SourceUse *source, std::chrono::milliseconds time)
      : defect_(defect), source_(source), half_(time / 2) {}
  bool operator()(const Bug *bug, solver::Clock::duration passed) {
    if (!bug) return metOther_ && passed >= half_;
    if (!shows(*bug, defect_)) return false;
    const bool isOther = source_ && !source_->isFrom(*bug);
    metOther_ |= isOther;
    return !isOther;
  }

private:
  const Defect &defect_;
  const SourceUse *source_;
  const std::chrono::milliseconds half_;
  bool metOther_ = false;
};

/// Receives the bug with which the exploration ends.
class Waiting : public ResultSink {
public:
  /// \param source  as for EndsWith
  Waiting(const Defect &defect, UnseenLeaks unseenLeaks, const SourceUse *source,
          const std::atomic<bool> *interrupt)
      : unseen(std::move(unseenLeaks)), defect_(defect), source_(source), interrupt_(interrupt) {}
  bool onTest(const TestCase &test) override {
    unseen.ended(test);
    return true;
  }
  bool onBug(const Bug &bug) override {
    if (found) return true;
    if (!shows(bug, defect_)) {
      metInCallee |= isInCallee(bug, defect_);
      unseen.leaked(bug);
      return true;
    }
    if (source_ && !source_->isFrom(bug)) {
      metOther = true;
      if (!other && isComplete(bug)) other = std::make_unique<Bug>(bug);
      return true;
    }
    found = std::make_unique<Bug>(bug);
    return true;
  }
  void onProgress(const Stats &) override {
    if (interrupt_ && *interrupt_) stop = true;
  }
  void onEcho(int, const std::string &) override {}

  std::unique_ptr<Bug> found, other; ///< other: of those met, the first that left nothing out
  bool metOther = false, metInCallee = false;
  UnseenLeaks unseen;
  std::atomic<bool> stop{false};

private:
  static bool isComplete(const Bug &bug) {
    return std::ranges::none_of(bug.test.symbols, [](const SymbolValue &symbol) {
      return siteOf(symbol.name) || isErrno(symbol.name);
    });
  }

  const Defect &defect_;
  const SourceUse *source_;
  const std::atomic<bool> *interrupt_;
};

std::string searcherOf(Strategy strategy, const Place &sink) {
  const std::string nearest = fmt::format("targets={}:{}", sink.file, sink.line);
  switch (strategy) {
  case Strategy::Default: return "false-first";
  case Strategy::Distance: return nearest;
  case Strategy::Mixed: break;
  }
  return nearest + ",dfs";
}

std::string timeText(std::string out, const ExploreResult &result) {
  if (result.stats.isBehind) out += kByClock;
  if (const std::string busiest = busiestText(result.ledger); !busiest.empty())
    out += "; " + busiest;
  return out;
}

/// What the bug's path left out.
void noteLeftOut(const Bug &bug, Search &search) {
  for (const SymbolValue &symbol : bug.test.symbols) {
    if (const std::optional<OmittedSite> site = siteOf(symbol.name)) search.leftOut.insert(*site);
    search.hasErrno |= isErrno(symbol.name);
  }
}

} // namespace

/// Does code of the program run before its main? Yes where that is not known.
static bool hasConstructors(const program::Program &program) {
  const auto list = program.globalIndex.find("__init_array_start");
  return list == program.globalIndex.end() || program.globals[list->second].sizeBytes != 0;
}

ProgramFacts::ProgramFacts(const program::Program &program, const ConfirmOptions &options)
    : program(program), calls(program, options.effects), returns(program),
      releases(findReleasing(program, calls, options.effects)),
      hasCodeBeside(confirm::hasCodeBeside(program)), runsBeforeMain(hasConstructors(program)),
      loopExits(std::make_shared<const LoopExits>(program)) {
  const CallEffects kNone;
  if (options.slices)
    regions = regionsToLeaveOut(program, options.effects ? *options.effects : kNone, returns);
}

DefectSearch::DefectSearch(const ProgramFacts &facts, const ConfirmOptions &options,
                           const ReportTime &time, const Defect &defect, const SourceUse &source,
                           const DefectSearch *before)
    : facts_(facts), program_(facts.program), calls_(facts.calls), returns_(facts.returns),
      options_(options), time_(time), times_(options.times.of(time.time)), defect_(defect),
      source_(source), before_(before), places_(defect.steps), sinkCalls_(calls_, defect.sink),
      sinkCode_(calls_.instructionsAt(defect.sink)), isRelated_(program_.functions.size()),
      namesCall_(program_.functions.size()) {
  places_.push_back(defect.sink);
  for (const Place &place : places_)
    for (uint32_t f : calls_.functionsAt(place)) {
      if (isRelated_[f]) continue;
      const std::vector<bool> reaching = calls_.reaching(f);
      for (size_t i = 0; i < reaching.size(); ++i) isRelated_[i] = isRelated_[i] || reaching[i];
    }
  for (const Place &place : places_)
    for (uint32_t f : calls_.functionsAt(place)) findNamedCalls(program_.functions[f]);
  for (const Region &region : facts.regions)
    if (!holds(program_, region, places_)) regions_.push_back(&region);
  if (before) {
    sinkReach_ = before->sinkReach_;
    return;
  }
  // A leak shows where the program ends.
  if (!isLeak(defect))
    sinkReach_ = std::make_shared<const PlaceReach>(program_, calls_, returns_, defect.sink);
  if (sinkReach_ && source.isTold())
    sourceReach_ = std::make_shared<const PlaceReach>(program_, calls_, returns_, source.place());
}

void DefectSearch::findNamedCalls(const program::FunctionCode &f) {
  for (uint32_t i = 0; i < f.code.size() && !namesCall_[f.id]; ++i) {
    if (f.code[i].op != program::Op::Call || !isRelated_[f.code[i].c]) continue;
    const program::Location &at = program_.location(f, i);
    namesCall_[f.id] = isAnyAt(places_, program_.files[at.file], at.line);
  }
}

std::vector<bool> DefectSearch::apartCalls(const Start &start, bool onlyExact) const {
  std::vector<bool> out(program_.functions.size());
  if (!options_.effects || !options_.effects->isKnown(start.entry->id)) return out;
  for (const program::FunctionCode &f : program_.functions) {
    const CallEffect *effect = options_.effects->of(f.id);
    // Of a function that does not come back, only its end counts.
    out[f.id] = effect && ((effect->isExact && !isRelated_[f.id]) || !onlyExact) &&
                (f.code.empty() || returns_.returns(f.id));
  }
  return out;
}

bool DefectSearch::readsInput(uint32_t function, bool putsBack) const {
  const Start start{&program_.functions[function]};
  return calls_.hasReader(sinkCalls_.reached()) ||
         calls_.readsInput(function, putsBack ? std::vector<bool>()
                                              : omittedFrom(start, /*onlyExact=*/true).calls);
}

DefectSearch::Omitted DefectSearch::omittedFrom(const Start &start, bool onlyExact) const {
  Omitted out;
  if (start.hasInput()) return out;
  const bool isKnown = options_.effects && options_.effects->isKnown(start.entry->id);
  for (const Region *region : regions_) {
    const bool isApart =
        std::ranges::none_of(region->callees, [&](uint32_t callee) { return isRelated_[callee]; });
    const bool isExact = region->isExact && isApart;
    if (isKnown ? isExact || (!onlyExact && (isApart || namesCall_[region->function]))
                : isExact && region->callees.empty())
      out.regions.push_back({region, isExact});
  }
  if (options_.calls == Calls::StepIn) return out;
  out.calls = apartCalls(start, onlyExact);
  if (options_.calls == Calls::Summaries) return out;
  for (const program::FunctionCode &f : program_.functions) {
    const bool isWord =
        !f.retSlots || (f.retSlots == 1 && f.retWidthBits > 0 && f.retWidthBits <= 64 &&
                        (f.foreignResult == program::ForeignType::Integer ||
                         f.foreignResult == program::ForeignType::Pointer));
    out.calls[f.id] =
        out.calls[f.id] || (f.own && isWord && !isRelated_[f.id] && !calls_.isMain(f.id));
  }
  return out;
}

void DefectSearch::addPolicies(const Omitted &omitted, ExploreOptions &options) const {
  if (!omitted.any()) return;
  options.policies.push_back([] { return std::make_unique<OmissionUseNotes>(); });
  static const CallEffects kNone;
  const CallEffects &effects = options_.effects ? *options_.effects : kNone;
  if (!omitted.regions.empty())
    options.policies.push_back(
        [this, &effects, regions = omitted.regions, executed = omitted.executed] {
          return std::make_unique<SkipRegions>(effects, sinkCalls_, regions, executed);
        });
  if (omitted.calls.empty()) return;
  options.policies.push_back([this, &effects, calls = omitted.calls, executed = omitted.executed] {
    SkipCalls::Defect of{sinkCalls_, places_, isRelated_, namesCall_};
    return std::make_unique<SkipCalls>(effects, calls, std::move(of), executed);
  });
  options.policies.push_back([] { return std::make_unique<UnknownErrno>(); });
}

ExploreOptions DefectSearch::exploreOptions(const Start &start, const Omitted &omitted,
                                            PathBounds::Limits limits) const {
  ExploreOptions options = options_.explore;
  options.jobs = 1;
  options.failAllocations = true;
  options.bugKinds = defect_.kinds;
  options.unknownCallees = [this](uint32_t f) { return calls_.calledByUnknown(f); };
  options.wantsBug = [this](const Bug &bug) { return mayShow(bug, defect_); };
  // After another defect a program mostly goes on, and the reported one may follow.
  options.notesEarlierBugs = true;
  options.continuesAfterMemoryError = true;
  options.traceFrom = 1; // every branch, for the path's steps
  options.traceTo = kTracedBranches;
  options.entryMemory = start.memory;
  options.search = searcherOf(options_.strategy, defect_.sink);
  options.policies.push_back([] { return std::make_unique<DecisionCounter>(); });
  options.policies.push_back([] { return std::make_unique<OutsideNotes>(); });
  options.policies.push_back(
      [this] { return std::make_unique<ValueUseNotes>(defect_.kinds, sinkCode_); });
  if (source_.isTold())
    options.policies.push_back([source = &source_] { return source->policy(); });
  if (start.memory != EntryMemory::Objects && defect_.means(BugKind::NullDereference))
    options.policies.push_back([this] { return std::make_unique<NullAtSinkNotes>(sinkCode_); });
  if (start.memory != EntryMemory::Objects && defect_.isOfFreed())
    options.policies.push_back([] { return std::make_unique<ReloadNotes>(); });
  if (isLeak(defect_)) addLeakNotes(calls_, defect_, *start.entry, options);
  // A second path to a bug may be the first one from its source, or past the sink of a leak.
  if ((source_.isTold() && !before_) || isLeak(defect_)) options.allBugInputs = true;
  if (sinkReach_)
    options.policies.push_back(
        [this] { return std::make_unique<DeadEnds>(sinkReach_, &source_, sourceReach_); });
  if (start.hasInput()) {
    options.arguments = *start.input;
    if (start.along) options.seeds = {*start.along};
    options.onlySeeds = start.isOnlyAlong;
    if (start.isOnlyAlong) options.failAllocations = !start.along->failedAllocations.empty();
    return options;
  }
  if (calls_.isMain(start.entry->id))
    options.policies.push_back([] { return std::make_unique<UnknownArguments>(); });
  else
    options.entry = start.entry->name;
  if (options_.assumesDistinctPointers)
    options.policies.push_back(
        [entry = start.entry->id] { return std::make_unique<PaperInit>(entry); });
  // Without limits the policy keeps decisions, for the searcher.
  options.policies.push_back(
      [limits, exits = facts_.loopExits] { return std::make_unique<PathBounds>(limits, exits); });
  addPolicies(omitted, options);
  return options;
}

std::string DefectSearch::countOf(const Start &start) const {
  const program::FunctionCode &entry = *start.entry;
  return calls_.isMain(entry.id) && !entry.params.empty() ? entry.params[0].name : "";
}

Search DefectSearch::once(const Start &start, const Omitted &omitted, PathBounds::Limits limits,
                          std::chrono::milliseconds time) const {
  ExploreOptions options = exploreOptions(start, omitted, limits);
  options.maxTime = time;
  options.countsSteps = true;
  const SourceUse *source = before_ ? nullptr : &source_;
  options.endsWith = EndsWith(defect_, source, time);
  Waiting sink(defect_, {program_, calls_, defect_}, source, options_.stop);
  const solver::Clock::time_point asked = solver::Clock::work();
  const ExploreResult result = explore::explore(program_, options, sink, sink.stop);
  solver::Clock::excludeWait(solver::Clock::work() - asked);
  solver::Clock::spend(std::chrono::nanoseconds(result.stats.stepNanoseconds));
  Search out;
  out.bug = std::move(sink.found);
  if (out.bug) {
    noteLeftOut(*out.bug, out);
    out.uses = usesOf(program_, result.ledger, *out.bug);
  }
  out.paths = result.stats.pathsCompleted;
  const auto has = [&](LedgerCategory category) {
    return std::ranges::any_of(result.ledger.entries(),
                               [&](auto &entry) { return entry.first.category == category; });
  };
  out.assumes = has(LedgerCategory::AssumedMemory);
  out.assumesOutside = has(LedgerCategory::AssumedOutside);
  out.missesSource = has(kMissedSourceCategory);
  metOther_ |= sink.metOther;
  if (sink.other) {
    Search &other = others_[{start.entry->id, start.memory}];
    other.bug = std::move(sink.other);
    other.uses = usesOf(program_, result.ledger, *other.bug);
    other.assumes = out.assumes;
  }
  const bool isOver = result.error.empty() && result.stats.stop == StopReason::Exhausted;
  noteLeftOut(result.ledger, countOf(start), out);
  if (sink.metInCallee && !out.bug && out.cut < Cut::Earlier)
    out.stoppedBy(Cut::Earlier, "a path ends by another defect, in a function that the line calls");
  if (out.cut == Cut::Earlier && omitted.any()) {
    out.endsByLeftOut = true;
    out.stoppedBy(Cut::LeftOut, "with calls or branches left out, " + out.why +
                                    ", which may be no defect of the program");
  }
  if (isOver) {
    if (out.cut == Cut::None && !out.bug && !sink.unseen.why().empty()) {
      out.stoppedBy(Cut::Other, "no path shows it, but " + sink.unseen.why());
    }
    // A search that followed nothing rules nothing out.
    if (out.cut == Cut::None && !out.bug && !result.stats.pathsCompleted &&
        !has(kDeadEndCategory) && !out.missesSource)
      out.stoppedBy(Cut::Other, "no path could be followed to an end or past the report's place");
    out.isExhausted = out.cut == Cut::None;
    return out;
  }
  if (result.stats.stop == StopReason::Crashed) {
    out.stoppedBy(Cut::Crash, "the engine crashed: " + result.failure);
    return out;
  }
  const bool hasGivenUp = !out.bug && result.stats.stop == StopReason::FirstBug;
  const bool isTime =
      result.error.empty() && (hasGivenUp || result.stats.stop == StopReason::MaxTime);
  out.isShort = isTime;
  out.stoppedBy(isTime ? Cut::Time : Cut::Other, !result.error.empty() ? result.error
                                                 : isTime ? timeText(time_.over, result)
                                                 : result.failure.empty() ? text(result.stats.stop)
                                                                          : result.failure);
  return out;
}

void DefectSearch::putBack(const Search &shown, Omitted &omitted) const {
  std::set<OmittedSite> &executed = omitted.executed;
  const size_t before = executed.size();
  std::ranges::set_intersection(shown.leftOut, shown.mattering,
                                std::inserter(executed, executed.end()));
  if (executed.size() == before)
    std::ranges::set_intersection(shown.leftOut, shown.inexact,
                                  std::inserter(executed, executed.end()));
  // Values of errno come from all that was left out.
  const bool isAll = executed.size() == before || (shown.hasErrno && shown.usesErrno) ||
                     options_.calls == Calls::NoStepIn;
  if (isAll) omitted = {};
}

Search DefectSearch::refined(const Start &start, Omitted omitted,
                             std::chrono::milliseconds time) const {
  const SearchClock clock(time);
  uint64_t paths = 0;
  bool putsBack = !omitted.any();
  for (;;) {
    Search found = boundedThenUnbounded(start, omitted, clock.left());
    found.paths += paths;
    found.putsBack = putsBack;
    if (found.isExhausted && options_.calls == Calls::NoStepIn && !omitted.calls.empty()) {
      found.isExhausted = false;
      found.stoppedBy(Cut::Other,
                      "no path shows it, but calls were left out whatever they do "
                      "(--calls no-step-in)",
                      "another way to treat calls (--calls)");
    } else if (found.isExhausted && !found.inexact.empty()) {
      found.isExhausted = false;
      found.stoppedBy(
          Cut::LeftOut,
          "no path shows it if the calls and branches that were left out write no pointers");
    }
    if (!found.bug && found.endsByLeftOut) {
      if (clock.isOver()) {
        found.isShort = true;
        return found;
      }
      paths = found.paths;
      omitted = {};
      putsBack = true;
      continue;
    }
    if (!found.bug || (found.leftOut.empty() && !found.hasErrno)) return found;
    if (clock.isOver()) {
      found.bug.reset();
      found.stoppedBy(
          Cut::Time,
          "a path that leaves calls or branches out shows it, and none with all of them was "
          "found; " +
              time_.over);
      found.isShort = true;
      return found;
    }
    paths = found.paths;
    putBack(found, omitted);
    putsBack = true;
  }
}

Search DefectSearch::anyWay(const Start &start, std::chrono::milliseconds time) const {
  const SearchClock clock(time);
  const Omitted all = omittedFrom(start, /*onlyExact=*/false),
                exact = omittedFrom(start, /*onlyExact=*/true);
  const bool isSame = all.calls == exact.calls && all.regions.size() == exact.regions.size();
  Search found = refined(start, all, isSame ? time : time * 3 / 5);
  // An unknown pointer that is used is taken for valid. Code that asked before whether it is null
  // may have been left out, and with it the path on which it is.
  if (options_.calls == Calls::Summaries && found.isExhausted && found.assumes &&
      defect_.means(BugKind::NullDereference) && all.any()) {
    Search exact = refined(start, {}, std::max(clock.left(), kLeastSearch));
    exact.paths += found.paths;
    return exact;
  }
  if (isSame || found.bug || found.isExhausted || options_.calls != Calls::Summaries) return found;
  // What ended by a bound, or because of what was left out, says more than that time ran out later.
  const bool isTold = found.cut != Cut::Time;
  const auto left = clock.left(), more = isTold ? std::min(left, times_.exact) : left;
  const bool isShort = found.isShort || more < times_.exact;
  found.isShort = isShort;
  if (more < kLeastSearch) return found;
  Search second = refined(start, exact, more);
  second.paths += found.paths;
  if (second.bug || second.isExhausted || !isTold) return second;
  found.paths = second.paths;
  found.isShort = isShort && second.isShort;
  if (found.cut != Cut::LeftOut) return found;
  // What stopped the search that executes all; its own time does not grow with the report's.
  if (second.cut != Cut::Time) {
    found.settledBy = second.settledBy.empty() ? settledBy(second.cut) : second.settledBy;
    found.why += "; with all of it executed: " + second.why;
  } else if (!found.isShort) {
    found.settledBy = "executing what was left out from the beginning (--calls step-in --no-slice)";
  }
  return found;
}

const Search *DefectSearch::otherFrom(const Start &start) const {
  const auto known = others_.find({start.entry->id, start.memory});
  return known == others_.end() ? nullptr : &known->second;
}

Search DefectSearch::from(const Start &start, std::chrono::milliseconds time) const {
  if (const Search *known = before_ ? before_->otherFrom(start) : nullptr) {
    Search out;
    out.bug = std::make_unique<Bug>(*known->bug);
    out.uses = known->uses;
    out.assumes = known->assumes;
    return out;
  }
  Search found = anyWay(start, time);
  if (options_.assumesDistinctPointers && found.isExhausted && found.assumes) {
    found.isExhausted = false;
    found.stoppedBy(Cut::Assumption,
                    "no path shows it if pointers of callers are not null and point to different "
                    "objects (--paper-init)",
                    "a search without --paper-init");
  }
  return found;
}

} // namespace fathom::confirm
