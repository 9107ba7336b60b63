// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace fathom::explore {

using namespace program;

namespace {
uint64_t gPageBytes = 0; // statistics of the process (one arena per process)

constexpr unsigned kFanoutBits = 5, kFanout = 1u << kFanoutBits;
size_t pageAllocation(unsigned size) { return offsetof(Page, data) + size; }
unsigned uninitWords(unsigned size) { return (size + 63) / 64; }
} // namespace

const char *name(ObjectKind kind) {
  switch (kind) {
  case ObjectKind::Global: return "global";
  case ObjectKind::Constant: return "constant";
  case ObjectKind::Stack: return "stack";
  case ObjectKind::Heap: return "heap";
  case ObjectKind::Map: return "mapped";
  }
  return "";
}

uint64_t Memory::pageBytes() { return gPageBytes; }

// --- SymPlane
// ----------------------------------------------------------------------------------------------

SymPlane::SymPlane(unsigned sizeBytes) : numChunks_((sizeBytes + kChunk - 1) / kChunk) {
  chunks_ = static_cast<ExprPtr **>(calloc(numChunks_, sizeof(ExprPtr *)));
}

SymPlane::SymPlane(const SymPlane &other) : numChunks_(other.numChunks_), count_(other.count_) {
  chunks_ = static_cast<ExprPtr **>(calloc(numChunks_, sizeof(ExprPtr *)));
  for (unsigned c = 0; c < numChunks_; c++)
    if (other.chunks_[c]) {
      chunks_[c] = static_cast<ExprPtr *>(malloc(kChunk * sizeof(ExprPtr)));
      memcpy(chunks_[c], other.chunks_[c], kChunk * sizeof(ExprPtr));
    }
}

SymPlane::~SymPlane() {
  for (unsigned c = 0; c < numChunks_; c++) ::free(chunks_[c]);
  ::free(chunks_);
}

void SymPlane::set(unsigned i, ExprPtr e) {
  ExprPtr *&c = chunks_[i / kChunk];
  if (!c) {
    if (!e) return;
    c = static_cast<ExprPtr *>(calloc(kChunk, sizeof(ExprPtr)));
  }
  ExprPtr &slot = c[i % kChunk];
  count_ += (e != nullptr) - (slot != nullptr);
  slot = e;
}

bool SymPlane::anyIn(unsigned from, unsigned to) const {
  for (unsigned i = from; i < to;) {
    if (!chunks_[i / kChunk]) {
      i = (i / kChunk + 1) * kChunk;
      continue;
    }
    if (chunks_[i / kChunk][i % kChunk]) return true;
    i++;
  }
  return false;
}

// --- Page
// --------------------------------------------------------------------------------------------------

uint64_t *Page::newBitmap() {
  if (size > kFew) return static_cast<uint64_t *>(calloc(uninitWords(size), 8));
  few = 0;
  return &few;
}

void Page::dropBitmap() {
  if (uninit != &few) ::free(uninit);
  uninit = nullptr;
}

Page *Page::create(unsigned size, bool zeroed) {
  Page *p = new (malloc(pageAllocation(size))) Page;
  p->size = static_cast<uint16_t>(size);
  gPageBytes += pageAllocation(size);
  p->reset(zeroed);
  return p;
}

void Page::reset(bool zeroed) {
  delete std::exchange(syms, nullptr);
  memset(data, 0, size);
  if (zeroed) {
    numUninit = 0;
    return dropBitmap();
  }
  if (!uninit) uninit = newBitmap();
  for (unsigned i = 0; i < size; i += 64)
    uninit[i / 64] = size - i >= 64 ? ~uint64_t(0) : (uint64_t(1) << (size - i)) - 1;
  numUninit = size;
}

Page *Page::copy(const Page &other) {
  Page *p = new (malloc(pageAllocation(other.size))) Page;
  p->size = other.size;
  memcpy(p->data, other.data, other.size);
  gPageBytes += pageAllocation(other.size);
  if (other.syms) p->syms = new SymPlane(*other.syms);
  if (other.uninit) {
    p->numUninit = other.numUninit;
    p->uninit = p->newBitmap();
    memcpy(p->uninit, other.uninit, size_t(uninitWords(other.size)) * 8);
  }
  return p;
}

void Page::release(Page *page) {
  if (!page || --page->refs) return;
  gPageBytes -= pageAllocation(page->size);
  delete page->syms;
  page->dropBitmap();
  ::free(page);
}

