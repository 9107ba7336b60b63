// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes: allocation, hash-consing, leaves, and mark and sweep. Start reading at Impl::intern. The
// builders of inner nodes are in Builders.cpp, the rules in Rewrite*.cpp.
#include "expr/ContextImpl.h"
#include "expr/Epochs.h"

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

static inline uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 29);
}

static uint64_t hashBytes(const void *data, size_t size, uint64_t h) {
  auto *p = static_cast<const unsigned char *>(data);
  for (; size >= 8; p += 8, size -= 8) {
    uint64_t v;
    std::memcpy(&v, p, 8);
    h = mix(h, v);
  }
  uint64_t tail = size;
  for (size_t i = 0; i < size; ++i) tail = tail << 8 | p[i];
  return mix(h, tail);
}

static inline uint32_t finish(uint64_t h) {
  h *= 0xD6E8FEB86659FD93ull;
  return static_cast<uint32_t>(h >> 32);
}

static inline uint32_t hashNode(Kind kind, unsigned width, uint64_t value, ExprPtr a, ExprPtr b,
                                ExprPtr c) {
  uint64_t h = mix(uint64_t(kind) << 16 | width, value);
  if (a) h = mix(h, a->hash());
  if (b) h = mix(h, b->hash());
  if (c) h = mix(h, c->hash());
  return finish(h);
}

// --- arena and unique table
// -----------------------------------------------------------------------------

static constexpr uint64_t kPointerMask = (uint64_t(1) << 48) - 1;
static inline uint64_t tagOf(uint32_t hash) { return uint64_t(hash >> 16) << 48; }
static inline Expr *pointerOf(uint64_t slot) {
  return reinterpret_cast<Expr *>(slot & kPointerMask); // NOLINT(performance-no-int-to-ptr): tagged
}

ExprContext::Impl::Impl(ExprContext &context) : ctx(context) {
  slots.assign(1 << 12, 0);
  Epochs::onRestart(this, [this] { clearEvaluations(); });
}

ExprContext::Impl::~Impl() {
  Epochs::forget(this);
  for (Expr *slab : slabs) {
    for (size_t i = 0; i < kNodesPerSlab; ++i)
      if (slab[i].numOps_ != kFree) release(&slab[i]);
    std::free(slab);
  }
}

void ExprContext::Impl::clearEvaluations() {
  for (Expr *slab : slabs)
    for (size_t i = 0; i < kNodesPerSlab; ++i) slab[i].evalEpoch_ = slab[i].visitEpoch_ = 0;
}

