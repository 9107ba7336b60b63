// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which results of two versions are the same. Lines are no evidence: they only break ties.
//
//   1. equal fingerprints, those of Fathom or of the analyser
//   2. the same code in its line, in a function whose code is the same: functions and files that
//      were renamed
//   3. the same code in its line, in a function of the same name: other steps or calls lead there
//   4. the same kind, functions and words: its line was edited
//
// Each result is paired once, by the first of these that holds.
#ifndef FATHOM_RUN_MATCH_H
#define FATHOM_RUN_MATCH_H

#include "run/diff/ResultSet.h"

#include <string>
#include <vector>

namespace fathom::run {

enum class MatchedBy : uint8_t {
  Fingerprint,
  Code,
  Place,
  Words,
  Input ///< not by matchResults: the old input shows the new one
};
/// "fingerprint", "renamed", "path", "edited", "input": for programs.
const char *name(MatchedBy by);

struct Match {
  size_t before = 0, after = 0; ///< indices of the results
  MatchedBy by = MatchedBy::Fingerprint;
};

/// Sorted by `after`. Results of one class (Analysis::klass) are compared with each other only.
/// Determinism: pure. Cost: about linear.
std::vector<Match> matchResults(const ResultSet &before, const ResultSet &after);

} // namespace fathom::run
#endif
