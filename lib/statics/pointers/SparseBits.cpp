// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/SparseBits.h"

#include <algorithm>

namespace fathom::statics {

bool SparseBits::insert(uint32_t bit) {
  const uint32_t index = bit / 64;
  const uint64_t mask = uint64_t(1) << (bit % 64);
  auto at = std::lower_bound(words_.begin(), words_.end(), index,
                             [](const Word &w, uint32_t wanted) { return w.index < wanted; });
  if (at == words_.end() || at->index != index) {
    words_.insert(at, Word(index, mask));
    return true;
  }
  if (at->bits() & mask) return false;
  *at = Word(index, at->bits() | mask);
  return true;
}

bool SparseBits::contains(uint32_t bit) const {
  const uint32_t index = bit / 64;
  auto at = std::lower_bound(words_.begin(), words_.end(), index,
                             [](const Word &w, uint32_t wanted) { return w.index < wanted; });
  return at != words_.end() && at->index == index && (at->bits() >> (bit % 64) & 1);
}

size_t SparseBits::count() const {
  size_t n = 0;
  for (const Word &w : words_) n += static_cast<size_t>(std::popcount(w.bits()));
  return n;
}

bool SparseBits::unite(const SparseBits &other) {
  if (other.empty() || includes(other)) return false;
  std::vector<Word> joined;
  joined.reserve(words_.size() + other.words_.size());
  auto a = words_.cbegin(), b = other.words_.cbegin();
  while (a != words_.cend() || b != other.words_.end()) {
    if (b == other.words_.end() || (a != words_.end() && a->index < b->index)) {
      joined.push_back(*a++);
    } else if (a == words_.end() || b->index < a->index) {
      joined.push_back(*b++);
    } else {
      joined.emplace_back(a->index, a->bits() | b->bits());
      ++a;
      ++b;
    }
  }
  words_ = std::move(joined);
  return true;
}

bool SparseBits::unite(const SparseBits &other, SparseBits &fresh) {
  if (other.empty() || includes(other)) return false;
  SparseBits news = other;
  news.subtract(*this);
  unite(news);
  fresh.unite(news);
  return true;
}

void SparseBits::intersect(const SparseBits &other) {
  size_t kept = 0;
  auto b = other.words_.begin();
  for (const Word &w : words_) {
    while (b != other.words_.end() && b->index < w.index) ++b;
    if (b == other.words_.end()) break;
    if (b->index != w.index) continue;
    if (const uint64_t bits = w.bits() & b->bits()) words_[kept++] = Word(w.index, bits);
  }
  words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(kept), words_.end());
}

void SparseBits::subtract(const SparseBits &other) {
  size_t kept = 0;
  auto b = other.words_.begin();
  for (const Word &w : words_) {
    while (b != other.words_.end() && b->index < w.index) ++b;
    uint64_t bits = w.bits();
    if (b != other.words_.end() && b->index == w.index) bits &= ~b->bits();
    if (bits) words_[kept++] = Word(w.index, bits);
  }
  words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(kept), words_.end());
}

bool SparseBits::intersects(const SparseBits &other) const {
  auto a = words_.begin(), b = other.words_.begin();
  while (a != words_.end() && b != other.words_.end()) {
    if (a->index < b->index) {
      ++a;
    } else if (b->index < a->index) {
      ++b;
    } else {
      if (a->bits() & b->bits()) return true;
      ++a;
      ++b;
    }
  }
  return false;
}

bool SparseBits::includes(const SparseBits &other) const {
  if (other.words_.size() > words_.size()) return false;
  auto a = words_.begin();
  for (const Word &w : other.words_) {
    // Sets that are compared are often of very different sizes.
    if (words_.end() - a > 32)
      a = std::lower_bound(a, words_.end(), w.index,
                           [](const Word &x, uint32_t wanted) { return x.index < wanted; });
    while (a != words_.end() && a->index < w.index) ++a;
    if (a == words_.end() || a->index != w.index || (w.bits() & ~a->bits())) return false;
  }
  return true;
}

uint64_t SparseBits::hash() const {
  uint64_t h = 0x9e3779b97f4a7c15;
  for (const Word &w : words_) {
    h = (h ^ w.index) * 0xff51afd7ed558ccd;
    h = (h ^ (h >> 29) ^ w.bits()) * 0xc4ceb9fe1a85ec53;
  }
  return h ^ (h >> 32);
}

} // namespace fathom::statics
