// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways that a path passed without a query. A state that goes the witness's way leaves behind a copy
// of itself for each other way, with the condition of that way: a pending state. When the searcher
// chooses it, it first asks its query (decide/FeasibilityChecks.cpp).
//
// Source: Kapus, Busse, Cadar, "Pending Constraints in Symbolic Execution for Better Exploration
// and Seeding", ASE 2020. There a pending state is a branch's other side. Here it can be any
// decision: a case of a switch, another value of an address, whether a check fails.
#ifndef FATHOM_EXPLORE_STATE_PENDING_H
#define FATHOM_EXPLORE_STATE_PENDING_H

#include "explore/Results.h"
#include "expr/Expr.h"
#include "program/Code.h"

#include <cstdint>
#include <optional>
#include <string>

namespace fathom::explore {

/// Instead of a program::BranchId: the query is not for a branch.
inline constexpr uint32_t kNoBranch = ~0u;

struct Pending {
  enum class Kind : uint8_t {
    Way,   ///< the program goes on in another way
    Check, ///< something goes wrong, and the program (mostly) ends
    Others ///< a value was pinned: are there others? It goes to the ledger, and the state ends.
  };
  Kind kind = Kind::Way;
  expr::ExprPtr condition = nullptr;
  /// Where it goes on. Null: the instruction is run again, and finds the condition on the path.
  const program::Inst *target = nullptr;
  uint64_t coverIndex = 0;       ///< of the target, in Coverage::cover
  uint32_t branchId = kNoBranch; ///< of the branch that decides
  uint32_t side = 0;             ///< of the branch
  bool own = false;              ///< a branch of the program's own code
  bool forks = true;             ///< Way: the path that left it goes on as well
  unsigned attempts = 0;         ///< how often its question has timed out so far
  std::string why = {};          ///< Others: what was pinned
  /// Check: the query is dropped once this bug, at the object with this base (0: none), is
  /// reported.
  std::optional<evidence::BugKind> bug = {};
  uint64_t object = 0;
};

} // namespace fathom::explore
#endif
