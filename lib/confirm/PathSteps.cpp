// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/PathSteps.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

namespace {

/// Where the branch goes on this side: an instruction of its function; kNoIndex: that is not known.
uint32_t targetOf(const program::FunctionCode &f, uint64_t branch, uint64_t side) {
  for (const program::Inst &inst : f.code) {
    if (inst.op == program::Op::CondJmp && inst.imm == branch) return side ? inst.c : inst.d;
    if (inst.op != program::Op::Switch || f.switches[inst.imm].branchId != branch) continue;
    const program::SwitchTable &table = f.switches[inst.imm];
    const auto is = std::ranges::find(table.sides, side);
    return !side || is == table.sides.end()
               ? table.defaultTarget
               : table.targets[static_cast<size_t>(is - table.sides.begin())];
  }
  return program::kNoIndex;
}

/// What is said of a branch is where it continues: whether its condition was true depends on how
/// the compiler wrote it (`if (!p)` jumps when p is not null).
std::string wayText(const program::Program &program, const program::Branch &branch, uint64_t id,
                    uint64_t side) {
  const program::FunctionCode &f = program.functions[branch.function];
  const uint32_t line = program.locations[branch.location].line;
  uint32_t at = targetOf(f, id, side);
  for (unsigned i = 0; i < 16 && at < f.code.size(); ++i) {
    const program::Location &where = program.location(f, at);
    if (where.line && where.line != line) return fmt::format("continues at line {}", where.line);
    if (where.line) return fmt::format("continues on the same line, at column {}", where.column);
    at = f.code[at].op == program::Op::Jmp ? f.code[at].c : at + 1;
  }
  return "continues";
}

} // namespace

std::vector<TracedBranch> tracedBranches(const explore::BranchTrace &trace) {
  std::vector<TracedBranch> out;
  uint64_t hash = explore::kTraceSeed;
  for (auto &[n, next] : trace.checkpoints) {
    if (n != out.size() + 1) break; // from here on only some are recorded
    const uint64_t taken = explore::traceBranchBetween(hash, next);
    out.push_back({taken >> 20, taken & 0xfffff});
    hash = next;
  }
  return out;
}

std::vector<PathStep> pathSteps(const program::Program &program,
                                const explore::BranchTrace &trace) {
  std::vector<PathStep> out;
  std::vector<unsigned> rounds;
  for (const auto &[id, side] : tracedBranches(trace)) {
    if (id >= program.branches.size()) break;
    const program::Branch &branch = program.branches[id];
    const program::Location &at = program.locations[branch.location];
    PathStep step{program.functions[branch.function].name, program.files[at.file], at.line,
                  at.column, wayText(program, branch, id, side)};
    const bool repeats = !out.empty() && out.back().file == step.file &&
                         out.back().line == step.line && out.back().column == step.column &&
                         out.back().text == step.text;
    if (repeats) {
      ++rounds.back();
      continue;
    }
    out.push_back(std::move(step));
    rounds.push_back(1);
  }
  for (size_t i = 0; i < out.size(); ++i)
    if (rounds[i] > 1) out[i].text += fmt::format(", {} times", rounds[i]);
  return out;
}

} // namespace fathom::confirm
