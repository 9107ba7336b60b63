// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mem2reg that does not lose uninitialised reads. LLVM's mem2reg gives a read that no store reaches
// the value undef, which later code may take for anything. Here every variable that could be read
// too early first gets a store of a call to a marker function, so that mem2reg itself carries the
// marker to exactly the reads that can see it, through phis like any value. Unused markers are
// removed again.
#include "program/Prepare.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace fathom::program {
namespace {

constexpr StringLiteral kMarkerPrefix = "__fathom_uninit_";
constexpr StringLiteral kNameKind = "fathom.variable";

std::string typeSuffix(Type *type) {
  std::string text;
  raw_string_ostream os(text);
  type->print(os, /*IsForDebug=*/false, /*NoDetails=*/true);
  for (char &c : text)
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

Function *markerFor(Module &module, Type *type) {
  // Different types may share a suffix: then their types tell them apart.
  std::string name = (kMarkerPrefix + typeSuffix(type)).str();
  auto *functionType = FunctionType::get(type, /*isVarArg=*/false);
  for (unsigned i = 0;; ++i) {
    std::string candidate = i ? name + "." + std::to_string(i) : name;
    Function *existing = module.getFunction(candidate);
    if (!existing)
      return Function::Create(functionType, Function::ExternalLinkage, candidate, module);
    if (existing->getFunctionType() == functionType) return existing;
  }
}

StringRef sourceName(AllocaInst &alloca) {
  for (DbgVariableRecord *record : findDVRDeclares(&alloca))
    return record->getVariable()->getName();
  for (DbgDeclareInst *declare : findDbgDeclares(&alloca)) return declare->getVariable()->getName();
  return alloca.getName();
}

/// Is the variable's first access, in the order of the entry block, a store? Then nothing can read
/// it too early. Most are: parameters.
bool startsWithStore(const AllocaInst &alloca) {
  const Instruction *first = nullptr;
  for (const User *user : alloca.users()) {
    auto *inst = cast<Instruction>(user);
    if (inst->getParent() != alloca.getParent()) continue;
    if (!first || inst->comesBefore(first)) first = inst;
  }
  if (!isa_and_nonnull<StoreInst>(first)) return false;
  // A lifetime that starts later (a loop body's variable) makes the value indeterminate again.
  for (const User *user : alloca.users())
    if (cast<Instruction>(user)->isLifetimeStartOrEnd()) return false;
  return true;
}

void storeMarker(AllocaInst &alloca, Instruction *before, SmallVectorImpl<CallInst *> &markers) {
  Module &module = *alloca.getModule();
  CallInst *marker =
      CallInst::Create(markerFor(module, alloca.getAllocatedType()), {}, "", before->getIterator());
  marker->setMetadata(
      kNameKind,
      MDNode::get(module.getContext(), MDString::get(module.getContext(), sourceName(alloca))));
  new StoreInst(marker, &alloca, before->getIterator());
  markers.push_back(marker);
}

/// mem2reg tells debuggers what a variable has, but not on which line it was assigned, and of a
/// null pointer no instruction is left that does. A debug record keeps the assignment's place.
void keepPlacesOfNull(AllocaInst &alloca, DIBuilder &builder) {
  if (!alloca.getAllocatedType()->isPointerTy()) return;
  const auto keep = [&](DILocalVariable *variable, DIExpression *expression,
                        const DILocation *declared) {
    for (User *user : alloca.users()) {
      auto *store = dyn_cast<StoreInst>(user);
      if (!store || !isa<ConstantPointerNull>(store->getValueOperand())) continue;
      const DILocation *at = store->getDebugLoc();
      if (at && at->getLine() != 0 && at->getInlinedAt() == declared->getInlinedAt() &&
          variable->isValidLocationForIntrinsic(at))
        builder.insertDbgValueIntrinsic(store->getValueOperand(), variable, expression, at, store);
    }
  };
  for (DbgVariableRecord *record : findDVRDeclares(&alloca))
    keep(record->getVariable(), record->getExpression(), record->getDebugLoc());
  for (DbgDeclareInst *declare : findDbgDeclares(&alloca))
    keep(declare->getVariable(), declare->getExpression(), declare->getDebugLoc());
}

} // namespace

bool isUninitMarker(const Function &function) {
  return function.isDeclaration() && function.getName().starts_with(kMarkerPrefix);
}

bool isUninitMarker(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && isUninitMarker(*callee);
}

StringRef uninitVariable(const CallBase &marker) {
  const MDNode *node = marker.getMetadata(kNameKind);
  return node ? cast<MDString>(node->getOperand(0))->getString() : "";
}

void promoteLocals(Function &function) {
  if (function.isDeclaration() || function.callsFunctionThatReturnsTwice()) return;
  BasicBlock &entry = function.getEntryBlock();
  SmallVector<CallInst *, 8> markers;
  SmallVector<AllocaInst *, 16> allocas, unmarked;
  std::optional<DominatorTree> tree;
  DIBuilder builder(*function.getParent(), /*AllowUnresolved=*/false);
  // Promotion of one variable can make another promotable, whose address was stored in it.
  while (true) {
    allocas.clear();
    unmarked.clear();
    for (Instruction &inst : entry)
      if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && isAllocaPromotable(alloca)) {
        allocas.push_back(alloca);
        if (!startsWithStore(*alloca)) unmarked.push_back(alloca);
      }
    if (allocas.empty()) break;
    for (AllocaInst *alloca : unmarked) {
      SmallVector<Instruction *, 2> starts;
      for (User *user : alloca->users())
        if (auto *start = dyn_cast<LifetimeIntrinsic>(user);
            start && start->getIntrinsicID() == Intrinsic::lifetime_start && !mayBeAlive(*start))
          starts.push_back(start);
      storeMarker(*alloca, alloca->getNextNode(), markers);
      for (Instruction *start : starts) storeMarker(*alloca, start, markers);
    }
    for (AllocaInst *alloca : allocas) keepPlacesOfNull(*alloca, builder);
    if (!tree) tree.emplace(function);
    PromoteMemToReg(allocas, *tree);
  }
  for (CallInst *marker : markers)
    if (marker->use_empty()) marker->eraseFromParent();
}

} // namespace fathom::program
