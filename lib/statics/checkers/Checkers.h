// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checkers: most follow the value-flow graph. Each is one function in a file of its own, and
// has its line in the table of Checkers.cpp.
#ifndef FATHOM_STATICS_CHECKERS_CHECKERS_H
#define FATHOM_STATICS_CHECKERS_CHECKERS_H

#include "evidence/BugKind.h"
#include "statics/checkers/Hops.h"
#include "statics/checkers/Turns.h"

namespace fathom::statics {

/// The kinds of defects to look for: a bit for each.
using DefectKinds = uint32_t;
static_assert(evidence::kBugKinds < 32, "DefectKinds has a bit for each");
constexpr DefectKinds bitOf(evidence::BugKind kind) { return 1u << static_cast<unsigned>(kind); }
inline constexpr DefectKinds kEveryKind = (1u << evidence::kBugKinds) - 1;

/// Collects reports: one for each kind, source and sink.
class Reports {
public:
  /// most: of each kind. Reports of other kinds than `kinds` are not taken: one checker may look
  /// for several.
  explicit Reports(size_t most, DefectKinds kinds = kEveryKind) : most_(most), kinds_(kinds) {}
  void add(Report report);
  /// Adds a place to the report of this kind with this sink, if the report was not left out.
  void addPlace(evidence::BugKind kind, StatementId sink, ReportStep place);
  /// The reports, sorted by kind, then by the number of guesses that they rest on, then by place.
  std::vector<Report> take();
  size_t most() const { return most_; } ///< of each kind
  uint64_t left = 0;                    ///< how many were left out beyond the bound, of all kinds

private:
  const size_t most_;
  const DefectKinds kinds_;
  size_t count_[evidence::kBugKinds] = {};
  /// The place of a source or sink: file or, without debug lines, function; line and column, or
  /// statement.
  using Place = std::tuple<std::string, uint32_t, uint32_t>;
  static Place placeOf(const ReportStep &step);
  std::map<std::tuple<evidence::BugKind, Place, Place>, size_t> known_;
  std::map<std::pair<evidence::BugKind, StatementId>, size_t> bySink_;
  std::vector<Report> reports_;
};

/// Keeps one report for each sink: its nearest cause with the fewest guesses. The report names the
/// other causes.
class NearestReports {
public:
  struct Taken {
    uint32_t operand; ///< of the sink
    Report report;
  };
  void add(StatementId sink, uint32_t operand, Report report, Reports &counts);
  /// The reports, sorted by guesses and then by steps. Those beyond the bound are left out.
  std::vector<Taken> take();
  void giveTo(Reports &reports);

private:
  static constexpr size_t kMost = 50'000; ///< or what is asked for: they take a kilobyte each
  std::map<std::pair<StatementId, uint32_t>, Report> bySink_;
};

struct CheckContext {
  View &view;
  Reports &reports;
  Turns &time;
  uint64_t cut = 0; ///< searches that a bound ended
  /// Accesses through what may be null, with the sink of the report that tells them.
  std::unordered_map<StatementId, StatementId> nullAt{};
};

void checkFreed(CheckContext &context);         ///< use after free, double free
void checkNull(CheckContext &context);          ///< null dereference
void checkLeaks(CheckContext &context);         ///< memory and files
void checkUninitialized(CheckContext &context); ///< reads of unwritten memory
void checkInvalidFrees(CheckContext &context);  ///< free of what no allocator made
void checkFormats(CheckContext &context);       ///< formats that are no constants
/// Calls of functions that cannot be used safely.
void checkDangerousFunctions(CheckContext &context);
void checkInputIndexes(CheckContext &context); ///< bytes of the input that index small arrays

/// The kinds that scan looks for without --all.
DefectKinds checkedByDefault();
/// How many turns runCheckers begins for these kinds.
size_t countCheckers(DefectKinds kinds);

/// Runs the checkers for these kinds, each in a turn of `context.time`.
///
/// \returns   the kinds whose turn was over before their checker was done: reports of them are
///            missing.
/// Guarantee: neither. Reports are bounded searches over an over-approximation: they contain what
///            no execution does, and miss what lies beyond their bounds (docs/scan.md#limits).
DefectKinds runCheckers(CheckContext &context, DefectKinds kinds);

} // namespace fathom::statics
#endif
