// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of more than 128 bits (_BitInt(256), and the units in which clang reads packed
// bit-fields) as words of 64, the lowest first; bits of the last one above the integer's are 0.
// Memory is read and written byte for byte as before. Quotients are computed by a function of the
// runtime's kind, one for each width and operation, which is the loop that LLVM has for targets
// without division.
//
// A function with a use of such an integer that is not known here (a conversion to floating point,
// an argument) is left as it is, and ends the path as before. For the engine only: native variants
// are compiled with what the target has.
#include "program/Prepare.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/IntegerDivision.h"

using namespace llvm;

namespace fathom::program {
namespace {

constexpr unsigned kWord = 64, kMostBits = 4096;

unsigned wideBits(const Type *type) {
  auto *integer = dyn_cast<IntegerType>(type);
  return integer && integer->getBitWidth() > 128 ? integer->getBitWidth() : 0;
}

/// Of a result {value, overflow}.
unsigned wideOverflowBits(const Instruction &inst) {
  auto *with = dyn_cast<WithOverflowInst>(&inst);
  return with ? wideBits(with->getLHS()->getType()) : 0;
}

bool concerns(const Instruction &inst) {
  return wideBits(inst.getType()) || wideOverflowBits(inst) ||
         any_of(inst.operands(), [](const Use &u) {
           auto *operand = dyn_cast<Instruction>(u.get());
           return wideBits(u->getType()) || (operand && wideOverflowBits(*operand));
         });
}

bool isKnown(const Instruction &inst) {
  for (const Use &u : inst.operands())
    if (wideBits(u->getType()) > kMostBits ||
        (wideBits(u->getType()) && isa<Constant>(u) && !isa<ConstantInt, UndefValue>(u)))
      return false;
  if (wideBits(inst.getType()) > kMostBits) return false;
  switch (inst.getOpcode()) {
  case Instruction::Load: return !cast<LoadInst>(inst).isAtomic();
  case Instruction::Store: return !cast<StoreInst>(inst).isAtomic();
  case Instruction::ICmp:
  case Instruction::Select:
  case Instruction::PHI:
  case Instruction::Freeze:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt: return true;
  case Instruction::ExtractValue: {
    auto *with = dyn_cast<Instruction>(cast<ExtractValueInst>(inst).getAggregateOperand());
    return with && wideOverflowBits(*with);
  }
  case Instruction::Call:
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) switch (intrinsic->getIntrinsicID()) {
      case Intrinsic::ctpop:
      case Intrinsic::ctlz:
      case Intrinsic::cttz:
      case Intrinsic::umin:
      case Intrinsic::umax:
      case Intrinsic::smin:
      case Intrinsic::smax:
      case Intrinsic::uadd_with_overflow:
      case Intrinsic::sadd_with_overflow:
      case Intrinsic::usub_with_overflow:
      case Intrinsic::ssub_with_overflow: return true;
      default: return isa<DbgInfoIntrinsic>(inst);
      }
    return false;
  default: return isa<BinaryOperator>(inst);
  }
}

using Words = SmallVector<Value *, 4>;

class Splitter {
public:
  explicit Splitter(Function &function) : f_(function), b_(function.getContext()) {}

  void run() {
    ReversePostOrderTraversal<Function *> order(&f_);
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<Instruction *> work;
    auto add = [&](BasicBlock &block) {
      if (!seen.insert(&block).second) return;
      for (Instruction &inst : block)
        if (concerns(inst) && !isa<DbgInfoIntrinsic>(inst)) work.push_back(&inst);
    };
    for (BasicBlock *block : order) add(*block);
    for (BasicBlock &block : f_) add(block); // those that nothing reaches keep their place
    for (Instruction *inst : work) {
      b_.SetInsertPoint(inst);
      split(*inst);
    }
    for (PHINode *phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        Words from = words(phi->getIncomingValue(i));
        for (size_t w = 0; w < from.size(); ++w)
          cast<PHINode>(words_[phi][w])->addIncoming(from[w], phi->getIncomingBlock(i));
      }
    for (Instruction *inst : work) {
      if (!inst->use_empty()) inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
      inst->eraseFromParent();
    }
  }

private:
  static size_t countOf(unsigned bits) { return (bits + kWord - 1) / kWord; }
  Type *word() { return b_.getInt64Ty(); }
  Value *number(uint64_t n) { return b_.getInt64(n); }

