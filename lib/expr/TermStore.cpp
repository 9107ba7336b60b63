// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes: allocation, hash-consing, leaves, and mark and sweep. Start reading at NodeTable::intern.
// The builders of inner nodes are in Builders.cpp, the rules in Rewrite*.cpp.
#include "expr/TermStore.h"

#include "expr/Epochs.h"
#include "expr/FloatFold.h"
#include "expr/Fold.h"
#include "expr/NodeTable.h"
#include "support/HashMix.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace fathom::expr {

// --- hashing
// ------------------------------------------------------------------------------------------
// Depends on structure only (kind, width, values, names), never on addresses, so that operand order
// and everything that follows from it are the same in every run.

static uint64_t hashBytes(const void *data, size_t size, uint64_t h) {
  auto *p = static_cast<const unsigned char *>(data);
  for (; size >= 8; p += 8, size -= 8) {
    uint64_t v;
    std::memcpy(&v, p, 8);
    h = mixHash(h, v);
  }
  uint64_t tail = size;
  for (size_t i = 0; i < size; ++i) tail = tail << 8 | p[i];
  return mixHash(h, tail);
}

static inline uint32_t finish(uint64_t h) {
  h *= 0xD6E8FEB86659FD93ull;
  return static_cast<uint32_t>(h >> 32);
}

static inline uint32_t hashNode(Kind kind, unsigned width, uint64_t value, ExprPtr a, ExprPtr b,
                                ExprPtr c) {
  uint64_t h = mixHash(uint64_t(kind) << 16 | width, value);
  if (a) h = mixHash(h, a->hash());
  if (b) h = mixHash(h, b->hash());
  if (c) h = mixHash(h, c->hash());
  return finish(h);
}

// --- arena and unique table
// -----------------------------------------------------------------------------

static constexpr uint64_t kPointerMask = (uint64_t(1) << 48) - 1;
static inline uint64_t tagOf(uint32_t hash) { return uint64_t(hash >> 16) << 48; }
static inline Expr *pointerOf(uint64_t slot) {
  return reinterpret_cast<Expr *>(slot & kPointerMask); // NOLINT(performance-no-int-to-ptr): tagged
}

NodeTable::NodeTable(ExprStats &stats) : stats(stats) {
  slots.assign(1 << 12, 0);
  Epochs::onRestart(this, [this] { clearEvaluations(); });
}

NodeTable::~NodeTable() {
  Epochs::forget(this);
  for (Expr *slab : slabs) {
    for (size_t i = 0; i < kNodesPerSlab; ++i)
      if (slab[i].numOps_ != kFree) release(&slab[i]);
    std::free(slab);
  }
}

void NodeTable::clearEvaluations() {
  for (Expr *slab : slabs)
    for (size_t i = 0; i < kNodesPerSlab; ++i) slab[i].evalEpoch_ = slab[i].visitEpoch_ = 0;
}

Expr *NodeTable::allocate() {
  if (!freeList) {
    void *memory = std::aligned_alloc(64, kNodesPerSlab * sizeof(Expr));
    if (!memory) std::abort(); // no budget left at all: nothing sensible can follow
    auto *slab = static_cast<Expr *>(memory);
    slabs.push_back(slab);
    for (size_t i = kNodesPerSlab; i-- > 0;) {
      Expr *node = new (&slab[i]) Expr();
      node->numOps_ = kFree;
      node->ops_[0] = freeList;
      freeList = node;
    }
  }
  Expr *node = freeList;
  freeList = const_cast<Expr *>(node->ops_[0]);
  return node;
}

void NodeTable::release(Expr *node) {
  if (node->kind_ == Kind::Const && node->width_ > 64) delete[] node->wide_;
  if (node->kind_ == Kind::ConstArray || node->kind_ == Kind::SymbolArray) delete node->array_;
}

void NodeTable::insertSlot(uint32_t hash, const Expr *node) {
  size_t mask = slots.size() - 1, i = hash & mask;
  while (slots[i]) i = (i + 1) & mask;
  slots[i] = tagOf(hash) | reinterpret_cast<uint64_t>(node);
}

void NodeTable::rebuildTable(size_t capacity) {
  std::vector<uint64_t> old(capacity, 0);
  old.swap(slots);
  for (uint64_t slot : old)
    if (slot) insertSlot(pointerOf(slot)->hash_, pointerOf(slot));
}