void Page::markWritten(unsigned from, unsigned count) {
  if (uninit) {
    for (unsigned i = from, n; i < from + count; i += n) { // what lies in one word of the bitmap
      n = std::min(from + count - i, 64 - i % 64);
      const uint64_t bits = (n < 64 ? (uint64_t(1) << n) - 1 : ~uint64_t(0)) << (i % 64);
      numUninit -= static_cast<uint16_t>(std::popcount(uninit[i / 64] & bits));
      uninit[i / 64] &= ~bits;
    }
    if (!numUninit) dropBitmap();
  }
  if (syms) {
    if (syms->anyIn(from, from + count))
      for (unsigned i = from; i < from + count; i++) syms->set(i, nullptr);
    if (!syms->count()) {
      delete syms;
      syms = nullptr;
    }
  }
}

bool Page::copyFrom(unsigned to, const Page *from, unsigned at, unsigned count) {
  if (syms || (from && from->syms)) {
    bool anyUnwritten = false;
    for (unsigned i = 0; i < count; i++) {
      if (ExprPtr e = from ? from->sym(at + i) : nullptr)
        setSym(to + i, e);
      else if (!from || from->isUninit(at + i))
        setUninit(to + i), anyUnwritten = true;
      else
        setConcrete(to + i, from->data[at + i]);
    }
    return anyUnwritten;
  }
  uint64_t bits[kPageSize / 64]; // before anything is written: `from` may be this page
  uint64_t any = 0;
  for (unsigned i = 0; i < count; i += 64) {
    const unsigned n = std::min(count - i, 64u);
    const uint64_t all = n < 64 ? (uint64_t(1) << n) - 1 : ~uint64_t(0);
    any |= bits[i / 64] = !from ? all : from->uninit ? from->uninitBits(at + i, n) : 0;
  }
  if (from)
    memmove(data + to, from->data + at, count);
  else
    memset(data + to, 0, count);
  markWritten(to, count);
  if (!any) return false;
  if (!uninit) uninit = newBitmap();
  for (unsigned i = 0; i < count; i += 64) {
    const uint64_t word = bits[i / 64];
    const unsigned shift = (to + i) % 64;
    numUninit += static_cast<uint16_t>(std::popcount(word));
    uninit[(to + i) / 64] |= word << shift;
    if (shift && word >> (64 - shift)) uninit[(to + i) / 64 + 1] |= word >> (64 - shift);
  }
  return true;
}

void Page::setConcrete(unsigned i, uint8_t v) {
  markWritten(i, 1);
  data[i] = v;
}

void Page::setSym(unsigned i, ExprPtr e, uint8_t v) {
  if (e->isConst()) return setConcrete(i, static_cast<uint8_t>(e->value()));
  markWritten(i, 1);
  if (!syms) syms = new SymPlane(size);
  syms->set(i, e);
  data[i] = v;
}

void Page::setUninit(unsigned i) {
  markWritten(i, 1);
  if (!uninit) uninit = newBitmap();
  uninit[i / 64] |= uint64_t(1) << (i % 64);
  numUninit++;
  data[i] = 0;
}

// --- the persistent table
// ------------------------------------------------------------------------------------

struct Memory::Node {
  uint32_t refs = 1;
  void *child[kFanout] = {};
};

ObjectState *Memory::newObject(ObjectInfo *info) {
  auto pages = static_cast<uint32_t>((info->size + kPageSize - 1) >> kPageShift);
  size_t bytes = sizeof(ObjectState) + (pages > 1 ? pages - 1 : 0) * sizeof(Page *);
  auto *o = new (malloc(bytes)) ObjectState;
  o->numPages = pages;
  o->info = info;
  for (uint32_t p = 0; p < pages; p++) o->pages[p] = nullptr;
  return o;
}

void Memory::releaseObject(ObjectState *o) {
  if (!o || --o->refs) return;
  for (uint32_t p = 0; p < o->numPages; p++) Page::release(o->pages[p]);
  if (!--o->info->refs) delete o->info;
  o->~ObjectState();
  ::free(o);
}

void Memory::releaseNode(Node *node, unsigned height) {
  if (!node || --node->refs) return;
  for (void *c : node->child) {
    if (!c) continue;
    if (height > 1)
      releaseNode(static_cast<Node *>(c), height - 1);
    else
      releaseObject(static_cast<ObjectState *>(c));
  }
  delete node;
}

Memory::Memory() : spaces_(new Spaces) {}
Memory::Memory(const Memory &other) : spaces_(other.spaces_) { spaces_->refs++; }
Memory::Memory(Memory &&other) noexcept : spaces_(std::exchange(other.spaces_, nullptr)) {}
Memory::~Memory() { release(); }

void Memory::release() {
  if (!spaces_ || --spaces_->refs) return;
  for (Group *g : spaces_->groups) {
    if (!g || --g->refs) continue;
    for (Class &c : g->classes) releaseNode(c.root.node, c.root.height);
    delete g;
  }
  delete spaces_;
}

