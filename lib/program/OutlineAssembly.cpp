// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly, and intrinsics of x86, that have no meaning here become calls of functions, one
// for each different statement, so that they can be executed as external functions are. In the
// engine's module these are only declared; the variant that executes functions defines them. Their
// names are made from what they do, so that both modules have the same ones.
//
//   asm("imul %2, %0" : "=r"(p) : "0"(a), "r"(b))   ->   p = __fathom_asm_93ae...(a, b)
//
// A function like that takes what an external function can be given: operands are words (a vector
// several), pointers stay pointers, constants are part of it. One result of up to 64 bits is
// returned; others go through a variable of the caller's, as words too. What it reads and writes
// are attributes:
//
//   dereferenceable(N)   that many bytes where the pointer points: an operand in memory
//   readonly             the statement does not say that it writes to memory
//   fathom-memory        (function) it says that it reads and writes memory: of pointers in
//                        registers, everything that they point to; integers may be pointers
#include "program/AssemblyText.h"
#include "program/Load.h"
#include "program/Prepare.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace fathom::program {
namespace {

constexpr unsigned kWord = 64;

/// How many words hold a value of this type; 0: it cannot be taken apart.
unsigned wordsOf(Type *type) {
  if (type->isPointerTy()) return 1;
  if (type->isIntegerTy())
    return type->getIntegerBitWidth() <= 128 ? divideCeil(type->getIntegerBitWidth(), kWord) : 0;
  if (type->isFloatTy() || type->isDoubleTy() || type->isHalfTy()) return 1;
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || vector->getElementType()->isPointerTy()) return 0;
  const uint64_t bits = vector->getPrimitiveSizeInBits().getFixedValue();
  return bits && (bits < kWord || bits % kWord == 0)
             ? static_cast<unsigned>(divideCeil(bits, kWord))
             : 0;
}

void toWords(IRBuilder<> &b, Value *v, SmallVectorImpl<Value *> &words) {
  Type *type = v->getType(), *word = b.getInt64Ty();
  const unsigned count = wordsOf(type);
  if (type->isPointerTy()) return words.push_back(b.CreatePtrToInt(v, word));
  if (type->isIntegerTy()) {
    for (unsigned i = 0; i < count; ++i)
      words.push_back(b.CreateZExtOrTrunc(i ? b.CreateLShr(v, uint64_t(kWord) * i) : v, word));
    return;
  }
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
  if (bits <= kWord)
    return words.push_back(b.CreateZExt(b.CreateBitCast(v, b.getIntNTy(bits)), word));
  v = b.CreateBitCast(v, FixedVectorType::get(word, count));
  for (unsigned i = 0; i < count; ++i) words.push_back(b.CreateExtractElement(v, i));
}

/// Takes the words that it needs from the front.
Value *fromWords(IRBuilder<> &b, Type *type, ArrayRef<Value *> &words) {
  const unsigned count = wordsOf(type);
  ArrayRef<Value *> mine = words.take_front(count);
  words = words.drop_front(count);
  if (type->isPointerTy()) return b.CreateIntToPtr(mine[0], type);
  if (type->isIntegerTy()) {
    Value *v = b.CreateZExtOrTrunc(mine[0], type);
    for (unsigned i = 1; i < count; ++i)
      v = b.CreateOr(v, b.CreateShl(b.CreateZExtOrTrunc(mine[i], type), uint64_t(kWord) * i));
    return v;
  }
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
  if (bits <= kWord) return b.CreateBitCast(b.CreateTrunc(mine[0], b.getIntNTy(bits)), type);
  Value *v = PoisonValue::get(FixedVectorType::get(b.getInt64Ty(), count));
  for (unsigned i = 0; i < count; ++i) v = b.CreateInsertElement(v, mine[i], i);
  return b.CreateBitCast(v, type);
}

/// A statement or intrinsic that is to become a function.
class Outlined {
public:
  explicit Outlined(CallInst &call) : call_(call), dl_(call.getModule()->getDataLayout()) {
    if (auto *st = dyn_cast<StructType>(call.getType()))
      results_.assign(st->element_begin(), st->element_end());
    else if (!call.getType()->isVoidTy())
      results_.push_back(call.getType());
    for (Type *t : results_) resultWords_ += wordsOf(t);
    throughMemory_ = resultWords_ > 1;
  }

  bool canBe() {
    if (call_.hasOperandBundles() || call_.isMustTailCall()) return false;
    if (any_of(results_, [](Type *t) { return !wordsOf(t); })) return false;
    if (!call_.isInlineAsm() && !isIntrinsicApart()) return false;
    if (call_.isInlineAsm() && !isAssemblyApart()) return false;
    return all_of(call_.args(),
                  [&](const Use &a) { return isConstant(a) || wordsOf(a->getType()); });
  }

