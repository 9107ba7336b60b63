// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in the slots of a function's frame at an instruction: is it read later (liveness), and
// how wide is it?
#ifndef FATHOM_PROGRAM_SLOTFLOW_H
#define FATHOM_PROGRAM_SLOTFLOW_H

#include "program/CodeFlow.h"
#include "program/Operands.h"

#include "llvm/ADT/BitVector.h"

namespace fathom::program {

/// Which slots are read before they are written again. Cost: blocks * slots / 64 for each round of
/// the data flow.
class SlotLiveness {
public:
  /// Computes the liveness of the slots below `slots`; constants and what is local to blocks need
  /// not be looked at.
  SlotLiveness(const Program &program, const FunctionCode &f, uint32_t slots);

  struct Block {
    uint32_t first, last;              ///< instructions
    std::vector<uint32_t> next;        ///< blocks
    llvm::BitVector in, reads, writes; ///< live at the start; read before it is written; written
  };
  const std::vector<Block> &blocks() const { return blocks_; }
  llvm::BitVector liveAtEnd(const Block &b) const;
  /// Before the instruction runs. O(block).
  llvm::BitVector liveAt(uint32_t inst) const;
  /// Calls visit(slot) for each slot below `slots` that the instruction writes, or reads.
  template <class Visit> void forEachSlotOf(const Inst &i, bool definitions, Visit visit) const {
    forEachAccess(program_, f_, i, [&](uint32_t slot, uint32_t n, bool definition) {
      for (uint32_t k = slot; definition == definitions && k < slot + n && k < slots_; k++)
        visit(k);
    });
  }

private:
  const Program &program_;
  const FunctionCode &f_;
  const uint32_t slots_;
  std::vector<Block> blocks_;
};

/// Width in bits of the scalar that the instruction writes to dst; 0: several, or not known here (a
/// constant, what a call gives).
unsigned resultBits(const Inst &i);

/// How wide the value in a slot is. Values of different types share slots, at different times.
class SlotWidths {
public:
  static constexpr unsigned kUnknown = 0, kSeveral = ~0u;
  SlotWidths(const Program &program, const FunctionCode &f);
  /// Before the instruction runs, on each way there: the one width that it has there, or kSeveral.
  /// kUnknown: a constant, on all ways. O(block).
  std::vector<unsigned> widthsAt(uint32_t inst) const;

private:
  using Widths = std::vector<unsigned>;
  void run(Widths &widths, const Inst &i) const;
  static unsigned join(unsigned a, unsigned b);

  const Program &program_;
  const FunctionCode &f_;
  std::vector<CodeBlock> blocks_;
  std::vector<Widths> in_; ///< by block; empty: nothing leads there
};

} // namespace fathom::program
#endif
