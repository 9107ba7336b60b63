// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Groups.h"

#include "evidence/BugKind.h"

#include "llvm/Support/BLAKE3.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace fathom::confirm {

using evidence::BugKind;

/// What the engine has no kind for comes last.
static uint32_t classOf(const std::vector<BugKind> &kinds) {
  if (kinds.empty()) return evidence::kConfirmClasses;
  return static_cast<uint32_t>(evidence::rowOf(kinds[0]).confirmClass);
}

Promise promiseOf(const Defect &defect, const Extent &extent) {
  Promise out;
  out.kindClass = classOf(defect.kinds);
  out.functions = extent.functions;
  out.branches = extent.branches;
  out.doubts = defect.doubts;
  out.steps = static_cast<uint32_t>(defect.steps.size());
  if (!defect.steps.empty() && defect.steps[0].file == defect.sink.file)
    out.lines = std::max(defect.steps[0].line, defect.sink.line) -
                std::min(defect.steps[0].line, defect.sink.line);
  return out;
}

uint32_t Groups::add(uint64_t report, const Defect &defect, const Extent &extent) {
  std::string key;
  for (const BugKind kind : defect.kinds) key += fmt::format("{},", static_cast<int>(kind));
  key += fmt::format("{}:{}", defect.sink.file, defect.sink.line);
  if (!defect.steps.empty())
    key += fmt::format("|{}:{}", defect.steps[0].file, defect.steps[0].line);
  llvm::BLAKE3 hash;
  hash.update(key);
  const auto digest = hash.final<16>();
  const auto [known, isNew] =
      known_.try_emplace(std::string(digest.begin(), digest.end()), groups_.size());
  const Promise promise = promiseOf(defect, extent);
  if (isNew) {
    groups_.push_back({report, promise});
    return known->second;
  }
  Group &group = groups_[known->second];
  if (promise < group.promise) {
    group.leader = report;
    group.promise = promise;
  }
  return known->second;
}

std::vector<uint32_t> Groups::order() const {
  std::vector<uint32_t> out(groups_.size());
  std::iota(out.begin(), out.end(), 0u);
  std::sort(out.begin(), out.end(), [&](uint32_t a, uint32_t b) {
    const auto order = groups_[a].promise <=> groups_[b].promise;
    return order < 0 || (order == 0 && a < b);
  });
  return out;
}

} // namespace fathom::confirm
