// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR of one function as facts. Values are numbered first; then each instruction becomes
// statements (addInstruction). Calls are in CallFacts.cpp.
#include "statics/front/FunctionFacts.h"

#include "program/Prepare.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace fathom::statics {

void addFunctionFacts(FactsBuilder &builder, const llvm::Function &function) {
  FunctionFacts(builder, function).run();
}

FunctionFacts::FunctionFacts(FactsBuilder &builder, const llvm::Function &function)
    : builder(builder), facts(builder.facts), id(builder.functionId(function)), function_(function),
      nullPlaces_(function) {}

void FunctionFacts::run() {
  numberValues();
  facts.functions[id].firstBlock = static_cast<BlockId>(facts.blocks.size());
  facts.functions[id].numBlocks = static_cast<uint32_t>(function_.size());
  for (const BasicBlock &block : function_) {
    blocks_[&block] = static_cast<BlockId>(facts.blocks.size());
    facts.blocks.push_back({.function = id});
  }
  for (const BasicBlock &block : function_) addBlock(block);
  statics::Function &f = facts.functions[id];
  f.numValues = static_cast<uint32_t>(facts.values.size()) - f.firstValue;
}

static uint8_t bitsOf(const Type &type) {
  if (type.isPointerTy()) return 64;
  return type.isIntegerTy() && type.getIntegerBitWidth() <= 64
             ? static_cast<uint8_t>(type.getIntegerBitWidth())
             : uint8_t(0);
}

void FunctionFacts::numberValues() {
  statics::Function &f = facts.functions[id];
  f.firstValue = static_cast<ValueId>(facts.values.size());
  auto add = [&](const Type &type) {
    facts.values.push_back({.function = id,
                            .mayPoint = mayPoint(type),
                            .isPointer = type.isPointerTy(),
                            .bits = bitsOf(type)});
    return static_cast<ValueId>(facts.values.size() - 1);
  };
  for (const Argument &argument : function_.args())
    f.parameters.push_back(values_[&argument] = add(*argument.getType()));
  f.returned = add(*function_.getReturnType());
  for (const Argument &argument : function_.args())
    if (argument.hasByValAttr()) values_[&argument] = add(*argument.getType());
  for (const BasicBlock &block : function_)
    for (const Instruction &inst : block)
      if (!inst.getType()->isVoidTy()) values_[&inst] = add(*inst.getType());
}

ValueId FunctionFacts::valueOf(const llvm::Value &value) {
  auto known = values_.find(&value);
  if (known != values_.end()) return known->second;
  auto *constant = dyn_cast<Constant>(&value);
  if (!constant) return kConstantValue;
  if (!isa<ConstantAggregate>(constant)) return builder.constantOf(*constant);
  // All pointers of a structure or vector are one value, like those in registers.
  std::vector<std::pair<int64_t, ValueId>> found;
  builder.pointersIn(*constant, 0, found);
  if (found.empty()) return kConstantValue;
  if (found.size() == 1) return found[0].second;
  const ValueId together = temporary();
  Statement s{.kind = StatementKind::Copy, .result = together, .block = block_};
  s.firstOperand = static_cast<uint32_t>(facts.operands.size());
  s.numOperands = static_cast<uint32_t>(found.size());
  for (auto &[offset, pointer] : found) facts.operands.push_back(pointer);
  facts.values[together].definition = static_cast<StatementId>(facts.statements.size());
  facts.statements.push_back(s);
  return together;
}

ValueId FunctionFacts::resultOf(const Instruction &inst) {
  return inst.getType()->isVoidTy() ? kNone : values_[&inst];
}

ValueId FunctionFacts::temporary() {
  facts.values.push_back({.function = id, .mayPoint = true});
  return static_cast<ValueId>(facts.values.size() - 1);
}

Statement &FunctionFacts::add(StatementKind kind, const Instruction &inst, ValueId result,
                              ArrayRef<ValueId> operands) {
  Statement s{.kind = kind, .result = result, .block = block_};
  s.firstOperand = static_cast<uint32_t>(facts.operands.size());
  s.numOperands = static_cast<uint32_t>(operands.size());
  s.place = builder.placeOf(inst.getDebugLoc());
  facts.operands.insert(facts.operands.end(), operands.begin(), operands.end());
  if (result != kNone)
    facts.values[result].definition = static_cast<StatementId>(facts.statements.size());
  facts.statements.push_back(s);
  return facts.statements.back();
}

