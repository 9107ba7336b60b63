// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions between markers. A state that calls fathom_open_merge begins one, and its successors wait
// where they call fathom_close_merge. Within it markers are counted: an inner pair is a part of the
// outer one, whose end is where all are merged. Who opens and never closes leaves with the function
// that has both calls; where they are in different functions, a limit of the region ends it.
#include "explore/merge/MergePolicy.h"

#include <algorithm>
#include <string_view>

namespace fathom::explore {

namespace {

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

} // namespace

void MergePolicy::findMarkers(const program::Program &program) const {
  auto markOf = [&](const program::Inst &i) {
    if (i.op != program::Op::Call) return Mark::None;
    const std::string &name = program.functions[i.c].name;
    return isOneOf(name, {"fathom_open_merge", "klee_open_merge"})     ? Mark::Open
           : isOneOf(name, {"fathom_close_merge", "klee_close_merge"}) ? Mark::Close
                                                                       : Mark::None;
  };
  for (const program::FunctionCode &f : program.functions) {
    bool opens = false, closes = false;
    for (uint32_t at = 0; at < f.code.size(); at++) {
      const Mark mark = markOf(f.code[at]);
      if (mark == Mark::None) continue;
      Site &site = sites_[key(f.id, at)];
      site.mark = mark;
      (mark == Mark::Open ? opens : closes) = true;
      if (mark != Mark::Open) continue;
      site.opens = static_cast<uint32_t>(loops_.size());
      Loop &region = loops_.emplace_back();
      region.function = f.id;
      region.line = program.location(f, at).line;
      region.header = at;
      region.isMarked = true;
    }
    for (uint32_t at = 0; opens && closes && at < f.code.size(); at++)
      if (f.code[at].op == program::Op::Ret || f.code[at].op == program::Op::RetVoid)
        if (Site &site = sites_[key(f.id, at)]; site.mark == Mark::None) site.mark = Mark::Leave;
  }
}

Policy::Answer MergePolicy::atMarker(Engine &engine, State &s, const Site &site) {
  if (s.discarded || s.seeds || s.threads) return Answer::GoOn;
  s.openMerges = 1;
  return enter(engine, s, site.opens);
}

bool MergePolicy::leavesMarked(State &s, const Site &site) const {
  switch (site.mark) {
  case Mark::None: return false;
  case Mark::Open: s.openMerges++; return false;
  case Mark::Close: return s.openMerges == 0 || --s.openMerges == 0;
  case Mark::Leave:
    if (s.top->serial != serial_) return false;
    s.openMerges = 0;
    return true;
  }
  return false;
}

} // namespace fathom::explore
