// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: of functions with and without a body, through pointers, and inline assembly. A direct call
// whose type differs from its callee's (functions without prototype, K&R style) passes what the
// callee takes: surplus arguments are dropped, missing ones were never written, integers of another
// width are truncated or zero-extended, which is what a register does. The same for results.
// Calls::call does it for calls through pointers.
#include "program/AssemblyText.h"
#include "program/DecodeInstructions.h"
#include "program/Operands.h"
#include "program/Prepare.h"

#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace fathom::program {
namespace {

/// The function called, through aliases and ifuncs; null when it is not known.
const Function *calledFunction(const CallBase &inst) {
  const Value *callee = inst.getCalledOperand()->stripPointerCastsAndAliases();
  if (auto *ifunc = dyn_cast<GlobalIFunc>(callee))
    if (const Function *f = resolveIFunc(*ifunc)) return f;
  return dyn_cast<Function>(callee);
}

} // namespace

static void decodeAsm(FunctionEmitter &e, const CallBase &inst);
static void callIndirect(FunctionEmitter &e, const CallBase &inst);
static void emitCall(FunctionEmitter &e, Op op, uint32_t target, const CallBase &inst,
                     ArrayRef<uint32_t> args, uint32_t varArgs, const Layout &calleeResult,
                     uint32_t addressSlot = 0);

void decodeCall(FunctionEmitter &e, const CallBase &inst) {
  if (inst.isInlineAsm()) {
    decodeAsm(e, inst);
  } else if (isUninitMarker(inst)) {
    const uint32_t variable = static_cast<uint32_t>(e.out.allocas.size());
    e.out.allocas.push_back(
        {uninitVariable(inst).str(), e.shared.dl.getTypeAllocSize(inst.getType()).getFixedValue()});
    e.forEachScalar(
        inst, [&](unsigned, const Scalar &s, uint32_t dst) { e.uninit(dst, s.bits, variable); });
  } else if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) {
    decodeIntrinsic(e, *intrinsic);
  } else if (const Function *callee = calledFunction(inst);
             callee && !(callee->isDeclaration() && e.shared.constants.address(callee) == 0)) {
    callFunction(e, inst, *callee);
  } else {
    callIndirect(e, inst);
  }
  if (auto *invoke = dyn_cast<InvokeInst>(&inst); invoke && !e.failed())
    jumpTo(e, invoke->getNormalDest());
}

static VarArg variableArgument(FunctionEmitter &e, const CallBase &inst, unsigned index) {
  const Value *value = inst.getArgOperand(index);
  const Layout &layout = e.layoutOf(value);
  VarArg arg;
  if (inst.isByValArgument(index)) {
    arg.slot = e.useReg(value);
    arg.byval = true;
    arg.passed = ArgClass::Memory;
    arg.sizeBytes = static_cast<uint32_t>(
        e.shared.dl.getTypeAllocSize(inst.getParamByValType(index)).getFixedValue());
    arg.align = std::max<uint32_t>(8, inst.getParamAlign(index).valueOrOne().value());
    return arg;
  }
  if (layout.scalars.size() == 1) {
    // Whatever is smaller than a word is passed as one, as in a register: reading `long` where
    // `int` was passed is common.
    const Scalar &s = layout.scalars[0];
    arg.slot = e.useReg(value);
    if (s.wide()) arg.sizeBytes = arg.align = 16;
    arg.passed = argClass(s);
    return arg;
  }
  // A small vector or structure: one or two words.
  SmallVector<Operand, 4> parts;
  for (unsigned i = 0; i < layout.scalars.size(); ++i) parts.push_back(e.use(value, i));
  uint64_t bits = e.shared.dl.getTypeSizeInBits(value->getType()).getFixedValue();
  if (bits > 128 || !value->getType()->isVectorTy()) {
    e.fail("variable argument of an aggregate type");
    return arg;
  }
  Scalar word;
  word.bits = bits > 64 ? 128 : 64;
  arg.slot = e.scratch(word.slots());
  repack(e, parts, layout.scalars, arg.slot, {word});
  arg.passed = ArgClass::Sse;
  if (word.wide()) arg.sizeBytes = arg.align = 16;
  return arg;
}

static void pass(FunctionEmitter &e, const Value *value, SmallVectorImpl<uint32_t> &args) {
  const Layout &layout = e.layoutOf(value);
  for (unsigned i = 0; i < layout.scalars.size(); ++i) {
    uint32_t slot = e.useReg(value, i);
    args.push_back(slot);
    if (layout.scalars[i].wide()) args.push_back(slot + 1);
  }
}

