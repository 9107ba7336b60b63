// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes that the handlers leave to us, and what is remembered of pages for theirs.
#include "explore/interpreter/MemoryAccess.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace fathom::explore {

using namespace program;

void MemoryAccess::cachePage(uint64_t address, const ObjectState &object, Page &page,
                             bool writable) {
  if (object.info->isRead) return;
  uint64_t key = pageKey(address);
  // Of a page that is written from its start on, the part that was written is as good as any.
  uint32_t size = page.uninit ? page.writtenPrefix() : page.size;
  if (object.length) {
    const uint64_t before = (address - object.base()) & ~(kPageSize - 1);
    size = static_cast<uint32_t>(
        std::min<uint64_t>(size, object.known > before ? object.known - before : 0));
  }
  tlb[tlbIndex(key)] = {key | tlbEpoch, page.data, size,
                        writable && object.info->kind != ObjectKind::Constant &&
                            (!object.info->isWritten || *object.info->isWritten)};
}

void MemoryAccess::forgetPage(uint64_t address) {
  uint64_t key = pageKey(address);
  TlbEntry &e = tlb[tlbIndex(key)];
  if (e.key == (key | tlbEpoch)) e.key = ~uint64_t(0);
}

void MemoryAccess::forgetObject(const ObjectState &object) {
  uint64_t pages = (object.size() + kPageSize - 1) >> kPageShift;
  if (pages > 16) return flushTlb();
  for (uint64_t p = 0; p < std::max<uint64_t>(pages, 1); p++)
    forgetPage(object.base() + (p << kPageShift));
}

bool MemoryAccess::loadSlow(uint64_t address, unsigned size, Loaded &out) {
  const ObjectState *o = run_.state->memory.resolve(address, size);
  if (!o) return false;
  uint64_t offset = address - o->base();
  auto i = static_cast<unsigned>(offset & (kPageSize - 1));
  if (Page *p = o->pages[offset >> kPageShift]; p && i + size <= p->size && p->plain(i, size)) {
    memcpy(&out.lo, p->data + i, std::min(size, 8u));
    if (size > 8) memcpy(&out.hi, p->data + i + 8, size - 8);
    o->info->noteRead();
    if (!p->syms) cachePage(address, *o, *p, /*writable=*/false);
    return true;
  }
  out = load(*run_.state, address, size);
  return true;
}

MemoryAccess::Loaded MemoryAccess::load(State &s, uint64_t address, unsigned size) {
  const ObjectState *o = s.memory.resolve(address, size, Memory::Extent::Capacity);
  assert(o && "load out of bounds");
  uint64_t offset = address - o->base();
  ByteValue bytes[16];
  bool plain = true, uninit = false;
  for (unsigned i = 0; i < size; i++) {
    bytes[i] = s.memory.read(*o, offset + i);
    if (bytes[i].uninit && !run_.checkUninit) bytes[i].uninit = false;
    plain &= !bytes[i].sym && !bytes[i].uninit;
    uninit |= bytes[i].uninit;
  }
  Loaded l;
  if (plain) {
    for (unsigned i = 0; i < size; i++)
      (i < 8 ? l.lo : l.hi) |= uint64_t(bytes[i].value) << (8 * (i % 8));
    return l;
  }
  if (uninit) {
    nameUnwritten(s, address, size);
    o = s.memory.find(address);
    for (unsigned i = 0; i < size; i++) bytes[i] = s.memory.read(*o, offset + i);
  }
  ExprPtr e = nullptr;
  for (unsigned i = 0; i < size; i++) {
    ExprPtr b = bytes[i].sym ? bytes[i].sym : ctx_.constant(bytes[i].value, 8);
    e = e ? ctx_.concat(b, e) : b;
  }
  if (e->isConst()) {
    l.lo = e->word(0);
    l.hi = size > 8 ? e->word(1) : 0;
  } else
    l.term = e;
  return l;
}

