// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, and the checks: assertions, bounds, divisions.
#include "statics/front/LibraryFunctions.h"
#include "statics/translate/Translator.h"

#include "program/Assertions.h"
#include "program/Prepare.h"
#include "support/NumberText.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fathom::statics {

using namespace abstract;

namespace {

template <size_t N> bool isOneOf(llvm::StringRef name, const char *const (&names)[N]) {
  return std::any_of(std::begin(names), std::end(names), [&](const char *n) { return name == n; });
}

constexpr const char *const kAssuming[] = {"__VERIFIER_assume", "klee_assume", "fathom_assume",
                                           "__fathom_assume"};
constexpr const char *const kSymbolic[] = {"klee_make_symbolic", "fathom_symbolic",
                                           "__fathom_make_symbolic"};

} // namespace

/// nullptr: nothing is known of it. It may be the program's own.
static const LibraryFunction *knownFunction(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  const bool isOwn = !function.isDeclaration() && program::isOwnFunction(function);
  return isOwn ? nullptr : findLibraryFunction({name.data(), name.size()});
}

bool isHarmless(const llvm::Function &function) {
  if (function.getName().starts_with("__VERIFIER_nondet_")) return true;
  const LibraryFunction *known = knownFunction(function);
  if (!known) return false;
  if (known->isHarmless || known->endsProgram) return true;
  const std::optional<Summary> &summary = known->summary;
  return summary && !summary->written && !summary->freed && summary->calls < 0 &&
         summary->allocates == Allocates::Nothing && !summary->copies();
}

// ---- calls
// ---------------------------------------------------------------------------------------

void FunctionTranslator::call(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  auto forgetResult = [&] {
    if (hasVariable(call.getType())) emit(StatementKind::Forget, variableOf(call));
  };
  if (call.isInlineAsm()) {
    module_.noteUnmodelled("inline assembly");
    emit(StatementKind::Call); // may do anything
    return forgetResult();
  }
  if (callee && callee->isIntrinsic()) {
    if (llvm::isa<llvm::DbgInfoIntrinsic>(call)) return;
    if (memoryCall(call, "")) return;
    if (callee->getIntrinsicID() == llvm::Intrinsic::trap ||
        callee->getIntrinsicID() == llvm::Intrinsic::ubsantrap)
      emit(StatementKind::End);
    if (call.mayWriteToMemory() && !call.onlyAccessesInaccessibleMemory())
      for (const llvm::Use &use : call.args())
        if (use->getType()->isPointerTy()) forgetPointee(*use);
    return forgetResult();
  }
  if (callee && (program::isUninitMarker(call) || knownCall(call, callee->getName()))) {
    if (program::isUninitMarker(call)) forgetResult();
    return;
  }
  const bool hasBody = callee && module_.hasBody(*callee);
  if (callee && !hasBody &&
      (memoryCall(call, callee->getName()) || stringCopy(call, callee->getName()) ||
       summarised(call, *callee)))
    return boundResult(call, *callee);
  ordinaryCall(call);
  if (callee && !hasBody) boundResult(call, *callee);
  if (call.doesNotReturn()) emit(StatementKind::End);
}

void FunctionTranslator::ordinaryCall(const llvm::CallBase &call) {
  Statement s;
  s.kind = StatementKind::Call;
  const llvm::Function *callee = call.getCalledFunction();
  for (const llvm::Use &argument : call.args()) {
    // What has no variable is unknown, in its place.
    const bool isKnown = hasVariable(argument->getType()) &&
                         !call.isByValArgument(unsigned(argument.getOperandNo()));
    s.arguments.push_back(isKnown ? operand(*argument) : unknown(64));
    s.argumentIsAddress.push_back(isKnown && argument->getType()->isPointerTy());
  }
  if (callee) {
    s.callee = module_.functionId(*callee);
    s.touchesMemory = !isHarmless(*callee);
  } else {
    s.isIndirect = true;
    s.a = operand(*call.getCalledOperand());
  }
  if (hasVariable(call.getType())) {
    s.dst = variableOf(call);
    s.width = program_.variables[s.dst].width;
    s.isAddress = program_.variables[s.dst].isAddress;
  }
  std::vector<Statement> &statements = program_.functions[id_].blocks[block_].statements;
  if (callee && module_.hasBody(*callee))
    module_.noteCall({id_, block_, static_cast<uint32_t>(statements.size()), &call});
  statements.push_back(std::move(s));
}

