// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/Shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom::run {

Shares::Shares(std::vector<unsigned> widths) {
  for (const unsigned width : widths) parts_.push_back({.width = std::max(1u, width)});
}

void Shares::note(size_t part, double seconds, double gain) {
  One &one = parts_[part];
  constexpr double kNothing = 0.02; // seconds
  one.isIdle = seconds < kNothing;
  const double kept = std::exp(-seconds / kMemory);
  one.seconds = one.seconds * kept + seconds;
  one.gain = one.gain * kept + gain;
  one.pass += seconds / std::max(shareOf(part), 1e-6) / one.width;
}

void Shares::remove(size_t part) { parts_[part].isOver = true; }

double Shares::shareOf(size_t part) const {
  auto rate = [](const One &one) { return (one.gain + kPrior) / (one.seconds + 1); };
  double all = 0;
  size_t living = 0;
  for (const One &one : parts_)
    if (!one.isOver) all += rate(one), living++;
  if (parts_[part].isOver || !living) return 0;
  const double floor = std::min(kFloor, 1 / static_cast<double>(living));
  return floor + (1 - floor * static_cast<double>(living)) * rate(parts_[part]) / all;
}

std::vector<size_t> Shares::next(unsigned processors) const {
  std::vector<size_t> order(parts_.size()), out;
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t i) { return parts_[i].isOver; });
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return parts_[a].pass != parts_[b].pass ? parts_[a].pass < parts_[b].pass : a < b;
  });
  unsigned used = 0;
  for (const size_t i : order) {
    if (!parts_[i].isIdle && used && used + parts_[i].width > processors) continue;
    out.push_back(i);
    used += parts_[i].isIdle ? 0 : parts_[i].width;
  }
  std::ranges::sort(out);
  return out;
}

} // namespace fathom::run
