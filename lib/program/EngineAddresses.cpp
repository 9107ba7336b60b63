// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/EngineAddresses.h"

#include "program/Address.h"
#include "program/Decode.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {

static constexpr StringLiteral kNumberKind = "fathom.local";

void numberLocals(Module &module) {
  LLVMContext &context = module.getContext();
  for (Function &function : module) {
    unsigned number = 0;
    for (Instruction &instruction : instructions(function))
      if (isa<AllocaInst>(instruction))
        instruction.setMetadata(kNumberKind,
                                MDNode::get(context, ConstantAsMetadata::get(ConstantInt::get(
                                                         Type::getInt32Ty(context), number++))));
  }
}

std::optional<unsigned> localNumber(const AllocaInst &local) {
  const MDNode *node = local.getMetadata(kNumberKind);
  if (!node) return {};
  return static_cast<unsigned>(mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue());
}

Expected<EngineAddresses> engineAddresses(const std::string &bitcodeFile,
                                          const LoadOptions &options) {
  LLVMContext context;
  LoadOptions engines = options;
  engines.lowerIntrinsics = engines.promoteLocals = true;
  engines.assembly = LoadOptions::Assembly::Declared;
  Expected<std::unique_ptr<Module>> module = loadProgram(context, {bitcodeFile}, engines);
  if (!module) return module.takeError();
  numberLocals(**module);
  if (Error e = prepareModule(**module, engines)) return std::move(e);
  Expected<Program> program = decode(**module);
  if (!program) return program.takeError();
  EngineAddresses out;
  for (const FunctionCode &f : program->functions) out.functions[f.name] = functionAddress(f.id);
  for (const External &f : program->externals) out.functions[f.name] = f.address;
  for (const Global &g : program->globals) out.globals[g.name] = g.address;
  for (Function &function : **module)
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        if (auto number = localNumber(*local)) out.objects[function.getName()].insert(*number);
  out.slotsUsed = std::move(program->slotsUsed);
  return out;
}

} // namespace fathom::program
