// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Incidence.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace fathom::estimate {

Result<FrequencyCounts>
FrequencyCounts::make(uint64_t units, std::vector<std::pair<uint64_t, uint64_t>> frequencies) {
  constexpr uint64_t kExact = uint64_t(1) << 53;
  std::sort(frequencies.begin(), frequencies.end());
  if (units >= kExact) return Failure{fmt::format("{} units: expected fewer than 2^53", units)};
  FrequencyCounts result;
  result.units_ = units;
  uint64_t last = 0;
  for (auto [k, count] : frequencies) {
    if (k == 0)
      return Failure{"frequency 0: elements that were never covered are not counted; expected 1 to "
                     "the number of units"};
    if (k > units)
      return Failure{
          fmt::format("frequency {} with {} unit{}: expected at most the number of units", k, units,
                      units == 1 ? "" : "s")};
    if (k == last) return Failure{fmt::format("frequency {} is given twice", k)};
    last = k;
    if (count == 0) continue;
    if (count >= kExact / k || result.incidences_ + k * count >= kExact)
      return Failure{
          fmt::format("frequency {} of {} elements: the sum of all is too large", k, count)};
    result.observed_ += count;
    result.incidences_ += k * count;
    result.frequencies_.emplace_back(k, count);
  }
  return result;
}

Result<FrequencyCounts> FrequencyCounts::fromDense(uint64_t units,
                                                   std::span<const uint64_t> counts) {
  std::vector<std::pair<uint64_t, uint64_t>> frequencies;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i]) frequencies.emplace_back(i + 1, counts[i]);
  return make(units, std::move(frequencies));
}

uint64_t FrequencyCounts::count(uint64_t k) const {
  auto at = std::lower_bound(frequencies_.begin(), frequencies_.end(), std::pair(k, uint64_t(0)));
  return at != frequencies_.end() && at->first == k ? at->second : 0;
}

uint64_t FrequencyCounts::observedUpTo(uint64_t cutoff) const {
  uint64_t sum = 0;
  for (auto [k, count] : frequencies_) {
    if (k > cutoff) break;
    sum += count;
  }
  return sum;
}

void IncidenceMatrix::add(std::span<const uint32_t> row, std::string name) {
  assert(std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end() &&
         "unit indices ascend");
  assert((row.empty() || row.back() < units_) && "unit index below the number of units");
  if (!name.empty() || !names_.empty()) {
    names_.resize(listed()); // rows before the first name have none
    names_.push_back(std::move(name));
  }
  entries_.insert(entries_.end(), row.begin(), row.end());
  start_.push_back(entries_.size());
}

const std::string &IncidenceMatrix::name(size_t element) const {
  static const std::string none;
  return names_.empty() ? none : names_[element];
}

FrequencyCounts tally(const IncidenceMatrix &matrix) {
  std::vector<uint64_t> counts(matrix.units(), 0);
  for (size_t i = 0; i < matrix.listed(); ++i)
    if (size_t y = matrix.row(i).size()) counts[y - 1]++;
  return *FrequencyCounts::fromDense(matrix.units(), counts);
}

/// Of `units` units like those of the matrix.
static std::optional<double> executionsOf(const IncidenceMatrix &matrix, double units) {
  if (!matrix.executions() || matrix.units() == 0) return std::nullopt;
  return *matrix.executions() * (units / matrix.units());
}

IncidenceMatrix regroup(const IncidenceMatrix &matrix, uint32_t r) {
  assert(r >= 1 && "units per group");
  uint32_t groups = matrix.units() / r;
  IncidenceMatrix result(groups);
  result.setExecutions(executionsOf(matrix, double(groups) * r));
  std::vector<uint32_t> row;
  for (size_t i = 0; i < matrix.listed(); ++i) {
    row.clear();
    for (uint32_t unit : matrix.row(i)) {
      uint32_t group = unit / r;
      if (group < groups && (row.empty() || row.back() != group)) row.push_back(group);
    }
    result.add(row, matrix.name(i));
  }
  return result;
}

IncidenceMatrix firstUnits(const IncidenceMatrix &matrix, uint32_t units) {
  assert(units <= matrix.units() && "as many units as there are");
  bool listsUncovered = false;
  for (size_t i = 0; i < matrix.listed() && !listsUncovered; ++i)
    listsUncovered = matrix.row(i).empty();
  IncidenceMatrix result(units);
  result.setExecutions(executionsOf(matrix, units));
  for (size_t i = 0; i < matrix.listed(); ++i) {
    const std::span<const uint32_t> row = matrix.row(i);
    const auto kept = std::lower_bound(row.begin(), row.end(), units) - row.begin();
    if (kept || listsUncovered) result.add(row.first(static_cast<size_t>(kept)), matrix.name(i));
  }
  return result;
}

IncidenceMatrix selectUnits(const IncidenceMatrix &matrix, std::span<const uint32_t> order) {
  // Where each old unit goes, as lists in one array.
  std::vector<size_t> start(matrix.units() + 1, 0);
  for (uint32_t unit : order) start[unit + 1]++;
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<uint32_t> places(order.size());
  std::vector<size_t> next(start.begin(), start.end() - 1);
  for (uint32_t i = 0; i < order.size(); ++i) places[next[order[i]]++] = i;

  IncidenceMatrix result(static_cast<uint32_t>(order.size()));
  result.setExecutions(executionsOf(matrix, static_cast<double>(order.size())));
  std::vector<uint32_t> row;
  for (size_t i = 0; i < matrix.listed(); ++i) {
    row.clear();
    for (uint32_t unit : matrix.row(i))
      row.insert(row.end(), places.begin() + static_cast<ptrdiff_t>(start[unit]),
                 places.begin() + static_cast<ptrdiff_t>(start[unit + 1]));
    std::sort(row.begin(), row.end());
    result.add(row, matrix.name(i));
  }
  return result;
}

std::vector<uint32_t> randomOrder(uint32_t units, Rng &rng) {
  std::vector<uint32_t> order(units);
  std::iota(order.begin(), order.end(), 0);
  for (uint32_t i = units; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

uint64_t unitsWithFrequency(const IncidenceMatrix &matrix, uint64_t from, uint64_t to) {
  std::vector<bool> has(matrix.units(), false);
  for (size_t i = 0; i < matrix.listed(); ++i)
    if (size_t y = matrix.row(i).size(); y >= from && y <= to)
      for (uint32_t unit : matrix.row(i)) has[unit] = true;
  return static_cast<uint64_t>(std::count(has.begin(), has.end(), true));
}

} // namespace fathom::estimate