  void outline(bool define) {
    Module &module = *call_.getModule();
    IRBuilder<> b(&call_);
    SmallVector<Value *, 8> arguments;
    AllocaInst *memory = nullptr;
    if (throughMemory_) {
      auto *type = ArrayType::get(b.getInt64Ty(), resultWords_);
      BasicBlock &entry = call_.getFunction()->getEntryBlock();
      memory = new AllocaInst(type, 0, "", entry.begin());
      // So that the results of this time do not depend on those of the last.
      b.CreateStore(Constant::getNullValue(type), memory);
      arguments.push_back(memory);
    }
    for (const Use &a : call_.args()) {
      if (isConstant(a)) continue;
      if (a->getType()->isPointerTy())
        arguments.push_back(a);
      else
        toWords(b, a, arguments);
    }
    Function *function = functionFor(module, arguments, define);
    CallInst *made = b.CreateCall(function, arguments);
    SmallVector<Value *, 8> words;
    if (throughMemory_)
      for (unsigned i = 0; i < resultWords_; ++i)
        words.push_back(
            b.CreateLoad(b.getInt64Ty(), b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), memory, i)));
    else if (resultWords_)
      words.push_back(made);
    if (!results_.empty()) call_.replaceAllUsesWith(join(b, words));
    call_.eraseFromParent();
  }

