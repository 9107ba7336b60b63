// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86 instructions as LLVM IR, one function for each group. What an instruction leaves undefined
// is left undefined, and a statement that depends on it is not translated. One exception: a scan of
// zero leaves the destination as it is on all processors.
//
// Instructions that a jump may skip are always executed, and selects choose between their results
// and the old values. So they may neither access memory nor divide.
//
// An instruction with a lock prefix becomes an atomic instruction of LLVM, because native variants
// of the program are made from the translation, too.
//
// A divisor of 0, or a quotient that does not fit, is a division by zero: the processor raises the
// same fault for both.
#include "program/TranslateAssembly.h"

#include "program/AssemblyText.h"
#include "program/AssemblyTranslator.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace fathom::program {

static bool isShift(AsmOp op) { return op >= AsmOp::Shl && op <= AsmOp::Shrd; }
static bool needsWidth(AsmOp op) {
  return op != AsmOp::Fence && op != AsmOp::ClearCarry && op != AsmOp::SetCarry &&
         op != AsmOp::FlipCarry && op != AsmOp::Jump && op != AsmOp::Label;
}

bool AssemblyTranslator::run(ArrayRef<AsmInstruction> code) {
  for (size_t at = 0; at < code.size(); at++) {
    if (m_.failed() || !prepare(code[at])) return false;
    if (i_->op == AsmOp::Label) {
      m_.arriveAt(at);
      continue;
    }
    Instruction *before = m_.lastBuilt();
    translate();
    if (m_.isSkippable() && i_->op != AsmOp::Jump && !m_.onlyComputesSince(before)) return false;
  }
  return !m_.failed();
}

