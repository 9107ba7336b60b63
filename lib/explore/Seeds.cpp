// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Seeds.h"

#include "explore/Executor.h"

#include <algorithm>

namespace fathom::explore {

/// Is it this name, or one of ours for a later object of this name (name_1, name_2, ...)?
static bool isNamed(const std::string &object, const std::string &name) {
  if (!object.starts_with(name)) return false;
  const std::string_view rest = std::string_view(object).substr(name.size());
  return rest.empty() || (rest.size() > 1 && rest[0] == '_' &&
                          rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

bool Seed::isInput(const std::string &name) {
  return name == "stdin" || name == "A-data" || name == "fuzz_data";
}

std::vector<uint8_t> Seed::bytesFor(const std::string &name, std::vector<bool> &taken,
                                    uint64_t fuzzBytes) const {
  if (raw) {
    if (isInput(name)) return data;
    if (name != "fuzz_size") return {};
    const uint64_t length = std::min<uint64_t>(data.size(), fuzzBytes);
    std::vector<uint8_t> size(4);
    for (unsigned i = 0; i < 4; i++) size[i] = static_cast<uint8_t>(length >> (8 * i));
    return size;
  }
  taken.resize(objects.size());
  auto take = [&](auto isIt) -> const std::vector<uint8_t> * {
    for (size_t i = 0; i < objects.size(); i++)
      if (!taken[i] && isIt(objects[i].first)) {
        taken[i] = true;
        return &objects[i].second;
      }
    return nullptr;
  };
  auto isIt = [&](const std::string &object) { return object == name; };
  if (const auto *bytes = take(isIt)) return *bytes;
  if (std::any_of(objects.begin(), objects.end(), [&](auto &o) { return isIt(o.first); }))
    if (const auto *bytes = take([&](auto &object) { return isNamed(object, name); }))
      return *bytes;
  return {};
}

void Executor::startSeeds(State &s) {
  if (options_.seeds.empty()) return;
  auto seeds = std::make_shared<SeedStates>();
  for (const Seed &seed : options_.seeds)
    seeds->push_back(
        {&seed, std::make_shared<const expr::Model>(), {}, seed.raw ? seed.data.size() : 0});
  s.seeds = std::move(seeds);
}

void Executor::feedSeeds(State &s, ExprPtr symbol, const std::string &name) {
  auto seeds = std::make_shared<SeedStates>(*s.seeds);
  for (SeedState &seed : *seeds) {
    std::vector<uint8_t> bytes = seed.seed->bytesFor(name, seed.taken, options_.fuzzBytes);
    auto model = std::make_shared<expr::Model>(*seed.model);
    const uint64_t size = std::min<uint64_t>(bytes.size(), symbol->array().sizeBytes);
    const uint64_t cut = bytes.size() - size;
    if (!seed.seed->raw)
      seed.cutBytes += cut;
    else if (Seed::isInput(name)) // there can be several, all with the same bytes
      seed.cutBytes = std::min(seed.cutBytes, cut);
    for (uint64_t i = 0; i < size; i++)
      if (bytes[i]) model->setByte(symbol, i, bytes[i]);
    seed.model = std::move(model);
  }
  s.seeds = std::move(seeds);
}

void Executor::addSymbol(State &s, ExprPtr symbol, const std::string &name) {
  s.symbols.push(symbol);
  stats_.symbols++;
  if (s.seeds) feedSeeds(s, symbol, name);
  if (std::optional<uint64_t> changes = scripted(s)) return adoptScriptedWitness(s, *changes);
  if (!s.seeds) return s.log.append(0);
  adoptWitness(s, s.seeds->front().model);
}

/// What was evaluated under the witness is remembered, and most paths have one seed, which is it.
bool Executor::holdsForSeed(State &s, const SeedState &seed, ExprPtr condition) {
  return seed.model == s.witness ? holdsUnderWitness(s, condition)
                                 : holdsUnder(*seed.model, condition);
}

std::shared_ptr<const expr::Model> Executor::seedWith(State &s, ExprPtr condition) {
  if (s.seeds)
    for (const SeedState &seed : *s.seeds)
      if (holdsForSeed(s, seed, condition)) return seed.model;
  return nullptr;
}

void Executor::splitSeeds(State &s, State &failed) {
  if (!s.seeds) return;
  SeedStates goOn, fail;
  for (const SeedState &seed : *s.seeds) {
    const bool fails = std::ranges::binary_search(seed.seed->failedAllocations, s.allocations);
    (fails ? fail : goOn).push_back(seed);
  }
  auto shared = [](SeedStates seeds) {
    return seeds.empty() ? nullptr : std::make_shared<const SeedStates>(std::move(seeds));
  };
  s.seeds = shared(std::move(goOn));
  failed.seeds = shared(std::move(fail));
}

bool Executor::keepSeeds(State &s, ExprPtr condition,
                         const std::shared_ptr<const expr::Model> &model) {
  if (!s.seeds) return false;
  auto kept = std::make_shared<SeedStates>();
  for (const SeedState &seed : *s.seeds)
    if (holdsForSeed(s, seed, condition)) kept->push_back(seed);
  if (kept->empty() && failing_ && model) {
    kept->push_back(s.seeds->front());
    kept->front().model = model;
  }
  if (kept->empty())
    s.seeds = nullptr;
  else
    s.seeds = std::move(kept);
  return s.seeds != nullptr;
}

} // namespace fathom::explore
