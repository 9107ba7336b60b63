// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: loads, stores, address arithmetic, local variables. The fast path of a load is a
// look-up in a small cache of plain pages (as a processor's TLB): a page that has a term or an
// unwritten byte is never in it. Handlers.h explains the names that handlers use.
#include "explore/interpreter/Handlers.h"

namespace fathom::explore {

namespace {
template <typename T>
[[gnu::always_inline]] inline bool tlbLoad(Interpreter *m, uint64_t address, T &out) {
  uint64_t key = MemoryAccess::pageKey(address);
  const MemoryAccess::TlbEntry &e = m->memory.tlb[MemoryAccess::tlbIndex(key)];
  uint64_t offset = MemoryAccess::pageOffset(address);
  if (e.key != (key | m->memory.tlbEpoch) || offset + sizeof(T) > e.size) [[unlikely]]
    return false;
  memcpy(&out, e.data + offset, sizeof(T));
  return true;
}
template <typename T>
[[gnu::always_inline]] inline bool tlbStore(Interpreter *m, uint64_t address, T value) {
  uint64_t key = MemoryAccess::pageKey(address);
  const MemoryAccess::TlbEntry &e = m->memory.tlb[MemoryAccess::tlbIndex(key)];
  uint64_t offset = MemoryAccess::pageOffset(address);
  if (e.key != (key | m->memory.tlbEpoch) || offset + sizeof(T) > e.size || !e.writable)
      [[unlikely]]
    return false;
  memcpy(e.data + offset, &value, sizeof(T));
  return true;
}
int64_t displacement(const Inst *ip) { return static_cast<int32_t>(ip->c); }
} // namespace

#define LOAD(name, T)                                                                              \
  HANDLER(name) {                                                                                  \
    if (IS_SYM(ip->a)) [[unlikely]]                                                                \
      STOP(Event::Memory);                                                                         \
    uint64_t address = r[ip->a] + static_cast<uint64_t>(displacement(ip));                         \
    T v;                                                                                           \
    if (tlbLoad(m, address, v)) [[likely]] {                                                       \
      r[ip->dst] = v;                                                                              \
      CLEAR(ip->dst);                                                                              \
      NEXT;                                                                                        \
    }                                                                                              \
    MemoryAccess::Loaded l;                                                                        \
    if (!m->memory.loadSlow(address, sizeof(T), l)) STOP(Event::Memory);                           \
    r[ip->dst] = l.lo;                                                                             \
    if (l.term) {                                                                                  \
      if constexpr (!S) {                                                                          \
        s = m->registers.makeFrameSymbolic();                                                      \
        t = m->symTable();                                                                         \
      }                                                                                            \
      s[ip->dst] = l.term;                                                                         \
    } else                                                                                         \
      CLEAR(ip->dst);                                                                              \
    NEXT;                                                                                          \
  }
LOAD(Load8, uint8_t)
LOAD(Load16, uint16_t)
LOAD(Load32, uint32_t)
LOAD(Load64, uint64_t)

HANDLER(LoadN) {
  if (IS_SYM(ip->a)) STOP(Event::Memory);
  MemoryAccess::Loaded l;
  if (!m->memory.loadSlow(r[ip->a] + static_cast<uint64_t>(displacement(ip)), ip->d, l))
    STOP(Event::Memory);
  r[ip->dst] = l.lo & maskOf(ip->w);
  if (l.term) {
    if constexpr (!S) {
      s = m->registers.makeFrameSymbolic();
      t = m->symTable();
    }
    m->registers.result(r, s, ip->dst, m->ctx.trunc(l.term, ip->w));
  } else
    CLEAR(ip->dst);
  NEXT;
}
HANDLER(LoadWide) {
  if (IS_SYM(ip->a)) STOP(Event::Memory);
  MemoryAccess::Loaded l;
  if (!m->memory.loadSlow(r[ip->a] + static_cast<uint64_t>(displacement(ip)), ip->d, l))
    STOP(Event::Memory);
  r[ip->dst] = l.lo;
  r[ip->dst + 1] = l.hi & maskOf(ip->w - 64);
  if (l.term) {
    if constexpr (!S) {
      s = m->registers.makeFrameSymbolic();
      t = m->symTable();
    }
    m->registers.result(r, s, ip->dst, m->ctx.trunc(l.term, ip->w));
  } else
    CLEAR(ip->dst);
  NEXT;
}

#define STORE(name, T, VALUE, IMM)                                                                 \
  HANDLER(name) {                                                                                  \
    if (IS_SYM(ip->a)) [[unlikely]]                                                                \
      STOP(Event::Memory);                                                                         \
    uint64_t address = r[ip->a] + static_cast<uint64_t>(displacement(ip));                         \
    if (!IMM && IS_SYM(ip->b)) [[unlikely]] {                                                      \
      if (!m->memory.storeTermSlow(address, m->registers.operand(r, s, ip->b, sizeof(T) * 8)))     \
        STOP(Event::Memory);                                                                       \
      NEXT;                                                                                        \
    }                                                                                              \
    if (!tlbStore<T>(m, address, static_cast<T>(VALUE))) [[unlikely]]                              \
      if (!m->memory.storeSlow(address, sizeof(T), VALUE, 0)) STOP(Event::Memory);                 \
    NEXT;                                                                                          \
  }
STORE(Store8, uint8_t, r[ip->b], false)
STORE(Store16, uint16_t, r[ip->b], false)
STORE(Store32, uint32_t, r[ip->b], false)
STORE(Store64, uint64_t, r[ip->b], false)
STORE(Store8I, uint8_t, ip->imm, true)
STORE(Store16I, uint16_t, ip->imm, true)
STORE(Store32I, uint32_t, ip->imm, true)
STORE(Store64I, uint64_t, ip->imm, true)

HANDLER(StoreN) {
  if (IS_SYM(ip->a)) STOP(Event::Memory);
  uint64_t address = r[ip->a] + static_cast<uint64_t>(displacement(ip));
  bool ok = IS_SYM(ip->b)
                ? m->memory.storeTermSlow(
                      address, m->ctx.zext(m->registers.operand(r, s, ip->b, ip->w), ip->d * 8))
                : m->memory.storeSlow(address, ip->d, r[ip->b], 0);
  if (!ok) STOP(Event::Memory);
  NEXT;
}
HANDLER(StoreWide) {
  if (IS_SYM(ip->a)) STOP(Event::Memory);
  uint64_t address = r[ip->a] + static_cast<uint64_t>(displacement(ip));
  bool ok = IS_SYM(ip->b)
                ? m->memory.storeTermSlow(
                      address, m->ctx.zext(m->registers.operand(r, s, ip->b, ip->w), ip->d * 8))
                : m->memory.storeSlow(address, ip->d, r[ip->b], r[ip->b + 1]);
  if (!ok) STOP(Event::Memory);
  NEXT;
}

// LLVM's getelementptr: base + index * size + displacement, with an index of 64 bits, of 32 signed
// bits (GepS32), or a constant offset (GepI).
HANDLER(Gep) {
  if (IS_SYM(ip->a) || IS_SYM(ip->b)) [[unlikely]] {
    m->registers.addressResult(r, s, ip,
                               m->operations.address(m->registers.operand(r, s, ip->a, 64),
                                                     static_cast<uint64_t>(displacement(ip)),
                                                     m->registers.operand(r, s, ip->b, 64),
                                                     ip->imm));
    NEXT;
  }
  r[ip->dst] = r[ip->a] + r[ip->b] * ip->imm + static_cast<uint64_t>(displacement(ip));
  CLEAR(ip->dst);
  NEXT;
}
HANDLER(GepS32) {
  if (IS_SYM(ip->a) || IS_SYM(ip->b)) [[unlikely]] {
    ExprPtr index =
        m->operations.converted(expr::Kind::SExt, m->registers.operand(r, s, ip->b, 32), 64);
    m->registers.addressResult(r, s, ip,
                               m->operations.address(m->registers.operand(r, s, ip->a, 64),
                                                     static_cast<uint64_t>(displacement(ip)), index,
                                                     ip->imm));
    NEXT;
  }
  r[ip->dst] = r[ip->a] + static_cast<uint64_t>(signExtend(r[ip->b], 32)) * ip->imm +
               static_cast<uint64_t>(displacement(ip));
  CLEAR(ip->dst);
  NEXT;
}
HANDLER(GepI) {
  if (IS_SYM(ip->a)) [[unlikely]] {
    m->registers.addressResult(
        r, s, ip, m->operations.combined(expr::Kind::Add, s[ip->a], m->ctx.constant(ip->imm, 64)));
    NEXT;
  }
  r[ip->dst] = r[ip->a] + ip->imm;
  CLEAR(ip->dst);
  NEXT;
}

HANDLER(Alloca) {
  if (!m->locals.allocateLocal(ip, r, ip->imm)) STOP(m->event);
  CLEAR(ip->dst);
  NEXT;
}
HANDLER(AllocaDyn) {
  NEED_CONCRETE(ip->b, 64);
  uint64_t size;
  if (__builtin_mul_overflow(r[ip->b], ip->imm, &size)) size = ~uint64_t(0);
  if (!m->locals.allocateLocal(ip, r, size)) STOP(m->event);
  CLEAR(ip->dst);
  NEXT;
}
// Dynamic allocas are released by StackRestore: the number of local objects alive is the token.
HANDLER(StackSave) {
  r[ip->dst] = m->state->top->allocas.size();
  CLEAR(ip->dst);
  NEXT;
}
HANDLER(StackRestore) {
  m->locals.releaseLocals(r[ip->a], ip);
  NEXT;
}

#define MEMOP(name)                                                                                \
  HANDLER(name) {                                                                                  \
    NEED_CONCRETE(ip->c, 64);                                                                      \
    if (IS_SYM(ip->a) || (m->code.opAt(ip) != Op::MemSet && IS_SYM(ip->b))) STOP(Event::MemOp);    \
    if (!m->memory.memOp(ip, r, s)) STOP(Event::MemOp);                                            \
    NEXT;                                                                                          \
  }
MEMOP(MemCpy)
MEMOP(MemMove)
MEMOP(MemSet)

// The address is that of a local variable: no term.
HANDLER(LifetimeStart) {
  m->locals.beginLifetime(r[ip->a]);
  NEXT;
}
HANDLER(LifetimeEnd) {
  m->locals.endLifetime(r[ip->a], ip);
  NEXT;
}
HANDLER(AsmBarrier) { NEXT; }

HANDLER(ThreadLocal) {
  r[ip->dst] = m->state->threads ? m->locals.threadLocal(ip->imm) : ip->imm;
  CLEAR(ip->dst);
  NEXT;
}

void fillMemoryHandlers(HandlerTables tables) {
  SET_HANDLER(ThreadLocal);
  SET_HANDLER(Load8);
  SET_HANDLER(Load16);
  SET_HANDLER(Load32);
  SET_HANDLER(Load64);
  SET_HANDLER(LoadN);
  SET_HANDLER(LoadWide);
  SET_HANDLER(Store8);
  SET_HANDLER(Store16);
  SET_HANDLER(Store32);
  SET_HANDLER(Store64);
  SET_HANDLER(StoreN);
  SET_HANDLER(StoreWide);
  SET_HANDLER(Store8I);
  SET_HANDLER(Store16I);
  SET_HANDLER(Store32I);
  SET_HANDLER(Store64I);
  SET_HANDLER(Gep);
  SET_HANDLER(GepS32);
  SET_HANDLER(GepI);
  SET_HANDLER(Alloca);
  SET_HANDLER(AllocaDyn);
  SET_HANDLER(StackSave);
  SET_HANDLER(StackRestore);
  SET_HANDLER(MemCpy);
  SET_HANDLER(MemMove);
  SET_HANDLER(MemSet);
  SET_HANDLER(LifetimeStart);
  SET_HANDLER(LifetimeEnd);
  SET_HANDLER(AsmBarrier);
}

} // namespace fathom::explore
