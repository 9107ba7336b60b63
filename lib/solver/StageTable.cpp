// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/StageTable.h"

#include <algorithm>
#include <cassert>

namespace fathom::solver {

const StageTable &StageTable::builtIn() {
  static const StageTable table = [] {
    StageTable all;
#define FATHOM_STAGE(name, put, help)                                                              \
  all.entries_.push_back({#name, /*canBeDisabled=*/true, help, put});
#include "solver/Stages.def"
#undef FATHOM_STAGE
    return all;
  }();
  return table;
}

void StageTable::addAbove(const std::string &below, StageEntry entry) {
  const auto at = std::ranges::find(entries_, below, &StageEntry::name);
  assert(at != entries_.end() && "no stage of this name");
  entries_.insert(at, std::move(entry));
}

std::string StageTable::names() const {
  std::vector<std::string> can;
  for (const StageEntry &e : entries_)
    if (e.canBeDisabled) can.push_back(e.name);
  std::string out;
  for (size_t i = 0; i < can.size(); i++)
    out += (i == 0 ? "" : i + 1 == can.size() ? " or " : ", ") + can[i];
  return out;
}

bool StageTable::has(const std::string &name) const {
  return std::ranges::find(entries_, name, &StageEntry::name) != entries_.end();
}

bool StageTable::disable(const std::string &name, SolverOptions &options) const {
  const auto stage = std::ranges::find(entries_, name, &StageEntry::name);
  if (stage == entries_.end() || !stage->canBeDisabled) return false;
  options.disabledStages.insert(name);
  return true;
}

} // namespace fathom::solver
