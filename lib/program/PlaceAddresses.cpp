// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes native variants see the engine's addresses (PlaceAddresses.h). Placer writes tables of
// functions and variables, gives locals their slots, and translates the instructions that look at
// an address as a number.
#include "program/PlaceAddresses.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;

namespace fathom::program {

namespace {

constexpr uint64_t kPadding = 48, kAlign = 16; // room for two elements of 16 bytes before an array
constexpr uint64_t kMaxPadding = 1024;         // and for larger ones: see paddingFor

class Placer {
public:
  Placer(Module &module, const EngineAddresses &engine)
      : module_(module), engine_(engine), context_(module.getContext()),
        int8_(Type::getInt8Ty(context_)), int64_(Type::getInt64Ty(context_)),
        pointer_(PointerType::getUnqual(context_)) {}

  void run() {
    SmallVector<GlobalVariable *> variables;
    for (GlobalVariable &g : module_.globals())
      if (isPlaced(g)) variables.push_back(&g);
    SmallVector<Type *> types;
    for (GlobalVariable *g : variables) types.push_back(g->getValueType());
    const uint64_t padding = std::min(paddingFor(types), kMaxPadding / 4); // of all of them
    for (GlobalVariable *&g : variables) g = padded(*g, padding);
    defineTable("__fathom_variables", variables);
    defineFunctions();
    defineFirstSlots();
    SmallVector<Constant *> constants;
    for (GlobalVariable &g : module_.globals()) constants.push_back(&g);
    for (Function &f : module_) constants.push_back(&f);
    convertUsersOfConstantsToInstructions(constants);
    local_ = module_.getOrInsertFunction("__fathom_local", Type::getVoidTy(context_), pointer_,
                                         int64_, int64_, pointer_);
    restored_ =
        module_.getOrInsertFunction("__fathom_restored", Type::getVoidTy(context_), pointer_);
    seen_ = module_.getOrInsertFunction("__fathom_seen", int64_, pointer_);
    seenBeside_ = module_.getOrInsertFunction("__fathom_seenBeside", int64_, pointer_, pointer_);
    placed_ = module_.getOrInsertFunction("__fathom_placed", pointer_, int64_);
    moved_ = module_.getOrInsertFunction("__fathom_moved", pointer_, pointer_, pointer_);
    least_ = leastAlign();
    depth_ = module_.getOrInsertGlobal("__fathom_depth", int64_);
    for (Function &f : module_)
      if (!f.isDeclaration() && !f.hasFnAttribute(Attribute::Naked)) {
        placeLocals(f);
        translate(f);
      }
  }

private:
  /// Does it lie in the program's image, at an address that the engine knows?
  bool isPlaced(const GlobalVariable &g) const {
    return !g.isDeclaration() && !g.isThreadLocal() && !g.getName().starts_with("llvm.") &&
           engine_.globals.contains(g.getName());
  }

  uint64_t sizeOf(Type *type) const {
    return module_.getDataLayout().getTypeAllocSize(type).getFixedValue();
  }

  /// How many bytes keep objects of these types apart: two elements of any array, so that the
  /// places of `array - 1` and `array - 2` are in no other object.
  uint64_t paddingFor(ArrayRef<Type *> types) const {
    uint64_t padding = kPadding;
    for (Type *type : types) {
      if (!isa<ArrayType>(type)) continue;
      while (auto *array = dyn_cast<ArrayType>(type)) type = array->getElementType();
      padding = std::max(padding, alignTo(2 * sizeOf(type) + 1, kAlign));
    }
    return std::min(padding, kMaxPadding);
  }

  GlobalVariable *padded(GlobalVariable &g, uint64_t size) {
    const Align align = std::max(g.getAlign().valueOrOne(), Align(kAlign));
    g.setAlignment(align);
    if (g.hasSection() || g.hasAvailableExternallyLinkage()) return &g;
    Type *padding = ArrayType::get(int8_, size);
    auto *type = StructType::get(context_, {g.getValueType(), padding});
    auto *larger = new GlobalVariable(
        module_, type, g.isConstant(), g.getLinkage(),
        ConstantStruct::get(type, {g.getInitializer(), Constant::getNullValue(padding)}), "", &g);
    sizes_[larger] = sizeOf(g.getValueType());
    larger->copyAttributesFrom(&g);
    larger->setAlignment(align);
    larger->setComdat(g.getComdat());
    larger->takeName(&g);
    g.replaceAllUsesWith(larger);
    g.eraseFromParent();
    return larger;
  }

