// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Blocks.h"

#include "estimate/Chao2.h"

#include <algorithm>
#include <cmath>

namespace fathom::estimate {

Blocks collapse(const IncidenceMatrix &matrix) {
  std::vector<std::span<const uint32_t>> rows;
  for (size_t i = 0; i < matrix.listed(); ++i)
    if (!matrix.row(i).empty()) rows.push_back(matrix.row(i));
  std::sort(rows.begin(), rows.end(), [](auto a, auto b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  Blocks blocks;
  blocks.classes = IncidenceMatrix(matrix.units());
  blocks.elements = rows.size();
  for (size_t i = 0; i < rows.size(); ++i) {
    bool same =
        i > 0 && std::equal(rows[i].begin(), rows[i].end(), rows[i - 1].begin(), rows[i - 1].end());
    if (same) {
      blocks.sizes.back()++;
      continue;
    }
    blocks.classes.add(rows[i]);
    blocks.sizes.push_back(1);
  }
  return blocks;
}

double designEffect(const Blocks &blocks) {
  constexpr size_t kInfrequent = 10; // as in ICE
  double sum = 0, squares = 0;
  for (size_t i = 0; i < blocks.sizes.size(); ++i) {
    if (blocks.classes.row(i).size() > kInfrequent) continue;
    auto size = static_cast<double>(blocks.sizes[i]);
    sum += size;
    squares += size * size;
  }
  return sum > 0 ? squares / sum : 1;
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
