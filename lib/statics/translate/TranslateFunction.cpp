// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks and instructions; calls are in TranslateCalls.cpp.
#include "statics/translate/Translator.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <fmt/format.h>

namespace fathom::statics {

using namespace abstract;

void FunctionTranslator::run() {
  std::vector<Block> &blocks = program_.functions[id_].blocks;
  for (const llvm::BasicBlock &block : function_) {
    blocks_[&block] = BlockId(blocks.size());
    blocks.emplace_back();
  }
  findGroups();
  for (const llvm::Argument &argument : function_.args()) {
    // A parameter of a type without variables gets a dummy, so that the indices of the others
    // match.
    const VarId var = hasVariable(argument.getType()) ? variableOf(argument) : temporary(64);
    program_.functions[id_].parameters.push_back(var);
  }
  if (hasVariable(function_.getReturnType()))
    program_.functions[id_].result = program_.newVariable(
        function_.getName().str(),
        function_.getReturnType()->isPointerTy() ? 64
                                                 : function_.getReturnType()->getIntegerBitWidth(),
        function_.getReturnType()->isPointerTy());
  for (const llvm::BasicBlock &block : function_) {
    block_ = blocks_[&block];
    for (const llvm::Instruction &inst : block) {
      if (const llvm::DebugLoc &at = inst.getDebugLoc(); at && !blocks[block_].line)
        blocks[block_].line = at.getLine();
      if (inst.isTerminator())
        terminator(inst);
      else
        translate(inst);
    }
  }
}

void FunctionTranslator::translate(const llvm::Instruction &inst) {
  if (const auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&inst)) return binary(*op);
  if (const auto *c = llvm::dyn_cast<llvm::CastInst>(&inst)) return cast(*c);
  if (const auto *l = llvm::dyn_cast<llvm::LoadInst>(&inst)) return load(*l);
  if (const auto *s = llvm::dyn_cast<llvm::StoreInst>(&inst)) return store(*s);
  if (const auto *a = llvm::dyn_cast<llvm::AllocaInst>(&inst)) return allocate(*a);
  if (const auto *c = llvm::dyn_cast<llvm::CallBase>(&inst)) return call(*c);
  if (const auto *x = llvm::dyn_cast<llvm::ExtractValueInst>(&inst)) return extract(*x);
  if (llvm::isa<llvm::PHINode>(inst)) return; // on the edges
  if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&inst);
      gep && hasVariable(inst.getType())) {
    const Operand at = offsetAddress(*gep);
    emit(StatementKind::Assign, variableOf(inst)).a = at;
    return;
  }
  if (llvm::isa<llvm::ICmpInst>(inst) && hasVariable(inst.getType())) {
    // Only a branch reads it: it has the condition itself.
    if (llvm::all_of(inst.users(),
                     [](const llvm::User *u) { return llvm::isa<llvm::BranchInst>(u); }))
      return;
    const Condition c = condition(inst);
    emit(StatementKind::Test, variableOf(inst)).condition = c;
    return;
  }
  if (const auto *s = llvm::dyn_cast<llvm::SelectInst>(&inst);
      s && hasVariable(inst.getType()) && s->getCondition()->getType()->isIntegerTy(1)) {
    const Condition c = condition(*s->getCondition());
    const Operand a = operand(*s->getTrueValue()), b = operand(*s->getFalseValue());
    Statement &out = emit(StatementKind::Select, variableOf(inst));
    out.condition = c;
    out.a = a;
    out.b = b;
    return;
  }
  if (const auto *f = llvm::dyn_cast<llvm::FreezeInst>(&inst); f && hasVariable(inst.getType())) {
    const Operand a = operand(*f->getOperand(0));
    emit(StatementKind::Assign, variableOf(inst)).a = a;
    return;
  }
  if (inst.mayWriteToMemory()) { // atomics: the object that they write to is unknown afterwards
    module_.noteUnmodelled(fmt::format("{} instruction", inst.getOpcodeName()));
    for (const llvm::Use &use : inst.operands())
      if (use->getType()->isPointerTy()) {
        forgetPointee(*use);
        break;
      }
  }
  if (hasVariable(inst.getType())) {
    emit(StatementKind::Forget, variableOf(inst));
    const bool isFloat = inst.getNumOperands() && inst.getOperand(0)->getType()->isFPOrFPVectorTy();
    module_.noteUnmodelled(isFloat ? std::string("floating-point operation")
                                   : fmt::format("{} instruction", inst.getOpcodeName()));
  }
}

