// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/SteeringSlots.h"

#include "program/Operands.h"

#include <algorithm>
#include <map>

namespace fathom::program {

namespace {

/// What it reads it reads for its result only.
bool isData(const Inst &i) {
  bool hasResult = false;
  forEachSlot(i, [&](uint32_t, uint32_t, bool definition) { hasResult |= definition; });
  return hasResult && !isCall(i.op) && !isLoad(i.op) && i.op != Op::AllocaDyn;
}

/// From what steers after the instruction to what does before it.
void step(const Program &program, const FunctionCode &f, const Inst &i, llvm::BitVector &steers) {
  auto each = [&](bool definitions, auto visit) {
    forEachAccess(program, f, i, [&](uint32_t slot, uint32_t n, bool definition) {
      for (uint32_t k = slot; definition == definitions && k < slot + n && k < steers.size(); k++)
        visit(k);
    });
  };
  bool isUsed = false;
  each(true, [&](uint32_t k) {
    isUsed |= steers.test(k);
    steers.reset(k);
  });
  if (isStore(i.op)) {
    if (i.a < steers.size()) steers.set(i.a); // the address
    return;
  }
  if (isUsed || !isData(i)) each(false, [&](uint32_t k) { steers.set(k); });
}

} // namespace

llvm::BitVector steeringSlots(const Program &program, const FunctionCode &f, const CodeFlow &flow,
                              const CodeLoop &loop) {
  std::map<uint32_t, llvm::BitVector> in;
  for (uint32_t b : loop.blocks) in[b].resize(f.slots);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[b, before] : in) {
      const CodeBlock &block = flow.blocks()[b];
      llvm::BitVector steers(f.slots);
      for (uint32_t next : block.next)
        if (auto it = in.find(next); it != in.end()) steers |= it->second;
      for (uint32_t at = block.last + 1; at-- > block.first;) step(program, f, f.code[at], steers);
      if (steers == before) continue;
      before = std::move(steers);
      changed = true;
    }
  }
  return in.at(loop.header);
}

} // namespace fathom::program
