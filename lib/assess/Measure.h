// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a study needs of one trial: what every estimator said while the campaign ran (RQ1), and what
// it says when the same units are joined to longer ones (RQ2). Small, so that a trial of a million
// incidences is read once, on the machine that ran it.
#ifndef FATHOM_ASSESS_MEASURE_H
#define FATHOM_ASSESS_MEASURE_H

#include "estimate/Accuracy.h"
#include "estimate/Estimators.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fathom::assess {

struct MeasureOptions {
  std::vector<double> levels{0.90, 0.95}; ///< of intervals; the first is the one that verdicts use
  std::vector<uint32_t> sizes{1, 2, 4};   ///< of units, in units of the campaign; ascending
  uint32_t points = 10;                   ///< in time, equally far from each other
  unsigned replicates = 100;              ///< of the NPMLEs' intervals
  uint64_t seed = 1;
  bool operator==(const MeasureOptions &) const = default;
  /// "" or which is wrong and what would be right. `units`: of a trial.
  std::string validate(uint32_t units) const;
};

/// Where intervals come from.
enum class Width {
  Published, ///< elements taken for independent, as the estimators' authors have it
  Blocks,    ///< widened for elements that are always covered together (estimate::designEffect),
             ///< and no narrower than the units support (estimate::Reach): what people are shown
};
inline constexpr Width kWidths[] = {Width::Published, Width::Blocks};
const char *widthName(Width width); ///< "published", "blocks"

/// What one estimator said, without what cannot be stored.
struct StoredAnswer {
  estimate::Status status = estimate::Status::NotEstimable;
  std::optional<double> value, raw;
  /// By width and level.
  std::vector<std::optional<estimate::Interval>> intervals[std::size(kWidths)];

  estimate::Answer at(Width width, size_t level) const {
    return {value, intervals[static_cast<size_t>(width)].at(level)};
  }
};
/// In the order of estimate::allEstimators().
using Answers = std::vector<StoredAnswer>;

struct Snapshot {
  uint32_t units = 0; ///< of the campaign until then
  uint64_t observed = 0;
  Answers answers;
};

/// The same units joined. `shuffled`: in random order first, which leaves estimates alone when only
/// the length of units matters; what moves them in the campaign's order and not in a random one is
/// the campaign getting better while it runs.
struct Joined {
  uint32_t size = 1;
  bool shuffled = false;
  uint64_t observed = 0;
  Answers answers;
};

struct Measured {
  std::vector<uint64_t> accumulation; ///< elements covered after each unit
  uint64_t stopUnits = 0;          ///< first unit of the stop rule (estimate::stopRule); 0: never
  std::vector<Snapshot> snapshots; ///< by time; the last one is the whole trial
  std::vector<Joined> joined;      ///< by size; then the same shuffled, of the sizes that are not 1
};

/// \param matrix  the units of one trial: exactly as many as the study asks for.
/// Joins only as many units as every size divides, so that all see the same data.
/// Determinism: by options.seed. Cost: O((points + sizes) * (incidences + estimators)).
Measured measure(const estimate::IncidenceMatrix &matrix, const MeasureOptions &options);

/// How many of `units` units are joined to the sizes: all sizes see the same ones.
uint32_t joinedUnits(uint32_t units, const std::vector<uint32_t> &sizes);

llvm::json::Object toJson(const Measured &measured, const MeasureOptions &options);
/// Errors: not what toJson writes; of other estimators, levels or sizes, so that it has to be made
/// anew.
llvm::Expected<Measured> measuredFromJson(const llvm::json::Object &json,
                                          const MeasureOptions &options);

/// "0.90": how levels are called in JSON.
std::string levelName(double level);
llvm::json::Value orNull(const std::optional<double> &number);

} // namespace fathom::assess
#endif
