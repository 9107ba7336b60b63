// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of an object: bytes, and the sparse planes of terms and of never-written bits above them.
#include "explore/interpreter/Memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace fathom::explore {

namespace {
uint64_t gPageBytes = 0; // statistics of the process (one arena per process)

size_t pageAllocation(unsigned size) { return offsetof(Page, data) + size; }
unsigned uninitWords(unsigned size) { return (size + 63) / 64; }
} // namespace

uint64_t Memory::pageBytes() { return gPageBytes; }

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

} // namespace fathom::explore