  void define(const Twine &name, ArrayRef<Constant *> entries, Type *type) {
    auto *array = ArrayType::get(type, entries.size());
    new GlobalVariable(module_, array, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                       ConstantArray::get(array, entries), name);
  }

  void defineEntries(StringRef name, ArrayRef<Constant *> entries) {
    define(name, entries, entryType());
    define(name + "_count", ConstantInt::get(int64_, entries.size()), int64_);
  }

  StructType *entryType() { return StructType::get(context_, {pointer_, int64_, int64_}); }

  Constant *entry(Constant *native, uint64_t size, uint64_t address) {
    return ConstantStruct::get(
        entryType(), {native, ConstantInt::get(int64_, size), ConstantInt::get(int64_, address)});
  }

  void defineTable(StringRef name, ArrayRef<GlobalVariable *> variables) {
    SmallVector<Constant *> entries;
    for (GlobalVariable *g : variables) {
      auto size = sizes_.find(g);
      entries.push_back(entry(g, size == sizes_.end() ? sizeOf(g->getValueType()) : size->second,
                              engine_.globals.lookup(g->getName())));
    }
    defineEntries(name, entries);
  }

  void defineFunctions() {
    SmallVector<Constant *> entries;
    for (Function &f : module_)
      if (!f.isDeclaration() && f.hasAddressTaken() && engine_.functions.contains(f.getName()))
        entries.push_back(entry(&f, 1, engine_.functions.lookup(f.getName())));
    defineEntries("__fathom_functions", entries);
  }

  void defineFirstSlots() {
    SmallVector<Constant *> entries;
    for (uint64_t used : engine_.slotsUsed) entries.push_back(ConstantInt::get(int64_, used));
    define("__fathom_first_slots", entries, int64_);
  }

  // --- locals

