// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/NamedLoops.h"

#include "program/CodeFlow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace fathom::explore {

namespace {

bool isOf(const std::string &name, const std::string &function) {
  return name == function ||
         (name.starts_with(function) && name.size() > function.size() + 1 &&
          name[function.size()] == ':' &&
          name.find_first_not_of("0123456789", function.size() + 1) == std::string::npos);
}

} // namespace

bool isNamed(const std::vector<std::string> &names, const program::FunctionCode &f, uint32_t line) {
  return std::ranges::any_of(names, [&](const std::string &name) {
    return name == f.name || name == fmt::format("{}:{}", f.name, line);
  });
}

std::string nameOfNoLoop(const std::vector<std::string> &names, const program::Program &program) {
  for (const std::string &name : names) {
    bool hasFunction = false, isLoop = false;
    std::set<uint32_t> lines;
    for (const program::FunctionCode &f : program.functions) {
      if (f.code.empty() || !isOf(name, f.name)) continue;
      hasFunction = true;
      if (!program::branchesBack(f)) continue;
      const program::CodeFlow flow(f);
      for (const program::CodeLoop &loop : flow.loops()) {
        const uint32_t line = program.location(f, flow.blocks()[loop.header].first).line;
        lines.insert(line);
        isLoop |= isNamed({name}, f, line);
      }
    }
    if (!hasFunction) return fmt::format("{}: the program has no such function", name);
    if (lines.empty()) return fmt::format("{}: the function has no loop", name);
    if (!isLoop)
      return fmt::format("{}: no loop begins there; the function has loops at line{} {}", name,
                         lines.size() > 1 ? "s" : "", fmt::join(lines, ", "));
  }
  return {};
}

} // namespace fathom::explore
