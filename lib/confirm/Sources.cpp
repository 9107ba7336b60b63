// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Sources.h"

#include "evidence/BugKind.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace fathom::confirm {

using evidence::BugKind;

namespace {

struct SourceWords {
  BugKind kind;
  std::vector<const char *> words; ///< in lower case; the first step with one of them
};

/// As Clang 19, GCC 12, cppcheck 2.10, Infer 1.1 and fathom scan say it.
const std::vector<SourceWords> &sourceWords() {
  static const std::vector<SourceWords> all = {
      {BugKind::UseAfterFree,
       {"memory is released", "freed here", "deallocated", "was freed by", "is freed",
        "is invalidated",
        "first \xE2\x80\x98"
        "free",
        "memory was released", "closed here", "frees the memory"}},
      {BugKind::DoubleFree,
       {"memory is released",
        "first \xE2\x80\x98"
        "free",
        "freed here", "deallocated", "was freed by", "is freed", "memory was released",
        "frees the memory"}},
      {BugKind::NullDereference,
       {"null pointer value", "is null", "could return null", "value is 0", "is assigned null",
        "could be null", "is assumed to be null", "assigned to null", "null returned",
        "may return null", "null is returned", "null is stored", "null is assigned",
        "null is chosen", "null comes from here", "is null by this comparison", "null is passed",
        "null is one of the cases"}},
      {BugKind::Leak,
       {"memory is allocated", "allocated here", "opened here", "allocation part", "allocates it",
        "opens it"}},
      {BugKind::UninitializedRead,
       {"without an initial value", "region created on", "storing uninitialized value",
        "is not initialized", "declared here", "has no value yet"}},
      {BugKind::DivisionByZero, {"value 0", "is 0", "value is 0", "the value 0"}},
  };
  return all;
}

bool hasAny(const Place &step, const std::vector<const char *> &words) {
  const std::string text = llvm::StringRef(step.message).lower();
  return std::ranges::any_of(
      words, [&](const char *word) { return text.find(word) != std::string::npos; });
}

/// Null: of this kind no words are known.
const std::vector<const char *> *wordsOf(const Defect &defect) {
  if (defect.kinds.empty()) return nullptr;
  const auto known = std::ranges::find(sourceWords(), defect.kinds[0], &SourceWords::kind);
  return known == sourceWords().end() ? nullptr : &known->words;
}

} // namespace

bool namesSource(const Defect &defect) {
  const std::vector<const char *> *words = wordsOf(defect);
  return words && !defect.steps.empty() && hasAny(defect.steps[0], *words);
}

bool namesAllocation(const Place &source) { return hasAny(source, {"allocat"}); }

bool namesReturnedMemory(const Place &step) { return hasAny(step, {"comes back from the call"}); }

bool namesNullResult(const Place &source) {
  return hasAny(source, {"may return null", "could return null", "returns null", "null returned"});
}

void beginAtSource(Defect &defect) {
  const std::vector<const char *> *words = wordsOf(defect);
  if (!words) return;
  const auto source =
      std::ranges::find_if(defect.steps, [&](const Place &step) { return hasAny(step, *words); });
  if (source != defect.steps.end()) defect.steps.erase(defect.steps.begin(), source);
}

} // namespace fathom::confirm
