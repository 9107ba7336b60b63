// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policy that leaves calls out: what CallEffects.h says is not known afterwards becomes
// unknown.
#ifndef FATHOM_CONFIRM_SKIPCALLS_H
#define FATHOM_CONFIRM_SKIPCALLS_H

#include "confirm/CallEffects.h"
#include "confirm/Defect.h"
#include "confirm/Forget.h"
#include "explore/policy/Policy.h"

#include <set>
#include <vector>

namespace fathom::confirm {

class SkipCalls final : public explore::CallPolicy {
public:
  /// \param wanted  which functions, by id; one with no effect in `effects` is skipped as if it had
  ///                none, which is wrong for some runs ([satracer]'s no-step-in).
  /// \param places  of the defect: calls there are executed, for it may show in the callee.
  /// \param executed  calls that are executed, too.
  SkipCalls(const CallEffects &effects, std::vector<bool> wanted, std::vector<Place> places,
            std::set<OmittedSite> executed)
      : effects_(effects), wanted_(std::move(wanted)), places_(std::move(places)),
        executed_(std::move(executed)) {}

  bool wants(const program::FunctionCode &callee) const override { return wanted_[callee.id]; }
  Answer call(explore::Engine &engine, explore::State &s,
              const explore::FunctionCall &call) override;

private:
  const CallEffects &effects_;
  std::vector<bool> wanted_;
  std::vector<Place> places_;
  std::set<OmittedSite> executed_;
};

/// Behind each call of the program's own that gives errno's address, it holds anything: calls that
/// were skipped may have set it. It belongs to SkipCalls.
class UnknownErrno final : public explore::Policy {
public:
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;
};

} // namespace fathom::confirm
#endif