Expr *ExprContext::Impl::allocate() {
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

void ExprContext::Impl::release(Expr *node) {
  if (node->kind_ == Kind::Const && node->width_ > 64) delete[] node->wide_;
  if (node->kind_ == Kind::ConstArray || node->kind_ == Kind::SymbolArray) delete node->array_;
}

void ExprContext::Impl::insertSlot(uint32_t hash, const Expr *node) {
  size_t mask = slots.size() - 1, i = hash & mask;
  while (slots[i]) i = (i + 1) & mask;
  slots[i] = tagOf(hash) | reinterpret_cast<uint64_t>(node);
}

void ExprContext::Impl::rebuildTable(size_t capacity) {
  std::vector<uint64_t> old(capacity, 0);
  old.swap(slots);
  for (uint64_t slot : old)
    if (slot) insertSlot(pointerOf(slot)->hash_, pointerOf(slot));
}

template <typename Equal>
ExprPtr ExprContext::Impl::probe(uint32_t hash, const Equal &equal) const {
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
ExprPtr ExprContext::Impl::addNode(Expr *node, uint32_t hash) {
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
  if (node->kind_ == Kind::Read && !node->ops_[1]->isConst()) {
    // The array at the bottom of the stores is what a free index may reach.
    ExprPtr array = node->ops_[0];
    if (array->array().contents.empty()) node->flags_ |= kHasFreeIndexRead;
  }
  if ((occupied + 1) * 2 > slots.size()) rebuildTable(slots.size() * 2);
  insertSlot(hash, node);
  ++occupied;
  ++ctx.stats_.created;
  ++ctx.stats_.live;
  return node;
}

ExprPtr ExprContext::Impl::find(Kind kind, unsigned width, uint64_t value, ExprPtr a,
                                ExprPtr b) const {
  return probe(hashNode(kind, width, value, a, b, nullptr), [&](const Expr &n) {
    return n.kind_ == kind && n.ops_[0] == a && n.ops_[1] == b && n.width_ == width &&
           n.value_ == value;
  });
}

ExprPtr ExprContext::Impl::intern(Kind kind, unsigned width, uint64_t value, ExprPtr a, ExprPtr b,
                                  ExprPtr c) {
  assert(width <= kMaxWidthBits && "wider than kMaxWidthBits");
  uint32_t hash = hashNode(kind, width, value, a, b, c);
  ExprPtr known = probe(hash, [&](const Expr &n) {
    return n.kind_ == kind && n.ops_[0] == a && n.ops_[1] == b && n.ops_[2] == c &&
           n.width_ == width && n.value_ == value;
  });
  if (known) {
    ++ctx.stats_.hits;
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

ExprPtr ExprContext::Impl::internStore(ExprPtr array, ExprPtr index, ExprPtr byte) {
  uint32_t hash = hashNode(Kind::Store, 0, 0, array, index, byte);
  ExprPtr known = probe(hash, [&](const Expr &n) {
    return n.kind_ == Kind::Store && n.ops_[0] == array && n.ops_[1] == index && n.ops_[2] == byte;
  });
  if (known) {
    ++ctx.stats_.hits;
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

ExprPtr ExprContext::Impl::internApply(const ArrayInfo &results, ExprPtr input) {
  const std::string &name = results.operation->name;
  const uint64_t h = hashBytes(name.data(), name.size(), mix(uint64_t(Kind::Apply), input->hash()));
  const uint32_t hash = finish(h);
  ExprPtr known = probe(hash, [&](const Expr &n) {
    return n.kind_ == Kind::Apply && n.ops_[0] == input && n.array_ == &results;
  });
  if (known) {
    ++ctx.stats_.hits;
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

ExprContext::ExprContext(const ExprOptions &options) : options_(options), impl_(new Impl(*this)) {
  false_ = constant(0, 1);
  true_ = constant(1, 1);
}

ExprContext::~ExprContext() = default;

ExprPtr ExprContext::constant(uint64_t value, unsigned width) {
  assert(width >= 1 && width <= 64 && "constantWide makes the wider ones");
  return impl_->intern(Kind::Const, width, value & lowMask(width));
}

ExprPtr ExprContext::constantWide(std::span<const uint64_t> words, unsigned width) {
  assert(width >= 1 && width <= kMaxWidthBits && words.size() >= (width + 63) / 64 &&
         "too few words");
  if (width <= 64) return constant(words[0], width);
  const unsigned count = (width + 63) / 64;
  uint64_t buffer[kMaxWidthBits / 64];
  std::copy_n(words.begin(), count, buffer);
  if (width % 64) buffer[count - 1] &= lowMask(width % 64);
  uint32_t hash =
      finish(hashBytes(buffer, size_t(count) * 8, mix(uint64_t(Kind::Const) << 16 | width, 0)));
  ExprPtr known = impl_->probe(hash, [&](const Expr &n) {
    return n.kind_ == Kind::Const && n.width_ == width &&
           std::equal(buffer, buffer + count, n.wide_);
  });
  if (known) {
    ++stats_.hits;
    return known;
  }
  auto *copy = new uint64_t[count];
  std::copy_n(buffer, count, copy);
  Expr *node = impl_->allocate();
  node->kind_ = Kind::Const;
  node->width_ = static_cast<uint16_t>(width);
  node->wide_ = copy;
  std::fill_n(node->ops_, 3, nullptr);
  return impl_->addNode(node, hash);
}

ExprPtr ExprContext::Impl::constantOf(const llvm::APInt &value) {
  return ctx.constantWide({value.getRawData(), value.getNumWords()}, value.getBitWidth());
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

ExprPtr ExprContext::symbol(std::string_view name, uint64_t sizeBytes) {
  std::string base = smtSymbol(name), unique = base;
  // A suffixed name may itself be in use ("a_1" was asked for before "a" twice), hence the loop.
  while (!impl_->usedNames.try_emplace(unique, 0).second)
    unique = base + "_" + std::to_string(++impl_->usedNames[base]);
  auto *info =
      new ArrayInfo{unique, sizeBytes, {}, static_cast<uint32_t>(impl_->symbols.size()), nullptr};
  Expr *node = impl_->allocate();
  node->kind_ = Kind::SymbolArray;
  node->width_ = 0;
  node->array_ = info;
  std::fill_n(node->ops_, 3, nullptr);
  // Not the index: it is the order in which this process came to its symbols, and workers have to
  // agree on the hash of a query.
  uint64_t h = mix(uint64_t(Kind::SymbolArray) << 16, sizeBytes);
  impl_->addNode(node, finish(hashBytes(unique.data(), unique.size(), h)));
  node->flags_ = kHasSymbol;
  impl_->symbols.push_back(node);
  return node;
}

ExprPtr ExprContext::constArray(std::span<const uint8_t> contents) {
  assert(!contents.empty() && "a table has at least one byte");
  uint32_t hash =
      finish(hashBytes(contents.data(), contents.size(), uint64_t(Kind::ConstArray) << 16));
  ExprPtr known = impl_->probe(hash, [&](const Expr &n) {
    return n.kind_ == Kind::ConstArray && std::ranges::equal(n.array_->contents, contents);
  });
  if (known) {
    ++stats_.hits;
    return known;
  }
  char name[16];
  std::snprintf(name, sizeof name, "table_%08x", hash);
  auto *info = new ArrayInfo{name, contents.size(), {contents.begin(), contents.end()}, 0, nullptr};
  Expr *node = impl_->allocate();
  node->kind_ = Kind::ConstArray;
  node->width_ = 0;
  node->array_ = info;
  std::fill_n(node->ops_, 3, nullptr);
  return impl_->addNode(node, hash);
}

ExprPtr ExprContext::apply(const std::shared_ptr<ExternalOperation> &operation, ExprPtr input) {
  assert(input->isArray() && input->array().sizeBytes == operation->inputBytes &&
         !input->array().contents.empty() && "an input is stores on a table of its size");
  auto &known = impl_->operations[operation->name];
  if (!known) {
    ArrayInfo results{operation->name, operation->outputBytes, {}, ~0u, operation.get()};
    known = std::make_unique<Impl::Operation>(Impl::Operation{operation, std::move(results)});
  }
  assert(known->operation->inputBytes == operation->inputBytes &&
         known->operation->outputBytes == operation->outputBytes && "two operations of one name");
  return impl_->internApply(known->results, input);
}

std::span<const ExprPtr> ExprContext::symbols() const { return impl_->symbols; }

ExprPtr ExprContext::uninitByte(uint32_t number) {
  // One symbol for many bytes: models have an entry per symbol.
  auto &arrays = impl_->uninitArrays;
  const uint32_t block = number / kUninitBlock;
  if (block >= arrays.size()) arrays.resize(block + 1);
  if (!arrays[block]) {
    arrays[block] = symbol("uninit_" + std::to_string(block), kUninitBlock);
    const_cast<Expr *>(arrays[block])->flags_ |= kHasUninit;
    impl_->uninitBlocks.emplace(arrays[block], block);
  }
  return read(arrays[block], uint64_t(number % kUninitBlock));
}

std::optional<uint32_t> ExprContext::uninitNumber(ExprPtr byte) const {
  if (byte->kind() != Kind::Read || !byte->op(1)->isConst()) return std::nullopt;
  auto block = impl_->uninitBlocks.find(byte->op(0));
  if (block == impl_->uninitBlocks.end()) return std::nullopt;
  return block->second * kUninitBlock + static_cast<uint32_t>(byte->op(1)->value());
}

// --- mark and sweep
// ---------------------------------------------------------------------------------------

void ExprContext::beginMark() {
  mark(true_);
  mark(false_);
  for (ExprPtr symbol : impl_->symbols) mark(symbol);
}

void ExprContext::mark(ExprPtr root) {
  if (!root) return;
  auto &stack = impl_->markStack;
  auto push = [&](ExprPtr e) {
    if (e->mark_) return;
    const_cast<Expr *>(e)->mark_ = 1;
    stack.push_back(e);
  };
  push(root);
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    stack.pop_back();
    for (unsigned i = 0; i < e->numOps_; ++i) push(e->ops_[i]);
  }
  // A Store points to the ArrayInfo of the array below it, which is marked as an operand.
}

void ExprContext::sweep() {
  Impl &impl = *impl_;
  size_t live = 0;
  impl.freeList = nullptr;
  for (size_t s = impl.slabs.size(); s-- > 0;) {
    Expr *slab = impl.slabs[s];
    Expr *freeBefore = impl.freeList;
    size_t liveBefore = live;
    for (size_t i = Impl::kNodesPerSlab; i-- > 0;) {
      Expr *node = &slab[i];
      if (node->numOps_ != Impl::kFree && node->mark_) {
        node->mark_ = 0;
        ++live;
        continue;
      }
      if (node->numOps_ != Impl::kFree) {
        impl.release(node);
        node->numOps_ = Impl::kFree;
        node->kind_ = Kind::Const;
        node->width_ = 0;
        ++stats_.swept;
      }
      node->ops_[0] = impl.freeList;
      impl.freeList = node;
    }
    if (live == liveBefore) { // nothing left in this slab: give it back
      impl.freeList = freeBefore;
      std::free(slab);
      impl.slabs.erase(impl.slabs.begin() + static_cast<ptrdiff_t>(s));
    }
  }
  size_t capacity = std::bit_ceil(std::max<size_t>(live * 4, 1 << 12));
  impl.slots.assign(capacity, 0);
  impl.slots.shrink_to_fit();
  for (Expr *slab : impl.slabs)
    for (size_t i = 0; i < Impl::kNodesPerSlab; ++i)
      if (slab[i].numOps_ != Impl::kFree) impl.insertSlot(slab[i].hash_, &slab[i]);
  impl.occupied = live;
  stats_.live = live;
  ++collections_;
}

} // namespace fathom::expr