template <typename Equal> ExprPtr NodeTable::probe(uint32_t hash, const Equal &equal) const {
  const uint64_t tag = tagOf(hash);
  const size_t mask = slots.size() - 1;
  for (size_t i = hash & mask; slots[i]; i = (i + 1) & mask) {
    if ((slots[i] & ~kPointerMask) != tag) continue;
    const Expr *node = pointerOf(slots[i]);
    if (node->hash_ == hash && equal(*node)) return node;
  }
  return nullptr;
}

/// Completes a node whose kind, width, value and operands are set.
ExprPtr NodeTable::addNode(Expr *node, uint32_t hash) {
  node->hash_ = hash;
  node->mark_ = 0;
  node->evalEpoch_ = node->visitEpoch_ = 0;
  uint32_t height = 0;
  uint8_t flags = 0, count = 0;
  for (; count < 3 && node->ops_[count]; ++count) {
    height = std::max(height, node->ops_[count]->height_ + 1);
    flags |= node->ops_[count]->flags_;
  }
  node->numOps_ = count;
  node->height_ = height;
  node->flags_ = flags;
  if (isFloatKind(node->kind_) && !isFloatPredicate(node->kind_)) node->flags_ |= kHasFloat;
  if (node->kind_ == Kind::Apply) node->flags_ |= kHasApply;
  if (node->kind_ == Kind::Bound) node->flags_ |= kIsOpen;
  if (node->kind_ == Kind::Forall) node->flags_ = (node->flags_ & ~kIsOpen) | kHasForall;
  if (node->kind_ == Kind::Read && !node->ops_[1]->isConst()) {
    // The array at the bottom of the stores is what a free index may reach.
    ExprPtr array = node->ops_[0];
    if (array->array().contents.empty()) node->flags_ |= kHasFreeIndexRead;
  }
  if ((occupied + 1) * 2 > slots.size()) rebuildTable(slots.size() * 2);
  insertSlot(hash, node);
  ++occupied;
  ++stats.created;
  ++stats.live;
  return node;
}

ExprPtr NodeTable::find(Kind kind, unsigned width, uint64_t value, ExprPtr a, ExprPtr b) const {
  return probe(hashNode(kind, width, value, a, b, nullptr), [&](const Expr &n) {
    return n.kind_ == kind && n.ops_[0] == a && n.ops_[1] == b && n.width_ == width &&
           n.value_ == value;
  });
}

ExprPtr NodeTable::intern(Kind kind, unsigned width, uint64_t value, ExprPtr a, ExprPtr b,
                          ExprPtr c) {
  assert(width <= kMaxWidthBits && "wider than kMaxWidthBits");
  uint32_t hash = hashNode(kind, width, value, a, b, c);
  ExprPtr known = probe(hash, [&](const Expr &n) {
    return n.kind_ == kind && n.ops_[0] == a && n.ops_[1] == b && n.ops_[2] == c &&
           n.width_ == width && n.value_ == value;
  });
  if (known) {
    ++stats.hits;
    return known;
  }
  Expr *node = allocate();
  node->kind_ = kind;
  node->width_ = static_cast<uint16_t>(width);
  node->value_ = value;
  node->ops_[0] = a;
  node->ops_[1] = b;
  node->ops_[2] = c;
  return addNode(node, hash);
}

ExprPtr NodeTable::internStore(ExprPtr array, ExprPtr index, ExprPtr byte) {
  uint32_t hash = hashNode(Kind::Store, 0, 0, array, index, byte);
  ExprPtr known = probe(hash, [&](const Expr &n) {
    return n.kind_ == Kind::Store && n.ops_[0] == array && n.ops_[1] == index && n.ops_[2] == byte;
  });
  if (known) {
    ++stats.hits;
    return known;
  }
  Expr *node = allocate();
  node->kind_ = Kind::Store;
  node->width_ = 0;
  node->array_ = array->array_;
  node->ops_[0] = array;
  node->ops_[1] = index;
  node->ops_[2] = byte;
  return addNode(node, hash);
}

ExprPtr NodeTable::internApply(const ArrayInfo &results, ExprPtr input) {
  const std::string &name = results.operation->name;
  const uint64_t h =
      hashBytes(name.data(), name.size(), mixHash(uint64_t(Kind::Apply), input->hash()));
  const uint32_t hash = finish(h);
  ExprPtr known = probe(hash, [&](const Expr &n) {
    return n.kind_ == Kind::Apply && n.ops_[0] == input && n.array_ == &results;
  });
  if (known) {
    ++stats.hits;
    return known;
  }
  Expr *node = allocate();
  node->kind_ = Kind::Apply;
  node->width_ = 0;
  node->array_ = &results;
  node->ops_[0] = input;
  node->ops_[1] = node->ops_[2] = nullptr;
  return addNode(node, hash);
}

// --- leaves
// -----------------------------------------------------------------------------------------------

