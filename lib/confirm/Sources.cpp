// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Sources.h"

#include "evidence/BugKind.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace fathom::confirm {

using evidence::BugKind;
using evidence::StepRole;

namespace {

struct RoleWords {
  BugKind kind;
  StepRole role;
  std::vector<const char *> words; ///< in lower case; one of them is enough
};

/// As Clang 19, GCC 12, cppcheck 2.10 and Infer 1.1 say it; also fathom scan where it wrote no
/// roles yet.
const std::vector<RoleWords> &roleWords() {
  static const std::vector<const char *> freed = {"memory is released",
                                                  "freed here",
                                                  "deallocated",
                                                  "was freed by",
                                                  "is freed",
                                                  "is invalidated",
                                                  "first \xE2\x80\x98"
                                                  "free",
                                                  "memory was released",
                                                  "frees the memory"};
  static const std::vector<RoleWords> all = {
      {BugKind::UseAfterFree, StepRole::Frees, freed},
      {BugKind::UseAfterFree, StepRole::Closes, {"closed here"}},
      {BugKind::DoubleFree, StepRole::Frees, freed},
      {BugKind::NullDereference,
       StepRole::MaybeNull,
       {"may return null", "could return null", "returns null", "null returned"}},
      {BugKind::NullDereference,
       StepRole::IsNull,
       {"is null", "could be null", "is assumed to be null", "null is one of the cases"}},
      {BugKind::NullDereference,
       StepRole::Null,
       {"null pointer value", "value is 0", "is assigned null", "assigned to null",
        "null is returned", "null is stored", "null is assigned", "null is chosen",
        "null is passed"}},
      {BugKind::Leak,
       StepRole::Allocates,
       {"memory is allocated", "allocated here", "allocation part", "allocates it"}},
      {BugKind::Leak, StepRole::Opens, {"opened here", "opens it"}},
      {BugKind::Leak, StepRole::Returns, {"comes back from the call"}},
      {BugKind::UninitializedRead,
       StepRole::Declares,
       {"without an initial value", "region created on", "is not initialized", "declared here"}},
      {BugKind::UninitializedRead,
       StepRole::Unwritten,
       {"storing uninitialized value", "has no value yet"}},
      {BugKind::DivisionByZero, StepRole::Zero, {"value 0", "is 0"}},
  };
  return all;
}

StepRole roleInWords(BugKind kind, const std::string &message) {
  const std::string text = llvm::StringRef(message).lower();
  const auto known = std::ranges::find_if(roleWords(), [&](const RoleWords &row) {
    return row.kind == kind && std::ranges::any_of(row.words, [&](const char *word) {
             return text.find(word) != std::string::npos;
           });
  });
  return known == roleWords().end() ? StepRole::Unknown : known->role;
}

} // namespace

void readRoles(Defect &defect) {
  if (defect.kinds.empty() || defect.hasRoles) return;
  const BugKind kind = defect.kinds[0];
  for (Place &step : defect.steps) {
    // Words that say where the defect begins say more than kinds of places do.
    if (evidence::isSourceOf(kind, step.role)) continue;
    if (const StepRole role = roleInWords(kind, step.message); role != StepRole::Unknown)
      step.role = role;
  }
}

bool namesSource(const Defect &defect) {
  return !defect.kinds.empty() && !defect.steps.empty() &&
         evidence::isSourceOf(defect.kinds[0], defect.steps[0].role);
}

void beginAtSource(Defect &defect) {
  if (defect.kinds.empty()) return;
  const auto source = std::ranges::find_if(defect.steps, [&](const Place &step) {
    return evidence::isSourceOf(defect.kinds[0], step.role);
  });
  if (source != defect.steps.end()) defect.steps.erase(defect.steps.begin(), source);
}

} // namespace fathom::confirm
