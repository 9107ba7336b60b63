// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs that are known beforehand (a fuzzer's corpus, tests of KLEE or of an earlier run): they
// are followed first, and then what branches off them is explored.
//
// All seeds start in one state. At every branch they part: each goes to the side that it takes, as
// the witness there, so that following a seed needs no solver. A seed that an assumption excludes
// ends. Inputs that are offered while the exploration runs (work/InputSource.h) start alone.
#ifndef FATHOM_EXPLORE_STATE_SEEDS_H
#define FATHOM_EXPLORE_STATE_SEEDS_H

#include "expr/Model.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fathom::explore {

struct Seed {
  /// Without names: `data` is the program's input, whatever that is (standard input, the first
  /// file, what a fuzz target is called with).
  bool raw = true;
  std::vector<uint8_t> data;
  /// With names: one object after the other, as KLEE stores them. Of several with one name (name,
  /// or name_1, name_2, ...) the first goes to the first object of that name, and so on; where
  /// there is none of that very name, name_1 is one of the program's own.
  std::vector<std::pair<std::string, std::vector<uint8_t>>> objects;
  /// The numbers of the allocations that fail on its path (--fail-allocations), ascending.
  std::vector<uint32_t> failedAllocations;
  /// It was offered while the exploration ran (work/InputSource.h).
  bool isOffered = false;

  /// The bytes for the next object of this name; `taken` says which of `objects` are used up.
  /// Empty: the seed says nothing about it.
  /// A fuzz target's input has up to `fuzzBytes`.
  std::vector<uint8_t> bytesFor(const std::string &name, std::vector<bool> &taken,
                                uint64_t fuzzBytes) const;
  /// Without names: is it the input that `data` goes to?
  static bool isInput(const std::string &name);
};

/// A seed on its way: what it has said so far.
struct SeedState {
  std::shared_ptr<const Seed> seed;
  std::shared_ptr<const expr::Model> model;
  std::vector<bool> taken;
  uint64_t cutBytes = 0; ///< there was no room for them in the symbolic input
};
using SeedStates = std::vector<SeedState>;

} // namespace fathom::explore
#endif
