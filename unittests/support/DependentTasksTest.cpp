// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/DependentTasks.h"
#include "support/Rng.h"

#include <atomic>
#include <gtest/gtest.h>

using namespace fathom;

namespace {

/// Random dependencies among 300 tasks, at most five of each.
std::vector<std::vector<uint32_t>> someGraph(uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<uint32_t>> out(300);
  for (uint32_t task = 1; task < out.size(); task++)
    for (uint64_t n = rng.below(6); n > 0; n--)
      out[task].push_back(static_cast<uint32_t>(rng.below(task)));
  return out;
}

} // namespace

TEST(DependentTasks, EachRunsOnceAfterThoseItDependsOn) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    const auto graph = someGraph(threads);
    // Plain variables: what a task wrote has to be visible to its dependents.
    std::vector<uint64_t> sums(graph.size());
    std::atomic<uint32_t> runs = 0;
    runTasks(graph, threads, [&](uint32_t task) {
      runs++;
      sums[task] += task + 1;
      for (const uint32_t before : graph[task]) sums[task] += sums[before];
    });
    EXPECT_EQ(runs, graph.size());
    for (uint32_t task = 0; task < graph.size(); task++) {
      uint64_t expected = task + 1;
      for (const uint32_t before : graph[task]) expected += sums[before];
      EXPECT_EQ(sums[task], expected) << task;
    }
  }
}

TEST(DependentTasks, OneThreadKeepsTheOrder) {
  std::vector<uint32_t> order;
  runTasks({{}, {}, {0}, {1, 2}}, 1, [&](uint32_t task) { order.push_back(task); });
  EXPECT_EQ(order, (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST(DependentTasks, NoTaskIsNoTrouble) {
  runTasks({}, 4, [](uint32_t) { FAIL(); });
}
