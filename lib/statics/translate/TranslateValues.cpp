// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of LLVM IR as operands, and conditions as formulas.
#include "statics/translate/Translator.h"

#include "program/Prepare.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <fmt/format.h>

namespace fathom::statics {

using namespace abstract;

namespace {

/// The name of the source's variable to which the value, or what is stored at it, belongs.
std::string sourceName(const llvm::Value &value) {
  auto &v = const_cast<llvm::Value &>(value);
  llvm::SmallVector<llvm::DbgVariableIntrinsic *, 2> users;
  llvm::SmallVector<llvm::DbgVariableRecord *, 2> records;
  llvm::findDbgUsers(users, &v, &records);
  for (const llvm::DbgVariableIntrinsic *user : users) return user->getVariable()->getName().str();
  for (const llvm::DbgVariableRecord *record : records)
    return record->getVariable()->getName().str();
  return "";
}

} // namespace

FunctionTranslator::FunctionTranslator(ModuleTranslator &module, const llvm::Function &function,
                                       FunctionId id)
    : module_(module), program_(module.program), function_(function), id_(id) {}

bool FunctionTranslator::hasVariable(const llvm::Type *type) const {
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

std::string FunctionTranslator::nameOf(const llvm::Value &value) const {
  std::string name = sourceName(value);
  if (name.empty()) name = value.getName().str();
  return name.empty() ? "t" : name;
}

VarId FunctionTranslator::variableOf(const llvm::Value &value) {
  auto [at, isNew] = variables_.try_emplace(&value, kNoId);
  if (!isNew) return at->second;
  const bool isAddress = value.getType()->isPointerTy();
  const unsigned width = isAddress ? 64 : value.getType()->getIntegerBitWidth();
  const VarId var = program_.newVariable(nameOf(value), width, isAddress);
  program_.functions[id_].variables.push_back(var);
  return variables_[&value] = var;
}

VarId FunctionTranslator::temporary(unsigned width, bool isAddress) {
  const VarId var = program_.newVariable("t", width, isAddress);
  program_.functions[id_].variables.push_back(var);
  return var;
}

Statement &FunctionTranslator::emit(StatementKind kind) {
  std::vector<Statement> &list = program_.functions[id_].blocks[block_].statements;
  list.emplace_back();
  list.back().kind = kind;
  return list.back();
}

Statement &FunctionTranslator::emit(StatementKind kind, VarId dst) {
  Statement &s = emit(kind);
  s.dst = dst;
  s.width = program_.variables[dst].width;
  s.isAddress = program_.variables[dst].isAddress;
  return s;
}

Operand FunctionTranslator::unknown(unsigned width, bool isAddress) {
  const VarId var = temporary(width, isAddress);
  emit(StatementKind::Forget, var);
  return Operand::of(var, width);
}

Operand FunctionTranslator::addressOf(ObjectId object) {
  const VarId var = temporary(64, /*isAddress=*/true);
  emit(StatementKind::AddressOf, var).object = object;
  return Operand::of(var, 64);
}

Operand FunctionTranslator::operand(const llvm::Value &value) {
  if (const auto *constant = llvm::dyn_cast<llvm::Constant>(&value))
    return constantOperand(*constant);
  const unsigned width =
      value.getType()->isPointerTy() ? 64 : value.getType()->getIntegerBitWidth();
  return Operand::of(variableOf(value), width);
}

Operand FunctionTranslator::constantOperand(const llvm::Constant &constant) {
  const bool isAddress = constant.getType()->isPointerTy();
  const unsigned width = isAddress ? 64 : constant.getType()->getIntegerBitWidth();
  if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return Operand::number(width, number->getZExtValue());
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return Operand::number(64, 0);
  if (isAddress) {
    llvm::APInt offset(64, 0);
    const llvm::Value *base = constant.stripAndAccumulateConstantOffsets(module_.layout(), offset,
                                                                         /*AllowNonInbounds=*/true);
    const auto *global = llvm::dyn_cast<llvm::GlobalValue>(base);
    if (global && !llvm::isa<llvm::GlobalAlias>(global)) {
      const Operand start = addressOf(module_.objectOf(*global));
      if (offset.isZero()) return start;
      const VarId var = temporary(64, /*isAddress=*/true);
      Statement &s = emit(StatementKind::Shift, var);
      s.a = start;
      s.b = Operand::number(64, offset.getZExtValue());
      return Operand::of(var, 64);
    }
  }
  return unknown(width, isAddress);
}

/// As 64 bits.
Operand FunctionTranslator::widened(const llvm::Value &value, bool isSigned) {
  if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return Operand::number(64,
                           isSigned ? uint64_t(number->getSExtValue()) : number->getZExtValue());
  const Operand from = operand(value);
  if (from.width == 64) return from;
  const VarId var = temporary(64);
  Statement &s = emit(StatementKind::Convert, var);
  s.cast = isSigned ? Cast::SExt : Cast::ZExt;
  s.a = from;
  return Operand::of(var, 64);
}

Operand FunctionTranslator::offsetAddress(const llvm::GEPOperator &gep) {
  Operand at = operand(*gep.getPointerOperand());
  auto shift = [&](Operand by) {
    const VarId var = temporary(64, /*isAddress=*/true);
    Statement &s = emit(StatementKind::Shift, var);
    s.a = at;
    s.b = by;
    at = Operand::of(var, 64);
  };
  uint64_t constant = 0;
  for (auto i = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); i != end; ++i) {
    if (llvm::StructType *type = i.getStructTypeOrNull()) {
      const auto field = unsigned(llvm::cast<llvm::ConstantInt>(i.getOperand())->getZExtValue());
      constant += module_.layout().getStructLayout(type)->getElementOffset(field);
      continue;
    }
    const uint64_t step = module_.layout().getTypeAllocSize(i.getIndexedType());
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand())) {
      constant += uint64_t(number->getSExtValue()) * step;
      continue;
    }
    if (!hasVariable(i.getOperand()->getType())) return unknown(64, true);
    Operand by = widened(*i.getOperand(), /*isSigned=*/true);
    if (step != 1) {
      const VarId scaled = temporary(64);
      Statement &s = emit(StatementKind::Operate, scaled);
      s.binary = Binary::Mul;
      s.a = by;
      s.b = Operand::number(64, step);
      by = Operand::of(scaled, 64);
    }
    shift(by);
  }
  if (constant) shift(Operand::number(64, constant));
  return at;
}

