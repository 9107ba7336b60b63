// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/CallStubs.h"

#include "program/Code.h"
#include "program/Prepare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <map>

#include "../../runtime/native/external.h"

using namespace llvm;

namespace fathom::program {
namespace {

constexpr const char *kParameter = "a parameter of a type that cannot be passed";
constexpr const char *kResult = "a result of a type that cannot be passed";
constexpr const char *kCount = "more parameters than can be passed";
constexpr const char *kThroughPointer =
    "variable arguments cannot be passed through a pointer to it";

/// Types of arguments, and which of them are passed with their sign.
struct CallShape {
  FunctionType *type = nullptr;
  std::vector<bool> isSigned, isByVal;
};

unsigned protocolType(ForeignType type) {
  switch (type) {
  case ForeignType::Void: return FATHOM_EXTERNAL_VOID;
  case ForeignType::Float: return FATHOM_EXTERNAL_FLOAT;
  case ForeignType::Double: return FATHOM_EXTERNAL_DOUBLE;
  case ForeignType::Integer:
  case ForeignType::Pointer:
  case ForeignType::Other: break;
  }
  return FATHOM_EXTERNAL_INTEGER;
}

class Stubs {
public:
  Stubs(Module &module, function_ref<bool(StringRef)> isLinked)
      : module_(module), context_(module.getContext()), isLinked_(isLinked),
        int32_(Type::getInt32Ty(context_)), int64_(Type::getInt64Ty(context_)),
        pointer_(PointerType::getUnqual(context_)),
        argument_(StructType::get(int32_, int32_, int64_, int64_, int64_)) {
    static_assert(sizeof(fathom_argument) == 32 && offsetof(fathom_argument, bits) == 8);
  }

  std::vector<ForeignFunction> run() {
    std::vector<Function *> missing;
    for (Function &f : module_)
      if (isMissing(f)) missing.push_back(&f);
    std::vector<ForeignFunction> out;
    out.reserve(missing.size());
    for (Function *f : missing)
      out.push_back({f->getName().str(), f->isVarArg() ? defineVariable(*f) : define(*f)});
    return out;
  }

private:
  bool isMissing(const Function &f) const {
    return f.isDeclaration() && !f.isIntrinsic() && !f.hasExternalWeakLinkage() &&
           !isUninitMarker(f) && !f.use_empty() && !isLinked_(f.getName());
  }

  static std::string whyNot(const CallShape &shape) {
    if (foreignType(shape.type->getReturnType()) == ForeignType::Other) return kResult;
    for (unsigned i = 0; i < shape.type->getNumParams(); ++i)
      if (shape.isByVal[i] || foreignType(shape.type->getParamType(i)) == ForeignType::Other)
        return kParameter;
    return shape.type->getNumParams() > FATHOM_EXTERNAL_MAX_ARGUMENTS ? kCount : "";
  }

  std::string define(Function &f) {
    CallShape shape{f.getFunctionType(), {}, {}};
    for (const Argument &a : f.args()) {
      shape.isSigned.push_back(a.hasSExtAttr());
      shape.isByVal.push_back(a.hasByValAttr());
    }
    std::string why = whyNot(shape);
    defineBody(f, f.getName(), shape, why);
    return why;
  }

  /// Each call gets the stub for its types; what is left is a pointer to the function.
  std::string defineVariable(Function &f) {
    std::string refused;
    std::map<std::pair<FunctionType *, std::vector<bool>>, Function *> stubs;
    for (User *user : make_early_inc_range(f.users())) {
      auto *call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledOperand() != &f) continue;
      const CallShape shape = shapeOf(*call);
      std::string why = whyNot(shape);
      if (refused.empty()) refused = why;
      Function *&stub = stubs[{shape.type, shape.isSigned}];
      if (!stub || !why.empty()) {
        stub = Function::Create(shape.type, GlobalValue::InternalLinkage,
                                "__fathom_call." + f.getName(), module_);
        defineBody(*stub, f.getName(), shape, why);
      }
      call->setCalledFunction(shape.type, stub);
    }
    if (!f.use_empty()) {
      if (refused.empty()) refused = kThroughPointer;
      defineBody(f, f.getName(), {}, kThroughPointer);
    } else {
      f.eraseFromParent();
    }
    return refused;
  }

