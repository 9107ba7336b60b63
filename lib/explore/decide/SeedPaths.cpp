// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/SeedPaths.h"

#include "explore/decide/Witnesses.h"

#include <algorithm>

namespace fathom::explore {

void SeedPaths::startSeeds(State &s, const PathPrefix &path) {
  auto seeds = std::make_shared<SeedStates>();
  auto add = [&](std::shared_ptr<const Seed> seed) {
    const uint64_t size = seed->raw ? seed->data.size() : 0;
    seeds->push_back({std::move(seed), std::make_shared<const expr::Model>(), {}, size});
  };
  if (path.input) {
    auto offered = std::make_shared<Seed>();
    offered->data = *path.input;
    offered->isOffered = true;
    add(std::move(offered));
  } else {
    for (const Seed &seed : options_.seeds) // the options outlive all states
      add(std::shared_ptr<const Seed>(std::shared_ptr<const Seed>(), &seed));
  }
  if (!seeds->empty()) s.seeds = std::move(seeds);
}

/// tell(model, bytes) puts the bytes that a seed has, as many as there is room for, into its model.
template <typename Tell>
void SeedPaths::feed(State &s, const std::string &name, uint64_t room, const Tell &tell) {
  auto seeds = std::make_shared<SeedStates>(*s.seeds);
  for (SeedState &seed : *seeds) {
    std::vector<uint8_t> bytes = seed.seed->bytesFor(name, seed.taken, options_.fuzzBytes);
    auto model = std::make_shared<expr::Model>(*seed.model);
    const uint64_t size = std::min<uint64_t>(bytes.size(), room);
    const uint64_t cut = bytes.size() - size;
    if (!seed.seed->raw)
      seed.cutBytes += cut;
    else if (Seed::isInput(name)) // there can be several, all with the same bytes
      seed.cutBytes = std::min(seed.cutBytes, cut);
    bytes.resize(size);
    tell(*model, bytes);
    seed.model = std::move(model);
  }
  s.seeds = std::move(seeds);
}

static void setBytes(expr::Model &model, ExprPtr symbol, const std::vector<uint8_t> &bytes) {
  for (uint64_t i = 0; i < bytes.size(); i++)
    if (bytes[i]) model.setByte(symbol, i, bytes[i]);
}

void SeedPaths::feedSeeds(State &s, ExprPtr symbol, const std::string &name) {
  feed(s, name, symbol->array().sizeBytes,
       [&](expr::Model &model, const std::vector<uint8_t> &bytes) {
         setBytes(model, symbol, bytes);
       });
}

void SeedPaths::feedSized(State &s, const SizedInput &input, const std::string &name) {
  feed(s, name, input.bytes->array().sizeBytes,
       [&](expr::Model &model, std::vector<uint8_t> &bytes) {
         if (input.isText) bytes.erase(std::ranges::find(bytes, 0), bytes.end());
         bytes.resize(std::min<uint64_t>(bytes.size(), input.most));
         setBytes(model, input.bytes, bytes);
         for (uint64_t i = 0; i < input.length->array().sizeBytes; i++)
           model.setByte(input.length, i, static_cast<uint8_t>(bytes.size() >> (8 * i)));
       });
}

/// What was evaluated under the witness is remembered, and most paths have one seed, which is it.
bool SeedPaths::holdsForSeed(State &s, const SeedState &seed, ExprPtr condition) {
  return seed.model == s.witness ? witnesses_.holdsUnderWitness(s, condition)
                                 : witnesses_.holdsUnder(*seed.model, condition);
}

std::shared_ptr<const expr::Model> SeedPaths::seedWith(State &s, ExprPtr condition) {
  if (s.seeds)
    for (const SeedState &seed : *s.seeds)
      if (holdsForSeed(s, seed, condition)) return seed.model;
  return nullptr;
}

void SeedPaths::splitSeeds(State &s, State &failed) {
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

bool SeedPaths::keepSeeds(State &s, ExprPtr condition,
                          const std::shared_ptr<const expr::Model> &model) {
  if (!s.seeds) return false;
  auto kept = std::make_shared<SeedStates>();
  for (const SeedState &seed : *s.seeds)
    if (holdsForSeed(s, seed, condition)) kept->push_back(seed);
  if (kept->empty() && failing && model) {
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
