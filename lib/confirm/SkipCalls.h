// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policy that leaves calls out: what CallEffects.h says is not known afterwards becomes
// unknown.
#ifndef FATHOM_CONFIRM_SKIPCALLS_H
#define FATHOM_CONFIRM_SKIPCALLS_H

#include "confirm/CallEffects.h"
#include "confirm/Defect.h"
#include "confirm/Forget.h"
#include "confirm/SinkCalls.h"
#include "explore/policy/Policy.h"

#include <map>
#include <set>
#include <vector>

namespace fathom::confirm {

class SkipCalls final : public explore::CallPolicy {
public:
  /// What it has to know of the defect.
  struct Defect {
    const SinkCalls &sinkCalls;
    std::vector<Place> places;   ///< calls there are executed, for it may show in the callee
    std::vector<bool> isRelated; ///< functions from which these can be reached
    /// Functions of which a place is a call of a related one. In others, all such are executed.
    std::vector<bool> namesCall;
  };
  /// \param wanted  which functions, by id; one with no effect in `effects` is skipped as if it had
  ///                none, which is wrong for some runs ([satracer]'s no-step-in).
  /// \param executed  calls that are executed, too.
  SkipCalls(const CallEffects &effects, std::vector<bool> wanted, Defect defect,
            std::set<OmittedSite> executed)
      : effects_(effects), wanted_(std::move(wanted)), defect_(std::move(defect)),
        executed_(std::move(executed)) {}

  bool wants(const program::FunctionCode &callee) const override { return wanted_[callee.id]; }
  Answer call(explore::Engine &engine, explore::State &s,
              const explore::FunctionCall &call) override;

private:
  const CallEffects &effects_;
  std::vector<bool> wanted_;
  Defect defect_;
  std::set<OmittedSite> executed_;
  std::map<OmittedSite, Writes> atLine_; ///< of calls whose writes depend on them
};

/// After each call of the program's own that gives errno's address, it holds anything: calls that
/// were skipped may have set it. It belongs to SkipCalls.
class UnknownErrno final : public explore::Policy {
public:
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;
};

} // namespace fathom::confirm
#endif
