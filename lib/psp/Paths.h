// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzz', the sample filtered by path ([psp23] Sec. IV-B): of the executions that came to a branch,
// those on whose paths the clauses C' held.
//
// A clause is a side of a branch that a path took. Clauses of branches that are independent of the
// branch that asks are left out. Which are is computed once, from the sample: branches are tested
// in pairs (chi-squared, 5 %), and those that are dependent, directly or through others, make a
// group. So C' is the sequence of the sides that a path took at branches of the group, and its hash
// is all that a path has to carry of it:
//
//   Paths paths(edges, seed);
//   uint64_t clauses = Paths::kNoClauses;                    // of one group
//   paths.ofSide(branch, side, clauses);                     // P(C | C')
//   clauses = Paths::extended(clauses, branch, side);        // the path takes the side
//
// P(C | C') is 1 if an execution of Fuzz' took the side, as Eq. 6 says. Departs: otherwise it is
// not the probability of the most probable state that takes the side, but 1 / (n + 2) after n
// executions of which none did (the rule of succession). A comparison fails in states that are
// neighbours of those in which it holds, so Eq. 6 makes nearly every side probable that was never
// seen.
#ifndef FATHOM_PSP_PATHS_H
#define FATHOM_PSP_PATHS_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fathom::psp {

/// A side that executions took, all with the same path before: an edge of the tree of paths.
struct PathEdge {
  uint64_t before = 0, after = 0; ///< identities of the paths without and with it
  uint32_t branch = 0, side = 0;
  uint64_t count = 0; ///< executions, at least 1
};

/// The statistic of a table of two by two counts, with one degree of freedom; 0 where a row or a
/// column is empty: a constant is independent of everything.
double chiSquared(const std::array<double, 4> &table);

class Paths {
public:
  static constexpr uint64_t kNoClauses = 0xcbf29ce484222325ull;
  static constexpr uint32_t kNoGroup = ~0u; ///< of a branch that no execution came to
  /// With more branches than this there are no tests: one group has all of them.
  static constexpr size_t kMaxTested = 200;

  /// \param edges  in any order; those that are not connected to the root are left out.
  /// \param root   the identity of the empty path.
  /// Cost: O(edges * branches) for the tests, else O(edges log edges).
  Paths(std::vector<PathEdge> edges, uint64_t root);

  uint32_t groups() const { return groups_; }
  uint32_t groupOf(uint32_t branch) const {
    auto found = group_.find(branch);
    return found == group_.end() ? kNoGroup : found->second;
  }
  static uint64_t extended(uint64_t clauses, uint32_t branch, uint32_t side) {
    return (clauses ^ ((uint64_t(branch) << 20) + side + 1)) * 0x9E3779B97F4A7C15ull ^
           (clauses >> 29);
  }
  /// In (0, 1]; nullopt: no execution came to the branch with these clauses.
  std::optional<double> ofSide(uint32_t branch, uint32_t side, uint64_t clauses) const;
  size_t edges() const { return edges_.size(); } ///< of the tree

private:
  template <class Visit> void walk(uint64_t root, Visit visit) const;
  void group(uint64_t root);
  void count(uint64_t root);

  std::vector<PathEdge> edges_;         ///< ascending by `before`, then branch and side
  std::map<uint32_t, uint32_t> group_;  ///< by branch
  std::map<uint32_t, uint32_t> number_; ///< of a branch among those that are seen
  uint32_t groups_ = 0;
  using Counts = std::vector<std::pair<uint32_t, uint64_t>>; ///< executions by side
  std::unordered_map<uint64_t, Counts> sides_; ///< by clauses and branch; looked up only
};

} // namespace fathom::psp
#endif
