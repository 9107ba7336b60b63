// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Measure.h"

#include "estimate/Analysis.h"
#include "estimate/Blocks.h"
#include "estimate/UnitSeries.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace fathom::assess {

using namespace estimate;

const char *widthName(Width width) {
  switch (width) {
  case Width::Published: return "published";
  case Width::Blocks: return "blocks";
  }
  return "";
}

static uint64_t commonMultiple(const std::vector<uint32_t> &sizes) {
  uint64_t all = 1;
  for (uint32_t size : sizes) all = std::min<uint64_t>(std::lcm(all, size), UINT32_MAX);
  return all;
}

uint32_t joinedUnits(uint32_t units, const std::vector<uint32_t> &sizes) {
  return static_cast<uint32_t>(units - units % commonMultiple(sizes));
}

std::string MeasureOptions::validate(uint32_t units) const {
  if (levels.empty()) return "no confidence level; expected one between 0 and 1";
  for (double level : levels)
    if (!(level > 0 && level < 1))
      return fmt::format("confidence level {:g}; expected a number between 0 and 1", level);
  if (points == 0 || points > units)
    return fmt::format("{} points in time for {} units; expected 1 to {}", points, units, units);
  if (sizes.empty() || sizes.front() != 1)
    return "unit sizes: expected 1 as the first, which is the unit of the campaigns";
  for (size_t i = 1; i < sizes.size(); ++i)
    if (sizes[i] <= sizes[i - 1])
      return fmt::format("unit sizes: {} after {}; expected ascending numbers", sizes[i],
                         sizes[i - 1]);
  uint32_t left = joinedUnits(units, sizes) / sizes.back();
  if (left < 2)
    return fmt::format("unit sizes up to {}: the {} units of a trial make {} of them; expected two "
                       "and more, of as many units as each size divides",
                       sizes.back(), units, left);
  return "";
}

