// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes that stay terms (--memory symbolic-size=CAPACITY): of blocks, and of what is copied between
// them. A block of symbolic size has room for CAPACITY bytes, and a length; sizes beyond the
// capacity go on as numbers, on paths of their own, as without the option.
//
// Sizes that have to be numbers. Code that asks for n bytes mostly iterates over them, so each size
// becomes a path of its own sooner or later. Small sizes are explored one after the other. Of all
// others a path takes one, and the ledger says which, and how to keep the rest. It is a realistic
// size: not gigabytes, where it can be less.
//
// Source: [merging23] Sec. 2, which takes the memory model from D. Trabish, S. Itzhaky, N.
// Rinetzky, "A Bounded Symbolic-Size Model for Symbolic Execution" (ESEC/FSE 2021).
#ifndef FATHOM_EXPLORE_DECIDE_SIZES_H
#define FATHOM_EXPLORE_DECIDE_SIZES_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace fathom::explore {

class FeasibilityChecks;
class Decisions;
struct Engine;
class Forks;
class LogFollower;
class ObjectAccess;
class Places;
class Witnesses;

class Sizes : private EngineComponent {
public:
  explicit Sizes(Engine &engine);

  enum class Fit : uint8_t {
    No,   ///< it takes one value
    Yes,  ///< it stays a term, and the path says that it is at most what was asked for
    Again ///< the path forked: the instruction has to be run again
  };
  /// Can this size (64 bits) stay a term of at most `most`? Forks if both are possible.
  Fit fit(State &s, ExprPtr size, uint64_t most);
  /// The most that a size which fits can be on this path, so that a block has no more room, and an
  /// input no more bytes, than it needs. Asks the solver.
  uint64_t largest(State &s, ExprPtr size, uint64_t most);
  /// The most that a block of symbolic size can have; 0: none has one.
  uint64_t capacity() const { return options_.symbolicSize; }
  /// Makes a size of `unit` bytes for each (at most `most` of them) a number: each one of up to
  /// kEach bytes, or of one unit, on a path of its own, and one that is larger. `what`: for the
  /// ledger. None: the path forked, and the instruction has to be run again.
  std::optional<uint64_t> number(State &s, ExprPtr size, uint64_t unit, uint64_t most,
                                 const std::string &what);
  /// A new block gets its length: a term, at most its capacity.
  void give(State &s, uint64_t base, ExprPtr length);
  /// For an operation that needs a number of bytes: the length takes its value in the witness,
  /// which goes to the ledger. Returns how many bytes the object has.
  uint64_t settle(State &s, const ObjectState &object, const std::string &why);

  static constexpr uint64_t kEach = 64; ///< sizes up to it, in bytes, are explored one by one

private:
  uint64_t takeOne(State &s, ExprPtr size, uint64_t unit, uint64_t most, const std::string &what);
  /// \param each  up to so many bytes, nothing is lost.
  std::string whatIsLost(State &s, uint64_t bytes, uint64_t each, uint64_t most,
                         const std::string &what);

  Places &places_;
  LogFollower &follower_;
  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  Forks &forks_;
  ObjectAccess &access_;
  Decisions &decisions_;
  /// The values that were taken at each place, for the ledger, which lists them if they are few.
  std::map<std::string, std::set<uint64_t>> taken_;
};

} // namespace fathom::explore
#endif
