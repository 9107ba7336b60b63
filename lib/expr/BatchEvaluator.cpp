// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/BatchEvaluator.h"

#include "expr/BatchCompiler.h"

#include <algorithm>
#include <cstring>

namespace fathom::expr {

bool BatchEvaluator::compile(std::span<const Input> inputs, std::span<const ExprPtr> roots,
                             bool trackUnknown, size_t maxInstructions) {
  code_.clear();
  inputs_.clear();
  roots_.clear();
  cost_ = 0;
  BatchCompiler c(trackUnknown, maxInstructions);
  c.code.swap(code_); // for its memory
  for (const Input &in : inputs) c.addInput(in);
  size_t done = c.nodes.size();
  std::vector<size_t> ends;
  for (ExprPtr root : roots) {
    if (!c.schedule(root)) return false;
    ends.push_back(c.nodes.size());
  }
  for (size_t r = 0; r < roots.size(); ++r) {
    if (!c.emit(done, ends[r])) return false;
    done = ends[r];
    Root root{.value = c.slots[c.valueOf(roots[r])].place};
    if (auto unknown = c.unknownOf(roots[r]); unknown != BatchCompiler::kNone) {
      root.unknown = c.slots[unknown].place;
      root.mayBeUnknown = true;
    }
    root.codeEnd = static_cast<uint32_t>(c.code.size());
    roots_.push_back(root);
  }
  for (const auto &in : c.inputs) {
    const bool mayBeUnknown = in.unknown != BatchCompiler::kNone;
    inputs_.push_back({.value = c.slots[in.value].place,
                       .unknown = mayBeUnknown ? c.slots[in.unknown].place : Place{},
                       .mayBeUnknown = mayBeUnknown});
  }
  code_.swap(c.code);
  size_t i = 0;
  for (Root &root : roots_) {
    for (; i < root.codeEnd; ++i) root.cost += laneCost(code_[i]);
    cost_ += root.cost;
  }
  bufferSize_ = c.bufferSize;
  if (c.bufferSize > capacity_) {
    capacity_ = c.bufferSize;
    buffer_.reset(static_cast<std::byte *>(std::aligned_alloc(64, capacity_)));
    if (!buffer_) std::abort(); // no budget left at all: nothing sensible can follow
    std::memset(buffer_.get(), 0, capacity_);
  }
  for (const auto &[key, slot] : c.constants) {
    const auto [lanes, low, high] = key;
    const Uint128 value = Uint128(high) << 64 | low;
    const Place place = c.slots[slot].place;
    withLaneType(lanes, [&](auto type) {
      using T = decltype(type);
      std::fill_n(at<T>(place), kLanes, static_cast<T>(value));
    });
  }
  return true;
}

} // namespace fathom::expr
