// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantChecks.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace fathom::cc {

using namespace llvm;

/// Of clang's SanitizerHandler (clang/lib/CodeGen/CodeGenFunction.h): the check of a division.
constexpr uint64_t kDivision = 3;

static std::unique_ptr<Module> read(MemoryBufferRef buffer, LLVMContext &context) {
  context.setDiagnosticHandlerCallBack([](const DiagnosticInfo *, void *) {});
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile(buffer, context);
  if (module) return std::move(*module);
  consumeError(module.takeError());
  return nullptr;
}

bool usesPoison(std::string_view bitcode) {
  LLVMContext context;
  std::unique_ptr<Module> module =
      read(MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), "object"), context);
  if (!module) return false;
  for (Function &function : *module)
    for (Instruction &inst : instructions(function)) {
      // As the start of a vector it is no operation's value.
      if (isa<InsertElementInst>(inst) || isa<ShuffleVectorInst>(inst)) continue;
      for (const Use &operand : inst.operands())
        if (isa<PoisonValue>(operand)) return true;
    }
  return false;
}

namespace {

/// The trap that a block begins with, or null.
CallInst *trapOf(BasicBlock &block) {
  auto *call = dyn_cast<CallInst>(block.getFirstNonPHIOrDbg());
  return call && call->getIntrinsicID() == Intrinsic::ubsantrap ? call : nullptr;
}

/// Takes the checks of one function apart.
class Checks {
public:
  Checks(Function &function, bool isSecond, FailingChecks &failing)
      : function_(function), isSecond_(isSecond), failing_(failing) {}

  void run() {
    for (BasicBlock &block : function_)
      if (auto *branch = dyn_cast<BranchInst>(block.getTerminator());
          branch && branch->isConditional())
        decide(*branch);
    if (conditions_.empty()) return;
    for (WeakTrackingVH &condition : conditions_)
      if (condition) noteArithmetic(condition);
    for (WeakTrackingVH &condition : conditions_)
      if (condition) RecursivelyDeleteTriviallyDeadInstructions(condition);
    removeUnreachableBlocks(function_);
    for (BasicBlock *block : joined_)
      if (block->getParent()) MergeBlockIntoPredecessor(block);
    for (WeakTrackingVH &v : arithmetic_)
      if (v) makePlain(*cast<WithOverflowInst>(v));
  }

private:
  void decide(BranchInst &branch) {
    for (unsigned i = 0; i < 2; i++) {
      CallInst *trap = trapOf(*branch.getSuccessor(i));
      if (!trap || branch.getSuccessor(1 - i) == branch.getSuccessor(i)) continue;
      BasicBlock *good = branch.getSuccessor(1 - i);
      Value *condition = branch.getCondition();
      auto *constant = dyn_cast<ConstantInt>(condition);
      const bool fails = constant && constant->isOne() == (i == 0);
      if (fails) note(*trap);
      IRBuilder<> builder(&branch);
      (fails ? good : trap->getParent())->removePredecessor(branch.getParent());
      builder.CreateBr(fails ? trap->getParent() : good);
      branch.eraseFromParent();
      conditions_.emplace_back(condition);
      if (!fails) joined_.push_back(good);
      return;
    }
  }

  void note(CallInst &trap) {
    const DILocation *at = trap.getDebugLoc();
    const bool isNew =
        failing_
            .emplace(function_.getName().str(), at ? at->getLine() : 0, at ? at->getColumn() : 0)
            .second;
    const bool isOverflow = isSecond_ && isNew;
    if (cast<ConstantInt>(trap.getArgOperand(0))->getZExtValue() != kDivision || isOverflow) return;
    // The trap of a division does not say whether it is by zero; a division does.
    IntegerType *type = Type::getInt32Ty(trap.getContext());
    auto *division =
        BinaryOperator::CreateUDiv(ConstantInt::get(type, 1), ConstantInt::get(type, 0));
    division->setDebugLoc(trap.getDebugLoc());
    division->insertBefore(&trap);
  }

  /// The checked operations that a condition is about: a plain one takes the place of each.
  void noteArithmetic(Value *condition) {
    SmallVector<Value *, 8> work{condition};
    while (!work.empty()) {
      auto *inst = dyn_cast<Instruction>(work.pop_back_val());
      if (!inst) continue;
      if (auto *extract = dyn_cast<ExtractValueInst>(inst)) {
        if (auto *checked = dyn_cast<WithOverflowInst>(extract->getAggregateOperand()))
          arithmetic_.emplace_back(checked);
      } else if (inst->getType()->isIntegerTy(1) && isa<BinaryOperator>(inst)) {
        work.append(inst->op_begin(), inst->op_end());
      }
    }
  }

  static void makePlain(WithOverflowInst &checked) {
    IRBuilder<> builder(&checked);
    auto *plain = BinaryOperator::Create(checked.getBinaryOp(), checked.getLHS(), checked.getRHS());
    builder.Insert(plain);
    if (checked.isSigned()) plain->setHasNoSignedWrap();
    for (User *user : make_early_inc_range(checked.users())) {
      auto *extract = cast<ExtractValueInst>(user);
      if (extract->getIndices().front() == 0) extract->replaceAllUsesWith(plain);
      extract->eraseFromParent();
    }
    checked.eraseFromParent();
  }

  Function &function_;
  bool isSecond_;
  FailingChecks &failing_;
  SmallVector<WeakTrackingVH, 16> conditions_, arithmetic_;
  SmallVector<BasicBlock *, 16> joined_;
};

} // namespace

std::string withConstantChecks(const std::string &path, bool isSecond, FailingChecks &failing) {
  auto file = MemoryBuffer::getFile(path);
  if (!file) return "";
  LLVMContext context;
  std::unique_ptr<Module> module = read((*file)->getMemBufferRef(), context);
  if (!module) return "";
  for (Function &function : *module)
    if (!function.isDeclaration()) Checks(function, isSecond, failing).run();
  std::string out;
  raw_string_ostream stream(out);
  WriteBitcodeToFile(*module, stream);
  return out;
}

} // namespace fathom::cc
