// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/BugIndex.h"

#include "evidence/BugKind.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::report {

using evidence::StackFrame;

static std::string frameKey(const StackFrame &f) {
  return fmt::format("\n{}\n{}\n{}\n{}", f.function, f.file, f.line, f.column);
}

std::string placeKey(const Finding &finding) {
  const StackFrame *at = innermostOwn(finding.stack);
  return evidence::name(finding.kind) + (at ? frameKey(*at) : "");
}

std::vector<const StackFrame *> distinctCalls(const Finding &finding) {
  std::vector<const StackFrame *> calls;
  auto isOwn = [](const StackFrame &f) { return f.own; };
  const bool all = std::none_of(finding.stack.begin(), finding.stack.end(), isOwn);
  std::set<std::string> seen;
  const StackFrame *callee = nullptr;
  for (const StackFrame &f : finding.stack) {
    if (!all && !f.own) continue;
    const StackFrame *inner = std::exchange(callee, &f);
    const bool isItself = inner && inner->function == f.function && inner->file == f.file;
    if (!isItself && seen.insert(frameKey(f)).second) calls.push_back(&f);
  }
  // Where the stack is full depends on the sizes of its frames: all turns of a recursion are one.
  if (finding.kind == evidence::BugKind::StackOverflow)
    std::sort(calls.begin(), calls.end(),
              [](const StackFrame *a, const StackFrame *b) { return frameKey(*a) < frameKey(*b); });
  // Findings are also read from results folders, where only the text of a frame says what it is.
  bool isAllocation = false; // which allocations fail, and where it was freed, tell no bugs apart
  for (const StackFrame &f : finding.related) {
    if (f.function.starts_with(explore::kFreedIn)) break;
    if (!f.function.starts_with("called from"))
      isAllocation = f.function.starts_with(explore::kAllocatedIn);
    if (isAllocation) calls.push_back(&f);
  }
  return calls;
}

std::string BugIndex::findOrAdd(const Finding &finding, const std::string &dir, bool beyondBound) {
  Place &place = places_[placeKey(finding)];
  std::string stack;
  for (const StackFrame *f : distinctCalls(finding)) stack += frameKey(*f);
  if (auto it = place.dirs.find(stack); it != place.dirs.end()) return it->second;
  if (place.dirs.size() >= kMaxStacks) {
    if (!beyondBound) notToldApart_[finding.kind]++;
    return place.first;
  }
  if (place.dirs.empty()) place.first = dir;
  place.dirs.emplace(std::move(stack), dir);
  return "";
}

std::vector<std::vector<const StackFrame *>> tellApart(const std::vector<Finding> &findings) {
  std::map<std::string, std::vector<size_t>> places;
  for (size_t i = 0; i < findings.size(); ++i) places[placeKey(findings[i])].push_back(i);
  std::vector<std::vector<const StackFrame *>> apart(findings.size());
  for (auto &[place, group] : places) {
    std::vector<std::vector<const StackFrame *>> calls;
    size_t deepest = 0;
    for (size_t i : group) {
      calls.push_back(distinctCalls(findings[i]));
      deepest = std::max(deepest, calls.back().size());
    }
    for (size_t depth = 1; depth < deepest; ++depth) {
      std::set<std::string> different;
      for (auto &stack : calls)
        different.insert(depth < stack.size() ? frameKey(*stack[depth]) : "");
      for (size_t m = 0; different.size() > 1 && m < group.size(); ++m)
        if (depth < calls[m].size()) apart[group[m]].push_back(calls[m][depth]);
    }
  }
  return apart;
}

} // namespace fathom::report
