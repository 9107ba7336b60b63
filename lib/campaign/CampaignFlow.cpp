// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/CampaignFlow.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace fathom::campaign {

using estimate::FlowGraph;

/// Fills in what each element was covered in, and the number of units.
static llvm::Error countUnits(const SqliteStore &store, const UnitSelection &selection,
                              FlowGraph &graph) {
  uint64_t read = 0;
  std::vector<uint64_t> counts(store.elements(), 0);
  std::vector<bool> isMarked(store.elements(), false), apart(store.elements(), false);
  std::vector<uint32_t> marked; // in the joined unit that is not whole yet
  auto mark = [&](uint32_t element) {
    if (element >= counts.size() || isMarked[element]) return;
    isMarked[element] = true;
    marked.push_back(element);
  };
  if (auto e = store.forEachUnit([&](const StoredUnit &unit) {
        if (!unit.complete || (selection.first && read == selection.first)) return;
        for (uint32_t element : unit.elements) mark(element);
        if (selection.stages == StageSelection::All)
          for (uint32_t element : unit.nonFuzzing) mark(element);
        for (uint32_t element : unit.nonFuzzing)
          if (element < apart.size()) apart[element] = true;
        if (++read % selection.joined) return;
        for (uint32_t element : marked) {
          ++counts[element];
          isMarked[element] = false;
        }
        marked.clear();
      }))
    return e;
  graph.units = read / selection.joined;
  if (!graph.units)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "no sampling unit is complete yet");
  auto fill = [&](std::vector<FlowGraph::Element> &elements, size_t first) {
    for (size_t i = 0; i < elements.size(); ++i) {
      elements[i].units = counts[first + i];
      elements[i].isCovered = apart[first + i];
    }
  };
  fill(graph.sides, 0);
  fill(graph.blocks, graph.sides.size());
  return llvm::Error::success();
}

static llvm::Expected<FlowGraph> readFlow(const SqliteStore &store,
                                          const UnitSelection &selection) {
  FlowGraph graph;
  graph.sides.resize(store.sides());
  graph.blocks.resize(store.elements() - store.sides());
  auto exclude = [&](ElementKind kind, std::vector<FlowGraph::Element> &elements) -> llvm::Error {
    llvm::Expected<std::vector<bool>> unreachable = store.unreachable(kind);
    if (!unreachable) return unreachable.takeError();
    for (size_t i = 0; i < elements.size(); ++i) elements[i].isUnreachable = (*unreachable)[i];
    return llvm::Error::success();
  };
  if (auto e = exclude(ElementKind::BranchSide, graph.sides)) return std::move(e);
  if (auto e = exclude(ElementKind::Block, graph.blocks)) return std::move(e);
  if (auto e = store.forEachEdge([&](uint32_t from, uint32_t to, std::optional<uint32_t> side) {
        graph.edges.push_back(
            {from - store.sides(), to - store.sides(), side.value_or(FlowGraph::kNoSide)});
      }))
    return std::move(e);
  if (auto e = countUnits(store, selection, graph)) return std::move(e);
  return graph;
}

llvm::Expected<CampaignTargets> nearestTargets(const std::string &path,
                                               const UnitSelection &selection, size_t most,
                                               uint64_t ahead) {
  llvm::Expected<SqliteStore> store = SqliteStore::open(path, /*readOnly=*/true);
  if (!store) return store.takeError();
  llvm::Expected<FlowGraph> graph = readFlow(*store, selection);
  if (!graph) return graph.takeError();
  llvm::Expected<std::vector<std::string>> names = store->names(ElementKind::BranchSide);
  if (!names) return names.takeError();
  double singletons = 0;
  for (const FlowGraph::Element &side : graph->sides) singletons += side.units == 1;
  // Nothing found once is no proof that nothing will be: Laplace's rule.
  const auto units = static_cast<double>(graph->units);
  const double rate = std::max(singletons / units, 1 / (units + 2));
  estimate::ReachProbabilities chances =
      estimate::reachProbabilities(*graph, estimate::fittedSmoothing(*graph, rate));
  std::vector<uint32_t> order(chances.sides.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(-chances.sides[a], a) < std::pair(-chances.sides[b], b);
  });
  CampaignTargets targets;
  targets.expected = chances.expectedSides(ahead ? static_cast<double>(ahead) : units);
  for (uint32_t side : order) {
    if (targets.nearest.size() == most || chances.sides[side] <= 0) break;
    targets.nearest.push_back({(*names)[side], chances.sides[side]});
  }
  return targets;
}

} // namespace fathom::campaign
