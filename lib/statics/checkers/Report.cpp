// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Report.h"

#include "support/SourcePlace.h"

namespace fathom::statics {

std::string placeText(const ReportStep &step, const char *word) {
  if (step.line == 0) return "in " + step.function;
  return std::string(word) + " " + shortPlace(step.file, step.line);
}

const char *sideText(bool isTrue) {
  return isTrue ? "the condition is true" : "the condition is false";
}

/// Without lines each statement is a place.
static bool isSamePlace(const ReportStep &a, const ReportStep &b) {
  if (a.line == 0 || b.line == 0) return a.function == b.function && a.statement == b.statement;
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

void ReportPlaces::add(ReportStep place) {
  for (const ReportStep &known : listed)
    if (isSamePlace(known, place)) return;
  if (listed.size() < kMost)
    listed.push_back(std::move(place));
  else
    more++;
}

void ReportPlaces::add(ReportPlaces &&others) {
  for (ReportStep &place : others.listed) add(std::move(place));
  more += others.more;
}

const char *name(Certainty certainty) {
  switch (certainty) {
  case Certainty::Must: return "must";
  case Certainty::May: return "may";
  case Certainty::Lookup: return "lookup";
  case Certainty::Allocation: return "allocation";
  case Certainty::Callers: return "callers";
  case Certainty::Unchecked: break;
  }
  return "unchecked";
}

} // namespace fathom::statics
