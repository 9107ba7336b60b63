// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/WeakOrder.h"

#include <algorithm>
#include <limits>

namespace fathom::statics::abstract {

namespace {

/// Tarjan's strongly connected components without recursion over the edges, applied again to each
/// component without its head. The head is the vertex that the search enters first.
class Builder {
public:
  explicit Builder(const std::vector<std::vector<uint32_t>> &successors)
      : successors_(successors), region_(successors.size(), 0) {}

  /// The order of what `root` reaches in the region, without edges to `without`.
  std::vector<OrderElement> build(const std::vector<uint32_t> &roots, uint32_t region) {
    std::vector<OrderElement> out; // in reverse
    std::vector<uint32_t> number(0);
    Search search{*this, region, {}, {}, {}, 0, out};
    search.low.assign(successors_.size(), 0);
    search.index.assign(successors_.size(), 0);
    for (const uint32_t root : roots)
      if (region_[root] == region && !search.index[root]) search.run(root);
    std::reverse(out.begin(), out.end());
    return out;
  }

private:
  struct Search {
    Builder &builder;
    uint32_t region;
    std::vector<uint32_t> index, low, stack;
    uint32_t next;
    std::vector<OrderElement> &out;

    struct Frame {
      uint32_t vertex;
      size_t edge;
    };

    void run(uint32_t root) {
      std::vector<Frame> frames;
      auto enter = [&](uint32_t v) {
        index[v] = low[v] = ++next;
        stack.push_back(v);
        frames.push_back({v, 0});
      };
      enter(root);
      while (!frames.empty()) {
        Frame &frame = frames.back();
        const std::vector<uint32_t> &edges = builder.successors_[frame.vertex];
        if (frame.edge < edges.size()) {
          const uint32_t to = edges[frame.edge++];
          if (builder.region_[to] != region) continue;
          if (!index[to])
            enter(to);
          else if (index[to] != kDone)
            low[frame.vertex] = std::min(low[frame.vertex], index[to]);
          continue;
        }
        const uint32_t v = frame.vertex;
        frames.pop_back();
        if (!frames.empty())
          low[frames.back().vertex] = std::min(low[frames.back().vertex], low[v]);
        if (low[v] == index[v]) finish(v);
      }
    }

    void finish(uint32_t head) {
      std::vector<uint32_t> members;
      uint32_t v = 0;
      do {
        v = stack.back();
        stack.pop_back();
        index[v] = kDone;
        members.push_back(v);
      } while (v != head);
      const std::vector<uint32_t> &edges = builder.successors_[head];
      const bool hasLoop = members.size() > 1 || std::count(edges.begin(), edges.end(), head) > 0;
      OrderElement element{head, hasLoop, {}};
      if (members.size() > 1) {
        const uint32_t inner = ++builder.regions_;
        for (const uint32_t member : members)
          if (member != head) builder.region_[member] = inner;
        std::vector<uint32_t> roots(edges.begin(), edges.end());
        element.body = builder.build(roots, inner);
      }
      out.push_back(std::move(element));
    }
    static constexpr uint32_t kDone = std::numeric_limits<uint32_t>::max();
  };

  const std::vector<std::vector<uint32_t>> &successors_;
  std::vector<uint32_t> region_; ///< of each vertex: the innermost component being ordered
  uint32_t regions_ = 0;
};

} // namespace

std::vector<OrderElement> weakOrder(const std::vector<std::vector<uint32_t>> &successors) {
  if (successors.empty()) return {};
  return Builder(successors).build({0}, 0);
}

} // namespace fathom::statics::abstract