void FunctionTranslator::binary(const llvm::BinaryOperator &op) {
  if (!hasVariable(op.getType())) return;
  Binary kind = Binary::Add;
  switch (op.getOpcode()) {
  case llvm::Instruction::Add: kind = Binary::Add; break;
  case llvm::Instruction::Sub: kind = Binary::Sub; break;
  case llvm::Instruction::Mul: kind = Binary::Mul; break;
  case llvm::Instruction::UDiv: kind = Binary::UDiv; break;
  case llvm::Instruction::SDiv: kind = Binary::SDiv; break;
  case llvm::Instruction::URem: kind = Binary::URem; break;
  case llvm::Instruction::SRem: kind = Binary::SRem; break;
  case llvm::Instruction::Shl: kind = Binary::Shl; break;
  case llvm::Instruction::LShr: kind = Binary::LShr; break;
  case llvm::Instruction::AShr: kind = Binary::AShr; break;
  case llvm::Instruction::And: kind = Binary::And; break;
  case llvm::Instruction::Or: kind = Binary::Or; break;
  default: kind = Binary::Xor; break;
  }
  const unsigned width = op.getType()->getIntegerBitWidth();
  const bool divides = kind >= Binary::UDiv && kind <= Binary::SRem;
  const bool shifts = kind >= Binary::Shl && kind <= Binary::AShr;
  const Operand a = operand(*op.getOperand(0)), b = operand(*op.getOperand(1));
  if (divides) {
    Condition isDefined = Condition::compare(Predicate::Ne, b, Operand::number(width, 0));
    if (kind == Binary::SDiv || kind == Binary::SRem)
      isDefined = Condition::both(
          isDefined,
          Condition::either(
              Condition::compare(
                  Predicate::Ne, b,
                  Operand::number(width, width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1)),
              Condition::compare(Predicate::Ne, a,
                                 Operand::number(width, uint64_t(1) << (width - 1)))));
    if (!b.isConstant() || b.constant == 0) verify(CheckKind::Division, op, "division", isDefined);
  }
  if (shifts && module_.options().checkShifts && (!b.isConstant() || b.constant >= width))
    verify(CheckKind::Shift, op, "shift",
           Condition::compare(Predicate::Ult, b, Operand::number(width, width)));
  const bool mayOverflow = kind == Binary::Add || kind == Binary::Sub || kind == Binary::Mul;
  if (mayOverflow && module_.options().checkOverflow && op.hasNoSignedWrap() && width <= 32)
    return checkedArithmetic(op, kind);
  Statement &s = emit(StatementKind::Operate, variableOf(op));
  s.binary = kind;
  s.a = a;
  s.b = b;
}

/// In 64 bits, where nothing overflows; then the result must fit.
void FunctionTranslator::checkedArithmetic(const llvm::BinaryOperator &op, Binary kind) {
  const unsigned width = op.getType()->getIntegerBitWidth();
  const Operand a = widened(*op.getOperand(0), true), b = widened(*op.getOperand(1), true);
  const VarId exact = temporary(64);
  Statement &s = emit(StatementKind::Operate, exact);
  s.binary = kind;
  s.a = a;
  s.b = b;
  const int64_t half = int64_t(1) << (width - 1);
  verify(CheckKind::Overflow, op, fmt::format("{} of {} bits", op.getOpcodeName(), width),
         Condition::both(Condition::compare(Predicate::Sge, Operand::of(exact, 64),
                                            Operand::number(64, uint64_t(-half))),
                         Condition::compare(Predicate::Slt, Operand::of(exact, 64),
                                            Operand::number(64, uint64_t(half)))));
  Statement &narrow = emit(StatementKind::Convert, variableOf(op));
  narrow.cast = Cast::Trunc;
  narrow.a = Operand::of(exact, 64);
}

