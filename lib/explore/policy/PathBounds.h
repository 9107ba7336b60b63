// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds on what is not known: a path ends when it has decided so many branches and comes to a
// call or a round of a loop, or when a loop that it could leave goes into one more round than it
// may.
//
// Only rounds count that a path was free to leave out. A loop whose conditions the path knows runs
// to its end, however many rounds that takes: what a table is filled with, say. Leaving a loop
// forgets its rounds, so an inner loop begins anew in each round of the outer one.
//
// Source: [satracer] Sec. III-D unrolls each loop three times, and follows 500 basic blocks.
#ifndef FATHOM_EXPLORE_POLICY_PATHBOUNDS_H
#define FATHOM_EXPLORE_POLICY_PATHBOUNDS_H

#include "evidence/LedgerCategory.h"
#include "explore/policy/LoopExits.h"
#include "explore/policy/Policy.h"

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fathom::explore {

/// In the ledger: a path that PathBounds ended in a loop. One that was too long is bound-depth.
inline constexpr auto kLoopBoundCategory = evidence::LedgerCategory::BoundLoop;
/// For each such entry and input that the loop's condition asks for: an entry at the same location,
/// whose detail is the input's name. Nothing is left out by one.
inline constexpr auto kLoopAsksCategory = evidence::LedgerCategory::BoundLoopAsks;

class PathBounds final : public Policy {
public:
  struct Limits {
    uint32_t rounds = 0;   ///< of a loop; 0: no bound
    uint32_t branches = 0; ///< on conditions that are not known, implied ones too; 0: no bound
  };
  /// \param exits  of the program
  PathBounds(Limits limits, std::shared_ptr<const LoopExits> exits)
      : limits_(limits), exits_(std::move(exits)) {}

  std::vector<PointSite> points(const program::Program &program) const override;
  Answer at(Engine &engine, State &s) override;
  bool keepsDecisions() const override { return true; }
  void decided(Engine &engine, State &s, const Decision &decision) override;

private:
  /// Rounds of one loop in one activation that this branch began.
  struct Rounds {
    uint64_t branch; ///< keyOf
    uint32_t loop;
    uint64_t activation;
    uint32_t count;
    ExprPtr condition; ///< of the last round
  };
  using AllRounds = std::shared_ptr<const std::vector<Rounds>>;
  static uint64_t keyOf(uint32_t function, uint32_t inst) {
    return uint64_t(function) << 32 | inst;
  }
  const AllRounds &roundsOf(const State &s) const;

  Limits limits_;
  std::shared_ptr<const LoopExits> exits_;
  /// The rounds of a path, by its last decision. A decision is noted when it is made, so an entry
  /// of one that is gone is never found. Looked up only.
  std::unordered_map<const void *, AllRounds> rounds_;
};

} // namespace fathom::explore
#endif
