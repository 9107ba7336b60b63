// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/RegionMerger.h"

#include "explore/decide/Engine.h"
#include "explore/merge/HeaderJoin.h"
#include "explore/merge/MergedState.h"
#include "explore/merge/MergeExplanation.h"
#include "explore/merge/RegionRecord.h"
#include "patterns/FormulaPattern.h"
#include "patterns/TreeEncoding.h"
#include "solver/Support.h"
#include "support/Check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace fathom::explore {

using patterns::NodeId;

namespace {

/// More groups than that at an exit: the region is not regular ([merging23] Sec. 6).
constexpr size_t kMaxGroups = 10;

/// Whether a merge along the tree pays is asked if it has at most so many paths: their conditions
/// are as long as the loop's paths.
constexpr size_t kMaxRememberedNodes = 256;

/// So many conditions of a round may look alike.
constexpr uint64_t kMaxAlike = 8;

} // namespace

// --- groups

RegionMerger::States RegionMerger::merge() {
  if (!isMergeable()) return {};
  for (const Members &members : groups()) {
    if (members.size() < 2) continue;
    const bool done = context_.options.mode == Merge::Pattern && mergePatterns(members);
    if (!done && mergesIrregular()) mergeByTree(members);
  }
  for (RegionLeaf &leaf : region_.leaves()) // alone at its exit, of several
    if (leaf.state && HeaderJoin::wasJoined(*leaf.state, root_))
      merged_.push_back(std::move(leaf.state));
  if (!root_.replayedLog) logMerged(); // else the replayed log says which of them goes on
  return std::move(merged_);
}

bool RegionMerger::isMergeable() const {
  if (context_.options.bySize && !place_.isMarked && !dependsOnSize()) return false;
  // Two that no condition tells apart: a fork that the tree does not have.
  std::set<NodeId> nodes;
  return std::ranges::all_of(region_.leaves(), [&](const RegionLeaf &leaf) {
    return nodes.insert(leaf.node).second && region_.tree().node(leaf.node).children.empty();
  });
}

std::vector<RegionMerger::Members> RegionMerger::groups() const {
  const std::vector<RegionLeaf> &leaves = region_.leaves();
  std::vector<Members> groups;
  for (size_t i = 0; i < leaves.size(); i++) {
    // The numbers that unwritten bytes got in the loop are not the same ones.
    const bool isApart = leaves[i].state->unwritten.size() != root_.unwritten.size();
    auto fits = [&](const Members &g) {
      return !isApart && !StateJoin::whyApart(*leaves[g[0]].state, *leaves[i].state);
    };
    if (auto g = std::ranges::find_if(groups, fits); g != groups.end())
      g->push_back(i);
    else
      groups.push_back({i});
  }
  return groups;
}

void RegionMerger::logMerged() {
  const Explored how = place_.joins ? Explored::WithJoins : Explored::Plainly;
  for (size_t i = 0; i < merged_.size(); i++) {
    State &s = *merged_[i];
    const auto witness = std::exchange(s.witness, root_.witness);
    s.log = root_.log;
    s.log.append(Record::Region, regionRecord(root_, place_.loop, how));
    s.log.append(i);
    s.log.append(s.identity);
    engine_.witnesses.adoptWitness(s, witness);
  }
}

bool RegionMerger::looksRegular(const Region &region) {
  constexpr size_t kFew = 16, kMany = 512;
  std::vector<NodeId> nodes;
  const patterns::ExecutionTree tree = region.treeSoFar(nodes);
  if (!tree.hasDistinctSiblings()) return false;
  std::map<const program::Inst *, std::vector<NodeId>> exits; // only counted
  for (size_t i = 0; i < nodes.size(); i++) exits[region.leaves()[i].state->ip].push_back(nodes[i]);
  if (std::ranges::all_of(exits, [](const auto &exit) { return exit.second.size() < kFew; }))
    return region.unfinished() < kMany;
  return std::ranges::any_of(exits, [&](const auto &exit) {
    return exit.second.size() >= kFew &&
           patterns::findPatterns(tree, exit.second, {.maxGroups = kMaxGroups});
  });
}