static Answers answer(IncidenceMatrix matrix, const MeasureOptions &options, uint64_t &observed) {
  Incidence data;
  data.counts = tally(matrix);
  data.matrix = std::move(matrix);
  observed = data.counts.observed();
  EstimateOptions how;
  how.replicates = options.replicates;
  how.seed = options.seed;
  const Blocks blocks = collapse(*data.matrix);
  const double effect = designEffect(blocks);
  Rng rng(options.seed, kReachStream);
  const Reach reach(blocks, discoveryProbability(*data.matrix, options.levels.front()), rng);
  Answers answers;
  for (const NamedEstimate &named : estimateAll(data, how)) {
    StoredAnswer answer;
    answer.status = named.estimate.status;
    answer.value = named.estimate.value;
    answer.raw = named.estimate.raw;
    Estimate wide = widenedFor(named, static_cast<double>(observed), effect, std::nullopt);
    extend(wide, named.estimator, reach);
    for (double level : options.levels) {
      answer.intervals[0].push_back(named.estimate.interval(level));
      answer.intervals[1].push_back(wide.interval(level));
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

Measured measure(const IncidenceMatrix &matrix, const MeasureOptions &options) {
  Measured measured;
  const uint32_t units = matrix.units();
  UnitSeries series = unitSeries(matrix);
  measured.stopUnits = stopRule(series).since;
  measured.accumulation = std::move(series.observed);
  for (uint32_t i = 1; i <= options.points; ++i) {
    Snapshot snapshot;
    snapshot.units = static_cast<uint32_t>(uint64_t(units) * i / options.points);
    snapshot.answers = answer(firstUnits(matrix, snapshot.units), options, snapshot.observed);
    measured.snapshots.push_back(std::move(snapshot));
  }
  const IncidenceMatrix whole = firstUnits(matrix, joinedUnits(units, options.sizes));
  Rng rng(options.seed, /*stream=*/31);
  const IncidenceMatrix mixed = selectUnits(whole, randomOrder(whole.units(), rng));
  for (bool shuffled : {false, true})
    for (uint32_t size : options.sizes) {
      if (shuffled && size == 1) continue; // the order of single units does not matter
      Joined joined{size, shuffled, 0, {}};
      joined.answers = answer(regroup(shuffled ? mixed : whole, size), options, joined.observed);
      measured.joined.push_back(std::move(joined));
    }
  return measured;
}

// ---- JSON
// --------------------------------------------------------------------------------------------------

namespace json = llvm::json;

std::string levelName(double level) {
  std::string text = fmt::format("{:.2f}", level);
  return std::stod(text) == level ? text : fmt::format("{}", level);
}

json::Value orNull(const std::optional<double> &number) {
  return number ? json::Value(*number) : json::Value(nullptr);
}

static json::Object answersJson(const Answers &answers, const std::vector<double> &levels) {
  json::Object out;
  for (size_t i = 0; i < answers.size(); ++i) {
    const StoredAnswer &answer = answers[i];
    json::Object one{{"status", statusName(answer.status)},
                     {"estimate", orNull(answer.value)},
                     {"raw", orNull(answer.raw)}};
    for (Width width : kWidths) {
      json::Object intervals;
      for (size_t l = 0; l < levels.size(); ++l) {
        const auto &interval = answer.intervals[static_cast<size_t>(width)][l];
        intervals[levelName(levels[l])] =
            interval ? json::Value(json::Array{interval->lower, interval->upper})
                     : json::Value(nullptr);
      }
      one[width == Width::Published ? "ci" : "ci_blocks"] = std::move(intervals);
    }
    out[estimatorKey(allEstimators()[i])] = std::move(one);
  }
  return out;
}

/// Everything that the answers depend on.
static json::Object optionsJson(const MeasureOptions &options) {
  json::Array levels, sizes, estimators;
  for (double level : options.levels) levels.push_back(level);
  for (uint32_t size : options.sizes) sizes.push_back(size);
  for (Estimator estimator : allEstimators()) estimators.push_back(estimatorKey(estimator));
  return json::Object{{"levels", std::move(levels)}, {"unit_sizes", std::move(sizes)},
                      {"points", options.points},    {"replicates", options.replicates},
                      {"seed", options.seed},        {"estimators", std::move(estimators)}};
}

json::Object toJson(const Measured &measured, const MeasureOptions &options) {
  json::Array accumulation, snapshots, joined;
  for (uint64_t observed : measured.accumulation) accumulation.push_back(observed);
  for (const Snapshot &s : measured.snapshots)
    snapshots.push_back(json::Object{{"units", s.units},
                                     {"observed", s.observed},
                                     {"estimators", answersJson(s.answers, options.levels)}});
  for (const Joined &j : measured.joined)
    joined.push_back(json::Object{{"unit_size", j.size},
                                  {"shuffled", j.shuffled},
                                  {"observed", j.observed},
                                  {"estimators", answersJson(j.answers, options.levels)}});
  return json::Object{{"options", optionsJson(options)},
                      {"accumulation", std::move(accumulation)},
                      {"stop_rule_units", measured.stopUnits},
                      {"over_time", std::move(snapshots)},
                      {"by_unit_size", std::move(joined)}};
}

namespace {

/// Reads what toJson writes; `fine` tells whether everything was there.
class Reader {
public:
  explicit Reader(const MeasureOptions &options) : options_(options) {}
  bool fine = true;

  uint64_t number(const json::Object &in, const char *name) {
    if (auto value = in.getInteger(name); value && *value >= 0)
      return static_cast<uint64_t>(*value);
    fine = false;
    return 0;
  }

  std::optional<double> real(const json::Object &in, const char *name) {
    if (auto value = in.getNumber(name)) return value;
    fine &= in.get(name) != nullptr;
    return std::nullopt;
  }

  Answers answers(const json::Object &in) {
    const json::Object *all = in.getObject("estimators");
    Answers answers;
    for (Estimator estimator : allEstimators()) {
      const json::Object *one = all ? all->getObject(estimatorKey(estimator)) : nullptr;
      StoredAnswer answer;
      if (!one) {
        fine = false;
        return answers;
      }
      answer.status = status(*one);
      answer.value = real(*one, "estimate");
      answer.raw = real(*one, "raw");
      for (Width width : kWidths)
        intervals(one->getObject(width == Width::Published ? "ci" : "ci_blocks"),
                  answer.intervals[static_cast<size_t>(width)]);
      answers.push_back(std::move(answer));
    }
    return answers;
  }

private:
  Status status(const json::Object &in) {
    for (Status s :
         {Status::Ok, Status::Fallback, Status::BelowObserved, Status::VarianceUnavailable,
          Status::NotEstimable, Status::InsufficientUnits, Status::Capped})
      if (in.getString("status") == llvm::StringRef(statusName(s))) return s;
    fine = false;
    return Status::NotEstimable;
  }

  void intervals(const json::Object *in, std::vector<std::optional<Interval>> &out) {
    for (double level : options_.levels) {
      const json::Array *pair = in ? in->getArray(levelName(level)) : nullptr;
      out.emplace_back();
      if (!pair) {
        fine &= in && in->get(levelName(level));
        continue;
      }
      auto low = pair->size() == 2 ? (*pair)[0].getAsNumber() : std::nullopt;
      auto high = pair->size() == 2 ? (*pair)[1].getAsNumber() : std::nullopt;
      fine &= low && high;
      if (low && high) out.back() = Interval{*low, *high};
    }
  }

  const MeasureOptions &options_;
};

} // namespace

llvm::Expected<Measured> measuredFromJson(const json::Object &in, const MeasureOptions &options) {
  auto refuse = [](const char *why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
  };
  const json::Object *made = in.getObject("options");
  if (!made || *made != optionsJson(options))
    return refuse("made with other levels, unit sizes or estimators");
  Reader reader(options);
  Measured measured;
  measured.stopUnits = reader.number(in, "stop_rule_units");
  const json::Array *accumulation = in.getArray("accumulation");
  const json::Array *snapshots = in.getArray("over_time"), *joined = in.getArray("by_unit_size");
  if (!accumulation || !snapshots || !joined || snapshots->size() != options.points ||
      joined->size() != 2 * options.sizes.size() - 1)
    return refuse("not the estimates of a trial");
  for (const json::Value &value : *accumulation)
    if (auto observed = value.getAsInteger(); observed && *observed >= 0)
      measured.accumulation.push_back(static_cast<uint64_t>(*observed));
    else
      reader.fine = false;
  for (const json::Value &value : *snapshots) {
    const json::Object *one = value.getAsObject();
    if (!one) return refuse("not the estimates of a trial");
    measured.snapshots.push_back({static_cast<uint32_t>(reader.number(*one, "units")),
                                  reader.number(*one, "observed"), reader.answers(*one)});
  }
  for (const json::Value &value : *joined) {
    const json::Object *one = value.getAsObject();
    if (!one) return refuse("not the estimates of a trial");
    measured.joined.push_back({static_cast<uint32_t>(reader.number(*one, "unit_size")),
                               one->getBoolean("shuffled").value_or(false),
                               reader.number(*one, "observed"), reader.answers(*one)});
  }
  if (!reader.fine) return refuse("not the estimates of a trial");
  return measured;
}

} // namespace fathom::assess
