// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Satisfiability.h"

#include "support/Rng.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace fathom::psp {

const char *textOf(NoEstimate reason) {
  switch (reason) {
  case NoEstimate::NeverReached: return "never reached";
  case NoEstimate::NotExpressible: return "not expressible";
  }
  return "";
}

namespace {

using Box = std::vector<std::pair<int64_t, int64_t>>;

/// Numbers of states in a box, which may be far beyond 2^64.
double volume(const Box &box) {
  double out = 1;
  for (const auto &[lo, hi] : box) out *= static_cast<double>(__int128(hi) - lo + 1);
  return out;
}

class Summation {
public:
  Summation(const Model &model, const Condition &condition, const SatisfiabilityOptions &options)
      : model_(model), condition_(condition), options_(options), rng_(options.seed) {}

  ConditionProbability run() {
    if (findSeen()) return finish();
    split();
    // Boxes of which every state is looked at, as far as the budget goes.
    std::vector<Box> rest;
    uint64_t left = options_.mostStates;
    for (const Box &box : leaves_) {
      if (volume(box) > static_cast<double>(left)) {
        rest.push_back(box);
        continue;
      }
      left -= static_cast<uint64_t>(volume(box));
      enumerate(box);
    }
    if (!rest.empty()) sample(rest);
    return finish();
  }

private:
  /// Sampled states that satisfy the condition are certain to be reached.
  bool findSeen() {
    for (const auto &[state, count] : model_.samples().counts())
      if (condition_.holds(state)) {
        out_.isSeen = true;
        best_ = 1;
        out_.witness = state;
        out_.source = Source::Seen;
        return true;
      }
    return false;
  }

  /// The box around all samples and what their heat can reach, within A_f; absent: it is empty, or
  /// a variable was never sampled.
  std::optional<Box> hull() const {
    Box box(model_.samples().names().size(), {INT64_MAX, INT64_MIN});
    for (const auto &[state, count] : model_.samples().counts())
      for (const auto &[variable, value] : state.bindings) {
        box[variable].first = std::min(box[variable].first, value);
        box[variable].second = std::max(box[variable].second, value);
      }
    for (VariableId v = 0; v < box.size(); ++v) {
      auto &[lo, hi] = box[v];
      if (lo > hi) return std::nullopt;
      if (__builtin_sub_overflow(lo, model_.reach(), &lo)) lo = INT64_MIN;
      if (__builtin_add_overflow(hi, model_.reach(), &hi)) hi = INT64_MAX;
      const auto [least, most] = model_.region().range(v);
      lo = std::max(lo, least);
      hi = std::min(hi, most);
      if (lo > hi) return std::nullopt;
    }
    return box;
  }

  bool isHopeless(const Box &box) const {
    const Interval value = condition_.range(box);
    return (value.lo == 0 && value.hi == 0) || !model_.near().touches(box, model_.reach());
  }

  void split() {
    const std::optional<Box> all = hull();
    if (!all || model_.region().isEmpty) return;
    // Breadth first: when the budget of boxes ends, those that are left are about as large.
    constexpr double kSmall = 64;
    std::deque<Box> open{*all};
    for (uint64_t looked = 0; !open.empty(); ++looked) {
      Box box = std::move(open.front());
      open.pop_front();
      if (looked >= options_.mostBoxes) {
        leaves_.push_back(std::move(box));
        continue;
      }
      if (isHopeless(box)) continue;
      if (volume(box) <= kSmall) {
        leaves_.push_back(std::move(box));
        continue;
      }
      size_t widest = 0;
      auto width = [&](size_t v) { return __int128(box[v].second) - box[v].first; };
      for (size_t v = 1; v < box.size(); ++v)
        if (width(v) > width(widest)) widest = v;
      Box low = box;
      const auto middle = static_cast<int64_t>(box[widest].first + width(widest) / 2);
      low[widest].second = middle;
      box[widest].first = middle + 1;
      open.push_back(std::move(low));
      open.push_back(std::move(box));
    }
  }

  /// The state's probability, and 0 if it does not satisfy the condition.
  double look(const State &state) {
    ++out_.states;
    if (!condition_.holds(state)) return 0;
    const StateProbability p = model_.at(state);
    if (p.probability > best_) {
      best_ = p.probability;
      out_.witness = state;
      out_.source = p.source;
    }
    return p.probability;
  }

