// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Neighbourhood.h"

#include <algorithm>
#include <cmath>

namespace fathom::psp {

std::optional<double> distance(const State &a, const State &b) {
  double sum = 0;
  bool shares = false;
  auto i = a.bindings.begin(), j = b.bindings.begin();
  while (i != a.bindings.end() && j != b.bindings.end()) {
    if (i->first != j->first) {
      i->first < j->first ? ++i : ++j;
      continue;
    }
    // The difference of two 64-bit numbers needs 65 bits.
    const auto apart = static_cast<double>(__int128(i->second) - j->second);
    sum += apart * apart;
    shares = true;
    ++i, ++j;
  }
  if (!shares) return std::nullopt;
  return std::sqrt(sum);
}

Neighbourhood::Neighbourhood(const Samples &samples) : samples_(samples) {
  for (const auto &[state, count] : samples.counts()) {
    isUniform_ &= state.bindings.size() == samples.names().size();
    (state.value(0) ? byFirst_ : others_).push_back({&state, count});
  }
  // The multiset is in order of states, and so by the value of variable 0.
}

static int64_t firstOf(const Neighbour &neighbour) {
  return neighbour.state->bindings.front().second;
}

template <class Visit> void Neighbourhood::scan(const State &state, double k, Visit visit) const {
  auto from = byFirst_.begin(), to = byFirst_.end();
  if (const std::optional<int64_t> first = state.value(0)) {
    const auto radius = static_cast<int64_t>(std::floor(k));
    int64_t lo, hi;
    if (__builtin_sub_overflow(*first, radius, &lo)) lo = INT64_MIN;
    if (__builtin_add_overflow(*first, radius, &hi)) hi = INT64_MAX;
    from = std::lower_bound(from, to, lo,
                            [](const Neighbour &n, int64_t bound) { return firstOf(n) < bound; });
    to = std::upper_bound(from, to, hi,
                          [](int64_t bound, const Neighbour &n) { return bound < firstOf(n); });
  }
  auto consider = [&](const Neighbour &n) {
    const std::optional<double> apart = distance(state, *n.state);
    return !(apart && *apart <= k) || visit(n);
  };
  for (; from != to; ++from)
    if (!consider(*from)) return;
  for (const Neighbour &n : others_)
    if (!consider(n)) return;
}

std::vector<Neighbour> Neighbourhood::within(const State &state, double k) const {
  std::vector<Neighbour> out;
  scan(state, k, [&](const Neighbour &n) {
    out.push_back(n);
    return true;
  });
  return out;
}

uint64_t Neighbourhood::size(const State &state, double k, uint64_t enough) const {
  uint64_t sum = 0;
  scan(state, k, [&](const Neighbour &n) { return (sum += n.count) < enough; });
  return std::min(sum, enough);
}

/// Equal in all variables that both bind, but for one.
static bool isOnLine(const State &a, const State &b, VariableId along) {
  return std::all_of(a.bindings.begin(), a.bindings.end(), [&](const auto &binding) {
    if (binding.first == along) return true;
    const std::optional<int64_t> other = b.value(binding.first);
    return !other || *other == binding.second;
  });
}

std::vector<int64_t> Neighbourhood::line(const State &state, VariableId along, int64_t k) const {
  std::vector<int64_t> out;
  const int64_t own = *state.value(along);
  if (isUniform_ && state.bindings.size() == samples_.names().size()) {
    State moved = state;
    for (int64_t offset = -k; offset <= k; ++offset) {
      int64_t value;
      if (__builtin_add_overflow(own, offset, &value)) continue;
      moved.set(along, value);
      if (samples_.count(moved)) out.push_back(value);
    }
    return out;
  }
  for (const Neighbour &n : within(state, static_cast<double>(k)))
    if (const std::optional<int64_t> other = n.state->value(along);
        other && isOnLine(state, *n.state, along))
      out.push_back(*other);
  return out;
}

bool Neighbourhood::touches(std::span<const std::pair<int64_t, int64_t>> box,
                            int64_t margin) const {
  auto inside = [&](int64_t value, const std::pair<int64_t, int64_t> &side) {
    return value >= __int128(side.first) - margin && value <= __int128(side.second) + margin;
  };
  auto bound = [&](const Neighbour &n) {
    for (VariableId v = 0; v < box.size(); ++v) {
      const std::optional<int64_t> value = n.state->value(v);
      if (!value || !inside(*value, box[v])) return false;
    }
    return true;
  };
  if (box.empty()) return !byFirst_.empty() || !others_.empty();
  const __int128 lo = __int128(box[0].first) - margin;
  auto from = std::lower_bound(byFirst_.begin(), byFirst_.end(), lo,
                               [](const Neighbour &n, __int128 l) { return firstOf(n) < l; });
  for (; from != byFirst_.end() && inside(firstOf(*from), box[0]); ++from)
    if (bound(*from)) return true;
  return false;
}

} // namespace fathom::psp
