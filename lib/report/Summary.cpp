// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of a run. Text for programs comes first (stats.json, stats.csv, ledger.json;
// docs/results.md describes the fields), then the summary and the progress line for people.
#include "report/Summary.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/LedgerText.h"
#include "report/BugIndex.h"
#include "report/Dismissals.h"
#include "report/Files.h"
#include "report/ShownPath.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace fathom::report {

using evidence::LedgerCategory;

using evidence::StackFrame;

using explore::Ledger;
using explore::Stats;
using llvm::json::OStream;

std::string shortNumber(uint64_t n) {
  if (n < 100000) return fmt::format("{}", n);
  double x = static_cast<double>(n);
  for (const char *unit : {"k", "M", "G"}) {
    x /= 1000;
    if (x < 1000) return fmt::format("{:.{}f} {}", x, x < 10 ? 2 : x < 100 ? 1 : 0, unit);
  }
  return fmt::format("{:.2f} T", x / 1000);
}

std::string shortBytes(uint64_t bytes) {
  double x = static_cast<double>(bytes) / 1e6;
  return x < 1000 ? fmt::format("{:.0f} MB", x) : fmt::format("{:.1f} GB", x / 1000);
}

static const char *stopName(explore::StopReason stop) {
  using explore::StopReason;
  switch (stop) {
  case StopReason::Exhausted: return "exhausted";
  case StopReason::MaxTime: return "max-time";
  case StopReason::MaxInstructions: return "max-instructions";
  case StopReason::MaxMemory: return "max-memory";
  case StopReason::Interrupted: return "interrupted";
  case StopReason::FirstBug: return "first-bug";
  case StopReason::DiskFull: return "disk-full";
  case StopReason::NoWorkers: return "no-workers";
  case StopReason::InternalError: return "internal-error";
  case StopReason::Crashed: return "crashed";
  }
  return "";
}

static int64_t number(uint64_t n) { return static_cast<int64_t>(n); }

namespace {
/// What the fuzz solver did, from the counts of the solver's stages: so it is summed over workers
/// and kept in checkpoints as these are.
struct FuzzCounts {
  uint64_t queries = 0; ///< That logic left open: those that were run, and those predicted unsat.
  uint64_t solved = 0, predictedUnsat = 0, evaluations = 0;
  uint64_t refuted = 0, candidates = 0; ///< Unsat, as all candidates were executed.
  double seconds = 0;
};
} // namespace

static FuzzCounts fuzzCounts(const Stats &s) {
  FuzzCounts counts;
  for (const solver::StageStats &stage : s.stages) {
    if (stage.name == solver::kPredictorStage) {
      counts.predictedUnsat += stage.unknown;
      counts.queries += stage.unknown;
    } else if (stage.name == solver::kFuzzStage) {
      counts.queries += stage.asked;
      counts.solved += stage.sat;
      counts.refuted += stage.unsat;
      counts.candidates += stage.candidates;
      counts.evaluations += stage.evaluations;
      counts.seconds += stage.seconds;
    }
  }
  return counts;
}

