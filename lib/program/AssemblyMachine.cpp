// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that an assembly statement works on (the method: AssemblyMachine.h): operands and
// registers, memory, jumps, flags, results.
#include "program/AssemblyMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {

constexpr unsigned kWord = 64;

/// One of the letters that stand for general registers, or for anything.
static bool isGeneral(StringRef code) {
  return code == "r" || code == "q" || code == "Q" || code == "R" || code == "l" || code == "g" ||
         code == "X" || code == "imr";
}
static bool isMemoryCode(StringRef code) { return code == "m" || code == "o" || code == "V"; }
static bool isImmediateCode(StringRef code) {
  return code == "i" || code == "n" || code == "e" || code == "Z" || code == "s" || code == "I" ||
         code == "J" || code == "K" || code == "L" || code == "M" || code == "N" || code == "O";
}
/// {ax}, {r8}
static std::optional<unsigned> fixedRegister(StringRef code) {
  if (!code.consume_front("{") || !code.consume_back("}")) return std::nullopt;
  const std::optional<AsmPlace> place = assemblyRegister(code);
  return place ? std::optional(place->number) : std::nullopt;
}

AssemblyMachine::AssemblyMachine(CallInst &call) : b(&call), call_(call) {
  registers_.fill(-1);
  unsigned argument = 0, result = 0;
  for (const InlineAsm::ConstraintInfo &c :
       cast<InlineAsm>(call.getCalledOperand())->ParseConstraints())
    if (!failed_) addOperand(c, argument, result);
}

unsigned AssemblyMachine::bitsOf(Type *type) const {
  if (type->isPointerTy()) return kWord;
  return type->isIntegerTy() && type->getIntegerBitWidth() <= kWord ? type->getIntegerBitWidth()
                                                                    : 0;
}

Value *AssemblyMachine::word(Value *value) {
  return value->getType()->isPointerTy() ? b.CreatePtrToInt(value, b.getInt64Ty())
                                         : b.CreateZExt(value, b.getInt64Ty());
}

unsigned AssemblyMachine::newCell(StringRef code) {
  const std::optional<unsigned> fixed = fixedRegister(code);
  if (fixed && registers_[*fixed] >= 0) return static_cast<unsigned>(registers_[*fixed]);
  const auto cell = static_cast<unsigned>(cells_.size());
  cells_.emplace_back();
  if (fixed) registers_[*fixed] = static_cast<int>(cell);
  return cell;
}

void AssemblyMachine::addOperand(const InlineAsm::ConstraintInfo &c, unsigned &argument,
                                 unsigned &result) {
  if (c.Type == InlineAsm::isClobber) return;
  if (c.isMultipleAlternative || c.Type == InlineAsm::isLabel || c.Codes.empty()) return fail();
  if (c.Type == InlineAsm::isOutput && !c.isIndirect) {
    auto *st = dyn_cast<StructType>(call_.getType());
    return addOutput(c, st ? st->getElementType(result++) : call_.getType());
  }
  Value *value = call_.getArgOperand(argument++);
  if (!c.isIndirect) return addInput(c, value);
  for (StringRef code : c.Codes)
    if (!isMemoryCode(code) && !isGeneral(code) && !isImmediateCode(code)) return fail();
  operands_.push_back({.kind = Operand::Kind::Memory, .value = value});
}

void AssemblyMachine::addOutput(const InlineAsm::ConstraintInfo &c, Type *type) {
  StringRef code = c.Codes[0];
  Result out;
  out.type = type;
  if (code.consume_front("{@cc")) {
    const std::optional<AsmCondition> which = assemblyCondition(code.drop_back());
    if (!which || !type->isIntegerTy()) return fail();
    out.isCondition = true;
    out.condition = *which;
    operands_.emplace_back();
  } else {
    for (StringRef one : c.Codes)
      if (!isGeneral(one) && !fixedRegister(one)) return fail();
    const unsigned bits = bitsOf(type);
    if (!bits || (fixedRegister(code) && c.Codes.size() > 1)) return fail();
    out.cell = newCell(code);
    operands_.push_back({.cell = out.cell, .bits = bits});
  }
  results_.push_back(out);
}

