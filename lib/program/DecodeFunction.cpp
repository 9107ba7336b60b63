// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function: which values share slots, block after block, renumbering at the end. Start at
// run().
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

bool sameScalars(const Layout &a, const Layout &b) {
  if (a.scalars.size() != b.scalars.size()) return false;
  for (size_t i = 0; i < a.scalars.size(); ++i)
    if (a.scalars[i].bits != b.scalars[i].bits) return false;
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

FunctionDecoder::Mode FunctionDecoder::modeOf(const Instruction &inst) const {
  if (auto *gep = dyn_cast<GetElementPtrInst>(&inst)) {
    if (foldsIntoAccesses(*gep)) return Mode::FoldedGep;
    return isRename(inst) ? Mode::Alias : Mode::Own;
  }
  if (auto *sext = dyn_cast<SExtInst>(&inst))
    return foldsIntoGeps(*sext) ? Mode::FoldedSext : Mode::Own;
  return isRename(inst) ? Mode::Alias : Mode::Own;
}

/// Does the instruction only give its first operand (or a part of it) another name or type?
bool FunctionDecoder::isRename(const Instruction &inst) const {
  const Layout &layout = layoutOf(&inst);
  if (!unsupportedType(layout).empty()) return false;
  auto sameAsOperand = [&] {
    const Layout &from = layoutOf(inst.getOperand(0));
    return unsupportedType(from).empty() && sameScalars(layout, from);
  };
  switch (inst.getOpcode()) {
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::Freeze: return sameAsOperand();
  case Instruction::ExtractValue: return unsupportedType(layoutOf(inst.getOperand(0))).empty();
  case Instruction::ExtractElement: {
    auto *index = dyn_cast<ConstantInt>(inst.getOperand(1));
    const Layout &from = layoutOf(inst.getOperand(0));
    return index && unsupportedType(from).empty() && index->getValue().ult(from.scalars.size());
  }
  case Instruction::GetElementPtr: {
    auto &gep = cast<GetElementPtrInst>(inst);
    return !gep.getType()->isVectorTy() && gep.hasAllZeroIndices();
  }
  case Instruction::Call:
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) switch (intrinsic->getIntrinsicID()) {
      case Intrinsic::expect:
      case Intrinsic::expect_with_probability:
      case Intrinsic::ssa_copy:
      case Intrinsic::launder_invariant_group:
      case Intrinsic::strip_invariant_group:
      case Intrinsic::annotation:
      case Intrinsic::ptr_annotation:
      case Intrinsic::arithmetic_fence:
      case Intrinsic::preserve_array_access_index:
      case Intrinsic::preserve_struct_access_index:
      case Intrinsic::preserve_union_access_index: return sameAsOperand();
      default: return false;
      }
    return false;
  default: return false;
  }
}

bool FunctionDecoder::foldsIntoAccesses(const GetElementPtrInst &gep) const {
  if (gep.getType()->isVectorTy() || !unsupportedType(layoutOf(&gep)).empty()) return false;
  APInt offset(64, 0);
  if (!gep.accumulateConstantOffset(m_.dl, offset)) return false;
  if (isa<Constant>(gep.getPointerOperand())) return true; // use() gives the number
  if (offset.isZero() || !offset.isSignedIntN(30)) return false;
  for (const User *user : gep.users()) {
    auto *inst = cast<Instruction>(user);
    if (inst->getParent() != gep.getParent()) return false;
    bool takes = isa<LoadInst>(inst);
    if (auto *store = dyn_cast<StoreInst>(inst)) takes = store->getValueOperand() != &gep;
    if (auto *outer = dyn_cast<GetElementPtrInst>(inst))
      takes = !outer->getType()->isVectorTy() && !outer->hasAllZeroIndices();
    if (!takes) return false;
  }
  return true;
}

bool FunctionDecoder::foldsIntoGeps(const SExtInst &sext) const {
  if (!sext.getType()->isIntegerTy(64) || !sext.getSrcTy()->isIntegerTy(32)) return false;
  for (const User *user : sext.users()) {
    auto *gep = dyn_cast<GetElementPtrInst>(user);
    if (!gep || gep->getParent() != sext.getParent() || gep->getType()->isVectorTy()) return false;
  }
  return !isa<Constant>(sext.getOperand(0));
}

/// Is the value, under any of its names, read outside `home`? Copies into phis happen at the end of
/// the block they come from.
bool FunctionDecoder::escapes(const Instruction &value, ArrayRef<const BasicBlock *> home) const {
  for (const Use &use : value.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *phi = dyn_cast<PHINode>(user)) {
      if (!llvm::is_contained(home, phi->getIncomingBlock(use))) return true;
      continue;
    }
    if (!llvm::is_contained(home, user->getParent())) return true;
    auto it = values_.find(user);
    if (it != values_.end() && it->second.mode != Mode::Own && escapes(*user, home)) return true;
  }
  return false;
}

