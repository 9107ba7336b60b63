// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/StateAccess.h"

#include "program/Load.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <fmt/format.h>

#include <algorithm>

using namespace llvm;

namespace fathom::campaign {

/// The prefix of the condition of an access of fixed length.
static constexpr StringLiteral kFixed = "offset >= 0 && offset + ";

std::vector<std::string> SampledAccess::names() const {
  std::vector<std::string> out{"offset"};
  if (!objectBytes) out.emplace_back("size");
  if (length) out.emplace_back("length");
  return out;
}

std::string SampledAccess::condition() const {
  const std::string size = objectBytes ? std::to_string(*objectBytes) : "size";
  // A length beyond the largest signed number is negative here.
  if (length)
    return fmt::format("length == 0 || (offset >= 0 && length > 0 && offset + length <= {})", size);
  return fmt::format("{}{} <= {}", kFixed.data(), bytes, size);
}

std::optional<uint64_t> bytesTouched(const StatePoint &point) {
  StringRef text = point.condition;
  uint64_t bytes = 0;
  if (point.kind != PointKind::Access || !text.consume_front(kFixed) ||
      text.consumeInteger(10, bytes))
    return std::nullopt;
  return bytes;
}

/// The size of the local or global variable `base`, if its type determines it.
static std::optional<uint64_t> bytesOf(const Value &base, const DataLayout &layout) {
  if (const auto *alloca = dyn_cast<AllocaInst>(&base)) {
    const std::optional<TypeSize> size = alloca->getAllocationSize(layout);
    if (size && !size->isScalable()) return size->getFixedValue();
  }
  if (const auto *global = dyn_cast<GlobalVariable>(&base); global && !global->isDeclaration())
    return layout.getTypeAllocSize(global->getValueType()).getFixedValue();
  return std::nullopt;
}

static SampledAccess accessAt(Value &pointer, uint64_t bytes, Value *length,
                              const DataLayout &layout) {
  SampledAccess out;
  out.pointer = out.base = &pointer;
  out.bytes = bytes;
  out.length = length;
  while (auto *gep = dyn_cast<GEPOperator>(out.base)) out.base = gep->getPointerOperand();
  out.objectBytes = bytesOf(*out.base, layout);
  return out;
}

/// Whether the access is inside its variable on every path.
static bool isProvablyInBounds(const SampledAccess &access, const DataLayout &layout) {
  if (!access.objectBytes || access.length) return false;
  APInt offset(64, 0);
  const Value *base = access.pointer->stripAndAccumulateConstantOffsets(layout, offset,
                                                                        /*AllowNonInbounds=*/true);
  const int64_t at = offset.getSExtValue();
  return base == access.base && at >= 0 && uint64_t(at) + access.bytes <= *access.objectBytes;
}

std::vector<SampledAccess> accessesOf(Instruction &instruction) {
  const DataLayout &layout = instruction.getModule()->getDataLayout();
  std::vector<SampledAccess> out;
  // A counter of MapPass.h.
  if (instruction.hasMetadata(LLVMContext::MD_nosanitize)) return out;
  auto add = [&](Value &pointer, uint64_t bytes, Value *length) {
    if (cast<PointerType>(pointer.getType())->getAddressSpace() != 0) return;
    SampledAccess access = accessAt(pointer, bytes, length, layout);
    if (!isProvablyInBounds(access, layout)) out.push_back(std::move(access));
  };
  auto sizeOf = [&](Type *type) { return layout.getTypeStoreSize(type).getKnownMinValue(); };
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    add(*load->getPointerOperand(), sizeOf(load->getType()), nullptr);
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    add(*store->getPointerOperand(), sizeOf(store->getValueOperand()->getType()), nullptr);
  } else if (auto *call = dyn_cast<CallInst>(&instruction); call && call->arg_size() >= 3) {
    const Function *callee = call->getCalledFunction();
    const StringRef name = callee ? callee->getName() : "";
    const bool sets = isa<MemSetInst>(call) || name == "memset";
    const bool moves = isa<MemTransferInst>(call) || name == "memcpy" || name == "memmove";
    Value *length = call->getArgOperand(2);
    if ((!sets && !moves) || !length->getType()->isIntegerTy()) return out;
    if (const auto *known = dyn_cast<ConstantInt>(length)) {
      add(*call->getArgOperand(0), known->getZExtValue(), nullptr);
      if (moves) add(*call->getArgOperand(1), known->getZExtValue(), nullptr);
    } else {
      add(*call->getArgOperand(0), 0, length);
      if (moves) add(*call->getArgOperand(1), 0, length);
    }
  }
  return out;
}

std::vector<program::SourceLeaf> indexLeaves(Value &address) {
  std::vector<program::SourceLeaf> out;
  for (Value *at = &address; auto *gep = dyn_cast<GEPOperator>(at); at = gep->getPointerOperand())
    for (Use &index : gep->indices()) {
      if (isa<Constant>(index)) continue;
      std::optional<program::SourceFormula> formula = program::sourceFormula(*index.get());
      if (!formula) continue;
      for (program::SourceLeaf &leaf : formula->leaves)
        if (none_of(out, [&](const program::SourceLeaf &o) { return o.name == leaf.name; }))
          out.push_back(std::move(leaf));
    }
  return out;
}

// ---- objects ----------------------------------------------------------------------------------

