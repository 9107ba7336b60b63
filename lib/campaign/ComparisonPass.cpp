// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/ComparisonPass.h"

#include "program/Load.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <vector>

using namespace llvm;

namespace fathom::campaign {

namespace {

/// AFL++'s attribute of a comparison.
uint32_t attributeOf(CmpInst::Predicate predicate) {
  enum { kEqual = 1, kGreater = 2, kLess = 4 };
  switch (predicate) {
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGT: return kGreater;
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE: return kGreater | kEqual;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT: return kLess;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE: return kLess | kEqual;
  default: return kEqual;
  }
}

class Instrumenter {
public:
  explicit Instrumenter(Module &module)
      : module_(module), int32_(Type::getInt32Ty(module.getContext())),
        int64_(Type::getInt64Ty(module.getContext())),
        pointer_(PointerType::getUnqual(module.getContext())) {
    Type *nothing = Type::getVoidTy(module.getContext());
    compared_ =
        module.getOrInsertFunction("__fathom_compared", nothing, int64_, int64_, int32_, int32_);
    switched_ =
        module.getOrInsertFunction("__sanitizer_cov_trace_switch", nothing, int64_, pointer_);
    bytes_ =
        module.getOrInsertFunction("__fathom_comparedBytes", nothing, pointer_, pointer_, int32_);
  }

  void run() {
    std::vector<Instruction *> all;
    for (Function &function : module_)
      if (!function.isDeclaration() && program::isOwnFunction(function))
        for (Instruction &instruction : instructions(function)) all.push_back(&instruction);
    for (Instruction *instruction : all) {
      if (auto *comparison = dyn_cast<ICmpInst>(instruction)) visit(*comparison);
      if (auto *choice = dyn_cast<SwitchInst>(instruction)) visit(*choice);
      if (auto *call = dyn_cast<CallBase>(instruction)) visit(*call);
    }
  }

private:
  static bool isLogged(const Type *type) {
    return type->isIntegerTy() && type->getIntegerBitWidth() > 1 &&
           type->getIntegerBitWidth() <= 64;
  }

  void visit(ICmpInst &comparison) {
    Value *a = comparison.getOperand(0), *b = comparison.getOperand(1);
    if (!isLogged(a->getType()) || (isa<Constant>(a) && isa<Constant>(b))) return;
    IRBuilder<> builder(&comparison);
    const uint32_t bytes = (a->getType()->getIntegerBitWidth() + 7) / 8;
    builder.CreateCall(compared_,
                       {builder.CreateZExt(a, int64_), builder.CreateZExt(b, int64_),
                        ConstantInt::get(int32_, bytes),
                        ConstantInt::get(int32_, attributeOf(comparison.getPredicate()))});
  }

  /// Values that are compared with: how many, how wide, and each.
  void visit(SwitchInst &choice) {
    Value *value = choice.getCondition();
    if (!isLogged(value->getType()) || isa<Constant>(value)) return;
    std::vector<uint64_t> cases = {choice.getNumCases(), value->getType()->getIntegerBitWidth()};
    for (auto &c : choice.cases()) cases.push_back(c.getCaseValue()->getZExtValue());
    Constant *data = ConstantDataArray::get(module_.getContext(), cases);
    auto *table = new GlobalVariable(module_, data->getType(), /*isConstant=*/true,
                                     GlobalValue::PrivateLinkage, data);
    IRBuilder<> builder(&choice);
    builder.CreateCall(switched_, {builder.CreateZExt(value, int64_), table});
  }

  /// A call that may compare what two pointers point to: it takes them first, and returns a number.
  void visit(CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isIntrinsic() || call.arg_size() < 2) return;
    const StringRef name = callee->getName();
    const bool searches = name == "strstr" || name == "strcasestr" || name == "memmem";
    if (!searches && !callee->getReturnType()->isIntegerTy()) return;
    Value *a = call.getArgOperand(0), *b = call.getArgOperand(1);
    if (!a->getType()->isPointerTy() || !b->getType()->isPointerTy()) return;
    if (isa<ConstantPointerNull>(a) || isa<ConstantPointerNull>(b)) return;
    IRBuilder<> builder(&call);
    builder.CreateCall(bytes_, {a, b, ConstantInt::get(int32_, name.contains_insensitive("str"))});
  }

  Module &module_;
  Type *int32_, *int64_, *pointer_;
  FunctionCallee compared_, switched_, bytes_;
};

} // namespace

void logComparisons(Module &module) { Instrumenter(module).run(); }

} // namespace fathom::campaign