/// Lets the values that flow into a phi be computed in its slot, where nothing reads the phi's old
/// value afterwards: i = i + 1 in a loop then needs no copy.
void FunctionDecoder::shareWithPhi(const PHINode &phi, uint32_t slot) {
  const Layout &layout = layoutOf(&phi);
  if (layout.scalars.size() != 1 || layout.scalars[0].wide()) return;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    auto *value = dyn_cast<Instruction>(phi.getIncomingValue(i));
    auto it = value ? values_.find(value) : values_.end();
    if (it == values_.end() || it->second.mode != Mode::Own || it->second.slot != kNoIndex ||
        !isSingleOperation(*value))
      continue;
    // The way from the value to the phi has to be a straight line of blocks.
    SmallVector<const BasicBlock *, 4> way{value->getParent()};
    while (way.back() != phi.getIncomingBlock(i) && way.size() < 8) {
      const BasicBlock *next = way.back()->getSingleSuccessor();
      if (!next || next == phi.getParent()) break;
      way.push_back(next);
    }
    // Beyond it the value must be dead: other ways into the phi's block give the slot other values.
    if (way.back() != phi.getIncomingBlock(i) || escapes(*value, way) ||
        readOnTheWay(phi, *value, way))
      continue;
    it->second.slot = slot;
    it->second.local = false;
  }
}

/// Is the instruction decoded so that its result is written after all operands were read?
bool FunctionDecoder::isSingleOperation(const Instruction &inst) const {
  if (isa<BinaryOperator>(inst) || isa<LoadInst>(inst) || isa<SelectInst>(inst) ||
      isa<ICmpInst>(inst))
    return true;
  if (auto *cast = dyn_cast<CastInst>(&inst)) return !isa<BitCastInst>(cast);
  if (auto *call = dyn_cast<CallInst>(&inst))
    return !isa<IntrinsicInst>(call) && !call->isInlineAsm();
  if (auto *gep = dyn_cast<GetElementPtrInst>(&inst))
    return cast<GEPOperator>(gep)->countNonConstantIndices() <= 1;
  return false;
}

/// May `phi`, under any of its names, be read between the end of `value`'s computation and the next
/// assignment to the phi? `way`: the blocks from value's to the one at whose end the phi becomes
/// `value`; all but the last have one successor.
bool FunctionDecoder::readOnTheWay(const Instruction &phi, const Instruction &value,
                                   ArrayRef<const BasicBlock *> way) const {
  // Behind a single successor, which is the phi's block, the phi has its new value.
  const bool onlyWay = way.back()->getSingleSuccessor() != nullptr;
  for (const Use &use : phi.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *other = dyn_cast<PHINode>(user)) {
      if (!onlyWay || llvm::is_contained(way, other->getIncomingBlock(use))) return true;
      continue;
    }
    auto it = values_.find(user);
    if (it != values_.end() && it->second.mode != Mode::Own) {
      if (readOnTheWay(*user, value, way)) return true;
      continue;
    }
    if (user->getParent() == way.front()) {
      if (user != &value && !user->comesBefore(&value)) return true;
    } else if (!onlyWay || llvm::is_contained(way, user->getParent())) {
      return true;
    }
  }
  return false;
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

// --- slots
// ---------------------------------------------------------------------------------------------------------

uint32_t FunctionDecoder::allocTemp(uint32_t slots) {
  auto it = tempFree_.find(slots);
  if (shareSlots_ && it != tempFree_.end() && !it->second.empty()) {
    uint32_t slot = it->second.back();
    it->second.pop_back();
    return slot;
  }
  uint32_t slot = tempNext_;
  tempNext_ += slots;
  tempMax_ = std::max(tempMax_, tempNext_);
  return slot | kTempBit;
}

void FunctionDecoder::freeTemp(uint32_t slot, uint32_t slots) {
  if (slots) tempFree_[slots].push_back(slot);
}

uint32_t FunctionDecoder::scratch(uint32_t slots) {
  uint32_t slot = allocTemp(slots);
  scratch_.push_back({slot, slots});
  return slot;
}

uint32_t FunctionDecoder::define(const Instruction &inst) {
  ValueState &state = values_.find(&inst)->second;
  if (state.slot == kNoIndex) state.slot = allocTemp(layoutOf(&inst).slots);
  return state.slot;
}

