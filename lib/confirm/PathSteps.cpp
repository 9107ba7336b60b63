// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/PathSteps.h"

#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace fathom::confirm {

using explore::SymbolValue;

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
    if (where.line) return fmt::format("continues at column {}", where.column);
    at = f.code[at].op == program::Op::Jmp ? f.code[at].c : at + 1;
  }
  return "continues";
}

} // namespace

std::vector<PathStep> pathSteps(const program::Program &program,
                                const explore::BranchTrace &trace) {
  std::vector<PathStep> out;
  std::vector<unsigned> rounds;
  uint64_t count = 0, hash = explore::kTraceSeed;
  for (auto &[n, next] : trace.checkpoints) {
    if (n != count + 1) break; // from here on only some are recorded
    const uint64_t taken = explore::traceBranchBetween(hash, next);
    const uint64_t id = taken >> 20, side = taken & 0xfffff;
    count = n;
    hash = next;
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

static std::string valueText(const std::vector<uint8_t> &data) {
  if (data.empty()) return "(empty)";
  if (data.size() == 1 || data.size() == 2 || data.size() == 4 || data.size() == 8) {
    uint64_t bits = 0;
    memcpy(&bits, data.data(), data.size());
    const unsigned unused = 64 - 8 * static_cast<unsigned>(data.size());
    const int64_t value = static_cast<int64_t>(bits << unused) >> unused;
    // Addresses, mostly.
    if (value > UINT32_MAX || value < INT32_MIN) return fmt::format("{:#x}", bits);
    return fmt::format("{}", value);
  }
  const auto last = std::find_if(data.rbegin(), data.rend(), [](uint8_t b) { return b != 0; });
  if (last == data.rend()) return counted(data.size(), "zero byte");
  const size_t used = static_cast<size_t>(data.rend() - last), shown = std::min<size_t>(used, 16);
  std::string out;
  for (size_t i = 0; i < shown; ++i) out += fmt::format("{}{:02x}", i ? " " : "", data[i]);
  if (used > shown) return out + fmt::format(" ... ({})", counted(data.size(), "byte"));
  if (used == data.size()) return out;
  return out + fmt::format(" and {}", counted(data.size() - used, "zero byte"));
}

std::vector<std::pair<std::string, std::string>>
pathValues(const std::vector<SymbolValue> &symbols) {
  constexpr size_t kMost = 12;
  std::vector<const SymbolValue *> small, large;
  for (const SymbolValue &symbol : symbols) {
    const bool isZero = std::ranges::all_of(symbol.data, [](uint8_t b) { return b == 0; });
    if (symbol.data.size() <= 8)
      small.push_back(&symbol);
    else if (!isZero) // an object of zeros says nothing: its bytes were never looked at
      large.push_back(&symbol);
  }
  small.insert(small.end(), large.begin(), large.end());
  std::vector<std::pair<std::string, std::string>> out;
  for (size_t i = 0; i < std::min(small.size(), kMost); ++i)
    out.emplace_back(small[i]->name, valueText(small[i]->data));
  return out;
}

} // namespace fathom::confirm
