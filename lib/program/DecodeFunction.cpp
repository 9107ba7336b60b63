// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function: its values, block after block, renumbering at the end. Start at run(). Which values
// share slots: DecodeSharing.cpp.
#include "program/Decoder.h"

#include "program/DecodeInstructions.h"
#include "program/Operands.h"

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
    : f_(function), e_(module, out) {}

void FunctionDecoder::run() {
  e_.asWritten = e_.out.own && isUnoptimised(f_);
  e_.shareSlots = !f_.callsFunctionThatReturnsTwice();
  analyse();
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const BasicBlock *next = i + 1 < blocks_.size() ? blocks_[i + 1] : nullptr;
    e_.beginBlock(*blocks_[i], next, onCycle_.lookup(blocks_[i]));
    decodeBlock(*blocks_[i]);
  }
  e_.finish();
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
      e_.addBlock(&block);
      instructions += block.size();
    }
  for (auto scc = scc_begin(&f_); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      for (const BasicBlock *block : *scc) onCycle_[block] = true;

  e_.values.reserve(static_cast<unsigned>(instructions + f_.arg_size()));
  for (const Argument &arg : f_.args()) {
    e_.values[&arg].slot = e_.crossSlots;
    e_.crossSlots += e_.layoutOf(&arg).slots;
  }
  for (const BasicBlock *block : blocks_)
    for (const Instruction &inst : *block) {
      if (inst.getType()->isVoidTy()) continue;
      ValueState &state = e_.values[&inst];
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
      ValueState &state = e_.values[&inst];
      if (state.mode != ValueMode::Own) continue;
      if (state.slot != kNoIndex) continue; // shares a phi's
      if (isa<PHINode>(inst)) {
        state.slot = e_.crossSlots;
        e_.crossSlots += e_.layoutOf(&inst).slots;
        if (e_.shareSlots) shareWithPhi(cast<PHINode>(inst), state.slot);
        continue;
      }
      state.local = e_.shareSlots && !escapes(inst, block) && !forTraps.contains(&inst);
      if (state.local) continue;
      state.slot = e_.crossSlots;
      e_.crossSlots += e_.layoutOf(&inst).slots;
    }
}

void FunctionDecoder::decodeBlock(const BasicBlock &block) {
  lineStarts_ = {};
  for (const Instruction &inst : block) decodeInstruction(inst);
  // A line whose code is but to go on with the next block begins with what stands before it: that
  // block can be reached in other ways.
  for (size_t i = e_.out.lineStarts.size(); i > 0 && e_.out.lineStarts[i - 1].first == e_.size();
       i--)
    --e_.out.lineStarts[i - 1].first;
  emitStubs(e_);
}

void FunctionDecoder::decodeInstruction(const Instruction &inst) {
  if (isa<PHINode>(inst) || isa<DbgInfoIntrinsic>(inst)) return;
  e_.setLocation(e_.shared.location(inst.getDebugLoc()));
  if (e_.out.own) noteLines(inst);
  auto it = e_.values.find(&inst);
  const bool hasValue = it != e_.values.end();
  const ValueMode mode = hasValue ? it->second.mode : ValueMode::Own;

  if (mode == ValueMode::Own) {
    const size_t start = e_.size();
    e_.failure.clear();
    if (const std::string &why = unsupportedType(e_.layoutOf(&inst)); !why.empty()) e_.fail(why);
    for (const Value *operand : inst.operands())
      if (operand->getType()->isFirstClassType() && !operand->getType()->isLabelTy() &&
          !operand->getType()->isMetadataTy() && !operand->getType()->isTokenTy())
        if (const std::string &why = unsupportedType(e_.layoutOf(operand)); !why.empty())
          e_.fail(why);
    if (!e_.failed()) dispatch(inst);
    if (e_.failed()) {
      e_.undoTo(start);
      e_.stubs.clear();
      e_.forgetBlockConstants();
      std::string text = "unsupported: " + e_.failure;
      if (!isa<CallBase>(inst)) text += " (" + std::string(inst.getOpcodeName()) + ")";
      e_.emit(Op::Unsupported, 0, 0, 0, 0, 0, 0, e_.shared.message(text));
      if (hasValue) e_.define(inst); // what follows is decoded, though never run
    }
    e_.releaseScratch();
  }

  if (mode == ValueMode::Own || it->second.uses == 0)
    for (const Value *operand : inst.operands()) dropUse(operand);
  if (hasValue && mode == ValueMode::Own) {
    // `it` may have been invalidated: values only grow in analyse(), but dropUse does not insert
    // either.
    ValueState &state = it->second;
    if (state.uses == 0 && state.local && state.slot != kNoIndex)
      e_.freeTemp(state.slot, e_.layoutOf(&inst).slots);
  }
}