void AssemblyMachine::addInput(const InlineAsm::ConstraintInfo &c, Value *value) {
  const unsigned bits = bitsOf(value->getType());
  if (!bits) return fail();
  bool isImmediate = false, isOther = false;
  for (StringRef code : c.Codes) {
    if (isImmediateCode(code) || code == "imr" || code == "g")
      isImmediate = true;
    else if (!isGeneral(code) && !isMemoryCode(code) && !fixedRegister(code) && !isDigit(code[0]))
      return fail();
    isOther |= !isImmediateCode(code);
  }
  if (auto *constant = dyn_cast<ConstantInt>(value); constant && isImmediate) {
    operands_.push_back({.kind = Operand::Kind::Immediate, .value = constant});
    return;
  }
  if (!isOther) return fail(); // the address of something
  Operand out{.bits = bits};
  if (isDigit(c.Codes[0][0])) {
    unsigned tied = 0;
    if (c.Codes[0].empty() || StringRef(c.Codes[0]).getAsInteger(10, tied) ||
        tied >= operands_.size())
      return fail();
    const Operand output = operands_[tied];
    operands_.push_back(output);
    if (output.kind == Operand::Kind::Memory) return; // the value is there already
    out.cell = output.cell;
    operands_.back().bits = bits;
  } else {
    out.cell = newCell(c.Codes[0]);
    operands_.push_back(out);
  }
  cells_[out.cell] = {.value = value, .known = bits};
}

// --- operands

const AssemblyMachine::Operand *AssemblyMachine::operandOf(const AsmOperand &operand) const {
  if (operand.kind != AsmOperand::Kind::Place || !operand.place.isOperand) return nullptr;
  return operand.place.number < operands_.size() ? &operands_[operand.place.number] : nullptr;
}

unsigned AssemblyMachine::widthOf(const AsmOperand &operand) const {
  if (operand.kind != AsmOperand::Kind::Place) return 0;
  if (!operand.place.isOperand) return operand.place.bits;
  const Operand *known = operandOf(operand);
  if (!known || known->kind != Operand::Kind::Cell) return 0;
  return operand.place.bits ? operand.place.bits : known->bits;
}

bool AssemblyMachine::isMemory(const AsmOperand &operand) const {
  const Operand *known = operandOf(operand);
  return operand.kind == AsmOperand::Kind::Memory ||
         (known && known->kind == Operand::Kind::Memory);
}

std::optional<unsigned> AssemblyMachine::cellOf(const AsmPlace &place) {
  if (place.isOperand) {
    if (place.number >= operands_.size() || operands_[place.number].kind != Operand::Kind::Cell)
      return std::nullopt;
    return operands_[place.number].cell;
  }
  int &cell = registers_[place.number];
  if (cell < 0) {
    cell = static_cast<int>(cells_.size());
    cells_.emplace_back();
  }
  return static_cast<unsigned>(cell);
}

bool AssemblyMachine::isSame(const AsmOperand &x, const AsmOperand &y) const {
  if (x.kind != AsmOperand::Kind::Place || y.kind != AsmOperand::Kind::Place) return false;
  if (x.place.isHigh || y.place.isHigh) return false;
  auto cell = [&](const AsmOperand &o) -> int {
    if (!o.place.isOperand) return registers_[o.place.number];
    const Operand *known = operandOf(o);
    return known && known->kind == Operand::Kind::Cell ? static_cast<int>(known->cell) : -1;
  };
  if (!x.place.isOperand && !y.place.isOperand) return x.place.number == y.place.number;
  return cell(x) >= 0 && cell(x) == cell(y);
}

std::optional<uint64_t> AssemblyMachine::constantOf(const AsmOperand &operand) const {
  if (operand.kind == AsmOperand::Kind::Immediate) return static_cast<uint64_t>(operand.value);
  const Operand *known = operandOf(operand);
  if (!known || known->kind != Operand::Kind::Immediate) return std::nullopt;
  return static_cast<uint64_t>(cast<ConstantInt>(known->value)->getSExtValue());
}

Value *AssemblyMachine::readCell(unsigned cell, unsigned bits, bool isHigh) {
  const Cell &c = cells_[cell];
  if (c.known < bits + (isHigh ? 8 : 0)) {
    fail();
    return ConstantInt::get(b.getIntNTy(bits), 0);
  }
  Type *type = b.getIntNTy(bits);
  if (isHigh) return b.CreateTrunc(b.CreateLShr(word(c.value), 8), type);
  return b.CreateZExtOrTrunc(c.value->getType()->isPointerTy() ? word(c.value) : c.value, type);
}

/// As the processor does: 32 bits clear the upper half, fewer leave the rest as it is.
void AssemblyMachine::writeCell(unsigned cell, Value *value, bool isHigh) {
  Cell &c = cells_[cell];
  if (value->getType()->isPointerTy()) {
    c = {.value = value, .known = kWord};
    return;
  }
  const unsigned bits = value->getType()->getIntegerBitWidth();
  if (isHigh && c.known < 16) return fail();
  if (bits >= 32 || (!isHigh && c.known <= bits)) {
    c = {.value = value, .known = bits >= 32 ? kWord : bits};
    return;
  }
  Value *v = b.CreateZExt(value, b.getInt64Ty());
  const unsigned at = isHigh ? 8 : 0;
  const uint64_t mask = ((uint64_t(1) << bits) - 1) << at;
  c.value = b.CreateOr(b.CreateAnd(word(c.value), ~mask), b.CreateShl(v, at));
}

