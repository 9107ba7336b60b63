// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function: its values, block after block, renumbering at the end. Start at run(). Which values
// share slots: DecodeSharing.cpp.
#include "program/Decoder.h"
#include "program/Operands.h"
#include "program/ShareSlots.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace fathom::program {
namespace {

/// Are this function's instructions what the programmer wrote? An optimisation may have derived an
/// `nsw`, or compute an overflowing value or a shift by too much speculatively and never use it.
bool isUnoptimised(const Function &f) {
  if (const DISubprogram *sp = f.getSubprogram()) return !sp->isOptimized();
  // Without debug information: clang writes type-based alias information and lifetimes only when it
  // optimises.
  for (const BasicBlock &block : f)
    for (const Instruction &inst : block)
      if (inst.hasMetadata(LLVMContext::MD_tbaa) || inst.isLifetimeStartOrEnd()) return false;
  return true;
}

} // namespace

FunctionDecoder::FunctionDecoder(ModuleDecoder &module, const Function &function, FunctionCode &out)
    : m_(module), f_(function), out_(out) {}

void FunctionDecoder::run() {
  asWritten_ = out_.own && isUnoptimised(f_);
  shareSlots_ = !f_.callsFunctionThatReturnsTwice();
  analyse();
  for (size_t i = 0; i < blocks_.size(); ++i) {
    next_ = i + 1 < blocks_.size() ? blocks_[i + 1] : nullptr;
    decodeBlock(*blocks_[i]);
  }
  finish();
  nameAllocasAndParams();
}

void FunctionDecoder::analyse() {
  // Unreachable blocks need not be in SSA form, and are never run: leave them out.
  SmallPtrSet<const BasicBlock *, 32> reached;
  SmallVector<const BasicBlock *, 32> work{&f_.getEntryBlock()};
  reached.insert(&f_.getEntryBlock());
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    for (const BasicBlock *next : successors(block))
      if (reached.insert(next).second) work.push_back(next);
  }
  size_t instructions = 0;
  for (const BasicBlock &block : f_)
    if (reached.contains(&block)) {
      blocks_.push_back(&block);
      blockLabels_[&block] = newLabel();
      instructions += block.size();
    }
  for (auto scc = scc_begin(&f_); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      for (const BasicBlock *block : *scc) onCycle_[block] = true;

  values_.reserve(static_cast<unsigned>(instructions + f_.arg_size()));
  crossSlots_ = 0;
  for (const Argument &arg : f_.args()) {
    values_[&arg].slot = crossSlots_;
    crossSlots_ += layoutOf(&arg).slots;
  }
  for (const BasicBlock *block : blocks_)
    for (const Instruction &inst : *block) {
      if (inst.getType()->isVoidTy()) continue;
      ValueState &state = values_[&inst];
      state.mode = modeOf(inst);
      state.uses = inst.getNumUses();
    }
  SmallPtrSet<const Value *, 8> forTraps; // conditions that the traps' blocks read (DecodeTrap.cpp)
  for (const BasicBlock *block : blocks_)
    for (const Instruction &inst : *block)
      if (auto *trap = dyn_cast<IntrinsicInst>(&inst);
          trap && trap->getIntrinsicID() == Intrinsic::ubsantrap) {
        SmallVector<TrapCondition, 4> conditions;
        trapConditions(*trap, conditions);
        for (const TrapCondition &c : conditions) forTraps.insert(c.holds);
      }
  for (const BasicBlock *block : blocks_)
    for (const Instruction &inst : *block) {
      if (inst.getType()->isVoidTy()) continue;
      ValueState &state = values_[&inst];
      if (state.mode != Mode::Own) continue;
      if (state.slot != kNoIndex) continue; // shares a phi's
      if (isa<PHINode>(inst)) {
        state.slot = crossSlots_;
        crossSlots_ += layoutOf(&inst).slots;
        if (shareSlots_) shareWithPhi(cast<PHINode>(inst), state.slot);
        continue;
      }
      state.local = shareSlots_ && !escapes(inst, block) && !forTraps.contains(&inst);
      if (state.local) continue;
      state.slot = crossSlots_;
      crossSlots_ += layoutOf(&inst).slots;
    }
}

void FunctionDecoder::decodeBlock(const BasicBlock &block) {
  block_ = &block;
  hoistConstants_ = onCycle_.lookup(&block);
  forgetBlockConstants();
  if (shareSlots_) tempNext_ = 0;
  tempFree_.clear();
  uint32_t label = labelOf(&block);
  placeLabel(label);
  blockStartLabels_.push_back(label);
  lineStarts_ = {};
  for (const Instruction &inst : block) decodeInstruction(inst);
  // A line whose code is but to go on with the next block begins with what stands before it: that
  // block can be reached in other ways.
  for (size_t i = out_.lineStarts.size(); i > 0 && out_.lineStarts[i - 1].first == code_.size();
       i--)
    --out_.lineStarts[i - 1].first;
  emitStubs();
}