Operand FunctionDecoder::use(const Value *v, unsigned index) {
  if (auto *constant = dyn_cast<Constant>(v)) {
    auto word = m_.constants.element(constant, index);
    if (!word) {
      std::string text;
      raw_string_ostream(text) << *constant;
      fail("constant " + text);
      return Operand::ofConstant(0);
    }
    Operand o = Operand::ofConstant(word->lo, word->hi);
    o.undef = word->undef;
    return o;
  }
  auto it = values_.find(v);
  if (it == values_.end()) {
    fail("operand that is not a value");
    return Operand::ofConstant(0);
  }
  const ValueState &state = it->second;
  switch (state.mode) {
  case Mode::Own:
    assert(state.slot != kNoIndex && "value read before it was decoded");
    return Operand::ofSlot(state.slot + layoutOf(v).scalars[index].slot);
  case Mode::FoldedGep: {
    // Only reached with a constant base: other folded GEPs are read through addressOf.
    Address address = addressOf(v);
    assert(address.base.constant && "folded GEP read as a value");
    return Operand::ofConstant(address.base.lo + static_cast<uint64_t>(address.offset));
  }
  case Mode::FoldedSext: return use(cast<Instruction>(v)->getOperand(0));
  case Mode::Alias: break;
  }
  auto *inst = cast<Instruction>(v);
  if (auto *extract = dyn_cast<ExtractValueInst>(inst))
    return use(extract->getAggregateOperand(),
               firstScalar(extract->getAggregateOperand()->getType(), extract->getIndices()) +
                   index);
  if (auto *extract = dyn_cast<ExtractElementInst>(inst))
    return use(
        extract->getVectorOperand(),
        static_cast<unsigned>(cast<ConstantInt>(extract->getIndexOperand())->getZExtValue()));
  Operand o = use(inst->getOperand(0), index);
  if (isa<FreezeInst>(inst) && o.undef) o = Operand::ofConstant(0);
  return o;
}

uint32_t FunctionDecoder::reg(const Operand &o, unsigned bits) {
  if (!o.constant) return o.slot;
  if (o.undef) {
    uint32_t slot = scratch(slotsOfWidth(bits));
    uninit(slot, bits);
    return slot;
  }
  if (bits > 64) {
    uint32_t high = static_cast<uint32_t>(o.hi >> 32), low = static_cast<uint32_t>(o.hi);
    if (hoistConstants_) {
      auto [it, fresh] = hoistedWide_.try_emplace({o.lo, o.hi}, kConstBit | entryConstantSlots_);
      if (fresh) {
        entryConstants_.push_back(
            {Op::WideConst, uint8_t(bits), 0, it->second, 0, 0, low, high, o.lo});
        entryConstantSlots_ += 2;
      }
      return it->second;
    }
    auto [it, fresh] = blockWideConstants_.try_emplace({o.lo, o.hi}, 0);
    if (fresh) {
      it->second = allocTemp(2);
      emit(Op::WideConst, bits, it->second, 0, 0, low, high, o.lo);
    }
    return it->second;
  }
  if (hoistConstants_) {
    auto [it, fresh] = hoisted_.try_emplace(o.lo, kConstBit | entryConstantSlots_);
    if (fresh) {
      entryConstants_.push_back({Op::Const, uint8_t(bits), 0, it->second, 0, 0, 0, 0, o.lo});
      entryConstantSlots_ += 1;
    }
    return it->second;
  }
  auto [it, fresh] = blockConstants_.try_emplace(o.lo, 0);
  if (fresh) {
    it->second = allocTemp(1);
    emit(Op::Const, bits, it->second, 0, 0, 0, 0, o.lo);
  }
  return it->second;
}

uint32_t FunctionDecoder::useReg(const Value *v, unsigned index) {
  return reg(use(v, index), layoutOf(v).scalars[index].bits);
}

uint32_t FunctionDecoder::useAll(const Value *v) {
  const Layout &layout = layoutOf(v);
  if (layout.scalars.empty()) return 0;
  if (layout.scalars.size() == 1) return useReg(v);
  // Already consecutive?
  Operand first = use(v, 0);
  bool inPlace = !first.constant;
  for (unsigned i = 1; inPlace && i < layout.scalars.size(); ++i) {
    Operand o = use(v, i);
    inPlace = !o.constant && o.slot == first.slot + layout.scalars[i].slot;
  }
  if (inPlace) return first.slot;
  uint32_t slot = scratch(layout.slots);
  for (unsigned i = 0; i < layout.scalars.size(); ++i)
    move(slot + layout.scalars[i].slot, use(v, i), layout.scalars[i].bits);
  return slot;
}

Inst &FunctionDecoder::emit(Op op, unsigned w, uint32_t dst, uint32_t a, uint32_t b, uint32_t c,
                            uint32_t d, uint64_t imm, uint8_t flags) {
  code_.push_back({op, static_cast<uint8_t>(w), flags, dst, a, b, c, d, imm});
  locs_.push_back(currentLoc_);
  return code_.back();
}

void FunctionDecoder::uninit(uint32_t dst, unsigned bits, uint32_t variable) {
  emit(Op::Uninit, bits, dst, 0, 0, 0, variable);
}

void FunctionDecoder::move(uint32_t dst, const Operand &o, unsigned bits) {
  if (o.constant && o.undef) {
    uninit(dst, bits);
  } else if (o.constant && bits > 64) {
    emit(Op::WideConst, bits, dst, 0, 0, static_cast<uint32_t>(o.hi),
         static_cast<uint32_t>(o.hi >> 32), o.lo);
  } else if (o.constant) {
    emit(Op::Const, bits, dst, 0, 0, 0, 0, o.lo);
  } else if (o.slot != dst) {
    emit(bits > 64 ? Op::WideMov : Op::Mov, bits, dst, o.slot);
  }
}

// --- the end
// ---------------------------------------------------------------------------------------------------------

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
