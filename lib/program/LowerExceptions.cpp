// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions become returns: a call that may throw is followed by a branch on "is an exception
// being unwound?", which leads to the landing pad, or returns to the caller, where the same
// happens. So all that comes behind (the interpreter, analyses, native variants) sees ordinary
// control flow.
//
// What machine code says in tables stands in memory: a call whose landing pad has clauses is a
// region while it runs, and the functions of runtime/sysroot/cxx/unwind.h, which are libc++abi's
// own type matching, search the regions at a throw, before anything is unwound. The program has
// these functions if it has libc++abi.
//
// Only calls that can come to a throw are changed (MayThrow.h). Dead landing pads stay: which
// branches the program has does not depend on what may throw.
#include "program/ExceptionCode.h"
#include "program/MayThrow.h"
#include "program/Prepare.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace fathom::program {
namespace {

constexpr StringLiteral kUnwindBranch = "fathom.unwind";

// unwind.h's
constexpr int32_t kCatch = -1, kEnd = -2, kTerminate = -3, kBarrier = -4;

/// What libc++abi and programs call, by what stands for it in bitcode.
constexpr std::pair<StringLiteral, StringLiteral> kUnwinder[] = {
    {"_Unwind_RaiseException", "__fathom_cxx_raise"},
    {"_Unwind_Resume_or_Rethrow", "__fathom_cxx_raise"},
    {"_Unwind_DeleteException", "__fathom_cxx_delete"},
    {"_Unwind_Backtrace", "__fathom_cxx_backtrace"},
    {"__cxa_call_unexpected", "__fathom_cxx_call_unexpected"},
    {"__cxa_call_terminate", "__fathom_cxx_call_terminate"}};

void useModel(Module &module) {
  for (auto [name, model] : kUnwinder) {
    Function *from = module.getFunction(name), *to = module.getFunction(model);
    if (!from || !from->isDeclaration() || !to || from == to) continue;
    from->replaceAllUsesWith(to);
    from->eraseFromParent();
  }
}

/// A function that may throw also returns when it did not come to its end, without a value: what
/// was promised of its returns no longer holds.
template <class HasAttributes> void dropPromises(HasAttributes &to) {
  AttributeMask ofFunction, ofResult, ofArgument;
  for (Attribute::AttrKind kind : {Attribute::NoReturn, Attribute::NoUnwind, Attribute::WillReturn,
                                   Attribute::Memory, Attribute::AlwaysInline})
    ofFunction.addAttribute(kind);
  for (Attribute::AttrKind kind :
       {Attribute::NonNull, Attribute::NoUndef, Attribute::Dereferenceable,
        Attribute::DereferenceableOrNull, Attribute::Alignment, Attribute::Range})
    ofResult.addAttribute(kind);
  ofArgument.addAttribute(Attribute::Returned);
  ofArgument.addAttribute(Attribute::Writable);
  AttributeList list = to.getAttributes();
  LLVMContext &context = to.getContext();
  list = list.removeFnAttributes(context, ofFunction).removeRetAttributes(context, ofResult);
  for (unsigned i = 0; i < to.arg_size(); ++i)
    list = list.removeParamAttributes(context, i, ofArgument);
  to.setAttributes(list);
}

/// The numbers of types in a module, and its tables of clauses.
class Clauses {
public:
  explicit Clauses(Module &module)
      : module_(module), pointer_(PointerType::getUnqual(module.getContext())),
        int_(Type::getInt32Ty(module.getContext())),
        clause_(StructType::get(pointer_, int_, int_)) {}

  ConstantInt *numberOf(const Value *type) {
    auto [it, isNew] = types_.try_emplace(type->stripPointerCasts(), 0);
    if (isNew) it->second = static_cast<int32_t>(types_.size());
    return cast<ConstantInt>(ConstantInt::getSigned(int_, it->second));
  }

  Constant *tableOf(const LandingPadInst &pad) {
    SmallVector<Constant *> rows;
    for (unsigned i = 0; i < pad.getNumClauses(); ++i) {
      Constant *types = pad.getClause(i);
      if (pad.isCatch(i))
        rows.push_back(row(types, numberOf(types), terminates(pad) ? kTerminate : kCatch));
      else
        rows.push_back(
            row(variable(types, "fathom.filter"), ConstantInt::getSigned(int_, -++filters_),
                static_cast<int32_t>(cast<ArrayType>(types->getType())->getNumElements())));
    }
    rows.push_back(row(ConstantPointerNull::get(pointer_), ConstantInt::getSigned(int_, 0), kEnd));
    return variable(ConstantArray::get(ArrayType::get(clause_, rows.size()), rows),
                    "fathom.clauses");
  }

