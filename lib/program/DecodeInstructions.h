// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the decoder: instructions and what they are made of, one family per file. Each emits
// through the FunctionEmitter of its function.
#ifndef FATHOM_PROGRAM_DECODEINSTRUCTIONS_H
#define FATHOM_PROGRAM_DECODEINSTRUCTIONS_H

#include "program/FunctionEmitter.h"

#include "llvm/IR/IntrinsicInst.h"

namespace fathom::program {

// --- integers (DecodeInteger.cpp)
void decodeBinary(FunctionEmitter &e, const llvm::BinaryOperator &inst);
void decodeICmp(FunctionEmitter &e, const llvm::ICmpInst &inst);
void decodeCast(FunctionEmitter &e, const llvm::CastInst &inst);
void decodeSelect(FunctionEmitter &e, const llvm::SelectInst &inst);
void binary(FunctionEmitter &e, unsigned opcode, unsigned bits, uint32_t dst, Operand a, Operand b,
            bool nsw = false);
void compare(FunctionEmitter &e, llvm::CmpInst::Predicate predicate, unsigned bits, uint32_t dst,
             Operand a, Operand b, bool pointer = false);
void select(FunctionEmitter &e, unsigned bits, uint32_t dst, const Operand &condition,
            const Operand &a, const Operand &b, bool pointer = false);
void truncate(FunctionEmitter &e, uint32_t dst, unsigned toBits, const Operand &a,
              unsigned fromBits);
void zeroExtend(FunctionEmitter &e, uint32_t dst, unsigned toBits, const Operand &a,
                unsigned fromBits);
void signExtend(FunctionEmitter &e, uint32_t dst, unsigned toBits, const Operand &a,
                unsigned fromBits);

// --- floating point (DecodeFloat.cpp)
void floatBinary(FunctionEmitter &e, unsigned opcode, FpType type, uint32_t dst, const Operand &a,
                 const Operand &b);
void decodeFCmp(FunctionEmitter &e, const llvm::Instruction &inst,
                llvm::CmpInst::Predicate predicate);
void decodeFNeg(FunctionEmitter &e, const llvm::UnaryOperator &inst);
void floatCast(FunctionEmitter &e, unsigned opcode, const llvm::Instruction &inst,
               const llvm::Value *source, bool saturate);
bool decodeFloatIntrinsic(FunctionEmitter &e, const llvm::IntrinsicInst &inst);

// --- memory (DecodeMemory.cpp)
/// base + offset
struct PointerParts {
  Operand base;
  int64_t offset = 0;
};
PointerParts addressOf(FunctionEmitter &e, const llvm::Value *pointer);
void decodeLoad(FunctionEmitter &e, const llvm::LoadInst &inst);
void decodeStore(FunctionEmitter &e, const llvm::StoreInst &inst);
void decodeGep(FunctionEmitter &e, const llvm::GetElementPtrInst &inst);
void decodeAlloca(FunctionEmitter &e, const llvm::AllocaInst &inst);
void decodeCmpXchg(FunctionEmitter &e, const llvm::AtomicCmpXchgInst &inst);
void decodeAtomicRmw(FunctionEmitter &e, const llvm::AtomicRMWInst &inst);
/// va_arg as an instruction: clang lowers va_arg itself on x86-64, other front ends need not. All
/// variable arguments lie in the overflow area (VaStart), whose address is at offset 8 of the
/// va_list.
void decodeVaArg(FunctionEmitter &e, const llvm::VAArgInst &inst);
bool decodeMemoryIntrinsic(FunctionEmitter &e, const llvm::IntrinsicInst &inst);

// --- control flow (DecodeControl.cpp)
void decodeBranch(FunctionEmitter &e, const llvm::BranchInst &inst);
void decodeSwitch(FunctionEmitter &e, const llvm::SwitchInst &inst);
void decodeIndirectBr(FunctionEmitter &e, const llvm::IndirectBrInst &inst);
void decodeReturn(FunctionEmitter &e, const llvm::ReturnInst &inst);
void jumpTo(FunctionEmitter &e, const llvm::BasicBlock *to);
/// The stubs of edges from the current block.
void emitStubs(FunctionEmitter &e);

// --- vectors and aggregates (DecodeVector.cpp)
void decodeExtractElement(FunctionEmitter &e, const llvm::ExtractElementInst &inst);
void decodeInsertElement(FunctionEmitter &e, const llvm::InsertElementInst &inst);
void decodeShuffle(FunctionEmitter &e, const llvm::ShuffleVectorInst &inst);
void decodeInsertValue(FunctionEmitter &e, const llvm::InsertValueInst &inst);
/// llvm.vector.reduce.*: lane after lane, in order (what the ordered floating-point reductions
/// demand).
bool decodeReduction(FunctionEmitter &e, const llvm::IntrinsicInst &inst);
/// Reinterprets scalars as others of the same total number of bits (bitcast between different
/// lane widths).
void repack(FunctionEmitter &e, llvm::ArrayRef<Operand> from, llvm::ArrayRef<Scalar> fromLayout,
            uint32_t dst, llvm::ArrayRef<Scalar> toLayout);
/// The number of the scalar at which this part of the aggregate begins.
unsigned firstScalar(Layouts &layouts, llvm::Type *aggregate, llvm::ArrayRef<unsigned> indices);

// --- calls (DecodeCall.cpp)
void decodeCall(FunctionEmitter &e, const llvm::CallBase &inst);
void callFunction(FunctionEmitter &e, const llvm::CallBase &inst, const llvm::Function &callee);

// --- intrinsics (DecodeIntrinsic.cpp)
void decodeIntrinsic(FunctionEmitter &e, const llvm::IntrinsicInst &inst);
void minMax(FunctionEmitter &e, llvm::CmpInst::Predicate predicate, unsigned bits, uint32_t dst,
            const Operand &a, const Operand &b);

// --- traps (DecodeTrap.cpp)
/// A condition of a sanitizer's check, and what was wrong where it is false.
struct TrapCondition {
  const llvm::Value *holds;
  TrapCause otherwise;
};
void decodeTrap(FunctionEmitter &e, const llvm::IntrinsicInst &inst);
/// Appends the conditions of a trap with a check number, which are read in its block, in order.
/// Returns the cause if none of them is false.
TrapCause trapConditions(const llvm::IntrinsicInst &trap,
                         llvm::SmallVectorImpl<TrapCondition> &conditions);

} // namespace fathom::program
#endif
