// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Bnf.h"

#include <fmt/format.h>

namespace fathom::synth {

namespace {

class Flattener {
public:
  explicit Flattener(const Grammar &g) : g_(g), parts_(g.nonterminals.size()) {}
  Bnf run() {
    for (const Nonterminal &n : g_.nonterminals) bnf_.names.push_back(n.name);
    bnf_.rules.resize(g_.nonterminals.size());
    for (uint32_t i = 0; i < g_.nonterminals.size(); ++i) {
      NodeId root = g_.nonterminals[i].root;
      // A nonterminal that is nothing but a choice has its alternatives as rules.
      NodeId only = onlyPart(g_.at(root));
      if (only != kNone && g_.at(only).kind == Kind::Choice)
        alternatives(i, g_.at(only));
      else
        rule(i, root);
    }
    return std::move(bnf_);
  }

private:
  using Symbols = std::vector<BnfSymbol>;
  static BnfSymbol terminal(uint32_t id) { return {true, id}; }

  /// The one child of a sequence that derives something; kNone when there are others or none.
  NodeId onlyPart(const Node &sequence) const {
    NodeId only = kNone;
    for (NodeId child : sequence.children) {
      Kind kind = g_.at(child).kind;
      if (kind == Kind::Action || kind == Kind::Dead) continue;
      if (only != kNone) return kNone;
      only = child;
    }
    return only;
  }
  /// A new nonterminal inside of the one that the node belongs to.
  uint32_t fresh(const Node &n) {
    bnf_.names.push_back(fmt::format("{}.{}", g_.nonterminals[n.owner].name, ++parts_[n.owner]));
    bnf_.rules.emplace_back();
    return static_cast<uint32_t>(bnf_.rules.size() - 1);
  }
  void rule(uint32_t of, NodeId id, Symbols before = {}) {
    append(id, before);
    bnf_.rules[of].push_back(std::move(before));
  }
  void alternatives(uint32_t of, const Node &choice) {
    for (NodeId child : choice.children) rule(of, child);
    if (choice.optional) bnf_.rules[of].emplace_back();
  }
  uint32_t repeated(const Node &n) {
    uint32_t loop = fresh(n);
    Symbols body;
    append(n.children[0], body);
    body.push_back({false, loop});
    bnf_.rules[loop] = {std::move(body), {}};
    return loop;
  }
  void append(NodeId id, Symbols &out);

  const Grammar &g_;
  Bnf bnf_;
  std::vector<uint32_t> parts_; ///< of each nonterminal, so many
};

void Flattener::append(NodeId id, Symbols &out) {
  const Node &n = g_.at(id);
  switch (n.kind) {
  case Kind::Sequence:
    for (NodeId child : n.children) append(child, out);
    return;
  case Kind::Token:
    if (n.value == 0) return out.push_back(terminal(n.token));
    out.push_back({false, fresh(n)});
    for (uint32_t byte = n.token; byte <= n.token + n.value; ++byte)
      bnf_.rules.back().push_back({terminal(byte)});
    return;
  case Kind::Call: out.push_back({false, n.target}); return;
  case Kind::Choice: {
    uint32_t part = fresh(n);
    out.push_back({false, part});
    return alternatives(part, n);
  }
  case Kind::Loop: out.push_back({false, repeated(n)}); return;
  case Kind::Tagged:
    out.push_back(terminal(kLetter));
    append(n.children[0], out);
    out.push_back(terminal(kLetter));
    return;
  case Kind::Counted:
    out.push_back(terminal(kDigit));
    out.push_back({false, repeated(n)});
    return;
  case Kind::Keyed: {
    uint32_t part = fresh(n);
    out.push_back({false, part});
    rule(part, n.children[0], {terminal(kRightKey)});
    bnf_.rules[part].push_back({terminal(kWrongKey)});
    return;
  }
  case Kind::Declare:
  case Kind::Use: out.push_back(terminal(kLetter)); return;
  case Kind::Dead:
  case Kind::Action: return;
  }
}

} // namespace

Bnf toBnf(const Grammar &grammar) { return Flattener(grammar).run(); }

std::string text(const Bnf &bnf, const BnfSymbol &symbol) {
  static constexpr const char *kClasses[] = {"LETTER", "DIGIT", "KEY", "OTHER-KEY"};
  if (!symbol.terminal) return "<" + bnf.names[symbol.id] + ">";
  if (symbol.id >= kLetter) return kClasses[symbol.id - kLetter];
  return std::string(1, static_cast<char>(symbol.id));
}

} // namespace fathom::synth
