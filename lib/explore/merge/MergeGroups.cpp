// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of the states that came out of a region: groups, and the state for each.
#include "explore/merge/MergePolicy.h"

#include "expr/Readable.h"
#include "merge/FormulaPattern.h"
#include "merge/TreeEncoding.h"
#include "solver/Support.h"
#include "support/Check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace fathom::explore {

using merge::NodeId;

namespace {

/// More groups than that at an exit: the region is not regular ([merging23] Sec. 6).
constexpr size_t kMostGroups = 10;

/// Whether a merge along the tree pays is asked if it has at most so many paths: their conditions
/// are as long as the loop's paths.
constexpr size_t kMostRemembered = 256;

/// So many conditions of a round may look alike.
constexpr uint64_t kMostAlike = 8;

/// Leaves that came out at one place and can be one state.
using Members = std::vector<size_t>;

std::function<void(std::span<const ExprPtr>, ExprPtr)> noteIn(Merged &what) {
  return [&what](std::span<const ExprPtr> each, ExprPtr merged) {
    what.values.push_back({{each.begin(), each.end()}, merged});
  };
}

} // namespace

/// A state for some leaves, of which `like` is one.
std::unique_ptr<State> MergePolicy::begin(Engine &engine, const State &root,
                                          std::span<const State *const> states, const State &like) {
  uint64_t identity = root.identity;
  for (const State *s : states) identity = State::after(identity, s->identity);
  auto into = std::make_unique<State>(like);
  into->id = engine.forks.nextStateId++;
  into->repeats = false;
  into->path = root.path;
  into->decisions = root.decisions;
  into->identity = identity;
  into->forks = root.forks + 1;
  into->isMerged = true;
  for (const State *s : states) into->nextSerial = std::max(into->nextSerial, s->nextSerial);
  Calls::ownTopFrame(*into);
  return into;
}

MergePolicy::States MergePolicy::group(Engine &engine, const State &root, Region &region) {
  States merged;
  if (options_.bySize && !isMarked_ && !dependsOnSize(engine, root, region)) return merged;
  std::vector<RegionLeaf> &leaves = region.leaves();
  // Two that no condition tells apart: a fork that the tree does not have.
  std::set<NodeId> nodes;
  for (const RegionLeaf &leaf : leaves)
    if (!nodes.insert(leaf.node).second || !region.tree().node(leaf.node).children.empty())
      return merged;
  std::vector<Members> groups; // in the order in which the first of each came out
  for (size_t i = 0; i < leaves.size(); i++) {
    // The numbers that unwritten bytes got in the loop are not the same ones.
    const bool isApart = leaves[i].state->unwritten.size() != root.unwritten.size();
    auto fits = [&](const Members &g) {
      return !isApart && !StateJoin::whyApart(*leaves[g[0]].state, *leaves[i].state);
    };
    if (auto g = std::ranges::find_if(groups, fits); g != groups.end())
      g->push_back(i);
    else
      groups.push_back({i});
  }
  for (const Members &members : groups) {
    if (members.size() < 2) continue;
    const bool done =
        options_.mode == Merge::Pattern && mergePatterns(engine, root, region, members, merged);
    if (!done && !leavesIrregular()) mergeByTree(engine, root, region, members, merged);
  }
  for (RegionLeaf &leaf : leaves) // alone at its exit, of several
    if (leaf.state && HeaderJoin::wasJoined(*leaf.state, root))
      merged.push_back(std::move(leaf.state));
  for (size_t i = 0; i < merged.size() && !root.script; i++) {
    State &s = *merged[i];
    const auto witness = std::exchange(s.witness, root.witness);
    s.log = root.log;
    s.log.append(Record::Region,
                 recordOf(root, loop_, joins_ ? Explored::WithJoins : Explored::Plainly));
    s.log.append(i);
    s.log.append(s.identity);
    engine.witnesses.adoptWitness(s, witness);
  }
  return merged;
}

