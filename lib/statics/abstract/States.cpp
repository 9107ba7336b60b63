// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/States.h"

#include <algorithm>

namespace fathom::statics::abstract {

void States::add(State state, size_t most) {
  if (state.isBottom()) return;
  if (list_.empty()) {
    list_.push_back(std::move(state));
    return;
  }
  if (most > 1) {
    for (const State &known : list_)
      if (state.isSubsetOf(known)) return;
    std::erase_if(list_, [&](const State &known) { return known.isSubsetOf(state); });
    if (list_.size() < most) {
      list_.push_back(std::move(state));
      return;
    }
  }
  list_.back().join(state);
  for (; list_.size() > std::max<size_t>(most, 1); list_.pop_back())
    list_[list_.size() - 2].join(list_.back());
}

void States::append(const States &other, size_t most) {
  for (const State &state : other.list_) {
    if (list_.size() < most)
      list_.push_back(state);
    else
      list_.back().join(state);
  }
}

bool States::contains(const State &state) const {
  constexpr size_t kLast = 24;
  const size_t first = list_.size() > kLast ? list_.size() - kLast : 0;
  return std::any_of(list_.begin() + static_cast<std::ptrdiff_t>(first), list_.end(),
                     [&](const State &known) { return state.isSubsetOf(known); });
}

State States::joined(const State &bottom) const {
  State out = bottom;
  for (const State &state : list_) out.join(state);
  return out;
}

} // namespace fathom::statics::abstract
