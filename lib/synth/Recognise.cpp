// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Recognise.h"

#include "synth/Reach.h"

namespace fathom::synth {

namespace {

class Parser {
public:
  Parser(const Grammar &g, std::string_view input, Covered &covered)
      : g_(g), input_(input), covered_(covered) {}
  bool accepts() { return parse(g_.nonterminals[0].root) && position_ == input_.size(); }

private:
  unsigned look() const {
    return position_ < input_.size() ? static_cast<uint8_t>(input_[position_]) : kEnd;
  }
  bool mark(NodeId id, Outcome outcome, bool result) {
    covered_.outcomes[id] |= outcome;
    return result;
  }
  /// Control leaves the node by a failure. If functions of this kind do not return errors
  /// (longjmp), the error checks of callers are not executed.
  bool fail(NodeId id, Outcome outcome = kFail) {
    covered_.outcomes[id] |= outcome;
    jumped_ = !g_.returnsErrors(g_.at(id));
    return false;
  }
  bool between(unsigned from, unsigned to) const { return look() >= from && look() <= to; }
  bool begins(NodeId id) const { return g_.at(id).first.test(look()); }
  bool parse(NodeId id);
  bool parseCall(NodeId id);
  bool parseChoice(NodeId id);
  bool parseTagged(NodeId id);
  bool parseCounted(NodeId id);
  bool parseKeyed(NodeId id);
  bool parseName(NodeId id);

  const Grammar &g_;
  std::string_view input_;
  Covered &covered_;
  size_t position_ = 0;
  uint32_t depth_ = 0, declared_ = 0;
  bool jumped_ = false; ///< the input was rejected where functions do not return that
};

bool Parser::parse(NodeId id) {
  const Node &n = g_.at(id);
  mark(id, kReached, true);
  switch (n.kind) {
  case Kind::Sequence:
    for (NodeId child : n.children)
      if (!parse(child)) return false;
    return true;
  case Kind::Token:
    if (!n.first.test(look())) return fail(id);
    position_++;
    return mark(id, kPass, true);
  case Kind::Call: return parseCall(id);
  case Kind::Choice: return parseChoice(id);
  case Kind::Loop:
    while (begins(n.children[0]))
      if (!parse(n.children[0])) return false;
    return mark(id, kElse, true);
  case Kind::Tagged: return parseTagged(id);
  case Kind::Counted: return parseCounted(id);
  case Kind::Keyed: return parseKeyed(id);
  case Kind::Declare:
  case Kind::Use: return parseName(id);
  case Kind::Dead:
  case Kind::Action: return true;
  }
  return true;
}

bool Parser::parseCall(NodeId id) {
  const Node &n = g_.at(id);
  if (n.recursive && depth_ == g_.limit) return fail(id, kLimit);
  if (n.recursive) depth_++;
  if (!parse(g_.nonterminals[n.target].root)) return !jumped_ && fail(id);
  if (n.recursive) depth_--;
  return mark(id, kPass, true);
}

bool Parser::parseChoice(NodeId id) {
  const Node &n = g_.at(id);
  for (size_t i = 0; i < n.tested(); ++i) {
    if (!begins(n.children[i])) continue;
    if (n.asSwitch) covered_.labels[id].set(look());
    return parse(n.children[i]);
  }
  if (n.lastIsElse) return parse(n.children.back());
  return n.optional ? mark(id, kElse, true) : fail(id, kElse);
}

bool Parser::parseTagged(NodeId id) {
  if (!between('a', 'z')) return fail(id);
  mark(id, kPass, true);
  unsigned tag = look();
  position_++;
  if (!parse(g_.at(id).children[0])) return false;
  if (look() != tag) return fail(id, kCloseFail);
  position_++;
  return mark(id, kClosePass, true);
}

bool Parser::parseCounted(NodeId id) {
  if (!between('0', '9')) return fail(id);
  mark(id, kPass, true);
  unsigned left = look() - '0';
  position_++;
  NodeId body = g_.at(id).children[0];
  while (begins(body)) {
    if (left == 0) return fail(id, kLimit);
    left--;
    if (!parse(body)) return false;
  }
  mark(id, kElse, true);
  return left ? fail(id, kCloseFail) : mark(id, kClosePass, true);
}

bool Parser::parseKeyed(NodeId id) {
  if (input_.size() - position_ < g_.keyBytes) {
    position_ = input_.size();
    return fail(id);
  }
  mark(id, kPass, true);
  bool right = input_.substr(position_, g_.keyBytes) == g_.key(g_.at(id));
  position_ += g_.keyBytes;
  return right ? parse(g_.at(id).children[0]) : mark(id, kElse, true);
}

bool Parser::parseName(NodeId id) {
  if (!between('a', 'z')) return fail(id);
  uint32_t bit = 1u << (look() - 'a');
  if (g_.at(id).kind == Kind::Declare)
    declared_ |= bit;
  else if (!(declared_ & bit))
    return fail(id, kCloseFail);
  position_++;
  return mark(id, kPass, true);
}

} // namespace

bool recognise(const Grammar &grammar, std::string_view input, Covered &covered) {
  return Parser(grammar, input, covered).accepts();
}

} // namespace fathom::synth