bool AssemblyTranslator::prepare(const AsmInstruction &i) {
  i_ = &i;
  bits = i.bits;
  if (i.isLocked && (i.operands.empty() || !m_.isMemory(lockedOperand()))) return false;
  if (i.op == AsmOp::Nothing || bits) return true;
  for (size_t k = i.operands.size(); k-- > 0 && !bits;)
    if (k > 0 || i.operands.size() == 1 || !isShift(i.op)) bits = m_.widthOf(i.operands[k]);
  if (!bits) return !needsWidth(i.op);
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

const AsmOperand &AssemblyTranslator::lockedOperand() const {
  // xchg is symmetric.
  return i_->op == AsmOp::Xchg && m_.isMemory(i_->operands[0]) ? i_->operands[0] : last();
}

bool AssemblyTranslator::has(size_t operands) {
  if (i_->operands.size() == operands) return true;
  m_.fail();
  return false;
}

// --- read, modify, write

/// The old value of the destination. With a lock prefix, the same instruction of LLVM also writes
/// the new value.
Value *AssemblyTranslator::readForUpdate(AtomicRMWInst::BinOp op, Value *with) {
  if (!i_->isLocked) return m_.read(last(), bits);
  return b.CreateAtomicRMW(op, m_.address(last()), with, Align(bits / 8),
                           AtomicOrdering::SequentiallyConsistent);
}

void AssemblyTranslator::translate() {
  switch (i_->op) {
  case AsmOp::Nothing: return;
  case AsmOp::Fence: b.CreateFence(AtomicOrdering::SequentiallyConsistent); return;
  case AsmOp::Mov:
  case AsmOp::MovZero:
  case AsmOp::MovSign:
  case AsmOp::Lea:
  case AsmOp::Xchg:
  case AsmOp::Bswap:
  case AsmOp::Cmov:
  case AsmOp::Set:
  case AsmOp::ExtendAccumulator:
  case AsmOp::SignToHigh: return move();
  case AsmOp::Add:
  case AsmOp::Adc:
  case AsmOp::Sub:
  case AsmOp::Sbb:
  case AsmOp::Cmp:
  case AsmOp::Adcx:
  case AsmOp::Adox:
  case AsmOp::Inc:
  case AsmOp::Dec:
  case AsmOp::Neg:
  case AsmOp::Xadd:
  case AsmOp::Cmpxchg: return arithmetic();
  case AsmOp::And:
  case AsmOp::Or:
  case AsmOp::Xor:
  case AsmOp::Test:
  case AsmOp::Not:
  case AsmOp::Andn: return logic();
  case AsmOp::Shl:
  case AsmOp::Shr:
  case AsmOp::Sar:
  case AsmOp::Rol:
  case AsmOp::Ror:
  case AsmOp::Rcl:
  case AsmOp::Rcr: return shift();
  case AsmOp::Shld:
  case AsmOp::Shrd: return doubleShift();
  case AsmOp::Rorx:
  case AsmOp::Sarx:
  case AsmOp::Shlx:
  case AsmOp::Shrx: return plainShift();
  case AsmOp::Bt:
  case AsmOp::Bts:
  case AsmOp::Btr:
  case AsmOp::Btc: return bitTest();
  case AsmOp::Bsf:
  case AsmOp::Bsr:
  case AsmOp::Tzcnt:
  case AsmOp::Lzcnt:
  case AsmOp::Popcnt: return count();
  case AsmOp::Mul:
  case AsmOp::Imul:
  case AsmOp::Mulx: return multiply();
  case AsmOp::Div:
  case AsmOp::Idiv: return divide();
  case AsmOp::Movs:
  case AsmOp::Stos: return string();
  case AsmOp::Jump:
    return m_.jumpTo(i_->label, i_->isConditional ? m_.condition(i_->condition) : nullptr);
  case AsmOp::Label: return;
  case AsmOp::ClearCarry: return setCarry(constantly(false));
  case AsmOp::SetCarry: return setCarry(constantly(true));
  case AsmOp::FlipCarry: {
    Value *flipped = b.CreateNot(carry());
    return setCarry([flipped] { return flipped; });
  }
  }
}

// --- flags
void AssemblyTranslator::setResultFlags(AsmFlags &f, Value *r) {
  f.left = f.right = nullptr;
  f.zero = [this, r] { return isZero(r); };
  f.sign = [this, r] { return isNegative(r); };
  f.parity = [this, r] {
    Value *ones = b.CreateUnaryIntrinsic(Intrinsic::ctpop, b.CreateTrunc(r, b.getInt8Ty()));
    return b.CreateNot(lowBit(ones));
  };
}

void AssemblyTranslator::sumFlags(Value *x, Value *y, Value *r, Value *carryIn) {
  AsmFlags f;
  setResultFlags(f, r);
  f.carry = [=, this]() -> Value * {
    if (!carryIn) return b.CreateICmpULT(r, x);
    // With a carry, a sum that is not greater than what was added to has overflowed.
    return b.CreateOr(b.CreateICmpULT(r, x), b.CreateAnd(carryIn, b.CreateICmpEQ(r, x)));
  };
  f.overflow = [=, this] { return isNegative(b.CreateAnd(b.CreateXor(x, r), b.CreateXor(y, r))); };
  m_.flags = std::move(f);
}

void AssemblyTranslator::differenceFlags(Value *x, Value *y, Value *r, Value *borrowIn) {
  AsmFlags f;
  setResultFlags(f, r);
  f.carry = [=, this]() -> Value * {
    Value *less = b.CreateICmpULT(x, y);
    return borrowIn ? b.CreateOr(less, b.CreateAnd(borrowIn, b.CreateICmpEQ(x, y))) : less;
  };
  f.overflow = [=, this] { return isNegative(b.CreateAnd(b.CreateXor(x, y), b.CreateXor(x, r))); };
  if (!borrowIn) {
    f.left = x;
    f.right = y;
  }
  m_.flags = std::move(f);
}

void AssemblyTranslator::logicFlags(Value *r) {
  AsmFlags f;
  setResultFlags(f, r);
  f.carry = f.overflow = constantly(false);
  m_.flags = std::move(f);
}

/// The other flags stay as they are.
void AssemblyTranslator::setCarry(AsmFlags::Maker maker) {
  AsmFlags f = withoutComparison();
  f.carry = std::move(maker);
  m_.flags = std::move(f);
}

AsmFlags AssemblyTranslator::withoutComparison() {
  AsmFlags f = m_.flags;
  f.left = f.right = nullptr;
  return f;
}

// --- moves

void AssemblyTranslator::move() {
  if (i_->op != AsmOp::Xchg) refuseLock();
  switch (i_->op) {
  case AsmOp::Mov:
    if (has(2)) m_.write(last(), m_.read(operand(0), bits));
    return;
  case AsmOp::MovZero:
    if (has(2)) m_.write(last(), zext(m_.read(operand(0), i_->fromBits)));
    return;
  case AsmOp::MovSign:
    if (has(2)) m_.write(last(), b.CreateSExt(m_.read(operand(0), i_->fromBits), type()));
    return;
  case AsmOp::Lea:
    if (!has(2)) return;
    if (!m_.isMemory(operand(0))) return m_.fail();
    if (bits == 64) return m_.write(last(), m_.address(operand(0)));
    return m_.write(
        last(), b.CreateTrunc(b.CreatePtrToInt(m_.address(operand(0)), b.getInt64Ty()), type()));
  case AsmOp::Bswap:
    if (!has(1)) return;
    if (bits < 32) return m_.fail();
    return m_.write(last(), b.CreateUnaryIntrinsic(Intrinsic::bswap, m_.read(last(), bits)));
  case AsmOp::Cmov: {
    if (!has(2)) return;
    Value *from = m_.read(operand(0), bits), *old = m_.read(last(), bits);
    return m_.write(last(), b.CreateSelect(m_.condition(i_->condition), from, old));
  }
  case AsmOp::Set:
    if (has(1)) m_.write(last(), b.CreateZExt(m_.condition(i_->condition), b.getInt8Ty()));
    return;
  case AsmOp::ExtendAccumulator:
    if (has(0))
      m_.writeRegister(kAccumulator, b.CreateSExt(m_.readRegister(kAccumulator, bits / 2), type()));
    return;
  case AsmOp::SignToHigh:
    if (has(0))
      m_.writeRegister(kData, b.CreateAShr(m_.readRegister(kAccumulator, bits), bits - 1));
    return;
  default: return exchange();
  }
}

/// movs and stos. The direction flag is clear wherever a compiler's code runs. If the ranges
/// overlap, rep movs reads bytes that it has written before, so memmove would be wrong.
void AssemblyTranslator::string() {
  refuseLock();
  if (!has(0)) return;
  const bool isCopy = i_->op == AsmOp::Movs;
  const uint64_t size = bits / 8;
  AsmOperand from, to;
  from.kind = to.kind = AsmOperand::Kind::Memory;
  from.base = {.number = kSource, .bits = 64};
  to.base = {.number = kDestination, .bits = 64};
  Value *source = isCopy ? m_.address(from) : m_.readRegister(kAccumulator, bits);
  Value *target = m_.address(to), *bytes = b.getInt64(size);
  if (i_->isRepeated) {
    Value *count = m_.readRegister(AssemblyRegister::kCount, 64);
    if (m_.failed()) return;
    Type *word = b.getInt64Ty(), *pointer = b.getPtrTy();
    Module *module = b.GetInsertBlock()->getModule();
    if (isCopy)
      b.CreateCall(module->getOrInsertFunction("__fathom_repeat_movs", b.getVoidTy(), pointer,
                                               pointer, word, word),
                   {target, source, count, bytes});
    else
      b.CreateCall(module->getOrInsertFunction("__fathom_repeat_stos", b.getVoidTy(), pointer, word,
                                               word, word),
                   {target, b.CreateZExt(source, word), count, bytes});
    bytes = b.CreateMul(count, bytes);
    m_.writeRegister(AssemblyRegister::kCount, b.getInt64(0));
  } else {
    Value *value = isCopy ? m_.load(type(), source) : source;
    b.CreateAlignedStore(value, target, Align(1));
  }
  if (isCopy) m_.writeRegister(kSource, b.CreatePtrAdd(source, bytes));
  m_.writeRegister(kDestination, b.CreatePtrAdd(target, bytes));
}

void AssemblyTranslator::exchange() {
  if (!has(2)) return;
  const bool first = m_.isMemory(operand(0));
  if (!first && !m_.isMemory(operand(1))) {
    Value *x = m_.read(operand(0), bits), *y = m_.read(operand(1), bits);
    m_.write(operand(0), y);
    return m_.write(operand(1), x);
  }
  // With memory it is atomic even without the prefix.
  const AsmOperand &memory = operand(first ? 0 : 1), &other = operand(first ? 1 : 0);
  Value *with = m_.read(other, bits);
  m_.write(other, b.CreateAtomicRMW(AtomicRMWInst::Xchg, m_.address(memory), with, Align(bits / 8),
                                    AtomicOrdering::SequentiallyConsistent));
}

// --- the statement

/// Removes what was built in front of the call since `before`. onlyUnused: only instructions
/// without a use or an effect; loads stay, since their addresses must be checked.
static void takeBack(CallInst &call, Instruction *before, bool onlyUnused) {
  for (Instruction *at = call.getPrevNode(); at && at != before;) {
    Instruction *built = at;
    at = at->getPrevNode();
    if (!onlyUnused ||
        (built->use_empty() && !built->mayHaveSideEffects() && !isa<LoadInst>(built)))
      built->eraseFromParent();
  }
}

bool translateAssembly(CallInst &call) {
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  if (assembly->getDialect() != InlineAsm::AD_ATT || assembly->canThrow()) return false;
  if (isAssemblyWithoutEffect(assembly->getAsmString())) return false; // also for the compiler
  const auto code = parseAssembly(assembly->getAsmString());
  if (!code || all_of(*code, [](auto &i) { return i.op == AsmOp::Nothing; })) return false;
  Instruction *before = call.getPrevNode();
  AssemblyMachine machine(call);
  AssemblyTranslator translator(machine);
  Value *results = !machine.failed() && translator.run(*code) ? machine.results() : nullptr;
  if (machine.failed() || (!results && !call.getType()->isVoidTy())) {
    takeBack(call, before, /*onlyUnused=*/false);
    return false;
  }
  if (results) call.replaceAllUsesWith(results);
  takeBack(call, before, /*onlyUnused=*/true);
  call.eraseFromParent();
  return true;
}

} // namespace fathom::program