/// With MSG_TRUNC, recv and recvfrom return the length of the whole message.
static bool mayTellMore(const llvm::CallBase &call, const BufferCall &known) {
  constexpr uint64_t kTruncated = 0x20; // MSG_TRUNC of Linux
  if (known.flagsAt < 0) return false;
  const auto at = static_cast<unsigned>(known.flagsAt);
  const auto *flags =
      call.arg_size() > at ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(at)) : nullptr;
  return !flags || flags->getZExtValue() & kTruncated;
}

/// A count is at most what was asked for.
void FunctionTranslator::boundResult(const llvm::CallBase &call, const llvm::Function &callee) {
  const LibraryFunction *known = knownFunction(callee);
  if (!known || known->buffer.countOf < 0 || !hasVariable(call.getType()) ||
      mayTellMore(call, known->buffer))
    return;
  const auto most = static_cast<unsigned>(known->buffer.countOf);
  const VarId dst = variableOf(call);
  const unsigned width = program_.variables[dst].width;
  if (most >= call.arg_size() || !call.getArgOperand(most)->getType()->isIntegerTy(width)) return;
  const Operand result = Operand::of(dst, width);
  Condition isBounded =
      Condition::compare(Predicate::Ule, result, operand(*call.getArgOperand(most)));
  if (known->buffer.countFails) {
    const uint64_t minusOne = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
    isBounded = Condition::either(
        Condition::compare(Predicate::Eq, result, Operand::number(width, minusOne)), isBounded);
  }
  emit(StatementKind::Assume).condition = std::move(isBounded);
}

/// Functions with a meaning of their own, with or without a body.
bool FunctionTranslator::knownCall(const llvm::CallBase &call, llvm::StringRef name) {
  auto truth = [&](const llvm::Value &value) {
    const unsigned width = value.getType()->getIntegerBitWidth();
    return width == 1
               ? condition(value)
               : Condition::compare(Predicate::Ne, operand(value), Operand::number(width, 0));
  };
  const bool takesTruth = call.arg_size() == 1 && call.getArgOperand(0)->getType()->isIntegerTy() &&
                          hasVariable(call.getArgOperand(0)->getType());
  if (takesTruth && isOneOf(name, kAssuming)) {
    const Condition c = truth(*call.getArgOperand(0));
    emit(StatementKind::Assume).condition = c;
    return true;
  }
  if (takesTruth && name == "__VERIFIER_assert") {
    const Condition c = truth(*call.getArgOperand(0));
    verify(CheckKind::Assertion, call, "__VERIFIER_assert", c);
    emit(StatementKind::Assume).condition = c;
    return true;
  }
  if (isOneOf(name, kSymbolic) && call.arg_size() >= 2) {
    const Operand at = operand(*call.getArgOperand(0));
    const Operand size = widened(*call.getArgOperand(1), false);
    Statement &s = emit(StatementKind::Scramble);
    s.a = at;
    s.c = size;
    return true;
  }
  if (program::reportsFailure(name)) {
    if (name != "abort" && !groups_.count(call.getParent())) assertionAlone(call);
    emit(StatementKind::End);
    return true;
  }
  return false;
}

/// memset, memcpy, memmove: intrinsics and functions.
bool FunctionTranslator::memoryCall(const llvm::CallBase &call, llvm::StringRef name) {
  const bool sets = llvm::isa<llvm::MemSetInst>(call) || name == "memset";
  const bool moves =
      llvm::isa<llvm::MemTransferInst>(call) || name == "memcpy" || name == "memmove";
  if ((!sets && !moves) || call.arg_size() < 3) return false;
  const Operand to = operand(*call.getArgOperand(0));
  Operand what = operand(*call.getArgOperand(1));
  const Operand size = widened(*call.getArgOperand(2), false);
  if (sets && what.width > 8) {
    if (what.isConstant()) {
      what = Operand::number(8, what.constant & 255);
    } else {
      const VarId byte = temporary(8);
      Statement &s = emit(StatementKind::Convert, byte);
      s.cast = Cast::Trunc;
      s.a = what;
      what = Operand::of(byte, 8);
    }
  }
  const bool mayOverlap = llvm::isa<llvm::MemMoveInst>(call) || name == "memmove";
  const CheckId check = newCheck(CheckKind::Bounds, call,
                                 sets         ? "memset"
                                 : mayOverlap ? "memmove"
                                              : "memcpy");
  Statement &s = emit(sets ? StatementKind::Fill : StatementKind::Transfer);
  s.a = to;
  s.b = what;
  s.c = size;
  s.check = check;
  if (hasVariable(call.getType())) emit(StatementKind::Assign, variableOf(call)).a = to;
  return true;
}