private:
  /// Part of the function. Addresses are the engine's: they are given.
  static bool isConstant(const Value *v) { return isa<ConstantData>(v); }
  static bool isConstant(const Use &u) { return isConstant(u.get()); }

  bool isIntrinsicApart() const {
    const Function *callee = call_.getCalledFunction();
    if (!callee || !callee->getName().starts_with("llvm.x86.")) return false;
    // Its declaration does not say what it writes.
    if (callee->getName() == "llvm.x86.sse2.maskmov.dqu") return true;
    return call_.getMemoryEffects().onlyAccessesArgPointees() && !call_.doesNotReturn();
  }

  bool isAssemblyApart() const {
    auto *assembly = cast<InlineAsm>(call_.getCalledOperand());
    StringRef text = assembly->getAsmString();
    if (isAssemblyWithoutEffect(text) || isCpuid(text)) return false; // the interpreter knows them
    if (!whyNotOutlined(*assembly).empty()) return false;
    unsigned argument = 0;
    for (const InlineAsm::ConstraintInfo &c : assembly->ParseConstraints()) {
      if (c.Type == InlineAsm::isLabel) return false;
      if (!c.hasArg()) continue;
      const Value *v = call_.getArgOperand(argument++);
      // The address of a variable as part of the instruction: it would be another one.
      const bool immediate = all_of(c.Codes, [](StringRef code) {
        return code == "i" || code == "n" || code == "s" || code == "e" || code == "Z";
      });
      if (immediate && !isConstant(v)) return false;
    }
    return true;
  }

  /// Its name: the same for what is the same, in every module.
  std::string name() const {
    std::string text;
    raw_string_ostream os(text);
    if (auto *assembly = dyn_cast<InlineAsm>(call_.getCalledOperand()))
      os << assembly->getAsmString() << '\n' << assembly->getConstraintString() << '\n';
    else
      os << call_.getCalledFunction()->getName();
    call_.getFunctionType()->print(os);
    for (const Use &a : call_.args())
      if (isConstant(a)) {
        os << ' ' << a.getOperandNo() << ' ';
        a->print(os);
      }
    for (StringRef key : {"target-cpu", "target-features"})
      os << '\n' << call_.getFunction()->getFnAttribute(key).getValueAsString();
    return "__fathom_asm_" + utohexstr(xxh3_64bits(text), /*LowerCase=*/true);
  }

  /// For messages.
  std::string shown() const {
    if (auto *assembly = dyn_cast<InlineAsm>(call_.getCalledOperand()))
      return "inline assembly \"" + oneLineAssembly(assembly->getAsmString()) + "\"";
    return "intrinsic " + call_.getCalledFunction()->getName().str();
  }

  bool hasMemoryClobber() const {
    auto *assembly = dyn_cast<InlineAsm>(call_.getCalledOperand());
    if (!assembly) return !call_.onlyReadsMemory();
    return any_of(assembly->ParseConstraints(), [](const InlineAsm::ConstraintInfo &c) {
      return c.Type == InlineAsm::isClobber && c.Codes.size() == 1 && c.Codes[0] == "{memory}";
    });
  }

  Function *functionFor(Module &module, ArrayRef<Value *> arguments, bool define) {
    const std::string name = this->name();
    if (Function *known = module.getFunction(name)) return known;
    LLVMContext &context = module.getContext();
    SmallVector<Type *, 8> types;
    for (Value *v : arguments) types.push_back(v->getType());
    Type *result = resultWords_ == 1 ? Type::getInt64Ty(context) : Type::getVoidTy(context);
    auto *f = Function::Create(FunctionType::get(result, types, /*isVarArg=*/false),
                               GlobalValue::ExternalLinkage, name, module);
    f->addFnAttr("fathom-assembly", shown());
    f->addFnAttr(Attribute::NoRedZone);
    for (StringRef key : {"target-cpu", "target-features"})
      if (Attribute a = call_.getFunction()->getFnAttribute(key); a.isValid()) f->addFnAttr(a);
    describe(*f);
    if (define) fill(*f);
    return f;
  }

  void describe(Function &f) {
    LLVMContext &context = f.getContext();
    const bool clobbers = hasMemoryClobber();
    if (clobbers) f.addFnAttr("fathom-memory");
    unsigned parameter = 0;
    if (throughMemory_) f.addDereferenceableParamAttr(parameter++, resultWords_ * kWord / 8);
    for (const Use &a : call_.args()) {
      if (isConstant(a)) continue;
      const unsigned number = call_.getArgOperandNo(&a);
      if (!a->getType()->isPointerTy()) {
        parameter += wordsOf(a->getType());
        continue;
      }
      Type *element = call_.getParamElementType(number);
      if (element)
        f.addDereferenceableParamAttr(parameter, dl_.getTypeStoreSize(element).getFixedValue());
      if (!clobbers && !isOutput(number))
        f.addParamAttr(parameter, Attribute::get(context, Attribute::ReadOnly));
      parameter++;
    }
  }

  /// Is this argument memory that is written?
  bool isOutput(unsigned number) const {
    auto *assembly = dyn_cast<InlineAsm>(call_.getCalledOperand());
    if (!assembly) return false;
    unsigned argument = 0;
    for (const InlineAsm::ConstraintInfo &c : assembly->ParseConstraints())
      if (c.hasArg() && argument++ == number) return c.Type == InlineAsm::isOutput;
    return false;
  }

  void fill(Function &f) {
    IRBuilder<> b(BasicBlock::Create(f.getContext(), "", &f));
    auto *inner = cast<CallInst>(call_.clone());
    inner->setDebugLoc({});
    Argument *next = f.arg_begin();
    if (throughMemory_) next++;
    for (const Use &a : call_.args()) {
      if (isConstant(a)) continue;
      Value *v = next;
      if (a->getType()->isPointerTy()) {
        next++;
      } else {
        SmallVector<Value *, 8> words;
        for (unsigned i = 0; i < wordsOf(a->getType()); ++i) words.push_back(next++);
        ArrayRef<Value *> rest = words;
        v = fromWords(b, a->getType(), rest);
      }
      inner->setArgOperand(call_.getArgOperandNo(&a), v);
    }
    b.Insert(inner);
    SmallVector<Value *, 8> words;
    for (unsigned i = 0; i < results_.size(); ++i)
      toWords(b, isa<StructType>(call_.getType()) ? b.CreateExtractValue(inner, i) : inner, words);
    if (throughMemory_)
      for (unsigned i = 0; i < resultWords_; ++i)
        b.CreateStore(words[i], b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), f.getArg(0), i));
    if (resultWords_ == 1)
      b.CreateRet(words[0]);
    else
      b.CreateRetVoid();
  }

  Value *join(IRBuilder<> &b, ArrayRef<Value *> words) {
    if (!isa<StructType>(call_.getType())) return fromWords(b, call_.getType(), words);
    Value *all = PoisonValue::get(call_.getType());
    for (unsigned i = 0; i < results_.size(); ++i)
      all = b.CreateInsertValue(all, fromWords(b, results_[i], words), i);
    return all;
  }

  CallInst &call_;
  const DataLayout &dl_;
  SmallVector<Type *, 4> results_;
  unsigned resultWords_ = 0;
  bool throughMemory_ = false;
};

} // namespace

void outlineAssembly(Module &module, bool define) {
  SmallVector<CallInst *, 16> calls;
  for (Function &f : module) {
    if (f.isDeclaration() || !isOwnFunction(f)) continue;
    for (Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallInst>(&i);
          call && (call->isInlineAsm() || isa<IntrinsicInst>(call)))
        calls.push_back(call);
  }
  for (CallInst *call : calls)
    if (Outlined one(*call); one.canBe()) one.outline(define);
}

} // namespace fathom::program
