// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/MayThrow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {

bool catchesAll(const LandingPadInst &pad) {
  for (unsigned i = 0; i < pad.getNumClauses(); ++i)
    if (pad.isCatch(i) && isa<ConstantPointerNull>(pad.getClause(i))) return true;
  return false;
}

namespace {

const Function *calleeOf(const CallBase &call) {
  const Value *callee = call.getCalledOperand()->stripPointerCastsAndAliases();
  return dyn_cast<Function>(callee);
}

/// Is it C of libc, whose own tables of functions do not throw?
bool isLibc(const Function &f) {
  return f.hasFnAttribute(Attribute::NoUnwind) &&
         (f.hasFnAttribute("fathom-libc") || f.hasFnAttribute("fathom-runtime"));
}

/// Can a call through a pointer come to code that is not libc's?
bool callsOut(const CallBase &call) {
  return !isLibc(*call.getFunction()) ||
         isa<Argument>(call.getCalledOperand()->stripPointerCasts());
}

/// Can the function behind the pointer have another type than the call?
bool hasAnyType(const CallBase &call) {
  return call.getFunctionType()->isVarArg() ||
         call.getFunction()->hasFnAttribute(Attribute::NoUnwind); // C, as a rule
}

/// Does what the call throws leave the function, as far as its landing pad says?
bool passesOn(const CallBase &call) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  if (!invoke) return true;
  const LandingPadInst *pad = invoke->getLandingPadInst();
  return !pad->isCleanup() && !catchesAll(*pad); // the resume behind a cleanup does
}

/// What a function does that matters here.
struct Calls {
  SmallVector<std::pair<const Function *, bool>> direct;       ///< callee, is it passed on?
  SmallVector<std::pair<const FunctionType *, bool>> indirect; ///< type, null: any
  bool resumes = false;
};

} // namespace

MayThrow::MayThrow(const Module &module, const Function *thrower) : thrower_(thrower) {
  if (!thrower) return;
  DenseMap<const Function *, Calls> calls;
  DenseMap<const Function *, SmallVector<const Function *>> callersOf;
  DenseMap<const FunctionType *, SmallVector<const Function *>> callersOfType;
  for (const Function &f : module) {
    if (f.isDeclaration() || &f == thrower) continue;
    Calls &of = calls[&f];
    for (const Instruction &i : instructions(f)) {
      if (isa<ResumeInst>(i)) of.resumes = true;
      auto *call = dyn_cast<CallBase>(&i);
      if (!call || call->isInlineAsm()) continue;
      if (const Function *callee = calleeOf(*call)) {
        if (callee->isIntrinsic()) continue;
        of.direct.push_back({callee, passesOn(*call)});
        callersOf[callee].push_back(&f);
      } else if (callsOut(*call)) {
        const FunctionType *type = hasAnyType(*call) ? nullptr : call->getFunctionType();
        of.indirect.push_back({type, passesOn(*call)});
        callersOfType[type].push_back(&f);
      }
    }
  }
  SmallVector<const Function *> work{thrower};
  functions_.insert(thrower);
  auto consider = [&](const Function *f) {
    if (functions_.contains(f)) return;
    const Calls &of = calls[f];
    auto throws = [&](const auto &list, const auto &among) {
      return any_of(list, [&](const auto &call) {
        return among.contains(call.first) && (call.second || of.resumes);
      });
    };
    if (!throws(of.direct, functions_) && !throws(of.indirect, types_)) return;
    functions_.insert(f);
    work.push_back(f);
  };
  while (!work.empty()) {
    const Function *f = work.pop_back_val();
    for (const Function *caller : callersOf[f]) consider(caller);
    if (!f->hasAddressTaken()) continue;
    const FunctionType *types[] = {nullptr, f->getFunctionType()};
    for (const FunctionType *type : types)
      if (types_.insert(type).second)
        for (const Function *caller : callersOfType[type]) consider(caller);
  }
}

bool MayThrow::call(const CallBase &call) const {
  if (call.isInlineAsm()) return false;
  if (const Function *callee = calleeOf(call)) return functions_.contains(callee);
  return callsOut(call) && types_.contains(hasAnyType(call) ? nullptr : call.getFunctionType());
}

} // namespace fathom::program
