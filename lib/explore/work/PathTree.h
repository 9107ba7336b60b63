// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists very many paths in time that is linear in the differences of their logs. States that forked
// share their logs up to the fork, and a log that a million states share is visited once.
#ifndef FATHOM_EXPLORE_WORK_PATHTREE_H
#define FATHOM_EXPLORE_WORK_PATHTREE_H

#include "explore/state/PathLog.h"

#include <string_view>
#include <unordered_map>

namespace fathom::explore {

class PathTree {
public:
  PathTree() : nodes_(1) {}
  /// `log` stays as it is while the tree exists.
  void add(const PathLog &log, PathPrefix notes); ///< all but the notes' log
  /// Calls visit(shared, path) for each path: its log is the first `shared` bytes of that of the
  /// path before, and then path.log. The same order whenever the same paths were added in the same
  /// order.
  template <typename Visit> void forEach(Visit visit) {
    sortChildren();
    std::string log;   // of the node at hand
    size_t shared = 0; // with the path before
    auto enter = [&](uint32_t node) {
      log += nodes_[node].bytes;
      for (uint32_t p = nodes_[node].firstPath; p; p = paths_[p - 1].next) {
        Path &path = paths_[p - 1];
        path.notes.log = log.substr(shared).append(path.rest);
        visit(shared, std::move(path.notes));
        shared = log.size();
      }
    };
    std::vector<std::pair<uint32_t, uint32_t>> open; // nodes, each with the child that is next
    for (enter(0), open.emplace_back(0, nodes_[0].firstChild); !open.empty();) {
      auto &[node, child] = open.back();
      if (!child) {
        log.resize(log.size() - nodes_[node].bytes.size());
        shared = std::min(shared, log.size());
        open.pop_back();
        continue;
      }
      const uint32_t next = child;
      child = nodes_[next].sibling;
      enter(next);
      open.emplace_back(next, nodes_[next].firstChild);
    }
  }

private:
  struct Node {
    std::string_view bytes;
    uint32_t firstChild = 0, sibling = 0; // 0: none (the root is no node's child)
    uint32_t firstPath = 0;               // that ends here: its number and 1
  };
  struct Path {
    std::string_view rest; // the part of its log after the node's
    PathPrefix notes;
    uint32_t next = 0;
  };
  void sortChildren();

  std::vector<Node> nodes_; // 0: the root
  std::vector<Path> paths_;
  std::unordered_map<const void *, uint32_t> numberOf_; // of a log's sealed part
};

} // namespace fathom::explore
#endif