static bool fits(const Layout &from, const Layout &to) {
  if (from.scalars.size() != to.scalars.size()) return false;
  for (unsigned i = 0; i < from.scalars.size(); ++i)
    if (!convertible(shapeOf(from.scalars[i]), shapeOf(to.scalars[i]))) return false;
  return true;
}

static void convert(FunctionEmitter &e, uint32_t dst, unsigned toBits, const Operand &a,
                    unsigned fromBits) {
  if (toBits < fromBits)
    truncate(e, dst, toBits, a, fromBits);
  else if (toBits > fromBits)
    zeroExtend(e, dst, toBits, a, fromBits);
  else
    e.move(dst, a, toBits);
}

static void passAs(FunctionEmitter &e, const Layout &parameter, const Value *value,
                   SmallVectorImpl<uint32_t> &args) {
  const bool passed = value && fits(e.layoutOf(value), parameter);
  for (unsigned i = 0; i < parameter.scalars.size(); ++i) {
    const Scalar &s = parameter.scalars[i];
    uint32_t slot;
    if (passed && e.layoutOf(value).scalars[i].bits == s.bits) {
      slot = e.useReg(value, i);
    } else if (slot = e.scratch(s.slots()); passed) {
      convert(e, slot, s.bits, e.use(value, i), e.layoutOf(value).scalars[i].bits);
    } else { // what the callee reads and the call does not pass was never written
      e.uninit(slot, s.bits);
    }
    args.push_back(slot);
    if (s.wide()) args.push_back(slot + 1);
  }
}

void callFunction(FunctionEmitter &e, const CallBase &inst, const Function &callee) {
  const bool external = callee.isDeclaration();
  const FunctionType *type = callee.getFunctionType();
  SmallVector<uint32_t, 16> args;
  unsigned given = 0;
  for (const Value *value : inst.args()) given += !value->getType()->isMetadataTy();
  // How many arguments are named parameters: a body says it; without one, `f()` of old C says
  // nothing and the call decides.
  unsigned named = type->getNumParams();
  const bool unknown = external && named == 0 && type->isVarArg();
  if (unknown) named = inst.getFunctionType()->getNumParams();
  for (unsigned i = 0; i < named; ++i) {
    const Value *value = i < given ? inst.getArgOperand(i) : nullptr;
    if (!unknown)
      passAs(e, e.shared.layouts.of(type->getParamType(i)), value, args);
    else if (value)
      pass(e, value, args);
  }
  if (e.asWritten && !external && !type->isVarArg() && given > named)
    e.emit(Op::SurplusArguments, 0, 0, given, named, e.shared.functionIds.lookup(&callee));
  uint32_t varArgs = kNoIndex;
  if (type->isVarArg()) {
    std::vector<VarArg> list;
    for (unsigned i = named; i < given; ++i) list.push_back(variableArgument(e, inst, i));
    varArgs = static_cast<uint32_t>(e.out.varArgs.size());
    e.out.varArgs.push_back(std::move(list));
  }
  if (e.failed()) return;
  const Layout &result = e.shared.layouts.of(callee.getReturnType());
  if (external)
    emitCall(e, Op::CallExternal, e.shared.externalIds.lookup(&callee), inst, args, varArgs,
             result);
  else
    emitCall(e, Op::Call, e.shared.functionIds.lookup(&callee), inst, args, varArgs, result);
}

static void callIndirect(FunctionEmitter &e, const CallBase &inst) {
  const FunctionType *type = inst.getFunctionType();
  uint32_t address = e.useReg(inst.getCalledOperand());
  SmallVector<uint32_t, 16> args;
  SmallVector<const Layout *, 8> layouts;
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    pass(e, inst.getArgOperand(i), args);
    layouts.push_back(&e.layoutOf(inst.getArgOperand(i)));
  }
  uint32_t varArgs = kNoIndex;
  if (type->isVarArg()) {
    std::vector<VarArg> list;
    for (unsigned i = type->getNumParams(); i < inst.arg_size(); ++i)
      list.push_back(variableArgument(e, inst, i));
    varArgs = static_cast<uint32_t>(e.out.varArgs.size());
    e.out.varArgs.push_back(std::move(list));
  }
  if (e.failed()) return;
  const Layout &result = e.layoutOf(&inst);
  CallSig sig;
  sig.argSlots = static_cast<uint32_t>(args.size());
  sig.retSlots = result.slots;
  sig.argShape = e.shared.shape(layouts);
  sig.retShape = e.shared.shape(&result);
  sig.varArg = type->isVarArg();
  e.out.callSigs.push_back(sig);
  emitCall(e, Op::CallIndirect, static_cast<uint32_t>(e.out.callSigs.size() - 1), inst, args,
           varArgs, result, address);
}