void FunctionDecoder::decodeInstruction(const Instruction &inst) {
  if (isa<PHINode>(inst) || isa<DbgInfoIntrinsic>(inst)) return;
  current_ = &inst;
  currentLoc_ = m_.location(inst.getDebugLoc());
  if (out_.own) noteLines(inst);
  auto it = values_.find(&inst);
  const bool hasValue = it != values_.end();
  const Mode mode = hasValue ? it->second.mode : Mode::Own;

  if (mode == Mode::Own) {
    const size_t start = code_.size();
    failure_.clear();
    if (const std::string &why = unsupportedType(layoutOf(&inst)); !why.empty()) fail(why);
    for (const Value *operand : inst.operands())
      if (operand->getType()->isFirstClassType() && !operand->getType()->isLabelTy() &&
          !operand->getType()->isMetadataTy() && !operand->getType()->isTokenTy())
        if (const std::string &why = unsupportedType(layoutOf(operand)); !why.empty()) fail(why);
    if (!failed()) dispatch(inst);
    if (failed()) {
      code_.resize(start);
      locs_.resize(start);
      stubs_.clear();
      forgetBlockConstants();
      std::string text = "unsupported: " + failure_;
      if (!isa<CallBase>(inst)) text += " (" + std::string(inst.getOpcodeName()) + ")";
      emit(Op::Unsupported, 0, 0, 0, 0, 0, 0, m_.message(text));
      if (hasValue) define(inst); // what follows is decoded, though never run
    }
    for (auto [slot, n] : scratch_) freeTemp(slot, n);
    scratch_.clear();
  }

  if (mode == Mode::Own || it->second.uses == 0)
    for (const Value *operand : inst.operands()) dropUse(operand);
  if (hasValue && mode == Mode::Own) {
    // `it` may have been invalidated: values_ only grows in analyse(), but dropUse does not insert
    // either.
    ValueState &state = it->second;
    if (state.uses == 0 && state.local && state.slot != kNoIndex)
      freeTemp(state.slot, layoutOf(&inst).slots);
  }
}

void FunctionDecoder::noteLines(const Instruction &inst) {
  const auto here = static_cast<uint32_t>(code_.size());
  for (auto [file, line] : removedLines(inst))
    out_.lineStarts.emplace_back(here, m_.location(file, line, 0));
  if (const DILocation *loc = lineStarts_.at(inst))
    out_.lineStarts.emplace_back(here, m_.location(loc));
}

void FunctionDecoder::dropUse(const Value *value) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst) return;
  auto it = values_.find(inst);
  if (it == values_.end() || it->second.uses == 0) return;
  ValueState &state = it->second;
  if (--state.uses != 0) return;
  if (state.mode != Mode::Own) {
    for (const Value *operand : inst->operands()) dropUse(operand);
  } else if (state.local && state.slot != kNoIndex && inst->getParent() == block_) {
    freeTemp(state.slot, layoutOf(inst).slots);
  }
}

void FunctionDecoder::dispatch(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Br: return decodeBranch(cast<BranchInst>(inst));
  case Instruction::Switch: return decodeSwitch(cast<SwitchInst>(inst));
  case Instruction::IndirectBr: return decodeIndirectBr(cast<IndirectBrInst>(inst));
  case Instruction::Ret: return decodeReturn(cast<ReturnInst>(inst));
  case Instruction::Unreachable: emit(Op::Unreachable, 0, 0); return;
  case Instruction::Alloca: return decodeAlloca(cast<AllocaInst>(inst));
  case Instruction::Load: return decodeLoad(cast<LoadInst>(inst));
  case Instruction::Store: return decodeStore(cast<StoreInst>(inst));
  case Instruction::GetElementPtr: return decodeGep(cast<GetElementPtrInst>(inst));
  case Instruction::AtomicCmpXchg: return decodeCmpXchg(cast<AtomicCmpXchgInst>(inst));
  case Instruction::AtomicRMW: return decodeAtomicRmw(cast<AtomicRMWInst>(inst));
  case Instruction::Fence: return; // one thread
  case Instruction::ICmp: return decodeICmp(cast<ICmpInst>(inst));
  case Instruction::FCmp: return decodeFCmp(inst, cast<FCmpInst>(inst).getPredicate());
  case Instruction::FNeg: return decodeFNeg(cast<UnaryOperator>(inst));
  case Instruction::Select: return decodeSelect(cast<SelectInst>(inst));
  case Instruction::Freeze: // of a type isRename cannot alias: none, kept for safety
    return fail("freeze of this type");
  case Instruction::Call:
  case Instruction::Invoke: return decodeCall(cast<CallBase>(inst));
  case Instruction::CallBr:
    return fail("asm goto: " +
                cast<InlineAsm>(cast<CallBase>(inst).getCalledOperand())->getAsmString());
  case Instruction::ExtractElement: return decodeExtractElement(cast<ExtractElementInst>(inst));
  case Instruction::InsertElement: return decodeInsertElement(cast<InsertElementInst>(inst));
  case Instruction::ShuffleVector: return decodeShuffle(cast<ShuffleVectorInst>(inst));
  case Instruction::InsertValue: return decodeInsertValue(cast<InsertValueInst>(inst));
  case Instruction::VAArg: return decodeVaArg(cast<VAArgInst>(inst));
  case Instruction::LandingPad:
  case Instruction::Resume:
  case Instruction::CatchSwitch:
  case Instruction::CatchPad:
  case Instruction::CatchRet:
  case Instruction::CleanupPad:
  case Instruction::CleanupRet: return fail("exception handling");
  default: break;
  }
  if (auto *binary = dyn_cast<BinaryOperator>(&inst)) return decodeBinary(*binary);
  if (auto *cast = dyn_cast<CastInst>(&inst)) return decodeCast(*cast);
  fail(std::string("instruction ") + inst.getOpcodeName());
}

