// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects come and go: where they are placed, and what is left of one that was freed or whose scope
// has ended.
#include "explore/interpreter/Memory.h"

#include <algorithm>
#include <utility>

namespace fathom::explore {

using namespace program;

uint64_t Memory::Class::room(unsigned k, unsigned lane) const {
  return fathom_laneRoom(k, first, lane);
}

static unsigned laneOf(ObjectKind kind) {
  return kind == ObjectKind::Heap    ? FATHOM_LANE_HEAP
         : kind == ObjectKind::Stack ? FATHOM_LANE_STACK
                                     : FATHOM_LANE_OTHER;
}

const ObjectState *Memory::allocate(uint64_t size, ObjectKind kind, bool zeroed, AllocSite site,
                                    std::string name, uint64_t align,
                                    std::optional<unsigned> wantedLane) {
  if (size > kMaxObjectSize) return nullptr;
  const unsigned lane = wantedLane.value_or(laneOf(kind)), least = smallestClass(size, align);
  unsigned k = usualClass(size, align);
  if (k > kMaxClass) return nullptr;
  while (classAt(k).lanes[lane].live >= classAt(k).room(k, lane))
    if (k-- == least) return nullptr;
  Class &c = ownClass(k);
  if (k < usualClass(size, align)) spaces_->crowded = true;
  fathom_cursor &cur = c.lanes[lane];
  const uint64_t room = c.room(k, lane);
  fathom_widen(&cur, room);
  uint64_t slot;
  for (;;) {
    slot = uint64_t(c.first) + lane + FATHOM_LANES * uint64_t(fathom_nextIndex(&cur, room));
    const ObjectState *old = find(slotAddress(k, slot));
    if (!old || (old->freed && !old->outOfScope)) break;
  }
  auto *info = new ObjectInfo;
  info->kind = kind;
  info->zeroed = zeroed;
  info->base = objectAddress(k, slot);
  info->size = size;
  info->function = site.function;
  info->inst = site.inst;
  info->stack = site.stack;
  info->family = site.family;
  info->name = std::move(name);
  void **place = leaf(k, slot);
  releaseObject(static_cast<ObjectState *>(*place)); // the tombstone
  ObjectState *o = newObject(info);
  *place = o;
  cur.live++;
  if (kind == ObjectKind::Stack)
    spaces_->usage.stackBytes += size;
  else if (kind == ObjectKind::Heap) {
    spaces_->usage.heapBytes += size;
    spaces_->usage.heapObjects++;
  }
  return o;
}

void Memory::place(uint64_t address, uint64_t size, ObjectKind kind,
                   const std::vector<uint8_t> &init, std::string name) {
  auto *info = new ObjectInfo;
  info->kind = kind;
  info->zeroed = true;
  info->base = address;
  info->size = size;
  info->name = std::move(name);
  void **place = leaf(classOf(address), slotOf(address));
  assert(!*place && "two globals in one slot");
  ObjectState *o = newObject(info);
  *place = o;
  for (uint32_t p = 0; p < o->numPages && !init.empty(); p++) {
    unsigned n = o->pageSize(p);
    const uint8_t *from = init.data() + (uint64_t(p) << kPageShift);
    o->pages[p] = Page::create(n, /*zeroed=*/true);
    memcpy(o->pages[p]->data, from, n);
  }
}

void Memory::reserve(const std::vector<uint64_t> &slotsUsed) {
  for (unsigned k = 0; k < slotsUsed.size() && k <= kMaxClass; k++)
    if (slotsUsed[k] > classAt(k).first) ownClass(k).first = static_cast<uint32_t>(slotsUsed[k]);
}

bool Memory::grow(uint64_t address, uint64_t size) {
  if (2 * size > uint64_t(1) << classOf(address)) return false;
  void **place = leaf(classOf(address), slotOf(address));
  auto *old = static_cast<ObjectState *>(*place);
  assert(old && !old->freed && !old->length && size >= old->size());
  auto *info = new ObjectInfo(*old->info); // other states have the one that there was
  info->refs = 1;
  info->size = size;
  ObjectState *o = newObject(info);
  for (uint32_t p = 0; p < old->numPages; p++) {
    const Page *from = old->pages[p];
    if (!from) continue;
    o->pages[p] = Page::create(o->pageSize(p), info->zeroed);
    o->pages[p]->copyFrom(0, from, 0, from->size);
  }
  if (info->kind == ObjectKind::Heap) spaces_->usage.heapBytes += size - old->size();
  *place = o;
  releaseObject(old);
  return true;
}

void Memory::free(uint64_t address, AllocSite site) {
  void **place = leaf(classOf(address), slotOf(address));
  auto *o = static_cast<ObjectState *>(*place);
  assert(o && (!o->freed || o->outOfScope) && "freeing what is not there");
  Class &c = ownClass(classOf(address));
  c.lanes[c.laneOf(slotOf(address))].live--;
  if (o->info->kind == ObjectKind::Stack) {
    spaces_->usage.stackBytes -= o->size();
  } else if (o->info->kind == ObjectKind::Heap) {
    spaces_->usage.heapBytes -= o->size();
    spaces_->usage.heapObjects--;
  }
  // A tombstone has no pages, even if other states share the object.
  if (o->refs > 1) {
    auto *t = new (malloc(sizeof(ObjectState))) ObjectState;
    t->info = o->info;
    t->info->refs++;
    t->length = o->length;
    t->known = o->known;
    o->refs--;
    *place = o = t;
  } else {
    for (uint32_t p = 0; p < o->numPages; p++) Page::release(o->pages[p]);
    o->numPages = 0;
  }
  o->freed = true;
  o->info->noteWrite();
  o->outOfScope = false;
  o->freeFunction = site.function;
  o->freeInst = site.inst;
  o->freeStack = site.stack;
}

void Memory::setLength(uint64_t address, ExprPtr length, uint64_t known) {
  ObjectState *o = writableObject(address);
  o->length = length;
  o->known = known;
}

const ObjectState *Memory::leaveScope(uint64_t address, AllocSite site) {
  if (!isDataAddress(address)) return nullptr;
  ObjectState *o = writableObject(address);
  if (o->freed) return nullptr;
  // In a loop it begins again soon.
  if (o->numPages == 1 && o->pages[0] && o->pages[0]->refs == 1)
    o->pages[0]->reset(o->info->zeroed);
  else
    for (uint32_t p = 0; p < o->numPages; p++) Page::release(std::exchange(o->pages[p], nullptr));
  o->freed = o->outOfScope = true;
  o->freeFunction = site.function;
  o->freeInst = site.inst;
  return o;
}

void Memory::enterScope(uint64_t address) {
  if (!isDataAddress(address)) return;
  ObjectState *o = writableObject(address);
  if (!o->outOfScope) return;
  o->freed = o->outOfScope = false;
  o->copied = {};
}

void Memory::noteCopy(uint64_t to, ObjectState::Copied copied) {
  ObjectState *o = writableObject(to);
  o->copied = copied;
  o->copied.to = to - o->base();
}

} // namespace fathom::explore