  /// Of a call that no exception passes.
  Constant *barrier() {
    Constant *null = ConstantPointerNull::get(pointer_);
    if (!barrier_)
      barrier_ = variable(row(null, ConstantInt::getSigned(int_, 0), kBarrier), "fathom.barrier");
    return barrier_;
  }

private:
  /// Is it where an exception would leave a function that is noexcept?
  static bool terminates(const LandingPadInst &pad) {
    return any_of(*pad.getParent(), [](const Instruction &i) {
      auto *call = dyn_cast<CallInst>(&i);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      return callee && callee->getName() == "__clang_call_terminate";
    });
  }

  Constant *row(Constant *types, Constant *selector, int32_t count) {
    return ConstantStruct::get(clause_, {types, selector, ConstantInt::getSigned(int_, count)});
  }
  Constant *variable(Constant *value, StringRef name) {
    return new GlobalVariable(module_, value->getType(), /*isConstant=*/true,
                              GlobalValue::InternalLinkage, value, name);
  }

  Module &module_;
  PointerType *pointer_;
  IntegerType *int_;
  StructType *clause_;
  DenseMap<const Value *, int32_t> types_;
  int32_t filters_ = 0;
  Constant *barrier_ = nullptr;
};

/// The model's part in the program; null: it has none, so nothing throws.
struct Unwinder {
  explicit Unwinder(Module &module)
      : regions(module.getNamedGlobal("__fathom_cxx_regions")),
        unwinding(module.getNamedGlobal("__fathom_cxx_unwinding")),
        land(module.getFunction("__fathom_cxx_land")) {}
  bool isThere() const { return regions && unwinding && land; }

  GlobalVariable *regions, *unwinding;
  Function *land;
};

class FunctionLowering {
public:
  FunctionLowering(Function &function, const MayThrow &mayThrow, const Unwinder &unwinder,
                   Clauses &clauses)
      : function_(function), mayThrow_(mayThrow), unwinder_(unwinder), clauses_(clauses),
        context_(function.getContext()) {}

  void run() {
    SmallVector<InvokeInst *> invokes;
    SmallVector<LandingPadInst *> pads;
    SmallVector<ResumeInst *> resumes;
    SmallVector<CallInst *> calls;
    for (Instruction &i : instructions(function_)) {
      if (auto *call = dyn_cast<CallInst>(&i); call && mayThrow_.call(*call)) calls.push_back(call);
      if (auto *invoke = dyn_cast<InvokeInst>(&i)) invokes.push_back(invoke);
      if (auto *pad = dyn_cast<LandingPadInst>(&i)) pads.push_back(pad);
      if (auto *resume = dyn_cast<ResumeInst>(&i)) resumes.push_back(resume);
    }
    for (InvokeInst *invoke : invokes) lowerInvoke(*invoke);
    if (unwinder_.isThere()) keepRegions();
    for (CallInst *call : calls) checkBehind(*call);
    for (ResumeInst *resume : resumes) lowerResume(*resume);
    for (LandingPadInst *pad : pads) lowerPad(*pad);
    function_.setPersonalityFn(nullptr);
    if (mayThrow_.function(function_)) dropPromises(function_);
  }

private:
  /// Where a call that longjmp ends was in a region, the second return of setjmp leaves it.
  void keepRegions() {
    SmallVector<CallInst *> calls;
    for (Instruction &i : instructions(function_))
      if (auto *call = dyn_cast<CallInst>(&i); call && call->hasFnAttr(Attribute::ReturnsTwice))
        calls.push_back(call);
    for (CallInst *call : calls) {
      IRBuilder<> builder(call);
      placeAt(builder, call->getDebugLoc());
      Value *inner = builder.CreateLoad(builder.getPtrTy(), address(builder, unwinder_.regions));
      builder.SetInsertPoint(call->getNextNode());
      builder.CreateStore(inner, address(builder, unwinder_.regions));
    }
  }

  Value *address(IRBuilder<> &builder, GlobalVariable *variable) {
    return variable->isThreadLocal() ? builder.CreateThreadLocalAddress(variable)
                                     : static_cast<Value *>(variable);
  }
  Value *exception(IRBuilder<> &builder) {
    return builder.CreateLoad(builder.getPtrTy(), address(builder, unwinder_.unwinding));
  }

