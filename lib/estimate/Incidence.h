// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Incidence data: which element (branch, function, ...) was covered in which sampling unit (a slice
// of a fuzzing campaign, the same length each). Almost every estimator needs only how many elements
// were covered in exactly k units; standard errors that do without independence, and regrouping,
// need the matrix.
//
//   t    units         number of sampling units, the columns of the matrix
//   Y_i  frequency     number of units in which element i was covered
//   Q_k  count(k)      number of elements with Y_i = k
//   D    observed()    elements covered at least once
//   U    incidences()  sum of k Q_k, the ones in the matrix
#ifndef FATHOM_ESTIMATE_INCIDENCE_H
#define FATHOM_ESTIMATE_INCIDENCE_H

#include "estimate/Result.h"

#include "support/Rng.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fathom::estimate {

/// Incidence frequency counts (t, Q).
class FrequencyCounts {
public:
  FrequencyCounts() = default;
  /// \param units        t.
  /// \param frequencies  pairs (k, Q_k) in any order, each k once; pairs with Q_k = 0 are dropped.
  /// Errors: k = 0, k > t, the same k twice, or totals that do not fit into 53 bits (they could not
  /// be computed with exactly).
  static Result<FrequencyCounts> make(uint64_t units,
                                      std::vector<std::pair<uint64_t, uint64_t>> frequencies);
  /// From a vector with Q_k at place k-1.
  static Result<FrequencyCounts> fromDense(uint64_t units, std::span<const uint64_t> counts);

  uint64_t units() const { return units_; }
  /// Q_k; 0 for any k that does not occur. O(log of the number of distinct frequencies).
  uint64_t count(uint64_t k) const;
  uint64_t observed() const { return observed_; }
  uint64_t incidences() const { return incidences_; }
  /// (k, Q_k) with Q_k > 0, by ascending k.
  std::span<const std::pair<uint64_t, uint64_t>> frequencies() const { return frequencies_; }
  /// Elements with Y <= cutoff.
  uint64_t observedUpTo(uint64_t cutoff) const;

  bool operator==(const FrequencyCounts &) const = default;

private:
  uint64_t units_ = 0, observed_ = 0, incidences_ = 0;
  std::vector<std::pair<uint64_t, uint64_t>> frequencies_;
};

/// The incidence matrix, sparse: for each element the units that cover it. An element that no unit
/// covers may be in it; it counts for nothing but listed().
class IncidenceMatrix {
public:
  /// \param units  t; at most 2^32 - 1.
  explicit IncidenceMatrix(uint32_t units = 0) : units_(units) {}
  /// \param row  unit indices, each < units, ascending, each once. Unit of measure: 0-based.
  void add(std::span<const uint32_t> row, std::string name = {});

  uint32_t units() const { return units_; }
  size_t listed() const { return start_.size() - 1; }
  std::span<const uint32_t> row(size_t element) const {
    return {entries_.data() + start_[element], start_[element + 1] - start_[element]};
  }
  /// "" when elements have no names.
  const std::string &name(size_t element) const;
  /// Of all units together, where it is known. Where units are selected or joined, in proportion.
  std::optional<double> executions() const { return executions_; }
  void setExecutions(std::optional<double> executions) { executions_ = executions; }
  size_t incidences() const { return entries_.size(); }

private:
  uint32_t units_;
  std::vector<uint32_t> entries_;
  std::vector<size_t> start_{0};
  std::vector<std::string> names_;
  std::optional<double> executions_;
};

/// Of a matrix that lists every element that could be covered: how its numbers go together with
/// those of the program.
struct Listing {
  uint64_t unreachable = 0; ///< left out of the matrix: known to be never covered
  /// Not covered in the matrix, though something covered them that is no sample of the campaign
  /// (seeds, calibration), or a unit that is not complete.
  uint64_t coveredApart = 0;
};

/// What a file or a campaign gives: counts always, the matrix where it is known.
struct Incidence {
  FrequencyCounts counts;
  std::optional<IncidenceMatrix> matrix;
  std::optional<Listing> listing = std::nullopt; ///< where the matrix is known to list everything
};

/// O(listed elements + t).
FrequencyCounts tally(const IncidenceMatrix &matrix);

/// Groups r consecutive units into one that covers what any of them covers. The last t mod r units
/// are dropped, because a shorter unit would break the model of equal units; elements that only
/// they covered become uncovered. REQUIRES r >= 1. Cost: O(incidences).
IncidenceMatrix regroup(const IncidenceMatrix &matrix, uint32_t r);

/// The first `units` units, and nothing that only later ones tell: a matrix that lists covered
/// elements alone does not list those that only later units cover. REQUIRES units <= t. Cost:
/// O(incidences + t).
IncidenceMatrix firstUnits(const IncidenceMatrix &matrix, uint32_t units);

/// The same units in another order: unit i of the result is unit order[i] of the matrix. `order`
/// may name a unit several times or never (resampling); then its length is the new t. Cost:
/// O(incidences + t), times how often units are repeated.
IncidenceMatrix selectUnits(const IncidenceMatrix &matrix, std::span<const uint32_t> order);

/// A uniformly random order of 0 .. units-1.
std::vector<uint32_t> randomOrder(uint32_t units, Rng &rng);

/// How many units contain at least one element whose frequency is from `from` to `to`.
uint64_t unitsWithFrequency(const IncidenceMatrix &matrix, uint64_t from, uint64_t to);

} // namespace fathom::estimate
#endif