bool RegionMerger::dependsOnSize() const {
  solver::SupportTable supports(engine_.services.context);
  std::set<uint32_t> symbols;
  for (const RegionLeaf &leaf : region_.leaves()) // blocks may come in the loop itself
    for (auto *n = leaf.state->lengths.last.get(); n; n = n->previous.get()) {
      if (n->value.symbol) symbols.insert(n->value.symbol->array().index);
      for (solver::Cell cell : supports.of(n->value.length)) symbols.insert(cell.symbol());
      if (n == root_.lengths.last.get() && &leaf != &region_.leaves()[0]) break;
    }
  for (const ExprPtr *counter : root_.counters.items()) symbols.insert((*counter)->array().index);
  const expr::UnsimplifiedTerms &unsimplified = *engine_.decisions.unsimplified();
  for (NodeId id = 1; id < region_.tree().size(); id++)
    for (solver::Cell cell :
         supports.of(unsimplified.instantiate(region_.tree().node(id).condition)))
      if (symbols.contains(cell.symbol())) return true;
  return false;
}

// --- one state for a group

std::vector<const State *> RegionMerger::statesOf(const Members &members) const {
  std::vector<const State *> states;
  for (size_t i : members) states.push_back(region_.leaves()[i].state.get());
  return states;
}

std::vector<NodeId> RegionMerger::nodesOf(const Members &members) const {
  std::vector<NodeId> nodes;
  for (size_t i : members) nodes.push_back(region_.leaves()[i].node);
  return nodes;
}

std::unique_ptr<State> RegionMerger::begin(std::span<const State *const> states) {
  std::unique_ptr<State> into = stateForAll(engine_, root_, states, *states.back());
  into->repeats = false;
  into->path = root_.path;
  into->decisions = root_.decisions;
  into->forks = root_.forks + 1;
  return into;
}

ExprPtr RegionMerger::conditionOf(NodeId leaf) const {
  expr::ExprContext &context = engine_.services.context;
  ExprPtr all = context.trueExpr();
  for (expr::UnsimplifiedPtr l : region_.tree().conditions(patterns::ExecutionTree::kRoot, leaf))
    all = context.bvAnd(all, engine_.decisions.unsimplified()->instantiate(l));
  return all;
}

void RegionMerger::remember(State &into, ExprPtr counter, std::span<const NodeId> nodes) const {
  if (!context_.options.asksForBenefit() || place_.isMarked ||
      !context_.benefit.isAsking(place_.loop))
    return;
  MergedHere merge{.loop = place_.loop,
                   .identity = into.identity,
                   .paths = nodes.size(),
                   .counter = counter,
                   .members = {}};
  if (!counter) {
    if (nodes.size() > kMaxRememberedNodes) return;
    auto members = std::make_shared<std::vector<ExprPtr>>();
    for (NodeId node : nodes) members->push_back(conditionOf(node));
    merge.members = std::move(members);
  }
  into.merges.push(std::move(merge));
}

void RegionMerger::finish(std::unique_ptr<State> into, const Members &members, Merged what) {
  for (ExprPtr e : into->path.constraints())
    FATHOM_CHECK(engine_.witnesses.holdsUnderWitness(*into, e),
                 "a merged path excludes its member");
  if (!LogFollower::isFollowed(root_)) {
    Stats &stats = engine_.services.stats;
    (what.counter ? stats.mergedByPattern : stats.mergedByTree)++;
    stats.mergedPaths += members.size();
    if (context_.options.checks) {
      expr::ExprContext &context = engine_.services.context;
      what.root = root_.path;
      what.condition = context.trueExpr();
      for (auto *n = into->path.last(); n && n != root_.path.last(); n = n->previous.get())
        what.condition = context.bvAnd(what.condition, n->constraint);
      what.members.resize(members.size());
      for (size_t j = 0; j < members.size(); j++)
        what.members[j].condition = conditionOf(region_.leaves()[members[j]].node);
      context_.check(engine_, *into, what);
    }
  }
  for (size_t i : members) {
    Region::leaveTest(engine_, root_, *region_.leaves()[i].state, kMergedAway);
    region_.leaves()[i].state.reset();
  }
  merged_.push_back(std::move(into));
}

// --- with patterns

bool RegionMerger::mergePatterns(const Members &members) {
  const std::vector<NodeId> nodes = nodesOf(members);
  std::unordered_map<NodeId, size_t> leafOf;
  for (size_t j = 0; j < members.size(); j++) leafOf[nodes[j]] = members[j];
  auto groups = patterns::findPatterns(region_.tree(), nodes, {.maxGroups = kMaxGroups});
  if (!groups) return false;
  if (std::ranges::none_of(*groups, [](const auto &g) { return g.members.size() > 1; }))
    return false;
  auto membersOf = [&](const patterns::RegularGroup &group) {
    Members of;
    for (const auto &member : group.members) of.push_back(leafOf.at(member.leaf));
    return of;
  };
  for (const patterns::RegularGroup &group : *groups) {
    if (group.members.size() < 2) continue;
    bool done = mergePattern(group, membersOf(group));
    for (uint64_t rounds = 2; !done && rounds <= kMaxAlike; rounds++) {
      // Where one part of them has a pattern, this is how long a round is.
      for (const patterns::RegularGroup &part : patterns::withLongerRounds(group, rounds))
        if (part.members.size() > 1) done |= mergePattern(part, membersOf(part));
    }
    Members left = membersOf(group);
    std::erase_if(left, [&](size_t i) { return !region_.leaves()[i].state; });
    if (left.size() > 1 && mergesIrregular()) mergeByTree(left);
  }
  return true;
}

