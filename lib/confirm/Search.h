// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explorations for one defect: from the start of a function, with what callers may have made, or
// from the program's start, with an input.
//
//   const ProgramFacts facts(program, options);
//   DefectSearch search(facts, options, time, defect, source);
//   Search found = search.from({&entry, EntryMemory::Lazy}, 5s);
//
// Calls and branches that have nothing to do with the defect are left out (CallEffects.h, Slice.h),
// and put back where they matter: when a path shows the defect that left something out, the search
// is repeated with those calls and branches executed whose values decisions speak of, then
// with those that do not cover every run, and in the end with everything; only that counts. When no
// path shows it, the defect is ruled out, unless something was left out that does not cover every
// run: then a short search follows without that.
//
// A search may be for paths from the report's source only (SourceUse.h). Those that cannot come to
// the source any more are not followed. One that comes to the sink from elsewhere all the same is
// kept, and is the answer of the search for any path that follows.
//
// Source: [satracer] Rule 2 and slicing decide once what is left out; putting back what matters is
// counterexample-guided abstraction refinement (E. Clarke et al., CAV 2000).
#ifndef FATHOM_CONFIRM_SEARCH_H
#define FATHOM_CONFIRM_SEARCH_H

#include "confirm/CallEffects.h"
#include "confirm/CallGraph.h"
#include "confirm/DeadEnds.h"
#include "confirm/Defect.h"
#include "confirm/PathValues.h"
#include "confirm/SearchTimes.h"
#include "confirm/SinkCalls.h"
#include "confirm/SkipCalls.h"
#include "confirm/Slice.h"
#include "confirm/SourceUse.h"
#include "explore/Options.h"
#include "explore/policy/LoopExits.h"
#include "explore/policy/PathBounds.h"
#include "support/NameTable.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fathom::confirm {

/// Which path goes on.
enum class Strategy : uint8_t {
  Default,  ///< depth first, the false side of a branch before the true one
  Distance, ///< the one that is nearest to the sink
  Mixed     ///< by turns the nearest one and the newest one
};
inline constexpr auto kStrategyNames = nameTable<Strategy>(
    {{"default", Strategy::Default}, {"distance", Strategy::Distance}, {"mixed", Strategy::Mixed}});

/// What becomes of calls that have nothing to do with the defect.
enum class Calls : uint8_t {
  Summaries, ///< left out until a path depends on them
  StepIn,    ///< executed
  NoStepIn   ///< skipped whatever they do; then nothing is refuted
};
inline constexpr auto kCallsNames = nameTable<Calls>(
    {{"summaries", Calls::Summaries}, {"step-in", Calls::StepIn}, {"no-step-in", Calls::NoStepIn}});

/// An input with which the program goes wrong, found before the reports are asked about.
struct KnownInput {
  explore::Bug bug{}; ///< kind and places; without its test
  explore::Seed seed{};
  std::vector<std::string> words{}; ///< the symbolic input that it is one of, as arguments
};

struct ConfirmOptions {
  explore::ExploreOptions explore; ///< arguments, environment, solver
  /// The program's arguments with descriptions of symbolic input among them (ExploreOptions), for
  /// paths that begin at main. Several are tried in turn, each with an equal part of the time: a
  /// short input first, which has few paths. None: no input is looked for.
  std::vector<std::vector<std::string>> inputs;
  /// Of the user, for the last of `inputs`: the shared search begins with them.
  std::vector<explore::Seed> seeds;
  /// For the shared search alone: inputs whose own path is followed, and no other.
  std::vector<KnownInput> probes;
  std::chrono::milliseconds perDefect = kUsualTime;
  SearchTimes times;       ///< of a report that has kUsualTime
  uint32_t loopBound = 3;  ///< rounds of a loop (explore/policy/PathBounds.h)
  uint32_t maxDepth = 500; ///< branches of a path; there: basic blocks
  Strategy strategy = Strategy::Mixed;
  Calls calls = Calls::Summaries;
  bool slices = true; ///< leaves branches out in the same way (Slice.h)
  /// One question about all paths comes before single paths (OneQuestion.h).
  bool asksFirst = true;
  /// Pointers of callers are not null, and lead to objects of their own (PaperInit.h). Then nothing
  /// is refuted where such took part.
  bool assumesDistinctPointers = false;
  const CallEffects *effects = nullptr;    ///< null: no call is known to be one that can be skipped
  const std::atomic<bool> *stop = nullptr; ///< Ctrl-C
  /// Writes the input of a path from main, to be run natively after the search
  /// (JudgeOptions::runNatively). Empty: not to.
  std::function<Reproduction(const explore::Bug &)> keepInput;
};

