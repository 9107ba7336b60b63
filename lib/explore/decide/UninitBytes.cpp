// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/UninitBytes.h"

#include <algorithm>

namespace fathom::explore {

void UninitBytes::collect(ExprPtr e) {
  std::vector<ExprPtr> work{e};
  while (!work.empty()) {
    ExprPtr x = work.back();
    work.pop_back();
    if (!x->has(expr::kHasUninit) || !seen.insert(x).second) continue;
    if (x->kind() == expr::Kind::Read && x->op(0)->kind() == expr::Kind::SymbolArray)
      reads.push_back(x);
    else
      for (unsigned i = 0; i < x->numOps(); i++) work.push_back(x->op(i));
  }
}

void UninitBytes::forgetSettled(const State &s, const expr::ExprContext &ctx) {
  std::erase_if(reads, [&](ExprPtr read) {
    const std::optional<uint32_t> number = ctx.uninitNumber(read);
    if (!number || s.unwritten.isSettled(*number)) return true;
    numbers.push_back(*number);
    return false;
  });
}

std::vector<Unwritten::Source> settledSources(const State &s, const expr::ExprContext &ctx,
                                              const UninitBytes &bytes) {
  constexpr size_t kMaxSources = 64;
  std::vector<Unwritten::Source> sources;
  if (!s.unwritten.anySettled()) return sources;
  for (ExprPtr read : bytes.reads) {
    const std::optional<uint32_t> number = ctx.uninitNumber(read);
    if (!number || !s.unwritten.isSettled(*number) || sources.size() >= kMaxSources) continue;
    const Unwritten::Source source = s.unwritten.sourceOf(*number);
    if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
  }
  return sources;
}

} // namespace fathom::explore