uint32_t FunctionFacts::widthOf(const Type &type) const {
  return static_cast<uint32_t>(
      builder.dl.getTypeStoreSize(const_cast<Type *>(&type)).getKnownMinValue());
}

void FunctionFacts::addBlock(const BasicBlock &block) {
  block_ = blocks_[&block];
  facts.blocks[block_].firstStatement = static_cast<StatementId>(facts.statements.size());
  if (block.isEntryBlock()) addCopiedParameters();
  for (const Instruction &inst : block)
    if (!isa<DbgInfoIntrinsic>(inst)) addInstruction(inst);
  Block &made = facts.blocks[block_];
  made.numStatements = static_cast<uint32_t>(facts.statements.size()) - made.firstStatement;
  for (const BasicBlock *next : successors(&block))
    if (const BlockId to = blocks_[next]; !is_contained(made.next, to)) made.next.push_back(to);
}

static Predicate predicateOf(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_EQ: return Predicate::Equal;
  case CmpInst::ICMP_NE: return Predicate::Unequal;
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT: return Predicate::Less;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE: return Predicate::LessEqual;
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT: return Predicate::Greater;
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE: return Predicate::GreaterEqual;
  default: return Predicate::Other;
  }
}

/// Whether the compiler joined several return statements to this one, through a variable that has
/// no name.
static bool isJoined(const ReturnInst &ret) {
  const auto *phi = dyn_cast<PHINode>(ret.getReturnValue());
  if (!phi || phi->getParent() != ret.getParent()) return false;
  SmallVector<DbgVariableIntrinsic *, 1> users;
  SmallVector<DbgVariableRecord *, 1> records;
  findDbgUsers(users, const_cast<PHINode *>(phi), &records);
  return users.empty() && records.empty();
}

void FunctionFacts::addInstruction(const Instruction &inst) {
  if (builder.origin)
    builder.origin->firstStatement[&inst] = static_cast<StatementId>(facts.statements.size());
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    addCall(*this, *call);
    if (inst.isTerminator()) add(StatementKind::Branch, inst, kNone, {});
    return;
  }
  switch (inst.getOpcode()) {
  case Instruction::Alloca: return addAlloca(cast<AllocaInst>(inst));
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg: return addMemory(inst);
  case Instruction::GetElementPtr: return addGep(cast<GetElementPtrInst>(inst));
  case Instruction::PHI: return addPhi(cast<PHINode>(inst));
  case Instruction::ExtractValue:
    if (addOverflowing(cast<ExtractValueInst>(inst))) return;
    [[fallthrough]];
  case Instruction::Select:
  case Instruction::InsertValue:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::Freeze: return addCopy(inst);
  case Instruction::Ret: {
    auto *ret = cast<ReturnInst>(&inst);
    if (const llvm::Value *value = ret->getReturnValue())
      add(StatementKind::Return, inst, kNone, {valueOf(*value)}).extra =
          isJoined(*ret) ? kJoined : kNone;
    else
      add(StatementKind::Return, inst, kNone, {});
    return;
  }
  case Instruction::ICmp:
  case Instruction::FCmp: {
    const ValueId left = valueOf(*inst.getOperand(0)), right = valueOf(*inst.getOperand(1));
    Statement &s = add(StatementKind::Compare, inst, resultOf(inst), {left, right});
    s.extra = static_cast<uint32_t>(predicateOf(cast<CmpInst>(inst).getPredicate()));
    s.bytes = isa<ICmpInst>(inst) && !cast<ICmpInst>(inst).isUnsigned();
    return;
  }
  default: break;
  }
  if (auto *binary = dyn_cast<BinaryOperator>(&inst)) return addBinary(*binary);
  if (inst.isTerminator()) {
    const bool decides = inst.getNumOperands() > 0 && !isa<BasicBlock>(inst.getOperand(0)) &&
                         inst.getNumSuccessors() > 1;
    // Operand 0 of a conditional branch is the condition.
    if (!decides) {
      add(StatementKind::Branch, inst, kNone, {});
      return;
    }
    add(StatementKind::Branch, inst, kNone, {valueOf(*inst.getOperand(0))}).isUnwind =
        program::isUnwindBranch(inst);
    if (auto *chooses = dyn_cast<SwitchInst>(&inst)) addSwitch(*chooses);
    return;
  }
  addArithmetic(inst, /*pointerOperands=*/0);
}