/// A search that has less does not come far enough to be worth its start.
inline constexpr std::chrono::milliseconds kLeastSearch{100};

/// Said where steps were so slow that the clock of work ended a search (WorkClock.h).
inline constexpr const char *kByClock = ", by the clock: another run may differ";

/// Where a search begins.
struct Start {
  const program::FunctionCode *entry = nullptr;
  /// Objects: main, with an input. Otherwise arguments, and where it is not main variables too, are
  /// unknown.
  explore::EntryMemory memory = explore::EntryMemory::Lazy;
  /// Of Objects: one of ConfirmOptions::inputs, and where it is known, the one of these inputs
  /// whose path comes first.
  const std::vector<std::string> *input = nullptr;
  const explore::Seed *along = nullptr;
  bool isOnlyAlong = false; ///< no path that branches off, and no more allocations that fail
  bool hasInput() const { return memory == explore::EntryMemory::Objects; }
};

struct Search {
  std::unique_ptr<explore::Bug> bug; ///< the defect; null: it was not shown
  std::vector<ValueUse> uses;        ///< what decides the bug's path
  bool isExhausted = false;          ///< every path was followed to its end
  bool assumes = false;              ///< something of the memory that callers made
  /// What LedgerCategory::AssumedOutside says.
  bool assumesOutside = false;
  /// Paths to the sink were not followed because they missed the source. In a function that runs
  /// several times, an earlier run may have been there.
  bool missesSource = false;
  Cut cut = Cut::None; ///< what stopped it, where it is not exhausted,
  std::string why;     ///< ... as one clause
  /// What would have taken it further, as one clause; "": what settledBy(cut) says.
  std::string settledBy;
  /// A loop was cut that goes round for every argument of main, of which there can be any number.
  bool countsArguments = false;
  /// A path ended by an earlier defect, which may be one only because of what was left out.
  bool endsByLeftOut = false;
  /// It executed what had been left out, and what rules that out for other reasons does not hold
  /// for it (DefectSearch::readsInput).
  bool putsBack = false;
  bool isShort = false;  ///< it showed nothing, and with more time it may
  bool isDeepest = true; ///< of the searches with bounds of loops, it had the last one
  uint64_t paths = 0;
  std::set<OmittedSite> leftOut;            ///< by the bug's path
  std::set<OmittedSite> mattering;          ///< left out, and some path's decisions speak of it
  std::set<OmittedSite> inexact;            ///< left out by some path without covering every run
  bool hasErrno = false, usesErrno = false; ///< leftOut and mattering, of errno after calls

  /// What stopped it last has the last word: its reason and its remedy replace those before.
  void stoppedBy(Cut by, std::string reason, std::string remedy = "") {
    cut = by;
    why = std::move(reason);
    settledBy = std::move(remedy);
  }
};

/// What is found out once of a program, for the searches of all its reports.
struct ProgramFacts {
  /// The program and the effects of its calls outlive it.
  ProgramFacts(const program::Program &program, const ConfirmOptions &options);
  ProgramFacts(const ProgramFacts &) = delete; ///< parts refer to each other
  ProgramFacts &operator=(const ProgramFacts &) = delete;

  const program::Program &program;
  CallGraph calls;
  Returns returns;
  std::vector<Region> regions; ///< empty: no branch is left out
  std::vector<bool> releases;  ///< by function: it may free the program's memory
  bool hasCodeBeside = false;  ///< threads or signal handlers may run beside its code
  bool runsBeforeMain = false; ///< constructors of its own do
  std::shared_ptr<const explore::LoopExits> loopExits;
};

