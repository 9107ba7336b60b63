// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who runs next. Fuzzing, exploration and the judging of reports share a number of processors; who
// brought more lately for each processor second gets more, and nobody gets less than a floor.
//
// Stride scheduling (C. Waldspurger, W. Weihl, Stride Scheduling, 1995): each part has a pass,
// which grows by the time it used divided by its weight; those with the smallest pass run. Pure:
// knows no processes and no clock.
#ifndef FATHOM_RUN_ALL_SHARES_H
#define FATHOM_RUN_ALL_SHARES_H

#include <cstddef>
#include <vector>

namespace fathom::run {

class Shares {
public:
  /// \param widths  by part: how many processors it uses when it runs, at least 1.
  explicit Shares(std::vector<unsigned> widths);

  /// A slice is over in which the part used so many processor seconds and brought so much (new
  /// branch sides count 1, a bug or a settled report kBug).
  void note(size_t part, double seconds, double gain);
  static constexpr double kBug = 20;
  void remove(size_t part); ///< it has ended

  /// The parts that run in the next slice, ascending: as many as fit, by pass; at least one. A part
  /// that used next to nothing in its last slice waits for something, and runs besides.
  std::vector<size_t> next(unsigned processors) const;
  /// The part's share of the time, 0 to 1; all of those that have not ended add up to 1.
  double shareOf(size_t part) const;

private:
  /// Nobody gets less of the time.
  static constexpr double kFloor = 0.2;
  /// What was brought fades to a third in so many processor seconds.
  static constexpr double kMemory = 30;
  /// Gains for each second that all are thought to have brought before anything is known.
  static constexpr double kPrior = 0.1;
  struct One {
    unsigned width = 1;
    double pass = 0, seconds = 0, gain = 0;
    bool isIdle = false, isOver = false;
  };
  std::vector<One> parts_;
};

} // namespace fathom::run
#endif
