// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/StepRole.h"

#include "evidence/BugKind.h"

#include <algorithm>
#include <iterator>

namespace fathom::evidence {

namespace {

using enum StepRole;

constexpr StepRoleRow kRoles[] = {
    {Unknown, "unknown", {"", ""}},
    {Allocates, "allocates", {"acquire", "memory"}},
    {Opens, "opens", {"acquire", "resource"}},
    {Frees, "frees", {"release", "memory"}},
    {Closes, "closes", {"release", "resource"}},
    {Null, "null", {"value", ""}},
    {MaybeNull, "may-be-null", {"call", "value"}},
    {IsNull, "is-null", {"branch", "value"}},
    {Zero, "zero", {"value", ""}},
    {Declares, "declares", {"enter", "scope"}},
    {Unwritten, "unwritten", {"value", ""}},
    {Origin, "origin", {"value", ""}},
    {TrueSide, "true-side", {"branch", "true"}},
    {FalseSide, "false-side", {"branch", "false"}},
    {Calls, "calls", {"call", "function"}},
    {Returns, "returns", {"return", "function"}},
    {PassesOn, "passes-on", {"value", ""}},
    {Defect, "defect", {"danger", ""}},
};
static_assert(std::size(kRoles) == kStepRoles);

constexpr bool areRolesInOrder() {
  for (size_t i = 0; i < kStepRoles; ++i)
    if (kRoles[i].role != static_cast<StepRole>(i)) return false;
  return true;
}
static_assert(areRolesInOrder(), "rows stand in the order of StepRole");

} // namespace

std::span<const StepRoleRow> stepRoleRows() { return kRoles; }
const StepRoleRow &rowOf(StepRole role) { return kRoles[static_cast<size_t>(role)]; }

std::optional<StepRole> stepRoleFromName(std::string_view name) {
  const auto row = std::ranges::find(kRoles, name, &StepRoleRow::name);
  if (row == std::end(kRoles)) return std::nullopt;
  return row->role;
}

StepRole stepRoleOfSarif(std::span<const std::string_view> kinds) {
  const auto isThere = [&](std::string_view kind) {
    return !kind.empty() && std::ranges::find(kinds, kind) != kinds.end();
  };
  // One kind alone says too little: a value may be anything.
  const auto row = std::ranges::find_if(kRoles, [&](const StepRoleRow &r) {
    return isThere(r.sarifKinds[0]) && isThere(r.sarifKinds[1]);
  });
  return row == std::end(kRoles) ? Unknown : row->role;
}

bool isSourceOf(BugKind kind, StepRole role) {
  switch (kind) {
  case BugKind::UseAfterFree:
  case BugKind::DoubleFree: return role == Frees || role == Closes;
  case BugKind::NullDereference: return role == Null || role == MaybeNull || role == IsNull;
  case BugKind::Leak: return role == Allocates || role == Opens;
  case BugKind::UninitializedRead: return role == Declares || role == Unwritten;
  case BugKind::DivisionByZero: return role == Zero;
  default: return false;
  }
}

} // namespace fathom::evidence
