// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of more than 128 bits (_BitInt(256), and the units in which clang reads packed
// bit-fields) as words of 64, the lowest first; bits of the last one above the integer's are 0.
// Memory is read and written byte for byte as before. Divisions call a generated helper function,
// one for each width and operation, which contains the loop that LLVM has for targets without
// division.
//
// A function with a use of such an integer that is not known here (a conversion to floating point,
// an argument) is left as it is, and ends the path as before. For the engine only: native variants
// are compiled with what the target has.
#include "program/Prepare.h"
#include "program/WideWords.h"

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

constexpr unsigned kMaxBits = 4096;

unsigned wideBits(const Type *type) {
  auto *integer = dyn_cast<IntegerType>(type);
  return integer && integer->getBitWidth() > 128 ? integer->getBitWidth() : 0;
}

/// The width of the value in a result {value, overflow}; 0: it is not wide, or not such a result.
unsigned wideOverflowBits(const Instruction &inst) {
  auto *with = dyn_cast<WithOverflowInst>(&inst);
  return with ? wideBits(with->getLHS()->getType()) : 0;
}

bool usesWideInteger(const Instruction &inst) {
  return wideBits(inst.getType()) || wideOverflowBits(inst) ||
         any_of(inst.operands(), [](const Use &u) {
           auto *operand = dyn_cast<Instruction>(u.get());
           return wideBits(u->getType()) || (operand && wideOverflowBits(*operand));
         });
}

