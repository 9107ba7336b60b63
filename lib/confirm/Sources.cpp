// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Sources.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace fathom::confirm {

using explore::BugKind;

namespace {

struct SourceWords {
  BugKind kind;
  std::vector<const char *> words; ///< in lower case; the first step with one of them
};

/// As Clang 19, GCC 12, cppcheck 2.10 and Infer 1.1 say it.
const std::vector<SourceWords> &sourceWords() {
  static const std::vector<SourceWords> all = {
      {BugKind::UseAfterFree,
       {"memory is released", "freed here", "deallocated", "was freed by", "is freed",
        "is invalidated",
        "first \xE2\x80\x98"
        "free",
        "memory was released", "closed here"}},
      {BugKind::DoubleFree,
       {"memory is released",
        "first \xE2\x80\x98"
        "free",
        "freed here", "deallocated", "was freed by", "is freed", "memory was released"}},
      {BugKind::NullDereference,
       {"null pointer value", "is null", "could return null", "value is 0", "is assigned null",
        "could be null", "is assumed to be null", "assigned to null", "null returned"}},
      {BugKind::Leak, {"memory is allocated", "allocated here", "opened here", "allocation part"}},
      {BugKind::UninitializedRead,
       {"without an initial value", "region created on", "storing uninitialized value",
        "is not initialized", "declared here"}},
      {BugKind::DivisionByZero, {"value 0", "is 0", "value is 0", "the value 0"}},
  };
  return all;
}

} // namespace

void beginAtSource(Defect &defect) {
  if (defect.kinds.empty()) return;
  const auto known = std::ranges::find(sourceWords(), defect.kinds[0], &SourceWords::kind);
  if (known == sourceWords().end()) return;
  const auto source = std::ranges::find_if(defect.steps, [&](const Place &step) {
    const std::string text = llvm::StringRef(step.message).lower();
    return std::ranges::any_of(
        known->words, [&](const char *word) { return text.find(word) != std::string::npos; });
  });
  if (source != defect.steps.end()) defect.steps.erase(defect.steps.begin(), source);
}

} // namespace fathom::confirm