  Words words(Value *value) {
    const unsigned bits = wideBits(value->getType());
    Words out;
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
      for (size_t i = 0; i < countOf(bits); ++i)
        out.push_back(number(constant->getValue().getRawData()[i]));
      return out;
    }
    if (auto it = words_.find(value); it != words_.end()) return it->second;
    out.assign(countOf(bits), number(0)); // undefined, or of a block that nothing reaches
    return out;
  }

  /// The last word of an integer of this many bits, with 0 above them.
  Value *canonical(Value *last, unsigned bits) {
    return bits % kWord ? b_.CreateAnd(last, maskTrailingOnes<uint64_t>(bits % kWord)) : last;
  }
  Words canonical(Words w, unsigned bits) {
    w.resize(countOf(bits), number(0));
    w.back() = canonical(w.back(), bits);
    return w;
  }
  /// The last word with copies of the sign above the integer's bits.
  Value *withSign(Value *last, unsigned bits) {
    if (bits % kWord == 0) return last;
    const unsigned above = kWord - bits % kWord;
    return b_.CreateAShr(b_.CreateShl(last, above), above);
  }
  Value *signOf(const Words &w, unsigned bits) { // all ones or all zeros
    return b_.CreateAShr(withSign(w.back(), bits), kWord - 1);
  }

  void split(Instruction &inst) {
    const unsigned bits = wideBits(inst.getType());
    switch (inst.getOpcode()) {
    case Instruction::Load: words_[&inst] = load(cast<LoadInst>(inst), bits); return;
    case Instruction::Store: return store(cast<StoreInst>(inst));
    case Instruction::ICmp: {
      auto &compare = cast<ICmpInst>(inst);
      Value *a = compare.getOperand(0), *b = compare.getOperand(1);
      inst.replaceAllUsesWith(
          holds(compare.getPredicate(), words(a), words(b), wideBits(a->getType())));
      return;
    }
    case Instruction::Select:
      words_[&inst] =
          choose(inst.getOperand(0), words(inst.getOperand(1)), words(inst.getOperand(2)));
      return;
    case Instruction::Freeze: words_[&inst] = words(inst.getOperand(0)); return;
    case Instruction::PHI: {
      Words out;
      for (size_t i = 0; i < countOf(bits); ++i)
        out.push_back(b_.CreatePHI(word(), cast<PHINode>(inst).getNumIncomingValues()));
      words_[&inst] = out;
      phis_.push_back(&cast<PHINode>(inst));
      return;
    }
    case Instruction::Trunc: return truncate(inst, bits);
    case Instruction::ZExt:
    case Instruction::SExt: words_[&inst] = extend(inst, bits); return;
    case Instruction::ExtractValue: {
      auto &extract = cast<ExtractValueInst>(inst);
      Words of = words_.lookup(extract.getAggregateOperand());
      if (extract.getIndices()[0] == 0) {
        of.pop_back();
        words_[&inst] = of;
      } else {
        inst.replaceAllUsesWith(of.empty() ? b_.getFalse() : of.back());
      }
      return;
    }
    case Instruction::Call: return intrinsic(cast<IntrinsicInst>(inst), bits);
    default: words_[&inst] = binary(cast<BinaryOperator>(inst), bits);
    }
  }

  /// Of word i of an integer in memory: as many bytes as there are.
  Type *partType(unsigned bits, size_t i) {
    const unsigned bytes = std::min<unsigned>(8, (bits + 7) / 8 - 8 * static_cast<unsigned>(i));
    return b_.getIntNTy(8 * bytes);
  }

  Words load(LoadInst &inst, unsigned bits) {
    Words out;
    for (size_t i = 0; i < countOf(bits); ++i) {
      Value *at = b_.CreateConstGEP1_64(b_.getInt8Ty(), inst.getPointerOperand(), 8 * i);
      auto *part = b_.CreateAlignedLoad(partType(bits, i), at,
                                        commonAlignment(inst.getAlign(), 8 * i), inst.isVolatile());
      out.push_back(b_.CreateZExt(part, word()));
    }
    return canonical(out, bits);
  }