void FunctionTranslator::cast(const llvm::CastInst &inst) {
  if (!hasVariable(inst.getType())) return;
  const llvm::Value &from = *inst.getOperand(0);
  if (!hasVariable(from.getType())) {
    module_.noteUnmodelled(from.getType()->isFPOrFPVectorTy() ? "floating-point operation"
                                                              : "cast of a wide integer or vector");
    emit(StatementKind::Forget, variableOf(inst));
    return;
  }
  const Operand a = operand(from);
  const VarId dst = variableOf(inst);
  auto convert = [&](Cast kind) {
    Statement &s = emit(StatementKind::Convert, dst);
    s.cast = kind;
    s.a = a;
  };
  switch (inst.getOpcode()) {
  case llvm::Instruction::ZExt: return convert(Cast::ZExt);
  case llvm::Instruction::SExt: return convert(Cast::SExt);
  case llvm::Instruction::Trunc: return convert(Cast::Trunc);
  case llvm::Instruction::PtrToInt: emit(StatementKind::ToInteger, dst).a = a; return;
  case llvm::Instruction::IntToPtr: emit(StatementKind::ToAddress, dst).a = a; return;
  default: emit(StatementKind::Assign, dst).a = a; return;
  }
}

void FunctionTranslator::load(const llvm::LoadInst &inst) {
  const uint64_t size = module_.layout().getTypeStoreSize(inst.getType());
  const Operand at = operand(*inst.getPointerOperand());
  const CheckId check = boundsCheck(inst, *inst.getPointerOperand(), size, "read");
  Statement s;
  s.kind = StatementKind::Load;
  s.a = at;
  s.sizeBytes = uint32_t(size);
  s.check = check;
  if (hasVariable(inst.getType())) {
    s.dst = variableOf(inst);
    s.width = program_.variables[s.dst].width;
    s.isAddress = program_.variables[s.dst].isAddress;
  }
  program_.functions[id_].blocks[block_].statements.push_back(s);
}

void FunctionTranslator::store(const llvm::StoreInst &inst) {
  const llvm::Value &value = *inst.getValueOperand();
  const uint64_t size = module_.layout().getTypeStoreSize(value.getType());
  const Operand at = operand(*inst.getPointerOperand());
  const CheckId check = boundsCheck(inst, *inst.getPointerOperand(), size, "write");
  Operand what;
  if (hasVariable(value.getType())) {
    what = operand(value);
    if (what.width != size * 8 && size <= 8) { // in memory it has whole bytes
      const VarId wide = temporary(unsigned(size) * 8);
      Statement &s = emit(StatementKind::Convert, wide);
      s.cast = Cast::ZExt;
      s.a = what;
      what = Operand::of(wide, unsigned(size) * 8);
    }
  } else {
    what = unknown(size <= 8 ? unsigned(size) * 8 : 64);
  }
  Statement &s = emit(StatementKind::Store);
  s.a = at;
  s.b = what;
  s.sizeBytes = uint32_t(size);
  s.isAddress = value.getType()->isPointerTy();
  s.check = check;
}

void FunctionTranslator::allocate(const llvm::AllocaInst &inst) {
  Object object;
  object.kind = Object::Kind::Stack;
  object.name = nameOf(inst);
  object.function = id_;
  object.escapes = escapes(inst);
  llvm::Type *type = inst.getAllocatedType();
  const uint64_t element = module_.layout().getTypeAllocSize(type);
  const auto *count = llvm::dyn_cast<llvm::ConstantInt>(inst.getArraySize());
  const bool isStatic = count && inst.getParent() == &function_.getEntryBlock();
  if (count) object.sizeBytes = element * count->getZExtValue();
  module_.describe(object, type);
  Operand bytes = Operand::number(64, 0);
  if (!isStatic) {
    object.isSummary = true;
    if (!object.elementBytes && element <= 8) object.elementBytes = uint32_t(element);
    if (!count) {
      object.sizeVar = program_.newVariable("size of " + object.name, 64, false);
      const Operand n = widened(*inst.getArraySize(), /*isSigned=*/false);
      const VarId product = temporary(64);
      Statement &s = emit(StatementKind::Operate, product);
      s.binary = Binary::Mul;
      s.a = n;
      s.b = Operand::number(64, element);
      bytes = Operand::of(product, 64);
    }
  }
  const ObjectId id = module_.addObject(std::move(object));
  allocations_[&inst] = id;
  Statement &entered = emit(StatementKind::Enter);
  entered.object = id;
  entered.a = bytes;
  emit(StatementKind::AddressOf, variableOf(inst)).object = id;
}