/// Volatile, so that a native variant reads too where nothing uses the value: the address may be
/// wrong. A local variable's is not, and the variable may become a register.
Value *AssemblyMachine::load(Type *type, Value *address) {
  return b.CreateAlignedLoad(type, address, Align(1), /*isVolatile=*/!isa<AllocaInst>(address));
}

void AssemblyMachine::writeIf(Value *when, const AsmOperand &operand, Value *value, Value *old) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  Value *chosen = value == old ? value : b.CreateSelect(when, value, old);
  if (bits != 32 || isMemory(operand)) return write(operand, chosen);
  const std::optional<unsigned> cell =
      operand.kind == AsmOperand::Kind::Place ? cellOf(operand.place) : std::nullopt;
  if (!cell) return fail();
  Cell &c = cells_[*cell];
  if (c.known == kWord)
    c.value = b.CreateSelect(when, word(value), word(c.value));
  else
    c = {.value = chosen, .known = bits};
}

Value *AssemblyMachine::read(const AsmOperand &operand, unsigned bits) {
  Type *type = b.getIntNTy(bits);
  if (const std::optional<uint64_t> constant = constantOf(operand))
    return ConstantInt::get(type,
                            bits < kWord ? *constant & ((uint64_t(1) << bits) - 1) : *constant);
  if (isMemory(operand)) return load(type, address(operand));
  const std::optional<unsigned> cell = cellOf(operand.place);
  if (cell) return readCell(*cell, bits, operand.place.isHigh);
  fail();
  return ConstantInt::get(type, 0);
}

Value *AssemblyMachine::readIfKnown(const AsmOperand &operand, unsigned bits) {
  if (!isMemory(operand) && !constantOf(operand)) {
    const std::optional<unsigned> cell = cellOf(operand.place);
    if (cell && cells_[*cell].known < bits) return nullptr;
  }
  return read(operand, bits);
}

void AssemblyMachine::write(const AsmOperand &operand, Value *value) {
  if (isMemory(operand)) {
    b.CreateAlignedStore(value, address(operand), Align(1));
    return;
  }
  const std::optional<unsigned> cell =
      operand.kind == AsmOperand::Kind::Place ? cellOf(operand.place) : std::nullopt;
  if (!cell) return fail();
  writeCell(*cell, value, operand.place.isHigh);
}

/// Addresses are made of 64 bits; %k0 and %eax are not.
static bool isWord(const AsmPlace &place) {
  return !place.isHigh && (!place.bits || place.bits == kWord);
}

Value *AssemblyMachine::readPlace(const AsmPlace &place) {
  const std::optional<unsigned> cell = cellOf(place);
  if (!cell || !isWord(place)) {
    fail();
    return b.getInt64(0);
  }
  return readCell(*cell, kWord, /*isHigh=*/false);
}

Value *AssemblyMachine::address(const AsmOperand &operand) {
  if (const Operand *known = operandOf(operand)) return known->value;
  Value *offset = b.getInt64(static_cast<uint64_t>(operand.value));
  if (operand.index)
    offset = b.CreateAdd(b.CreateMul(readPlace(*operand.index), b.getInt64(operand.scale)), offset);
  if (!operand.base) return b.CreateIntToPtr(offset, b.getPtrTy());
  // A pointer stays one: what it points into is known.
  const std::optional<unsigned> cell = cellOf(*operand.base);
  if (cell && isWord(*operand.base) && cells_[*cell].value &&
      cells_[*cell].value->getType()->isPointerTy())
    return b.CreatePtrAdd(cells_[*cell].value, offset);
  return b.CreateIntToPtr(b.CreateAdd(readPlace(*operand.base), offset), b.getPtrTy());
}

Value *AssemblyMachine::readRegister(unsigned number, unsigned bits) {
  return readCell(*cellOf({.number = number}), bits, /*isHigh=*/false);
}
void AssemblyMachine::writeRegister(unsigned number, Value *value) {
  writeCell(*cellOf({.number = number}), value, /*isHigh=*/false);
}

// --- jumps

void AssemblyMachine::jumpTo(size_t label, Value *when) {
  if (isDead_) return;
  Value *here = here_ ? here_ : b.getTrue();
  jumps_.push_back({label, when ? b.CreateAnd(here, when) : here, cells_, flags});
  if (when)
    here_ = b.CreateAnd(here, b.CreateNot(when));
  else
    isDead_ = true;
}

bool AssemblyMachine::onlyComputesSince(const Instruction *before) const {
  for (const Instruction *i = call_.getPrevNode(); i != before; i = i->getPrevNode())
    if (!isSafeToSpeculativelyExecute(i)) return false;
  return true;
}

