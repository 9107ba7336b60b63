// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/TypeLayouts.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace fathom::statics {

LayoutId TypeLayouts::of(Type *type) {
  auto known = known_.find(type);
  if (known != known_.end()) return known->second;
  const LayoutId made = make(type);
  known_[type] = made;
  return made;
}

LayoutId TypeLayouts::make(Type *type) {
  if (!type->isSized()) return 0;
  const uint64_t bytes = dl_.getTypeAllocSize(type).getKnownMinValue();
  if (auto *array = dyn_cast<ArrayType>(type))
    return layouts_.array(of(array->getElementType()), array->getNumElements());
  auto *structure = dyn_cast<StructType>(type);
  if (!structure) return layouts_.leaf(bytes);
  std::vector<std::pair<uint64_t, LayoutId>> members;
  const StructLayout *layout = dl_.getStructLayout(structure);
  for (unsigned i = 0; i < structure->getNumElements(); i++) {
    Type *member = structure->getElementType(i);
    if (dl_.getTypeAllocSize(member).getKnownMinValue() > 0) // no room, no leaf of its own
      members.emplace_back(layout->getElementOffset(i), of(member));
  }
  return layouts_.structure(bytes, members);
}

namespace {

class Uses {
public:
  explicit Uses(const DataLayout &dl) : dl_(dl) {}
  Type *largest() const { return largest_; }

  void follow(const Value &pointer, unsigned calls) {
    if (!seen_.insert(&pointer).second || seen_.size() > kMaxSeen) return;
    for (const User *user : pointer.users()) {
      if (auto *gep = dyn_cast<GEPOperator>(user)) {
        if (gep->getPointerOperand() == &pointer) consider(gep->getSourceElementType());
      } else if (isa<PHINode, SelectInst, CastInst, FreezeInst>(user)) {
        follow(*user, calls);
      } else if (auto *call = dyn_cast<CallBase>(user)) {
        if (calls > 0) followCall(*call, pointer, calls - 1);
      } else if (isa<ReturnInst>(user) && calls > 0) {
        followReturn(*cast<Instruction>(user)->getFunction(), calls - 1);
      }
    }
  }

private:
  static constexpr size_t kMaxSeen = 500;

  void consider(Type *type) {
    auto size = [&](Type *t) { return dl_.getTypeAllocSize(t).getKnownMinValue(); };
    if (!type->isStructTy() || !type->isSized()) return;
    if (!largest_ || size(type) > size(largest_)) largest_ = type;
  }
  void followCall(const CallBase &call, const Value &pointer, unsigned calls) {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration()) return;
    for (unsigned i = 0; i < call.arg_size() && i < callee->arg_size(); i++)
      if (call.getArgOperand(i) == &pointer) follow(*callee->getArg(i), calls);
  }
  void followReturn(const Function &function, unsigned calls) {
    for (const User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &function)
        follow(*call, calls);
  }

  const DataLayout &dl_;
  SmallPtrSet<const Value *, 32> seen_;
  Type *largest_ = nullptr;
};

} // namespace

Type *structureBehind(const Value &pointer, const DataLayout &dl) {
  Uses uses(dl);
  uses.follow(pointer, /*calls=*/3);
  return uses.largest();
}

} // namespace fathom::statics