void FunctionTranslator::extract(const llvm::ExtractValueInst &inst) {
  if (!hasVariable(inst.getType())) return;
  const VarId dst = variableOf(inst);
  const auto *call = llvm::dyn_cast<llvm::WithOverflowInst>(inst.getAggregateOperand());
  const bool isValue = call && inst.getIndices()[0] == 0 && hasVariable(call->getLHS()->getType());
  if (!isValue) {
    emit(StatementKind::Forget, dst);
    return;
  }
  const Operand a = operand(*call->getLHS()), b = operand(*call->getRHS());
  Statement &s = emit(StatementKind::Operate, dst);
  s.binary = call->getBinaryOp() == llvm::Instruction::Add   ? Binary::Add
             : call->getBinaryOp() == llvm::Instruction::Sub ? Binary::Sub
                                                             : Binary::Mul;
  s.a = a;
  s.b = b;
}

void FunctionTranslator::connect(const llvm::BasicBlock &from, const llvm::BasicBlock &to,
                                 Condition condition) {
  Edge edge;
  edge.target = blocks_[&to];
  edge.condition = std::move(condition);
  for (const llvm::PHINode &phi : to.phis()) {
    if (!hasVariable(phi.getType())) continue;
    EdgeAssignment x;
    x.dst = variableOf(phi);
    x.isAddress = phi.getType()->isPointerTy();
    const llvm::Value &value = *phi.getIncomingValueForBlock(&from);
    x.isUnknown = llvm::isa<llvm::UndefValue>(value);
    if (!x.isUnknown) x.value = operand(value);
    edge.assignments.push_back(x);
  }
  program_.functions[id_].blocks[block_].successors.push_back(std::move(edge));
}

void FunctionTranslator::terminator(const llvm::Instruction &inst) {
  const llvm::BasicBlock &here = *inst.getParent();
  Block &block = program_.functions[id_].blocks[block_];
  if (const auto *ret = llvm::dyn_cast<llvm::ReturnInst>(&inst)) {
    const llvm::Value *value = ret->getReturnValue();
    if (value && hasVariable(value->getType())) {
      const Operand returned = operand(*value);
      block.returned = returned;
      block.returnsAddress = value->getType()->isPointerTy();
    }
    block.returns = true;
    return;
  }
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&inst)) {
    if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return connect(here, *branch->getSuccessor(0), {});
    const Condition c = condition(*branch->getCondition());
    assertion(*branch, c);
    connect(here, *branch->getSuccessor(0), c);
    connect(here, *branch->getSuccessor(1), c.negation());
    return;
  }
  if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&inst)) {
    const bool isKnown = hasVariable(choice->getCondition()->getType());
    const Operand on = isKnown ? operand(*choice->getCondition()) : Operand();
    Condition rest;
    for (const auto &option : choice->cases()) {
      Condition is = Condition::unknown();
      if (isKnown) {
        is = Condition::compare(Predicate::Eq, on,
                                Operand::number(on.width, option.getCaseValue()->getZExtValue()));
        rest = Condition::both(rest, is.negation());
      }
      connect(here, *option.getCaseSuccessor(), is);
    }
    connect(here, *choice->getDefaultDest(), rest);
    return;
  }
  if (const auto *c = llvm::dyn_cast<llvm::CallBase>(&inst)) call(*c); // an invoke
  for (unsigned i = 0; i < inst.getNumSuccessors(); ++i)
    connect(here, *inst.getSuccessor(i), Condition::unknown());
}

} // namespace fathom::statics
