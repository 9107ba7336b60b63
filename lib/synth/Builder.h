// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grammars that are LL(1) by construction. Whatever is appended to a sequence must not begin with a
// byte that would continue what stands before it (`tail`, see Grammar.h); if it does, a closing
// token goes in between. A call that closes a cycle goes to a nonterminal that is not built yet, so
// its first and tail sets are unknown. Such a call stands between an opening token and a closing
// token that is used nowhere else; then these sets do not matter.
#ifndef FATHOM_SYNTH_BUILDER_H
#define FATHOM_SYNTH_BUILDER_H

#include "synth/Grammar.h"

#include "support/Rng.h"

#include <string>
#include <vector>

namespace fathom::synth {

/// A sequence while it grows.
struct Draft {
  std::vector<NodeId> items;
  Lookahead forbiddenNext; ///< bytes with which the next item must not begin
  uint32_t cost = 0;
  bool afterToken = false; ///< its last item is a token
};

/// Letters and a few digits: what rules may begin with.
extern const std::string_view kStarters;

/// A call as it will stand in the grammar.
struct CallSite {
  uint32_t target = 0;
  bool recursive = false;  ///< closes a cycle
  bool introduces = false; ///< nothing before it leads to the target
};

class Builder {
public:
  /// \param alphabet  What alternatives and loops may begin with; kStarters or a part of it first.
  /// Both references outlive it.
  Builder(Grammar &grammar, Rng &rng, std::string alphabet)
      : g_(grammar), rng_(rng), alphabet_(std::move(alphabet)) {}

  bool chance(double p) { return p > 0 && rng_.next() < p * 4294967296.0; }

  /// How many call sites that are never executed to add for each executed one, so that they are
  /// this share of all sites. A fraction is rounded at random. \param share  less than 1.
  uint32_t sitesFor(double share);

  NodeId add(Node node);
  NodeId sequence(Draft &&draft);
  NodeId token(uint8_t byte, uint32_t more = 0) {
    return add({.kind = Kind::Token, .token = byte, .value = more});
  }
  NodeId call(const CallSite &site);

  void push(Draft &draft, NodeId id);
  void pushToken(Draft &draft);
  /// A token after which everything can follow.
  void close(Draft &draft);
  /// A recursive call; the draft ends with its opening token.
  void pushRecursion(Draft &draft, const CallSite &site);
  /// Starts the body of an optional part or a loop that is to follow `draft`. The body begins with
  /// a token that may follow it.
  Draft beginOptional(Draft &draft);
  void pushOptional(Draft &draft, Draft &&body, bool asSwitch);
  /// { body }
  void pushLoop(Draft &draft, Draft &&body);
  /// A call that a key opens. \param keyBytes  1 to 4.
  void pushKeyed(Draft &draft, const CallSite &site, uint64_t keyBytes);
  /// A call, or straight-line code, behind a condition that never holds.
  void pushGuardedCall(Draft &draft, uint32_t target);
  void pushDeadBranch(Draft &draft);

  /// Whether `wanted` bytes of the alphabet are left.
  bool room(const Lookahead &avoid, size_t wanted) const { return left(avoid) >= wanted; }
  size_t left(const Lookahead &avoid) const;
  uint8_t starter(const Lookahead &avoid);

  /// Completes the grammar: link(), and which nonterminal introduces which. Only now are the nodes
  /// complete.
  void finish();
  /// How many nodes there are that are no straight-line code.
  size_t structures() const { return structures_; }

private:
  void pushNever(Draft &draft, NodeId inside, bool isCall);

  Grammar &g_;
  Rng &rng_;
  std::string alphabet_;
  size_t structures_ = 0;
};

} // namespace fathom::synth
#endif
