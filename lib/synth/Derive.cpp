// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs from the grammar (Derive.h): shortest derivations, inputs that fail at a given node, and
// the way from a node up to the start symbol, which collects what has to come before it and after
// it.
#include "synth/Derive.h"

#include "support/Check.h"

#include <algorithm>

namespace fathom::synth {

constexpr char kTag = 'm';

Deriver::Deriver(const Grammar &grammar, const Reach &reach)
    : g_(grammar), reach_(reach), shortest_(grammar.nonterminals.size()) {}

/// A key that does not open.
static std::string wrongKey(const Grammar &g, const Node &n) {
  std::string key = g.key(n);
  key.back() = static_cast<char>(key.back() ^ 1);
  return key;
}

std::string Deriver::shortest(NodeId id) const {
  const Node &n = g_.at(id);
  std::string out;
  switch (n.kind) {
  case Kind::Sequence:
    for (NodeId child : n.children) out += shortest(child);
    return out;
  case Kind::Token: return std::string(1, static_cast<char>(n.token));
  case Kind::Call: {
    std::optional<std::string> &known = shortest_[n.target];
    if (!known) known = shortest(g_.nonterminals[n.target].root);
    return *known;
  }
  case Kind::Choice: {
    if (n.optional) return "";
    auto cheaper = [&](NodeId a, NodeId b) { return g_.at(a).cost < g_.at(b).cost; };
    return shortest(*std::min_element(n.children.begin(), n.children.end(), cheaper));
  }
  case Kind::Loop: return id == g_.prelude ? shortest(n.children[0]) : "";
  case Kind::Tagged: return kTag + shortest(n.children[0]) + kTag;
  case Kind::Counted: return "0";
  case Kind::Keyed: return wrongKey(g_, n);
  case Kind::Declare:
  case Kind::Use: return std::string(1, kDeclaredName);
  case Kind::Dead:
  case Kind::Action: return "";
  }
  return out;
}

std::string Deriver::from(NodeId id, unsigned byte) const {
  const Node &n = g_.at(id);
  auto begins = [&](NodeId child) { return g_.at(child).first.test(byte); };
  switch (n.kind) {
  case Kind::Sequence: {
    auto child = std::find_if(n.children.begin(), n.children.end(), begins);
    FATHOM_CHECK(child != n.children.end(), "a byte that the sequence does not begin with");
    std::string out = from(*child, byte);
    while (++child != n.children.end()) out += shortest(*child);
    return out;
  }
  case Kind::Call: return from(g_.nonterminals[n.target].root, byte);
  case Kind::Choice: {
    auto child = std::find_if(n.children.begin(), n.children.end(), begins);
    FATHOM_CHECK(child != n.children.end(), "a byte that the choice does not begin with");
    return from(*child, byte);
  }
  case Kind::Loop: return from(n.children[0], byte);
  case Kind::Token: return std::string(1, static_cast<char>(byte));
  default: return shortest(id);
  }
}

static unsigned lowest(const Lookahead &set) {
  return set.test(kEnd) ? kEnd : static_cast<unsigned>(set._Find_first());
}
static std::string text(unsigned next) {
  return next == kEnd ? "" : std::string(1, static_cast<char>(next));
}

unsigned Deriver::easiest(const Lookahead &set, NodeId id) const {
  if (set.test(kEnd)) return kEnd;
  std::string way = shortest(id); // needs no recursion
  if (!way.empty() && set.test(static_cast<uint8_t>(way[0]))) return static_cast<uint8_t>(way[0]);
  return lowest(set);
}

std::string Deriver::failingSequence(const Node &n, unsigned next) const {
  size_t i = 0;
  for (; !g_.at(n.children[i]).first.test(next); ++i) {
    if (reach_.failOn[n.children[i]].test(next)) return failing(n.children[i], next);
    FATHOM_CHECK(i + 1 < n.children.size(), "a sequence that cannot fail");
  }
  if (reach_.failOn[n.children[i]].test(next)) return failing(n.children[i], next);
  // It takes this one; then the input is cut off where something is missing, or, where nothing has
  // to come, in the middle of what may. Cutting off first: that does not go round a cycle.
  std::string all = from(n.children[i], next), out = all;
  for (size_t k = i + 1; k < n.children.size(); ++k) {
    if (reach_.failOn[n.children[k]].test(kEnd)) return out;
    out += shortest(n.children[k]);
  }
  for (size_t k = i + 1; k < n.children.size(); ++k) {
    const Lookahead &fails = reach_.failOn[n.children[k]];
    if (fails.any()) return all + failing(n.children[k], easiest(fails, n.children[k]));
    all += shortest(n.children[k]);
  }
  FATHOM_CHECK(false, "a sequence that cannot fail");
  return all;
}

std::string Deriver::failing(NodeId id, unsigned next) const {
  const Node &n = g_.at(id);
  switch (n.kind) {
  case Kind::Sequence: return failingSequence(n, next);
  case Kind::Call: return failing(g_.nonterminals[n.target].root, next);
  case Kind::Choice:
    for (NodeId child : n.children)
      if (g_.at(child).first.test(next)) return failing(child, next);
    return n.lastIsElse ? failing(n.children.back(), next) : text(next);
  case Kind::Loop: {
    NodeId body = n.children[0];
    if (reach_.failOn[body].test(next)) return failing(body, next);
    return from(body, next) + failing(body, easiest(reach_.failOn[body] & n.first, body));
  }
  default: return text(next);
  }
}

// ---- ways to a place

/// On the way from a place to the start of the program. `before` is collected backwards.
struct Deriver::Walk {
  std::vector<std::string> before;
  std::string after;
  int need = -1;
  void prepend(std::string piece) {
    if (piece.empty()) return;
    before.push_back(std::move(piece));
    need = -1;
  }
  Surroundings done() const {
    Surroundings s;
    for (auto piece = before.rbegin(); piece != before.rend(); ++piece) s.before += *piece;
    s.after = after;
    return s;
  }
};

/// Over what stands before and after a child of a sequence. Something that is needed there can
/// come after any token, so the nearest sibling that can consume something does.
void Deriver::stepOver(Walk &walk, NodeId id, uint32_t position) const {
  const Node &n = g_.at(id);
  for (uint32_t i = position; i-- > 0;) {
    const Node &sibling = g_.at(n.children[i]);
    if (walk.need >= 0 && sibling.first.any())
      walk.prepend(from(n.children[i], lowest(sibling.first)));
    else
      walk.prepend(shortest(n.children[i]));
  }
  for (uint32_t i = position + 1; i < n.children.size(); ++i) walk.after += shortest(n.children[i]);
}

/// From a node to its parent.
void Deriver::stepOut(Walk &walk, NodeId id) const {
  const Node &n = g_.at(id);
  const Node &parent = g_.at(n.parent);
  switch (parent.kind) {
  case Kind::Sequence: return stepOver(walk, n.parent, n.position);
  case Kind::Tagged:
    walk.prepend(std::string(1, kTag));
    walk.after += kTag;
    return;
  case Kind::Counted: return walk.prepend("1");
  case Kind::Keyed: return walk.prepend(g_.key(parent));
  default: return;
  }
}

Surroundings Deriver::around(NodeId id, int need) const {
  Walk walk;
  walk.need = need;
  while (true) {
    while (g_.at(id).parent != kNone) {
      stepOut(walk, id);
      id = g_.at(id).parent;
    }
    uint32_t in = g_.at(id).owner;
    NodeId caller =
        walk.need >= 0 ? reach_.caller[in][static_cast<size_t>(walk.need)] : reach_.firstCaller[in];
    if (caller == kNone) return walk.done();
    id = caller;
  }
}

std::string Deriver::within(uint32_t ancestor, NodeId id) const {
  Walk walk;
  while (true) {
    while (g_.at(id).parent != kNone) {
      stepOut(walk, id);
      id = g_.at(id).parent;
    }
    uint32_t in = g_.at(id).owner;
    if (in == ancestor) return walk.done().before;
    id = g_.nonterminals[in].introducedBy;
    FATHOM_CHECK(id != kNone, "a cycle that is none");
  }
}

int Deriver::arriving(NodeId id, Lookahead except) const {
  auto oneOf = [&, node = id](const Lookahead &set) {
    Lookahead left = set & ~except;
    return left.any() ? static_cast<int>(easiest(left, node)) : -1;
  };
  for (; g_.at(id).parent != kNone; id = g_.at(id).parent) {
    const Node &parent = g_.at(g_.at(id).parent);
    switch (parent.kind) {
    case Kind::Sequence:
      for (uint32_t i = 0; i < g_.at(id).position; ++i)
        if (g_.at(parent.children[i]).first.any()) return kEnd;
      break;
    case Kind::Tagged:
    case Kind::Keyed: return kEnd;
    default:
      // A choice or a loop has looked at it.
      if (!parent.lastIsElse || id != parent.children.back()) return oneOf(g_.at(id).first);
      except |= g_.testedFirst(parent);
    }
  }
  return oneOf(reach_.entry[g_.at(id).owner]);
}

// ---- random derivations

void Deriver::grow(Rng &rng, size_t bytes, NodeId id, unsigned depth, std::string &out,
                   std::string &names) const {
  if (id != g_.prelude && (out.size() >= bytes || depth >= g_.limit)) {
    out += shortest(id);
    return;
  }
  const Node &n = g_.at(id);
  auto inside = [&](NodeId child) { grow(rng, bytes, child, depth, out, names); };
  switch (n.kind) {
  case Kind::Sequence:
    for (NodeId child : n.children) inside(child);
    return;
  case Kind::Call: {
    unsigned deeper = depth + (n.recursive ? 1 : 0);
    return grow(rng, bytes, g_.nonterminals[n.target].root, deeper, out, names);
  }
  case Kind::Choice: {
    auto count = static_cast<uint32_t>(n.children.size());
    uint32_t pick = rng.below(count + (n.optional ? 1 : 0));
    if (pick < count) inside(n.children[pick]);
    return;
  }
  case Kind::Loop:
    if (id == g_.prelude) out += shortest(n.children[0]);
    for (int i = 0; i < 8 && rng.flip(); ++i) inside(n.children[0]);
    return;
  case Kind::Tagged: {
    char tag = static_cast<char>('a' + rng.below(26));
    out += tag;
    inside(n.children[0]);
    out += tag;
    return;
  }
  case Kind::Counted: {
    uint32_t count = rng.below(4);
    out += static_cast<char>('0' + count);
    while (count--) inside(n.children[0]);
    return;
  }
  case Kind::Keyed:
    if (rng.flip()) {
      out += shortest(id);
      return;
    }
    out += g_.key(n);
    return inside(n.children[0]);
  case Kind::Declare: {
    char name = static_cast<char>('a' + rng.below(26));
    names += name;
    out += name;
    return;
  }
  case Kind::Use:
    out += names.empty() ? kDeclaredName : names[rng.below(static_cast<uint32_t>(names.size()))];
    return;
  case Kind::Token:
  case Kind::Dead:
  case Kind::Action: out += shortest(id); return;
  }
}

std::string Deriver::random(Rng &rng, size_t bytes) const {
  std::string out, names;
  grow(rng, bytes, g_.nonterminals[0].root, 0, out, names);
  return out;
}

} // namespace fathom::synth
