// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs from the grammar: short derivations, random ones, and those that lead to a given place.
#ifndef FATHOM_SYNTH_DERIVE_H
#define FATHOM_SYNTH_DERIVE_H

#include "synth/Grammar.h"
#include "synth/Reach.h"

#include "support/Rng.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::synth {

/// What stands around a place in an input: before + (what is derived there) + after is valid.
struct Surroundings {
  std::string before, after;
};

/// A letter that every derivation declares, and one that none does.
constexpr char kDeclaredName = 'a', kUndeclaredName = 'b';
/// A byte that is no token, no letter and no digit.
constexpr char kNoToken = '!';

/// The grammar and its reachability outlive it.
class Deriver {
public:
  Deriver(const Grammar &grammar, const Reach &reach);

  /// A shortest derivation, but for the declaration that each begins with where names are used.
  std::string shortest(NodeId id) const;
  /// One that begins with `byte`, which is in the node's first set.
  std::string from(NodeId id, unsigned byte) const;
  /// An input that fails inside the node when `next` (in failOn) is seen there; it may only be cut
  /// off after it.
  std::string failing(NodeId id, unsigned next) const;
  /// One of the set: the end of the input, or what a derivation of the node that needs no recursion
  /// begins with, rather than something else.
  unsigned easiest(const Lookahead &set, NodeId id) const;
  /// An input that leads to a reachable node. `need`: what has to be seen there if nothing derived
  /// by its own nonterminal stands before it; -1: whatever the node begins with.
  Surroundings around(NodeId id, int need = -1) const;
  /// What can be seen at the node and is not in `except`, the easiest for it; -1: nothing. After a
  /// token everything can.
  int arriving(NodeId id, Lookahead except) const;
  /// What lies between an entry to `ancestor`, which introduced the node's nonterminal or one of
  /// those that did, and the node.
  std::string within(uint32_t ancestor, NodeId id) const;
  /// Random derivation of the start symbol; from `bytes` on the shortest way to its end.
  std::string random(Rng &rng, size_t bytes) const;

private:
  struct Walk;
  std::string failingSequence(const Node &sequence, unsigned next) const;
  void stepOver(Walk &walk, NodeId sequence, uint32_t position) const;
  void stepOut(Walk &walk, NodeId id) const;
  void grow(Rng &rng, size_t bytes, NodeId id, unsigned depth, std::string &out,
            std::string &names) const;

  const Grammar &g_;
  const Reach &reach_;
  mutable std::vector<std::optional<std::string>> shortest_; ///< by nonterminal, when known
};

} // namespace fathom::synth
#endif
