// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaves of an execution tree whose paths differ in how often a part of them is repeated.
//
// Source: [merging23] Def. 3.3, 3.4. The paper leaves open how patterns are found. Here a leaf's
// word is read backwards: each part that is immediately repeated is a candidate for the core, and
// the one that explains the most leaves is taken. Deeper leaves come first.
#ifndef FATHOM_PATTERNS_REGULARPATTERN_H
#define FATHOM_PATTERNS_REGULARPATTERN_H

#include "patterns/ExecutionTree.h"

#include <optional>

namespace fathom::patterns {

/// before core^k after. The core begins as early as possible: `before` and `core` do not end in the
/// same hash.
struct RegularPattern {
  PathWord before, core, after; ///< core empty: a single leaf, whose word is `before`
};

struct RegularGroup {
  struct Member {
    NodeId leaf;
    uint64_t count; ///< k
  };
  RegularPattern pattern;
  std::vector<Member> members; ///< by count, ascending; one at least
};

struct PatternLimits {
  size_t maxGroups = 20;
  size_t maxCore = 64; ///< conditions in a round
};

/// Each leaf is in one group. Nullopt: siblings in the tree have equal shapes, or there would be
/// too many groups. O(word of a leaf * maxCore) for each group, and O(nodes) for its members.
std::optional<std::vector<RegularGroup>> findPatterns(const ExecutionTree &tree,
                                                      std::span<const NodeId> leaves,
                                                      const PatternLimits &limits = {});

/// Splits the group by its counts modulo `rounds`. The core of the parts is the group's core
/// `rounds` times. For conditions that look alike within a round, as comparisons of one byte with
/// several constants do: then the shortest core is not the loop's. No part is empty. O(members).
std::vector<RegularGroup> withLongerRounds(const RegularGroup &group, uint64_t rounds);

} // namespace fathom::patterns
#endif
