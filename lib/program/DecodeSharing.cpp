// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a function need no slot of their own: other names of a value, address arithmetic
// that its accesses take over, and what is computed in the slot of the phi that it flows into.
#include "program/Decoder.h"
#include "program/Operands.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace fathom::program {

namespace {
bool sameScalars(const Layout &a, const Layout &b) {
  if (a.scalars.size() != b.scalars.size()) return false;
  for (size_t i = 0; i < a.scalars.size(); ++i)
    if (a.scalars[i].bits != b.scalars[i].bits) return false;
  return true;
}
} // namespace

ValueMode FunctionDecoder::modeOf(const Instruction &inst) const {
  if (auto *gep = dyn_cast<GetElementPtrInst>(&inst)) {
    if (foldsIntoAccesses(*gep)) return ValueMode::FoldedGep;
    return isRename(inst) ? ValueMode::Alias : ValueMode::Own;
  }
  if (auto *sext = dyn_cast<SExtInst>(&inst))
    return foldsIntoGeps(*sext) ? ValueMode::FoldedSext : ValueMode::Own;
  return isRename(inst) ? ValueMode::Alias : ValueMode::Own;
}

/// Does the instruction only give its first operand (or a part of it) another name or type?
bool FunctionDecoder::isRename(const Instruction &inst) const {
  const Layout &layout = e_.layoutOf(&inst);
  if (!unsupportedType(layout).empty()) return false;
  auto sameAsOperand = [&] {
    const Layout &from = e_.layoutOf(inst.getOperand(0));
    return unsupportedType(from).empty() && sameScalars(layout, from);
  };
  switch (inst.getOpcode()) {
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::Freeze: return sameAsOperand();
  case Instruction::ExtractValue: return unsupportedType(e_.layoutOf(inst.getOperand(0))).empty();
  case Instruction::ExtractElement: {
    auto *index = dyn_cast<ConstantInt>(inst.getOperand(1));
    const Layout &from = e_.layoutOf(inst.getOperand(0));
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
  if (gep.getType()->isVectorTy() || !unsupportedType(e_.layoutOf(&gep)).empty()) return false;
  APInt offset(64, 0);
  if (!gep.accumulateConstantOffset(e_.shared.dl, offset)) return false;
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
    auto it = e_.values.find(user);
    if (it != e_.values.end() && it->second.mode != ValueMode::Own && escapes(*user, home))
      return true;
  }
  return false;
}

/// Lets the values that flow into a phi be computed in its slot, where nothing reads the phi's old
/// value afterwards: i = i + 1 in a loop then needs no copy.
void FunctionDecoder::shareWithPhi(const PHINode &phi, uint32_t slot) {
  const Layout &layout = e_.layoutOf(&phi);
  if (layout.scalars.size() != 1 || layout.scalars[0].wide()) return;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    auto *value = dyn_cast<Instruction>(phi.getIncomingValue(i));
    auto it = value ? e_.values.find(value) : e_.values.end();
    if (it == e_.values.end() || it->second.mode != ValueMode::Own || it->second.slot != kNoIndex ||
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
  // After a single successor, which is the phi's block, the phi has its new value.
  const bool onlyWay = way.back()->getSingleSuccessor() != nullptr;
  for (const Use &use : phi.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *other = dyn_cast<PHINode>(user)) {
      if (!onlyWay || llvm::is_contained(way, other->getIncomingBlock(use))) return true;
      continue;
    }
    auto it = e_.values.find(user);
    if (it != e_.values.end() && it->second.mode != ValueMode::Own) {
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

} // namespace fathom::program