void Memory::copySpaces() {
  auto *copy = new Spaces(*spaces_);
  copy->refs = 1;
  for (Group *g : copy->groups)
    if (g) g->refs++;
  spaces_->refs--;
  spaces_ = copy;
}

const Memory::Class &Memory::classAt(unsigned k) const {
  static const Class kNew;
  const Group *g = spaces_->groups[k / kGroup];
  return g ? g->classes[k % kGroup] : kNew;
}

Memory::Class &Memory::ownClass(unsigned k) {
  if (spaces_->refs > 1) copySpaces();
  Group *&g = spaces_->groups[k / kGroup];
  if (!g || g->refs > 1) [[unlikely]]
    ownGroup(g);
  return g->classes[k % kGroup];
}

void Memory::ownGroup(Group *&g) {
  if (!g) {
    g = new Group;
    return;
  }
  g->refs--;
  g = new Group(*g);
  g->refs = 1;
  for (Class &c : g->classes)
    if (c.root.node) c.root.node->refs++;
}

const ObjectState *Memory::find(uint64_t address) const {
  if (!isDataAddress(address)) return nullptr;
  const Root &root = classAt(classOf(address)).root;
  uint64_t slot = slotOf(address);
  if (!root.node || (slot >> (kFanoutBits * root.height))) return nullptr;
  const Node *n = root.node;
  for (unsigned level = root.height - 1; level; level--) {
    n = static_cast<const Node *>(n->child[(slot >> (kFanoutBits * level)) & (kFanout - 1)]);
    if (!n) return nullptr;
  }
  return static_cast<const ObjectState *>(n->child[slot & (kFanout - 1)]);
}

/// One that is ours alone, in place of one that is not. Children are shared by the two.
Memory::Node *Memory::copyNode(Node *n, unsigned height) {
  Node *copy = new Node(*n);
  copy->refs = 1;
  for (void *c : copy->child)
    if (c) (height > 1 ? static_cast<Node *>(c)->refs : static_cast<ObjectState *>(c)->refs)++;
  n->refs--;
  return copy;
}

void **Memory::leaf(unsigned k, uint64_t slot) {
  Root &root = ownClass(k).root;
  if (!root.node) {
    root.node = new Node;
    root.height = 1;
  }
  while (slot >> (kFanoutBits * root.height)) { // grow upwards: the old root becomes child 0
    Node *top = new Node;
    top->child[0] = root.node;
    root.node = top;
    root.height++;
  }
  if (root.node->refs > 1) root.node = copyNode(root.node, root.height);
  Node *n = root.node;
  for (unsigned level = root.height - 1; level; level--) {
    void *&c = n->child[(slot >> (kFanoutBits * level)) & (kFanout - 1)];
    if (!c) c = new Node;
    auto *next = static_cast<Node *>(c);
    if (next->refs > 1) c = next = copyNode(next, level);
    n = next;
  }
  return &n->child[slot & (kFanout - 1)];
}

ObjectState *Memory::writableObject(uint64_t address) {
  void **place = leaf(classOf(address), slotOf(address));
  auto *o = static_cast<ObjectState *>(*place);
  assert(o && "writing to an object that does not exist");
  if (o->refs > 1) [[unlikely]]
    *place = o = copyObject(o);
  return o;
}

ObjectState *Memory::copyObject(ObjectState *o) {
  ObjectState *copy = newObject(o->info);
  o->info->refs++;
  for (uint32_t p = 0; p < o->numPages; p++)
    if ((copy->pages[p] = o->pages[p])) copy->pages[p]->refs++;
  copy->freed = o->freed;
  copy->outOfScope = o->outOfScope;
  copy->copied = o->copied;
  copy->freeFunction = o->freeFunction;
  copy->freeInst = o->freeInst;
  copy->freeStack = o->freeStack;
  o->refs--;
  return copy;
}

Page *Memory::writablePage(uint64_t address, const ObjectState **object) {
  ObjectState *o = writableObject(address);
  if (object) *object = o;
  auto p = static_cast<uint32_t>((address - o->base()) >> kPageShift);
  Page *&page = o->pages[p];
  if (!page)
    page = Page::create(o->pageSize(p), o->info->zeroed);
  else if (page->refs > 1) {
    Page *copy = Page::copy(*page);
    page->refs--;
    page = copy;
  }
  return page;
}

