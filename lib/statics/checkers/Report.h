// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a checker says: a defect that an over-approximation of the program cannot rule out, as the
// triple <source, sink, {step}> of [satracer], Sec. II. Plain data.
#ifndef FATHOM_STATICS_CHECKERS_REPORT_H
#define FATHOM_STATICS_CHECKERS_REPORT_H

#include "evidence/StepRole.h"
#include "statics/front/Facts.h"

#include <string>
#include <vector>

namespace fathom::statics {

using evidence::StepRole;

struct ReportStep {
  StepRole role = StepRole::Unknown;
  std::string file, function;
  uint32_t line = 0, column = 0; ///< 0: not known
  StatementId statement = kNone; ///< kNone: known by its place only
  std::string text;              ///< why it follows from the step before
  bool isThinWrapper = false;    ///< in a function that no defect is about (program/ThinWrapper.h)
};

/// For messages: "at list.c:10", with another word for "at"; without debug lines "in push".
std::string placeText(const ReportStep &step, const char *word = "at");

/// Which side of a branch a path takes.
const char *sideText(bool isTrue);

/// What a report says beyond one source and one sink: each place once, at most some.
struct ReportPlaces {
  static constexpr size_t kMost = 20;
  std::vector<ReportStep> listed;
  uint32_t more = 0; ///< that are not listed
  void add(ReportStep place);
  void add(ReportPlaces &&others);
  size_t count() const { return listed.size() + more; }
};

/// How far a report is from certain; smaller is nearer.
enum class Certainty : uint8_t {
  Must,       ///< every execution that comes to the function shows it
  May,        ///< under the conditions that its steps tell
  Lookup,     ///< only if a lookup finds nothing, which the program does not exclude
  Allocation, ///< only if an allocation fails
  Callers,    ///< only if callers that are not in the program pass what it needs
  Unchecked,  ///< its conditions were not looked at together
};
inline constexpr size_t kCertainties = static_cast<size_t>(Certainty::Unchecked) + 1;
const char *name(Certainty certainty); ///< "must", "may" ...

struct Report {
  evidence::BugKind kind{};
  Certainty certainty = Certainty::Unchecked;
  std::string message;
  std::vector<ReportStep> steps;   ///< the first is the source, the last is the sink
  std::vector<ReportStep> callers; ///< calls that lead to where the steps begin, outermost first
  /// How many of the steps hold for one of several objects that the analysis does not tell apart,
  /// and one more if the ways between them are too many to look at their branches.
  /// Reports with fewer of them come first.
  uint32_t doubts = 0;
  /// Accesses that need not be looked at on their own: the same cause makes them fail, but the
  /// sink, or one through the same pointer, comes before them; or they are in the same line.
  ReportPlaces alsoAt;
  ReportPlaces alsoFrom; ///< other sources of the same

  const ReportStep &source() const { return steps.front(); }
  const ReportStep &sink() const { return steps.back(); }
};

} // namespace fathom::statics
#endif
