// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether an expensive technique, which helps on some programs only, is worth another
// trial. It counts trials, not time, so that runs stay reproducible.
#ifndef FATHOM_SOLVER_SUCCESSRATE_H
#define FATHOM_SOLVER_SUCCESSRATE_H

#include <cstdint>

namespace fathom::solver {

class SuccessRate {
public:
  /// True while enough trials succeed (more than one in twenty; the latest count most). After that,
  /// true each sixteenth time, so that a change of the program's behaviour is noticed.
  bool isDue() { return rate_ > kLeast || ++skipped_ % kEvery == 0; }
  void note(bool success) { rate_ += ((success ? 1.0 : 0.0) - rate_) * kNewest; }

private:
  static constexpr double kLeast = 0.05, kNewest = 1.0 / 8;
  static constexpr uint64_t kEvery = 16;
  double rate_ = 1; ///< of success
  uint64_t skipped_ = 0;
};

} // namespace fathom::solver
#endif