  void store(StoreInst &inst) {
    const unsigned bits = wideBits(inst.getValueOperand()->getType());
    Words from = words(inst.getValueOperand());
    for (size_t i = 0; i < from.size(); ++i) {
      Value *at = b_.CreateConstGEP1_64(b_.getInt8Ty(), inst.getPointerOperand(), 8 * i);
      b_.CreateAlignedStore(b_.CreateTrunc(from[i], partType(bits, i)), at,
                            commonAlignment(inst.getAlign(), 8 * i), inst.isVolatile());
    }
  }

  Value *holds(CmpInst::Predicate predicate, Words a, Words b, unsigned bits) {
    if (ICmpInst::isEquality(predicate)) {
      Value *difference = number(0);
      for (size_t i = 0; i < a.size(); ++i)
        difference = b_.CreateOr(difference, b_.CreateXor(a[i], b[i]));
      return b_.CreateICmp(predicate, difference, number(0));
    }
    if (ICmpInst::isSigned(predicate)) {
      a.back() = withSign(a.back(), bits);
      b.back() = withSign(b.back(), bits);
    }
    Value *result = b_.CreateICmp(ICmpInst::getUnsignedPredicate(predicate), a[0], b[0]);
    for (size_t i = 1; i < a.size(); ++i) {
      const bool last = i + 1 == a.size();
      Value *here =
          b_.CreateICmp(last ? predicate : ICmpInst::getUnsignedPredicate(predicate), a[i], b[i]);
      result = b_.CreateSelect(b_.CreateICmpEQ(a[i], b[i]), result, here);
    }
    return result;
  }

  Words choose(Value *condition, const Words &a, const Words &b) {
    Words out;
    for (size_t i = 0; i < a.size(); ++i) out.push_back(b_.CreateSelect(condition, a[i], b[i]));
    return out;
  }

  void truncate(Instruction &inst, unsigned bits) {
    Words from = words(inst.getOperand(0));
    if (bits) {
      words_[&inst] = canonical(from, bits);
    } else if (inst.getType()->getIntegerBitWidth() <= kWord) {
      inst.replaceAllUsesWith(b_.CreateTrunc(from[0], inst.getType()));
    } else {
      Type *pair = b_.getInt128Ty();
      Value *both = b_.CreateOr(b_.CreateShl(b_.CreateZExt(from[1], pair), kWord),
                                b_.CreateZExt(from[0], pair));
      inst.replaceAllUsesWith(b_.CreateTrunc(both, inst.getType()));
    }
  }

  Words extend(Instruction &inst, unsigned bits) {
    const bool isSigned = inst.getOpcode() == Instruction::SExt;
    Value *value = inst.getOperand(0), *fill = number(0);
    Words out;
    if (const unsigned from = wideBits(value->getType())) {
      out = words(value);
      if (isSigned) {
        fill = signOf(out, from);
        out.back() = withSign(out.back(), from);
      }
    } else {
      Type *pair = b_.getInt128Ty();
      Value *both = isSigned ? b_.CreateSExt(value, pair) : b_.CreateZExt(value, pair);
      out = {b_.CreateTrunc(both, word()), b_.CreateTrunc(b_.CreateLShr(both, kWord), word())};
      if (isSigned) fill = b_.CreateAShr(out[1], kWord - 1);
    }
    out.resize(countOf(bits), fill);
    return canonical(out, bits);
  }

  /// carry: receives that of the last word's 64 bits.
  Words sum(const Words &a, const Words &b, Value *&carry) {
    Words out;
    carry = b_.getFalse();
    for (size_t i = 0; i < a.size(); ++i) {
      Value *plain = b_.CreateAdd(a[i], b[i]),
            *s = b_.CreateAdd(plain, b_.CreateZExt(carry, word()));
      carry = b_.CreateOr(b_.CreateICmpULT(plain, a[i]), b_.CreateICmpULT(s, plain));
      out.push_back(s);
    }
    return out;
  }
  Words difference(const Words &a, const Words &b, Value *&borrow) {
    Words out;
    borrow = b_.getFalse();
    for (size_t i = 0; i < a.size(); ++i) {
      Value *plain = b_.CreateSub(a[i], b[i]), *less = b_.CreateZExt(borrow, word());
      borrow = b_.CreateOr(b_.CreateICmpULT(a[i], b[i]), b_.CreateICmpULT(plain, less));
      out.push_back(b_.CreateSub(plain, less));
    }
    return out;
  }

