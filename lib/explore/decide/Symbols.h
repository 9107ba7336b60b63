// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols, and which of them an object is: the n-th object of a name on a path is the same symbol
// on every path, if it has the same size, so that answers of the solver can be shared.
#ifndef FATHOM_EXPLORE_DECIDE_SYMBOLS_H
#define FATHOM_EXPLORE_DECIDE_SYMBOLS_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace fathom::explore {

struct Engine;
class LogFollower;
class SeedPaths;
struct SizedInput;
class Witnesses;

class Symbols : private EngineComponent {
public:
  explicit Symbols(Engine &engine);

  /// The symbol for the next object of this name and size on the path.
  ExprPtr symbolFor(const State &s, const std::string &base, uint64_t size);
  /// Terms that belong to no state (symbols that later paths will use again).
  void visitRoots(const std::function<void(ExprPtr)> &visit) const {
    for (auto &[key, symbol] : symbols_) visit(symbol);
  }
  void addSymbolWithValues(State &s, ExprPtr symbol, const std::vector<uint8_t> &values);
  /// The path has a new symbol: the witness, and every seed, gets bytes for it.
  void addSymbol(State &s, ExprPtr symbol, const std::string &name);
  /// The same for an input of symbolic length.
  void addSized(State &s, const SizedInput &input, const std::string &name);

  /// What people and tests call the symbol. Solvers have rules for names, so its own may be
  /// another.
  const std::string &nameOf(ExprPtr symbol) const;

private:
  void adopt(State &s); ///< what the log or the first seed says of new symbols
  struct Origin {
    uint32_t base = 0;    ///< value in bases_
    uint32_t ordinal = 0; ///< the n-th of that name on its path, from 0
  };
  std::unordered_map<std::string, uint32_t> bases_; ///< names asked for, numbered
  std::map<std::tuple<uint32_t, uint32_t, uint64_t>, ExprPtr> symbols_; ///< base, ordinal, size
  std::unordered_map<ExprPtr, Origin> origins_;
  std::unordered_map<ExprPtr, std::string> names_; ///< nameOf, of the symbols made here

  LogFollower &follower_;
  Witnesses &witnesses_;
  SeedPaths &seedPaths_;
};

} // namespace fathom::explore
#endif
