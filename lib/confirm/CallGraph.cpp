// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/CallGraph.h"

#include "support/SourcePlace.h"

#include <algorithm>

namespace fathom::confirm {

using namespace program;

CallGraph::CallGraph(const Program &program)
    : program_(program), callees_(program.functions.size()), callers_(program.functions.size()) {
  std::vector<uint32_t> taken;
  for (const FunctionCode &f : program.functions)
    if (f.own && f.addressTaken) taken.push_back(f.id);
  for (const FunctionCode &f : program.functions) {
    std::vector<uint32_t> &out = callees_[f.id];
    for (const Inst &inst : f.code) {
      if (inst.op == Op::Call) out.push_back(inst.c);
      if (inst.op == Op::CallIndirect) out.insert(out.end(), taken.begin(), taken.end());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    for (uint32_t callee : out) callers_[callee].push_back(f.id);
  }
}

std::vector<uint32_t> CallGraph::functionsAt(const Place &place) const {
  std::vector<uint32_t> out;
  for (const FunctionCode &f : program_.functions) {
    if (!f.own) continue;
    auto is = [&](uint32_t location) {
      const Location &at = program_.locations[location];
      return at.line == place.line && namesFile(place.file, program_.files[at.file]);
    };
    if (std::any_of(f.locs.begin(), f.locs.end(), is) ||
        std::any_of(f.lineStarts.begin(), f.lineStarts.end(),
                    [&](auto &start) { return is(start.second); }))
      out.push_back(f.id);
  }
  return out;
}

std::vector<bool> CallGraph::reachableFrom(uint32_t function) const {
  std::vector<bool> reached(callees_.size());
  std::vector<uint32_t> worklist{function};
  reached[function] = true;
  while (!worklist.empty()) {
    const uint32_t at = worklist.back();
    worklist.pop_back();
    for (uint32_t callee : callees_[at])
      if (!reached[callee]) {
        reached[callee] = true;
        worklist.push_back(callee);
      }
  }
  return reached;
}

bool CallGraph::readsInput(uint32_t function) const {
  // All of libc's input goes through one of these.
  static constexpr const char *kReaders[] = {"__toread", "__uflow", "read", "readv",
                                             "pread",    "preadv",  "mmap"};
  const std::vector<bool> reached = reachableFrom(function);
  return std::ranges::any_of(kReaders, [&](const char *name) {
    const FunctionCode *reader = program_.find(name);
    return reader && reached[reader->id];
  });
}

std::vector<uint32_t> CallGraph::commonCallers(const std::vector<uint32_t> &wanted) const {
  // Callers of the first one, nearest first: whoever reaches all reaches it.
  std::vector<uint32_t> order;
  std::vector<bool> seen(callees_.size());
  if (!wanted.empty()) {
    order.push_back(wanted[0]);
    seen[wanted[0]] = true;
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t caller : callers_[order[i]])
      if (!seen[caller]) {
        seen[caller] = true;
        order.push_back(caller);
      }
  std::vector<std::pair<size_t, size_t>> found; // how many it reaches, its place in the order
  for (size_t i = 0; i < order.size(); ++i) {
    const uint32_t candidate = order[i];
    if (!program_.functions[candidate].own) continue;
    const std::vector<bool> reached = reachableFrom(candidate);
    if (std::all_of(wanted.begin(), wanted.end(), [&](uint32_t f) { return reached[f]; }))
      found.emplace_back(std::count(reached.begin(), reached.end(), true), i);
  }
  std::sort(found.begin(), found.end());
  std::vector<uint32_t> out;
  for (auto &[count, i] : found) out.push_back(order[i]);
  return out;
}

} // namespace fathom::confirm