AssemblyMachine::Cell AssemblyMachine::choose(Value *when, const Cell &taken, const Cell &other) {
  const unsigned known = std::min(taken.known, other.known);
  if (!known) return {};
  if (taken.value == other.value) return {.value = taken.value, .known = known};
  if (taken.value->getType() == other.value->getType())
    return {.value = b.CreateSelect(when, taken.value, other.value), .known = known};
  return {.value = b.CreateSelect(when, word(taken.value), word(other.value)), .known = known};
}

AsmFlags AssemblyMachine::choose(Value *when, const AsmFlags &taken, const AsmFlags &other) {
  AsmFlags out;
  for (auto which : {&AsmFlags::carry, &AsmFlags::zero, &AsmFlags::sign, &AsmFlags::overflow,
                     &AsmFlags::parity}) {
    AsmFlags::Maker x = taken.*which, y = other.*which;
    if (x && y) out.*which = [this, when, x, y] { return b.CreateSelect(when, x(), y()); };
  }
  return out;
}

void AssemblyMachine::arriveAt(size_t label) {
  for (const Jump &jump : jumps_) {
    if (jump.label != label) continue;
    if (isDead_) {
      cells_ = jump.cells;
      flags = jump.flags;
      here_ = jump.when;
      isDead_ = false;
      continue;
    }
    // A register that either side has not named yet is known on neither.
    cells_.resize(std::max(cells_.size(), jump.cells.size()));
    for (size_t i = 0; i < cells_.size(); i++)
      cells_[i] = choose(jump.when, i < jump.cells.size() ? jump.cells[i] : Cell(), cells_[i]);
    flags = choose(jump.when, jump.flags, flags);
    here_ = here_ ? b.CreateOr(here_, jump.when) : here_;
  }
  erase_if(jumps_, [&](const Jump &jump) { return jump.label == label; });
  if (jumps_.empty()) here_ = nullptr; // from wherever
}

// --- flags

Value *AssemblyMachine::flag(const AsmFlags::Maker &maker) {
  if (maker) return maker();
  fail();
  return b.getFalse();
}

Value *AssemblyMachine::condition(AsmCondition which) {
  const bool isOpposite = static_cast<unsigned>(which) & 1;
  const auto positive = static_cast<AsmCondition>(static_cast<unsigned>(which) & ~1u);
  if (flags.left) {
    std::optional<CmpInst::Predicate> p;
    switch (positive) {
    case AsmCondition::Below: p = CmpInst::ICMP_ULT; break;
    case AsmCondition::Equal: p = CmpInst::ICMP_EQ; break;
    case AsmCondition::BelowOrEqual: p = CmpInst::ICMP_ULE; break;
    case AsmCondition::Less: p = CmpInst::ICMP_SLT; break;
    case AsmCondition::LessOrEqual: p = CmpInst::ICMP_SLE; break;
    default: break;
    }
    if (p)
      return b.CreateICmp(isOpposite ? CmpInst::getInversePredicate(*p) : *p, flags.left,
                          flags.right);
  }
  Value *v = nullptr;
  switch (positive) {
  case AsmCondition::Overflow: v = flag(flags.overflow); break;
  case AsmCondition::Below: v = flag(flags.carry); break;
  case AsmCondition::Equal: v = flag(flags.zero); break;
  case AsmCondition::BelowOrEqual: v = b.CreateOr(flag(flags.carry), flag(flags.zero)); break;
  case AsmCondition::Sign: v = flag(flags.sign); break;
  case AsmCondition::Parity: v = flag(flags.parity); break;
  case AsmCondition::Less: v = b.CreateXor(flag(flags.sign), flag(flags.overflow)); break;
  default:
    v = b.CreateOr(b.CreateXor(flag(flags.sign), flag(flags.overflow)), flag(flags.zero));
    break;
  }
  return isOpposite ? b.CreateNot(v) : v;
}

Value *AssemblyMachine::results() {
  if (results_.empty()) return nullptr;
  SmallVector<Value *, 4> values;
  for (const Result &r : results_) {
    if (r.isCondition) {
      values.push_back(b.CreateZExt(condition(r.condition), r.type));
    } else if (r.type->isPointerTy()) {
      const Cell &c = cells_[r.cell];
      values.push_back(c.value && c.value->getType()->isPointerTy()
                           ? c.value
                           : b.CreateIntToPtr(readCell(r.cell, kWord, false), r.type));
    } else {
      values.push_back(readCell(r.cell, bitsOf(r.type), /*isHigh=*/false));
    }
  }
  if (failed_) return nullptr;
  if (!isa<StructType>(call_.getType())) return values[0];
  Value *all = PoisonValue::get(call_.getType());
  for (unsigned i = 0; i < values.size(); ++i) all = b.CreateInsertValue(all, values[i], i);
  return all;
}

} // namespace fathom::program
