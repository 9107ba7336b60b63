// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How probable it is that a patch leaves the values of variables as they were ([psp23] Sec. IV-C,
// Eq. 12), and orders of patches by it.
//
// Hypothesis 1 of the paper: a right patch hardly changes which values variables can have. So for
// each variable v that the patch names, and each value x that v has while the tests run on the
// patched program, P(I(v = x)) is the probability that the program before the patch reaches a state
// with v = x. Eq. 12 is the product of these: 1 - |1 - P| = P.
#ifndef FATHOM_REPAIR_RANK_H
#define FATHOM_REPAIR_RANK_H

#include "psp/Model.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace fathom::repair {

/// The values that each variable had while the tests ran on the patched program: X|T(delta(f)) in
/// [psp23].
using SeenValues = std::map<std::string, std::set<int64_t>>;

/// P(I(v = x)) of the program before the patch.
class ValueModels {
public:
  /// \param samples  of the variable alone, with id 0, from all points that count.
  void learn(const std::string &variable, psp::Samples samples);
  /// None: nothing is known of the variable. 1 if the campaign saw the value; otherwise an estimate
  /// in [epsilon, 1 - epsilon].
  std::optional<double> probability(const std::string &variable, int64_t value) const;

private:
  std::map<std::string, psp::Model> models_;
};

/// The probability that a patch leaves the values of variables as they were: Eq. 12.
struct UnchangedProbability {
  double probability = 1;
  /// Its natural logarithm: products of many factors are 0 as numbers, and still in an order.
  double logarithm = 0;
  size_t bindings = 0; ///< factors
  /// The factor below 1 that is the smallest: why the probability is not 1.
  std::string variable;
  int64_t value = 0;
  double least = 1;
};

/// None: nothing is known of any variable, so there is no estimate (which differs from 1).
std::optional<UnchangedProbability> unchangedProbability(const ValueModels &models,
                                                         const SeenValues &values);

/// Scales the scores of another tool to [0, 1]: (s - least) / (largest - least), or 1 if all are
/// equal. A patch without a score stays without one.
std::vector<std::optional<double>> normalisedScores(std::span<const std::optional<double>> scores);

/// How right a patch is that changes values, beside one that does not.
inline constexpr double kRightWhenChanged = 0.1;

/// The probability that a patch is right, by total probability over whether it leaves values
/// unchanged (U):
///
///   P(right) = P(right | U) P(U) + P(right | not U) (1 - P(U)) = s p + c s (1 - p)
///
/// \param score      s: what the other tool says, in [0, 1]; none: 0, the least.
/// \param unchanged  p, Eq. 12; none: 1/2, since either is as likely for all that is known.
/// The paper says only that the theorem is used; c is kRightWhenChanged.
double probabilityOfRight(std::optional<double> score, std::optional<double> unchanged);

/// The sort key of a patch that another tool made.
struct RankKey {
  std::optional<UnchangedProbability> unchanged;
  std::optional<double> score; ///< normalised
};

/// Indices, best first. By probabilityOfRight() if any has a score; then by Eq. 12, estimates
/// before none; what is equal in both stays in its order.
std::vector<size_t> rankPatches(std::span<const RankKey> keys);

/// The sort key of a patch that replaces one expression by another.
struct EditKey {
  std::optional<UnchangedProbability> unchanged;
  size_t distance = 0;  ///< tokenDistance of the two expressions
  size_t exchanged = 0; ///< variables that exactly one of the two expressions reads
  size_t size = 0;
};

/// Indices, best first: by distance; then by Eq. 12; then by variables exchanged, and size; what is
/// equal in all stays in its order.
///
/// Distance is before Eq. 12 because one more token weighs more than any probability. There are
/// more than ten ways to change one more token (operators, numbers, and variables in scope), so a
/// single patch among them is less than a tenth as likely to be the right one; a patch that surely
/// changes values is still a tenth as likely as one that surely does not (kRightWhenChanged).
///
/// Eq. 12 counts in tenths, because estimates of two campaigns differ by that much (docs/psp.md:
/// 0.62 to 0.77 for the one assertion that ten campaigns were compared on): below it, the
/// expressions themselves say more. None counts as 1/2, as in probabilityOfRight().
std::vector<size_t> rankEdits(std::span<const EditKey> keys);

} // namespace fathom::repair
#endif