void writeStats(OStream &json, const Stats &s, bool withBugCount) {
  json.attribute("wall_seconds", s.wallSeconds);
  json.attribute("worker_seconds", s.workerSeconds);
  json.attribute("stop", stopName(s.stop));
  json.attribute("instructions", number(s.instructions));
  json.attribute("states", number(s.states));
  json.attribute("live_states", number(s.liveStates));
  json.attribute("seeds_given", number(s.seedsGiven));
  json.attribute("seeds_followed", number(s.seedsFollowed));
  json.attribute("last_seed_seconds", s.lastSeedSeconds);
  json.attribute("seeds_cut", number(s.seedsCut));
  json.attribute("seed_bytes_cut", number(s.seedBytesCut));
  json.attribute("forks", number(s.forks));
  json.attribute("paths_completed", number(s.pathsCompleted));
  json.attribute("paths_terminated_early", number(s.pathsTerminatedEarly));
  json.attributeObject("sides", [&] {
    json.attribute("left", number(s.sidesLeft));
    json.attribute("asked", number(s.sidesAsked));
    json.attribute("infeasible", number(s.sidesClosed));
    json.attribute("open", number(s.sidesOpen));
  });
  json.attribute("tests", number(s.tests));
  json.attribute("partial_tests", number(s.partialTests));
  json.attribute("bug_tests", number(s.bugTests));
  if (withBugCount) json.attribute("bugs", number(s.bugs));
  json.attribute("queries", number(s.queries));
  json.attribute("solver_seconds", s.solverSeconds);
  json.attributeObject("check_times", [&] {
    json.attribute("median_ms", 1e3 * s.checkTimes.quantileSeconds(0.5));
    json.attribute("p99_ms", 1e3 * s.checkTimes.quantileSeconds(0.99));
    json.attribute("longest_ms", 1e3 * s.checkTimes.longestSeconds);
    json.attribute("late", number(s.checkTimes.late));
  });
  json.attributeArray("solver_stages", [&] {
    for (const solver::StageStats &stage : s.stages)
      json.object([&] {
        json.attribute("name", stage.name);
        json.attribute("asked", number(stage.asked));
        json.attribute("sat", number(stage.sat));
        json.attribute("unsat", number(stage.unsat));
        json.attribute("assumed", number(stage.assumed));
        json.attribute("unknown", number(stage.unknown));
        json.attribute("passed_on", number(stage.passedOn));
        json.attribute("evaluations", number(stage.evaluations));
        json.attribute("seconds", stage.seconds);
      });
  });
  json.attribute("peak_memory_bytes", number(s.peakMemoryBytes));
  json.attribute("branches_covered", number(s.branchesCovered));
  json.attribute("branches_total", number(s.branchesTotal));
  json.attribute("lines_covered", number(s.linesCovered));
  json.attribute("lines_total", number(s.linesTotal));
  json.attribute("symbols", number(s.symbols));
  json.attribute("external_calls", number(s.externalCalls));
  json.attributeObject("external", [&] {
    json.attribute("deferred_calls", number(s.deferredCalls));
    json.attribute("symcretes", number(s.symcretes));
    json.attribute("executed", number(s.externalExecuted));
    json.attribute("faults", number(s.externalFaults));
    json.attribute("queries", number(s.exactQueries));
    json.attribute("opened_states", number(s.openedStates));
    json.attribute("validated", number(s.externalValidated));
    json.attribute("disagreements", number(s.externalDisagreements));
    json.attribute("seconds", s.externalSeconds);
  });
  json.attribute("concretizations", number(s.concretizations));
  json.attributeObject("symbolic_pointers", [&] {
    json.attribute("forks", number(s.pointerForks));
    json.attribute("ites", number(s.pointerItes));
    json.attribute("concretized", number(s.pointerConcretized));
  });
  json.attribute("symbolic_sizes", number(s.symbolicSizes));
  json.attributeObject("merges", [&] {
    json.attribute("patterns", number(s.mergedByPattern));
    json.attribute("by_tree", number(s.mergedByTree));
    json.attribute("paths", number(s.mergedPaths));
    json.attribute("joined", number(s.joinedRounds));
    json.attribute("checked", number(s.mergesChecked));
    json.attribute("wrong", number(s.mergesWrong));
    json.attribute("open_questions", number(s.mergeQuestionsOpen));
  });
  json.attributeObject("guesses", [&] {
    json.attribute("feasible", number(s.guessedFeasible));
    json.attribute("infeasible", number(s.guessedInfeasible));
    json.attribute("wrong", number(s.wrongGuesses));
    json.attribute("paths", number(s.guessedPaths));
  });
  const FuzzCounts fuzz = fuzzCounts(s);
  json.attributeObject("fuzz_solver", [&] {
    json.attribute("queries", number(fuzz.queries));
    json.attribute("solved", number(fuzz.solved));
    json.attribute("refuted", number(fuzz.refuted));
    json.attribute("refuted_candidates", number(fuzz.candidates));
    json.attribute("predicted_unsat", number(fuzz.predictedUnsat));
    json.attribute("evaluations", number(fuzz.evaluations));
    json.attribute("seconds", fuzz.seconds);
  });
}

std::string statsText(const Stats &stats) {
  return jsonText([&](OStream &json) { json.object([&] { writeStats(json, stats); }); });
}

std::string statsColumns() {
  return "wall_seconds,paths_completed,paths_terminated_early,live_states,tests,bugs,branches_"
         "covered,branches_total,instructions,forks,queries,solver_seconds,peak_memory_bytes\n";
}

