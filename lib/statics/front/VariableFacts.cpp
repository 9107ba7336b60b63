// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of a function as objects: those that it declares, and structures that it is passed
// by value.
#include "statics/front/FunctionFacts.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace fathom::statics {

/// A structure that is passed by value is a variable of the callee, into which the caller's is
/// copied.
void FunctionFacts::addCopiedParameters() {
  for (const Argument &argument : function_.args()) {
    if (!argument.hasByValAttr()) continue;
    Type *type = argument.getParamByValType();
    const ValueId passed = facts.functions[id].parameters[argument.getArgNo()];
    const ValueId copy = values_[&argument];
    const auto statement = static_cast<StatementId>(facts.statements.size());
    Object object{.kind = ObjectKind::Stack, .layout = builder.layouts.of(type), .function = id};
    object.site = statement;
    object.place = facts.functions[id].place;
    object.bytes = builder.dl.getTypeAllocSize(type);
    object.isByValueParameter = true;
    object.name = facts.functions[id].name + ".parameter" + std::to_string(argument.getArgNo());
    const uint64_t bytes = object.bytes;
    const ObjectId made = builder.addObject(std::move(object));
    if (builder.origin) builder.origin->copied[&argument] = made;
    facts.values[copy].definition = statement;
    Statement address{.kind = StatementKind::Address, .result = copy, .extra = made};
    address.block = block_;
    address.place = facts.functions[id].place;
    facts.statements.push_back(address);
    Statement call{.kind = StatementKind::Call};
    call.firstOperand = static_cast<uint32_t>(facts.operands.size());
    call.numOperands = 2;
    call.extra = static_cast<uint32_t>(facts.calls.size());
    call.block = block_;
    call.place = facts.functions[id].place;
    facts.operands.push_back(copy);
    facts.operands.push_back(passed);
    const LibraryFunction *copies = findLibraryFunction("memcpy");
    facts.calls.push_back({.statement = static_cast<StatementId>(facts.statements.size()),
                           .known = copies,
                           .summary = &*copies->summary,
                           .copiedBytes = bytes});
    facts.statements.push_back(call);
  }
}

void FunctionFacts::addAlloca(const AllocaInst &inst) {
  Object object{.kind = ObjectKind::Stack, .function = id};
  object.layout = builder.layouts.of(inst.getAllocatedType());
  object.site = static_cast<StatementId>(facts.statements.size());
  object.place = builder.placeOf(inst.getDebugLoc());
  if (auto bytes = inst.getAllocationSize(builder.dl)) object.bytes = bytes->getKnownMinValue();
  std::string name;
  auto *alloca = const_cast<AllocaInst *>(&inst);
  for (DbgVariableRecord *record : findDVRDeclares(alloca)) {
    name = record->getVariable()->getName();
    // What the compiler makes for itself, as of a range-based loop, has no file.
    if (const DIFile *file = record->getVariable()->getFile(); file && object.place == 0)
      object.place = builder.placeAt(*file, record->getVariable()->getLine(), 0);
  }
  for (DbgDeclareInst *declare : findDbgDeclares(alloca)) name = declare->getVariable()->getName();
  if (name.empty() && inst.hasName()) name = inst.getName();
  if (name.empty()) name = "%" + std::to_string(resultOf(inst) - facts.functions[id].firstValue);
  object.name = facts.functions[id].name + "." + name;
  const PlaceId place = object.place;
  const ObjectId made = builder.addObject(std::move(object));
  Statement &s = add(StatementKind::Address, inst, resultOf(inst), {});
  s.extra = made;
  if (s.place == 0) s.place = place;
}

} // namespace fathom::statics
