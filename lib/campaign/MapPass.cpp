// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/MapPass.h"

#include "campaign/Unreachable.h"
#include "program/Load.h"
#include "program/NativeObject.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"

#include <map>

using namespace llvm;

namespace fathom::campaign {

namespace {

class MapInstrumenter {
public:
  MapInstrumenter(Module &module, bool withPaths)
      : module_(module), withPaths_(withPaths), context_(module.getContext()),
        int8_(Type::getInt8Ty(context_)), int32_(Type::getInt32Ty(context_)),
        pointer_(PointerType::getUnqual(context_)) {}

  MapLayout run(bool withUnreachable) {
    program::hideProcessor(module_);
    UnreachableElements unreachable;
    if (withUnreachable) unreachable = unreachableElements(module_);
    terminators_ = program::collectBranches(module_, layout_);
    for (uint32_t id = 0; id < terminators_.size(); ++id)
      sideBase_[terminators_[id]->getParent()] = layout_.branches[id].sideBase;
    collectBlocks(); // before blocks are split
    collectEdges();
    layout_.unreachable = std::move(unreachable.sides);
    layout_.unreachable.insert(layout_.unreachable.end(), unreachable.blocks.begin(),
                               unreachable.blocks.end());
    layout_.unreachable.resize(layout_.elements());
    map_ = module_.getOrInsertGlobal("__fathom_fuzz_map", pointer_);
    // From here on the blocks are no longer those of the layout.
    for (auto &[block, counter] : marked_) {
      IRBuilder<> builder(&*block->getFirstInsertionPt());
      increment(builder, ConstantInt::get(int32_, counter));
    }
    for (uint32_t id = 0; id < terminators_.size(); ++id) countSides(*terminators_[id], id);
    program::callAtStart(module_, "__fathom_fuzz_start");
    new GlobalVariable(module_, int32_, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                       ConstantInt::get(int32_, layout_.counters()), "__fathom_fuzz_counters");
    auto *scratch = ArrayType::get(int8_, layout_.counters() + 1);
    new GlobalVariable(module_, scratch, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                       ConstantAggregateZero::get(scratch), "__fathom_fuzz_scratch");
    return std::move(layout_);
  }

private:
  /// The counters of all sides that lead from one block to another.
  void sidesBetween(const BasicBlock &from, const BasicBlock &to, std::vector<uint32_t> &out) {
    const uint32_t base = sideBase_.lookup(&from);
    const Instruction *terminator = from.getTerminator();
    std::vector<uint32_t> sides;
    if (auto *inst = dyn_cast<SwitchInst>(terminator)) {
      sides = program::switchSides(*inst);
    } else {
      sides = {1, 0}; // the first successor is the one of a condition that holds
    }
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
      if (terminator->getSuccessor(i) == &to &&
          std::find(out.begin(), out.end(), base + sides[i]) == out.end())
        out.push_back(base + sides[i]);
  }

  void collectBlocks() {
    for (Function &function : module_) {
      if (function.isDeclaration() || !program::isOwnFunction(function)) continue;
      std::map<std::pair<std::string, uint32_t>, std::vector<uint32_t>> lines; // by place: blocks
      for (BasicBlock &block : function) {
        MapLayout::Block shown;
        shown.function = function.getName().str();
        const auto number = static_cast<uint32_t>(layout_.blocks.size());
        const DILocation *last = nullptr;
        for (const Instruction &instruction : block) {
          const DebugLoc &at = instruction.getDebugLoc();
          if (!at || !at.getLine() || at.get() == last || isa<DbgInfoIntrinsic>(instruction))
            continue;
          const std::string file = program::sourceFile(at.get());
          if (!last) shown.file = file, shown.line = at.getLine(), shown.column = at.getCol();
          last = at.get();
          std::vector<uint32_t> &blocks = lines[{file, at.getLine()}];
          if (blocks.empty() || blocks.back() != number) blocks.push_back(number);
        }
        bool onlySides = !block.isEntryBlock() && !pred_empty(&block);
        for (const BasicBlock *from : predecessors(&block))
          onlySides = onlySides && sideBase_.count(from);
        if (onlySides) {
          for (const BasicBlock *from : predecessors(&block))
            sidesBetween(*from, block, shown.shownBy);
        } else {
          uint32_t counter = layout_.sides + layout_.markers++;
          shown.shownBy = {counter};
          marked_.emplace_back(&block, counter);
        }
        number_[&block] = number;
        layout_.blocks.push_back(std::move(shown));
      }
      for (auto &[place, blocks] : lines)
        layout_.statements.push_back(
            {function.getName().str(), place.first, place.second, std::move(blocks)});
    }
  }