/// Is there an exit with a pattern, as far as the loop was explored? With few leaves nobody knows;
/// with many states and few leaves, it has none.
bool MergePolicy::looksRegular(const Region &region) {
  constexpr size_t kFew = 16, kMany = 512;
  std::vector<NodeId> nodes;
  const merge::ExecutionTree tree = region.treeSoFar(nodes);
  if (!tree.isValid()) return false;
  std::map<const program::Inst *, std::vector<NodeId>> exits; // only counted
  for (size_t i = 0; i < nodes.size(); i++) exits[region.leaves()[i].state->ip].push_back(nodes[i]);
  if (std::ranges::all_of(exits, [](const auto &exit) { return exit.second.size() < kFew; }))
    return region.unfinished() < kMany;
  return std::ranges::any_of(exits, [&](const auto &exit) {
    return exit.second.size() >= kFew &&
           merge::findPatterns(tree, exit.second, {.maxGroups = kMostGroups});
  });
}

bool MergePolicy::dependsOnSize(Engine &engine, const State &root, const Region &region) {
  solver::SupportTable supports(engine.services.context);
  std::set<uint32_t> symbols;
  for (const RegionLeaf &leaf : region.leaves()) // blocks may come in the loop itself
    for (auto *n = leaf.state->lengths.last.get(); n; n = n->previous.get()) {
      if (n->value.symbol) symbols.insert(n->value.symbol->array().index);
      for (solver::Cell cell : supports.of(n->value.length)) symbols.insert(cell.symbol());
      if (n == root.lengths.last.get() && &leaf != &region.leaves()[0]) break;
    }
  for (const ExprPtr *counter : root.counters.items()) symbols.insert((*counter)->array().index);
  const expr::Literals &literals = *engine.decisions.literals();
  for (NodeId id = 1; id < region.tree().size(); id++)
    for (solver::Cell cell : supports.of(literals.instantiate(region.tree().node(id).condition)))
      if (symbols.contains(cell.symbol())) return true;
  return false;
}

/// What holds on the leaf's path beyond the root's.
static ExprPtr conditionOf(Engine &engine, const Region &region, NodeId leaf) {
  expr::ExprContext &context = engine.services.context;
  ExprPtr all = context.trueExpr();
  for (expr::LiteralPtr l : region.tree().conditions(merge::ExecutionTree::kRoot, leaf))
    all = context.bvAnd(all, engine.decisions.literals()->instantiate(l));
  return all;
}

void MergePolicy::remember(Engine &engine, State &into, ExprPtr counter, const Region &region,
                           std::span<const NodeId> nodes) const {
  if (!leavesVain() || isMarked_ || !benefit_.isAsking(loop_)) return;
  MergedHere merge{.loop = loop_,
                   .identity = into.identity,
                   .paths = nodes.size(),
                   .counter = counter,
                   .members = {}};
  if (!counter) {
    if (nodes.size() > kMostRemembered) return;
    auto members = std::make_shared<std::vector<ExprPtr>>();
    for (NodeId node : nodes) members->push_back(conditionOf(engine, region, node));
    merge.members = std::move(members);
  }
  into.merges.push(std::move(merge));
}

void MergePolicy::done(Engine &engine, const State &root, const Region &region,
                       const Members &members, const State &into, Merged &what) {
  if (LogFollower::isFollowed(root)) return;
  Stats &stats = engine.services.stats;
  (what.counter ? stats.mergedByPattern : stats.mergedByTree)++;
  stats.mergedPaths += members.size();
  if (!options_.checks) return;
  expr::ExprContext &context = engine.services.context;
  what.root = root.path;
  what.condition = context.trueExpr();
  for (auto *n = into.path.last(); n && n != root.path.last(); n = n->previous.get())
    what.condition = context.bvAnd(what.condition, n->constraint);
  what.members.resize(members.size());
  for (size_t j = 0; j < members.size(); j++)
    what.members[j].condition = conditionOf(engine, region, region.leaves()[members[j]].node);
  check(engine, into, what);
}

void MergePolicy::check(Engine &engine, const State &into, const Merged &what) {
  Stats &stats = engine.services.stats;
  if (!check_)
    check_ = std::make_unique<MergeCheck>(engine.services.context, std::chrono::seconds(1));
  const MergeCheck::Result result = check_->check(what);
  stats.mergesChecked++;
  stats.mergesWrong += !result.wrong.empty();
  stats.mergeQuestionsOpen += result.open;
  if (!result.wrong.empty())
    fmt::print(stderr, "merge: {}: WRONG: {}\n", engine.places.where(into), result.wrong);
}

