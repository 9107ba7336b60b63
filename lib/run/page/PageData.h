// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a page shows, as plain data: collectors (one file for each section) fill it in, PageJson.cpp
// writes it, and web/report shows it. docs/report.md says how each figure can be computed again.
#ifndef FATHOM_RUN_PAGE_PAGEDATA_H
#define FATHOM_RUN_PAGE_PAGEDATA_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::run::page {

/// Which activity says something; also the bits of Line::coveredBy, as 1 << value.
enum class By : uint8_t { Explore, Fuzz, Scan, Confirm, Seeds, Run };
const char *nameOf(By by);

struct Place {
  std::string function, file; ///< file as in the debug information; empty when unknown
  uint32_t line = 0, column = 0;
};

/// One step of a way through the source.
struct Step {
  Place at;
  std::string text, role; ///< role: of evidence::StepRole, or empty
  bool isMinor = false;   ///< a branch on the way
};
struct Flow {
  std::string title; ///< with the values that a path asks for, where they are known
  std::vector<Step> steps;
};

/// A results folder, or a file of reports, of which the page is made.
struct Part {
  By by = By::Explore;
  std::string folder; ///< as the user named it, or below that
  std::string program, command, directory, started, ended, howEnded;
  double seconds = 0;
  bool isOptional = false; ///< a file of a whole run, which the rest of the page does without
  std::map<std::string, double> totals; ///< by their names in stats.json
};

struct InputPart {
  std::string name;  ///< "argument 1", "standard input", "file A"
  std::string bytes; ///< the first kMostInput
  uint64_t size = 0; ///< of all of it
};

struct Bug {
  std::string kind, message, about; ///< about: when a kind is reported; may be empty
  unsigned cwe = 0;
  Place at;
  std::vector<Flow> flows;   ///< where its object comes from, and its calls, outermost first
  std::vector<Place> alsoAt; ///< what follows from the same bytes
  std::vector<InputPart> input;
  By by = By::Explore;
  std::string folder, replay;    ///< replay: the command that shows it
  std::optional<size_t> follows; ///< the bug that it is folded under; that one is folded under none
  std::string why;               ///< it is
};

struct Report {
  std::string rule, message, tool, verdict; ///< verdict: "unchecked" where nothing decided
  std::string reason, openBecause, settledBy, reproducer, assumed, from, certainty;
  unsigned cwe = 0;
  Place at;
  std::vector<Flow> flows;
  std::optional<size_t> bug; ///< of the same kind at the same line
};

/// A line of a source file that has code.
struct Line {
  uint8_t coveredBy = 0;      ///< bits: By
  bool isUnreachable = false; ///< no input reaches it, and nothing covered it
};
struct Function {
  std::string name;
  uint32_t first = 0, last = 0; ///< lines
};
struct File {
  std::string name;                ///< as in the debug information
  std::optional<std::string> text; ///< nothing: see `missing`
  std::string missing;             ///< why there is no text
  std::map<uint32_t, Line> lines;
  std::vector<Function> functions;
};

/// A side of a branch. One that nothing is known of is not listed.
struct Side {
  size_t file = 0; ///< of PageData::files
  uint32_t line = 0, column = 0, branch = 0, side = 0;
  std::string function;
  uint8_t coveredBy = 0;
  std::string unreachable; ///< why no execution takes it; empty: nothing is known
  uint64_t units = 0;      ///< of the campaign that took it
};

/// What one does to a branch that was never taken.
struct Blocker {
  size_t file = 0;
  Place at;
  std::array<std::string, 3> condition; ///< before the operand that decides, the operand, behind it
  std::string wanted;                   ///< "is true", "is false", "goes to line 12: case 'x':"
  uint64_t behind = 0;                  ///< uncovered branch sides within reach behind it
  uint64_t lines = 0;                   ///< uncovered lines there
  uint64_t reached = 0, units = 0;      ///< units whose executions came to the branch, of so many
  std::optional<uint64_t> runs;         ///< replayed tests that came to it
  std::vector<std::string> tried;       ///< in words
};

struct CurvePoint {
  double x = 0, y = 0;
};
struct Series {
  By by = By::Explore;
  std::string folder;
  std::vector<CurvePoint> points; ///< seconds, covered branch sides
};
struct BandPoint {
  double x = 0, low = 0, value = 0, high = 0;
};
struct Estimate {
  std::string folder, estimator, trust;
  double value = 0;
  std::optional<double> low, high; ///< 90 % interval
  std::optional<double> nextHour;
  std::vector<BandPoint> band; ///< seconds; from the first unit to twice the campaign
  double observed = 0;
};
struct Curve {
  std::vector<Series> series;
  std::optional<Estimate> estimate;
  std::string noEstimate; ///< why there is none
  uint64_t covered = 0, unreachable = 0, total = 0;
  uint64_t linesCovered = 0, lines = 0;
  bool isUnion = false; ///< `covered` counts what any part covered; false: what the best one did
};

struct Event {
  double seconds = 0, processorSeconds = 0;
  std::string by, what, text;
  std::optional<uint64_t>
      count; ///< sides that it was the first to cover, the bug's number, reports
  std::optional<uint64_t> sides; ///< covered by all
};

struct LedgerEntry {
  std::string category, sentence, location, detail, folder;
  bool isAssumption = false;
  uint64_t count = 0;
};
struct Ledger {
  std::vector<LedgerEntry> entries;
  std::vector<std::pair<std::string, bool>> complete; ///< folder, whether nothing was left out
};

struct Test {
  uint64_t number = 0;
  bool hasFolder = false;
  std::string end, why; ///< "exit 0", "signal 11"
  uint64_t branches = 0, decisions = 0, instructions = 0;
};
struct Tests {
  std::string folder;
  std::vector<Test> list;
};

struct PageData {
  std::string title;
  std::vector<std::string> sentences; ///< what was found; how sure; what is left
  std::vector<Part> parts;
  std::vector<std::string> missing; ///< what could not be shown, and why
  std::vector<Bug> bugs;
  std::vector<Report> reports;
  std::vector<File> files;
  std::vector<Side> sides;
  std::vector<Blocker> blockers;
  uint64_t allBlockers = 0; ///< of which `blockers` are the first
  std::string noBlockers;   ///< why there are none
  Curve curve;
  std::vector<Event> events;
  Ledger ledger;
  std::vector<Tests> tests;
};

} // namespace fathom::run::page
#endif