  void placeLocals(Function &f) {
    SmallVector<AllocaInst *> locals;
    SmallVector<Instruction *> returns, restores;
    SmallVector<CallBase *> twice;
    auto known = engine_.objects.find(f.getName());
    for (Instruction &instruction : instructions(f)) {
      if (auto *local = dyn_cast<AllocaInst>(&instruction)) {
        auto number = localNumber(*local);
        if (number && known != engine_.objects.end() && known->second.contains(*number))
          locals.push_back(local);
      } else if (isa<ReturnInst>(instruction)) {
        returns.push_back(&instruction);
      } else if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
                 intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stackrestore) {
        restores.push_back(intrinsic);
      } else if (auto *call = dyn_cast<CallBase>(&instruction);
                 call && call->hasFnAttr(Attribute::ReturnsTwice)) {
        twice.push_back(call);
      }
    }
    const bool hasByval = any_of(f.args(), [](Argument &a) { return a.hasByValAttr(); });
    if (locals.empty() && twice.empty() && !hasByval && !f.isVarArg()) return;
    IRBuilder<> builder(&*f.getEntryBlock().getFirstInsertionPt());
    Value *frame =
        builder.CreateIntrinsic(Intrinsic::frameaddress, {pointer_}, {builder.getInt32(0)});
    Value *depth = builder.CreateLoad(int64_, depth_);
    auto add = [&](Value *address, Value *size, uint64_t align) {
      builder.CreateCall(local_, {address, size, ConstantInt::get(int64_, align), frame});
    };
    // In the engine's order: what comes with the call first.
    for (Argument &a : f.args())
      if (a.hasByValAttr())
        add(&a, ConstantInt::get(int64_, sizeOf(a.getParamByValType())),
            a.getParamAlign().valueOrOne().value());
    if (f.isVarArg()) { // where it lies is the compiler's affair: only the slots are taken
      Constant *nowhere = ConstantPointerNull::get(pointer_);
      add(nowhere, ConstantInt::get(int64_, 176), 1);
      add(nowhere, ConstantInt::get(int64_, 8), 16);
    }
    AllocaInst *kept = nullptr; // the depth, for those that come back a second time
    if (!twice.empty()) kept = builder.CreateAlloca(int64_);
    SmallVector<Type *> types;
    for (AllocaInst *local : locals)
      types.push_back(local->isArrayAllocation() ? ArrayType::get(local->getAllocatedType(), 1)
                                                 : local->getAllocatedType());
    const uint64_t padding = paddingFor(types);
    for (AllocaInst *local : locals) {
      const uint64_t align = local->getAlign().value(), size = sizeOf(local->getAllocatedType());
      AllocaInst *larger = paddedLocal(*local, size, padding);
      builder.SetInsertPoint(larger->getNextNode());
      Value *bytes = ConstantInt::get(int64_, size);
      if (local->isArrayAllocation())
        bytes = builder.CreateMul(builder.CreateZExtOrTrunc(local->getArraySize(), int64_), bytes);
      local->replaceAllUsesWith(larger);
      add(larger, bytes, align);
      local->eraseFromParent();
    }
    for (Instruction *restore : restores) {
      builder.SetInsertPoint(restore);
      builder.CreateCall(restored_, {restore->getOperand(0)});
    }
    for (CallBase *call : twice) {
      builder.SetInsertPoint(call);
      builder.CreateStore(builder.CreateLoad(int64_, depth_), kept, /*isVolatile=*/true);
      builder.SetInsertPoint(call->getNextNode());
      builder.CreateStore(builder.CreateLoad(int64_, kept, /*isVolatile=*/true), depth_);
    }
    for (Instruction *end : returns) {
      // A call that must be the last thing before the return stays it.
      auto *call = dyn_cast_or_null<CallInst>(end->getPrevNode());
      builder.SetInsertPoint(call && call->isMustTailCall() ? call : end);
      builder.CreateStore(depth, depth_);
    }
  }

  AllocaInst *paddedLocal(AllocaInst &local, uint64_t size, uint64_t padding) {
    IRBuilder<> builder(&local);
    Type *type = local.getAllocatedType();
    Value *count = nullptr;
    if (local.isArrayAllocation()) {
      Type *countType = local.getArraySize()->getType();
      const uint64_t more = size ? (padding + size - 1) / size : 0;
      count = builder.CreateAdd(local.getArraySize(), ConstantInt::get(countType, more));
    } else {
      type = StructType::get(context_, {type, ArrayType::get(int8_, padding)});
    }
    AllocaInst *larger = builder.CreateAlloca(type, count);
    larger->setAlignment(std::max(local.getAlign(), Align(kAlign)));
    larger->takeName(&local);
    return larger;
  }

  // --- what the program sees

  /// To how much natively everything is aligned. What is passed by value lies where the ABI has it.
  uint64_t leastAlign() const {
    uint64_t least = kAlign;
    for (const Function &f : module_)
      for (const Argument &a : f.args())
        if (a.hasByValAttr()) least = std::min(least, a.getParamAlign().valueOrOne().value());
    return least;
  }

  /// Only the lowest bits of it are looked at, which are the same.
  static bool isForAlignment(const Instruction &number, uint64_t least) {
    return all_of(number.users(), [&](const User *user) {
      auto *mask = dyn_cast<BinaryOperator>(user);
      if (!mask) return false;
      auto *bits = dyn_cast<ConstantInt>(mask->getOperand(1));
      return bits && ((mask->getOpcode() == Instruction::And && bits->getValue().ult(least)) ||
                      (mask->getOpcode() == Instruction::URem && bits->getValue().ule(least) &&
                       bits->getValue().isPowerOf2()));
    });
  }

