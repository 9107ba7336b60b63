// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of a generated program, as the tree that its parser is printed from.
//
// A nonterminal's right-hand side is a Sequence. Conditionals and loops inside a rule are nodes of
// their own (Choice, Loop) instead of nonterminals that are called once: [assess25] Sec. III-A maps
// `if` and `while` to such nonterminals; Bnf.h writes the tree out that way. What no context-free
// grammar expresses (tags, counts, declared names, keys) and what is never executed are nodes too.
//
// Each node knows what an LL(1) parser has to know about it:
//   first     the bytes that a non-empty derivation begins with
//   nullable  it derives the empty string
//   tail      the bytes that would be taken for its continuation: none of them may follow it
// A grammar whose sequences keep first(rest) and tail(before) disjoint, whose choices have disjoint
// first sets, and whose loops keep first and tail of their body disjoint is LL(1): tail is the part
// of FIRST that a FOLLOW set must not meet.
#ifndef FATHOM_SYNTH_GRAMMAR_H
#define FATHOM_SYNTH_GRAMMAR_H

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom::synth {

using NodeId = uint32_t;
constexpr NodeId kNone = UINT32_MAX;

/// What the parser can see next: a byte, or the end of the input.
using Lookahead = std::bitset<257>;
constexpr unsigned kEnd = 256;

enum class Kind : uint8_t {
  Sequence, ///< its children, one after the other
  Token,    ///< consumes one byte out of a set of one or several (Node::value)
  Call,     ///< a nonterminal
  Choice,  ///< one of the children (not nullable); with `optional` also none, with `lastIsElse` the
           ///< last one (may be nullable) when the next byte begins none of the others
  Loop,    ///< its child (not nullable), any number of times: linear recursion
  Tagged,  ///< a letter, the child, the same letter again
  Counted, ///< a digit n, then the child exactly n times
  Keyed,   ///< a key; when it is the right one, the child
  Declare, ///< a letter, from then on a declared name
  Use,     ///< a letter that was declared
  Dead,    ///< the child, behind a condition that never holds
  Action,  ///< straight-line statements
};

struct Node {
  Kind kind = Kind::Sequence;
  uint8_t token = 0; ///< Token: the byte, the first of them
  bool needsCheck =
      true; ///< Token: the parser must test the byte; false: an earlier test implies it
  bool recursive = false;  ///< Call: closes a cycle, so it counts towards the limit
  bool optional = false;   ///< Choice: none of the children is fine too
  bool lastIsElse = false; ///< Choice: the last child is not tested for; then not `optional`
  bool asSwitch = false;   ///< Choice: how it is printed
  bool deadCall = false;   ///< Dead: around a call site
  bool nullable = false;
  uint32_t target = 0; ///< Call: the nonterminal. Dead: which condition
  /// Keyed: the right key.
  /// Action: how many statements.
  /// Dead, Action: variant.
  /// Token: the set is the bytes from `token` to `token` + value. Above 0 only if !needsCheck.
  uint32_t value = 0;
  uint32_t factor = 0;   ///< Keyed: odd; what the parser compares is key * factor
  uint32_t cost = 0;     ///< bytes of the shortest derivation; kFar: only through recursion
  uint32_t position = 0; ///< among the parent's children
  uint32_t owner = 0;    ///< the nonterminal it belongs to
  NodeId parent = kNone; ///< kNone: the root of its nonterminal
  std::vector<NodeId> children = {};
  Lookahead first = {}, tail = {};

  /// Choice: how many of the children are tested for.
  size_t tested() const { return children.size() - (lastIsElse ? 1 : 0); }
};
constexpr uint32_t kFar = 1u << 28;

struct Nonterminal {
  std::string name; ///< N0 is the start symbol
  NodeId root = kNone;
  NodeId introducedBy = kNone; ///< the call site of the one that introduces it
  bool intended = true;        ///< false: made to be unreachable from the start symbol
  /// What its function does with a wrong input: return, so that every caller has a condition; or
  /// leave them all at once (longjmp), as the parser of [assess25] does (raise).
  bool returnsErrors = true;
};

struct Grammar {
  std::vector<Node> nodes;
  std::vector<Nonterminal> nonterminals;
  uint32_t limit = 0;     ///< recursive calls inside each other
  uint32_t keyBytes = 0;  ///< of every key
  NodeId prelude = kNone; ///< the loop of declarations; kNone when no name is used

  const Node &at(NodeId id) const { return nodes[id]; }
  const Node &root(uint32_t nonterminal) const { return nodes[nonterminals[nonterminal].root]; }
  bool returnsErrors(const Node &node) const { return nonterminals[node.owner].returnsErrors; }
  /// What the tested alternatives of a Choice begin with.
  Lookahead testedFirst(const Node &choice) const;
  /// The key of a Keyed node as bytes of the input.
  std::string key(const Node &node) const;
};

/// Fills in first, nullable, tail and cost from the children, whose own are known. A recursive call
/// has neither: it stands between tokens.
void summarise(Grammar &grammar, NodeId id);
/// parent, position and owner of all nodes, and needsCheck of all tokens; the roots are known.
void link(Grammar &grammar);

} // namespace fathom::synth
#endif