void MergePolicy::take(Engine &engine, Region &region, const Members &members, State &into,
                       const State &root) {
  into.firsts = root.firsts;
  for (size_t i : members) {
    State &s = *region.leaves()[i].state;
    into.instructions = std::max(into.instructions, s.instructions);
    into.lastNewCoverage = std::max(into.lastNewCoverage, s.lastNewCoverage);
    Region::leaveTest(engine, root, s, kMergedAway);
    region.leaves()[i].state.reset();
  }
}

StateJoin &MergePolicy::join(Engine &engine) {
  if (!join_) join_ = std::make_unique<StateJoin>(engine.services);
  return *join_;
}

/// The array of the counter that the path gets next. Paths share them: no state has two of one
/// number.
ExprPtr MergePolicy::counterFor(Engine &engine, const State &root, uint64_t most) {
  const unsigned bytes = most < 256 ? 1 : most < 65536 ? 2 : 4;
  ExprPtr &array = counters_[{root.counters.size(), bytes}];
  if (!array)
    array = engine.services.context.symbol(fmt::format("rounds_{}", root.counters.size()), bytes);
  return array;
}

bool MergePolicy::mergePatterns(Engine &engine, const State &root, Region &region,
                                const Members &members, States &merged) {
  std::vector<NodeId> nodes;
  std::unordered_map<NodeId, size_t> leafOf;
  for (size_t i : members) {
    nodes.push_back(region.leaves()[i].node);
    leafOf[nodes.back()] = i;
  }
  auto groups = merge::findPatterns(region.tree(), nodes, {.maxGroups = kMostGroups});
  if (!groups) return false;
  if (std::ranges::none_of(*groups, [](const auto &g) { return g.members.size() > 1; }))
    return false;
  auto membersOf = [&](const merge::RegularGroup &group) {
    Members of;
    for (const auto &member : group.members) of.push_back(leafOf.at(member.leaf));
    return of;
  };
  for (const merge::RegularGroup &group : *groups) {
    if (group.members.size() < 2) continue;
    bool done = mergePattern(engine, root, region, group, membersOf(group), merged);
    for (uint64_t rounds = 2; !done && rounds <= kMostAlike; rounds++) {
      // Where one part of them has a pattern, this is how long a round is.
      for (const merge::RegularGroup &part : merge::withLongerRounds(group, rounds))
        if (part.members.size() > 1)
          done |= mergePattern(engine, root, region, part, membersOf(part), merged);
    }
    Members left = membersOf(group);
    std::erase_if(left, [&](size_t i) { return !region.leaves()[i].state; });
    if (left.size() > 1 && !leavesIrregular()) mergeByTree(engine, root, region, left, merged);
  }
  return true;
}

