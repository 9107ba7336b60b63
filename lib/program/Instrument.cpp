// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/Instrument.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <map>
#include <mutex>

using namespace llvm;

namespace fathom::program {

namespace {

/// As the decoder names files (Program::files).
std::string fileName(const DILocation *loc) {
  SmallString<128> path(loc->getFilename());
  if (!sys::path::is_absolute(path)) {
    path = loc->getDirectory();
    sys::path::append(path, loc->getFilename());
  }
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

class Instrumenter {
public:
  explicit Instrumenter(Module &module)
      : module_(module), context_(module.getContext()), int8_(Type::getInt8Ty(context_)),
        int32_(Type::getInt32Ty(context_)), pointer_(PointerType::getUnqual(context_)) {}

  TraceLayout run() {
    hideProcessor();
    collectBranches();
    collectLines(); // before blocks are split
    trace_ = module_.getOrInsertFunction("__fathom_trace", Type::getVoidTy(context_), int32_,
                                         int32_, int32_);
    map_ = module_.getOrInsertGlobal("__fathom_cover_map", pointer_);
    for (auto &[instruction, line] : lineStarts_) markLine(*instruction, line);
    for (uint32_t id = 0; id < terminators_.size(); ++id) traceBranch(*terminators_[id], id);
    callStart();
    defineCover();
    Function *symbolic = module_.getFunction("__fathom_make_symbolic");
    layout_.makesSymbolic = symbolic && !symbolic->use_empty();
    return std::move(layout_);
  }

private:
  /// cpuid reports a processor without features, as in the engine: programs with hand-vectorised
  /// variants take the portable one.
  void hideProcessor() {
    for (Function &function : module_)
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

  void collectBranches() {
    forEachBranch(module_, [&](Instruction &terminator, uint32_t id) {
      if (!isOwnFunction(*terminator.getFunction())) return;
      TraceLayout::Branch branch;
      branch.function = terminator.getFunction()->getName().str();
      if (const DILocation *loc = terminator.getDebugLoc()) {
        branch.file = fileName(loc);
        branch.line = loc->getLine();
        branch.column = loc->getColumn();
      }
      branch.sides = numSides(terminator);
      branch.sideBase = layout_.sides;
      layout_.sides += branch.sides;
      layout_.branches.push_back(std::move(branch));
      terminators_.push_back(&terminator);
    });
  }

  /// The first instruction of every stretch of one line: what follows a call that does not come
  /// back is not marked by it.
  void collectLines() {
    std::map<std::pair<std::string, uint32_t>, uint32_t> numbers;
    for (Function &function : module_) {
      if (function.isDeclaration() || !isOwnFunction(function)) continue;
      for (BasicBlock &block : function) {
        const DILocation *last = nullptr;
        for (Instruction &instruction : block) {
          const DILocation *loc = instruction.getDebugLoc();
          if (!loc || loc->getLine() == 0 || isa<PHINode>(instruction) ||
              isa<DbgInfoIntrinsic>(instruction))
            continue;
          if (last && last->getLine() == loc->getLine() && last->getFile() == loc->getFile())
            continue;
          if (instruction.isEHPad()) continue;
          last = loc;
          auto [it, isNew] = numbers.try_emplace({fileName(loc), loc->getLine()},
                                                 static_cast<uint32_t>(layout_.lines.size()));
          if (isNew) layout_.lines.push_back({it->first.first, it->first.second});
          lineStarts_.emplace_back(&instruction, it->second);
        }
      }
    }
  }

  void markLine(Instruction &before, uint32_t line) {
    // A call that must be the last thing before the return stays it.
    if (auto *call = dyn_cast_or_null<CallInst>(before.getPrevNode());
        call && call->isMustTailCall())
      return;
    IRBuilder<> builder(&before);
    Value *map = builder.CreateLoad(pointer_, map_);
    builder.CreateStore(ConstantInt::get(int8_, 1),
                        builder.CreateConstInBoundsGEP1_64(int8_, map, layout_.sides + line));
  }

  void emitTrace(IRBuilder<> &builder, uint32_t id, Value *side, Value *coverIndex) {
    builder.CreateCall(trace_, {ConstantInt::get(int32_, id), side, coverIndex});
  }

  void traceBranch(Instruction &terminator, uint32_t id) {
    uint32_t base = layout_.branches[id].sideBase;
    if (auto *branch = dyn_cast<BranchInst>(&terminator)) {
      IRBuilder<> builder(branch);
      Value *side = builder.CreateZExt(branch->getCondition(), int32_);
      emitTrace(builder, id, side, builder.CreateAdd(side, ConstantInt::get(int32_, base)));
      return;
    }
    // Cases can share a target: each edge gets a block of its own.
    auto *switched = cast<SwitchInst>(&terminator);
    const std::vector<uint32_t> sides = switchSides(*switched);
    for (unsigned successor = 0; successor < switched->getNumSuccessors(); ++successor) {
      BasicBlock *target = switched->getSuccessor(successor);
      BasicBlock *edge = BasicBlock::Create(context_, "", switched->getFunction(), target);
      IRBuilder<> builder(edge);
      builder.SetCurrentDebugLocation(switched->getDebugLoc());
      emitTrace(builder, id, ConstantInt::get(int32_, sides[successor]),
                ConstantInt::get(int32_, base + sides[successor]));
      builder.CreateBr(target);
      switched->setSuccessor(successor, edge);
      // One phi entry per edge: take over one of those of the switch's block.
      for (PHINode &phi : target->phis()) {
        int index = phi.getBasicBlockIndex(switched->getParent());
        if (index >= 0) phi.setIncomingBlock(static_cast<unsigned>(index), edge);
      }
    }
  }

  /// libc's first function gets the stack as the kernel made it.
  void callStart() {
    Function *start = module_.getFunction("_start_c");
    if (!start || start->isDeclaration() || start->arg_size() != 1) return;
    FunctionCallee callee =
        module_.getOrInsertFunction("__fathom_trace_start", Type::getVoidTy(context_), pointer_);
    IRBuilder<> builder(&*start->getEntryBlock().getFirstInsertionPt());
    if (DISubprogram *sp = start->getSubprogram())
      builder.SetCurrentDebugLocation(DILocation::get(context_, 0, 0, sp));
    builder.CreateCall(callee, {start->getArg(0)});
  }

  void defineCover() {
    auto *array = ArrayType::get(int8_, std::max(1u, layout_.coverBytes()));
    new GlobalVariable(module_, array, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                       ConstantAggregateZero::get(array), "__fathom_cover_scratch");
    new GlobalVariable(module_, int32_, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                       ConstantInt::get(int32_, layout_.coverBytes()), "__fathom_cover_bytes");
  }

  Module &module_;
  LLVMContext &context_;
  Type *int8_, *int32_, *pointer_;
  FunctionCallee trace_;
  Constant *map_ = nullptr;
  TraceLayout layout_;
  std::vector<Instruction *> terminators_;
  std::vector<std::pair<Instruction *, uint32_t>> lineStarts_;
};

Error emitObject(Module &module, const std::string &file) {
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
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(module.getTargetTriple(), "x86-64", "", options, Reloc::Static,
                                  CodeModel::Small, CodeGenOptLevel::None));
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

} // namespace

TraceLayout instrumentForTrace(Module &module) { return Instrumenter(module).run(); }

Expected<TraceLayout> writeTraceObject(const std::string &bitcodeFile,
                                       const std::string &objectFile, const LoadOptions &options) {
  LLVMContext context;
  LoadOptions ours = options;
  ours.runtimeBitcode.clear();
  // Variables stay in memory, as in a plain build: a read of an uninitialised one does natively
  // what it does there. Branches are the same either way.
  ours.promoteLocals = false;
  Expected<std::unique_ptr<Module>> module = loadProgram(context, {bitcodeFile}, ours);
  if (!module) return module.takeError();
  if (Error e = prepareModule(**module, ours)) return std::move(e);
  TraceLayout layout = instrumentForTrace(**module);
  // Debug information is in the layout; in the object it would only take time.
  StripDebugInfo(**module);
  if (Error e = emitObject(**module, objectFile)) return std::move(e);
  return layout;
}

} // namespace fathom::program
