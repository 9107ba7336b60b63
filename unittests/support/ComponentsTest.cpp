// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Components.h"

#include "support/Rng.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

using Graph = std::vector<std::vector<uint32_t>>;

std::vector<std::vector<bool>> reachable(const Graph &graph) {
  const size_t n = graph.size();
  std::vector<std::vector<bool>> out(n, std::vector<bool>(n));
  for (size_t a = 0; a < n; a++) {
    out[a][a] = true;
    for (const uint32_t b : graph[a]) out[a][b] = true;
  }
  for (size_t k = 0; k < n; k++)
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n; b++)
        if (out[a][k] && out[k][b]) out[a][b] = true;
  return out;
}

TEST(Components, AreThoseOfTheDefinition) {
  Rng rng(7);
  size_t cycles = 0;
  for (int round = 0; round < 500; round++) {
    Graph graph(1 + rng.below(12));
    for (auto &next : graph)
      for (uint64_t n = rng.below(3); n > 0; n--)
        next.push_back(static_cast<uint32_t>(rng.below(graph.size())));
    std::vector<uint32_t> componentOf(graph.size(), ~0u);
    uint32_t found = 0;
    forEachComponent(
        static_cast<uint32_t>(graph.size()),
        [&](uint32_t node, size_t i) {
          return i < graph[node].size() ? std::optional(graph[node][i]) : std::nullopt;
        },
        [&](std::span<const uint32_t> component) {
          cycles += component.size() > 1;
          for (const uint32_t node : component) componentOf[node] = found;
          found++;
        });
    const auto reaches = reachable(graph);
    for (uint32_t a = 0; a < graph.size(); a++)
      for (uint32_t b = 0; b < graph.size(); b++) {
        ASSERT_EQ(componentOf[a] == componentOf[b], reaches[a][b] && reaches[b][a]);
        if (reaches[a][b]) ASSERT_LE(componentOf[b], componentOf[a]); // successors come first
      }
  }
  EXPECT_GT(cycles, 100u);
}

} // namespace
} // namespace fathom