  /// The pointer with which the program compares this one, or which it subtracts from it, as
  /// numbers; null: there is none.
  static Value *besideOf(const Instruction &number) {
    if (!number.hasOneUse()) return nullptr;
    const auto *user = cast<Instruction>(*number.user_begin());
    if (!isa<ICmpInst>(user) && user->getOpcode() != Instruction::Sub) return nullptr;
    const Value *other = user->getOperand(user->getOperand(0) == &number ? 1 : 0);
    const auto *converted = dyn_cast<PtrToIntInst>(other);
    return converted ? const_cast<Value *>(converted->getPointerOperand()) : nullptr;
  }

  /// Can it lead from one object to another? A distance of two addresses can, and an address from
  /// null. Constants lead no further than an object is large.
  static bool canLeaveObject(const Instruction &instruction) {
    const auto *moved = dyn_cast<GetElementPtrInst>(&instruction);
    return moved && moved->getType()->isPointerTy() && moved->getPointerAddressSpace() == 0 &&
           !moved->hasAllConstantIndices();
  }

  /// The place that the program means: the number that it adds may be made of engine's addresses.
  void translateMoved(GetElementPtrInst &instruction) {
    auto *moved = cast<GetElementPtrInst>(instruction.clone());
    moved->setNoWrapFlags(GEPNoWrapFlags::none());
    moved->insertBefore(&instruction);
    IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(builder.CreateCall(moved_, {moved->getPointerOperand(), moved}));
    instruction.eraseFromParent();
  }

  void translate(Function &f) {
    SmallVector<Instruction *> found;
    DenseMap<const Instruction *, WeakTrackingVH> beside; // followed where it is translated itself
    for (Instruction &instruction : instructions(f)) {
      if (isa<PtrToIntInst>(instruction) && instruction.getOperand(0)->getType()->isPointerTy() &&
          !isForAlignment(instruction, least_)) {
        found.push_back(&instruction);
        if (Value *other = besideOf(instruction)) beside[&instruction] = other;
      } else if (isa<IntToPtrInst>(instruction) && instruction.getType()->isPointerTy())
        found.push_back(&instruction);
      else if (auto *compare = dyn_cast<ICmpInst>(&instruction);
               compare && compare->isRelational() &&
               compare->getOperand(0)->getType()->isPointerTy())
        found.push_back(&instruction);
      else if (canLeaveObject(instruction))
        found.push_back(&instruction);
    }
    for (Instruction *instruction : found) {
      if (auto *moved = dyn_cast<GetElementPtrInst>(instruction)) {
        translateMoved(*moved);
        continue;
      }
      IRBuilder<> builder(instruction);
      auto seen = [&](Value *pointer, Value *other) -> Value * {
        return other ? builder.CreateCall(seenBeside_, {pointer, other})
                     : builder.CreateCall(seen_, {pointer});
      };
      Value *result = nullptr;
      if (isa<PtrToIntInst>(instruction)) {
        const auto known = beside.find(instruction);
        Value *other = known == beside.end() ? nullptr : static_cast<Value *>(known->second);
        // Only there both are known.
        if (other) builder.SetInsertPoint(cast<Instruction>(*instruction->user_begin()));
        result = builder.CreateZExtOrTrunc(seen(instruction->getOperand(0), other),
                                           instruction->getType());
      } else if (isa<IntToPtrInst>(instruction))
        result = builder.CreateCall(
            placed_, {builder.CreateZExtOrTrunc(instruction->getOperand(0), int64_)});
      else
        result = builder.CreateICmp(cast<ICmpInst>(instruction)->getPredicate(),
                                    seen(instruction->getOperand(0), instruction->getOperand(1)),
                                    seen(instruction->getOperand(1), instruction->getOperand(0)));
      instruction->replaceAllUsesWith(result);
      instruction->eraseFromParent();
    }
  }

  Module &module_;
  const EngineAddresses &engine_;
  LLVMContext &context_;
  Type *int8_, *int64_;
  PointerType *pointer_;
  DenseMap<const GlobalVariable *, uint64_t> sizes_; ///< without padding
  FunctionCallee local_, restored_, seen_, seenBeside_, placed_, moved_;
  uint64_t least_ = kAlign; ///< see leastAlign
  Constant *depth_ = nullptr;
};

} // namespace

void placeAddresses(Module &module, const EngineAddresses &engine) { Placer(module, engine).run(); }

} // namespace fathom::program
