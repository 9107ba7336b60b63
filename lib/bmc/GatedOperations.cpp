// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What single instructions that are no calls do, and when they show the defect.
#include "bmc/GatedCode.h"
#include "bmc/Operations.h"
#include "program/Operands.h"
#include "program/SlotFlow.h"

#include <algorithm>

namespace fathom::bmc {

using program::Inst;
using program::Op;

namespace {

unsigned accessedBytes(const Inst &i) {
  switch (i.op) {
  case Op::Load8:
  case Op::Store8:
  case Op::Store8I: return 1;
  case Op::Load16:
  case Op::Store16:
  case Op::Store16I: return 2;
  case Op::Load32:
  case Op::Store32:
  case Op::Store32I: return 4;
  case Op::Load64:
  case Op::Store64:
  case Op::Store64I: return 8;
  default: return i.d;
  }
}

bool hasTwoOperands(Op op) {
  switch (op) {
  case Op::Sub64:
#define FATHOM_OP(name)
#define FATHOM_BINARY_OP(name) case Op::name:
#define FATHOM_IMMEDIATE_OP(name)
#include "program/Opcodes.def"
    return true;
  default: return false;
  }
}

/// Of the value; of one in two slots 0.
unsigned valueWidth(const Inst &i) {
  if (i.op == Op::LoadN || i.op == Op::StoreN) return i.w;
  if (i.op == Op::LoadWide || i.op == Op::StoreWide) return 0;
  return accessedBytes(i) * 8;
}

} // namespace

ExprPtr GatedCode::addressOf(Flow &flow, const Inst &inst) {
  const auto displacement = static_cast<int64_t>(static_cast<int32_t>(inst.c));
  return context_.add(accesses_.operand(flow, inst.a, 64),
                      context_.constant(static_cast<uint64_t>(displacement), 64));
}

void GatedCode::forgetResults(Activation &activation, const Inst &inst, Flow &flow) {
  program::forEachAccess(program_, activation.f, inst,
                         [&](uint32_t slot, uint32_t n, bool isWritten) {
                           for (uint32_t k = slot; isWritten && k < slot + n; ++k)
                             flow.slots[k] = objects_.fresh(64);
                         });
  // Narrow results have no high bits.
  const unsigned bits = program::resultBits(inst);
  if (bits && bits < 64 && flow.slots[inst.dst])
    flow.slots[inst.dst] = context_.trunc(flow.slots[inst.dst], bits);
}

/// What the rounds of a loop that are not followed know of addresses is in what they read.
void GatedCode::giveAwayRead(const program::FunctionCode &f, const Inst &inst, Flow &flow) {
  program::forEachAccess(program_, f, inst, [&](uint32_t slot, uint32_t n, bool isWritten) {
    for (uint32_t k = slot; !isWritten && k < slot + n; ++k)
      if (flow.slots[k]) accesses_.giveAway(flow, flow.slots[k]);
  });
}

void GatedCode::execute(Activation &activation, uint32_t index, Flow &flow) {
  const Inst &inst = activation.f.code[index];
  if (program::isCall(inst.op)) return call(activation, index, flow);
  const auto isSink = [&] {
    return activation.isOfSink || knowledge_.isSink(activation.f.id, index);
  };
  if (program::isLoad(inst.op)) return load(flow, inst, isSink());
  if (program::isStore(inst.op)) return store(activation.f, flow, inst, isSink());
  switch (inst.op) {
  case Op::MemCpy:
  case Op::MemMove:
  case Op::MemSet: return copy(flow, inst, isSink());
  case Op::Alloca:
    flow.slots[inst.dst] =
        context_.constant(objects_.at(objects_.addLocal(activation.f.id, inst.imm)).base, 64);
    return;
  case Op::AllocaDyn:
    flow.slots[inst.dst] =
        context_.constant(objects_.at(objects_.addLocal(activation.f.id, 0)).base, 64);
    return;
  case Op::ThreadLocal: flow.slots[inst.dst] = context_.constant(inst.imm, 64); return;
  case Op::VaStart:
  case Op::VaCopy: {
    const ExprPtr list = accesses_.operand(flow, inst.a, 64);
    const std::vector<Target> targets = accesses_.targetsOf(list);
    for (const Target &target : targets)
      if (target.object != kNoObject)
        flow.memory.fill(objects_, target.object, objects_.freshBase());
    if (!targets.empty()) return;
    accesses_.giveAway(flow, list);
    accesses_.change(flow, Changes::all());
    return;
  }
  default: break;
  }
  if (dependsOnAddresses(inst, flow)) {
    giveAwayRead(activation.f, inst, flow);
    return forgetResults(activation, inst, flow);
  }
  ExprPtr value = termOf(context_, inst, [&](uint32_t slot, unsigned width) {
    return accesses_.operand(flow, slot, width);
  });
  // What a shift by too much gives is up to the machine.
  const bool isShift = inst.op == Op::Shl || inst.op == Op::LShr || inst.op == Op::AShr;
  if (value && isShift)
    value = context_.ite(
        context_.ult(accesses_.operand(flow, inst.b, inst.w), context_.constant(inst.w, inst.w)),
        value, objects_.fresh(inst.w));
  if (value)
    flow.slots[inst.dst] = value;
  else
    forgetResults(activation, inst, flow);
}

/// Would the result say something of where objects lie? Their numbers are ours.
bool GatedCode::dependsOnAddresses(const Inst &inst, Flow &flow) {
  bool isEquality = false, isBinary = true;
  switch (inst.op) {
  case Op::Eq:
  case Op::Ne: isEquality = true; break;
  case Op::EqI:
  case Op::NeI:
  case Op::Const:
  case Op::Mov:
  case Op::Select:
  case Op::Gep:
  case Op::GepS32:
  case Op::GepI:
  case Op::Add64:
  case Op::Add64I: return false;
  default: isBinary = hasTwoOperands(inst.op);
  }
  const auto mentions = [&](uint32_t slot) {
    return flow.slots[slot] && flow.slots[slot]->width() == 64 &&
           accesses_.mentionsObject(flow.slots[slot]);
  };
  bool any = false;
  program::forEachSlot(inst, [&](uint32_t slot, uint32_t, bool isDefinition) {
    any |= !isDefinition && mentions(slot);
  });
  if (!any || !isBinary) return any;
  // Two pointers into one object; whether two objects are one is asked of freed ones only.
  const std::vector<Target> a = accesses_.targetsOf(accesses_.operand(flow, inst.a, 64));
  const std::vector<Target> b = accesses_.targetsOf(accesses_.operand(flow, inst.b, 64));
  if (a.size() == 1 && b.size() == 1 && a[0].object == b[0].object && a[0].object != kNoObject)
    return false;
  if (!isEquality) return true;
  const auto isFreed = [&](const Target &t) {
    return t.object != kNoObject && !flow.memory.freed(objects_, context_, t.object)->isFalse();
  };
  return a.empty() || b.empty() || std::ranges::any_of(a, isFreed) ||
         std::ranges::any_of(b, isFreed);
}

void GatedCode::load(Flow &flow, const Inst &inst, bool isSink) {
  const std::vector<Target> targets = accesses_.access(flow, addressOf(flow, inst), isSink);
  const unsigned bytes = accessedBytes(inst), width = valueWidth(inst);
  if (!width) {
    flow.slots[inst.dst] = objects_.fresh(64);
    flow.slots[inst.dst + 1] = objects_.fresh(64);
    return;
  }
  flow.slots[inst.dst] = context_.trunc(accesses_.read(flow, targets, bytes), width);
}

void GatedCode::store(const program::FunctionCode &f, Flow &flow, const Inst &inst, bool isSink) {
  const std::vector<Target> targets = accesses_.access(flow, addressOf(flow, inst), isSink);
  const unsigned bytes = accessedBytes(inst), width = valueWidth(inst);
  ExprPtr value = nullptr;
  switch (inst.op) {
  case Op::Store8I:
  case Op::Store16I:
  case Op::Store32I:
  case Op::Store64I: value = context_.constant(inst.imm, bytes * 8); break;
  default:
    if (!width) giveAwayRead(f, inst, flow);
    value = width ? context_.zext(accesses_.operand(flow, inst.b, width), bytes * 8)
                  : objects_.fresh(bytes * 8);
  }
  accesses_.write(flow, targets, bytes, value);
}

void GatedCode::copy(Flow &flow, const Inst &inst, bool isSink) {
  const ExprPtr size = accesses_.operand(flow, inst.c, 64);
  const std::vector<Target> to =
      accesses_.access(flow, accesses_.operand(flow, inst.a, 64), isSink);
  std::vector<Target> from;
  if (inst.op != Op::MemSet)
    from = accesses_.access(flow, accesses_.operand(flow, inst.b, 64), isSink);
  constexpr uint64_t kMaxCopied = 512, kWord = 8;
  const bool isSmall = size->isConst() && size->value() <= kMaxCopied;
  const auto isAt = [](const Target &t) { return t.offset->isConst(); };
  if (isSmall && std::ranges::all_of(to, isAt) && std::ranges::all_of(from, isAt)) {
    const ExprPtr byte = inst.op == Op::MemSet ? accesses_.operand(flow, inst.b, 8) : nullptr;
    const auto moved = [&](std::vector<Target> targets, uint64_t by) {
      for (Target &t : targets) t.offset = context_.add(t.offset, context_.constant(by, 64));
      return targets;
    };
    std::vector<std::pair<uint64_t, ExprPtr>> words; // all are read before one is written
    for (uint64_t at = 0; at < size->value(); at += kWord) {
      const auto bytes = static_cast<uint32_t>(std::min(kWord, size->value() - at));
      ExprPtr value = byte;
      if (!byte) value = accesses_.read(flow, moved(from, at), bytes);
      for (uint32_t i = 1; byte && i < bytes; ++i) value = context_.concat(byte, value);
      words.emplace_back(at, value);
    }
    for (auto [at, value] : words) accesses_.write(flow, moved(to, at), value->width() / 8, value);
    return;
  }
  if (to.empty()) return accesses_.change(flow, Changes::all());
  for (const Target &target : to)
    if (target.object != kNoObject) flow.memory.fill(objects_, target.object, objects_.freshBase());
}

} // namespace fathom::bmc