TermStore::TermStore() : nodes_(new NodeTable(stats_)) {
  false_ = constant(0, 1);
  true_ = constant(1, 1);
}

TermStore::~TermStore() = default;

ExprPtr TermStore::constant(uint64_t value, unsigned width) {
  assert(width >= 1 && width <= 64 && "constantWide makes the wider ones");
  return nodes_->intern(Kind::Const, width, value & lowMask(width));
}

ExprPtr TermStore::constantWide(std::span<const uint64_t> words, unsigned width) {
  assert(width >= 1 && width <= kMaxWidthBits && words.size() >= (width + 63) / 64 &&
         "too few words");
  if (width <= 64) return constant(words[0], width);
  const unsigned count = (width + 63) / 64;
  uint64_t buffer[kMaxWidthBits / 64];
  std::copy_n(words.begin(), count, buffer);
  if (width % 64) buffer[count - 1] &= lowMask(width % 64);
  uint32_t hash =
      finish(hashBytes(buffer, size_t(count) * 8, mixHash(uint64_t(Kind::Const) << 16 | width, 0)));
  ExprPtr known = nodes_->probe(hash, [&](const Expr &n) {
    return n.kind_ == Kind::Const && n.width_ == width &&
           std::equal(buffer, buffer + count, n.wide_);
  });
  if (known) {
    ++stats_.hits;
    return known;
  }
  auto *copy = new uint64_t[count];
  std::copy_n(buffer, count, copy);
  Expr *node = nodes_->allocate();
  node->kind_ = Kind::Const;
  node->width_ = static_cast<uint16_t>(width);
  node->wide_ = copy;
  std::fill_n(node->ops_, 3, nullptr);
  return nodes_->addNode(node, hash);
}

/// Letters, digits and `_ . -`, not starting with a digit, and not a word that SMT-LIB reserves.
static std::string smtSymbol(std::string_view name) {
  std::string out;
  for (char c : name) {
    bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '_' || c == '.' || c == '-';
    out += fine ? c : '_';
  }
  if (out.empty() || (out[0] >= '0' && out[0] <= '9') || out[0] == '-' || out[0] == '.')
    out.insert(0, "_");
  static constexpr std::string_view kReserved[] = {
      "_",     "as",     "let",    "exists", "forall", "match", "par",      "true",
      "false", "not",    "and",    "or",     "xor",    "ite",   "distinct", "select",
      "store", "concat", "assert", "push",   "pop",    "exit",  "reset",    "echo",
      "const", "Bool",   "Array",  "BitVec", "Int",    "Real",  "String"};
  bool reserved =
      std::find(std::begin(kReserved), std::end(kReserved), out) != std::end(kReserved) ||
      out.starts_with("bv");
  return reserved ? "in_" + out : out;
}

ExprPtr TermStore::symbol(std::string_view name, uint64_t sizeBytes) {
  std::string base = smtSymbol(name), unique = base;
  // A suffixed name may itself be in use ("a_1" was asked for before "a" twice), hence the loop.
  while (!nodes_->usedNames.try_emplace(unique, 0).second)
    unique = base + "_" + std::to_string(++nodes_->usedNames[base]);
  auto *info =
      new ArrayInfo{unique, sizeBytes, {}, static_cast<uint32_t>(nodes_->symbols.size()), nullptr};
  Expr *node = nodes_->allocate();
  node->kind_ = Kind::SymbolArray;
  node->width_ = 0;
  node->array_ = info;
  std::fill_n(node->ops_, 3, nullptr);
  // Not the index: it is the order in which this process came to its symbols, and workers have to
  // agree on the hash of a query.
  uint64_t h = mixHash(uint64_t(Kind::SymbolArray) << 16, sizeBytes);
  nodes_->addNode(node, finish(hashBytes(unique.data(), unique.size(), h)));
  node->flags_ = kHasSymbol;
  nodes_->symbols.push_back(node);
  return node;
}

ExprPtr TermStore::constArray(std::span<const uint8_t> contents) {
  assert(!contents.empty() && "a table has at least one byte");
  uint32_t hash =
      finish(hashBytes(contents.data(), contents.size(), uint64_t(Kind::ConstArray) << 16));
  ExprPtr known = nodes_->probe(hash, [&](const Expr &n) {
    return n.kind_ == Kind::ConstArray && std::ranges::equal(n.array_->contents, contents);
  });
  if (known) {
    ++stats_.hits;
    return known;
  }
  char name[16];
  std::snprintf(name, sizeof name, "table_%08x", hash);
  auto *info = new ArrayInfo{name, contents.size(), {contents.begin(), contents.end()}, 0, nullptr};
  Expr *node = nodes_->allocate();
  node->kind_ = Kind::ConstArray;
  node->width_ = 0;
  node->array_ = info;
  std::fill_n(node->ops_, 3, nullptr);
  return nodes_->addNode(node, hash);
}

