// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/SparseBits.h"

#include <algorithm>

namespace fathom::statics {

/// The first word from `at` on that has at least this index.
template <class At> static At skipTo(At at, At end, uint32_t index) {
  if (at == end || at->index >= index) return at;
  // Sets that are compared are often of very different sizes.
  if (end - at > 32)
    return std::lower_bound(at, end, index,
                            [](const auto &w, uint32_t wanted) { return w.index < wanted; });
  while (at != end && at->index < index) ++at;
  return at;
}

bool SparseBits::insert(uint32_t bit) {
  const uint32_t index = bit / 64;
  const uint64_t mask = uint64_t(1) << (bit % 64);
  if (words_.empty() || words_.back().index < index) {
    words_.emplace_back(index, mask);
    return true;
  }
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
  size_t added = 0;
  bool isNew = false;
  auto a = words_.cbegin();
  for (const Word &w : other.words_) {
    a = skipTo(a, words_.cend(), w.index);
    const bool known = a != words_.cend() && a->index == w.index;
    added += !known;
    isNew |= !known || (w.bits() & ~a->bits());
  }
  if (!isNew) return false;
  // From the back, so that nothing is overwritten that is needed.
  const size_t before = words_.size();
  words_.resize(before + added, Word(0, 0));
  auto from = words_.rbegin() + static_cast<std::ptrdiff_t>(added), to = words_.rbegin();
  for (auto b = other.words_.rbegin(); b != other.words_.rend(); ++b) {
    while (from != words_.rend() && from->index > b->index) *to++ = *from++;
    const bool known = from != words_.rend() && from->index == b->index;
    *to++ = Word(b->index, b->bits() | (known ? from->bits() : 0));
    from += known;
  }
  return true;
}

bool SparseBits::unite(const SparseBits &other, SparseBits &fresh) {
  SparseBits news;
  auto a = words_.cbegin();
  for (const Word &w : other.words_) {
    a = skipTo(a, words_.cend(), w.index);
    const uint64_t known = a != words_.cend() && a->index == w.index ? a->bits() : 0;
    if (w.bits() & ~known) news.words_.emplace_back(w.index, w.bits() & ~known);
  }
  if (news.empty()) return false;
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
  auto a = words_.cbegin();
  for (const Word &w : other.words_) {
    a = skipTo(a, words_.cend(), w.index);
    if (a == words_.cend() || a->index != w.index || (w.bits() & ~a->bits())) return false;
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
