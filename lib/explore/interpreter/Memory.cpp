// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table from addresses to objects, which states share until one writes, and access to bytes.
#include "explore/interpreter/Memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace fathom::explore {

using namespace program;

namespace {
constexpr unsigned kFanoutBits = 5, kFanout = 1u << kFanoutBits;
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
  o->known = info->size;
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
  copy->length = o->length;
  copy->known = o->known;
  copy->freeFunction = o->freeFunction;
  copy->freeInst = o->freeInst;
  copy->freeStack = o->freeStack;
  o->refs--;
  return copy;
}

Page *Memory::writablePage(uint64_t address, const ObjectState **object) {
  ObjectState *o = writableObject(address);
  o->info->noteWrite();
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

// --- bytes
// -------------------------------------------------------------------------------------------------------

ByteValue Memory::read(const ObjectState &o, uint64_t offset) const {
  o.info->noteRead();
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
      if (o->length) visit(o->length);
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
