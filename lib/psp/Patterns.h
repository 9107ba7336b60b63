// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated patterns of values, to train and to test the forest with ([psp23] Sec. V): what values
// of a variable look like when they obey a rule, and what a campaign has seen of them.
#ifndef FATHOM_PSP_PATTERNS_H
#define FATHOM_PSP_PATTERNS_H

#include "psp/Ternary.h"
#include "support/Rng.h"

namespace fathom::psp {

enum class PatternKind : uint8_t {
  Range,      ///< all values of an interval
  ErrorCodes, ///< a few numbers near 0, most of them negative
  Odd,        ///< within an interval, often an unbounded one; so are the next three
  Even,
  Modulo,          ///< one residue modulo 3 to 10
  Periodic,        ///< any set of residues modulo 3 to 9
  FileDescriptors, ///< 0 to n, from which a few are missing
};
inline constexpr unsigned kPatternKinds = 7;
const char *textOf(PatternKind kind);

/// Which of the 2 reach + 1 values around some place belong to a pattern, and which of those were
/// seen: each with a probability that is itself drawn from [0.6, 1], since the forest is asked only
/// where samples are many.
struct Pattern {
  PatternKind kind = PatternKind::Range;
  int64_t reach = 0;
  std::vector<uint8_t> belongs, seen;
};
Pattern drawPattern(PatternKind kind, int64_t reach, Rng &rng);

/// A value that was not seen: what is around it, and whether it belongs to the pattern.
struct Example {
  Ternary vector;
  bool belongs = false;
  PatternKind kind = PatternKind::Range;
};
/// Kinds take turns, and so do values that belong and values that do not, if the pattern has both.
/// At least one value within k was seen. Determinism: by the state of `rng`.
std::vector<Example> drawExamples(size_t count, int64_t k, Rng &rng);

} // namespace fathom::psp
#endif
