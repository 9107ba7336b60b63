// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/Instrument.h"

#include "program/FailAllocations.h"
#include "program/NativeObject.h"
#include "program/PlaceAddresses.h"
#include "program/SourceLines.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <optional>

using namespace llvm;

namespace fathom::program {

namespace {

class Instrumenter {
public:
  explicit Instrumenter(Module &module)
      : module_(module), context_(module.getContext()), int8_(Type::getInt8Ty(context_)),
        int32_(Type::getInt32Ty(context_)), pointer_(PointerType::getUnqual(context_)) {}

  TraceLayout run() {
    hideProcessor(module_);
    terminators_ = collectBranches(module_, layout_);
    collectLines(); // before blocks are split
    trace_ = module_.getOrInsertFunction("__fathom_trace", Type::getVoidTy(context_), int32_,
                                         int32_, int32_);
    map_ = module_.getOrInsertGlobal("__fathom_cover_map", pointer_);
    line_ = module_.getOrInsertGlobal("__fathom_line", pointer_);
    for (auto &[instruction, line] : lineStarts_) markLine(*instruction, line);
    for (auto &[call, line] : calls_) noteLine(*call->getNextNode(), line);
    for (uint32_t id = 0; id < terminators_.size(); ++id) traceBranch(*terminators_[id], id);
    callAtStart(module_, "__fathom_trace_start");
    defineCover();
    Function *symbolic = module_.getFunction("__fathom_make_symbolic");
    layout_.makesSymbolic = symbolic && !symbolic->use_empty();
    return std::move(layout_);
  }

private:
  /// The first instruction of every stretch of one line: what follows a call that does not come
  /// back is not marked by it.
  void collectLines() {
    std::map<std::pair<std::string, uint32_t>, uint32_t> numbers;
    for (Function &function : module_) {
      if (function.isDeclaration() || !isOwnFunction(function)) continue;
      for (BasicBlock &block : function) {
        LineStarts starts;
        std::optional<uint32_t> now;
        for (Instruction &instruction : block) {
          const DILocation *loc = starts.at(instruction);
          if (!loc) {
            noteCall(instruction, now);
            continue;
          }
          auto [it, isNew] = numbers.try_emplace({sourceFile(loc), loc->getLine()},
                                                 static_cast<uint32_t>(layout_.lines.size()));
          if (isNew) layout_.lines.push_back({it->first.first, it->first.second});
          lineStarts_.emplace_back(&instruction, it->second);
          now = it->second;
          noteCall(instruction, now);
        }
      }
    }
  }

  /// When a call comes back, its line runs again: a crash after it is not the callee's.
  void noteCall(Instruction &instruction, std::optional<uint32_t> line) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (call && line && !call->isMustTailCall() && !isa<IntrinsicInst>(call) &&
        !call->isInlineAsm())
      calls_.emplace_back(call, *line);
  }

  void noteLine(Instruction &before, uint32_t line) {
    IRBuilder<> builder(&before);
    builder.CreateStore(ConstantInt::get(Type::getInt64Ty(context_), line + 1),
                        builder.CreateLoad(pointer_, line_));
  }

  void markLine(Instruction &before, uint32_t line) {
    // A call that must be the last thing before the return stays it.
    if (auto *call = dyn_cast_or_null<CallInst>(before.getPrevNode());
        call && call->isMustTailCall())
      return;
    noteLine(before, line);
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
    const std::vector<uint32_t> sides = switchSides(*cast<SwitchInst>(&terminator));
    for (auto &[edge, successor] : splitSwitchEdges(*cast<SwitchInst>(&terminator))) {
      IRBuilder<> builder(edge->getTerminator());
      emitTrace(builder, id, ConstantInt::get(int32_, sides[successor]),
                ConstantInt::get(int32_, base + sides[successor]));
    }
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
  Constant *map_ = nullptr, *line_ = nullptr;
  TraceLayout layout_;
  std::vector<Instruction *> terminators_;
  std::vector<std::pair<Instruction *, uint32_t>> lineStarts_;
  std::vector<std::pair<CallInst *, uint32_t>> calls_; ///< with the lines that they are of
};

} // namespace

TraceLayout instrumentForTrace(Module &module) { return Instrumenter(module).run(); }

Expected<TraceLayout> writeTraceObject(const std::string &bitcodeFile,
                                       const std::string &objectFile, const LoadOptions &options,
                                       function_ref<bool(StringRef)> isLinked) {
  Expected<EngineAddresses> engine = engineAddresses(bitcodeFile, options);
  if (!engine) return engine.takeError();
  LLVMContext context;
  LoadOptions ours = options;
  ours.runtimeBitcode.clear();
  // Variables stay in memory, as in a plain build: a read of an uninitialised one does natively
  // what it does there. Branches are the same either way.
  ours.lowerIntrinsics = false;
  ours.promoteLocals = false;
  Expected<std::unique_ptr<Module>> module = loadProgram(context, {bitcodeFile}, ours);
  if (!module) return module.takeError();
  numberLocals(**module);
  if (Error e = prepareModule(**module, ours)) return std::move(e);
  placeAddresses(**module, *engine);
  TraceLayout layout = instrumentForTrace(**module);
  letAllocationsFail(**module);
  layout.foreign = defineCallStubs(**module, isLinked);
  // Debug information is in the layout; in the object it would only take time.
  StripDebugInfo(**module);
  if (Error e = emitObject(**module, objectFile, CodeGenOptLevel::None)) return std::move(e);
  return layout;
}

} // namespace fathom::program