std::string statsRow(const Stats &s) {
  return fmt::format("{:.3f},{},{},{},{},{},{},{},{},{},{},{:.3f},{}\n", s.wallSeconds,
                     s.pathsCompleted, s.pathsTerminatedEarly, s.liveStates, s.tests, s.bugs,
                     s.branchesCovered, s.branchesTotal, s.instructions, s.forks, s.queries,
                     s.solverSeconds, s.peakMemoryBytes);
}

std::string summaryJson(const Stats &stats, const std::vector<Finding> &findings) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      writeStats(json, stats, /*withBugCount=*/false); // "bugs" is the list here
      json.attributeArray("bugs", [&] {
        for (const Finding &f : findings) {
          const StackFrame *at = locationOf(f.stack);
          json.object([&] {
            writeIdentity(json, f.identity);
            json.attribute("kind", evidence::name(f.kind));
            json.attribute("cwe", evidence::cwe(f.kind));
            json.attribute("function", at ? utf8(at->function) : "");
            json.attribute("file", at ? utf8(at->file) : "");
            json.attribute("line", at ? at->line : 0);
            json.attribute("column", at ? at->column : 0);
            json.attribute("message", utf8(f.message));
            json.attribute("dir", f.dir);
            if (f.mark.isDismissed()) json.attribute("dismissed", utf8(f.mark.because));
          });
        }
      });
    });
  });
}

std::vector<std::pair<Ledger::Key, uint64_t>> heaviest(const Ledger &ledger) {
  std::vector<std::pair<Ledger::Key, uint64_t>> out(ledger.entries().begin(),
                                                    ledger.entries().end());
  std::sort(out.begin(), out.end(), [](auto &a, auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return out;
}

std::string ledgerText(const Ledger &ledger) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("complete", ledger.isComplete());
      json.attributeArray("entries", [&] {
        for (auto &[key, count] : heaviest(ledger))
          json.object([&] {
            json.attribute("category", evidence::name(key.category));
            json.attribute("location", utf8(key.location));
            json.attribute("detail", utf8(key.detail));
            json.attribute("count", number(count));
          });
      });
    });
  });
}

