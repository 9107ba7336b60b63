// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of numbers for points-to analysis: many, most of them small, dense in places, and joined all
// the time. A sorted array of words of 64 bits without the empty ones.
#ifndef FATHOM_STATICS_POINTERS_SPARSEBITS_H
#define FATHOM_STATICS_POINTERS_SPARSEBITS_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::statics {

class SparseBits {
public:
  /// True when it is new. Cost: O(words) in the worst case, O(log words) for known ones.
  bool insert(uint32_t bit);
  bool contains(uint32_t bit) const;
  bool empty() const { return words_.empty(); }
  void clear() { std::vector<Word>().swap(words_); }
  size_t count() const;

  /// True when something is new. This and the following take O(words of both).
  bool unite(const SparseBits &other);
  /// The same; what is new is also put into `fresh`.
  bool unite(const SparseBits &other, SparseBits &fresh);
  void intersect(const SparseBits &other);
  void subtract(const SparseBits &other);
  bool intersects(const SparseBits &other) const;
  bool includes(const SparseBits &other) const;

  bool operator==(const SparseBits &other) const { return words_ == other.words_; }
  uint64_t hash() const;
  /// Gives back memory that was reserved for growth.
  void shrink() { words_.shrink_to_fit(); }
  size_t memoryBytes() const { return words_.capacity() * sizeof(Word); }

  /// Ascending.
  template <class Visit> void forEach(Visit &&visit) const {
    for (const Word &w : words_)
      for (uint64_t bits = w.bits(); bits; bits &= bits - 1)
        visit(w.index * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
  }
  /// REQUIRES: not empty.
  uint32_t first() const {
    return words_.front().index * 64 +
           static_cast<uint32_t>(std::countr_zero(words_.front().bits()));
  }

private:
  /// Twelve bytes: the halves are apart so that it has no padding.
  struct Word {
    uint32_t index, low, high;
    Word(uint32_t index, uint64_t bits)
        : index(index), low(static_cast<uint32_t>(bits)), high(static_cast<uint32_t>(bits >> 32)) {}
    uint64_t bits() const { return low | uint64_t(high) << 32; }
    bool operator==(const Word &other) const = default;
  };
  std::vector<Word> words_; ///< ascending indices, no word is 0
};

} // namespace fathom::statics
#endif