static void emitCall(FunctionEmitter &e, Op op, uint32_t target, const CallBase &inst,
                     ArrayRef<uint32_t> args, uint32_t varArgs, const Layout &calleeResult,
                     uint32_t addressSlot) {
  const Layout &result = e.layoutOf(&inst);
  const uint32_t first = static_cast<uint32_t>(e.out.pool.size());
  e.out.pool.insert(e.out.pool.end(), args.begin(), args.end());
  const bool same = e.shared.shape(&result) == e.shared.shape(&calleeResult);
  uint32_t dst = result.slots ? e.define(inst) : 0;
  uint32_t to = dst;
  if (!same) to = calleeResult.slots ? e.scratch(calleeResult.slots) : 0;
  e.emit(op, 0, to, addressSlot, static_cast<uint32_t>(args.size()), target, varArgs, first);
  if (same) return;
  // Another result than the call's type says.
  const bool comes = fits(calleeResult, result);
  for (unsigned i = 0; i < result.scalars.size(); ++i) {
    const Scalar &s = result.scalars[i];
    if (!comes) {
      e.uninit(dst + s.slot, s.bits);
      continue;
    }
    const Scalar &from = calleeResult.scalars[i];
    convert(e, dst + s.slot, s.bits, Operand::ofSlot(to + from.slot), from.bits);
  }
}

/// Empty assembly statements are barriers for the compiler: their outputs are the inputs they are
/// tied to. cpuid reports a processor without features (all zero), so that programs with
/// hand-vectorised variants take the portable one.
static void decodeAsm(FunctionEmitter &e, const CallBase &inst) {
  auto *assembly = cast<InlineAsm>(inst.getCalledOperand());
  if (isCpuid(assembly->getAsmString())) {
    e.forEachScalar(inst, [&](unsigned, const Scalar &s, uint32_t dst) {
      e.move(dst, Operand::ofConstant(0), s.bits);
    });
    return;
  }
  if (!isAssemblyWithoutEffect(assembly->getAsmString()))
    return e.fail("inline assembly \"" + oneLineAssembly(assembly->getAsmString()) + "\"");
  e.emit(Op::AsmBarrier, 0, 0);
  const Layout &result = e.layoutOf(&inst);
  if (result.slots == 0) return;
  uint32_t dst = e.define(inst);
  // Direct outputs are the results, in order; inputs and indirect outputs are the call's arguments,
  // in order.
  InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
  auto *st = dyn_cast<StructType>(inst.getType());
  unsigned output = 0, firstOfOutput = 0;
  for (size_t c = 0; c < constraints.size(); ++c) {
    const auto &info = constraints[c];
    if (info.Type != InlineAsm::isOutput || info.isIndirect) continue;
    const unsigned scalars = static_cast<unsigned>(
        e.shared.layouts.of(st ? st->getElementType(output) : inst.getType()).scalars.size());
    const Value *tied = nullptr;
    unsigned argument = 0;
    for (size_t k = 0; k < constraints.size(); ++k) {
      const auto &other = constraints[k];
      const bool isArgument = other.Type == InlineAsm::isInput ||
                              (other.Type == InlineAsm::isOutput && other.isIndirect);
      if (other.Type == InlineAsm::isInput && info.MatchingInput == static_cast<int>(k))
        tied = inst.getArgOperand(argument);
      argument += isArgument;
    }
    for (unsigned i = 0; i < scalars; ++i) {
      const Scalar &s = result.scalars[firstOfOutput + i];
      Operand o = Operand::ofConstant(0);
      o.undef = true;
      if (tied && i < e.layoutOf(tied).scalars.size() && e.layoutOf(tied).scalars[i].bits == s.bits)
        o = e.use(tied, i);
      else if (tied)
        return e.fail("inline assembly with tied operands of different widths");
      e.move(dst + s.slot, o, s.bits);
    }
    firstOfOutput += scalars;
    ++output;
  }
}

} // namespace fathom::program
