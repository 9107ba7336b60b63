// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers of which only few values mean anything: what is called, jumped to or freed.
#ifndef FATHOM_EXPLORE_DECIDE_TARGETS_H
#define FATHOM_EXPLORE_DECIDE_TARGETS_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

#include <functional>
#include <optional>
#include <vector>

namespace fathom::explore {

class Addresses;
class FeasibilityChecks;
class Decisions;
struct Engine;
class Places;
class Witnesses;

/// Reports the bug of all addresses that are no target, of which the witness has one: `seen`.
using ReportElsewhere = std::function<void(uint64_t seen, ExprPtr elsewhere)>;

struct Chosen {
  std::optional<uint64_t> target; ///< None: the instruction has to be run again, if not
  bool ended = false;             ///< no input means a target.
};

class Targets : private EngineComponent {
public:
  explicit Targets(Engine &engine);

  /// Makes the address one of `targets` (ascending) on this path, and forks it over the others.
  Chosen chooseTarget(State &s, ExprPtr address, const std::vector<uint64_t> &targets,
                      const ReportElsewhere &reportElsewhere);
  /// \param isUnknown  the pointer is one that is taken for valid: of the functions that take all
  /// of
  ///                   the arguments.
  /// \param only       of these functions, by ids; null: of all whose address is taken.
  std::vector<uint64_t> callTargets(const program::CallSig &sig, ExprPtr address, bool isUnknown,
                                    const std::vector<uint32_t> *only = nullptr) const;
  std::vector<uint64_t> freeTargets(State &s, ExprPtr address);

private:
  Places &places_;
  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  Addresses &addresses_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
