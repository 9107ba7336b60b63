// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/PureFunctions.h"

#include "program/Prepare.h"
#include "support/GreatestFixpoint.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <map>
#include <vector>

namespace fathom::program {

using namespace llvm;

static bool isPureIntrinsic(const Function &f) {
  switch (f.getIntrinsicID()) {
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_assign:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
  case Intrinsic::assume:
  case Intrinsic::expect:
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::sqrt:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow: return true;
  default: return false;
  }
}

namespace {

class Finder {
public:
  explicit Finder(const Module &module) {
    for (const Function &f : module)
      if (!f.isDeclaration() && isPureByItself(f)) pure_.insert(&f);
    // Callers of a function that is not pure are not pure either.
    std::vector<const Function *> others;
    for (auto &[callee, callers] : callers_)
      if (!pure_.contains(callee)) others.push_back(callee);
    while (!others.empty()) {
      const Function *callee = others.back();
      others.pop_back();
      for (const Function *caller : callers_[callee])
        if (pure_.erase(caller)) others.push_back(caller);
    }
  }
  DenseSet<const Function *> take() { return std::move(pure_); }

private:
  bool isPureByItself(const Function &f) {
    for (const Instruction &in : instructions(f)) {
      if (isa<IntToPtrInst, PtrToIntInst, VAArgInst>(in) || in.isAtomic() || in.isVolatile())
        return false;
      auto *call = dyn_cast<CallBase>(&in);
      for (const Use &use : in.operands())
        if (!(call && call->isCallee(&use)) && !isConstantData(use.get())) return false;
      if (const Value *p = getLoadStorePointerOperand(&in);
          p && p->getType()->getPointerAddressSpace())
        return false; // a variable of the thread
      if (!call) continue;
      if (call->isInlineAsm()) return false;
      auto *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCastsAndAliases());
      if (!callee) return false;
      if (isUninitMarker(*callee)) continue;
      if (callee->isIntrinsic() ? !isPureIntrinsic(*callee) : callee->isDeclaration()) return false;
      if (!callee->isIntrinsic()) callers_[callee].push_back(&f);
    }
    return true;
  }

  /// Leads from there to nothing that can change?
  bool isConstantData(const Value *value) {
    auto *constant = dyn_cast<Constant>(value);
    if (!constant) return !isa<InlineAsm>(value);
    if (isa<ConstantData>(constant)) return true;
    return data_.answer(constant, [&] { return IsData{leadsToData(*constant)}; }).isConstant;
  }

  bool leadsToData(const Constant &constant) {
    bool fine = !isa<Function, GlobalAlias, GlobalIFunc, BlockAddress>(constant);
    if (auto *global = dyn_cast<GlobalVariable>(&constant))
      fine = global->isConstant() && global->hasInitializer() && !global->isThreadLocal();
    if (auto *e = dyn_cast<ConstantExpr>(&constant))
      fine = e->getOpcode() != Instruction::IntToPtr && e->getOpcode() != Instruction::PtrToInt;
    for (unsigned i = 0; fine && i < constant.getNumOperands(); ++i)
      fine = isConstantData(constant.getOperand(i));
    return fine;
  }

  DenseSet<const Function *> pure_;
  std::map<const Function *, std::vector<const Function *>> callers_;
  struct IsData {
    bool isConstant = true;
    bool holds() const { return isConstant; }
  };
  GreatestFixpoint<const Constant *, IsData> data_; ///< variables may lead to each other
};

} // namespace

DenseSet<const Function *> pureFunctions(const Module &module) { return Finder(module).take(); }

} // namespace fathom::program