bool isSupported(const Instruction &inst) {
  for (const Use &u : inst.operands())
    if (wideBits(u->getType()) > kMaxBits ||
        (wideBits(u->getType()) && isa<Constant>(u) && !isa<ConstantInt, UndefValue>(u)))
      return false;
  if (wideBits(inst.getType()) > kMaxBits) return false;
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

class Splitter {
public:
  explicit Splitter(Function &function) : f_(function), b_(function.getContext()), w_(b_) {}

  void run() {
    ReversePostOrderTraversal<Function *> order(&f_);
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<Instruction *> work;
    auto add = [&](BasicBlock &block) {
      if (!seen.insert(&block).second) return;
      for (Instruction &inst : block)
        if (usesWideInteger(inst) && !isa<DbgInfoIntrinsic>(inst)) work.push_back(&inst);
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
  Words words(Value *value) {
    const unsigned bits = wideBits(value->getType());
    Words out;
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
      for (size_t i = 0; i < wordCount(bits); ++i)
        out.push_back(w_.number(constant->getValue().getRawData()[i]));
      return out;
    }
    if (auto it = words_.find(value); it != words_.end()) return it->second;
    out.assign(wordCount(bits), w_.number(0)); // undefined, or of a block that nothing reaches
    return out;
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
          w_.holds(compare.getPredicate(), words(a), words(b), wideBits(a->getType())));
      return;
    }
    case Instruction::Select:
      words_[&inst] =
          w_.choose(inst.getOperand(0), words(inst.getOperand(1)), words(inst.getOperand(2)));
      return;
    case Instruction::Freeze: words_[&inst] = words(inst.getOperand(0)); return;
    case Instruction::PHI: {
      Words out;
      for (size_t i = 0; i < wordCount(bits); ++i)
        out.push_back(b_.CreatePHI(w_.word(), cast<PHINode>(inst).getNumIncomingValues()));
      words_[&inst] = out;
      phis_.push_back(&cast<PHINode>(inst));
      return;
    }
    case Instruction::Trunc: return truncate(inst, bits);
    case Instruction::ZExt:
    case Instruction::SExt: words_[&inst] = extend(inst, bits); return;
    case Instruction::ExtractValue: {
      auto &extract = cast<ExtractValueInst>(inst);
      // Empty in blocks that nothing reaches: these may use a value before they define it.
      Words of = words_.lookup(extract.getAggregateOperand());
      if (extract.getIndices()[0] == 0) {
        words_[&inst] = of.empty() ? words(&inst) : Words(of.begin(), of.end() - 1);
      } else {
        inst.replaceAllUsesWith(of.empty() ? b_.getFalse() : of.back());
      }
      return;
    }
    case Instruction::Call: return intrinsic(cast<IntrinsicInst>(inst), bits);
    default: words_[&inst] = binary(cast<BinaryOperator>(inst), bits);
    }
  }

  /// The type of word i of an integer in memory: as many bytes as there are.
  Type *partType(unsigned bits, size_t i) {
    const unsigned bytes = std::min<unsigned>(8, (bits + 7) / 8 - 8 * static_cast<unsigned>(i));
    return b_.getIntNTy(8 * bytes);
  }

  Words load(LoadInst &inst, unsigned bits) {
    Words out;
    for (size_t i = 0; i < wordCount(bits); ++i) {
      Value *at = b_.CreateConstGEP1_64(b_.getInt8Ty(), inst.getPointerOperand(), 8 * i);
      auto *part = b_.CreateAlignedLoad(partType(bits, i), at,
                                        commonAlignment(inst.getAlign(), 8 * i), inst.isVolatile());
      out.push_back(b_.CreateZExt(part, w_.word()));
    }
    return w_.canonical(out, bits);
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

  void truncate(Instruction &inst, unsigned bits) {
    Words from = words(inst.getOperand(0));
    if (bits) {
      words_[&inst] = w_.canonical(from, bits);
    } else if (inst.getType()->getIntegerBitWidth() <= kWordBits) {
      inst.replaceAllUsesWith(b_.CreateTrunc(from[0], inst.getType()));
    } else {
      Type *pair = b_.getInt128Ty();
      Value *both = b_.CreateOr(b_.CreateShl(b_.CreateZExt(from[1], pair), kWordBits),
                                b_.CreateZExt(from[0], pair));
      inst.replaceAllUsesWith(b_.CreateTrunc(both, inst.getType()));
    }
  }

  Words extend(Instruction &inst, unsigned bits) {
    const bool isSigned = inst.getOpcode() == Instruction::SExt;
    Value *value = inst.getOperand(0), *fill = w_.number(0);
    Words out;
    if (const unsigned from = wideBits(value->getType())) {
      out = words(value);
      if (isSigned) {
        fill = w_.signOf(out, from);
        out.back() = w_.withSign(out.back(), from);
      }
    } else {
      Type *pair = b_.getInt128Ty();
      Value *both = isSigned ? b_.CreateSExt(value, pair) : b_.CreateZExt(value, pair);
      out = {b_.CreateTrunc(both, w_.word()),
             b_.CreateTrunc(b_.CreateLShr(both, kWordBits), w_.word())};
      if (isSigned) fill = b_.CreateAShr(out[1], kWordBits - 1);
    }
    out.resize(wordCount(bits), fill);
    return w_.canonical(out, bits);
  }

  Words binary(BinaryOperator &inst, unsigned bits) {
    Words a = words(inst.getOperand(0)), b = words(inst.getOperand(1)), out;
    Value *carry;
    switch (inst.getOpcode()) {
    case Instruction::Add: out = w_.sum(a, b, carry); break;
    case Instruction::Sub: out = w_.difference(a, b, carry); break;
    case Instruction::Mul: out = w_.product(a, b); break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: out = w_.shift(inst.getOpcode(), a, b, bits); break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: out = quotient(inst, a, b, bits); break;
    default: // bit by bit
      for (size_t i = 0; i < a.size(); ++i)
        out.push_back(b_.CreateBinOp(inst.getOpcode(), a[i], b[i]));
    }
    return w_.canonical(out, bits);
  }

  Words quotient(BinaryOperator &inst, const Words &a, const Words &b, unsigned bits) {
    Value *any = w_.number(0);
    for (Value *w : b) any = b_.CreateOr(any, w);
    // 1 / (OR of the words) traps iff the divisor is 0. Nothing uses the result; the engine reports
    // the bug at the program's line, not in the helper.
    b_.Insert(BinaryOperator::CreateUDiv(w_.number(1), any));
    Value *memory[3];
    {
      IRBuilder<>::InsertPointGuard guard(b_);
      b_.SetInsertPoint(&*f_.getEntryBlock().getFirstInsertionPt());
      for (Value *&m : memory)
        m = b_.CreateAlloca(ArrayType::get(w_.word(), a.size()), nullptr, "wide");
    }
    auto at = [&](unsigned m, size_t i) { return b_.CreateConstGEP1_64(w_.word(), memory[m], i); };
    for (size_t i = 0; i < a.size(); ++i) {
      b_.CreateStore(a[i], at(1, i));
      b_.CreateStore(b[i], at(2, i));
    }
    b_.CreateCall(divider(inst.getOpcode(), bits), {memory[0], memory[1], memory[2]});
    Words out;
    for (size_t i = 0; i < a.size(); ++i) out.push_back(b_.CreateLoad(w_.word(), at(0, i)));
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
      Words out(wordCount(bits), w_.number(0));
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
      Value *total = w_.number(0);
      for (Value *w : a) total = b_.CreateAdd(total, bitsOf(Intrinsic::ctpop, w));
      return count(total);
    }
    case Intrinsic::ctlz: {
      Value *zeros = w_.number(n * kWordBits);
      for (size_t i = 0; i < n; ++i)
        zeros = b_.CreateSelect(
            b_.CreateICmpNE(a[i], w_.number(0)),
            b_.CreateAdd(w_.number((n - 1 - i) * kWordBits), bitsOf(Intrinsic::ctlz, a[i])), zeros);
      return count(b_.CreateSub(zeros, w_.number(n * kWordBits - bits)));
    }
    case Intrinsic::cttz: {
      Value *zeros = w_.number(bits);
      for (size_t i = n; i-- > 0;)
        zeros = b_.CreateSelect(
            b_.CreateICmpNE(a[i], w_.number(0)),
            b_.CreateAdd(w_.number(i * kWordBits), bitsOf(Intrinsic::cttz, a[i])), zeros);
      return count(zeros);
    }
    default: break;
    }
    Words b = words(inst.getArgOperand(1));
    if (auto *extremum = dyn_cast<MinMaxIntrinsic>(&inst)) {
      words_[&inst] = w_.choose(w_.holds(extremum->getPredicate(), a, b, bits), a, b);
      return;
    }
    auto &with = cast<WithOverflowInst>(inst);
    const unsigned of = wideBits(with.getLHS()->getType());
    const bool add = with.getBinaryOp() == Instruction::Add;
    Value *carry;
    Words raw = add ? w_.sum(a, b, carry) : w_.difference(a, b, carry), out = w_.canonical(raw, of);
    if (with.isSigned()) {
      Value *differs = b_.CreateXor(a.back(), out.back()),
            *other = add ? b_.CreateXor(b.back(), out.back()) : b_.CreateXor(a.back(), b.back());
      carry = b_.CreateTrunc(b_.CreateLShr(b_.CreateAnd(differs, other), (of - 1) % kWordBits),
                             b_.getInt1Ty());
    } else if (of % kWordBits) {
      carry = b_.CreateICmpNE(raw.back(), out.back());
    }
    out.push_back(carry);
    words_[&inst] = out;
  }

  Function &f_;
  IRBuilder<> b_;
  WideWords w_;
  DenseMap<Value *, Words> words_; ///< of a {value, overflow}: the value's, then the bit
  SmallVector<PHINode *> phis_;
};

} // namespace

void lowerWideIntegers(Module &module) {
  SmallVector<Function *> functions;
  for (Function &f : module) {
    bool any = false, known = true;
    for (Instruction &inst : instructions(f))
      if (usesWideInteger(inst)) {
        any = true;
        known &= isSupported(inst);
      }
    if (any && known) functions.push_back(&f);
  }
  for (Function *f : functions) Splitter(*f).run();
}

} // namespace fathom::program
