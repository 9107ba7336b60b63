// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control flow of a function's register code: blocks, dominators, post-dominators, loops.
#ifndef FATHOM_PROGRAM_CODEFLOW_H
#define FATHOM_PROGRAM_CODEFLOW_H

#include "program/Code.h"

#include <utility>
#include <vector>

namespace fathom::program {

/// Calls visit(instruction) for each place that the instruction may jump to; a switch may name one
/// several times. Going on after it is no jump.
template <class Visit> void forEachTarget(const FunctionCode &f, const Inst &i, Visit &&visit) {
  switch (i.op) {
  case Op::Jmp: visit(i.c); return;
  case Op::CondJmp:
    visit(i.c);
    visit(i.d);
    return;
  case Op::Switch:
    visit(f.switches[i.imm].defaultTarget);
    for (uint32_t target : f.switches[i.imm].targets) visit(target);
    return;
  case Op::IndirectBr:
    for (auto &[address, target] : f.blockTargets[i.imm]) visit(target);
    return;
  default: return;
  }
}

struct CodeBlock {
  uint32_t first, last;       ///< instructions, both included
  std::vector<uint32_t> next; ///< blocks, each once
};

/// In the order of the code. A call does not end a block.
std::vector<CodeBlock> codeBlocks(const FunctionCode &f);

/// Does a branch lead to itself or to what is before it? Only then the function can have loops.
/// O(instructions), and much less work than a CodeFlow.
bool branchesBack(const FunctionCode &f);

/// By block, the next one that all ways to the function's end come through; kNoIndex: there is
/// none. Ways through blocks that are not among `kept` do not count (they may never come to an
/// end), and such a block has none itself.
std::vector<uint32_t> postDominators(const std::vector<CodeBlock> &blocks,
                                     const std::vector<bool> &kept);

/// A natural loop, as LLVM has it: of several with one header there is one.
struct CodeLoop {
  uint32_t header;
  std::vector<uint32_t> blocks;                     ///< ascending; those of inner loops too
  std::vector<std::pair<uint32_t, uint32_t>> exits; ///< edges that leave it: from, to
  uint32_t parent = kNoIndex;                       ///< the next outer loop
};

class CodeFlow {
public:
  explicit CodeFlow(const FunctionCode &f);

  const std::vector<CodeBlock> &blocks() const { return blocks_; }
  uint32_t blockOf(uint32_t inst) const;

  /// kNoIndex: of the first block, and of one that nothing leads to.
  uint32_t dominator(uint32_t block) const { return dominator_[block]; }
  /// A block dominates itself.
  bool dominates(uint32_t above, uint32_t block) const;

  /// By header. Cycles that can be entered at several blocks are none.
  const std::vector<CodeLoop> &loops() const { return loops_; }
  /// The innermost one; kNoIndex: none.
  uint32_t loopOf(uint32_t block) const { return loopOf_[block]; }
  bool isIrreducible() const { return irreducible_; }

private:
  void findLoops(const std::vector<std::vector<uint32_t>> &previous,
                 const std::vector<uint32_t> &order);

  std::vector<CodeBlock> blocks_;
  std::vector<uint32_t> dominator_, loopOf_;
  std::vector<CodeLoop> loops_;
  bool irreducible_ = false;
};

} // namespace fathom::program
#endif
