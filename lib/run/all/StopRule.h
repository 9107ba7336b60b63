// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is going on worth it? The rule of estimate/Doubling.h, in the processor time of all parts of a
// run: what going on for as long again would cover is what the second half brought, and one more.
// It does not depend on which part found what.
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
  /// Not before kLeast seconds; then as soon as the prediction is not worth it.
  bool isEnough(double seconds) const;
  static constexpr double kLeast = 60;

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