  static double logComplement(double p) { return std::log1p(-std::min(p, 1 - 1e-12)); }

  void enumerate(const Box &box) {
    State state;
    for (VariableId v = 0; v < box.size(); ++v) state.bindings.emplace_back(v, box[v].first);
    for (bool more = true; more;) {
      const double p = look(state);
      sum_ += p;
      logs_ += logComplement(p);
      more = false;
      for (VariableId v = 0; v < box.size() && !more; ++v) {
        int64_t &value = state.bindings[v].second;
        more = value < box[v].second;
        value = more ? value + 1 : box[v].first;
      }
    }
  }

  int64_t drawBetween(int64_t lo, int64_t hi) {
    const uint64_t span = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo) + 1;
    const uint64_t bits = (uint64_t(rng_.next()) << 32) | rng_.next();
    if (!span) return static_cast<int64_t>(bits);
    const auto scaled = static_cast<uint64_t>((static_cast<unsigned __int128>(bits) * span) >> 64);
    return static_cast<int64_t>(static_cast<uint64_t>(lo) + scaled);
  }

  /// States of the boxes, all with the same probability to be drawn.
  void sample(const std::vector<Box> &boxes) {
    out_.isSampled = true;
    std::vector<double> ends;
    double all = 0;
    for (const Box &box : boxes) ends.push_back(all += volume(box));
    double sum = 0, squares = 0, logs = 0, logSquares = 0;
    for (uint64_t i = 0; i < options_.draws; ++i) {
      const double at = all * (rng_.next() / 4294967296.0);
      const size_t which = std::min<size_t>(
          static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), at) - ends.begin()),
          boxes.size() - 1);
      State state;
      for (VariableId v = 0; v < boxes[which].size(); ++v)
        state.bindings.emplace_back(v, drawBetween(boxes[which][v].first, boxes[which][v].second));
      const double p = look(state), l = logComplement(p);
      sum += p, squares += p * p;
      logs += l, logSquares += l * l;
    }
    const auto n = static_cast<double>(options_.draws);
    auto error = [&](double total, double squared) {
      const double mean = total / n, variance = std::max(0.0, squared / n - mean * mean);
      return 1.96 * all * std::sqrt(variance / n);
    };
    sum_ += all * sum / n;
    logs_ += all * logs / n;
    out_.upperError = error(sum, squares);
    // d(1 - e^x) = e^x dx
    out_.independentError = std::exp(logs_) * error(logs, logSquares);
  }

  ConditionProbability finish() {
    const double epsilon = model_.options().epsilon;
    if (out_.isSeen) {
      out_.lower = out_.upper = out_.independent = 1;
      return out_;
    }
    out_.lower = clampEstimate(best_, epsilon);
    out_.upper = clampEstimate(std::min(1.0, sum_), epsilon);
    out_.independent = clampEstimate(-std::expm1(logs_), epsilon);
    return out_;
  }

  const Model &model_;
  const Condition &condition_;
  const SatisfiabilityOptions &options_;
  Rng rng_;
  std::vector<Box> leaves_;
  ConditionProbability out_;
  double best_ = 0, sum_ = 0, logs_ = 0;
};

} // namespace

Satisfiability satisfiability(const std::optional<Model> &model, const Condition &condition,
                              const SatisfiabilityOptions &options) {
  if (!model) return NoEstimate::NeverReached;
  return Summation(*model, condition, options).run();
}

std::variant<NoEstimate, double> conjunction(const Samples &samples, const Region &region,
                                             const Forest &forest,
                                             std::span<const Condition> clauses,
                                             const ModelOptions &modelOptions,
                                             const SatisfiabilityOptions &options) {
  double product = 1;
  Samples filtered = samples;
  Region cut = region;
  for (const Condition &clause : clauses) {
    const Satisfiability p =
        satisfiability(Model::learn(filtered, cut, forest, modelOptions), clause, options);
    if (const auto *none = std::get_if<NoEstimate>(&p)) return *none;
    product *= std::get<ConditionProbability>(p).lower;
    filtered = filtered.filter([&](const State &state) { return clause.holds(state); });
    cut.predicate = [before = cut.predicate, clause](const State &state) {
      return (!before || before(state)) && clause.holds(state);
    };
  }
  return product;
}

} // namespace fathom::psp
