// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/FunctionsVariant.h"

#include "program/NativeObject.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace fathom::program {

/// A pointer to a string of the module.
static Constant *stringConstant(Module &module, StringRef text) {
  Constant *data = ConstantDataArray::getString(module.getContext(), text);
  auto *global = new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, data);
  return global;
}

static void defineTable(Module &module) {
  auto *pointer = PointerType::getUnqual(module.getContext());
  auto *entry = StructType::get(pointer, pointer);
  std::vector<Constant *> entries;
  for (Function &f : module)
    if (!f.isDeclaration())
      entries.push_back(ConstantStruct::get(entry, {stringConstant(module, f.getName()), &f}));
  for (GlobalAlias &alias : module.aliases())
    if (auto *f = dyn_cast_or_null<Function>(alias.getAliaseeObject()); f && !f->isDeclaration())
      entries.push_back(ConstantStruct::get(entry, {stringConstant(module, alias.getName()), f}));
  Constant *null = ConstantPointerNull::get(pointer);
  entries.push_back(ConstantStruct::get(entry, {null, null}));
  auto *type = ArrayType::get(entry, entries.size());
  new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(type, entries), "__fathom_functions");
}

Error writeFunctionsObject(const std::string &bitcodeFile, const std::string &objectFile,
                           const LoadOptions &options) {
  LLVMContext context;
  // Assembly that the code generator cannot take is an error like others, not the end of us.
  std::string refused;
  context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *info, void *text) {
        if (info->getSeverity() != DS_Error) return;
        raw_string_ostream os(*static_cast<std::string *>(text));
        DiagnosticPrinterRawOStream printer(os);
        info->print(printer);
      },
      &refused);
  LoadOptions ours = options;
  ours.runtimeBitcode.clear();
  ours.lowerIntrinsics = false;
  ours.assembly = LoadOptions::Assembly::Defined;
  ours.promoteLocals = false; // as in the other variants: see writeTraceObject
  Expected<std::unique_ptr<Module>> module = loadProgram(context, {bitcodeFile}, ours);
  if (!module) return module.takeError();
  if (Error e = prepareModule(**module, ours)) return e;
  hideProcessor(**module);
  // Start-up code calls the main of runtime/native/functions.c.
  if (Function *main = (*module)->getFunction("main"); main && !main->isDeclaration()) {
    main->setName("__fathom_program_main");
    Function *server =
        Function::Create(main->getFunctionType(), GlobalValue::ExternalLinkage, "main", **module);
    main->replaceAllUsesWith(server);
  }
  callAtStart(**module, "__fathom_functions_start");
  defineTable(**module);
  StripDebugInfo(**module);
  if (Error e = emitObject(**module, objectFile, CodeGenOptLevel::Default)) return e;
  if (!refused.empty())
    return createStringError(inconvertibleErrorCode(), "no machine code: %s", refused.c_str());
  return Error::success();
}

} // namespace fathom::program
