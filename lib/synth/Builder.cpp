// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Builder.h"

#include "support/Check.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fathom::synth {

const std::string_view kStarters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123";
constexpr std::string_view kClosers = ")]}>;,.:/&";
constexpr char kAfterRecursion = '|';

uint32_t Builder::sitesFor(double share) {
  double wanted = share / (1 - share);
  auto sites = static_cast<uint32_t>(wanted);
  return sites + (chance(wanted - sites) ? 1 : 0);
}

NodeId Builder::add(Node node) {
  auto id = static_cast<NodeId>(g_.nodes.size());
  g_.nodes.push_back(std::move(node));
  const Node &n = g_.nodes[id];
  structures_ += n.kind != Kind::Action;
  // The target of a dead call may not be built yet. It does not matter, because the call is never
  // executed.
  if (n.kind == Kind::Call && g_.nonterminals[n.target].root == kNone && !n.recursive) return id;
  summarise(g_, id);
  return id;
}

NodeId Builder::sequence(Draft &&draft) {
  Node node{.kind = Kind::Sequence};
  node.children = std::move(draft.items);
  return add(std::move(node));
}

/// The value of a call says until finish() whether it introduces its target.
NodeId Builder::call(const CallSite &site) {
  Node node{.kind = Kind::Call};
  node.recursive = site.recursive;
  node.target = site.target;
  node.value = site.introduces;
  return add(std::move(node));
}

void Builder::finish() {
  link(g_);
  for (NodeId id = 0; id < g_.nodes.size(); ++id) {
    const Node &n = g_.nodes[id];
    if (n.kind == Kind::Call && n.value) g_.nonterminals[n.target].introducedBy = id;
  }
}

void Builder::push(Draft &draft, NodeId id) {
  if ((g_.at(id).first & draft.forbiddenNext).any()) close(draft);
  const Node &node = g_.at(id); // close() moves nodes
  draft.items.push_back(id);
  draft.forbiddenNext = node.nullable ? draft.forbiddenNext | node.tail : node.tail;
  draft.cost = std::min(kFar, draft.cost + node.cost);
  bool transparent = node.kind == Kind::Action || node.kind == Kind::Dead;
  draft.afterToken = node.kind == Kind::Token || (transparent && draft.afterToken);
}

void Builder::pushToken(Draft &draft) {
  if (!room(draft.forbiddenNext, 1)) return close(draft);
  push(draft, token(starter(draft.forbiddenNext)));
}

void Builder::close(Draft &draft) {
  std::array<uint8_t, kClosers.size()> left{};
  uint32_t count = 0;
  for (char closer : kClosers)
    if (auto byte = static_cast<uint8_t>(closer); !draft.forbiddenNext.test(byte))
      left[count++] = byte;
  FATHOM_CHECK(count > 0, "no closing token left");
  push(draft, token(left[rng_.below(count)]));
}

void Builder::pushRecursion(Draft &draft, const CallSite &site) {
  push(draft, call(site));
  push(draft, token(kAfterRecursion));
}

Draft Builder::beginOptional(Draft &draft) {
  if (!room(draft.forbiddenNext, 1)) close(draft);
  Draft body;
  push(body, token(starter(draft.forbiddenNext)));
  return body;
}

void Builder::pushOptional(Draft &draft, Draft &&body, bool asSwitch) {
  Node choice{.kind = Kind::Choice};
  choice.optional = true, choice.asSwitch = asSwitch;
  choice.children = {sequence(std::move(body))};
  push(draft, add(std::move(choice)));
}

void Builder::pushLoop(Draft &draft, Draft &&body) {
  if ((body.forbiddenNext & g_.at(body.items[0]).first).any()) close(body);
  Node loop{.kind = Kind::Loop};
  loop.children = {sequence(std::move(body))};
  push(draft, add(std::move(loop)));
}

void Builder::pushKeyed(Draft &draft, const CallSite &site, uint64_t keyBytes) {
  if (!draft.afterToken) pushToken(draft);
  Node keyed{.kind = Kind::Keyed};
  uint32_t mask = keyBytes == 4 ? UINT32_MAX : (1u << (8 * keyBytes)) - 1;
  keyed.value = rng_.next() & mask;
  keyed.factor = rng_.flip() ? 1 : rng_.next() | 1;
  Draft body;
  push(body, call(site));
  keyed.children = {sequence(std::move(body))};
  push(draft, add(std::move(keyed)));
}

void Builder::pushNever(Draft &draft, NodeId inside, bool isCall) {
  Draft body;
  push(body, inside);
  Node dead{.kind = Kind::Dead};
  dead.deadCall = isCall;
  dead.target = rng_.next(), dead.value = rng_.next();
  dead.children = {sequence(std::move(body))};
  push(draft, add(std::move(dead)));
}

void Builder::pushGuardedCall(Draft &draft, uint32_t target) {
  pushNever(draft, add({.kind = Kind::Call, .target = target}), /*isCall=*/true);
}

void Builder::pushDeadBranch(Draft &draft) {
  uint32_t variant = rng_.next(), count = 1 + rng_.below(3);
  pushNever(draft, add({.kind = Kind::Action, .target = variant, .value = count}),
            /*isCall=*/false);
}

size_t Builder::left(const Lookahead &avoid) const {
  return static_cast<size_t>(std::count_if(alphabet_.begin(), alphabet_.end(), [&](char c) {
    return !avoid.test(static_cast<uint8_t>(c));
  }));
}

uint8_t Builder::starter(const Lookahead &avoid) {
  size_t count = left(avoid);
  FATHOM_CHECK(count > 0, "no token left");
  // The usual ones as long as there are any.
  size_t usual = 0;
  for (size_t k = 0; k < std::min(alphabet_.size(), kStarters.size()); ++k)
    usual += !avoid.test(static_cast<uint8_t>(alphabet_[k]));
  uint32_t pick = rng_.below(static_cast<uint32_t>(usual ? usual : count));
  for (char c : alphabet_)
    if (!avoid.test(static_cast<uint8_t>(c)) && pick-- == 0) return static_cast<uint8_t>(c);
  FATHOM_CHECK(false, "a token that is not there");
  return 0;
}

} // namespace fathom::synth