/// Adds the cases of the statement that was made last.
void FunctionFacts::addSwitch(const SwitchInst &inst) {
  Switch made{.cases = {}, .otherwise = blocks_[inst.getDefaultDest()]};
  for (const auto &one : inst.cases())
    if (one.getCaseValue()->getValue().getSignificantBits() <= 64)
      made.cases.push_back({one.getCaseValue()->getSExtValue(), blocks_[one.getCaseSuccessor()]});
  facts.statements.back().extra = static_cast<uint32_t>(facts.switches.size());
  facts.switches.push_back(std::move(made));
}

static Operation operationOf(unsigned opcode, const Type &result) {
  if (bitsOf(result) == 0) return Operation::Other;
  switch (opcode) {
  case Instruction::Add: return Operation::Add;
  case Instruction::Sub: return Operation::Sub;
  case Instruction::Mul: return Operation::Mul;
  case Instruction::UDiv: return Operation::UDiv;
  case Instruction::SDiv: return Operation::SDiv;
  case Instruction::URem: return Operation::URem;
  case Instruction::SRem: return Operation::SRem;
  case Instruction::Shl: return Operation::Shl;
  case Instruction::LShr: return Operation::LShr;
  case Instruction::AShr: return Operation::AShr;
  case Instruction::And: return Operation::And;
  case Instruction::Or: return Operation::Or;
  case Instruction::Xor: return Operation::Xor;
  case Instruction::ZExt: return Operation::ZExt;
  case Instruction::SExt: return Operation::SExt;
  case Instruction::Trunc: return Operation::Trunc;
  default: return Operation::Other;
  }
}

void FunctionFacts::addArithmetic(const Instruction &inst, unsigned pointerOperands) {
  SmallVector<ValueId, 4> operands;
  for (const Use &operand : inst.operands())
    if (!isa<BasicBlock>(operand) && operand->getType()->isFirstClassType())
      operands.push_back(valueOf(*operand));
  const ValueId result = resultOf(inst);
  if (result != kNone && !facts.values[result].mayPoint) pointerOperands = 0;
  Statement &s = add(StatementKind::Arithmetic, inst, result, operands);
  s.operation = operationOf(inst.getOpcode(), *inst.getType());
  s.extra = pointerOperands;
  s.bytes = isa<ZExtInst, SExtInst>(inst)                            ? kWidens
            : isa<TruncInst>(inst) && inst.getType()->isIntegerTy(1) ? kLowBit
                                                                     : kLowBit + inst.getOpcode();
}

/// What an instruction of another kind computes as this one would. opcode 0: as none does.
void FunctionFacts::addComputed(const Instruction &inst, ValueId result, unsigned opcode,
                                const Type &type, ArrayRef<ValueId> operands) {
  Statement &s = add(StatementKind::Arithmetic, inst, result, operands);
  s.operation = operationOf(opcode, type);
  s.extra = mayPoint(type) && opcode != Instruction::Mul ? 2 : 0;
  s.bytes = opcode ? kLowBit + opcode : 0;
}

/// Of what computes with a constant, and says whether the result fits: from which number on, or up
/// to which one, it does not. nullopt: this is no such constant.
static std::optional<std::pair<CmpInst::Predicate, APInt>>
overflowOf(const WithOverflowInst &inst) {
  const auto *constant = dyn_cast<ConstantInt>(inst.getRHS());
  if (!constant || constant->getBitWidth() > 64) return std::nullopt;
  const APInt &by = constant->getValue();
  // The numbers with which the result fits.
  const ConstantRange fits =
      ConstantRange::makeExactNoWrapRegion(inst.getBinaryOp(), by, inst.getNoWrapKind());
  CmpInst::Predicate predicate;
  APInt bound;
  if (!fits.inverse().getEquivalentICmp(predicate, bound)) return std::nullopt;
  return std::pair(predicate, bound);
}