/// strcpy of a constant text is a copy of that many bytes; the length of other texts is unknown
/// here.
bool FunctionTranslator::stringCopy(const llvm::CallBase &call, llvm::StringRef name) {
  llvm::StringRef text;
  if (name != "strcpy" || call.arg_size() < 2 ||
      !llvm::getConstantStringInfo(call.getArgOperand(1), text))
    return false;
  const Operand to = operand(*call.getArgOperand(0)), from = operand(*call.getArgOperand(1));
  const CheckId check = newCheck(CheckKind::Bounds, call, "strcpy");
  Statement &s = emit(StatementKind::Transfer);
  s.a = to;
  s.b = from;
  s.c = Operand::number(64, text.size() + 1);
  s.check = check;
  if (hasVariable(call.getType())) emit(StatementKind::Assign, variableOf(call)).a = to;
  return true;
}

/// What the pointer points to is unknown afterwards, in the whole object.
void FunctionTranslator::forgetPointee(const llvm::Value &pointer) {
  const Operand at = operand(pointer);
  Statement &s = emit(StatementKind::Scramble);
  s.a = at;
  s.isWhole = true;
}

void describeHeap(const ModuleTranslator &module, const llvm::CallBase &call, Object &object) {
  llvm::Type *structure = nullptr;
  for (const llvm::User *user : call.users()) {
    const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(user);
    if (!gep) continue;
    llvm::Type *element = gep->getSourceElementType();
    const auto *first = llvm::dyn_cast<llvm::ConstantInt>(*gep->idx_begin());
    if (!first || !first->isZero()) {
      const uint64_t step = module.layout().getTypeAllocSize(element);
      const uint64_t count = object.sizeBytes && step ? *object.sizeBytes / step : 0;
      return module.describe(object, llvm::ArrayType::get(element, count));
    }
    if (!structure) structure = element;
  }
  if (structure && object.sizeBytes == module.layout().getTypeAllocSize(structure).getFixedValue())
    module.describe(object, structure);
}

void FunctionTranslator::heapObject(const llvm::CallBase &call, const Summary &summary) {
  Object object;
  object.kind = Object::Kind::Heap;
  object.name = fmt::format("{} at line {}", summary.name,
                            call.getDebugLoc() ? call.getDebugLoc().getLine() : 0);
  object.function = id_;
  object.isSummary = !module_.runsOnce(*call.getParent());
  object.escapes = escapes(call);
  Operand bytes = unknown(64);
  const auto sizeAt = [&](int8_t i) {
    return widened(*call.getArgOperand(static_cast<unsigned>(i)), false);
  };
  if (std::max(summary.bytesAt, summary.timesAt) >= static_cast<int>(call.arg_size())) {
    // Declared with fewer arguments than it has.
  } else if (summary.bytesAt >= 0 && summary.timesAt < 0) {
    bytes = sizeAt(summary.bytesAt);
  } else if (summary.bytesAt >= 0) {
    const Operand a = sizeAt(summary.timesAt), b = sizeAt(summary.bytesAt);
    if (a.isConstant() && b.isConstant()) {
      bytes = Operand::number(64, a.constant * b.constant);
    } else {
      const VarId product = temporary(64);
      Statement &s = emit(StatementKind::Operate, product);
      s.binary = Binary::Mul;
      s.a = a;
      s.b = b;
      bytes = Operand::of(product, 64);
    }
  }
  if (bytes.isConstant())
    object.sizeBytes = bytes.constant; // also that of objects which earlier calls made
  else
    object.sizeVar = program_.newVariable("size of " + object.name, 64, false);
  describeHeap(module_, call, object);
  const ObjectId id = module_.addObject(std::move(object));
  module_.noteAllocation(id, call);
  const VarId dst = variableOf(call);
  Statement &s = emit(StatementKind::Allocate, dst);
  s.object = id;
  s.a = bytes;
  s.zeroed = summary.allocates == Allocates::Zeroed;
  s.mayFail = true;
  if (summary.allocates == Allocates::Copied) forgetPointee(call);
}