/// From now on these bytes have an (unknown) value: reading them again gives the same, and so does
/// reading what they are a copy of.
void MemoryAccess::nameUnwritten(State &s, uint64_t address, uint64_t size) {
  auto write = [&](uint64_t at, ExprPtr byte) {
    s.memory.writeSym(at, byte);
    if (&s == run_.state) forgetPage(at);
  };
  for (uint64_t i = 0, end; i < size; i = end) {
    end = i + 1;
    const ObjectState *o = s.memory.find(address); // writing may have replaced it
    const uint64_t offset = address - o->base();
    if (!s.memory.read(*o, offset + i).uninit) continue;
    if (ExprPtr original = originalOf(s, *o, offset + i)) {
      write(address + i, original);
      continue;
    }
    while (end < size && s.memory.read(*o, offset + end).uninit &&
           Unwritten::isCopy(*o, offset + end) == Unwritten::isCopy(*o, offset + i))
      end++;
    uint32_t number = s.unwritten.add(*o, offset + i, static_cast<uint32_t>(end - i));
    for (uint64_t at = i; at < end; at++) write(address + at, ctx_.uninitByte(number++));
  }
}

/// The term of the unwritten byte that this one is a copy of; null when it is none, or that one is
/// gone or was written since.
ExprPtr MemoryAccess::originalOf(State &s, const ObjectState &copy, uint64_t offset) {
  if (!Unwritten::isCopy(copy, offset)) return nullptr;
  const Unwritten::Origin origin = Unwritten::originOf(copy, offset);
  const ObjectState *o = s.memory.resolve(origin.address, 1);
  if (!o || o->base() == copy.base()) return nullptr;
  const uint64_t at = origin.address - o->base();
  const Unwritten::Origin there = Unwritten::originOf(*o, at);
  if (there.object != origin.object || there.offset != origin.offset) return nullptr;
  if (s.memory.read(*o, at).uninit) nameUnwritten(s, origin.address, 1);
  ExprPtr byte = s.memory.read(*s.memory.find(origin.address), at).sym;
  const auto number = byte ? ctx_.uninitNumber(byte) : std::nullopt;
  return number && s.unwritten.sourceOf(*number) == Unwritten::sourceOf(origin) ? byte : nullptr;
}

bool MemoryAccess::storeSlow(uint64_t address, unsigned size, uint64_t lo, uint64_t hi) {
  const ObjectState *o = run_.state->memory.resolve(address, size);
  if (!o || o->info->kind == ObjectKind::Constant) return false;
  store(*run_.state, address, size, lo, hi);
  return true;
}

void MemoryAccess::store(State &s, uint64_t address, unsigned size, uint64_t lo, uint64_t hi) {
  uint8_t bytes[16];
  memcpy(bytes, &lo, 8);
  memcpy(bytes + 8, &hi, 8);
  const ObjectState *o;
  Page *p = s.memory.writablePage(address, &o);
  auto i = static_cast<unsigned>((address - o->base()) & (kPageSize - 1));
  if (i + size > p->size) { // crosses a page
    s.memory.writeConcrete(address, bytes, size);
    if (&s == run_.state) {
      forgetPage(address);
      forgetPage(address + size - 1);
    }
    return;
  }
  if (!p->plain()) p->markWritten(i, size);
  memcpy(p->data + i, bytes, size);
  if (&s != run_.state) return;
  if (p->plain())
    cachePage(address, *o, *p, /*writable=*/true);
  else if (tlb[tlbIndex(pageKey(address))].data != p->data)
    forgetPage(address); // it was copied; otherwise what is known of it still holds
}

bool MemoryAccess::storeTermSlow(uint64_t address, ExprPtr value) {
  const ObjectState *o = run_.state->memory.resolve(address, value->width() / 8);
  if (!o || o->info->kind == ObjectKind::Constant) return false;
  storeTerm(*run_.state, address, value);
  return true;
}

void MemoryAccess::storeTerm(State &s, uint64_t address, ExprPtr value) {
  assert(value->width() % 8 == 0);
  unsigned size = value->width() / 8;
  for (unsigned i = 0; i < size; i++) {
    s.memory.writeSym(address + i, ctx_.extract(value, 8 * i, 8));
    if (&s == run_.state) forgetPage(address + i);
  }
}