/// A part of what llvm.*.with.overflow returns; false: it is a part of something else.
bool FunctionFacts::addOverflowing(const ExtractValueInst &inst) {
  const auto *both = dyn_cast<WithOverflowInst>(inst.getAggregateOperand());
  if (!both || inst.getNumIndices() != 1) return false;
  const ValueId left = valueOf(*both->getLHS()), right = valueOf(*both->getRHS());
  const unsigned opcode = both->getBinaryOp();
  if (inst.getIndices()[0] == 0) {
    addComputed(inst, resultOf(inst), opcode, *inst.getType(), {left, right});
    return true;
  }
  // Whether it fits: a comparison, or a number of which nothing is known.
  const auto overflow = overflowOf(*both);
  const bool isDifference = opcode == Instruction::Sub && !both->isSigned();
  if (!overflow && !isDifference) {
    add(StatementKind::Arithmetic, inst, resultOf(inst), {left, right}).extra = 0;
    return true;
  }
  const CmpInst::Predicate predicate = isDifference ? CmpInst::ICMP_ULT : overflow->first;
  const ValueId bound =
      isDifference ? right : valueOf(*ConstantInt::get(inst.getContext(), overflow->second));
  Statement &s = add(StatementKind::Compare, inst, resultOf(inst), {left, bound});
  s.extra = static_cast<uint32_t>(predicateOf(predicate));
  s.bytes = CmpInst::isSigned(predicate);
  return true;
}

/// 0: there is no such instruction.
static unsigned opcodeOf(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Add: return Instruction::Add;
  case AtomicRMWInst::Sub: return Instruction::Sub;
  case AtomicRMWInst::And: return Instruction::And;
  case AtomicRMWInst::Or: return Instruction::Or;
  case AtomicRMWInst::Xor: return Instruction::Xor;
  default: return 0;
  }
}

void FunctionFacts::addMemory(const Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst)) {
    add(StatementKind::Load, inst, resultOf(inst), {valueOf(*load->getPointerOperand())}).bytes =
        widthOf(*load->getType());
    return;
  }
  auto store = [&](const llvm::Value &to, const llvm::Value &value) {
    const ValueId address = valueOf(to), stored = valueOf(value);
    add(StatementKind::Store, inst, kNone, {address, stored}).bytes = widthOf(*value.getType());
  };
  if (auto *plain = dyn_cast<StoreInst>(&inst))
    return store(*plain->getPointerOperand(), *plain->getValueOperand());
  const llvm::Value *to = inst.getOperand(0);
  const bool exchanges = isa<AtomicCmpXchgInst>(inst);
  const llvm::Value *value = inst.getOperand(exchanges ? 2 : 1);
  add(StatementKind::Load, inst, resultOf(inst), {valueOf(*to)}).bytes = widthOf(*value->getType());
  const auto *updates = dyn_cast<AtomicRMWInst>(&inst);
  if (!updates || updates->getOperation() == AtomicRMWInst::Xchg) return store(*to, *value);
  // What it holds afterwards is computed from what it held.
  const ValueId before = resultOf(inst), operand = valueOf(*value), after = temporary();
  facts.values[after].mayPoint = mayPoint(*value->getType());
  facts.values[after].bits = bitsOf(*value->getType());
  const unsigned opcode = opcodeOf(updates->getOperation());
  addComputed(inst, after, opcode, *value->getType(), {before, operand});
  add(StatementKind::Store, inst, kNone, {valueOf(*to), after}).bytes = widthOf(*value->getType());
}

