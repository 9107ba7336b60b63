// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is going on worth it? What is found later is found more and more slowly: in most runs about as
// much in the second half of the time as in the time that doubles it. So the gain of going on for
// as long again is predicted by what the second half brought, and one more, because nothing found
// is no proof of nothing left. It does not depend on which part found what.
//
// Checked by fathom's own study of real programs (bench/RESULTS.md).
#ifndef FATHOM_RUN_ALL_STOPRULE_H
#define FATHOM_RUN_ALL_STOPRULE_H

#include <cstdint>
#include <vector>

namespace fathom::run {

class StopRule {
public:
  /// So many sides were covered first at this time (processor seconds of all parts, not falling).
  void found(double seconds, uint64_t sides);

  /// Sides that going on for `seconds` again would cover, after so many. O(discoveries).
  double predictedGain(double seconds) const;
  /// Not before kLeast seconds; then as soon as the prediction is below kWorth of what is covered,
  /// or below 2 sides.
  bool isEnough(double seconds) const;
  static constexpr double kLeast = 60, kWorth = 0.002;

private:
  struct Found {
    double seconds;
    uint64_t sides;
  };
  std::vector<Found> found_;
  uint64_t covered_ = 0;
};

} // namespace fathom::run
#endif