  static CallShape shapeOf(const CallBase &call) {
    CallShape shape;
    std::vector<Type *> types;
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      types.push_back(call.getArgOperand(i)->getType());
      shape.isSigned.push_back(call.paramHasAttr(i, Attribute::SExt));
      shape.isByVal.push_back(call.isByValArgument(i));
    }
    shape.type = FunctionType::get(call.getType(), types, /*isVarArg=*/false);
    return shape;
  }

  /// As `name`, whatever the function with the body is called.
  void defineBody(Function &f, StringRef name, const CallShape &shape, const std::string &why) {
    f.setDSOLocal(true);
    f.removeFnAttr(Attribute::Memory); // it has effects now
    IRBuilder<> b(BasicBlock::Create(context_, "", &f));
    Value *text = b.CreateGlobalString(name);
    if (!why.empty()) {
      FunctionCallee refuse = module_.getOrInsertFunction(
          "__fathom_external_refused", Type::getVoidTy(context_), pointer_, pointer_);
      b.CreateCall(refuse, {text, b.CreateGlobalString(why)});
      b.CreateUnreachable();
      return;
    }
    const unsigned count = static_cast<unsigned>(f.arg_size());
    auto *array = ArrayType::get(argument_, count);
    Value *arguments = b.CreateAlloca(array);
    for (unsigned i = 0; i < count; ++i) {
      Argument *a = f.getArg(i);
      auto field = [&](unsigned k) {
        return b.CreateInBoundsGEP(array, arguments, {b.getInt64(0), b.getInt32(i), b.getInt32(k)});
      };
      b.CreateStore(b.getInt32(protocolType(foreignType(a->getType()))), field(0));
      b.CreateStore(b.getInt32(0), field(1));
      b.CreateStore(asWord(b, a, shape.isSigned[i]), field(2));
      b.CreateStore(b.getInt64(0), field(3));
      b.CreateStore(b.getInt64(0), field(4));
    }
    FunctionCallee execute = module_.getOrInsertFunction("__fathom_external_call", int64_, pointer_,
                                                         int32_, int32_, pointer_, pointer_);
    Type *result = f.getReturnType();
    Value *word = b.CreateCall(execute, {text, b.getInt32(protocolType(foreignType(result))),
                                         b.getInt32(count), arguments, errnoPlace(b)});
    if (result->isVoidTy())
      b.CreateRetVoid();
    else
      b.CreateRet(fromWord(b, word, result));
  }

  /// The calling thread's; null in a program that never looks at it.
  Value *errnoPlace(IRBuilder<> &b) {
    Function *place = module_.getFunction("__errno_location");
    if (!place || place->isDeclaration() || place->arg_size() ||
        !place->getReturnType()->isPointerTy())
      return ConstantPointerNull::get(cast<PointerType>(pointer_));
    return b.CreateCall(place);
  }

  Value *asWord(IRBuilder<> &b, Value *value, bool isSigned) {
    Type *type = value->getType();
    if (type->isPointerTy()) return b.CreatePtrToInt(value, int64_);
    if (type->isFloatTy()) value = b.CreateBitCast(value, int32_);
    if (type->isDoubleTy()) value = b.CreateBitCast(value, int64_);
    return isSigned ? b.CreateSExt(value, int64_) : b.CreateZExt(value, int64_);
  }

  Value *fromWord(IRBuilder<> &b, Value *word, Type *type) {
    if (type->isPointerTy()) return b.CreateIntToPtr(word, type);
    if (type->isDoubleTy()) return b.CreateBitCast(word, type);
    if (type->isFloatTy()) return b.CreateBitCast(b.CreateTrunc(word, int32_), type);
    return b.CreateTrunc(word, type);
  }

  Module &module_;
  LLVMContext &context_;
  function_ref<bool(StringRef)> isLinked_;
  Type *int32_, *int64_, *pointer_;
  StructType *argument_;
};

} // namespace

std::vector<ForeignFunction> defineCallStubs(Module &module,
                                             function_ref<bool(StringRef)> isLinked) {
  return Stubs(module, isLinked).run();
}

} // namespace fathom::program
