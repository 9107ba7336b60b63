// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report of any analyser, as the triple <source, sink, {step}> of [satracer], Sec. II, and what
// became of it.
#ifndef FATHOM_CONFIRM_DEFECT_H
#define FATHOM_CONFIRM_DEFECT_H

#include "evidence/StepRole.h"
#include "explore/Results.h"
#include "support/SourcePlace.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fathom::confirm {

struct Place {
  std::string file;
  uint32_t line = 0, column = 0; ///< 0: not said
  std::string message{};         ///< what the analyser says of it; may be empty
  /// What the step says. Of analysers that only have words, see Sources.h.
  evidence::StepRole role = evidence::StepRole::Unknown;

  /// Is it this line of this file, as the debug information has it?
  bool isAt(const std::string &inFile, uint32_t atLine) const {
    return line == atLine && namesFile(file, inFile);
  }
};

/// Is the line one of these?
inline bool isAnyAt(const std::vector<Place> &places, const std::string &file, uint32_t line) {
  return std::ranges::any_of(places, [&](const Place &p) { return p.isAt(file, line); });
}

struct Defect {
  std::string tool, rule, message;
  /// Ways in which the engine sees such a defect; empty: it looks for none of this kind.
  std::vector<evidence::BugKind> kinds;
  Place sink;
  std::vector<Place> steps; ///< in order, the sink not among them; the first is the source
  uint32_t doubts = 0;      ///< guesses that the analyser admits (fathom scan)
  /// The steps are the value flow's (FlowSources.h): the report itself names no source.
  bool isSourceGuessed = false;
  bool hasRoles = false; ///< the analyser says what its steps are as data (fathom scan)
  /// The sink's column is that of an access in the code, which calls nothing (Confirmer::check).
  bool isAtAccess = false;
  /// Does the sink mean an access of this line's own code, and none in functions that it calls?
  bool namesAccess() const { return hasRoles || isAtAccess; }
  bool means(evidence::BugKind kind) const { return std::ranges::find(kinds, kind) != kinds.end(); }
  bool isOfFreed() const; ///< what is freed is used, or freed again
  bool isKnown = false;   ///< an earlier document has it too, says the analyser (baselineState)
  /// Non-empty: why it is not a defect to be looked for ("the analyser says: pass").
  std::string setAside;
};

enum class Verdict : uint8_t {
  Confirmed, ///< a feasible path from main shows it
  Possible,  ///< a feasible path shows it that begins at an inner function, or at one of a library;
             ///< whether callers pass what it needs is not known
  Refuted,   ///< every path was followed to its end, and none does
  Open       ///< none of these: see Finding::reason
};
inline constexpr Verdict kVerdicts[] = {Verdict::Confirmed, Verdict::Possible, Verdict::Refuted,
                                        Verdict::Open};
const char *name(Verdict verdict);
/// How many reports have which.
using VerdictCounts = std::map<Verdict, uint64_t>;
inline uint64_t countOf(const VerdictCounts &counts, Verdict verdict) {
  const auto known = counts.find(verdict);
  return known == counts.end() ? 0 : known->second;
}
/// Does a feasible path show it?
inline bool isShown(Verdict verdict) {
  return verdict == Verdict::Confirmed || verdict == Verdict::Possible;
}

