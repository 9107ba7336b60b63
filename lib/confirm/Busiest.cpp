// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Busiest.h"

#include "explore/decide/Engine.h"

#include <fmt/format.h>

namespace fathom::confirm {

using namespace explore;

static constexpr const char *kModel = "the environment model";

std::string publicName(const program::Program &program, uint32_t function) {
  const std::string &name = program.functions[function].name;
  if (!name.starts_with('_')) return name;
  const std::string *known = nullptr; // the first by name: the table has no order
  for (const auto &[other, id] : program.functionIndex)
    if (id == function && !other.starts_with('_') && (!known || other < *known)) known = &other;
  if (known) return *known;
  return program.functions[function].isModel ? kModel : name;
}

const std::string &DecisionCounter::placeOf(const program::Program &program, const State &s) {
  uint32_t own = program::kNoIndex, called = program::kNoIndex;
  for (const Frame *f = s.top; f && own == program::kNoIndex; f = f->parent)
    (program.functions[f->function].own ? own : called) = f->function;
  std::string &place = places_[uint64_t(own) << 32 | called];
  if (!place.empty()) return place;
  if (own == program::kNoIndex)
    place = kModel; // before main, or after it
  else if (called == program::kNoIndex)
    place = program.functions[own].name;
  else
    place =
        fmt::format("{}, which {} calls", publicName(program, called), program.functions[own].name);
  return place;
}

void DecisionCounter::decided(Engine &engine, State &s, const Decision &decision) {
  if (decision.isImplied) return;
  engine.services.ledger.add(kDecidesCategory, placeOf(engine.services.program, s), "");
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