std::string ratioText(uint64_t part, uint64_t whole) {
  if (!whole) return "none";
  return fmt::format("{} of {} ({:.1f} %)", part, whole,
                     100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

static std::string place(const StackFrame *at) {
  if (!at) return "at an unknown place";
  std::string where;
  if (!at->file.empty()) where = fmt::format(" at {}:{}", shownPath(at->file), at->line);
  // Two bugs in one line are told apart by it.
  if (!where.empty() && at->column) where += fmt::format(":{}", at->column);
  return fmt::format("in {}{}", at->function.empty() ? "?" : at->function, where);
}

/// What follows from the same unwritten bytes.
static std::string alsoAtText(const Finding &finding) {
  constexpr size_t kMaxNamed = 3; // the others are in bug.json
  std::string out;
  const size_t named = std::min(finding.alsoAt.size(), kMaxNamed);
  for (size_t i = 0; i < named; ++i)
    out += fmt::format("            also {}: {}\n", place(&finding.alsoAt[i].at),
                       evidence::name(finding.alsoAt[i].kind));
  if (finding.alsoAt.size() > named)
    out += fmt::format("            and in {} (bug.json)\n",
                       counted(finding.alsoAt.size() - named, "more place"));
  return out;
}

static std::string seedsText(const Stats &s) {
  std::string text =
      fmt::format("{} of {} followed to the end of their path", s.seedsFollowed, s.seedsGiven);
  if (s.seedsCut)
    text += fmt::format("; {} did not fit into the symbolic input: {} left out", s.seedsCut,
                        counted(s.seedBytesCut, "byte"));
  return text;
}

/// As counted, of numbers that can be large: "1 query", "4.82 M queries".
static std::string shortCount(uint64_t number, const char *one, const char *many) {
  return shortNumber(number) + " " + (number == 1 ? one : many);
}

static std::string solverText(const Stats &s) {
  const double time = std::max(s.workerSeconds, s.wallSeconds);
  const bool several = s.workerSeconds > 1.01 * s.wallSeconds;
  return fmt::format("{}, {:.1f} s ({:.0f} % of {} time)",
                     shortCount(s.queries, "query", "queries"), s.solverSeconds,
                     time > 0 ? 100 * s.solverSeconds / time : 0, several ? "all workers'" : "the");
}

/// A user who forgets to make an input symbolic must not take one run for all runs.
static std::string nothingSymbolic(const Stats &s) {
  const char *what = s.forks ? "no input was symbolic: paths forked only on unwritten memory or "
                               "failing allocations"
                     : s.liveStates ? "nothing was symbolic so far: this is one run on one input"
                                    : "nothing was symbolic: this was one run on one input";
  return fmt::format(
      "{}; make input symbolic with --sym-stdin N, --sym-args MIN MAX LEN, "
      "--sym-files COUNT SIZE, or in the program itself (fathom.h); --entry FUNCTION "
      "explores one function with symbolic parameters\n",
      what);
}

using LedgerEntries = std::vector<std::pair<Ledger::Key, uint64_t>>;

/// What the answer rests on: one line for each kind of assumption.
static std::string assumptionsText(const Ledger &ledger) {
  constexpr size_t kMaxNamed = 3; // the others are in the ledger
  std::string out;
  std::vector<std::string> missing;
  for (auto &[key, count] : ledger.entries())
    if (key.category == LedgerCategory::MissingFile && key.detail != explore::kOtherNames)
      missing.push_back(key.detail);
    else if (key.category != LedgerCategory::MissingFile && Ledger::isAssumption(key))
      out += fmt::format("assumption: {} {}\n", count, key.detail);
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  if (missing.empty()) return out;
  const size_t named = std::min(missing.size(), kMaxNamed),
               more = missing.size() - named + ledger.unnamed().size();
  const bool isBound = ledger.unnamed().size() >= Ledger::kMaxUnnamed;
  return out +
         fmt::format("assumption: the program asked for {}{}, and found nothing there; give "
                     "it what it needs (docs/environment.md)\n",
                     fmt::join(missing.begin(), missing.begin() + named, ", "),
                     more ? fmt::format(" and {}{} more names", isBound ? "at least " : "", more)
                          : "");
}

/// What the answer covers, and what it leaves out. `folder`: where the whole ledger is; "": it
/// could not be written, so all of it is said here.
static std::string coverageText(const explore::ExploreResult &result, const std::string &folder) {
  const Stats &s = result.stats;
  const LedgerEntries all = heaviest(result.ledger);
  LedgerEntries entries;
  for (const auto &entry : all)
    if (!Ledger::isAssumption(entry.first)) entries.push_back(entry);
  std::string out;
  if (entries.empty() && s.stop == explore::StopReason::Exhausted) {
    if (s.symbols || s.forks)
      out += "all paths under these inputs and this model of the environment were explored\n";
  } else if (entries.empty()) {
    out += fmt::format("not covered: paths still unfinished when the run ended ({})\n",
                       explore::text(s.stop));
  } else {
    constexpr size_t kMaxShown = 3;
    const size_t shown = folder.empty() ? entries.size() : std::min(entries.size(), kMaxShown);
    out += folder.empty() ? "not covered:\n"
           : entries.size() > shown
               ? fmt::format("not covered, the largest {} of {} (all in {}/ledger.json):\n", shown,
                             entries.size(), folder)
               : fmt::format("not covered (details in {}/ledger.json):\n", folder);
    for (size_t i = 0; i < shown; ++i) {
      auto &[key, count] = entries[i];
      out += fmt::format("  {:>8} x {}{}{}\n", count, evidence::name(key.category),
                         explore::whereText(key.location),
                         key.detail.empty() ? "" : ": " + key.detail);
    }
  }
  return out + assumptionsText(result.ledger);
}

std::string humanSummary(const explore::ExploreResult &result, const std::vector<Finding> &findings,
                         const std::string &program, const std::string &folder, bool hasLedger,
                         const BugListing &listing) {
  const Stats &s = result.stats;
  std::string out =
      fmt::format("{}: {} after {:.1f} s\n\n", program, explore::text(s.stop), s.wallSeconds);
  auto row = [&](const char *name, const std::string &value) {
    out += fmt::format("  {:<14}{}\n", name, value);
  };
  row("paths", fmt::format("{} completed, {} ended by a bug or an assumption, {} unfinished",
                           shortNumber(s.pathsCompleted), shortNumber(s.pathsTerminatedEarly),
                           shortNumber(s.liveStates)));
  std::string tests = fmt::format("{}", s.tests);
  if (s.partialTests) tests += fmt::format(", {} of them partial", s.partialTests);
  if (s.bugTests)
    tests += fmt::format(", {} of them {} in a bug listed below", s.bugTests,
                         s.bugTests == 1 ? "ends" : "end");
  row("tests", tests);
  if (s.seedsGiven) row("seeds", seedsText(s));
  if (s.sidesLeft)
    row("late checks",
        fmt::format(
            "{} branch sides left unchecked when a path passed them; {} checked since, {} of "
            "those infeasible",
            shortNumber(s.sidesLeft), shortNumber(s.sidesAsked), shortNumber(s.sidesClosed)));
  row("branch sides", ratioText(s.branchesCovered, s.branchesTotal));
  row("lines", ratioText(s.linesCovered, s.linesTotal));
  row("instructions", shortNumber(s.instructions) + ", " + shortCount(s.forks, "fork", "forks"));
  row("solver", solverText(s));
  if (s.externalCalls) {
    std::string text =
        fmt::format("{}, {}, {:.1f} s", shortCount(s.externalCalls, "call", "calls"),
                    shortCount(s.externalExecuted, "execution", "executions"), s.externalSeconds);
    if (s.deferredCalls)
      text += fmt::format("; {} states need another result than the first",
                          ratioText(s.openedStates, s.states));
    row("external", text);
  }
  if (const FuzzCounts fuzz = fuzzCounts(s); fuzz.queries)
    row("fuzz solver",
        fmt::format("solved {} of {} queries that the other stages left open{}; skipped {} as "
                    "predicted unsatisfiable; {} inputs, {:.1f} s",
                    shortNumber(fuzz.solved), shortNumber(fuzz.queries),
                    fuzz.refuted
                        ? fmt::format(", refuted {} by executing all {} candidates",
                                      shortNumber(fuzz.refuted), shortNumber(fuzz.candidates))
                        : "",
                    shortNumber(fuzz.predictedUnsat), shortNumber(fuzz.evaluations), fuzz.seconds));
  row("memory", fmt::format("{} at most", shortBytes(s.peakMemoryBytes)));
  const size_t open = countOpen(findings);
  row("bugs", fmt::format("{}{}", open, dismissedCountText(findings.size() - open)));
  const auto apart = tellApart(findings);
  for (size_t i = 0; i < findings.size(); ++i) {
    const Finding &f = findings[i];
    if (f.mark.isDismissed() && !listing.showsDismissed) continue;
    out +=
        fmt::format("    {}  {} {}\n", f.dir, evidence::name(f.kind), place(locationOf(f.stack)));
    constexpr size_t kMaxShownCalls = 6; // the rest is in bug.json
    for (size_t c = 0; c < apart[i].size() && c < kMaxShownCalls; ++c) {
      // For an object, "allocated in FUNCTION" takes the place of a function's name.
      const StackFrame *call = apart[i][c];
      const bool isObject = call < f.stack.data() || call >= f.stack.data() + f.stack.size();
      out += fmt::format("            {}\n",
                         isObject ? place(call).substr(strlen("in ")) : "called " + place(call));
    }
    out += fmt::format("            {}\n", f.message);
    out += alsoAtText(f);
    out += bugNotes(f, listing);
  }

  out += "\n";
  if (!s.symbols && !s.crashedPaths) out += nothingSymbolic(s);
  out += coverageText(result, hasLedger ? folder : "");
  return out + fmt::format("\nresults: {}\n", folder);
}

/// A query of less is nothing to wonder about.
constexpr double kLongQuery = 2;

std::string progressLine(const Stats &s) {
  std::string line = fmt::format(
      "{:.0f} s: {} paths, {} states, {}{}, {}, branch sides {} of {}, {} instructions, solver "
      "{:.0f} s, {}",
      s.wallSeconds, shortNumber(s.pathsCompleted), shortNumber(s.liveStates),
      counted(s.tests, "test"),
      s.bugTests ? fmt::format(" ({} of them in a bug)", shortNumber(s.bugTests)) : "",
      counted(s.bugs, "bug"), s.branchesCovered, s.branchesTotal, shortNumber(s.instructions),
      s.solverSeconds, shortBytes(s.peakMemoryBytes));
  if (s.runningQuerySeconds >= kLongQuery)
    line += fmt::format(", in one query for {:.0f} s", s.runningQuerySeconds);
  return line;
}

} // namespace fathom::report