  /// The frame's memory for its region: one call at a time is in progress in a frame.
  AllocaInst *region() {
    if (region_) return region_;
    BasicBlock &entry = function_.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    auto *type = StructType::get(builder.getPtrTy(), builder.getPtrTy(), builder.getInt64Ty());
    return region_ = builder.CreateAlloca(type, nullptr, "fathom.region");
  }

  /// \returns the region around it, to which leaving it returns
  Value *enterRegion(IRBuilder<> &builder, Constant *table) {
    Value *regions = address(builder, unwinder_.regions);
    Value *outer = builder.CreateLoad(builder.getPtrTy(), regions);
    builder.CreateStore(outer, region());
    builder.CreateStore(table,
                        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), region(), 8));
    builder.CreateStore(region(), regions);
    return outer;
  }

  /// Machine code without tables cannot be unwound: a throw that would have to ends the program.
  /// libc has tables. What an older one had none for may run before a thread has its variables.
  bool hasNoTables() const {
    return function_.hasFnAttribute(Attribute::NoUnwind) && !function_.hasUWTable() &&
           !function_.hasFnAttribute("fathom-libc");
  }

  /// Of an exception that goes on to the caller.
  BasicBlock *leave() {
    if (leave_) return leave_;
    leave_ = BasicBlock::Create(context_, "fathom.unwind", &function_);
    IRBuilder<> builder(leave_);
    placeAt(builder, {});
    if (function_.getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(Constant::getNullValue(function_.getReturnType()));
    return leave_;
  }

  void branchIfUnwinding(IRBuilder<> &builder, BasicBlock *unwinding, BasicBlock *otherwise) {
    BranchInst *branch =
        builder.CreateCondBr(builder.CreateIsNotNull(exception(builder)), unwinding, otherwise);
    markUnwindBranch(*branch);
  }

  void lowerInvoke(InvokeInst &invoke) {
    const bool throws = mayThrow_.call(invoke);
    LandingPadInst *pad = invoke.getLandingPadInst();
    BasicBlock *normal = invoke.getNormalDest(), *unwound = invoke.getUnwindDest();
    IRBuilder<> builder(&invoke);
    placeAt(builder, invoke.getDebugLoc());
    Value *outer = nullptr;
    const bool hasRegion = throws && pad->getNumClauses();
    if (hasRegion) {
      Constant *&table = tables_[pad];
      if (!table) table = clauses_.tableOf(*pad);
      outer = enterRegion(builder, table);
    }
    CallInst *call = builder.Insert(createCallMatchingInvoke(&invoke));
    call->takeName(&invoke);
    call->setDebugLoc(builder.getCurrentDebugLocation());
    if (throws) dropPromises(*call);
    if (hasRegion) builder.CreateStore(outer, address(builder, unwinder_.regions));
    if (throws) {
      branchIfUnwinding(builder, unwound, normal);
    } else {
      builder.CreateBr(normal);
      unwound->removePredecessor(invoke.getParent());
    }
    invoke.replaceAllUsesWith(call);
    invoke.eraseFromParent();
  }

  /// Would the check behind the call only return what the function returns at once?
  static bool isReturned(const CallInst &call) {
    const Instruction *next = call.getNextNonDebugInstruction();
    auto *end = dyn_cast<ReturnInst>(next);
    return end && (!end->getReturnValue() || end->getReturnValue() == &call);
  }

  void checkBehind(CallInst &call) {
    dropPromises(call);
    if (call.isMustTailCall()) return;
    Instruction *next = call.getNextNode();
    IRBuilder<> builder(&call);
    placeAt(builder, call.getDebugLoc());
    if (hasNoTables()) {
      Value *outer = enterRegion(builder, clauses_.barrier());
      builder.SetInsertPoint(next);
      placeAt(builder, call.getDebugLoc());
      builder.CreateStore(outer, address(builder, unwinder_.regions));
      return; // no exception comes here
    }
    if (isReturned(call)) return;
    builder.SetInsertPoint(next);
    placeAt(builder, call.getDebugLoc());
    if (isa<UnreachableInst>(next)) {
      builder.CreateBr(leave());
      next->eraseFromParent();
      return;
    }
    BasicBlock *block = call.getParent();
    BasicBlock *rest = block->splitBasicBlock(next->getIterator(), block->getName() + ".goes-on");
    Instruction *jump = block->getTerminator();
    builder.SetInsertPoint(jump);
    placeAt(builder, call.getDebugLoc());
    branchIfUnwinding(builder, leave(), rest);
    jump->eraseFromParent();
  }

  void lowerResume(ResumeInst &resume) {
    IRBuilder<> builder(&resume);
    placeAt(builder, resume.getDebugLoc());
    if (!unwinder_.isThere()) {
      builder.CreateUnreachable();
    } else {
      Value *exception = builder.CreateExtractValue(resume.getValue(), 0);
      builder.CreateStore(exception, address(builder, unwinder_.unwinding));
      builder.CreateBr(leave());
    }
    resume.eraseFromParent();
  }

  void lowerPad(LandingPadInst &pad) {
    BasicBlock *block = pad.getParent();
    if (!unwinder_.isThere() || pred_empty(block)) {
      pad.replaceAllUsesWith(Constant::getNullValue(pad.getType()));
      pad.eraseFromParent();
      return;
    }
    IRBuilder<> builder(&pad);
    placeAt(builder, pad.getDebugLoc());
    Value *unwound = exception(builder);
    const bool hasRegion = tables_.count(&pad);
    Value *selector = builder.CreateCall(
        unwinder_.land, {hasRegion ? static_cast<Value *>(region())
                                   : ConstantPointerNull::get(builder.getPtrTy())});
    Value *pair = builder.CreateInsertValue(PoisonValue::get(pad.getType()), unwound, 0);
    pair = builder.CreateInsertValue(pair, selector, 1);
    if (!pad.isCleanup() && !catchesAll(pad)) {
      // Machine code does not come here unless a clause fits.
      BasicBlock *rest = block->splitBasicBlock(pad.getIterator(), block->getName() + ".handler");
      BasicBlock *on = BasicBlock::Create(context_, "fathom.unwind-on", &function_);
      builder.SetInsertPoint(on);
      placeAt(builder, pad.getDebugLoc());
      builder.CreateStore(unwound, address(builder, unwinder_.unwinding));
      builder.CreateBr(leave());
      Instruction *jump = block->getTerminator();
      builder.SetInsertPoint(jump);
      placeAt(builder, pad.getDebugLoc());
      BranchInst *branch = builder.CreateCondBr(builder.CreateIsNotNull(selector), rest, on);
      markUnwindBranch(*branch);
      jump->eraseFromParent();
    }
    pad.replaceAllUsesWith(pair);
    pad.eraseFromParent();
  }

  Function &function_;
  const MayThrow &mayThrow_;
  const Unwinder &unwinder_;
  Clauses &clauses_;
  LLVMContext &context_;
  AllocaInst *region_ = nullptr;
  BasicBlock *leave_ = nullptr;
  DenseMap<const LandingPadInst *, Constant *> tables_; ///< of pads that a call may come to
};

} // namespace