  Words product(const Words &a, const Words &b) {
    Type *pair = b_.getInt128Ty();
    Words out(a.size(), number(0));
    for (size_t i = 0; i < a.size(); ++i) {
      Value *carry = number(0);
      for (size_t j = 0; i + j < a.size(); ++j) {
        Value *t = b_.CreateMul(b_.CreateZExt(a[i], pair), b_.CreateZExt(b[j], pair));
        t = b_.CreateAdd(t, b_.CreateZExt(out[i + j], pair));
        t = b_.CreateAdd(t, b_.CreateZExt(carry, pair));
        out[i + j] = b_.CreateTrunc(t, word());
        carry = b_.CreateTrunc(b_.CreateLShr(t, kWord), word());
      }
    }
    return out;
  }

  Words shift(Instruction::BinaryOps op, Words a, const Words &by, unsigned bits) {
    Value *fill = number(0);
    if (op == Instruction::AShr) {
      fill = signOf(a, bits);
      a.back() = withSign(a.back(), bits);
    }
    const bool left = op == Instruction::Shl;
    const size_t n = a.size();
    Value *whole = b_.CreateLShr(by[0], 6), *part = b_.CreateAnd(by[0], kWord - 1);
    Words moved;
    auto *known = dyn_cast<ConstantInt>(whole);
    for (size_t i = 0; i < n; ++i) {
      Value *value = fill;
      for (size_t k = n; k-- > 0;) {
        const size_t from = left ? i - k : i + k;
        Value *here = from < n ? a[from] : fill; // i - k wraps around below 0
        if (known)
          value = known->equalsInt(k) ? here : value;
        else
          value = b_.CreateSelect(b_.CreateICmpEQ(whole, number(k)), here, value);
      }
      moved.push_back(value);
    }
    Words out;
    for (size_t i = 0; i < n; ++i)
      out.push_back(left ? b_.CreateIntrinsic(Intrinsic::fshl, {word()},
                                              {moved[i], i ? moved[i - 1] : number(0), part})
                         : b_.CreateIntrinsic(Intrinsic::fshr, {word()},
                                              {i + 1 < n ? moved[i + 1] : fill, moved[i], part}));
    return out;
  }

  Words binary(BinaryOperator &inst, unsigned bits) {
    Words a = words(inst.getOperand(0)), b = words(inst.getOperand(1)), out;
    Value *carry;
    switch (inst.getOpcode()) {
    case Instruction::Add: out = sum(a, b, carry); break;
    case Instruction::Sub: out = difference(a, b, carry); break;
    case Instruction::Mul: out = product(a, b); break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: out = shift(inst.getOpcode(), a, b, bits); break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: out = quotient(inst, a, b, bits); break;
    default: // bit by bit
      for (size_t i = 0; i < a.size(); ++i)
        out.push_back(b_.CreateBinOp(inst.getOpcode(), a[i], b[i]));
    }
    return canonical(out, bits);
  }

  Words quotient(BinaryOperator &inst, const Words &a, const Words &b, unsigned bits) {
    Value *any = number(0);
    for (Value *w : b) any = b_.CreateOr(any, w);
    // That the divisor is not 0 is checked here, where the program divides.
    b_.Insert(BinaryOperator::CreateUDiv(number(1), any));
    Value *memory[3];
    {
      IRBuilder<>::InsertPointGuard guard(b_);
      b_.SetInsertPoint(&*f_.getEntryBlock().getFirstInsertionPt());
      for (Value *&m : memory)
        m = b_.CreateAlloca(ArrayType::get(word(), a.size()), nullptr, "wide");
    }
    auto at = [&](unsigned m, size_t i) { return b_.CreateConstGEP1_64(word(), memory[m], i); };
    for (size_t i = 0; i < a.size(); ++i) {
      b_.CreateStore(a[i], at(1, i));
      b_.CreateStore(b[i], at(2, i));
    }
    b_.CreateCall(divider(inst.getOpcode(), bits), {memory[0], memory[1], memory[2]});
    Words out;
    for (size_t i = 0; i < a.size(); ++i) out.push_back(b_.CreateLoad(word(), at(0, i)));
    return out;
  }

