// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register code as text, one instruction per line, stable enough for FileCheck:
//
//   function add own params=2 ret=1 slots=3 local=2
//   block 0:
//      0: r2 = Add32 r0, r1 nsw                ; add.c:3:12
//      1: Ret r2
#include "program/Code.h"
#include "program/Operands.h"
#include "support/SourcePlace.h"

#include <cstdio>

namespace fathom::program {

const char *opName(Op op) {
  static const char *const names[] = {
#define FATHOM_OP(name) #name,
#include "program/Opcodes.def"
  };
  return op < Op::Count ? names[static_cast<size_t>(op)] : "?";
}

namespace {

const char *name(WideOp op) {
  static const char *const names[] = {"add",  "sub",  "mul",  "udiv", "sdiv", "urem",
                                      "srem", "and",  "or",   "xor",  "shl",  "lshr",
                                      "ashr", "umin", "umax", "smin", "smax"};
  return names[static_cast<size_t>(op)];
}

const char *name(Predicate p) {
  static const char *const names[] = {"eq",  "ne",  "ult", "ule", "ugt",
                                      "uge", "slt", "sle", "sgt", "sge"};
  return names[static_cast<size_t>(p)];
}

const char *name(FpType type) {
  static const char *const names[] = {"half", "float", "double", "x87"};
  return names[static_cast<size_t>(type)];
}

const char *name(FpMath math) {
  static const char *const names[] = {
      "fabs",      "sqrt",    "floor",     "ceil",         "trunc",    "rint",
      "nearbyint", "round",   "roundeven", "canonicalize", "copysign", "minnum",
      "maxnum",    "minimum", "maximum",   "lrint",        "lround"};
  return names[static_cast<size_t>(math)];
}

const char *fcmpName(uint32_t predicate) {
  static const char *const names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                      "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
  return predicate < 16 ? names[predicate] : "?";
}

/// Small numbers in decimal, others (addresses, masks) in hexadecimal.
std::string number(uint64_t v) {
  if (v < 4096) return std::to_string(v);
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
  return text;
}

std::string slots(uint32_t first, uint32_t n) {
  std::string text = "r" + std::to_string(first);
  return n > 1 ? text + ".." + std::to_string(first + n - 1) : text;
}

std::string displaced(uint32_t base, uint32_t sc) {
  int32_t d = static_cast<int32_t>(sc);
  std::string text = "[r" + std::to_string(base);
  if (d > 0) text += "+" + std::to_string(d);
  if (d < 0) text += std::to_string(d);
  return text + "]";
}

class Printer {
public:
  Printer(const Program &program, const FunctionCode &f) : program_(program), f_(f) {}

  std::string print() {
    std::string out =
        "function " + f_.name + (f_.own ? " own" : "") + " params=" + std::to_string(f_.argSlots) +
        " ret=" + std::to_string(f_.retSlots) + " slots=" + std::to_string(f_.slots) +
        " local=" + std::to_string(f_.localBase) + (f_.varArg ? " vararg" : "") + "\n";
    size_t block = 0;
    for (uint32_t i = 0; i < f_.code.size(); ++i) {
      while (block < f_.blockStarts.size() && f_.blockStarts[block] == i)
        out += "block " + std::to_string(block++) + ":\n";
      char index[16];
      std::snprintf(index, sizeof index, "%5u: ", i);
      std::string line = index + instruction(f_.code[i]);
      if (std::string where = location(i); !where.empty()) {
        if (line.size() < 48) line.resize(48, ' ');
        line += " ; " + where;
      }
      out += line + "\n";
    }
    return out;
  }

private:
  std::string location(uint32_t i) const {
    const Location &l = program_.location(f_, i);
    if (l.line == 0) return "";
    return shortPlace(program_.files[l.file], l.line) + ":" + std::to_string(l.column);
  }

  std::string width(const Inst &i) const { return "." + std::to_string(i.w); }
  std::string fp(const Inst &i) const { return std::string(".") + name(static_cast<FpType>(i.w)); }

  std::string arguments(const Inst &i) const {
    std::string text = "(";
    for (uint32_t k = 0; k < i.b; ++k)
      text += (k ? ", r" : "r") + std::to_string(f_.pool[i.imm + k]);
    if (i.d != kNoIndex) {
      text += i.b ? " | " : "| ";
      for (const VarArg &arg : f_.varArgs[i.d])
        text += "r" + std::to_string(arg.slot) + ":" + std::to_string(arg.sizeBytes) +
                (arg.byval ? "byval " : " ");
    }
    return text + ")";
  }