void FunctionDecoder::finish() {
  const uint32_t prefix = static_cast<uint32_t>(entryConstants_.size());
  const uint32_t constBase = crossSlots_, tempBase = crossSlots_ + entryConstantSlots_;
  auto number = [&](uint32_t &slot) {
    if (slot & kTempBit)
      slot = tempBase + (slot & ~kTempBit);
    else if (slot & kConstBit)
      slot = constBase + (slot & ~kConstBit);
  };
  for (auto [stub, block] : emptyStubs_) labels_[stub] = labels_[block];
  // The constants belong to the entry block, which nothing jumps to.
  for (uint32_t &label : labels_) label += prefix;
  labels_[blockStartLabels_.front()] = 0;

  out_.code = std::move(entryConstants_);
  out_.code.insert(out_.code.end(), code_.begin(), code_.end());
  for (auto &[inst, location] : out_.lineStarts) inst += prefix;
  out_.locs.assign(prefix, 0);
  out_.locs.insert(out_.locs.end(), locs_.begin(), locs_.end());
  for (Inst &inst : out_.code) {
    forEachSlot(inst, [&](uint32_t &slot, uint32_t, bool) { number(slot); });
    if (inst.op == Op::Jmp) inst.c = labels_[inst.c];
    if (inst.op == Op::CondJmp) inst.c = labels_[inst.c], inst.d = labels_[inst.d];
  }
  for (uint32_t &slot : out_.pool) number(slot);
  for (auto &list : out_.varArgs)
    for (VarArg &arg : list) number(arg.slot);
  for (SwitchTable &table : out_.switches) {
    table.defaultTarget = labels_[table.defaultTarget];
    for (uint32_t &target : table.targets) target = labels_[target];
  }
  for (auto &list : out_.blockTargets)
    for (auto &[address, target] : list) target = labels_[target];
  for (uint32_t label : blockStartLabels_) out_.blockStarts.push_back(labels_[label]);
  out_.localBase = tempBase;
  out_.slots = tempBase + tempMax_;
  if (shareSlots_) fathom::program::shareSlots(m_.program, out_);
}

void FunctionDecoder::nameAllocasAndParams() {
  if (!f_.getSubprogram()) return;
  auto parameterName = [](const Value *location) -> StringRef {
    SmallVector<DbgVariableIntrinsic *, 2> intrinsics;
    SmallVector<DbgVariableRecord *, 2> records;
    findDbgUsers(intrinsics, const_cast<Value *>(location), &records);
    for (const DbgVariableRecord *record : records)
      if (record->getVariable()->isParameter() && !record->getDebugLoc().getInlinedAt())
        return record->getVariable()->getName();
    for (const DbgVariableIntrinsic *record : intrinsics)
      if (record->getVariable()->isParameter() && !record->getDebugLoc().getInlinedAt())
        return record->getVariable()->getName();
    return "";
  };
  for (const Argument &arg : f_.args()) {
    StringRef name = parameterName(&arg);
    // A parameter whose address is taken is stored into its variable at entry.
    for (const User *user : arg.users())
      if (auto *store = dyn_cast<StoreInst>(user);
          store && name.empty() && store->getValueOperand() == &arg)
        name = parameterName(store->getPointerOperand()->stripInBoundsConstantOffsets());
    if (!name.empty()) out_.params[arg.getArgNo()].name = name.str();
  }
}

} // namespace fathom::program