void listGlobals(Module &module) {
  LLVMContext &context = module.getContext();
  const DataLayout &layout = module.getDataLayout();
  Type *pointer = PointerType::getUnqual(context), *number = Type::getInt64Ty(context);
  StructType *entry = StructType::get(pointer, number);
  std::vector<Constant *> entries;
  for (GlobalVariable &global : module.globals()) {
    if (global.isDeclaration() || global.hasAvailableExternallyLinkage() ||
        global.hasAppendingLinkage() || global.isThreadLocal() || global.getAddressSpace() != 0 ||
        global.getName().starts_with("__fathom") || global.getName().starts_with("llvm."))
      continue;
    const uint64_t bytes = layout.getTypeAllocSize(global.getValueType()).getFixedValue();
    if (bytes)
      entries.push_back(ConstantStruct::get(entry, {&global, ConstantInt::get(number, bytes)}));
  }
  ArrayType *table = ArrayType::get(entry, entries.size());
  // Sorted in place when the process starts.
  new GlobalVariable(module, table, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                     ConstantArray::get(table, entries), "__fathom_objects");
  new GlobalVariable(module, number, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                     ConstantInt::get(number, entries.size()), "__fathom_objectCount");
}

namespace {

/// What has to be instrumented in one function so that the list __fathom_locals has its locals.
struct Tracked {
  std::vector<std::pair<AllocaInst *, uint64_t>> locals; ///< with their sizes
  std::vector<CallBase *> returnsTwiceCalls; ///< setjmp and its like: longjmp resumes after them
  std::vector<ReturnInst *> returns;
  bool hasTailCall = false;
};

} // namespace

static bool returnsTwice(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return call.hasFnAttr(Attribute::ReturnsTwice) ||
         (callee && StringSwitch<bool>(callee->getName())
                        .Cases("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", true)
                        .Default(false));
}

static Tracked trackedOf(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  Tracked out;
  for (Instruction &inst : instructions(function)) {
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && alloca->isStaticAlloca()) {
      const std::optional<uint64_t> bytes = bytesOf(*alloca, layout);
      if (bytes && *bytes &&
          PointerMayBeCaptured(alloca, /*ReturnCaptures=*/true, /*StoreCaptures=*/true))
        out.locals.emplace_back(alloca, *bytes);
    }
    if (auto *call = dyn_cast<CallInst>(&inst)) {
      if (returnsTwice(*call)) out.returnsTwiceCalls.push_back(call);
      out.hasTailCall |= call->isMustTailCall();
    }
    if (auto *back = dyn_cast<ReturnInst>(&inst)) out.returns.push_back(back);
  }
  return out;
}

/// Adds the code that keeps the function's record in the list. A record is: the one before it, the
/// number of variables, and their addresses and sizes.
static void keepRecord(Function &function, const Tracked &tracked, GlobalVariable &head) {
  LLVMContext &context = function.getContext();
  Type *pointer = PointerType::getUnqual(context), *number = Type::getInt64Ty(context);
  BasicBlock &entry = function.getEntryBlock();
  auto *type = ArrayType::get(number, 2 + 2 * tracked.locals.size());
  auto *record = new AllocaInst(type, function.getParent()->getDataLayout().getAllocaAddrSpace(),
                                "fathom.locals", entry.getFirstInsertionPt());
  // After the last variable: counters may stand before it.
  Instruction *after = record;
  for (Instruction &inst : entry)
    if (isa<AllocaInst>(inst)) after = &inst;
  IRBuilder<> builder(after->getNextNode());
  auto store = [&](Value *value, Value *at) {
    builder.CreateStore(value, at)->setNoSanitizeMetadata();
  };
  auto field = [&](uint64_t i) { return builder.CreateConstInBoundsGEP2_64(type, record, 0, i); };
  LoadInst *before = builder.CreateLoad(pointer, &head);
  before->setNoSanitizeMetadata();
  store(before, record);
  store(ConstantInt::get(number, tracked.locals.size()), field(1));
  for (size_t i = 0; i < tracked.locals.size(); ++i) {
    store(tracked.locals[i].first, field(2 + 2 * i));
    store(ConstantInt::get(number, tracked.locals[i].second), field(3 + 2 * i));
  }
  store(record, &head);
  // After longjmp, the list may still begin with records of functions that did not return. This
  // function's record becomes the head again.
  for (CallBase *call : tracked.returnsTwiceCalls) {
    builder.SetInsertPoint(call->getNextNode());
    store(record, &head);
  }
  for (ReturnInst *back : tracked.returns) {
    builder.SetInsertPoint(back);
    store(before, &head);
  }
}

GlobalVariable *trackLocals(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  auto *head = new GlobalVariable(module, pointer, /*isConstant=*/false,
                                  GlobalValue::InternalLinkage, Constant::getNullValue(pointer),
                                  "__fathom_locals", nullptr, GlobalValue::LocalExecTLSModel);
  for (Function &function : module) {
    if (function.isDeclaration() || !program::isOwnFunction(function)) continue;
    const Tracked tracked = trackedOf(function);
    if ((tracked.locals.empty() && tracked.returnsTwiceCalls.empty()) || tracked.hasTailCall)
      continue;
    keepRecord(function, tracked, *head);
  }
  return head;
}

} // namespace fathom::campaign
