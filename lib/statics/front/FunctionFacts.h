// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the front: the statements of one function while they are made.
#ifndef FATHOM_STATICS_FRONT_FUNCTIONFACTS_H
#define FATHOM_STATICS_FRONT_FUNCTIONFACTS_H

#include "statics/front/FactsBuilder.h"
#include "statics/front/NullPlaces.h"

#include "llvm/IR/InstrTypes.h"

namespace llvm {
class AllocaInst;
class BinaryOperator;
class ExtractValueInst;
class GetElementPtrInst;
class IntrinsicInst;
class PHINode;
class SwitchInst;
} // namespace llvm

namespace fathom::statics {

class FunctionFacts {
public:
  FunctionFacts(FactsBuilder &builder, const llvm::Function &function);
  void run();

  // For the statements of calls (CallFacts.cpp).
  ValueId valueOf(const llvm::Value &value);
  ValueId resultOf(const llvm::Instruction &inst);
  ValueId temporary();
  Statement &add(StatementKind kind, const llvm::Instruction &inst, ValueId result,
                 llvm::ArrayRef<ValueId> operands);
  void addArithmetic(const llvm::Instruction &inst, unsigned pointerOperands);

  FactsBuilder &builder;
  Facts &facts;
  const FunctionId id;

private:
  void numberValues();
  void addCopiedParameters();
  void addBlock(const llvm::BasicBlock &block);
  void addInstruction(const llvm::Instruction &inst);
  void addMemory(const llvm::Instruction &inst);
  void addAlloca(const llvm::AllocaInst &inst);
  void addGep(const llvm::GetElementPtrInst &inst);
  void addBinary(const llvm::BinaryOperator &inst);
  void addComputed(const llvm::Instruction &inst, ValueId result, unsigned opcode,
                   const llvm::Type &type, llvm::ArrayRef<ValueId> operands);
  bool addOverflowing(const llvm::ExtractValueInst &inst);
  void addSwitch(const llvm::SwitchInst &inst);
  void addPhi(const llvm::PHINode &phi);
  void addCopy(const llvm::Instruction &inst);
  uint32_t widthOf(const llvm::Type &type) const;

  const llvm::Function &function_;
  llvm::DenseMap<const llvm::Value *, ValueId> values_;
  llvm::DenseMap<const llvm::BasicBlock *, BlockId> blocks_;
  NullPlaces nullPlaces_;
  BlockId block_ = 0;
};

/// The statements of a call, an intrinsic or inline assembly.
void addCall(FunctionFacts &facts, const llvm::CallBase &call);

} // namespace fathom::statics
#endif
