// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the inputs at hand (Seeds.h) take a path: each symbol gets bytes of every seed, and at
// each condition those stay that fulfil it.
#ifndef FATHOM_EXPLORE_DECIDE_SEEDPATHS_H
#define FATHOM_EXPLORE_DECIDE_SEEDPATHS_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/Seeds.h"
#include "explore/state/State.h"

#include <optional>
#include <vector>

namespace fathom::explore {

struct Engine;
class Witnesses;

/// An input of which only the first bytes count: how many is an input, too.
struct SizedInput {
  ExprPtr bytes = nullptr;
  ExprPtr length = nullptr; ///< of a few bytes, the first one lowest
  uint64_t most = 0;        ///< that the length can be
  bool isText = false;      ///< ends before its first NUL, for which there is room
};

class SeedPaths : private EngineComponent {
public:
  explicit SeedPaths(Engine &engine);

  /// The seeds of the options; or the offered input alone, if the path follows one.
  void startSeeds(State &s, const PathPrefix &path);
  /// What each seed says of a new symbol.
  void feedSeeds(State &s, ExprPtr symbol, const std::string &name);
  /// The same; a seed says by its size how many bytes count.
  void feedSized(State &s, const SizedInput &input, const std::string &name);
  /// A seed under which the condition holds, or null.
  std::shared_ptr<const expr::Model> seedWith(State &s, ExprPtr condition);
  /// An allocation was made, or it failed: each seed says which of the two it takes.
  void splitSeeds(State &s, State &failed);
  /// Only seeds under which the condition holds stay with the state. Is one left? Where there is
  /// but one input (showsBug), it stays: then the model is the same input with other unwritten
  /// bytes.
  bool keepSeeds(State &s, ExprPtr condition, const std::shared_ptr<const expr::Model> &model);

  /// The numbers of the allocations that fail, ascending; none: as the options say (showsBug).
  std::optional<std::vector<uint32_t>> failing;

private:
  template <typename Tell>
  void feed(State &s, const std::string &name, uint64_t room, const Tell &tell);
  bool holdsForSeed(State &s, const SeedState &seed, ExprPtr condition);

  Witnesses &witnesses_;
};

} // namespace fathom::explore
#endif
