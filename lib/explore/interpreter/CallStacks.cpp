// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreter/CallStacks.h"

#include <algorithm>

namespace fathom::explore {

uint32_t CallStacks::internDistinct(const NestedCall &call) {
  if (call.from == kUnknown) return kUnknown;
  std::vector<CallSite> stack{call.site};
  for (const CallSite &site : stacks_[call.from])
    if (site != call.site && stack.size() < kKept) stack.push_back(site);
  uint64_t hash = stack.size();
  for (const CallSite &site : stack)
    hash = (hash ^ reinterpret_cast<uintptr_t>(site.at)) * 0x100000001b3ull;
  auto [from, to] = numbers_.equal_range(hash);
  for (; from != to; ++from)
    if (stacks_[from->second] == stack) return from->second;
  if (stacks_.size() >= kMaxStacks) return kUnknown;
  stacks_.push_back(std::move(stack));
  const auto number = static_cast<uint32_t>(stacks_.size() - 1);
  numbers_.emplace(hash, number);
  return number;
}

std::vector<CallSite> CallStacks::distinctSites(const Frame *top, const program::Inst *at) {
  std::vector<CallSite> stack;
  for (const Frame *f = top; f && stack.size() < kKept; f = f->parent) {
    const CallSite site{at, f->function};
    if (std::find(stack.begin(), stack.end(), site) == stack.end()) stack.push_back(site);
    if (f->parent) at = f->parent->resume - 1;
  }
  return stack;
}

uint32_t CallStacks::extend(uint32_t from, const CallSite &site) {
  const NestedCall call{from, site};
  auto &[recent, number] = recent_[Hash()(call) % kRecent];
  if (call == recent) return number;
  if (calls_.size() > 4 * kMaxStacks) calls_.clear(); // all of it can be found again
  auto [known, isNew] = calls_.try_emplace(call, kUnknown);
  if (isNew) known->second = internDistinct(call);
  recent = call;
  return number = known->second;
}

uint32_t CallStacks::intern(const Frame *top, const program::Inst *at) {
  if (!top) return kEmpty;
  unasked_.clear();
  const Frame *f = top;
  for (; f->callers == Frame::kNotAsked && f->parent; f = f->parent) unasked_.push_back(f);
  if (!f->parent) f->callers = kEmpty;
  for (size_t i = unasked_.size(); i-- > 0;) {
    const Frame *parent = unasked_[i]->parent;
    unasked_[i]->callers =
        extend(parent->callers, {unasked_[i]->parent->resume - 1, parent->function});
  }
  return extend(top->callers, {at, top->function});
}

} // namespace fathom::explore
