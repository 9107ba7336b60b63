// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Diffusion.h"

#include <algorithm>
#include <cmath>

namespace fathom::psp {

double stableStep(unsigned dimensions, double factor) { return 1 / (2.0 * dimensions * factor); }

static constexpr uint32_t kNone = ~uint32_t(0);

size_t HeatGrid::Hash::operator()(const Cell &cell) const {
  uint64_t hash = 0;
  for (const int64_t value : cell)
    hash = (hash ^ static_cast<uint64_t>(value)) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
  return hash;
}

void HeatGrid::add(const Cell &cell, double heat, bool isPinned) {
  if (!index_.emplace(cell, static_cast<uint32_t>(heat_.size())).second) return;
  heat_.push_back(heat);
  pinned_.push_back(isPinned);
}

void HeatGrid::connect() {
  neighbours_.assign(heat_.size() * 2 * dimensions_, kNone);
  for (const auto &[cell, at] : index_)
    for (unsigned d = 0; d < dimensions_; ++d) {
      Cell next = cell;
      if (__builtin_add_overflow(cell[d], 1, &next[d])) continue;
      const auto found = index_.find(next);
      if (found == index_.end()) continue;
      neighbours_[size_t(at) * 2 * dimensions_ + 2 * d] = found->second;
      neighbours_[size_t(found->second) * 2 * dimensions_ + 2 * d + 1] = at;
    }
}

size_t HeatGrid::run(double time, double step, double factor, bool isInsulated) {
  connect();
  const auto steps = static_cast<size_t>(std::ceil(time / step));
  const double share = factor * (time / static_cast<double>(steps ? steps : 1));
  std::vector<double> next(heat_.size());
  const size_t width = size_t(2) * dimensions_;
  for (size_t s = 0; s < steps; ++s) {
    for (size_t i = 0; i < heat_.size(); ++i) {
      double flow = 0;
      for (size_t j = i * width; j < (i + 1) * width; ++j)
        if (neighbours_[j] != kNone)
          flow += heat_[neighbours_[j]] - heat_[i];
        else if (!isInsulated)
          flow -= heat_[i];
      next[i] = pinned_[i] ? heat_[i] : heat_[i] + share * flow;
    }
    heat_.swap(next);
  }
  return steps;
}

std::optional<double> HeatGrid::heat(const Cell &cell) const {
  const auto found = index_.find(cell);
  if (found == index_.end()) return std::nullopt;
  return heat_[found->second];
}

double HeatGrid::total() const {
  double sum = 0;
  for (const double heat : heat_) sum += heat;
  return sum;
}

static std::optional<HeatGrid::Cell> cellOf(const State &state, unsigned dimensions) {
  HeatGrid::Cell cell;
  for (VariableId v = 0; v < dimensions; ++v) {
    const std::optional<int64_t> value = state.value(v);
    if (!value) return std::nullopt;
    cell.push_back(*value);
  }
  return cell;
}

/// False: there are more than `most`.
bool Diffusion::addWindows(const std::vector<HeatGrid::Cell> &seen, const Region &region,
                           size_t most) {
  // Windows that overlap a lot would be walked through again and again.
  constexpr double kWalksPerCell = 64;
  if (static_cast<double>(seen.size()) * std::pow(2 * radius_ + 1, dimensions_) >
      kWalksPerCell * static_cast<double>(most))
    return false;
  // Cells beyond the number range do not exist.
  for (const HeatGrid::Cell &centre : seen) {
    HeatGrid::Cell offset(dimensions_, -radius_), cell(dimensions_);
    for (bool more = true; more;) {
      bool exists = true;
      for (unsigned d = 0; d < dimensions_; ++d)
        exists &= !__builtin_add_overflow(centre[d], offset[d], &cell[d]);
      if (exists && !grid_.contains(cell)) {
        State state;
        for (unsigned d = 0; d < dimensions_; ++d) state.bindings.emplace_back(d, cell[d]);
        grid_.add(cell, 0, /*isPinned=*/!region.contains(state));
        if (grid_.size() > most) return false;
      }
      more = false;
      for (unsigned d = 0; d < dimensions_ && !more; ++d) {
        more = ++offset[d] <= radius_;
        if (!more) offset[d] = -radius_;
      }
    }
  }
  return true;
}

Diffusion::Diffusion(const Samples &samples, const Region &region, unsigned dimensions,
                     const DiffusionOptions &options)
    : dimensions_(dimensions), radius_(options.radius), grid_(dimensions) {
  std::vector<HeatGrid::Cell> seen;
  for (const auto &[state, count] : samples.counts())
    if (std::optional<HeatGrid::Cell> cell = cellOf(state, dimensions))
      seen.push_back(std::move(*cell));
  for (;; radius_ /= 2) {
    grid_ = HeatGrid(dimensions);
    // A seen state is hot even where the abstraction leaves it out (it should not).
    for (const HeatGrid::Cell &cell : seen) grid_.add(cell, 1, /*isPinned=*/true);
    if (!radius_ || addWindows(seen, region, std::max(options.mostCells, seen.size()))) break;
  }
  const double stable = stableStep(dimensions, options.factor);
  const double step = options.step > 0 ? std::min(options.step, stable) : stable / 2;
  if (radius_) steps_ = grid_.run(options.time, step, options.factor, options.isInsulated);
}

double Diffusion::probability(const State &state) const {
  const std::optional<HeatGrid::Cell> cell = cellOf(state, dimensions_);
  if (!cell) return 0;
  return std::clamp(grid_.heat(*cell).value_or(0), 0.0, 1.0);
}

} // namespace fathom::psp
