// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreter/Registers.h"

namespace fathom::explore {

using namespace program;

ExprPtr Registers::operand(const uint64_t *r, const ExprPtr *s, uint32_t slotNo, unsigned w) {
  if (s && s[slotNo]) return s[slotNo];
  if (w <= 64) return ctx_.constant(r[slotNo], w);
  uint64_t words[2] = {r[slotNo], r[slotNo + 1]};
  return ctx_.constantWide(words, w);
}

void Registers::result(uint64_t *r, ExprPtr *s, uint32_t slotNo, ExprPtr e) {
  if (deferred.any()) [[unlikely]]
    e = deferred.term(ctx_, e);
  if (e->width() > 64) s[slotNo + 1] = nullptr;
  if (e->isConst()) {
    r[slotNo] = e->word(0);
    if (e->width() > 64) r[slotNo + 1] = e->word(1);
    s[slotNo] = nullptr;
  } else {
    r[slotNo] = 0;
    s[slotNo] = e;
  }
}

ExprPtr Registers::registerTerm(const Frame &frame, uint32_t slotNo, unsigned w) {
  return operand(frame.bits(), frame.syms, slotNo, w);
}

ExprPtr Registers::neverWritten(const Frame &frame, const Inst *at, unsigned bits) {
  if (!run_.checkUninit)
    return bits > 64 ? ctx_.zext(ctx_.constant(0, 64), bits) : ctx_.constant(0, bits);
  const auto inst = static_cast<uint32_t>(at - code_.codeOf(frame.function));
  const unsigned bytes = (bits + 7) / 8;
  const bool isValue = code_.opAt(at) != program::Op::Uninit || at->d == program::kNoIndex;
  const uint32_t first = run_.state->unwritten.addVariable(frame.function, inst, bytes, isValue);
  ExprPtr e = ctx_.uninitByte(first);
  for (unsigned i = 1; i < bytes; i++) e = ctx_.concat(ctx_.uninitByte(first + i), e);
  return ctx_.trunc(e, bits);
}

} // namespace fathom::explore
