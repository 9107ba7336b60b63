// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/TypeLayouts.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <utility>

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
  /// \param made  what calls that return it may be told as the size of its memory: a structure that
  ///              is seen behind memory only counts if it is as large, for other pointers are kept
  ///              there, too.
  Uses(const DataLayout &dl, const Value &made) : dl_(dl) {
    if (auto *call = dyn_cast<CallBase>(&made))
      for (const Use &argument : call->args())
        if (auto *number = dyn_cast<ConstantInt>(argument);
            number && number->getValue().getActiveBits() <= 31)
          sizes_.push_back(number->getZExtValue());
  }
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
      } else if (auto *store = dyn_cast<StoreInst>(user)) {
        if (store->getValueOperand() == &pointer && !sizes_.empty())
          stores_.emplace_back(store->getPointerOperand(), calls);
      }
    }
  }

  /// What is behind memory follows when all other uses were seen, and has a bound of its own: of a
  /// pointer that is met both ways, the uses that count are those without memory between.
  void followStores() {
    isBehindMemory_ = true;
    seen_.clear();
    for (size_t i = 0; i < stores_.size(); i++) { // which finds further ones
      const auto [address, calls] = stores_[i];
      followMemory(*address, calls);
    }
  }

private:
  static constexpr size_t kMaxSeen = 500;
  static constexpr unsigned kMaxPlaces = 3; ///< one behind the other
  using Visit = function_ref<void(const Value &)>;

  /// Pointers that are read where this one was stored, as far as the addresses look equal: code
  /// that builds a list in place (`*tail = make(); (*tail)->text = ...`) has no other name for it.
  void followMemory(const Value &address, unsigned calls) {
    forEachAlike(address, kMaxPlaces, [&](const Value &alike) {
      if (!places_.insert(&alike).second || places_.size() > kMaxSeen) return;
      for (const User *user : alike.users())
        if (auto *load = dyn_cast<LoadInst>(user); load && load->getType()->isPointerTy())
          follow(*load, calls);
    });
  }
  /// The address itself; in the same function what else is read from where it was read, and the
  /// same member of what else its base may be. Elements of an array are alike.
  static void forEachAlike(const Value &address, unsigned places, Visit visit) {
    visit(address);
    if (places == 0) return;
    if (auto *load = dyn_cast<LoadInst>(&address)) {
      forEachAlike(*load->getPointerOperand(), places - 1, [&](const Value &alike) {
        for (const User *user : alike.users())
          if (auto *other = dyn_cast<LoadInst>(user); other && other != load &&
                                                      other->getFunction() == load->getFunction() &&
                                                      other->getType()->isPointerTy())
            visit(*other);
      });
    } else if (auto *gep = dyn_cast<GEPOperator>(&address)) {
      forEachAlike(*gep->getPointerOperand(), places - 1, [&](const Value &alike) {
        for (const User *user : alike.users())
          if (auto *other = dyn_cast<GEPOperator>(user);
              other && other != gep && isSameMember(*gep, *other))
            visit(*other);
      });
    }
  }
  static bool isSameMember(const GEPOperator &a, const GEPOperator &b) {
    if (a.getSourceElementType() != b.getSourceElementType() ||
        a.getNumIndices() != b.getNumIndices())
      return false;
    return llvm::equal(a.indices(), b.indices(), [](const Use &x, const Use &y) {
      return x.get() == y.get() || !isa<Constant>(x.get()) || !isa<Constant>(y.get());
    });
  }

  void consider(Type *type) {
    auto size = [&](Type *t) { return dl_.getTypeAllocSize(t).getKnownMinValue(); };
    if (!type->isStructTy() || !type->isSized()) return;
    if (isBehindMemory_ && !is_contained(sizes_, size(type))) return;
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
  SmallPtrSet<const Value *, 32> seen_, places_; ///< pointers; addresses of memory that holds them
  Type *largest_ = nullptr;
  SmallVector<uint64_t, 2> sizes_;
  SmallVector<std::pair<const Value *, unsigned>, 8> stores_; ///< to where; calls left to follow
  bool isBehindMemory_ = false;
};

} // namespace

Type *structureBehind(const Value &pointer, const DataLayout &dl) {
  Uses uses(dl, pointer);
  uses.follow(pointer, /*calls=*/3);
  uses.followStores();
  return uses.largest();
}

} // namespace fathom::statics
