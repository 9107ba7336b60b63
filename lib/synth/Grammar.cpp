// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Grammar.h"

#include <algorithm>

namespace fathom::synth {

std::string Grammar::key(const Node &node) const {
  std::string bytes;
  for (uint32_t i = keyBytes; i-- > 0;)
    bytes += static_cast<char>(static_cast<uint8_t>(node.value >> (8 * i)));
  return bytes;
}

static Lookahead bytesBetween(int from, int to) {
  Lookahead set;
  for (int c = from; c <= to; ++c) set.set(static_cast<size_t>(c));
  return set;
}

static void summariseSequence(Grammar &g, Node &n) {
  n.nullable = true;
  for (NodeId child : n.children) {
    const Node &c = g.nodes[child];
    if (n.nullable) n.first |= c.first;
    n.tail = c.nullable ? n.tail | c.tail : c.tail;
    n.nullable = n.nullable && c.nullable;
    n.cost = std::min(kFar, n.cost + c.cost);
  }
}

Lookahead Grammar::testedFirst(const Node &choice) const {
  Lookahead first;
  for (size_t i = 0; i < choice.tested(); ++i) first |= at(choice.children[i]).first;
  return first;
}

static void summariseChoice(Grammar &g, Node &n) {
  n.nullable = n.optional || (n.lastIsElse && g.at(n.children.back()).nullable);
  n.cost = n.optional ? 0 : kFar;
  for (NodeId child : n.children) {
    const Node &c = g.nodes[child];
    n.first |= c.first;
    n.tail |= c.tail;
    n.cost = std::min(n.cost, c.cost);
  }
  if (n.nullable) n.tail |= g.testedFirst(n);
}

void summarise(Grammar &g, NodeId id) {
  Node &n = g.nodes[id];
  const Node *child = n.children.empty() ? nullptr : &g.nodes[n.children[0]];
  n.first.reset(), n.tail.reset();
  n.nullable = false, n.cost = 0;
  switch (n.kind) {
  case Kind::Sequence: return summariseSequence(g, n);
  case Kind::Choice: return summariseChoice(g, n);
  case Kind::Token:
    n.first = bytesBetween(n.token, n.token + static_cast<int>(n.value)), n.cost = 1;
    return;
  case Kind::Call:
    if (n.recursive) {
      n.cost = kFar;
    } else {
      const Node &root = g.root(n.target);
      n.first = root.first, n.tail = root.tail;
      n.nullable = root.nullable, n.cost = root.cost;
    }
    return;
  case Kind::Loop:
    n.first = child->first, n.tail = child->first | child->tail;
    n.nullable = true;
    // Derivations begin with a declared name when names are used (see Derive.h).
    if (id == g.prelude) n.cost = 2;
    return;
  case Kind::Tagged: n.first = bytesBetween('a', 'z'), n.cost = child->cost + 2; return;
  case Kind::Counted:
    n.first = bytesBetween('0', '9'), n.tail = child->first | child->tail;
    n.cost = 1;
    return;
  case Kind::Keyed:
    n.first = bytesBetween(0, 255), n.tail = child->tail;
    n.cost = g.keyBytes; // with a wrong key
    return;
  case Kind::Declare:
  case Kind::Use: n.first = bytesBetween('a', 'z'), n.cost = 1; return;
  case Kind::Dead:
  case Kind::Action: n.nullable = true; return;
  }
}

static void linkBelow(Grammar &g, NodeId id, uint32_t owner) {
  g.nodes[id].owner = owner;
  for (uint32_t i = 0; i < g.nodes[id].children.size(); ++i) {
    NodeId child = g.nodes[id].children[i];
    g.nodes[child].parent = id, g.nodes[child].position = i;
    linkBelow(g, child, owner);
  }
  // The parser has looked at the first byte before it enters an alternative or a loop.
  const Node &n = g.nodes[id];
  if (n.kind != Kind::Choice && n.kind != Kind::Loop && n.kind != Kind::Counted) return;
  for (size_t i = 0; i < n.tested(); ++i) {
    Node &front = g.nodes[g.nodes[n.children[i]].children[0]];
    if (front.kind == Kind::Token) front.needsCheck = false;
  }
}

void link(Grammar &g) {
  for (uint32_t i = 0; i < g.nonterminals.size(); ++i) linkBelow(g, g.nonterminals[i].root, i);
}

} // namespace fathom::synth