bool RegionMerger::mergePattern(const patterns::RegularGroup &group, const Members &members) {
  expr::ExprContext &context = engine_.services.context;
  expr::UnsimplifiedTerms &unsimplified = *engine_.decisions.unsimplified();
  auto formula = patterns::FormulaPattern::find(region_.tree(), group, unsimplified, context);
  if (!formula) return false;
  ExprPtr array = context_.counterFor(engine_, root_, formula->maxCount());
  const auto bytes = static_cast<unsigned>(array->array().sizeBytes);
  ExprPtr count = context.zext(unsimplified.word(array, context.constant(0, 64), bytes), 64);

  const std::vector<const State *> states = statesOf(members);
  const State &last = *states.back(); // of the most rounds: allocators have come furthest there
  std::unique_ptr<State> into = begin(states);
  Merged what;
  const StateJoin::Values values{
      .synthesised =
          [&](std::span<const ExprPtr> terms) {
            return patterns::mergedValue(terms, group, region_.tree().counters(), unsimplified,
                                         context, count);
          },
      .chosen =
          [&](std::span<const ExprPtr> terms) {
            ExprPtr e = terms.back(); // counts ascend
            for (size_t j = terms.size() - 1; j-- > 0;) {
              if (terms[j] == terms[j + 1]) continue;
              ExprPtr most = context.constant(group.members[j].count, 64),
                      isUpTo = context.ule(count, most);
              unsimplified.built(isUpTo, expr::Kind::Ule, {count, most});
              ExprPtr choice = context.ite(isUpTo, terms[j], e);
              unsimplified.built(choice, expr::Kind::Ite, {isUpTo, terms[j], e});
              e = choice;
            }
            return e;
          },
      .noted = [&](std::span<const ExprPtr> each, ExprPtr e) { what.note(each, e); }};
  if (!context_.join(engine_).join(*into, states, values)) return false;
  for (ExprPtr e : formula->condition(unsimplified, context, count)) into->path.add(e);
  auto witness = std::make_shared<expr::Model>(*last.witness);
  for (unsigned i = 0; i < bytes; i++)
    witness->setByte(array, i, static_cast<uint8_t>(formula->maxCount() >> (8 * i)));
  into->setWitness(std::move(witness));
  into->counters.push(array);
  remember(*into, array, nodesOf(members));
  if (context_.options.explains && !LogFollower::isFollowed(root_))
    fmt::print(stderr, "merge: {}: {} paths become one, of {} to {} rounds\n{}",
               engine_.places.where(*into), members.size(), formula->counts().front(),
               formula->maxCount(),
               explain(group.pattern, *formula, unsimplified, context, array, count));
  what.counter = array;
  for (const auto &member : group.members) what.members.push_back({nullptr, member.count});
  finish(std::move(into), members, std::move(what));
  return true;
}

// --- along the tree

void RegionMerger::mergeByTree(const Members &members) {
  const std::vector<NodeId> nodes = nodesOf(members);
  const patterns::TreeEncoding encoding(region_.tree(), nodes, *engine_.decisions.unsimplified(),
                                        engine_.services.context);
  const std::vector<const State *> states = statesOf(members);
  std::unique_ptr<State> into = begin(states);
  Merged what;
  const StateJoin::Values values{
      .synthesised = StateJoin::equalTerms,
      .chosen = [&](std::span<const ExprPtr> terms) { return encoding.value(terms); },
      .noted = [&](std::span<const ExprPtr> each, ExprPtr e) { what.note(each, e); }};
  if (!context_.join(engine_).join(*into, states, values)) return;
  into->path.add(encoding.condition());
  remember(*into, nullptr, nodes);
  into->setWitness(states.back()->witness);
  if (context_.options.explains && !LogFollower::isFollowed(root_))
    fmt::print(stderr, "merge: {}: {} paths become one\n", engine_.places.where(*into),
               members.size());
  finish(std::move(into), members, std::move(what));
}

} // namespace fathom::explore
