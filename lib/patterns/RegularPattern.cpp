// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/RegularPattern.h"

#include <algorithm>
#include <unordered_set>

namespace fathom::patterns {

namespace {

/// So many candidates for the core are tried for a leaf.
constexpr size_t kMaxCandidates = 8;

/// The pattern with the core word[end - period, end), which is repeated immediately before it.
RegularPattern patternOf(const PathWord &word, size_t end, size_t period) {
  auto at = [&](size_t from, size_t to) {
    return PathWord(word.begin() + static_cast<ptrdiff_t>(from),
                    word.begin() + static_cast<ptrdiff_t>(to));
  };
  RegularPattern p{{}, at(end - period, end), at(end, word.size())};
  size_t begin = end - period;
  while (begin >= period && std::equal(p.core.begin(), p.core.end(),
                                       word.begin() + static_cast<ptrdiff_t>(begin - period)))
    begin -= period;
  p.before = at(0, begin);
  // u x (v x)^k w -> u (x v)^k x w
  while (!p.before.empty() && p.before.back() == p.core.back()) {
    p.after.insert(p.after.begin(), p.core.back());
    std::ranges::rotate(p.core, p.core.end() - 1);
    p.before.pop_back();
  }
  return p;
}

/// The repetitions nearest to the end first, of several there the shortest.
std::vector<RegularPattern> candidates(const PathWord &word, size_t maxCore) {
  std::vector<RegularPattern> found;
  for (size_t end = word.size(); end >= 2; end--)
    for (size_t period = 1; period <= std::min(end / 2, maxCore); period++) {
      const auto last = word.begin() + static_cast<ptrdiff_t>(end);
      const auto length = static_cast<ptrdiff_t>(period);
      if (!std::equal(last - length, last, last - 2 * length)) continue;
      RegularPattern pattern = patternOf(word, end, period);
      const bool isNew = std::ranges::none_of(found, [&](const RegularPattern &p) {
        return p.before == pattern.before && p.core == pattern.core && p.after == pattern.after;
      });
      if (isNew) found.push_back(std::move(pattern));
      if (found.size() >= kMaxCandidates) return found;
    }
  return found;
}

std::vector<RegularGroup::Member> membersOf(const ExecutionTree &tree, const RegularPattern &p,
                                            const std::unordered_set<NodeId> &open) {
  std::vector<RegularGroup::Member> members;
  NodeId round = tree.follow(ExecutionTree::kRoot, p.before);
  for (uint64_t count = 0; round != kNoNode; round = tree.follow(round, p.core), count++)
    if (const NodeId leaf = tree.follow(round, p.after); open.contains(leaf))
      members.push_back({leaf, count});
  return members;
}

} // namespace

std::optional<std::vector<RegularGroup>> findPatterns(const ExecutionTree &tree,
                                                      std::span<const NodeId> leaves,
                                                      const PatternLimits &limits) {
  if (!tree.hasDistinctSiblings()) return std::nullopt;
  std::vector<RegularGroup> groups;
  std::unordered_set<NodeId> open(leaves.begin(), leaves.end()); // looked up only
  std::vector<NodeId> order(leaves.begin(), leaves.end());
  std::ranges::sort(order, [&](NodeId a, NodeId b) {
    const uint32_t x = tree.node(a).depth, y = tree.node(b).depth;
    return x != y ? x > y : a < b;
  });
  for (NodeId leaf : order) {
    if (!open.contains(leaf)) continue;
    if (groups.size() >= limits.maxGroups) return std::nullopt;
    const PathWord word = tree.word(leaf);
    RegularGroup best{{word, {}, {}}, {{leaf, 0}}};
    for (RegularPattern &pattern : candidates(word, limits.maxCore)) {
      auto members = membersOf(tree, pattern, open);
      if (members.size() > best.members.size()) best = {std::move(pattern), std::move(members)};
    }
    for (const auto &member : best.members) open.erase(member.leaf);
    groups.push_back(std::move(best));
  }
  return groups;
}

std::vector<RegularGroup> withLongerRounds(const RegularGroup &group, uint64_t rounds) {
  const auto repeated = [&](uint64_t times) {
    PathWord word;
    for (uint64_t i = 0; i < times; i++)
      word.insert(word.end(), group.pattern.core.begin(), group.pattern.core.end());
    return word;
  };
  std::vector<RegularGroup> parts;
  for (uint64_t rest = 0; rest < rounds; rest++) {
    RegularGroup part{{group.pattern.before, repeated(rounds), repeated(rest)}, {}};
    part.pattern.after.insert(part.pattern.after.end(), group.pattern.after.begin(),
                              group.pattern.after.end());
    for (const auto &member : group.members)
      if (member.count % rounds == rest)
        part.members.push_back({member.leaf, member.count / rounds});
    if (!part.members.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

} // namespace fathom::patterns
