// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts calls of observe.c into the module that is analysed.
#include "Observe.h"

#include "program/NativeObject.h"
#include "program/Prepare.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::observe {

namespace {

class Instrumenter {
public:
  Instrumenter(Module &module, const statics::Facts &facts, const statics::PointsTo &pts,
               const statics::FactsOrigin &origin)
      : module_(module), facts_(facts), pts_(pts), origin_(origin), builder_(module.getContext()) {}

  void run() {
    removeMarkers();
    std::vector<Instruction *> all;
    for (llvm::Function &f : module_) {
      const statics::FunctionId id = facts_.findFunction(f.getName().str());
      if (id == statics::kNone || !pts_.isReached(id) || facts_.functions[id].summary) continue;
      for (BasicBlock &block : f)
        for (Instruction &inst : block) all.push_back(&inst);
      for (Argument &argument : f.args()) {
        auto copied = origin_.copied.find(&argument);
        if (copied == origin_.copied.end()) continue;
        builder_.SetInsertPoint(&*f.getEntryBlock().getFirstInsertionPt());
        call("__observe_object", copied->second,
             {&argument, builder_.getInt64(facts_.objects[copied->second].bytes)});
      }
    }
    for (Instruction *inst : all) observe(*inst);
    registerGlobals();
  }

private:
  /// They have no code; what they yield is whatever is there.
  void removeMarkers() {
    std::vector<CallBase *> markers;
    for (llvm::Function &f : module_)
      for (BasicBlock &block : f)
        for (Instruction &inst : block)
          if (auto *call = dyn_cast<CallBase>(&inst); call && program::isUninitMarker(*call))
            markers.push_back(call);
    for (CallBase *marker : markers)
      marker->replaceAllUsesWith(Constant::getNullValue(marker->getType()));
    for (CallBase *marker : markers) marker->eraseFromParent();
  }

  llvm::Value *word(llvm::Value *value) {
    Type *type = value->getType();
    if (type->isPointerTy()) return builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    return builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty());
  }

  void call(const char *name, uint32_t id, ArrayRef<llvm::Value *> words) {
    std::vector<Type *> types{builder_.getInt32Ty()};
    std::vector<llvm::Value *> arguments{builder_.getInt32(id)};
    for (llvm::Value *w : words) {
      types.push_back(builder_.getInt64Ty());
      arguments.push_back(word(w));
    }
    auto *type = FunctionType::get(builder_.getVoidTy(), types, /*isVarArg=*/false);
    builder_.CreateCall(module_.getOrInsertFunction(name, type), arguments);
  }

  llvm::Value *bytesOf(Type *type) {
    return builder_.getInt64(module_.getDataLayout().getTypeStoreSize(type).getKnownMinValue());
  }

  void observe(Instruction &inst) {
    auto known = origin_.firstStatement.find(&inst);
    if (known == origin_.firstStatement.end()) return;
    const statics::StatementId id = known->second;
    if (auto *load = dyn_cast<LoadInst>(&inst)) {
      builder_.SetInsertPoint(&inst);
      call("__observe_load", id, {load->getPointerOperand(), bytesOf(load->getType())});
      builder_.SetInsertPoint(inst.getNextNode());
      if (load->getType()->isPointerTy()) call("__observe_pointer", id, {load});
    } else if (auto *store = dyn_cast<StoreInst>(&inst)) {
      builder_.SetInsertPoint(&inst);
      call("__observe_store", id,
           {store->getPointerOperand(), bytesOf(store->getValueOperand()->getType())});
    } else if (auto *local = dyn_cast<AllocaInst>(&inst)) {
      builder_.SetInsertPoint(inst.getNextNode());
      const uint64_t element =
          module_.getDataLayout().getTypeAllocSize(local->getAllocatedType()).getKnownMinValue();
      call("__observe_object", facts_.statements[id].extra,
           {local, builder_.CreateMul(word(local->getArraySize()), builder_.getInt64(element))});
    } else if (auto *made = dyn_cast<CallBase>(&inst); made && !made->isInlineAsm()) {
      observeCall(*made, id);
    }
  }

  void observeCall(CallBase &inst, statics::StatementId id) {
    if (auto *start = dyn_cast<VAStartInst>(&inst)) {
      // Of the x86-64 va_list: where arguments lie that came on the stack, and in registers.
      builder_.SetInsertPoint(inst.getNextNode());
      for (const auto &[offset, bytes] : {std::pair(8, 128), {16, 176}}) {
        llvm::Value *at = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), start->getArgList(),
                                                      static_cast<uint64_t>(offset));
        call("__observe_forget", 0,
             {builder_.CreateLoad(builder_.getPtrTy(), at),
              builder_.getInt64(static_cast<uint64_t>(bytes))});
      }
      return;
    }
    const statics::Statement &s = facts_.statements[id];
    if (s.kind != statics::StatementKind::Call || isa<IntrinsicInst>(inst)) return;
    const statics::CallSite &site = facts_.calls[s.extra];
    if (!inst.getCalledFunction() && site.target != statics::kNone) {
      builder_.SetInsertPoint(&inst);
      call("__observe_call", id, {inst.getCalledOperand()});
    }
    if (site.allocated == statics::kNone || inst.isTerminator()) return;
    builder_.SetInsertPoint(inst.getNextNode());
    const std::string_view name = site.summary->name;
    auto made = [&](llvm::Value *bytes) {
      call("__observe_object", site.allocated, {&inst, bytes});
    };
    auto argument = [&](unsigned i) { return word(inst.getArgOperand(i)); };
    if (name == "malloc" || name == "__libc_malloc") made(argument(0));
    if (name == "mmap") made(argument(2));
    if (name == "calloc") made(builder_.CreateMul(argument(0), argument(1)));
    if (name == "realloc" || name == "aligned_alloc" || name == "memalign") made(argument(1));
    if (name == "reallocarray") made(builder_.CreateMul(argument(1), argument(2)));
    if (name == "strdup" || name == "strndup") call("__observe_string", site.allocated, {&inst});
  }

  /// Before anything else runs.
  void registerGlobals() {
    llvm::Function *start = module_.getFunction("_start_c");
    if (!start || start->isDeclaration()) return;
    builder_.SetInsertPoint(&*start->getEntryBlock().getFirstInsertionPt());
    for (statics::ObjectId o = 0; o < facts_.objects.size(); o++) {
      const statics::Object &object = facts_.objects[o];
      if (object.kind == statics::ObjectKind::Global && object.bytes > 0) {
        GlobalVariable *g = module_.getGlobalVariable(object.name, /*AllowInternal=*/true);
        if (g && !g->isThreadLocal() && !g->isDeclaration())
          call("__observe_object", o, {g, builder_.getInt64(object.bytes)});
      } else if (object.kind == statics::ObjectKind::Function) {
        llvm::Function *f = module_.getFunction(object.name);
        if (f && !f->isDeclaration()) call("__observe_object", o, {f, builder_.getInt64(1)});
      }
    }
  }

  Module &module_;
  const statics::Facts &facts_;
  const statics::PointsTo &pts_;
  const statics::FactsOrigin &origin_;
  IRBuilder<> builder_;
};

} // namespace

Error instrument(Module &module, const statics::Facts &facts, const statics::PointsTo &pts,
                 const statics::FactsOrigin &origin, const std::string &objectFile) {
  Instrumenter(module, facts, pts, origin).run();
  program::hideProcessor(module);
  StripDebugInfo(module);
  return program::emitObject(module, objectFile, CodeGenOptLevel::None);
}

} // namespace fathom::observe
