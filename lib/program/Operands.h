// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which fields of an instruction are slots, how many slots each covers, and which one is written.
// One table in the form of a function, shared by the decoder (renumbering), the verifier and
// analyses that need uses and definitions (liveness).
#ifndef FATHOM_PROGRAM_OPERANDS_H
#define FATHOM_PROGRAM_OPERANDS_H

#include "program/Code.h"

namespace fathom::program {

constexpr uint32_t slotsOfWidth(uint32_t bits) { return bits > 64 ? 2 : 1; }
constexpr uint32_t slotsOfFp(uint32_t fpType) {
  return fpType == static_cast<uint32_t>(FpType::X87) ? 2 : 1;
}

constexpr bool isFloatOp(Op op) { return op >= Op::FAdd && op <= Op::FLdexp; }
constexpr bool isLoad(Op op) { return op >= Op::Load8 && op <= Op::LoadWide; }
constexpr bool isStore(Op op) { return op >= Op::Store8 && op <= Op::Store64I; }

/// Calls visit(field, slots, isDefinition) for every slot operand held in the fields of `inst`
/// itself: reads first, then the definition. Not visited: argument lists (FunctionCode::pool,
/// varArgs). The result of a call is visited with slots = 0: how many it has is the callee's
/// retSlots. `InstT` is Inst or const Inst. See forEachAccess for all there is.
template <class InstT, class Visit> void forEachSlot(InstT &inst, Visit &&visit) {
  const uint32_t fp = slotsOfFp(inst.w);
  const uint32_t iw = slotsOfWidth(inst.w);
  auto in = [&](auto &field, uint32_t n) { visit(field, n, false); };
  auto out = [&](uint32_t n) { visit(inst.dst, n, true); };
  switch (inst.op) {
  case Op::Const:
  case Op::ThreadLocal:
  case Op::Alloca:
  case Op::StackSave: return out(1);
  case Op::Uninit: return out(iw);
  case Op::WideConst: return out(2);
  case Op::Mov:
  case Op::TruncN:
  case Op::SextN:
  case Op::ZextSym:
  case Op::Ctpop:
  case Op::Ctlz:
  case Op::Cttz:
  case Op::Bswap:
  case Op::Bitreverse:
  case Op::AbsN:
  case Op::Load8:
  case Op::Load16:
  case Op::Load32:
  case Op::Load64:
  case Op::LoadN:
#define FATHOM_OP(name)
#define FATHOM_BINARY_OP(name)
#define FATHOM_IMMEDIATE_OP(name) case Op::name:
#include "program/Opcodes.def"
  case Op::GepI: in(inst.a, 1); return out(1);
  case Op::LoadWide: in(inst.a, 1); return out(2);
  case Op::Select:
  case Op::Fshl:
  case Op::Fshr: in(inst.a, 1), in(inst.b, 1), in(inst.c, 1); return out(1);
  case Op::ExtractElt:
    in(inst.a, static_cast<uint32_t>(inst.imm) * inst.d), in(inst.b, 1);
    return out(inst.d);
  case Op::InsertElt:
    in(inst.a, static_cast<uint32_t>(inst.imm) * inst.d), in(inst.b, 1), in(inst.c, inst.d);
    return out(static_cast<uint32_t>(inst.imm) * inst.d);
  case Op::Add32:
  case Op::Add64:
  case Op::Sub32:
  case Op::Sub64:
  case Op::Mul32:
  case Op::Mul64:
#define FATHOM_OP(name)
#define FATHOM_BINARY_OP(name) case Op::name:
#define FATHOM_IMMEDIATE_OP(name)
#include "program/Opcodes.def"
  case Op::Gep:
  case Op::GepS32: in(inst.a, 1), in(inst.b, 1); return out(1);
  case Op::UAddO:
  case Op::SAddO:
  case Op::USubO:
  case Op::SSubO:
  case Op::UMulO:
  case Op::SMulO: in(inst.a, 1), in(inst.b, 1); return out(2);
  case Op::WideBin: in(inst.a, 2), in(inst.b, 2); return out(2);
  case Op::WideCmp: in(inst.a, 2), in(inst.b, 2); return out(1);
  case Op::WideZext:
  case Op::WideSext: in(inst.a, slotsOfWidth(inst.c)); return out(2);
  case Op::WideTrunc: in(inst.a, 2); return out(iw);
  case Op::WideMov: in(inst.a, 2); return out(2);
  case Op::WideSelect: in(inst.a, 1), in(inst.b, 2), in(inst.c, 2); return out(2);
  case Op::WideOverflow: in(inst.a, 2), in(inst.b, 2); return out(3);
  case Op::WideBit: {
    in(inst.a, 2);
    Op op = static_cast<Op>(inst.d);
    if (op == Op::Fshl || op == Op::Fshr) in(inst.b, 2), in(inst.c, 2);
    return out(2);
  }
  case Op::FAdd:
  case Op::FSub:
  case Op::FMul:
  case Op::FDiv:
  case Op::FRem:
  case Op::FMath2: in(inst.a, fp), in(inst.b, fp); return out(fp);
  case Op::FAdd64:
  case Op::FSub64:
  case Op::FMul64:
  case Op::FDiv64: in(inst.a, 1), in(inst.b, 1); return out(1);
  case Op::FNeg:
  case Op::FMath1: in(inst.a, fp); return out(fp);
  case Op::FCmp: in(inst.a, fp), in(inst.b, fp); return out(1);
  case Op::FToUI:
  case Op::FToSI:
  case Op::FToInt: in(inst.a, fp); return out(slotsOfWidth(inst.c));
  case Op::UIToF:
  case Op::SIToF: in(inst.a, slotsOfWidth(inst.c)); return out(fp);
  case Op::FConv: in(inst.a, slotsOfFp(inst.c)); return out(fp);
  case Op::FMa: in(inst.a, fp), in(inst.b, fp), in(inst.c, fp); return out(fp);
  case Op::FClass: in(inst.a, fp); return out(1);
  case Op::FLdexp: in(inst.a, fp), in(inst.b, 1); return out(fp);
  case Op::Store8:
  case Op::Store16:
  case Op::Store32:
  case Op::Store64:
  case Op::StoreN: return in(inst.a, 1), in(inst.b, 1);
  case Op::StoreWide: return in(inst.a, 1), in(inst.b, 2);
  case Op::Store8I:
  case Op::Store16I:
  case Op::Store32I:
  case Op::Store64I:
  case Op::CheckLane:
  case Op::LifetimeStart:
  case Op::LifetimeEnd:
  case Op::CondJmp:
  case Op::Switch:
  case Op::IndirectBr:
  case Op::VaStart:
  case Op::VaEnd:
  case Op::StackRestore: return in(inst.a, 1);
  case Op::NonZero: return in(inst.a, iw);
  case Op::AllocaDyn: in(inst.b, 1); return out(1);
  case Op::MemCpy:
  case Op::MemMove:
  case Op::MemSet: return in(inst.a, 1), in(inst.b, 1), in(inst.c, 1);
  case Op::VaCopy: return in(inst.a, 1), in(inst.b, 1);
  case Op::Call:
  case Op::CallExternal: return out(0);
  case Op::CallIndirect: in(inst.a, 1); return out(0);
  case Op::Ret:
  case Op::Trap: return in(inst.a, inst.b);
  case Op::Jmp:
  case Op::RetVoid:
  case Op::Unreachable:
  case Op::Point:
  case Op::Unsupported:
  case Op::SurplusArguments:
  case Op::AsmBarrier:
  case Op::Count: return;
  }
}

/// Number of slots that the result of a call takes; 0 for what is no call.
inline uint32_t resultSlots(const Program &program, const FunctionCode &f, const Inst &i) {
  if (i.op == Op::Call && i.c < program.functions.size()) return program.functions[i.c].retSlots;
  if (i.op == Op::CallExternal && i.c < program.externals.size())
    return program.externals[i.c].retSlots;
  if (i.op == Op::CallIndirect && i.c < f.callSigs.size()) return f.callSigs[i.c].retSlots;
  return 0;
}

/// Calls visit(slot, slots, isDefinition) for everything that `i` reads, arguments of calls
/// included, and then for what it writes.
template <class Visit>
void forEachAccess(const Program &program, const FunctionCode &f, const Inst &i, Visit &&visit) {
  if (isCall(i.op)) {
    for (uint32_t k = 0; k < i.b && i.imm + k < f.pool.size(); ++k)
      visit(f.pool[i.imm + k], 1u, false);
    if (i.d < f.varArgs.size())
      for (const VarArg &arg : f.varArgs[i.d])
        visit(arg.slot, !arg.byval && arg.sizeBytes > 8 ? 2u : 1u, false);
  }
  forEachSlot(i, [&](uint32_t slot, uint32_t n, bool definition) {
    if (!n) n = resultSlots(program, f, i);
    if (n) visit(slot, n, definition);
  });
}

} // namespace fathom::program
#endif