void FunctionFacts::addGep(const GetElementPtrInst &inst) {
  const ValueId base = valueOf(*inst.getPointerOperand());
  Move move;
  for (gep_type_iterator at = gep_type_begin(inst), end = gep_type_end(inst); at != end; ++at) {
    const llvm::Value *index = at.getOperand();
    if (StructType *structure = at.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(cast<ConstantInt>(index)->getZExtValue());
      move.constant += static_cast<int64_t>(
          builder.dl.getStructLayout(structure)->getElementOffset(field).getKnownMinValue());
      continue;
    }
    const uint64_t stride = at.getSequentialElementStride(builder.dl).getKnownMinValue();
    if (auto *number = dyn_cast<ConstantInt>(index))
      move.constant += number->getSExtValue() * static_cast<int64_t>(stride);
    else if (stride > 0)
      move.strides.push_back(stride);
  }
  SmallVector<ValueId, 4> operands{base};
  for (const Use &index : inst.indices())
    if (!isa<Constant>(index)) operands.push_back(valueOf(*index));
  facts.moves.push_back(std::move(move));
  add(StatementKind::Gep, inst, resultOf(inst), operands).extra =
      static_cast<uint32_t>(facts.moves.size() - 1);
}

/// A number that tells how far apart two pointers are is none.
static bool isDifference(const BinaryOperator &inst) {
  return isa<PtrToIntOperator>(inst.getOperand(0)) && isa<PtrToIntOperator>(inst.getOperand(1));
}

void FunctionFacts::addBinary(const BinaryOperator &inst) {
  if (!mayPoint(*inst.getType())) return addArithmetic(inst, 0);
  const auto *number = dyn_cast<ConstantInt>(inst.getOperand(1));
  const bool fits = number && number->getValue().getSignificantBits() <= 63;
  switch (inst.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    if (fits) {
      const int64_t by = number->getSExtValue();
      facts.moves.push_back({inst.getOpcode() == Instruction::Add ? by : -by, {}});
      add(StatementKind::Gep, inst, resultOf(inst), {valueOf(*inst.getOperand(0))}).extra =
          static_cast<uint32_t>(facts.moves.size() - 1);
      return;
    }
    if (inst.getOpcode() == Instruction::Add) return addArithmetic(inst, 2);
    return addArithmetic(inst, isDifference(inst) ? 0 : 1);
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor: return addArithmetic(inst, number ? 1 : 2);
  default: return addArithmetic(inst, 0);
  }
}

void FunctionFacts::addPhi(const PHINode &phi) {
  SmallVector<ValueId, 8> operands;
  const auto first = static_cast<uint32_t>(facts.incoming.size());
  for (unsigned i = 0; i < phi.getNumIncomingValues(); i++) {
    operands.push_back(valueOf(*phi.getIncomingValue(i)));
    facts.incoming.push_back(blocks_[phi.getIncomingBlock(i)]);
    Assigned &assigned = facts.assigned.emplace_back();
    if (operands.back() != kNullValue) continue;
    const NullPlaces::Found found = nullPlaces_.find(phi, *phi.getIncomingBlock(i));
    assigned = {builder.placeOf(found.at), found.block == phi.getIncomingBlock(i)};
  }
  add(StatementKind::Copy, phi, resultOf(phi), operands).extra = first;
}

void FunctionFacts::addCopy(const Instruction &inst) {
  SmallVector<ValueId, 8> operands;
  for (unsigned i = isa<SelectInst>(inst) ? 1 : 0; i < inst.getNumOperands(); i++) {
    const llvm::Value *operand = inst.getOperand(i);
    if (isa<InsertElementInst>(inst) && i == 2) continue; // an index
    if (isa<ExtractElementInst>(inst) && i == 1) continue;
    const ValueId value = valueOf(*operand);
    if (!is_contained(operands, value)) operands.push_back(value);
  }
  const bool isOfParts = isa<ExtractValueInst, InsertValueInst, ExtractElementInst,
                             InsertElementInst, ShuffleVectorInst>(inst);
  add(StatementKind::Copy, inst, resultOf(inst), operands).bytes = isOfParts ? kPart : 0;
  if (const auto *select = dyn_cast<SelectInst>(&inst);
      select && select->getCondition()->getType()->isIntegerTy(1))
    facts.selectedBy[facts.values[resultOf(inst)].definition] = valueOf(*select->getCondition());
}

} // namespace fathom::statics