Condition FunctionTranslator::condition(const llvm::Value &value, int depth) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return constant->isZero() ? Condition().negation() : Condition();
  if (llvm::isa<llvm::Constant>(value)) return Condition::unknown();
  auto plain = [&] {
    return Condition::compare(Predicate::Ne, operand(value), Operand::number(1, 0));
  };
  if (depth > 8) return plain();
  if (const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&value)) {
    const llvm::Value &a = *compare->getOperand(0), &b = *compare->getOperand(1);
    if (!hasVariable(a.getType())) return Condition::unknown();
    // A truth value that went through an integer: (c ? 1 : 0) != 0.
    const auto *zero = llvm::dyn_cast<llvm::ConstantInt>(&b);
    const auto *extended = llvm::dyn_cast<llvm::ZExtInst>(&a);
    if (zero && zero->isZero() && extended && extended->getSrcTy()->isIntegerTy(1) &&
        compare->isEquality()) {
      const Condition inner = condition(*extended->getOperand(0), depth + 1);
      return compare->getPredicate() == llvm::CmpInst::ICMP_NE ? inner : inner.negation();
    }
    Predicate predicate = Predicate::Eq;
    switch (compare->getPredicate()) {
    case llvm::CmpInst::ICMP_EQ: predicate = Predicate::Eq; break;
    case llvm::CmpInst::ICMP_NE: predicate = Predicate::Ne; break;
    case llvm::CmpInst::ICMP_ULT: predicate = Predicate::Ult; break;
    case llvm::CmpInst::ICMP_ULE: predicate = Predicate::Ule; break;
    case llvm::CmpInst::ICMP_UGT: predicate = Predicate::Ugt; break;
    case llvm::CmpInst::ICMP_UGE: predicate = Predicate::Uge; break;
    case llvm::CmpInst::ICMP_SLT: predicate = Predicate::Slt; break;
    case llvm::CmpInst::ICMP_SLE: predicate = Predicate::Sle; break;
    case llvm::CmpInst::ICMP_SGT: predicate = Predicate::Sgt; break;
    case llvm::CmpInst::ICMP_SGE: predicate = Predicate::Sge; break;
    default: return Condition::unknown();
    }
    return Condition::compare(predicate, operand(a), operand(b), a.getType()->isPointerTy());
  }
  if (const auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
    const llvm::Value &a = *op->getOperand(0), &b = *op->getOperand(1);
    if (op->getOpcode() == llvm::Instruction::And)
      return Condition::both(condition(a, depth + 1), condition(b, depth + 1));
    if (op->getOpcode() == llvm::Instruction::Or)
      return Condition::either(condition(a, depth + 1), condition(b, depth + 1));
    const auto *one = llvm::dyn_cast<llvm::ConstantInt>(&b);
    if (op->getOpcode() == llvm::Instruction::Xor && one && one->isOne())
      return condition(a, depth + 1).negation();
    return plain();
  }
  if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
    const Condition c = condition(*select->getCondition(), depth + 1);
    return Condition::either(
        Condition::both(c, condition(*select->getTrueValue(), depth + 1)),
        Condition::both(c.negation(), condition(*select->getFalseValue(), depth + 1)));
  }
  return plain();
}

bool escapes(const llvm::Value &address) {
  llvm::SmallVector<const llvm::Value *, 16> open{&address};
  llvm::DenseMap<const llvm::Value *, bool> seen;
  while (!open.empty()) {
    const llvm::Value *value = open.pop_back_val();
    if (!seen.try_emplace(value, true).second) continue;
    if (seen.size() > 2000) return true;
    for (const llvm::Use &use : value->uses()) {
      const llvm::User *user = use.getUser();
      if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user)) continue;
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == value) return true;
        continue;
      }
      if (llvm::isa<llvm::GEPOperator, llvm::PHINode, llvm::SelectInst, llvm::BitCastOperator>(
              user)) {
        open.push_back(user);
        continue;
      }
      const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call) return true;
      if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) {
        if (llvm::isa<llvm::MemIntrinsic>(intrinsic) || intrinsic->isLifetimeStartOrEnd() ||
            llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic))
          continue;
        return true;
      }
      const llvm::Function *callee = call->getCalledFunction();
      if (!callee || call->isCallee(&use)) return true;
      // What memcpy and its like return is the address again.
      const llvm::StringRef name = callee->getName();
      if (!isHarmless(*callee) && name != "memcpy" && name != "memset" && name != "memmove")
        return true;
      if (call->getType()->isPointerTy()) open.push_back(call);
    }
  }
  return false;
}

} // namespace fathom::statics
