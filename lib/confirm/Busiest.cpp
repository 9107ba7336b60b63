// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Busiest.h"

#include "explore/decide/Engine.h"

#include <fmt/format.h>

namespace fathom::confirm {

using namespace explore;

void CountsDecisions::decided(Engine &engine, State &, const Decision &decision) {
  if (decision.isImplied) return;
  engine.services.ledger.add(kDecidesCategory,
                             engine.services.program.functions[decision.function].name, "");
}

std::string busiestText(const Ledger &ledger) {
  const std::string *busiest = nullptr;
  uint64_t all = 0, most = 0;
  for (const auto &[key, count] : ledger.entries()) {
    if (key.category != kDecidesCategory) continue;
    all += count;
    if (count <= most) continue;
    most = count;
    busiest = &key.location;
  }
  return busiest ? fmt::format("{} of {} decisions were made in {}", most, all, *busiest) : "";
}

} // namespace fathom::confirm