void FunctionDecoder::noteLines(const Instruction &inst) {
  const auto here = static_cast<uint32_t>(e_.size());
  for (auto [file, line] : removedLines(inst))
    e_.out.lineStarts.emplace_back(here, e_.shared.location(file, line, 0));
  if (const DILocation *loc = lineStarts_.at(inst))
    e_.out.lineStarts.emplace_back(here, e_.shared.location(loc));
}

void FunctionDecoder::dropUse(const Value *value) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst) return;
  auto it = e_.values.find(inst);
  if (it == e_.values.end() || it->second.uses == 0) return;
  ValueState &state = it->second;
  if (--state.uses != 0) return;
  if (state.mode != ValueMode::Own) {
    for (const Value *operand : inst->operands()) dropUse(operand);
  } else if (state.local && state.slot != kNoIndex && inst->getParent() == e_.block) {
    e_.freeTemp(state.slot, e_.layoutOf(inst).slots);
  }
}

void FunctionDecoder::dispatch(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Br: return decodeBranch(e_, cast<BranchInst>(inst));
  case Instruction::Switch: return decodeSwitch(e_, cast<SwitchInst>(inst));
  case Instruction::IndirectBr: return decodeIndirectBr(e_, cast<IndirectBrInst>(inst));
  case Instruction::Ret: return decodeReturn(e_, cast<ReturnInst>(inst));
  case Instruction::Unreachable: e_.emit(Op::Unreachable, 0, 0); return;
  case Instruction::Alloca: return decodeAlloca(e_, cast<AllocaInst>(inst));
  case Instruction::Load: return decodeLoad(e_, cast<LoadInst>(inst));
  case Instruction::Store: return decodeStore(e_, cast<StoreInst>(inst));
  case Instruction::GetElementPtr: return decodeGep(e_, cast<GetElementPtrInst>(inst));
  case Instruction::AtomicCmpXchg: return decodeCmpXchg(e_, cast<AtomicCmpXchgInst>(inst));
  case Instruction::AtomicRMW: return decodeAtomicRmw(e_, cast<AtomicRMWInst>(inst));
  case Instruction::Fence: return; // one thread
  case Instruction::ICmp: return decodeICmp(e_, cast<ICmpInst>(inst));
  case Instruction::FCmp: return decodeFCmp(e_, inst, cast<FCmpInst>(inst).getPredicate());
  case Instruction::FNeg: return decodeFNeg(e_, cast<UnaryOperator>(inst));
  case Instruction::Select: return decodeSelect(e_, cast<SelectInst>(inst));
  case Instruction::Freeze: // of a type isRename cannot alias: none, kept for safety
    return e_.fail("freeze of this type");
  case Instruction::Call:
  case Instruction::Invoke: return decodeCall(e_, cast<CallBase>(inst));
  case Instruction::CallBr:
    return e_.fail("asm goto: " +
                   cast<InlineAsm>(cast<CallBase>(inst).getCalledOperand())->getAsmString());
  case Instruction::ExtractElement: return decodeExtractElement(e_, cast<ExtractElementInst>(inst));
  case Instruction::InsertElement: return decodeInsertElement(e_, cast<InsertElementInst>(inst));
  case Instruction::ShuffleVector: return decodeShuffle(e_, cast<ShuffleVectorInst>(inst));
  case Instruction::InsertValue: return decodeInsertValue(e_, cast<InsertValueInst>(inst));
  case Instruction::VAArg: return decodeVaArg(e_, cast<VAArgInst>(inst));
  case Instruction::LandingPad:
  case Instruction::Resume:
  case Instruction::CatchSwitch:
  case Instruction::CatchPad:
  case Instruction::CatchRet:
  case Instruction::CleanupPad:
  case Instruction::CleanupRet: return e_.fail("exception handling");
  default: break;
  }
  if (auto *binary = dyn_cast<BinaryOperator>(&inst)) return decodeBinary(e_, *binary);
  if (auto *cast = dyn_cast<CastInst>(&inst)) return decodeCast(e_, *cast);
  e_.fail(std::string("instruction ") + inst.getOpcodeName());
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
    if (!name.empty()) e_.out.params[arg.getArgNo()].name = name.str();
  }
}

} // namespace fathom::program