bool MergePolicy::mergePattern(Engine &engine, const State &root, Region &region,
                               const merge::RegularGroup &group, const Members &members,
                               States &merged) {
  expr::ExprContext &context = engine.services.context;
  expr::Literals &literals = *engine.decisions.literals();
  auto formula = merge::FormulaPattern::find(region.tree(), group, literals, context);
  if (!formula) return false;
  ExprPtr array = counterFor(engine, root, formula->maxCount());
  const auto bytes = static_cast<unsigned>(array->array().sizeBytes);
  ExprPtr count = context.zext(literals.word(array, context.constant(0, 64), bytes), 64);

  std::vector<NodeId> nodes;
  std::vector<const State *> states;
  for (size_t i : members) {
    nodes.push_back(region.leaves()[i].node);
    states.push_back(region.leaves()[i].state.get());
  }
  const State &last = *states.back(); // of the most rounds: allocators have come furthest there
  std::unique_ptr<State> into = begin(engine, root, states, last);
  Merged what;
  const StateJoin::Values values{
      .synthesised =
          [&](std::span<const ExprPtr> terms) {
            return merge::mergedValue(terms, group, region.tree().counters(), literals, context,
                                      count);
          },
      .chosen =
          [&](std::span<const ExprPtr> terms) {
            ExprPtr e = terms.back(); // counts ascend
            for (size_t j = terms.size() - 1; j-- > 0;) {
              if (terms[j] == terms[j + 1]) continue;
              ExprPtr most = context.constant(group.members[j].count, 64),
                      isUpTo = context.ule(count, most);
              literals.built(isUpTo, expr::Kind::Ule, {count, most});
              ExprPtr choice = context.ite(isUpTo, terms[j], e);
              literals.built(choice, expr::Kind::Ite, {isUpTo, terms[j], e});
              e = choice;
            }
            return e;
          },
      .noted = noteIn(what)};
  if (!join(engine).join(*into, states, values)) return false;
  for (ExprPtr e : formula->condition(literals, context, count)) into->path.add(e);
  auto witness = std::make_shared<expr::Model>(*last.witness);
  for (unsigned i = 0; i < bytes; i++)
    witness->setByte(array, i, static_cast<uint8_t>(formula->maxCount() >> (8 * i)));
  into->setWitness(std::move(witness));
  into->counters.push(array);
  remember(engine, *into, array, region, nodes);
  for (ExprPtr e : into->path.constraints())
    FATHOM_CHECK(engine.witnesses.holdsUnderWitness(*into, e), "a merged path excludes its member");
  if (options_.explains && !LogFollower::isFollowed(root)) {
    std::map<uint64_t, char> letters;
    auto spell = [&](const merge::Word &word) {
      std::string text;
      for (uint64_t shape : word)
        text +=
            letters.try_emplace(shape, static_cast<char>('a' + letters.size() % 26)).first->second;
      return text.empty() ? std::string("-") : text;
    };
    const merge::RegularPattern &p = group.pattern;
    const std::string core = spell(p.core), before = spell(p.before), after = spell(p.after);
    fmt::print(stderr,
               "merge: {}: {} paths become one, of {} to {} rounds\n  pattern ({}, {}, {})\n",
               engine.places.where(*into), members.size(), formula->counts().front(),
               formula->maxCount(), before, core, after);
    const expr::ReadableOptions words{.names = {{array, "k"}}};
    std::vector<ExprPtr> round;
    if (formula->maxCount())
      round = formula->round(literals, context, context.bound(formula->maxCount()));
    fmt::print(stderr, "  first: {}\n  round i: {}\n  last k: {}\n",
               expr::toReadable(formula->first(), words), expr::toReadable(round, words),
               expr::toReadable(formula->last(literals, context, count), words));
  }
  what.counter = array;
  for (const auto &member : group.members) what.members.push_back({nullptr, member.count});
  done(engine, root, region, members, *into, what);
  take(engine, region, members, *into, root);
  merged.push_back(std::move(into));
  return true;
}

void MergePolicy::mergeByTree(Engine &engine, const State &root, Region &region,
                              const Members &members, States &merged) {
  expr::ExprContext &context = engine.services.context;
  std::vector<NodeId> nodes;
  std::vector<const State *> states;
  for (size_t i : members) {
    nodes.push_back(region.leaves()[i].node);
    states.push_back(region.leaves()[i].state.get());
  }
  const merge::TreeEncoding encoding(region.tree(), nodes, *engine.decisions.literals(), context);
  const State &last = *states.back();
  std::unique_ptr<State> into = begin(engine, root, states, last);
  Merged what;
  const StateJoin::Values values{
      .synthesised = [](std::span<const ExprPtr> terms) -> ExprPtr {
        const bool isOne = std::ranges::all_of(terms, [&](ExprPtr e) { return e == terms[0]; });
        return isOne ? terms[0] : nullptr;
      },
      .chosen = [&](std::span<const ExprPtr> terms) { return encoding.value(terms); },
      .noted = noteIn(what)};
  if (!join(engine).join(*into, states, values)) return;
  into->path.add(encoding.condition());
  remember(engine, *into, nullptr, region, nodes);
  into->setWitness(last.witness);
  for (ExprPtr e : into->path.constraints())
    FATHOM_CHECK(engine.witnesses.holdsUnderWitness(*into, e), "a merged path excludes its member");
  if (options_.explains && !LogFollower::isFollowed(root))
    fmt::print(stderr, "merge: {}: {} paths become one\n", engine.places.where(*into),
               members.size());
  done(engine, root, region, members, *into, what);
  take(engine, region, members, *into, root);
  merged.push_back(std::move(into));
}

} // namespace fathom::explore