/// What ended a search before every path was followed to its end, or why there was none:
/// enumerator, name in JSON, what would settle the report.
#define FATHOM_CUTS(X)                                                                             \
  X(None, "none", "")                                                                              \
  X(Loop, "loop-bound", "more rounds of loops (--loop-bound)")                                     \
  X(Depth, "depth", "longer paths (--max-depth)")                                                  \
  X(Assumption, "assumption", "the code of callers: what they pass is assumed here")               \
  X(Bounded, "bounded",                                                                            \
    "an input from main that shows it (--seeds): all that was assumed is told")                    \
  X(LeftOut, "left-out", "more time for one report (--report-time)")                               \
  X(Time, "time", "more time for one report (--report-time)")                                      \
  X(Other, "other", "nothing today: no option of confirm takes the search further")                \
  X(Earlier, "earlier-defect", "a program in which the earlier defect is mended")                  \
  X(Outside, "outside", "an input from main that shows it: what the system answers is fixed here") \
  X(Input, "input", "more symbolic input (--sym-stdin, --sym-files, --sym-args)")                  \
  X(Memory, "memory", "more memory (--max-memory), or fewer reports at a time (--jobs)")           \
  X(NoSource, "no-source", "a report that says where the defect begins")                           \
  X(NoCode, "no-code", "the program that has this code, built with -g, or --path-map")             \
  X(NoLocation, "no-location", "a report that names file and line")                                \
  X(UnknownRule, "unknown-rule", "nothing today: exploration looks for no bugs of this kind")      \
  X(NotReported, "not-reported", "")                                                               \
  X(Crash, "crash", "a corrected version of Fathom: please report the crash")                      \
  X(Budget, "budget", "more time for all reports (--max-time): the same command continues")        \
  X(Interrupted, "interrupted", "the same command again: it continues")

enum class Cut : uint8_t {
#define X(cut, name, settles) cut,
  FATHOM_CUTS(X)
#undef X
};
const char *name(Cut cut);
/// What would settle a report that is open for this, as one clause, where Finding::settledBy says
/// nothing else; "": nothing would.
const char *settledBy(Cut cut);

/// Where the input of a confirmed path was written, and how the native program behaved on it.
struct Reproduction {
  std::string folder; ///< as a bug's of a results folder; "": it was not kept
  bool isReproduced = false;
  std::string symptom; ///< "signal SIGSEGV"; "": it could not be run
  std::string input{}; ///< before the run: its folder, also where that is not kept
};

/// A branch that the path takes, in order.
struct PathStep {
  std::string function, file;
  uint32_t line = 0, column = 0;
  std::string text; ///< "continues at line 12"
  bool operator==(const PathStep &) const = default;
};

struct Finding {
  Verdict verdict = Verdict::Open;
  std::string reason;  ///< one clause
  Cut cut = Cut::None; ///< Open: what the searches ended by
  /// Open: what would settle it, as one clause; "": what settledBy(cut) says.
  std::string settledBy;
  std::string entry; ///< the function at whose start the paths begin
  /// Shown: the outermost function from whose start a path shows it; and why not from further
  /// out.
  std::string feasibleFrom, notFurther;
  /// Shown, without an input: what the path assumes about the function's arguments and memory,
  /// as one clause.
  std::string assumed;
  /// Confirmed, from main, with an input of the program. Null: there is none.
  std::shared_ptr<const Reproduction> reproduction;
  evidence::BugKind kind{}; ///< shown: as the engine sees it
  /// Shown: where the path ends, innermost call first, and where the object was allocated and
  /// freed.
  std::vector<evidence::StackFrame> stack, related;
  std::vector<PathStep> path;                              ///< the own code's branches on it
  std::vector<std::pair<std::string, std::string>> values; ///< deciding inputs: name, bytes as text
  uint64_t moreValues = 0;                                 ///< how many of these are left out
  uint64_t otherValues = 0; ///< how many further unknowns seem not to matter
  std::string message;      ///< the engine's
  /// Shown, by a path that does not come from the report's source (SourceUse.h): says how the
  /// path differs, and what is known of paths from the source. "": the path comes from the source,
  /// or this is unknown.
  std::string otherSource;
  /// More time may settle this report; one that is shown, from further out; a refuted one, by a
  /// path from another source.
  bool wantsTime = false;
  std::chrono::milliseconds had{0}; ///< the time that it was given
  double seconds = 0;
  uint64_t paths = 0;
};
/// What would settle an open report, as one clause; "": nothing would.
inline std::string settledBy(const Finding &finding) {
  return finding.settledBy.empty() ? settledBy(finding.cut) : finding.settledBy;
}

} // namespace fathom::confirm
#endif