  void collectEdges() {
    for (const Function &function : module_) {
      if (function.isDeclaration() || !program::isOwnFunction(function)) continue;
      for (const BasicBlock &block : function) {
        const uint32_t from = number_.lookup(&block);
        for (const Instruction &instruction : block)
          if (auto *call = dyn_cast<CallBase>(&instruction))
            if (const Function *callee = call->getCalledFunction();
                callee && !callee->isDeclaration() && program::isOwnFunction(*callee))
              layout_.edges.push_back({from, number_.lookup(&callee->getEntryBlock())});
        SmallSetVector<const BasicBlock *, 4> targets;
        for (const BasicBlock *to : successors(&block)) targets.insert(to);
        for (const BasicBlock *to : targets) {
          std::vector<uint32_t> sides;
          if (sideBase_.count(&block)) sidesBetween(block, *to, sides);
          for (uint32_t side : sides) layout_.edges.push_back({from, number_.lookup(to), side});
          if (sides.empty()) layout_.edges.push_back({from, number_.lookup(to)});
        }
      }
    }
  }

  void increment(IRBuilder<> &builder, Value *counter) {
    LoadInst *map = builder.CreateLoad(pointer_, map_);
    Value *at =
        builder.CreateInBoundsGEP(int8_, map, builder.CreateZExt(counter, builder.getInt64Ty()));
    LoadInst *before = builder.CreateLoad(int8_, at);
    Value *next = builder.CreateAdd(before, builder.getInt8(1));
    Value *wrapped = builder.CreateZExt(builder.CreateICmpEQ(next, builder.getInt8(0)), int8_);
    StoreInst *store = builder.CreateStore(builder.CreateAdd(next, wrapped), at);
    // None of the program's: sanitizers leave them alone.
    map->setNoSanitizeMetadata();
    before->setNoSanitizeMetadata();
    store->setNoSanitizeMetadata();
  }

  void countSides(Instruction &terminator, uint32_t id) {
    const uint32_t base = layout_.branches[id].sideBase;
    if (auto *branch = dyn_cast<BranchInst>(&terminator)) {
      IRBuilder<> builder(branch);
      Value *side = builder.CreateZExt(branch->getCondition(), int32_);
      increment(builder, builder.CreateAdd(side, ConstantInt::get(int32_, base)));
      tellSide(builder, id, side);
      return;
    }
    auto &inst = *cast<SwitchInst>(&terminator);
    const std::vector<uint32_t> sides = program::switchSides(inst);
    for (auto &[edge, successor] : program::splitSwitchEdges(inst)) {
      IRBuilder<> builder(edge->getTerminator());
      increment(builder, ConstantInt::get(int32_, base + sides[successor]));
      tellSide(builder, id, ConstantInt::get(int32_, sides[successor]));
    }
  }

  /// To runtime/native/states.c.
  void tellSide(IRBuilder<> &builder, uint32_t id, Value *side) {
    if (!withPaths_) return;
    FunctionCallee took =
        module_.getOrInsertFunction("__fathom_tookSide", Type::getVoidTy(context_), int32_, int32_);
    builder.CreateCall(took, {ConstantInt::get(int32_, id), side});
  }

  Module &module_;
  const bool withPaths_;
  LLVMContext &context_;
  Type *int8_, *int32_, *pointer_;
  Constant *map_ = nullptr;
  MapLayout layout_;
  DenseMap<const BasicBlock *, uint32_t> sideBase_;
  DenseMap<const BasicBlock *, uint32_t> number_; ///< of a block in the layout
  std::vector<Instruction *> terminators_;
  std::vector<std::pair<BasicBlock *, uint32_t>> marked_;
};

} // namespace

MapLayout instrumentForFuzzing(Module &module, bool withUnreachable, bool withPaths) {
  return MapInstrumenter(module, withPaths).run(withUnreachable);
}

} // namespace fathom::campaign
