// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/SourceLines.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;

namespace fathom::program {

/// File, line, file, line, ... (locations themselves may not stand in other metadata).
static constexpr StringLiteral kLinesKind = "fathom.lines";

const DILocation *LineStarts::at(const Instruction &instruction) {
  const DILocation *loc = instruction.getDebugLoc();
  if (!loc || loc->getLine() == 0 || isa<PHINode>(instruction) ||
      isa<DbgInfoIntrinsic>(instruction) || instruction.isEHPad())
    return nullptr;
  if (last_ && last_->getLine() == loc->getLine() && last_->getFile() == loc->getFile())
    return nullptr;
  return last_ = loc;
}

struct KeptLines::Entry {
  WeakVH instruction;     ///< null when it is gone
  const DILocation *line; ///< that begins with it, or null
};

KeptLines::KeptLines(Function &function) {
  for (BasicBlock &block : function) {
    LineStarts starts;
    for (Instruction &instruction : block)
      entries_.push_back({WeakVH(&instruction), starts.at(instruction)});
  }
}

KeptLines::~KeptLines() = default;

void KeptLines::putBack() {
  SmallVector<Metadata *, 8> removed;
  for (const Entry &entry : entries_) {
    auto *instruction = cast_or_null<Instruction>(static_cast<Value *>(entry.instruction));
    if (!instruction) {
      if (!entry.line) continue;
      auto *number =
          ConstantInt::get(Type::getInt32Ty(entry.line->getContext()), entry.line->getLine());
      removed.push_back(entry.line->getFile());
      removed.push_back(ConstantAsMetadata::get(number));
    } else if (!removed.empty()) {
      instruction->setMetadata(kLinesKind, MDNode::get(instruction->getContext(), removed));
      removed.clear();
    }
  }
}

std::vector<std::pair<const DIFile *, uint32_t>> removedLines(const Instruction &instruction) {
  std::vector<std::pair<const DIFile *, uint32_t>> lines;
  const MDNode *node = instruction.getMetadata(kLinesKind);
  for (unsigned i = 0; node && i + 1 < node->getNumOperands(); i += 2)
    lines.emplace_back(cast<DIFile>(node->getOperand(i)),
                       static_cast<uint32_t>(
                           mdconst::extract<ConstantInt>(node->getOperand(i + 1))->getZExtValue()));
  return lines;
}

} // namespace fathom::program
