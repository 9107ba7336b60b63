// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traps. A trap of clang's sanitizers carries the number of its check, but several conditions share
// one check: a division traps for a zero divisor and for the one quotient that does not fit, an
// access for a null pointer, one that is not aligned and an object that is too small. Which it was,
// the conditions say that the branch to the trap has joined:
//
//   br i1 (and (icmp ne ptr %p, null), (icmp eq (and %p, 3), 0)), label %go on, label %trap
#include "program/DecodeInstructions.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace fathom::program {
namespace {

/// Numbers of clang's SanitizerHandler (clang/lib/CodeGen/CodeGenFunction.h).
constexpr uint64_t kDivision = 3, kIndex = 18, kAccess = 22;

/// A sum, difference or product of numbers without a sign has the check of those with one.
bool isUnsignedOverflow(const Value *condition) {
  const Value *overflows = condition;
  match(condition, m_Xor(m_Value(overflows), m_AllOnes()));
  const Value *arithmetic;
  if (!match(overflows, m_ExtractValue<1>(m_Value(arithmetic)))) return false;
  auto *call = dyn_cast<IntrinsicInst>(arithmetic);
  return call && (call->getIntrinsicID() == Intrinsic::uadd_with_overflow ||
                  call->getIntrinsicID() == Intrinsic::usub_with_overflow ||
                  call->getIntrinsicID() == Intrinsic::umul_with_overflow);
}

/// What is done with a pointer that was checked: written through, or (also) read.
TrapCause accessThrough(const Value *pointer) {
  for (const User *user : pointer->users())
    if (isa<StoreInst>(user) && cast<StoreInst>(user)->getPointerOperand() == pointer)
      return TrapCause::Write;
  return TrapCause::Read;
}

void conditionsOf(const Value *condition, uint64_t check, const Value *&pointer,
                  SmallVectorImpl<TrapCondition> &out) {
  const Value *a, *b;
  CmpInst::Predicate predicate;
  if (match(condition, m_And(m_Value(a), m_Value(b)))) {
    conditionsOf(a, check, pointer, out);
    conditionsOf(b, check, pointer, out);
  } else if (check == kDivision) {
    if (match(condition, m_ICmp(predicate, m_Value(), m_Zero())))
      out.push_back({condition, TrapCause::Zero});
  } else if (match(condition, m_ICmp(predicate, m_Value(a), m_Zero())) &&
             a->getType()->isPointerTy()) {
    pointer = a;
    out.push_back({condition, TrapCause::Null});
  } else if (match(condition,
                   m_ICmp(predicate, m_And(m_PtrToInt(m_Value(a)), m_ConstantInt()), m_Zero()))) {
    pointer = a;
    out.push_back({condition, TrapCause::Misaligned});
  }
}

/// The cause of a failed check of an index into an array: what is done with the first element's
/// address that is computed where the check holds.
TrapCause accessAfter(const BasicBlock &block) {
  for (const Instruction &inst : block)
    if (isa<GetElementPtrInst>(inst)) return accessThrough(&inst);
  return TrapCause::Read;
}

} // namespace

TrapCause trapConditions(const IntrinsicInst &trap, SmallVectorImpl<TrapCondition> &conditions) {
  const uint64_t check = cast<ConstantInt>(trap.getArgOperand(0))->getZExtValue();
  const BasicBlock *from = trap.getParent()->getSinglePredecessor();
  auto *branch = from ? dyn_cast<BranchInst>(from->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || branch->getSuccessor(1) != trap.getParent())
    return TrapCause::Unknown;
  if (isUnsignedOverflow(branch->getCondition())) return TrapCause::Unsigned;
  if (check == kIndex) return accessAfter(*branch->getSuccessor(0));
  const Value *pointer = nullptr;
  if (check == kDivision || check == kAccess)
    conditionsOf(branch->getCondition(), check, pointer, conditions);
  return pointer ? accessThrough(pointer) : TrapCause::Unknown;
}

void decodeTrap(FunctionEmitter &e, const IntrinsicInst &inst) {
  if (inst.getIntrinsicID() != Intrinsic::ubsantrap) {
    e.emit(Op::Trap, 0, 0, 0, 0, 0, 0, ~uint64_t(0));
    return;
  }
  const uint64_t check = cast<ConstantInt>(inst.getArgOperand(0))->getZExtValue();
  SmallVector<TrapCondition, 4> conditions;
  const TrapCause last = trapConditions(inst, conditions);
  // Where no condition is false that is known, it was what is left; the first one that is counts.
  auto number = [](TrapCause cause) { return Operand::ofConstant(static_cast<uint64_t>(cause)); };
  Operand cause = number(last);
  for (const TrapCondition &c : reverse(conditions)) {
    const uint32_t dst = e.scratch();
    select(e, 64, dst, e.use(c.holds), cause, number(c.otherwise));
    cause = Operand::ofSlot(dst);
  }
  if (cause.constant)
    e.emit(Op::Trap, 0, 0, 0, 0, 0, static_cast<uint32_t>(last), check);
  else
    e.emit(Op::Trap, 0, 0, cause.slot, 1, 0, 0, check);
}

} // namespace fathom::program
