// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols that a linker defines and bitcode therefore only declares. musl's start-up code walks the
// pointers between
// __init_array_start and __init_array_end, its exit code those between __fini_array_start and
// __fini_array_end; crti.o brings _init and _fini. Others (_DYNAMIC, __ehdr_start, ...) are
// declared weak and stay null.
#include "program/Prepare.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {
namespace {

/// The functions of llvm.global_ctors or llvm.global_dtors in the order of the linker's array: by
/// priority, then as they come.
SmallVector<Constant *, 4> functionArray(const Module &module, StringRef listName) {
  SmallVector<std::tuple<uint64_t, size_t, Constant *>, 4> entries;
  const GlobalVariable *list = module.getNamedGlobal(listName);
  auto *array =
      list && list->hasInitializer() ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
  if (array)
    for (const Use &entry : array->operands()) {
      auto *fields = dyn_cast<ConstantStruct>(entry.get());
      if (fields && !fields->getOperand(1)->isNullValue())
        entries.push_back({cast<ConstantInt>(fields->getOperand(0))->getZExtValue(), entries.size(),
                           fields->getOperand(1)});
    }
  llvm::sort(entries);
  SmallVector<Constant *, 4> functions;
  for (auto &[priority, position, function] : entries) functions.push_back(function);
  return functions;
}

GlobalValue *declared(Module &module, StringRef name) {
  GlobalValue *value = module.getNamedValue(name);
  return value && value->isDeclaration() ? value : nullptr;
}

void defineArray(Module &module, StringRef start, StringRef end, ArrayRef<Constant *> functions) {
  GlobalValue *first = declared(module, start), *last = declared(module, end);
  if (!first && !last) return;
  LLVMContext &context = module.getContext();
  auto *type = ArrayType::get(PointerType::get(context, 0), functions.size());
  auto *array = new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                                   ConstantArray::get(type, functions), "");
  array->setAlignment(Align(8));
  if (last) {
    Constant *size = ConstantInt::get(Type::getInt64Ty(context), 8 * functions.size());
    last->replaceAllUsesWith(ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), array, size));
    last->eraseFromParent();
  }
  if (first) {
    first->replaceAllUsesWith(array);
    first->eraseFromParent();
  }
  array->setName(start);
}

void defineEmpty(Module &module, StringRef name) {
  auto *function = dyn_cast_or_null<Function>(declared(module, name));
  if (!function || !function->getReturnType()->isVoidTy()) return;
  function->setLinkage(GlobalValue::InternalLinkage);
  function->addFnAttr("fathom-libc");
  ReturnInst::Create(module.getContext(), BasicBlock::Create(module.getContext(), "", function));
}

} // namespace

void defineLinkerSymbols(Module &module) {
  defineArray(module, "__preinit_array_start", "__preinit_array_end", {});
  defineArray(module, "__init_array_start", "__init_array_end",
              functionArray(module, "llvm.global_ctors"));
  defineArray(module, "__fini_array_start", "__fini_array_end",
              functionArray(module, "llvm.global_dtors"));
  defineEmpty(module, "_init");
  defineEmpty(module, "_fini");
}

} // namespace fathom::program