class DefectSearch {
public:
  /// They outlive it.
  /// \param before  of the same defect, for paths from its source only: now all count; null: only
  /// such count here.
  DefectSearch(const ProgramFacts &facts, const ConfirmOptions &options, const ReportTime &time,
               const Defect &defect, const SourceUse &source, const DefectSearch *before = nullptr);

  /// Explores until the defect is shown, everything is explored, or the time is over.
  Search from(const Start &start, std::chrono::milliseconds time) const;
  const Defect &defect() const { return defect_; }
  const ReportTime &time() const { return time_; }
  const SearchTimes &times() const { return times_; }
  const SourceUse &source() const { return source_; }
  /// By function: it may come to source, sink or a step.
  const std::vector<bool> &isRelated() const { return isRelated_; }
  /// Did paths show the defect that do not come from its source?
  bool metOther() const { return metOther_; }
  /// The same search met a path from another source, with nothing left out; null: it did not.
  const Search *otherFrom(const Start &start) const;
  /// Does a search from this function meet code that reads files or standard input, and does it
  /// execute that?
  /// \param putsBack  Search::putsBack
  bool readsInput(uint32_t function, bool putsBack) const;

private:
  /// What a search leaves out.
  struct Omitted {
    std::vector<bool> calls; ///< by the callee's id; empty: none
    std::vector<OmittedRegion> regions;
    std::set<OmittedSite> executed; ///< none of these, although the rules would leave them out
    bool any() const { return !calls.empty() || !regions.empty(); }
  };
  Omitted omittedFrom(const Start &start, bool onlyExact) const;
  /// Calls of these functions have nothing to do with the defect, in runs that come through the
  /// start, and it is known what they do.
  std::vector<bool> apartCalls(const Start &start, bool onlyExact) const;
  /// With all left out that has nothing to do with the defect, and then with less.
  Search anyWay(const Start &start, std::chrono::milliseconds time) const;
  /// Puts back what matters until a path that shows the defect needs nothing that is left out.
  Search refined(const Start &start, Omitted omitted, std::chrono::milliseconds time) const;
  /// More is executed from now on, after a path that shows the defect left this out.
  void putBack(const Search &shown, Omitted &omitted) const;
  /// With bounds (deeper), and then without.
  Search boundedThenUnbounded(const Start &start, const Omitted &omitted,
                              std::chrono::milliseconds time) const;
  /// With one round of each loop, and then with more, up to the bound: what was explored to its end
  /// last, unless a path shows the defect.
  Search deeper(const Start &start, const Omitted &omitted, std::chrono::milliseconds time) const;
  Search once(const Start &start, const Omitted &omitted, explore::PathBounds::Limits limits,
              std::chrono::milliseconds time) const;
  /// What the input is called that says how many arguments main has; "": the search has none.
  std::string countOf(const Start &start) const;
  explore::ExploreOptions exploreOptions(const Start &start, const Omitted &omitted,
                                         explore::PathBounds::Limits limits) const;
  void addPolicies(const Omitted &omitted, explore::ExploreOptions &options) const;

  const ProgramFacts &facts_;
  const program::Program &program_;
  const CallGraph &calls_;
  const Returns &returns_;
  const ConfirmOptions &options_;
  const ReportTime &time_;
  const SearchTimes times_; ///< of this report
  const Defect &defect_;
  const SourceUse &source_;
  const DefectSearch *before_;
  mutable bool metOther_ = false;
  mutable std::map<std::pair<uint32_t, explore::EntryMemory>, Search> others_; ///< by the start
  std::vector<Place> places_; ///< source, steps and sink
  SinkCalls sinkCalls_;
  std::vector<CallGraph::CallAt> sinkCode_; ///< the sink's instructions
  std::vector<bool> isRelated_;             ///< isRelated()
  /// By function: one of the places is a call in it of a related function. Its other calls of such
  /// may be left out, for the report tells which of them it means.
  std::vector<bool> namesCall_;
  void findNamedCalls(const program::FunctionCode &f);
  std::vector<const Region *> regions_;           ///< without the defect's places
  std::shared_ptr<const PlaceReach> sinkReach_;   ///< null: paths are followed to their ends
  std::shared_ptr<const PlaceReach> sourceReach_; ///< null: they may come from any source
};

} // namespace fathom::confirm
#endif
