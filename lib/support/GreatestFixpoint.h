// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers to recursive questions that may depend on each other in cycles, where an answer holds
// unless something contradicts it: the greatest fixpoint, computed on demand and kept.
//
// A question that comes up while it is being answered is assumed to hold. An answer that does not
// hold in spite of such assumptions is final. One that holds is kept only when no assumption is
// open that it rests on: as in Tarjan's algorithm, the answers of a strongly connected component
// become final together, with that of its first question. If the first answer does not hold, those
// that rest on it are dropped, and computed again when they are next needed.
#ifndef FATHOM_SUPPORT_GREATESTFIXPOINT_H
#define FATHOM_SUPPORT_GREATESTFIXPOINT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fathom {

/// `Answer` has a function `bool holds() const`; by default it holds.
template <class Key, class Answer> class GreatestFixpoint {
public:
  /// \param compute  answers the question; it may ask others, by `answer`. REQUIRES that it is
  ///                 monotone: it does not hold less often if more of these hold.
  /// Cost: each answer that does not hold may have the others computed once more.
  template <class Compute> Answer answer(Key key, Compute &&compute) {
    const auto [at, isNew] = entries_.try_emplace(key);
    Entry &entry = at->second; // stays valid: it is dropped only by those that were begun before it
    if (!isNew) {
      if (entry.isOpen) lowest_ = std::min(lowest_, entry.index);
      return entry.answer;
    }
    entry.index = open_.size();
    open_.push_back(key);
    const size_t before = std::exchange(lowest_, entry.index);
    entry.answer = compute();
    const size_t index = entry.index, lowest = std::exchange(lowest_, before);
    if (!entry.answer.holds()) {
      for (size_t i = index + 1; i < open_.size(); ++i) entries_.erase(open_[i]);
      close(index);
    } else if (lowest == index) {
      close(index);
    } else {
      lowest_ = std::min(before, lowest); // stays open, until what it rests on is known
    }
    return entry.answer;
  }

private:
  struct Entry {
    Answer answer;
    size_t index = 0; ///< in open_
    bool isOpen = true;
  };

  /// What is open from `index` on is final, as far as it is still there.
  void close(size_t index) {
    for (size_t i = index; i < open_.size(); ++i)
      if (const auto at = entries_.find(open_[i]); at != entries_.end()) at->second.isOpen = false;
    open_.resize(index);
  }

  std::unordered_map<Key, Entry> entries_;
  std::vector<Key> open_;    ///< in the order in which they came up
  size_t lowest_ = SIZE_MAX; ///< the first open question on which the one at hand rests
};

} // namespace fathom
#endif
