// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/SanitizePass.h"

#include "../runtime/native/crash.h"
#include "program/Load.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <vector>

using namespace llvm;

namespace fathom::campaign {

namespace {

class Checker {
public:
  explicit Checker(Module &module)
      : context_(module.getContext()), int32_(Type::getInt32Ty(context_)),
        failed_(
            module.getOrInsertFunction("__fathom_undefined", Type::getVoidTy(context_), int32_)) {}

  void run(Function &function) {
    std::vector<Instruction *> all;
    for (Instruction &instruction : instructions(function))
      // Our counters' are none of the program's.
      if (!instruction.hasMetadata(LLVMContext::MD_nosanitize)) all.push_back(&instruction);
    for (Instruction *instruction : all) {
      if (auto *operation = dyn_cast<BinaryOperator>(instruction))
        checkOperation(*operation);
      else if (auto *address = dyn_cast<GetElementPtrInst>(instruction))
        checkIndices(*address);
    }
  }

private:
  void failIf(Value *condition, Instruction &before, fathom_check check) {
    if (auto *known = dyn_cast<ConstantInt>(condition); known && known->isZero()) return;
    Instruction *end = SplitBlockAndInsertIfThen(condition, &before, /*Unreachable=*/true,
                                                 MDBuilder(context_).createUnlikelyBranchWeights());
    IRBuilder<> builder(end);
    builder.SetCurrentDebugLocation(before.getDebugLoc());
    CallInst *call = builder.CreateCall(failed_, {ConstantInt::get(int32_, check)});
    call->setDoesNotReturn();
    // Two places would become one.
    call->addFnAttr(Attribute::NoMerge);
  }

  void checkOverflow(BinaryOperator &operation, Intrinsic::ID intrinsic) {
    IRBuilder<> builder(&operation);
    Value *both =
        builder.CreateBinaryIntrinsic(intrinsic, operation.getOperand(0), operation.getOperand(1));
    failIf(builder.CreateExtractValue(both, 1), operation, FATHOM_CHECK_SignedOverflow);
  }

  void checkOperation(BinaryOperator &operation) {
    Type *type = operation.getType();
    if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64) return;
    const unsigned bits = type->getIntegerBitWidth();
    IRBuilder<> builder(&operation);
    Value *left = operation.getOperand(0), *right = operation.getOperand(1);
    switch (operation.getOpcode()) {
    case Instruction::Add:
      if (operation.hasNoSignedWrap()) checkOverflow(operation, Intrinsic::sadd_with_overflow);
      break;
    case Instruction::Sub:
      if (operation.hasNoSignedWrap()) checkOverflow(operation, Intrinsic::ssub_with_overflow);
      break;
    case Instruction::Mul:
      if (operation.hasNoSignedWrap()) checkOverflow(operation, Intrinsic::smul_with_overflow);
      break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      failIf(builder.CreateICmpUGE(right, ConstantInt::get(type, bits)), operation,
             FATHOM_CHECK_Shift);
      break;
    case Instruction::SDiv:
    case Instruction::SRem: {
      Value *wraps = builder.CreateAnd(
          builder.CreateICmpEQ(left, ConstantInt::get(type, APInt::getSignedMinValue(bits))),
          builder.CreateICmpEQ(right, Constant::getAllOnesValue(type)));
      failIf(wraps, operation, FATHOM_CHECK_SignedOverflow);
      [[fallthrough]];
    }
    case Instruction::UDiv:
    case Instruction::URem:
      builder.SetInsertPoint(&operation);
      failIf(builder.CreateICmpEQ(right, ConstantInt::get(type, 0)), operation,
             FATHOM_CHECK_DivisionByZero);
      break;
    default: break;
    }
  }

  /// An address one past the end may be computed, but nothing is there.
  void checkIndices(GetElementPtrInst &address) {
    if (!address.isInBounds()) return;
    const bool isAccessed = all_of(address.users(), [&](const User *user) {
      auto *store = dyn_cast<StoreInst>(user);
      return isa<LoadInst>(user) || (store && store->getPointerOperand() == &address);
    });
    const bool isStored = any_of(address.users(), [&](const User *user) {
      auto *store = dyn_cast<StoreInst>(user);
      return store && store->getPointerOperand() == &address;
    });
    // The first index is that of an element after the pointer.
    Type *type = address.getSourceElementType();
    for (Value *index : drop_begin(address.indices())) {
      auto *array = dyn_cast<ArrayType>(type);
      type = GetElementPtrInst::getTypeAtIndex(type, index);
      if (!array || isa<ConstantInt>(index)) continue;
      const uint64_t count = array->getNumElements();
      // The last member of a structure may stand for an array of any length.
      if (count <= 1) continue;
      IRBuilder<> builder(&address);
      const uint64_t most = isAccessed ? count - 1 : count;
      failIf(builder.CreateICmpUGT(index, ConstantInt::get(index->getType(), most)), address,
             isStored ? FATHOM_CHECK_IndexWrite : FATHOM_CHECK_IndexRead);
    }
  }

  LLVMContext &context_;
  Type *int32_;
  FunctionCallee failed_;
};

} // namespace

void addUndefinedChecks(Module &module) {
  Checker checker(module);
  for (Function &function : module)
    if (!function.isDeclaration() && program::isOwnFunction(function)) checker.run(function);
}

} // namespace fathom::campaign
