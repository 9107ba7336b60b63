// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/ConditionTerms.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

using namespace llvm;

namespace fathom::campaign {

using expr::ExprPtr;

/// 0: neither an integer nor a pointer of at most 64 bits.
static unsigned widthOf(const Value &value) {
  const Type *type = value.getType();
  if (type->isPointerTy()) return 64;
  return type->isIntegerTy() && type->getIntegerBitWidth() <= 64 ? type->getIntegerBitWidth() : 0;
}

namespace {
/// What a load reads: a base address, an offset from it in bytes, and a type.
using Place = std::tuple<const Value *, int64_t, const Type *>;
using Loads = std::map<Place, const LoadInst *>;
} // namespace

static Place placeOf(const LoadInst &load) {
  const DataLayout &layout = load.getModule()->getDataLayout();
  APInt offset(64, 0);
  const Value *base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue(), load.getType()};
}

ConditionTerms::ConditionTerms(expr::ExprContext &context, const Function &function)
    : context_(context) {
  // What is known at the end of a block holds at the beginning of one that only it leads to.
  std::unordered_map<const BasicBlock *, Loads> atEnd;
  for (const BasicBlock *block : ReversePostOrderTraversal<const Function *>(&function)) {
    Loads loads;
    if (const BasicBlock *before = block->getSinglePredecessor())
      if (auto found = atEnd.find(before); found != atEnd.end()) loads = found->second;
    for (const Instruction &instruction : *block) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && load->isSimple()) {
        auto [same, isNew] = loads.try_emplace(placeOf(*load), load);
        if (!isNew) first_.emplace(load, same->second);
      } else if (instruction.mayWriteToMemory() || instruction.mayReadFromMemory()) {
        loads.clear(); // whatever calls are said to leave alone
      }
    }
    if (block->getTerminator()->getNumSuccessors() > 0) atEnd.emplace(block, std::move(loads));
  }
}

ExprPtr ConditionTerms::unknown(unsigned width) {
  const unsigned bytes = (width + 7) / 8;
  ExprPtr symbol = context_.symbol(fmt::format("v{}", symbols_++), bytes);
  return context_.trunc(expr::readWord(context_, symbol, uint64_t{0}, bytes), width);
}

ExprPtr ConditionTerms::term(const Value &value, unsigned depth) {
  const unsigned width = widthOf(value);
  if (auto *constant = dyn_cast<ConstantInt>(&value))
    return context_.constant(constant->getZExtValue(), width);
  if (isa<ConstantPointerNull>(value)) return context_.constant(0, width);
  if (isa<UndefValue>(value)) return unknown(width); // anything, and not the same at every use
  if (auto same = first_.find(&value); same != first_.end()) return term(*same->second, depth);
  if (auto found = terms_.find(&value); found != terms_.end()) return found->second;
  ExprPtr term = depth < kDeepest ? known(value, depth) : nullptr;
  if (!term) term = unknown(width);
  terms_.emplace(&value, term);
  return term;
}

ExprPtr ConditionTerms::known(const Value &value, unsigned depth) {
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return nullptr;
  for (const Value *operand : instruction->operands())
    if (!isa<PHINode>(instruction) && !isa<CallBase>(instruction) && !widthOf(*operand))
      return nullptr;
  const unsigned width = widthOf(value);
  auto operand = [&](unsigned i) { return term(*instruction->getOperand(i), depth + 1); };
  switch (instruction->getOpcode()) {
  case Instruction::ZExt: return context_.zext(operand(0), width);
  case Instruction::SExt: return context_.sext(operand(0), width);
  case Instruction::Trunc: return context_.trunc(operand(0), width);
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return widthOf(*instruction->getOperand(0)) >= width ? context_.trunc(operand(0), width)
                                                         : context_.zext(operand(0), width);
  case Instruction::Freeze: return operand(0);
  case Instruction::Select: return context_.ite(operand(0), operand(1), operand(2));
  case Instruction::ICmp: return knownComparison(*instruction, depth);
  case Instruction::PHI: return knownPhi(*cast<PHINode>(instruction));
  case Instruction::Call: {
    auto *call = dyn_cast<IntrinsicInst>(instruction);
    if (!call) return nullptr;
    auto smaller = [&](bool isSigned) {
      return isSigned ? context_.slt(operand(0), operand(1)) : context_.ult(operand(0), operand(1));
    };
    switch (call->getIntrinsicID()) {
    case Intrinsic::expect: return operand(0);
    case Intrinsic::umin: return context_.ite(smaller(false), operand(0), operand(1));
    case Intrinsic::smin: return context_.ite(smaller(true), operand(0), operand(1));
    case Intrinsic::umax: return context_.ite(smaller(false), operand(1), operand(0));
    case Intrinsic::smax: return context_.ite(smaller(true), operand(1), operand(0));
    default: return nullptr;
    }
  }
  default: return instruction->isBinaryOp() ? knownBinary(*instruction, depth) : nullptr;
  }
}

