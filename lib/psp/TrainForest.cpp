// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/TrainForest.h"

#include <algorithm>
#include <numeric>

namespace fathom::psp {

namespace {

/// The Gini impurity of a split: pos0 * neg0 / n0 + pos1 * neg1 / n1, where the sides have n0 and
/// n1 examples. As a fraction, so that comparisons are exact. (Constant factors are left out.)
struct Impurity {
  unsigned __int128 numerator = 1;
  uint64_t denominator = 0; ///< 0: no split, which is worse than any
  bool operator<(const Impurity &other) const {
    if (!denominator || !other.denominator) return denominator && !other.denominator;
    return numerator * other.denominator < other.numerator * denominator;
  }
};

class Grower {
public:
  Grower(std::span<const Example> examples, const ForestOptions &options, Rng &rng)
      : examples_(examples), options_(options), rng_(rng) {}

  Forest::Tree grow() {
    tree_.clear();
    sample_.resize(examples_.size());
    for (uint32_t &at : sample_) at = rng_.below(static_cast<uint32_t>(examples_.size()));
    node(0, sample_.size());
    return std::move(tree_);
  }

private:
  using Counts = std::pair<uint64_t, uint64_t>; ///< examples, those that belong

  Counts count(size_t from, size_t to, int feature) const {
    Counts out{0, 0};
    for (size_t i = from; i < to; ++i) {
      const Example &example = examples_[sample_[i]];
      if (feature >= 0 && example.vector[static_cast<size_t>(feature)] != 1) continue;
      ++out.first;
      out.second += example.belongs;
    }
    return out;
  }

  Impurity impurity(const Counts &all, const Counts &one) const {
    const Counts zero{all.first - one.first, all.second - one.second};
    if (zero.first < options_.leastLeaf || one.first < options_.leastLeaf) return {};
    auto product = [](const Counts &c) {
      return static_cast<unsigned __int128>(c.second) * (c.first - c.second);
    };
    return {product(zero) * one.first + product(one) * zero.first, zero.first * one.first};
  }

  /// The best of a random choice of entries; -1: none leaves enough on both sides.
  int bestSplit(size_t from, size_t to, const Counts &all) {
    std::vector<int> entries(static_cast<size_t>(2 * options_.k + 1));
    std::iota(entries.begin(), entries.end(), 0);
    entries.erase(entries.begin() + options_.k); // the middle says nothing
    int best = -1;
    Impurity least;
    for (unsigned i = 0; i < options_.tried && i < entries.size(); ++i) {
      std::swap(entries[i], entries[i + rng_.below(static_cast<uint32_t>(entries.size() - i))]);
      const Impurity now = impurity(all, count(from, to, entries[i]));
      if (now < least) least = now, best = entries[i];
    }
    return best;
  }

  void node(size_t from, size_t to) {
    const auto at = static_cast<uint32_t>(tree_.size());
    tree_.emplace_back();
    const Counts all = count(from, to, -1);
    const bool isPure = all.second == 0 || all.second == all.first;
    const int feature = isPure ? -1 : bestSplit(from, to, all);
    if (feature < 0) {
      // With one example of each kind added, so that no leaf is certain.
      const uint64_t share = Forest::kShareUnits * (all.second + 1) / (all.first + 2);
      tree_[at].share = static_cast<uint8_t>(std::min<uint64_t>(share, Forest::kShareUnits - 1));
      return;
    }
    // Which order it leaves does not matter: a node is a set.
    const auto middle =
        std::partition(sample_.begin() + static_cast<ptrdiff_t>(from),
                       sample_.begin() + static_cast<ptrdiff_t>(to), [&](uint32_t e) {
                         return examples_[e].vector[static_cast<size_t>(feature)] != 1;
                       });
    const auto cut = static_cast<size_t>(middle - sample_.begin());
    tree_[at].feature = static_cast<uint8_t>(feature);
    tree_[at].zero = static_cast<uint32_t>(tree_.size());
    node(from, cut);
    tree_[at].one = static_cast<uint32_t>(tree_.size());
    node(cut, to);
  }

  std::span<const Example> examples_;
  const ForestOptions &options_;
  Rng &rng_;
  std::vector<uint32_t> sample_;
  Forest::Tree tree_;
};

} // namespace

Forest growForest(std::span<const Example> examples, const ForestOptions &options) {
  Rng rng(options.seed, /*stream=*/2);
  std::vector<Forest::Tree> trees;
  for (size_t i = 0; i < options.trees; ++i) trees.push_back(Grower(examples, options, rng).grow());
  return Forest(options.k, std::move(trees));
}

Forest trainForest(const ForestOptions &options) {
  Rng rng(options.seed);
  return growForest(drawExamples(options.examples, options.k, rng), options);
}

std::string forestDefinition(const Forest &forest) {
  std::string out = "// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
                    "//\n"
                    "// Written by `fathom psp train`; Forest.h says what the characters mean.\n";
  std::string text = forest.text();
  for (size_t from = 0, end; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
    out += "FATHOM_FOREST_TREE(\"" + text.substr(from, end - from) + "\")\n";
  return out;
}

} // namespace fathom::psp
