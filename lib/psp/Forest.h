// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random forest over ternary vectors: M_s of [psp23] Eq. 3 for one variable. It answers how
// probable it is that the value in the middle belongs to the pattern of the seen values around it.
//
// The paper uses scikit-learn's forest with its defaults. This one is of its own, so that nothing
// has to be installed and the shipped data can be made again bit by bit: training
// (TrainForest.h) uses integers and the project's random numbers only. A split asks whether one
// entry is 1, since all but the middle are 0 or 1; leaves hold a share in steps of 1/64, so that
// the whole forest is a few ten thousand characters of text (Forest.def).
#ifndef FATHOM_PSP_FOREST_H
#define FATHOM_PSP_FOREST_H

#include "psp/Ternary.h"

#include <optional>
#include <string>
#include <string_view>

namespace fathom::psp {

class Forest {
public:
  struct Node {
    uint8_t feature = kLeaf;
    uint8_t share = 0;          ///< of a leaf: in 1/kShareUnits; stands for the unit's middle
    uint32_t zero = 0, one = 0; ///< of a split: the nodes where the entry is 0, and 1
  };
  using Tree = std::vector<Node>; ///< root: node 0; children after their parents
  static constexpr uint8_t kLeaf = 0xff;
  static constexpr unsigned kShareUnits = 64;

  /// \param k  of the vectors; at most 31.
  Forest(int64_t k, std::vector<Tree> trees) : k_(k), trees_(std::move(trees)) {}

  /// The mean over all trees, in (0, 1). REQUIRES a vector of 2 k() + 1 entries.
  double probability(const Ternary &vector) const;
  int64_t k() const { return k_; }
  size_t trees() const { return trees_.size(); }
  size_t nodes() const;

  /// One tree a line, in preorder: a character for the entry that a split looks at, or '.' and one
  /// for a leaf's share; both are digits of base 64 (A-Z a-z 0-9 + /).
  std::string text() const;
  /// What text() wrote; absent when it is something else.
  static std::optional<Forest> parse(int64_t k, std::string_view text);
  /// The one that is part of the program (Forest.def), made by `fathom psp train`.
  static const Forest &shipped();

private:
  int64_t k_;
  std::vector<Tree> trees_;
};

} // namespace fathom::psp
#endif