/// libc's functions from the table.
bool FunctionTranslator::summarised(const llvm::CallBase &call, const llvm::Function &callee) {
  const LibraryFunction *known = knownFunction(callee);
  if (!known || !known->summary) return false;
  const Summary *summary = &*known->summary;
  if (summary->calls >= 0 || summary->allocatesInto) return false;
  if (summary->endsPath) {
    emit(StatementKind::End);
    return true;
  }
  if (summary->allocates != Allocates::Nothing) {
    if (!call.getType()->isPointerTy()) return false;
    heapObject(call, *summary);
    return true;
  }
  ArgumentSet written = summary->written;
  if (summary->copies() && summary->to >= 0) written |= ArgumentSet(1u << summary->to);
  for (unsigned i = 0; i < call.arg_size() && i < 8; ++i)
    if ((written >> i & 1) && call.getArgOperand(i)->getType()->isPointerTy())
      forgetPointee(*call.getArgOperand(i));
  if (!hasVariable(call.getType())) return true;
  const VarId dst = variableOf(call);
  emit(StatementKind::Forget, dst);
  return true;
}

// ---- checks -------------------------------------------------------------------------------------

CheckId FunctionTranslator::newCheck(CheckKind kind, const llvm::Instruction &at,
                                     std::string what) {
  Check check;
  check.kind = kind;
  check.function = id_;
  check.what = std::move(what);
  check.file = program_.functions[id_].file;
  if (const llvm::DebugLoc &loc = at.getDebugLoc()) {
    check.line = loc.getLine();
    check.column = loc.getCol();
    if (const auto *scope = llvm::dyn_cast<llvm::DIScope>(loc.getScope()))
      check.file = scope->getFilename().str();
  }
  program_.checks.push_back(std::move(check));
  return CheckId(program_.checks.size() - 1);
}

CheckId FunctionTranslator::boundsCheck(const llvm::Instruction &at, const llvm::Value &pointer,
                                        uint64_t size, const char *what) {
  // A whole variable by its name is no question.
  if (auto known = allocations_.find(&pointer); known != allocations_.end()) {
    const Object &object = program_.objects[known->second];
    if (object.sizeBytes && size <= *object.sizeBytes) return kNoId;
  }
  if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&pointer)) {
    const Object &object = program_.objects[module_.objectOf(*global)];
    if (object.sizeBytes && size <= *object.sizeBytes) return kNoId;
  }
  return newCheck(CheckKind::Bounds, at, fmt::format("{} of {}", what, plainCount(size, "byte")));
}

void FunctionTranslator::verify(CheckKind kind, const llvm::Instruction &at, std::string what,
                                Condition condition) {
  const CheckId check = newCheck(kind, at, std::move(what));
  Statement &s = emit(StatementKind::Verify);
  s.check = check;
  s.condition = std::move(condition);
}

void FunctionTranslator::findGroups() {
  for (const llvm::BasicBlock &block : function_)
    if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator()))
      if (const std::optional<unsigned> side = program::failingSide(*branch)) {
        const llvm::CallBase *reports = program::failureIn(*branch->getSuccessor(*side));
        if (groups_.try_emplace(reports->getParent(), program_.groups).second) ++program_.groups;
      }
}

void FunctionTranslator::assertion(const llvm::BranchInst &branch, const Condition &c) {
  const std::optional<unsigned> side = program::failingSide(branch);
  if (!side) return;
  const llvm::BasicBlock *fine = branch.getSuccessor(1 - *side);
  const llvm::CallBase *reports = program::failureIn(*branch.getSuccessor(*side));
  verify(CheckKind::Assertion, branch, program::assertionText(*reports),
         *side == 0 ? c.negation() : c);
  Check &check = program_.checks.back();
  check.group = groups_.lookup(reports->getParent());
  check.after = blocks_.lookup(fine);
  // No other way leads on: blocks after a call that does not return have no predecessors.
  check.decidesGroup = llvm::all_of(llvm::predecessors(fine), [&](const llvm::BasicBlock *from) {
    return from == branch.getParent() || llvm::pred_empty(from);
  });
}

/// For an assertion that no branch guards: control that gets here has failed it.
void FunctionTranslator::assertionAlone(const llvm::CallBase &call) {
  verify(CheckKind::Assertion, call, program::assertionText(call), Condition().negation());
}

} // namespace fathom::statics
