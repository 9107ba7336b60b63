// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction after another of an inline assembly statement: what TranslateAssembly.cpp,
// AssemblyArithmetic.cpp and AssemblyBits.cpp share.
#ifndef FATHOM_PROGRAM_ASSEMBLYTRANSLATOR_H
#define FATHOM_PROGRAM_ASSEMBLYTRANSLATOR_H

#include "program/AssemblyMachine.h"

#include "llvm/IR/Instructions.h"

namespace fathom::program {

/// What instructions of one width build their results from.
class AssemblyValues {
protected:
  explicit AssemblyValues(llvm::IRBuilder<> &builder) : b(builder) {}

  llvm::Type *type() { return b.getIntNTy(bits); }
  llvm::Value *number(uint64_t v) { return llvm::ConstantInt::get(type(), v); }
  llvm::Value *zero() { return number(0); }
  llvm::Value *isZero(llvm::Value *v) {
    return b.CreateICmpEQ(v, llvm::Constant::getNullValue(v->getType()));
  }
  llvm::Value *isNegative(llvm::Value *v) {
    return b.CreateICmpSLT(v, llvm::Constant::getNullValue(v->getType()));
  }
  llvm::Value *bit(llvm::Value *v, llvm::Value *at) { return lowBit(b.CreateLShr(v, at)); }
  llvm::Value *lowBit(llvm::Value *v) { return b.CreateTrunc(v, b.getInt1Ty()); }
  llvm::Value *zext(llvm::Value *v) { return b.CreateZExtOrTrunc(v, type()); }
  llvm::Value *both(llvm::Value *high, llvm::Value *low) {
    llvm::Type *twice = b.getIntNTy(2 * bits);
    return b.CreateOr(b.CreateShl(b.CreateZExt(high, twice), bits), b.CreateZExt(low, twice));
  }
  llvm::Value *high(llvm::Value *v) { return b.CreateTrunc(b.CreateLShr(v, bits), type()); }
  llvm::Value *low(llvm::Value *v) { return b.CreateTrunc(v, type()); }

  llvm::IRBuilder<> &b;
  unsigned bits = 0; ///< of the instruction
};

class AssemblyTranslator : private AssemblyValues {
public:
  explicit AssemblyTranslator(AssemblyMachine &machine) : AssemblyValues(machine.b), m_(machine) {}

  /// False: some instruction is not known. What was built is to be taken back.
  bool run(llvm::ArrayRef<AsmInstruction> code);

private:
  bool prepare(const AsmInstruction &i);
  void translate();
  const AsmOperand &operand(size_t k) const { return i_->operands[k]; }
  const AsmOperand &last() const { return i_->operands.back(); }
  const AsmOperand &lockedOperand() const;
  bool has(size_t operands);
  void refuseLock() {
    if (i_->isLocked) m_.fail();
  }

  // --- read, modify, write
  /// The destination's old value. With a lock prefix it is changed now, else by finish().
  llvm::Value *readForUpdate(llvm::AtomicRMWInst::BinOp op, llvm::Value *with);
  void finish(llvm::Value *result) {
    if (!i_->isLocked) m_.write(last(), result);
  }

  // --- flags
  void setResultFlags(AsmFlags &f, llvm::Value *r);
  void sumFlags(llvm::Value *x, llvm::Value *y, llvm::Value *r, llvm::Value *carryIn);
  void differenceFlags(llvm::Value *x, llvm::Value *y, llvm::Value *r, llvm::Value *borrowIn);
  void logicFlags(llvm::Value *r);
  void setShiftFlags(llvm::Value *by, bool preservesResultFlags, AsmFlags now);
  AsmFlags::Maker constantly(bool v) {
    return [this, v]() -> llvm::Value * { return b.getInt1(v); };
  }
  llvm::Value *carry() { return m_.condition(AsmCondition::Below); }
  void setCarry(AsmFlags::Maker maker); ///< the other flags stay as they are
  AsmFlags withoutComparison();

  // --- groups of instructions
  void move();
  void exchange();
  void string();
  void arithmetic(); // AssemblyArithmetic.cpp
  void addWithCarry();
  void step();
  void compareAndExchange();
  void logic();
  void multiply();
  void divide();
  void shift(); // AssemblyBits.cpp
  void rotateThroughCarry();
  void doubleShift();
  void plainShift();
  void bitTest();
  void count();
  llvm::Value *shiftCount(const AsmOperand *from);
  bool isBelow(llvm::Value *count, unsigned limit);

  AssemblyMachine &m_;
  const AsmInstruction *i_ = nullptr;
};

/// Registers that instructions use without naming them.
enum AssemblyRegister : unsigned {
  kAccumulator = 0,
  kCount = 1,
  kData = 2,
  kSource = 6,
  kDestination = 7
};

} // namespace fathom::program
#endif