  std::string instruction(const Inst &i) const {
    const std::string op = opName(i.op);
    std::string dst, reads;
    forEachSlot(i, [&](const uint32_t &slot, uint32_t n, bool definition) {
      if (definition)
        dst = slots(slot, n) + " = ";
      else
        reads += (reads.empty() ? "" : ", ") + slots(slot, n);
    });
    std::string flags;
    if (i.flags & kNsw) flags += " nsw";
    if (i.flags & kSigned) flags += " signed";
    if (i.flags & kSaturate) flags += " sat";
    if (i.flags & kPointer) flags += " ptr";
    switch (i.op) {
    case Op::ThreadLocal:
    case Op::Const: return dst + op + width(i) + " " + number(i.imm);
    case Op::WideConst:
      return dst + op + width(i) + " " + number(uint64_t(i.d) << 32 | i.c) + ":" + number(i.imm);
    case Op::SextN:
    case Op::ZextSym:
    case Op::WideZext:
    case Op::WideSext:
    case Op::WideTrunc: return dst + op + width(i) + " " + reads + " from " + std::to_string(i.c);
#define FATHOM_OP(name)
#define FATHOM_BINARY_OP(name)
#define FATHOM_IMMEDIATE_OP(name) case Op::name:
#include "program/Opcodes.def"
      return dst + op + width(i) + " " + reads + ", " + number(i.imm) + flags;
    case Op::WideBin:
    case Op::WideOverflow:
      return dst + op + width(i) + " " + name(static_cast<WideOp>(i.d)) + " " + reads + flags;
    case Op::WideCmp:
      return dst + op + width(i) + " " + name(static_cast<Predicate>(i.d)) + " " + reads + flags;
    case Op::WideBit:
      return dst + op + width(i) + " " + opName(static_cast<Op>(i.d)) + " " + reads + flags;
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv:
    case Op::FRem:
    case Op::FNeg:
    case Op::FMa:
    case Op::FLdexp: return dst + op + fp(i) + " " + reads;
    case Op::FCmp: return dst + op + fp(i) + " " + fcmpName(i.d) + " " + reads;
    case Op::FToUI:
    case Op::FToSI: return dst + op + fp(i) + " " + reads + " to " + std::to_string(i.c) + flags;
    case Op::UIToF:
    case Op::SIToF: return dst + op + fp(i) + " " + reads + " from " + std::to_string(i.c);
    case Op::FConv:
      return dst + op + fp(i) + " " + reads + " from " + name(static_cast<FpType>(i.c));
    case Op::FMath1:
    case Op::FMath2: return dst + op + fp(i) + " " + name(static_cast<FpMath>(i.d)) + " " + reads;
    case Op::FToInt:
      return dst + op + fp(i) + " " + name(static_cast<FpMath>(i.d)) + " " + reads + " to " +
             std::to_string(i.c);
    case Op::FClass: return dst + op + fp(i) + " " + reads + ", " + number(i.imm);
    case Op::Load8:
    case Op::Load16:
    case Op::Load32:
    case Op::Load64: return dst + op + " " + displaced(i.a, i.c) + flags;
    case Op::LoadN:
    case Op::LoadWide:
      return dst + op + width(i) + " " + displaced(i.a, i.c) + " bytes " + std::to_string(i.d);
    case Op::Store8:
    case Op::Store16:
    case Op::Store32:
    case Op::Store64: return op + " " + displaced(i.a, i.c) + ", " + slots(i.b, 1) + flags;
    case Op::StoreN:
    case Op::StoreWide:
      return op + width(i) + " " + displaced(i.a, i.c) + ", " +
             slots(i.b, i.op == Op::StoreWide ? 2 : 1) + " bytes " + std::to_string(i.d);
    case Op::Store8I:
    case Op::Store16I:
    case Op::Store32I:
    case Op::Store64I: return op + " " + displaced(i.a, i.c) + ", " + number(i.imm) + flags;
    case Op::Gep:
    case Op::GepS32:
      return dst + op + " r" + std::to_string(i.a) + " + r" + std::to_string(i.b) + " * " +
             number(i.imm) + " + " + std::to_string(static_cast<int32_t>(i.c));
    case Op::GepI:
      return dst + op + " r" + std::to_string(i.a) + " + " +
             std::to_string(static_cast<int64_t>(i.imm));
    case Op::Alloca:
      return dst + op + " " + number(i.imm) + " align " + std::to_string(i.c) + " '" +
             f_.allocas[i.d].name + "'";
    case Op::AllocaDyn:
      return dst + op + " " + reads + " * " + number(i.imm) + " align " + std::to_string(i.c) +
             " '" + f_.allocas[i.d].name + "'";
    case Op::Uninit:
      return dst + op + width(i) + (i.d != kNoIndex ? " '" + f_.allocas[i.d].name + "'" : "");
    case Op::Jmp: return op + " @" + std::to_string(i.c);
    case Op::CondJmp:
      return op + " " + reads + " ? @" + std::to_string(i.c) + " : @" + std::to_string(i.d) +
             (i.imm == kNoIndex ? "" : " branch " + std::to_string(i.imm)) +
             (i.flags & kOwn ? " own" : "");
    case Op::Switch: {
      const SwitchTable &t = f_.switches[i.imm];
      std::string text = op + width(i) + " " + reads + " {";
      for (size_t k = 0; k < t.values.size(); ++k)
        text += " " + number(t.values[k]) + ": @" + std::to_string(t.targets[k]) + "#" +
                std::to_string(t.sides[k]);
      return text + " default: @" + std::to_string(t.defaultTarget) + " } branch " +
             std::to_string(t.branchId) + (t.own ? " own" : "");
    }
    case Op::IndirectBr: {
      std::string text = op + " " + reads + " {";
      for (auto &[address, target] : f_.blockTargets[i.imm])
        text += " " + number(address) + ": @" + std::to_string(target);
      return text + " }";
    }
    case Op::Call: {
      const FunctionCode &callee = program_.functions[i.c];
      return (callee.retSlots ? slots(i.dst, callee.retSlots) + " = " : "") + op + " " +
             callee.name + arguments(i);
    }
    case Op::CallExternal: {
      const External &callee = program_.externals[i.c];
      return (callee.retSlots ? slots(i.dst, callee.retSlots) + " = " : "") + op + " " +
             callee.name + arguments(i);
    }
    case Op::CallIndirect: {
      const CallSig &sig = f_.callSigs[i.c];
      return (sig.retSlots ? slots(i.dst, sig.retSlots) + " = " : "") + op + " *r" +
             std::to_string(i.a) + arguments(i);
    }
    case Op::ExtractElt:
    case Op::InsertElt: return dst + op + width(i) + " " + reads + " lanes " + number(i.imm);
    case Op::CheckLane:
      return op + width(i) + " " + reads + " of " + number(i.imm) + (i.c ? " written" : "");
    case Op::SurplusArguments:
      return op + " " + program_.functions[i.c].name + " " + std::to_string(i.a) + " " +
             std::to_string(i.b);
    case Op::Trap:
      return op + (i.imm == ~uint64_t(0) ? "" : " " + number(i.imm)) + (i.b ? " " + reads : "");
    case Op::Unsupported: return op + " '" + program_.messages[i.imm] + "'";
#define FATHOM_OP(name)
#define FATHOM_BINARY_OP(name) case Op::name:
#define FATHOM_IMMEDIATE_OP(name)
#include "program/Opcodes.def"
    case Op::Mov:
    case Op::TruncN:
    case Op::Select:
    case Op::NonZero:
    case Op::Ctpop:
    case Op::Ctlz:
    case Op::Cttz:
    case Op::Bswap:
    case Op::Bitreverse:
    case Op::Fshl:
    case Op::Fshr:
    case Op::AbsN:
    case Op::UAddO:
    case Op::SAddO:
    case Op::USubO:
    case Op::SSubO:
    case Op::UMulO:
    case Op::SMulO:
    case Op::WideMov:
    case Op::WideSelect: return dst + op + width(i) + " " + reads + flags;
    default: return dst + op + (reads.empty() ? "" : " " + reads) + flags;
    }
  }

  const Program &program_;
  const FunctionCode &f_;
};

} // namespace

std::string printFunction(const Program &program, const FunctionCode &function) {
  return Printer(program, function).print();
}

} // namespace fathom::program
