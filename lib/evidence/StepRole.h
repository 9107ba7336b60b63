// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step of a report says, as data: what reads reports asks for roles, never for words.
//
// To add one: an enumerator here, and a row in StepRole.cpp.
#ifndef FATHOM_EVIDENCE_STEPROLE_H
#define FATHOM_EVIDENCE_STEPROLE_H

#include "evidence/Fwd.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace fathom::evidence {

enum class StepRole : uint8_t {
  Unknown, ///< the analyser says nothing that is understood
  Allocates,
  Opens,
  Frees,
  Closes,
  Null,      ///< the null pointer comes from here
  MaybeNull, ///< an allocation or a lookup, which may yield nothing
  IsNull,    ///< a branch or selection says so
  Zero,      ///< the divisor 0 comes from here
  Declares,  ///< the variable begins its life
  Unwritten, ///< from here on a variable or a block has no value
  Origin,    ///< what the report is about comes from here: an address, a text
  TrueSide,  ///< a branch or selection whose condition is true
  FalseSide, ///< a branch or selection whose condition is false
  Calls,     ///< the next steps are inside of the call
  Returns,   ///< from the call of the steps before; also with what the report is about
  PassesOn,  ///< what the report is about is stored, read or handed on
  Defect,    ///< the sink
};
/// Does the step say which side of a branch or selection a path takes?
constexpr bool isSide(StepRole role) {
  return role == StepRole::TrueSide || role == StepRole::FalseSide;
}
inline constexpr size_t kStepRoles = static_cast<size_t>(StepRole::Defect) + 1;

struct StepRoleRow {
  StepRole role;
  const char *name; ///< in JSON, and in SARIF's properties
  /// The kinds of a place in a flow that SARIF has for it (SARIF 2.1.0, 3.38.8); "": none.
  std::array<const char *, 2> sarifKinds;
};

/// In the order of StepRole.
std::span<const StepRoleRow> stepRoleRows();
const StepRoleRow &rowOf(StepRole role);

inline const char *name(StepRole role) { return rowOf(role).name; }
std::optional<StepRole> stepRoleFromName(std::string_view name);
/// What other analysers say by SARIF's kinds: the first role of which both are among these.
StepRole stepRoleOfSarif(std::span<const std::string_view> kinds);

/// Does the role say where a defect of this kind begins: where memory is freed, where null comes
/// from?
bool isSourceOf(BugKind kind, StepRole role);

} // namespace fathom::evidence
#endif
