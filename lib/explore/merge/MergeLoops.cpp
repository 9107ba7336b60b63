// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergeLoops.h"

#include "explore/merge/NamedLoops.h"

#include <algorithm>
#include <string_view>

namespace fathom::explore {

using program::CodeFlow;

namespace {

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

} // namespace

// --- markers

void MergeLoops::findMarkers(const program::Program &program) {
  auto markOf = [&](const program::Inst &i) {
    if (i.op != program::Op::Call) return MergeMark::None;
    const std::string &name = program.functions[i.c].name;
    return isOneOf(name, {"fathom_open_merge", "klee_open_merge"})     ? MergeMark::Open
           : isOneOf(name, {"fathom_close_merge", "klee_close_merge"}) ? MergeMark::Close
                                                                       : MergeMark::None;
  };
  for (const program::FunctionCode &f : program.functions) {
    bool opens = false, closes = false;
    for (uint32_t at = 0; at < f.code.size(); at++) {
      const MergeMark mark = markOf(f.code[at]);
      if (mark == MergeMark::None) continue;
      MergeSite &site = sites_[key(f.id, at)];
      site.mark = mark;
      (mark == MergeMark::Open ? opens : closes) = true;
      if (mark != MergeMark::Open) continue;
      site.opens = static_cast<uint32_t>(loops_.size());
      MergeLoop &region = loops_.emplace_back();
      region.function = f.id;
      region.line = program.location(f, at).line;
      region.header = at;
      region.isMarked = true;
    }
    for (uint32_t at = 0; opens && closes && at < f.code.size(); at++)
      if (f.code[at].op == program::Op::Ret || f.code[at].op == program::Op::RetVoid)
        if (MergeSite &site = sites_[key(f.id, at)]; site.mark == MergeMark::None)
          site.mark = MergeMark::Leave;
  }
}

// --- loops

/// Does a call of the function end after a number of instructions that its code bounds? It has no
/// loops, and calls such functions only.
bool MergeLoops::isBounded(const program::Program &program, uint32_t function) {
  auto [it, isNew] = bounded_.try_emplace(function, false); // of one that calls itself: no
  if (!isNew) return it->second;
  const program::FunctionCode &f = program.functions[function];
  if (f.code.empty()) return false;
  auto hasLoops = [&] {
    if (!program::branchesBack(f)) return false;
    const CodeFlow flow(f);
    return !flow.loops().empty() || flow.isIrreducible();
  };
  const bool isBounded =
      !hasLoops() && callsAreBounded(program, f, 0, static_cast<uint32_t>(f.code.size() - 1));
  return bounded_[function] = isBounded;
}

bool MergeLoops::callsAreBounded(const program::Program &program, const program::FunctionCode &f,
                                 uint32_t first, uint32_t last) {
  for (uint32_t at = first; at <= last; at++) {
    const program::Inst &i = f.code[at];
    if (i.op == program::Op::CallIndirect) return false;
    if (i.op == program::Op::Call && !isBounded(program, i.c)) return false;
  }
  return true;
}

/// Then each round is merged where the program says so.
bool MergeLoops::hasMarker(const program::FunctionCode &f, uint32_t first, uint32_t last) const {
  bool isMarked = false;
  for (uint32_t at = first; at <= last && !isMarked; at++) {
    auto site = sites_.find(key(f.id, at));
    isMarked = site != sites_.end() && site->second.mark != MergeMark::None;
  }
  return isMarked;
}

bool MergeLoops::isWanted(const program::Program &program, const program::FunctionCode &f,
                          const CodeFlow &flow, const program::CodeLoop &loop, uint32_t line,
                          const MergeOptions &options) {
  if (!options.at.empty()) return isNamed(options.at, f, line);
  return (f.own || options.bySize) && std::ranges::all_of(loop.blocks, [&](uint32_t b) {
           const auto [first, last] = std::pair(flow.blocks()[b].first, flow.blocks()[b].last);
           return callsAreBounded(program, f, first, last) && !hasMarker(f, first, last);
         });
}

void MergeLoops::addLoop(const program::FunctionCode &f, const CodeFlow &flow,
                         const program::CodeLoop &loop, uint32_t line, uint32_t outer,
                         bool headerIsSite) {
  const auto number = static_cast<uint32_t>(loops_.size());
  const uint32_t header = flow.blocks()[loop.header].first;
  MergeLoop &added = loops_.emplace_back();
  added.function = f.id;
  added.line = line;
  added.header = header;
  added.outer = outer;
  if (headerIsSite) sites_[key(f.id, header)];
  for (auto [from, to] : loop.exits) added.exits.insert(flow.blocks()[to].first);
  for (uint32_t exit : added.exits) sites_[key(f.id, exit)];
  // Before the loop, where nothing else can come; once for all rounds.
  std::vector<uint32_t> entries;
  bool isOnly = loop.header != 0;
  for (uint32_t b = 0; b < flow.blocks().size(); b++) {
    const auto &next = flow.blocks()[b].next;
    if (std::ranges::find(next, loop.header) == next.end() ||
        std::ranges::binary_search(loop.blocks, b))
      continue;
    entries.push_back(flow.blocks()[b].last);
    isOnly &= next.size() == 1;
  }
  if (!isOnly) entries = {header};
  for (uint32_t entry : entries)
    if (MergeSite &site = sites_[key(f.id, entry)]; site.enters == MergeLoop::kNone)
      site.enters = number;
}

void MergeLoops::findLoops(const program::Program &program, const program::FunctionCode &f,
                           const MergeOptions &options) {
  constexpr uint32_t kNone = MergeLoop::kNone;
  const CodeFlow flow(f);
  std::vector<uint32_t> outermost; // before those within them
  for (uint32_t l = 0; l < flow.loops().size(); l++) outermost.push_back(l);
  std::ranges::sort(outermost, {}, [&](uint32_t l) {
    return std::pair(-static_cast<int64_t>(flow.loops()[l].blocks.size()), l);
  });
  std::vector<uint32_t> numbers(flow.loops().size(), kNone); // its own, or the next outer one's
  for (uint32_t l : outermost) {
    const program::CodeLoop &loop = flow.loops()[l];
    const uint32_t outer = loop.parent == program::kNoIndex ? kNone : numbers[loop.parent];
    const uint32_t line = program.location(f, flow.blocks()[loop.header].first).line;
    numbers[l] = outer;
    // Inner loops where they are named only: elsewhere they cost more than they save.
    if (options.at.empty() && loop.parent != program::kNoIndex) continue;
    if (!isWanted(program, f, flow, loop, line, options)) continue;
    numbers[l] = static_cast<uint32_t>(loops_.size());
    addLoop(f, flow, loop, line, outer, options.joinsRounds());
  }
}

MergeLoops::MergeLoops(const program::Program &program, const MergeOptions &options) {
  findMarkers(program);
  for (const program::FunctionCode &f : program.functions)
    if (program::branchesBack(f)) findLoops(program, f, options);
}

std::vector<PointSite> MergeLoops::sites() const {
  std::vector<PointSite> points;
  for (const auto &[at, site] : sites_)
    points.push_back({static_cast<uint32_t>(at >> 32), static_cast<uint32_t>(at)});
  std::ranges::sort(points, {}, [](const PointSite &p) { return std::pair(p.function, p.inst); });
  return points;
}

} // namespace fathom::explore
