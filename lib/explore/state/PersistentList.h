// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list that forked states share: copying and appending are O(1), and no copy sees what is
// appended to another.
#ifndef FATHOM_EXPLORE_STATE_PERSISTENTLIST_H
#define FATHOM_EXPLORE_STATE_PERSISTENTLIST_H

#include <cstdint>
#include <memory>
#include <vector>

namespace fathom::explore {

/// A persistent list, newest first.
template <typename T> struct ListNode {
  T value;
  std::shared_ptr<const ListNode> previous;
  uint32_t length;
  ListNode(T v, std::shared_ptr<const ListNode> p)
      : value(std::move(v)), previous(std::move(p)), length(previous ? previous->length + 1 : 1) {}
  ~ListNode() { // iterative: lists are long
    auto p = std::move(previous);
    while (p && p.use_count() == 1) {
      auto next = std::move(const_cast<ListNode *>(p.get())->previous);
      p = std::move(next);
    }
  }
};
template <typename T> struct PersistentList {
  std::shared_ptr<const ListNode<T>> last;
  void push(T v) { last = std::make_shared<const ListNode<T>>(std::move(v), std::move(last)); }
  uint32_t size() const { return last ? last->length : 0; }
  /// Oldest first.
  std::vector<const T *> items() const {
    std::vector<const T *> out(size());
    size_t i = out.size();
    for (auto *n = last.get(); n; n = n->previous.get()) out[--i] = &n->value;
    return out;
  }
};

} // namespace fathom::explore
#endif