  /// A function that divides numbers in memory.
  FunctionCallee divider(Instruction::BinaryOps op, unsigned bits) {
    Module &module = *f_.getParent();
    LLVMContext &context = module.getContext();
    const std::string name =
        ("__fathom_" + StringRef(Instruction::getOpcodeName(op)) + Twine(bits)).str();
    Type *pointer = b_.getPtrTy();
    FunctionCallee callee =
        module.getOrInsertFunction(name, b_.getVoidTy(), pointer, pointer, pointer);
    auto *function = cast<Function>(callee.getCallee());
    if (!function->isDeclaration()) return callee;
    function->setLinkage(GlobalValue::InternalLinkage);
    function->addFnAttr("fathom-runtime");
    IRBuilder<> b(BasicBlock::Create(context, "", function));
    Type *type = b.getIntNTy(bits);
    auto load = [&](unsigned i) {
      return b.CreateAlignedLoad(type, function->getArg(i), Align(8));
    };
    auto *division = BinaryOperator::Create(op, load(1), load(2));
    b.Insert(division);
    b.CreateAlignedStore(division, function->getArg(0), Align(8));
    b.CreateRetVoid();
    if (op == Instruction::UDiv || op == Instruction::SDiv)
      expandDivision(division);
    else
      expandRemainder(division);
    Splitter(*function).run();
    return callee;
  }

  void intrinsic(IntrinsicInst &inst, unsigned bits) {
    Words a = words(inst.getArgOperand(0));
    auto count = [&](Value *value) {
      Words out(countOf(bits), number(0));
      out[0] = value;
      words_[&inst] = out;
    };
    auto bitsOf = [&](Intrinsic::ID id, Value *w) {
      return id == Intrinsic::ctpop ? b_.CreateUnaryIntrinsic(id, w)
                                    : b_.CreateBinaryIntrinsic(id, w, b_.getFalse());
    };
    const size_t n = a.size();
    switch (inst.getIntrinsicID()) {
    case Intrinsic::ctpop: {
      Value *total = number(0);
      for (Value *w : a) total = b_.CreateAdd(total, bitsOf(Intrinsic::ctpop, w));
      return count(total);
    }
    case Intrinsic::ctlz: {
      Value *zeros = number(n * kWord);
      for (size_t i = 0; i < n; ++i)
        zeros = b_.CreateSelect(
            b_.CreateICmpNE(a[i], number(0)),
            b_.CreateAdd(number((n - 1 - i) * kWord), bitsOf(Intrinsic::ctlz, a[i])), zeros);
      return count(b_.CreateSub(zeros, number(n * kWord - bits)));
    }
    case Intrinsic::cttz: {
      Value *zeros = number(bits);
      for (size_t i = n; i-- > 0;)
        zeros =
            b_.CreateSelect(b_.CreateICmpNE(a[i], number(0)),
                            b_.CreateAdd(number(i * kWord), bitsOf(Intrinsic::cttz, a[i])), zeros);
      return count(zeros);
    }
    default: break;
    }
    Words b = words(inst.getArgOperand(1));
    if (auto *extremum = dyn_cast<MinMaxIntrinsic>(&inst)) {
      words_[&inst] = choose(holds(extremum->getPredicate(), a, b, bits), a, b);
      return;
    }
    auto &with = cast<WithOverflowInst>(inst);
    const unsigned of = wideBits(with.getLHS()->getType());
    const bool add = with.getBinaryOp() == Instruction::Add;
    Value *carry;
    Words raw = add ? sum(a, b, carry) : difference(a, b, carry), out = canonical(raw, of);
    if (with.isSigned()) {
      Value *differs = b_.CreateXor(a.back(), out.back()),
            *other = add ? b_.CreateXor(b.back(), out.back()) : b_.CreateXor(a.back(), b.back());
      carry = b_.CreateTrunc(b_.CreateLShr(b_.CreateAnd(differs, other), (of - 1) % kWord),
                             b_.getInt1Ty());
    } else if (of % kWord) {
      carry = b_.CreateICmpNE(raw.back(), out.back());
    }
    out.push_back(carry);
    words_[&inst] = out;
  }

  Function &f_;
  IRBuilder<> b_;
  DenseMap<Value *, Words> words_; ///< of a {value, overflow}: the value's, then the bit
  SmallVector<PHINode *> phis_;
};

} // namespace

void lowerWideIntegers(Module &module) {
  SmallVector<Function *> functions;
  for (Function &f : module) {
    bool any = false, known = true;
    for (Instruction &inst : instructions(f))
      if (concerns(inst)) {
        any = true;
        known &= isKnown(inst);
      }
    if (any && known) functions.push_back(&f);
  }
  for (Function *f : functions) Splitter(*f).run();
}

} // namespace fathom::program
