// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/Epochs.h"

#include <algorithm>
#include <vector>

namespace fathom::expr {

using Listener = std::pair<const void *, std::function<void()>>;

static std::vector<Listener> &listeners() {
  static std::vector<Listener> all;
  return all;
}

void Epochs::restart() {
  for (auto &[owner, clear] : listeners()) clear();
  ++generation_;
  next_ = 1;
}

uint32_t Epochs::take() {
  if (next_ == 0) restart();
  return next_++;
}

void Epochs::reserve() {
  if (next_ == 0 || next_ > ~0u / 2) restart();
}

void Epochs::onRestart(const void *owner, std::function<void()> clear) {
  listeners().emplace_back(owner, std::move(clear));
}

void Epochs::forget(const void *owner) {
  std::erase_if(listeners(), [&](const Listener &l) { return l.first == owner; });
}

} // namespace fathom::expr