bool MemoryAccess::memOp(const Inst *ip, const uint64_t *r, const ExprPtr *s) {
  uint64_t size = r[ip->c];
  if (!size) return true; // no byte is accessed: any pointer will do (C2x; what every libc does)
  // A long block takes as long as many instructions: the turn ends the sooner.
  run_.blockWork += static_cast<int64_t>(size / 64);
  run_.budget -= static_cast<int64_t>(size / 64);
  const ObjectState *to = run_.state->memory.resolve(r[ip->a], size);
  if (!to || to->info->kind == ObjectKind::Constant) return false;
  if (code_.opAt(ip) == Op::MemSet) {
    fill(*run_.state, r[ip->a], s ? s[ip->b] : nullptr, static_cast<uint8_t>(r[ip->b]), size);
    return true;
  }
  if (!run_.state->memory.resolve(r[ip->b], size)) return false;
  // Equal ranges are what the assignment of a structure to itself makes.
  const uint64_t apart = r[ip->a] - r[ip->b];
  if (code_.opAt(ip) == Op::MemCpy && apart && (apart < size || -apart < size)) return false;
  copy(*run_.state, r[ip->a], r[ip->b], size);
  return true;
}

/// Byte by byte, after all of them were read. True: some were never written.
bool MemoryAccess::copyOverlapping(State &s, uint64_t to, uint64_t from, uint64_t size) {
  const ObjectState *source = s.memory.find(from);
  std::vector<ByteValue> bytes(size);
  for (uint64_t i = 0; i < size; i++) bytes[i] = s.memory.read(*source, from - source->base() + i);
  bool anyUnwritten = false;
  for (uint64_t i = 0; i < size; i++) {
    const ObjectState *target;
    Page *q = s.memory.writablePage(to + i, &target);
    const auto at = static_cast<unsigned>((to + i - target->base()) & (kPageSize - 1));
    if (bytes[i].sym)
      q->setSym(at, bytes[i].sym);
    else if (bytes[i].uninit)
      q->setUninit(at), anyUnwritten = true;
    else
      q->setConcrete(at, bytes[i].value);
  }
  return anyUnwritten;
}

void MemoryAccess::copy(State &s, uint64_t to, uint64_t from, uint64_t size) {
  if (to == from || !size) return;
  const ObjectState *source = s.memory.resolve(from, size, Memory::Extent::Capacity);
  assert(source && s.memory.resolve(to, size, Memory::Extent::Capacity));
  source->info->noteRead();
  if (&s == run_.state) forgetObject(*s.memory.find(to));
  const Unwritten::Origin origin = Unwritten::originOf(*source, from - source->base());
  bool anyUnwritten = false;
  if (to < from + size && from < to + size)
    anyUnwritten = copyOverlapping(s, to, from, size);
  else
    for (uint64_t done = 0, n; done < size; done += n) {
      const ObjectState *target;
      Page *q = s.memory.writablePage(to + done, &target);
      source = s.memory.find(from + done); // writing may have replaced it
      const uint64_t offset = from + done - source->base();
      const auto i = static_cast<unsigned>(offset & (kPageSize - 1)),
                 j = static_cast<unsigned>((to + done - target->base()) & (kPageSize - 1));
      n = std::min({size - done, kPageSize - i, kPageSize - j});
      const Page *p = source->pages[offset >> kPageShift];
      if (p || !(source->info->zeroed || !run_.checkUninit)) {
        anyUnwritten |= q->copyFrom(j, p, i, static_cast<unsigned>(n));
      } else {
        q->markWritten(j, static_cast<unsigned>(n));
        memset(q->data + j, 0, n);
      }
    }
  if (anyUnwritten)
    s.memory.noteCopy(
        to,
        {.bytes = size, .object = origin.object, .from = origin.offset, .address = origin.address});
}

void MemoryAccess::fill(State &s, uint64_t to, ExprPtr term, uint8_t value, uint64_t size) {
  if (&s == run_.state) forgetObject(*s.memory.find(to));
  if (term) {
    for (uint64_t i = 0; i < size; i++) s.memory.writeSym(to + i, term);
    return;
  }
  uint8_t buffer[kPageSize];
  memset(buffer, value, std::min<uint64_t>(size, kPageSize));
  while (size) {
    uint64_t n = std::min<uint64_t>(size, kPageSize);
    s.memory.writeConcrete(to, buffer, n);
    to += n;
    size -= n;
  }
}

} // namespace fathom::explore
