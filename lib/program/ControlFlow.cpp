// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls between functions. Structures.cpp finds the structures inside of functions.
#include "program/ControlFlow.h"

#include "program/Load.h"
#include "program/Structures.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstrTypes.h"

namespace fathom::program {

using namespace llvm;

namespace {

class FlowReader {
public:
  explicit FlowReader(Module &module) : module_(module) {}
  Expected<ControlFlow> run();

private:
  void number(Function &f) {
    index_[&f] = static_cast<uint32_t>(functions_.size()), functions_.push_back(&f);
  }
  void findTargets();
  void appendCalls(BasicBlock &block, Flow &out);
  const Function *own(const Value *operand) const;

  Module &module_;
  std::vector<Function *> functions_;
  DenseMap<const Function *, uint32_t> index_;
  MapVector<FunctionType *, uint32_t> targetsOf_; ///< by type of the call, an index into targets
  DenseSet<uint32_t> handed_;                     ///< functions that libc was given
  DenseSet<uint32_t> used_;                       ///< targets that some call goes to
  ControlFlow result_;
};

/// The own function that the operand is, or null.
const Function *FlowReader::own(const Value *operand) const {
  auto *f = dyn_cast<Function>(operand->stripPointerCastsAndAliases());
  return f && index_.count(f) ? f : nullptr;
}

/// What calls through pointers may go to: functions of the type whose address is taken.
void FlowReader::findTargets() {
  // Not the first one: its address is libc's start-up code's.
  for (uint32_t i = 1; i < functions_.size(); ++i) {
    Function &f = *functions_[i];
    if (!f.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false, /*IgnoreAssumeLikeCalls=*/true,
                           /*IgnoreLLVMUsed=*/true))
      continue;
    auto [entry, isNew] =
        targetsOf_.insert({f.getFunctionType(), static_cast<uint32_t>(result_.targets.size())});
    if (isNew) result_.targets.emplace_back();
    result_.targets[entry->second].push_back(i);
  }
}

void FlowReader::appendCalls(BasicBlock &block, Flow &out) {
  for (Instruction &instruction : block) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || call->isInlineAsm()) continue;
    Value *callee = call->getCalledOperand()->stripPointerCastsAndAliases();
    if (const Function *f = own(callee)) {
      out.children.push_back({.kind = Flow::Call, .value = index_[f]});
    } else if (isa<Function>(callee)) {
      for (const Use &argument : call->args())
        if (const Function *handed = own(argument)) {
          out.children.push_back({.kind = Flow::Call, .value = index_[handed]});
          handed_.insert(index_[handed]);
        }
    } else if (auto known = targetsOf_.find(call->getFunctionType()); known != targetsOf_.end()) {
      out.children.push_back({.kind = Flow::Indirect, .value = known->second});
      used_.insert(known->second);
    }
  }
}

Expected<ControlFlow> FlowReader::run() {
  Function *start = nullptr;
  for (const char *name : {"LLVMFuzzerTestOneInput", "main"})
    if (Function *f = module_.getFunction(name); f && !f->isDeclaration() && isOwnFunction(*f))
      start = f;
  if (!start)
    return createStringError(inconvertibleErrorCode(),
                             "no function main or LLVMFuzzerTestOneInput in its own code");
  number(*start);
  for (Function &f : module_)
    if (&f != start && !f.isDeclaration() && isOwnFunction(f)) number(f);
  findTargets();
  for (Function *f : functions_) {
    FlowFunction &out = result_.functions.emplace_back();
    out.name = f->getName().str();
    structureFunction(*f, out, [&](BasicBlock &block, Flow &seq) { appendCalls(block, seq); });
  }
  // Addresses that only libc, or code without prototypes, knows what to do with.
  std::vector<uint32_t> left;
  for (const auto &[type, targets] : targetsOf_)
    for (uint32_t f : result_.targets[targets])
      if (!used_.contains(targets) && !handed_.contains(f)) left.push_back(f);
  if (!left.empty()) {
    result_.functions[0].body.children.push_back(
        {.kind = Flow::Indirect, .value = static_cast<uint32_t>(result_.targets.size())});
    result_.targets.push_back(std::move(left));
  }
  return std::move(result_);
}

} // namespace

Expected<ControlFlow> controlFlowOf(Module &module) { return FlowReader(module).run(); }

} // namespace fathom::program
