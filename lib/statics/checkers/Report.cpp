// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Report.h"

#include "support/SourcePlace.h"

namespace fathom::statics {

namespace {
struct Rule {
  const char *name;
  unsigned cwe;
  const char *text;
};
constexpr Rule kRules[kDefectKinds] = {
    {"use-after-free", 416, "Memory is used after it was freed."},
    {"double-free", 415, "Memory is freed twice."},
    {"null-dereference", 476, "A pointer that may be null is dereferenced."},
    {"leak", 401, "Memory is never freed."},
    {"handle-leak", 775, "A file is opened and never closed."},
    {"uninitialized-read", 457, "A variable is read before anything was written to it."},
    {"invalid-free", 590, "Something is freed that no allocator returned."},
    {"out-of-bounds-read", 125, "Memory outside of an object is read."},
    {"out-of-bounds-write", 787, "Memory outside of an object is written."},
    {"division-by-zero", 369, "A number is divided by zero."},
};
} // namespace

std::string placeText(const ReportStep &step, const char *word) {
  if (step.line == 0) return "in " + step.function;
  return std::string(word) + " " + shortPlace(step.file, step.line);
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

const char *nameOf(DefectKind kind) { return kRules[static_cast<size_t>(kind)].name; }
unsigned cweOf(DefectKind kind) { return kRules[static_cast<size_t>(kind)].cwe; }
const char *ruleText(DefectKind kind) { return kRules[static_cast<size_t>(kind)].text; }

} // namespace fathom::statics
