// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Blocks.h"

#include "estimate/Chao2.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

namespace {
/// A row, with its first two units as one number: it decides nearly all comparisons without a look
/// at the row.
struct KeyedRow {
  uint64_t key;
  std::span<const uint32_t> units;

  explicit KeyedRow(std::span<const uint32_t> row)
      : key(uint64_t(row[0]) << 32 | (row.size() > 1 ? uint64_t(row[1]) + 1 : 0)), units(row) {}
  /// Lexicographic.
  bool operator<(const KeyedRow &other) const {
    return key != other.key ? key < other.key
                            : std::lexicographical_compare(units.begin(), units.end(),
                                                           other.units.begin(), other.units.end());
  }
  bool operator==(const KeyedRow &other) const {
    return key == other.key && std::ranges::equal(units, other.units);
  }
};
} // namespace

Blocks collapse(const IncidenceMatrix &matrix) {
  std::vector<KeyedRow> rows;
  rows.reserve(matrix.listed());
  for (size_t i = 0; i < matrix.listed(); ++i)
    if (!matrix.row(i).empty()) rows.emplace_back(matrix.row(i));
  std::sort(rows.begin(), rows.end());
  Blocks blocks;
  blocks.classes = IncidenceMatrix(matrix.units());
  blocks.elements = rows.size();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && rows[i] == rows[i - 1]) {
      blocks.sizes.back()++;
      continue;
    }
    blocks.classes.add(rows[i].units);
    blocks.sizes.push_back(1);
  }
  return blocks;
}

double designEffect(const Blocks &blocks) {
  constexpr size_t kInfrequent = 10; // as in ICE
  double elements[kInfrequent + 1] = {}, squares[kInfrequent + 1] = {};
  for (size_t i = 0; i < blocks.sizes.size(); ++i) {
    size_t k = blocks.classes.row(i).size();
    if (k > kInfrequent) continue;
    auto size = static_cast<double>(blocks.sizes[i]);
    elements[k] += size;
    squares[k] += size * size;
  }
  // Q elements in k of t units, in blocks of m: a block's elements are met by all m of it, and by
  // those of other blocks that have the same units by chance, c = 1 / C(t, k):
  //   sum m^2 / sum m = m + (Q - m) c,  solved for m.
  double effect = 0, all = 0, choices = 1;
  auto t = static_cast<double>(blocks.classes.units());
  for (size_t k = 1; k <= kInfrequent; ++k) {
    choices *= (t - static_cast<double>(k) + 1) / static_cast<double>(k);
    if (elements[k] == 0) continue;
    double chance = 1 / choices, size = 1;
    if (chance < 1) size = (squares[k] / elements[k] - elements[k] * chance) / (1 - chance);
    effect += elements[k] * std::max(1.0, size);
    all += elements[k];
  }
  return all > 0 ? effect / all : 1;
}

Estimate blockChao2(const Blocks &blocks) {
  FrequencyCounts counts = tally(blocks.classes);
  Estimate estimate = chao2(counts);
  double unseen = estimate.value ? *estimate.value - static_cast<double>(counts.observed()) : 0;
  if (estimate.value) estimate.raw = estimate.value = static_cast<double>(blocks.elements);
  if (estimate.status != Status::Ok) {
    // D, or nothing. The fallback's interval was of classes.
    if (estimate.status == Status::Fallback && blocks.elements > 0) {
      estimate.se.reset();
      estimate.band = Band();
    }
    return estimate;
  }
  double k = 0, sum = 0, squares = 0; // the sizes of the classes in one unit
  for (size_t i = 0; i < blocks.sizes.size(); ++i) {
    if (blocks.classes.row(i).size() != 1) continue;
    auto size = static_cast<double>(blocks.sizes[i]);
    k++;
    sum += size;
    squares += size * size;
  }
  auto d = static_cast<double>(blocks.elements);
  double mean = sum / k;
  double variance = *estimate.se * *estimate.se * mean * mean;
  if (k > 1) variance += unseen * unseen * (squares - k * mean * mean) / (k - 1) / k;
  estimate.raw = estimate.value = d + unseen * mean;
  estimate.se = std::sqrt(variance);
  estimate.band = Band::logNormal(d, unseen * mean, variance);
  return estimate;
}

} // namespace fathom::estimate
