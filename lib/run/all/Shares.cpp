// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/Shares.h"

#include <algorithm>
#include <cmath>

namespace fathom::run {

Shares::Shares(const std::vector<Width> &widths) {
  for (const Width &width : widths) parts_.push_back({.width = width});
}

void Shares::note(size_t part, double seconds, double gain) {
  One &one = parts_[part];
  constexpr double kNothing = 0.1; // seconds
  one.isIdle = seconds < kNothing;
  const double kept = std::exp(-seconds / kMemory);
  one.seconds = one.seconds * kept + seconds;
  one.gain = one.gain * kept + gain;
  one.pass += seconds / std::max(shareOf(part), kFloor / 100);
  double most = 0;
  for (const One &other : parts_)
    if (!other.isOver) most = std::max(most, other.pass);
  for (One &other : parts_) other.pass = std::max(other.pass, most - kLag);
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

std::vector<unsigned> Shares::next(unsigned processors) const {
  std::vector<unsigned> out(parts_.size(), 0);
  unsigned left = processors;
  for (bool isFirst = true;; isFirst = false) {
    size_t best = parts_.size();
    double smallest = 0;
    for (size_t i = 0; i < parts_.size(); i++) {
      const One &one = parts_[i];
      const unsigned more = out[i] ? 1 : one.width.least;
      // What waits takes no processor from what could use it.
      if (one.isOver || one.isIdle || out[i] + more > one.width.most || (more > left && !isFirst))
        continue;
      const double pass = one.pass + out[i] * kSlice / shareOf(i);
      if (best == parts_.size() || pass < smallest) best = i, smallest = pass;
    }
    if (best == parts_.size()) break;
    const unsigned more = out[best] ? 1 : parts_[best].width.least;
    out[best] += more;
    left -= std::min(left, more);
    if (!left) break;
  }
  for (size_t i = 0; i < parts_.size(); i++)
    if (parts_[i].isIdle && !parts_[i].isOver && !out[i]) out[i] = parts_[i].width.least;
  return out;
}

} // namespace fathom::run
