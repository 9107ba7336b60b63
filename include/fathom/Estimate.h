// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_ESTIMATE_H
#define FATHOM_API_ESTIMATE_H

/// \file
/// How much code a fuzzing campaign can still reach, as `fathom estimate` says it
/// (docs/estimate.md).

#include <fathom/Result.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom::api {

/// What to count.
struct EstimateOptions {
  /// "branch-sides", "blocks" or "statements" (--of); "": branch sides. Only a campaign.db records
  /// them.
  std::string of;
  uint32_t firstUnits = 0; ///< only so many sampling units (--first); 0: all
  double level = 0.9;      ///< of intervals (--level), above 0 and below 1
  uint64_t ahead = 0;      ///< units to look ahead (--ahead); 0: as many as there were
};

/// How far an estimate can be trusted: a judgement by rules, not a probability.
enum class Trust {
  Good, ///< precise, and nothing in the data speaks against it
  Fair, ///< imprecise, or something in the data speaks against it
  Poor, ///< hardly more than a hint
  None  ///< the estimator gives no value
};

/// The answer of one estimator.
struct Estimate {
  std::string key;                 ///< "chao2_bc"
  std::string name;                ///< "Chao2-bc"
  std::optional<double> reachable; ///< elements that can be reached, those covered included
  std::optional<double> lower;     ///< the lower end of the interval
  std::optional<double> upper;     ///< the upper end of the interval
  Trust trust = Trust::None;       ///< how far it can be trusted
  std::string remark;              ///< why it is not trusted better; may be empty
};

/// What a campaign says about the code that it can reach.
struct CampaignEstimate {
  std::string elements;          ///< what is counted: "branch sides"
  uint64_t units = 0;            ///< sampling units
  uint64_t covered = 0;          ///< elements that some unit covered
  std::optional<uint64_t> total; ///< elements that there are, reachable or not; if it is known
  double sampleCoverage = 0;     ///< estimated share of the detection probability that is covered
  std::optional<double> expectedNew; ///< elements that the next `ahead` units would add
  uint64_t ahead = 0;                ///< units that expectedNew is about
  std::vector<Estimate> estimates;   ///< of every estimator, most trusted first
  std::optional<size_t> best;        ///< index of the answer to use; none if no estimator has one
};

/// Estimates how many elements a campaign can reach.
///
/// \param input  The results folder of fuzz() or its campaign.db; an incidence matrix (CSV), or a
/// file of
///               frequency counts (JSON).
/// Errors: Usage if the input cannot be read or has no complete unit, or an option is wrong.
/// Guarantee: point estimates with intervals, under assumptions that docs/estimate.md lists.
/// Determinism: equal in every run.
/// Threads: neither starts threads nor forks.
/// Cost: linear in the data for each estimator; two of them are repeated on 200 resamples.
Result<CampaignEstimate> estimate(const std::string &input, const EstimateOptions &options = {});

} // namespace fathom::api
#endif
