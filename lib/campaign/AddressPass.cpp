// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/SanitizePass.h"

#include "program/Load.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"

#include <vector>

using namespace llvm;

namespace fathom::campaign {

/// The variables that the program's own code names, also through tables of pointers.
static SmallPtrSet<const GlobalVariable *, 32> ownVariables(const Module &module) {
  SmallPtrSet<const GlobalVariable *, 32> own;
  SmallPtrSet<const Constant *, 32> seen;
  std::vector<const Constant *> todo;
  auto add = [&](const Value *value) {
    if (auto *constant = dyn_cast<Constant>(value); constant && seen.insert(constant).second)
      todo.push_back(constant);
  };
  for (const Function &function : module) {
    if (function.isDeclaration() || !program::isOwnFunction(function)) continue;
    for (const Instruction &instruction : instructions(function))
      for (const Use &operand : instruction.operands()) add(operand);
  }
  while (!todo.empty()) {
    const Constant *constant = todo.back();
    todo.pop_back();
    if (auto *variable = dyn_cast<GlobalVariable>(constant)) own.insert(variable);
    if (isa<Function>(constant)) continue;
    for (const Use &operand : constant->operands()) add(operand);
  }
  return own;
}

void addAddressChecks(Module &module) {
  for (Function &function : module) {
    // Start-up code runs before there is shadow memory.
    if (function.isDeclaration() || function.getName() == "_start_c") continue;
    function.addFnAttr(Attribute::SanitizeAddress);
  }
  // libc's own variables stay as they are: its start-up code finds some by how they lie.
  const auto own = ownVariables(module);
  for (GlobalVariable &variable : module.globals())
    if (!own.contains(&variable) || variable.getName().starts_with("__fathom_")) {
      GlobalValue::SanitizerMetadata none = variable.hasSanitizerMetadata()
                                                ? variable.getSanitizerMetadata()
                                                : GlobalValue::SanitizerMetadata();
      none.NoAddress = true;
      variable.setSanitizerMetadata(none);
    }

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  AddressSanitizerOptions options;
  options.UseAfterScope = true;
  options.UseAfterReturn = AsanDetectStackUseAfterReturnMode::Never;
  options.InsertVersionCheck = false;
  ModulePassManager passes;
  passes.addPass(AddressSanitizerPass(options, /*UseGlobalGC=*/false, /*UseOdrIndicator=*/false,
                                      AsanDtorKind::None));
  passes.run(module, modules);

  // fathom-cc has already turned llvm.global_ctors into an array, so the entry that the pass added
  // would never run. The runtime calls the pass's constructor under another name.
  if (GlobalVariable *constructors = module.getGlobalVariable("llvm.global_ctors"))
    constructors->eraseFromParent();
  if (Function *constructor = module.getFunction("asan.module_ctor")) {
    constructor->setLinkage(GlobalValue::ExternalLinkage);
    constructor->setComdat(nullptr);
    constructor->setName("__fathom_asan_module");
  }
}

} // namespace fathom::campaign