ExprPtr ConditionTerms::knownBinary(const Instruction &instruction, unsigned depth) {
  // Without a meaning that every processor shares: a shift by the width or more; what traps.
  auto *right = dyn_cast<ConstantInt>(instruction.getOperand(1));
  if (instruction.isShift() && !(right && right->getValue().ult(widthOf(instruction))))
    return nullptr;
  if (instruction.isIntDivRem() && !(right && !right->isZero())) return nullptr;
  ExprPtr a = term(*instruction.getOperand(0), depth + 1);
  ExprPtr b = term(*instruction.getOperand(1), depth + 1);
  switch (instruction.getOpcode()) {
  case Instruction::Add: return context_.add(a, b);
  case Instruction::Sub: return context_.sub(a, b);
  case Instruction::Mul: return context_.mul(a, b);
  case Instruction::UDiv: return context_.udiv(a, b);
  case Instruction::SDiv: return context_.sdiv(a, b);
  case Instruction::URem: return context_.urem(a, b);
  case Instruction::SRem: return context_.srem(a, b);
  case Instruction::Shl: return context_.shl(a, b);
  case Instruction::LShr: return context_.lshr(a, b);
  case Instruction::AShr: return context_.ashr(a, b);
  case Instruction::And: return context_.bvAnd(a, b);
  case Instruction::Or: return context_.bvOr(a, b);
  case Instruction::Xor: return context_.bvXor(a, b);
  default: return nullptr;
  }
}

ExprPtr ConditionTerms::knownComparison(const Instruction &instruction, unsigned depth) {
  ExprPtr a = term(*instruction.getOperand(0), depth + 1);
  ExprPtr b = term(*instruction.getOperand(1), depth + 1);
  switch (cast<ICmpInst>(instruction).getPredicate()) {
  case CmpInst::ICMP_EQ: return context_.eq(a, b);
  case CmpInst::ICMP_NE: return context_.ne(a, b);
  case CmpInst::ICMP_ULT: return context_.ult(a, b);
  case CmpInst::ICMP_ULE: return context_.ule(a, b);
  case CmpInst::ICMP_UGT: return context_.ult(b, a);
  case CmpInst::ICMP_UGE: return context_.ule(b, a);
  case CmpInst::ICMP_SLT: return context_.slt(a, b);
  case CmpInst::ICMP_SLE: return context_.sle(a, b);
  case CmpInst::ICMP_SGT: return context_.slt(b, a);
  case CmpInst::ICMP_SGE: return context_.sle(b, a);
  default: return nullptr;
  }
}

ExprPtr ConditionTerms::knownPhi(const PHINode &phi) {
  // One of a few constants, whichever way control came.
  SmallPtrSet<const ConstantInt *, 8> values;
  ExprPtr term = nullptr;
  for (const Value *incoming : phi.incoming_values()) {
    auto *constant = dyn_cast<ConstantInt>(incoming);
    if (!constant || values.size() == 8) return nullptr;
    if (!values.insert(constant).second) continue;
    ExprPtr value = context_.constant(constant->getZExtValue(), widthOf(phi));
    term = term ? context_.ite(unknown(1), value, term) : value;
  }
  return term;
}

} // namespace fathom::campaign
