// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/SlotFlow.h"

#include <algorithm>

namespace fathom::program {

namespace {

unsigned fpBits(uint32_t type) {
  constexpr unsigned kBits[] = {16, 32, 64, 80};
  return type < std::size(kBits) ? kBits[type] : 0;
}

} // namespace

unsigned resultBits(const Inst &i) {
  switch (i.op) {
  case Op::Load8: return 8;
  case Op::Load16: return 16;
  case Op::Load32: return 32;
  case Op::Load64:
  case Op::Gep:
  case Op::GepS32:
  case Op::GepI:
  case Op::Alloca:
  case Op::AllocaDyn:
  case Op::StackSave:
  case Op::FAdd64:
  case Op::FSub64:
  case Op::FMul64:
  case Op::FDiv64: return 64;
  case Op::FToUI:
  case Op::FToSI:
  case Op::FToInt: return i.c;
  case Op::FCmp:
  case Op::FClass:
  case Op::WideCmp: return 1;
  case Op::Const: // no term: constants of all widths share a slot
  case Op::WideConst:
  case Op::ExtractElt:
  case Op::InsertElt: return 0;
  default: break;
  }
  if (isCall(i.op)) return 0;
  if (i.op >= Op::Eq && i.op <= Op::SgeI) return 1;
  return isFloatOp(i.op) ? fpBits(i.w) : i.w;
}

// --- liveness

SlotLiveness::SlotLiveness(const Program &program, const FunctionCode &f, uint32_t slots)
    : program_(program), f_(f), slots_(slots) {
  for (CodeBlock &b : codeBlocks(f_))
    blocks_.push_back({b.first, b.last, std::move(b.next), {}, {}, {}});
  for (Block &b : blocks_) {
    b.reads.resize(slots_);
    b.writes.resize(slots_);
    for (uint32_t at = b.first; at <= b.last; at++) {
      forEachSlotOf(f_.code[at], false, [&](uint32_t k) {
        if (!b.writes.test(k)) b.reads.set(k);
      });
      forEachSlotOf(f_.code[at], true, [&](uint32_t k) { b.writes.set(k); });
    }
    b.in = b.reads;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = blocks_.size(); i-- > 0;) {
      Block &b = blocks_[i];
      llvm::BitVector in = liveAtEnd(b);
      in.reset(b.writes);
      in |= b.reads;
      if (in == b.in) continue;
      b.in = std::move(in);
      changed = true;
    }
  }
}

llvm::BitVector SlotLiveness::liveAtEnd(const Block &b) const {
  llvm::BitVector out(slots_);
  for (uint32_t next : b.next) out |= blocks_[next].in;
  return out;
}

llvm::BitVector SlotLiveness::liveAt(uint32_t inst) const {
  auto b = std::ranges::find_if(blocks_, [&](const Block &block) { return inst <= block.last; });
  llvm::BitVector live = liveAtEnd(*b);
  for (uint32_t at = b->last + 1; at-- > inst;) {
    forEachSlotOf(f_.code[at], true, [&](uint32_t k) { live.reset(k); });
    forEachSlotOf(f_.code[at], false, [&](uint32_t k) { live.set(k); });
  }
  return live;
}

// --- widths

namespace {

/// The scalars of a shape in consecutive slots. The second slot of a wide one is no value itself.
template <class Set> void setScalars(const Shape &shape, uint32_t slot, Set set) {
  for (uint16_t scalar : shape) {
    const unsigned bits = shapeBits(scalar);
    set(slot++, bits);
    if (bits > 64) set(slot++, SlotWidths::kSeveral);
  }
}

template <class Set>
void setResults(const Program &program, const FunctionCode &f, const Inst &i, uint32_t slot,
                Set set) {
  if (i.op == Op::CallExternal) {
    const External &callee = program.externals[i.c];
    for (uint32_t k = 0; k < callee.retSlots; k++)
      set(slot + k, callee.retSlots == 1 ? callee.retWidthBits : SlotWidths::kSeveral);
    return;
  }
  const uint32_t shape =
      i.op == Op::Call ? program.functions[i.c].retShape : f.callSigs[i.c].retShape;
  setScalars(program.shapes[shape], slot, set);
}

} // namespace

SlotWidths::SlotWidths(const Program &program, const FunctionCode &f)
    : program_(program), f_(f), blocks_(codeBlocks(f)), in_(blocks_.size()) {
  if (blocks_.empty()) return;
  in_[0].resize(f.slots);
  setScalars(program.shapes[f.argShape], 0, [&](uint32_t slot, unsigned bits) {
    if (slot < f.slots) in_[0][slot] = bits;
  });
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    Widths widths = in_[b];
    for (uint32_t at = blocks_[b].first; at <= blocks_[b].last; at++) run(widths, f_.code[at]);
    for (uint32_t next : blocks_[b].next) {
      Widths joined = in_[next];
      if (joined.empty()) joined = widths;
      for (size_t k = 0; k < joined.size(); k++) joined[k] = join(joined[k], widths[k]);
      if (joined == in_[next]) continue;
      in_[next] = std::move(joined);
      work.push_back(next);
    }
  }
}

unsigned SlotWidths::join(unsigned a, unsigned b) {
  return a == b || b == kUnknown ? a : a == kUnknown ? b : kSeveral;
}

void SlotWidths::run(Widths &widths, const Inst &i) const {
  auto set = [&](uint32_t slot, unsigned bits) {
    if (slot < widths.size()) widths[slot] = bits;
  };
  // What is moved may be narrower than where it goes (zext); its width is that of the result.
  forEachAccess(program_, f_, i, [&](uint32_t slot, uint32_t n, bool definition) {
    if (!definition) return;
    if (isCall(i.op)) return setResults(program_, f_, i, slot, set);
    const unsigned bits = resultBits(i);
    if (n == 1 || bits > 64) {
      set(slot, bits);
      for (uint32_t k = 1; k < n; k++) set(slot + k, kSeveral);
      return;
    }
    for (uint32_t k = 0; k < n; k++) set(slot + k, kSeveral);
  });
}

std::vector<unsigned> SlotWidths::widthsAt(uint32_t inst) const {
  auto b =
      std::ranges::find_if(blocks_, [&](const CodeBlock &block) { return inst <= block.last; });
  Widths widths = in_[static_cast<size_t>(b - blocks_.begin())];
  if (widths.empty()) widths.resize(f_.slots, kSeveral);
  for (uint32_t at = b->first; at < inst; at++) run(widths, f_.code[at]);
  return widths;
}

} // namespace fathom::program
