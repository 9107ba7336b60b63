// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/NativeObject.h"

#include "program/Load.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <mutex>

using namespace llvm;

namespace fathom::program {

std::string sourceFile(const DILocation *loc) {
  SmallString<128> path(loc->getFilename());
  if (!sys::path::is_absolute(path)) {
    path = loc->getDirectory();
    sys::path::append(path, loc->getFilename());
  }
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

std::vector<Instruction *> collectBranches(Module &module, BranchLayout &layout) {
  std::vector<Instruction *> terminators;
  forEachBranch(module, [&](Instruction &terminator, uint32_t) {
    if (!isOwnBranch(terminator)) return;
    BranchLayout::Branch branch;
    branch.function = terminator.getFunction()->getName().str();
    if (const DILocation *loc = terminator.getDebugLoc()) {
      branch.file = sourceFile(loc);
      branch.line = loc->getLine();
      branch.column = loc->getColumn();
    }
    branch.sides = numSides(terminator);
    branch.sideBase = layout.sides;
    layout.sides += branch.sides;
    layout.branches.push_back(std::move(branch));
    terminators.push_back(&terminator);
  });
  return terminators;
}

void hideProcessor(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(block)) {
        auto *call = dyn_cast<CallInst>(&instruction);
        if (!call || !call->isInlineAsm()) continue;
        SmallVector<StringRef, 4> lines;
        StringRef(cast<InlineAsm>(call->getCalledOperand())->getAsmString()).split(lines, '\n');
        if (none_of(lines, [](StringRef line) { return line.trim() == "cpuid"; })) continue;
        call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
        call->eraseFromParent();
      }
}

void callAtStart(Module &module, const char *function) {
  Function *start = module.getFunction("_start_c");
  if (!start || start->isDeclaration() || start->arg_size() != 1) return;
  LLVMContext &context = module.getContext();
  FunctionCallee callee = module.getOrInsertFunction(function, Type::getVoidTy(context),
                                                     PointerType::getUnqual(context));
  IRBuilder<> builder(&*start->getEntryBlock().getFirstInsertionPt());
  if (DISubprogram *sp = start->getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(context, 0, 0, sp));
  builder.CreateCall(callee, {start->getArg(0)});
}

std::vector<std::pair<BasicBlock *, unsigned>> splitSwitchEdges(SwitchInst &inst) {
  std::vector<std::pair<BasicBlock *, unsigned>> edges;
  for (unsigned successor = 0; successor < inst.getNumSuccessors(); ++successor) {
    BasicBlock *target = inst.getSuccessor(successor);
    BasicBlock *edge = BasicBlock::Create(inst.getContext(), "", inst.getFunction(), target);
    IRBuilder<> builder(edge);
    builder.SetCurrentDebugLocation(inst.getDebugLoc());
    builder.CreateBr(target);
    inst.setSuccessor(successor, edge);
    // One phi entry per edge: take over one of those of the switch's block.
    for (PHINode &phi : target->phis()) {
      int index = phi.getBasicBlockIndex(inst.getParent());
      if (index >= 0) phi.setIncomingBlock(static_cast<unsigned>(index), edge);
    }
    edges.emplace_back(edge, successor);
  }
  return edges;
}

Error emitObject(Module &module, const std::string &file, CodeGenOptLevel level) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmParser();
    LLVMInitializeX86AsmPrinter();
  });
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), problem);
  if (!target)
    return createStringError(inconvertibleErrorCode(), "no code generator for %s: %s",
                             module.getTargetTriple().c_str(), problem.c_str());
  TargetOptions options;
  options.TrapUnreachable = true; // reaching it is a bug: it must not run on into the next function
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      module.getTargetTriple(), "x86-64", "", options, Reloc::Static, CodeModel::Small, level));
  module.setDataLayout(machine->createDataLayout());
  std::error_code error;
  raw_fd_ostream out(file, error);
  if (error)
    return createStringError(error, "cannot write %s: %s", file.c_str(), error.message().c_str());
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::ObjectFile))
    return createStringError(inconvertibleErrorCode(), "no object files for %s",
                             module.getTargetTriple().c_str());
  passes.run(module);
  out.flush();
  if (out.has_error()) {
    error = out.error();
    out.clear_error();
    return createStringError(error, "cannot write %s: %s", file.c_str(), error.message().c_str());
  }
  return Error::success();
}

} // namespace fathom::program