ExprPtr TermStore::apply(const std::shared_ptr<ExternalOperation> &operation, ExprPtr input) {
  assert(input->isArray() && input->array().sizeBytes == operation->inputBytes &&
         !input->array().contents.empty() && "an input is stores on a table of its size");
  auto &known = nodes_->operations[operation->name];
  if (!known) {
    ArrayInfo results{operation->name, operation->outputBytes, {}, ~0u, operation.get()};
    known =
        std::make_unique<NodeTable::Operation>(NodeTable::Operation{operation, std::move(results)});
  }
  assert(known->operation->inputBytes == operation->inputBytes &&
         known->operation->outputBytes == operation->outputBytes && "two operations of one name");
  return nodes_->internApply(known->results, input);
}

std::span<const ExprPtr> TermStore::symbols() const { return nodes_->symbols; }

ExprPtr TermStore::uninitByte(uint32_t number) {
  // One symbol for many bytes: models have an entry per symbol.
  auto &arrays = nodes_->uninitArrays;
  const uint32_t block = number / kUninitBlock;
  if (block >= arrays.size()) arrays.resize(block + 1);
  if (!arrays[block]) {
    arrays[block] = symbol("uninit_" + std::to_string(block), kUninitBlock);
    const_cast<Expr *>(arrays[block])->flags_ |= kHasUninit;
    nodes_->uninitBlocks.emplace(arrays[block], block);
  }
  return nodes_->intern(Kind::Read, 8, 0, arrays[block], constant(number % kUninitBlock, 64));
}

std::optional<uint32_t> TermStore::uninitNumber(ExprPtr byte) const {
  if (byte->kind() != Kind::Read || !byte->op(1)->isConst()) return std::nullopt;
  auto block = nodes_->uninitBlocks.find(byte->op(0));
  if (block == nodes_->uninitBlocks.end()) return std::nullopt;
  return block->second * kUninitBlock + static_cast<uint32_t>(byte->op(1)->value());
}

// --- mark and sweep
// ---------------------------------------------------------------------------------------

void TermStore::beginMark() {
  mark(true_);
  mark(false_);
  for (ExprPtr symbol : nodes_->symbols) mark(symbol);
}

void TermStore::mark(ExprPtr e) { nodes_->mark(e); }

void TermStore::sweep() {
  nodes_->sweep();
  ++collections_;
}

void NodeTable::mark(ExprPtr root) {
  if (!root) return;
  auto push = [&](ExprPtr e) {
    if (e->mark_) return;
    const_cast<Expr *>(e)->mark_ = 1;
    markStack.push_back(e);
  };
  push(root);
  while (!markStack.empty()) {
    ExprPtr e = markStack.back();
    markStack.pop_back();
    for (unsigned i = 0; i < e->numOps_; ++i) push(e->ops_[i]);
  }
  // A Store points to the ArrayInfo of the array below it, which is marked as an operand.
}

void NodeTable::sweep() {
  size_t live = 0;
  freeList = nullptr;
  for (size_t s = slabs.size(); s-- > 0;) {
    Expr *slab = slabs[s];
    Expr *freeBefore = freeList;
    size_t liveBefore = live;
    for (size_t i = kNodesPerSlab; i-- > 0;) {
      Expr *node = &slab[i];
      if (node->numOps_ != kFree && node->mark_) {
        node->mark_ = 0;
        ++live;
        continue;
      }
      if (node->numOps_ != kFree) {
        release(node);
        node->numOps_ = kFree;
        node->kind_ = Kind::Const;
        node->width_ = 0;
        ++stats.swept;
      }
      node->ops_[0] = freeList;
      freeList = node;
    }
    if (live == liveBefore) { // nothing left in this slab: give it back
      freeList = freeBefore;
      std::free(slab);
      slabs.erase(slabs.begin() + static_cast<ptrdiff_t>(s));
    }
  }
  size_t capacity = std::bit_ceil(std::max<size_t>(live * 4, 1 << 12));
  slots.assign(capacity, 0);
  slots.shrink_to_fit();
  for (Expr *slab : slabs)
    for (size_t i = 0; i < kNodesPerSlab; ++i)
      if (slab[i].numOps_ != kFree) insertSlot(slab[i].hash_, &slab[i]);
  occupied = live;
  stats.live = live;
}

} // namespace fathom::expr