// --- allocation
// ------------------------------------------------------------------------------------------------

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
  info->name = std::move(name);
  void **place = leaf(k, slot);
  releaseObject(static_cast<ObjectState *>(*place)); // the tombstone
  ObjectState *o = newObject(info);
  *place = o;
  cur.live++;
  if (kind == ObjectKind::Stack)
    spaces_->stackBytes += size;
  else if (kind == ObjectKind::Heap) {
    spaces_->heapBytes += size;
    spaces_->heapObjects++;
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

void Memory::free(uint64_t address, AllocSite site) {
  void **place = leaf(classOf(address), slotOf(address));
  auto *o = static_cast<ObjectState *>(*place);
  assert(o && (!o->freed || o->outOfScope) && "freeing what is not there");
  Class &c = ownClass(classOf(address));
  c.lanes[c.laneOf(slotOf(address))].live--;
  if (o->info->kind == ObjectKind::Stack) {
    spaces_->stackBytes -= o->size();
  } else if (o->info->kind == ObjectKind::Heap) {
    spaces_->heapBytes -= o->size();
    spaces_->heapObjects--;
  }
  // A tombstone has no pages, whoever else shares the object.
  if (o->refs > 1) {
    auto *t = new (malloc(sizeof(ObjectState))) ObjectState;
    t->info = o->info;
    t->info->refs++;
    o->refs--;
    *place = o = t;
  } else {
    for (uint32_t p = 0; p < o->numPages; p++) Page::release(o->pages[p]);
    o->numPages = 0;
  }
  o->freed = true;
  o->outOfScope = false;
  o->freeFunction = site.function;
  o->freeInst = site.inst;
  o->freeStack = site.stack;
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

// --- bytes
// -------------------------------------------------------------------------------------------------------

ByteValue Memory::read(const ObjectState &o, uint64_t offset) const {
  const Page *p = o.pages[offset >> kPageShift];
  if (!p) return {0, nullptr, !o.info->zeroed};
  auto i = static_cast<unsigned>(offset & (kPageSize - 1));
  return {p->data[i], p->sym(i), p->isUninit(i)};
}

void Memory::writeConcrete(uint64_t address, const uint8_t *bytes, uint64_t size) {
  while (size) {
    const ObjectState *o;
    Page *p = writablePage(address, &o);
    auto i = static_cast<unsigned>((address - o->base()) & (kPageSize - 1));
    uint64_t n = std::min<uint64_t>(size, p->size - i);
    if (!p->plain()) p->markWritten(i, static_cast<unsigned>(n));
    memcpy(p->data + i, bytes, n);
    address += n;
    bytes += n;
    size -= n;
  }
}

void Memory::writeSym(uint64_t address, ExprPtr byte) {
  const ObjectState *o;
  Page *p = writablePage(address, &o);
  p->setSym(static_cast<unsigned>((address - o->base()) & (kPageSize - 1)), byte);
}

void Memory::visitTerms(const std::function<void(ExprPtr)> &visit,
                        std::unordered_set<const void *> &seen) const {
  std::function<void(const Node *, unsigned)> walk = [&](const Node *n, unsigned height) {
    if (!seen.insert(n).second) return;
    for (void *c : n->child) {
      if (!c) continue;
      if (height > 1) {
        walk(static_cast<const Node *>(c), height - 1);
        continue;
      }
      auto *o = static_cast<const ObjectState *>(c);
      if (!seen.insert(o).second) continue;
      for (uint32_t p = 0; p < o->numPages; p++)
        if (const Page *page = o->pages[p]; page && page->syms && seen.insert(page).second)
          page->syms->forEach([&](unsigned, ExprPtr e) { visit(e); });
    }
  };
  for (const Group *g : spaces_->groups)
    for (unsigned k = 0; g && k < kGroup; k++)
      if (const Root &r = g->classes[k].root; r.node) walk(r.node, r.height);
}

void Memory::forEachObject(const std::function<void(const ObjectState &)> &f) const {
  std::function<void(const Node *, unsigned)> walk = [&](const Node *n, unsigned height) {
    for (void *c : n->child) {
      if (!c) continue;
      if (height > 1)
        walk(static_cast<const Node *>(c), height - 1);
      else
        f(*static_cast<const ObjectState *>(c));
    }
  };
  for (const Group *g : spaces_->groups)
    for (unsigned k = 0; g && k < kGroup; k++)
      if (const Root &r = g->classes[k].root; r.node) walk(r.node, r.height);
}

std::pair<uint64_t, uint64_t> Memory::surroundings(uint64_t address) const {
  auto slotBegin = [](uint64_t base) { return slotAddress(classOf(base), slotOf(base)); };
  auto slotEnd = [](uint64_t base) { return slotAddress(classOf(base), slotOf(base) + 1); };
  if (const ObjectState *o = find(address)) return {slotBegin(o->base()), slotEnd(o->base())};
  uint64_t first = 0, end = ~uint64_t(0);
  forEachObject([&](const ObjectState &o) {
    if (o.base() <= address)
      first = std::max(first, slotEnd(o.base()));
    else
      end = std::min(end, slotBegin(o.base()));
  });
  return {first, end};
}

} // namespace fathom::explore
