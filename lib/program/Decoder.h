// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the decoder: one function, from its first block to its last. Start reading at
// FunctionDecoder::run in DecodeFunction.cpp. How values become slots: FunctionEmitter.h.
#ifndef FATHOM_PROGRAM_DECODER_H
#define FATHOM_PROGRAM_DECODER_H

#include "program/FunctionEmitter.h"
#include "program/SourceLines.h"

namespace fathom::program {

class FunctionDecoder {
public:
  FunctionDecoder(ModuleDecoder &module, const llvm::Function &function, FunctionCode &out);
  void run();

private:
  void analyse();
  void decodeBlock(const llvm::BasicBlock &block);
  void decodeInstruction(const llvm::Instruction &inst);
  void dispatch(const llvm::Instruction &inst);
  void noteLines(const llvm::Instruction &inst); ///< that begin with it
  void dropUse(const llvm::Value *value);
  void nameAllocasAndParams();

  // --- which values need no slot of their own (DecodeSharing.cpp)
  ValueMode modeOf(const llvm::Instruction &inst) const;
  bool isRename(const llvm::Instruction &inst) const;
  bool foldsIntoAccesses(const llvm::GetElementPtrInst &gep) const;
  bool foldsIntoGeps(const llvm::SExtInst &sext) const;
  void shareWithPhi(const llvm::PHINode &phi, uint32_t slot);
  bool isSingleOperation(const llvm::Instruction &inst) const;
  bool readOnTheWay(const llvm::Instruction &phi, const llvm::Instruction &value,
                    llvm::ArrayRef<const llvm::BasicBlock *> way) const;
  bool escapes(const llvm::Instruction &value, llvm::ArrayRef<const llvm::BasicBlock *> home) const;

  const llvm::Function &f_;
  FunctionEmitter e_;
  std::vector<const llvm::BasicBlock *> blocks_; ///< reachable ones, in the function's order
  llvm::DenseMap<const llvm::BasicBlock *, bool> onCycle_;
  LineStarts lineStarts_; ///< of the block being decoded
};

} // namespace fathom::program
#endif