void placeAt(IRBuilder<> &builder, DebugLoc at) {
  DISubprogram *subprogram = builder.GetInsertBlock()->getParent()->getSubprogram();
  if (subprogram && !at) at = DILocation::get(builder.getContext(), 0, 0, subprogram);
  builder.SetCurrentDebugLocation(at);
}

void markUnwindBranch(Instruction &terminator) {
  terminator.setMetadata(kUnwindBranch, MDNode::get(terminator.getContext(), {}));
}

bool isUnwindBranch(const Instruction &terminator) {
  return terminator.hasMetadata() && terminator.getMetadata(kUnwindBranch);
}

void lowerExceptions(Module &module) {
  const bool throws = module.getFunction("__fathom_cxx_raise");
  if (!throws && none_of(module, [](const Function &f) { return f.hasPersonalityFn(); })) return;
  useModel(module);
  Unwinder unwinder(module);
  const MayThrow mayThrow(module,
                          unwinder.isThere() ? module.getFunction("__fathom_cxx_raise") : nullptr);
  Clauses clauses(module);
  for (Function &function : module)
    if (!function.isDeclaration() && &function != mayThrow.thrower() &&
        (function.hasPersonalityFn() || mayThrow.function(function) ||
         function.callsFunctionThatReturnsTwice()))
      FunctionLowering(function, mayThrow, unwinder, clauses).run();
  for (Function &function : make_early_inc_range(module))
    if (function.getIntrinsicID() == Intrinsic::eh_typeid_for)
      for (User *user : make_early_inc_range(function.users())) {
        auto *call = cast<CallInst>(user);
        call->replaceAllUsesWith(clauses.numberOf(call->getArgOperand(0)));
        call->eraseFromParent();
      }
}

} // namespace fathom::program
