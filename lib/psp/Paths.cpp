// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Paths.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_set>

namespace fathom::psp {

/// One degree of freedom, 5 %.
static constexpr double kCritical = 3.841;

double chiSquared(const std::array<double, 4> &table) {
  const auto [a, b, c, d] = table;
  const double rows = (a + b) * (c + d), columns = (a + c) * (b + d);
  if (rows == 0 || columns == 0) return 0;
  const double difference = a * d - b * c;
  return (a + b + c + d) * difference * difference / (rows * columns);
}

/// A key of clauses at a branch, without a side.
static uint64_t keyOf(uint32_t branch, uint64_t clauses) {
  return Paths::extended(clauses, branch, ~0u >> 13);
}

Paths::Paths(std::vector<PathEdge> edges, uint64_t root) : edges_(std::move(edges)) {
  std::ranges::sort(edges_, {},
                    [](const PathEdge &e) { return std::tuple(e.before, e.branch, e.side); });
  // What the root does not lead to has lost a part of its path.
  std::unordered_set<const PathEdge *> reached;
  walk(root, [&](const PathEdge &edge, bool enters) {
    if (enters) reached.insert(&edge);
  });
  std::vector<PathEdge> tree;
  for (const PathEdge &edge : edges_)
    if (reached.contains(&edge)) tree.push_back(edge);
  edges_ = std::move(tree);
  for (const PathEdge &edge : edges_) number_.try_emplace(edge.branch);
  uint32_t next = 0;
  for (auto &[branch, number] : number_) number = next++;
  group(root);
  count(root);
}

/// Depth first; each edge when it is entered and when it is left. A tree, so nothing is seen twice:
/// where hashes collide, an edge that is on the way already is not entered again.
template <class Visit> void Paths::walk(uint64_t root, Visit visit) const {
  struct Step {
    const PathEdge *edge; ///< null: the root
    size_t child, end;    ///< the edges that are left to enter
  };
  auto below = [&](const PathEdge *edge) {
    const auto [first, last] =
        std::ranges::equal_range(edges_, edge ? edge->after : root, {}, &PathEdge::before);
    return Step{edge, static_cast<size_t>(first - edges_.begin()),
                static_cast<size_t>(last - edges_.begin())};
  };
  std::vector<bool> entered(edges_.size());
  std::vector<Step> way{below(nullptr)};
  while (!way.empty()) {
    Step &step = way.back();
    if (step.child == step.end) {
      if (step.edge) visit(*step.edge, false);
      way.pop_back();
      continue;
    }
    const size_t child = step.child++;
    if (entered[child]) continue;
    entered[child] = true;
    visit(edges_[child], true);
    way.push_back(below(&edges_[child]));
  }
}

/// Which branches depend on which: the side that A took last against the side that B takes. Of a
/// switch, the default against all others.
void Paths::group(uint64_t root) {
  const size_t branches = number_.size();
  std::vector<uint32_t> parent(branches);
  std::iota(parent.begin(), parent.end(), 0);
  auto find = [&](uint32_t b) {
    while (parent[b] != b) b = parent[b] = parent[parent[b]];
    return b;
  };
  if (branches > kMaxTested) {
    std::ranges::fill(parent, 0);
  } else {
    std::vector<std::array<double, 4>> tables(branches * branches);
    std::vector<std::vector<uint8_t>> last(branches); // sides on the way, newest last
    walk(root, [&](const PathEdge &edge, bool enters) {
      const uint32_t b = number_.at(edge.branch);
      if (!enters) {
        last[b].pop_back();
        return;
      }
      const bool side = edge.side != 0;
      for (uint32_t a = 0; a < branches; a++)
        if (!last[a].empty())
          tables[a * branches + b][last[a].back() * 2 + side] += static_cast<double>(edge.count);
      last[b].push_back(side);
    });
    for (uint32_t a = 0; a < branches; a++)
      for (uint32_t b = 0; b < branches; b++)
        if (a != b && chiSquared(tables[a * branches + b]) > kCritical) parent[find(a)] = find(b);
  }
  std::map<uint32_t, uint32_t> names;
  for (const auto &[branch, number] : number_)
    group_[branch] = names.try_emplace(find(number), names.size()).first->second;
  groups_ = static_cast<uint32_t>(names.size());
}

void Paths::count(uint64_t root) {
  std::vector<std::vector<uint64_t>> clauses(groups_, {kNoClauses}); // on the way, newest last
  walk(root, [&](const PathEdge &edge, bool enters) {
    std::vector<uint64_t> &mine = clauses[groupOf(edge.branch)];
    if (!enters) {
      mine.pop_back();
      return;
    }
    Counts &counts = sides_[keyOf(edge.branch, mine.back())];
    auto at = std::ranges::find(counts, edge.side, &Counts::value_type::first);
    if (at == counts.end()) at = counts.insert(at, {edge.side, 0});
    at->second += edge.count;
    mine.push_back(extended(mine.back(), edge.branch, edge.side));
  });
}

std::optional<double> Paths::ofSide(uint32_t branch, uint32_t side, uint64_t clauses) const {
  auto found = sides_.find(keyOf(branch, clauses));
  if (found == sides_.end()) return std::nullopt;
  double all = 0;
  for (const auto &[taken, count] : found->second) {
    if (taken == side) return 1;
    all += static_cast<double>(count);
  }
  return 1 / (all + 2);
}

} // namespace fathom::psp
