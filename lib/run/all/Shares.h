// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which part runs next, and on how many processors. Fuzzing and exploring share them: the
// part that lately brought more for each processor second gets more, and no part gets less than a
// floor.
//
// Stride scheduling (C. Waldspurger, W. Weihl, Stride Scheduling, 1995): each part has a pass,
// which grows by the time it used divided by its share; those with the smallest pass run. The time
// is what they really used, so the shares also hold where other work keeps the processors busy.
// Pure: knows no processes and no clock.
#ifndef FATHOM_RUN_ALL_SHARES_H
#define FATHOM_RUN_ALL_SHARES_H

#include <cstddef>
#include <vector>

namespace fathom::run {

class Shares {
public:
  /// How many processors a part uses when it runs.
  struct Width {
    unsigned least = 1, most = 1;
  };
  explicit Shares(const std::vector<Width> &widths);

  /// A slice is over in which the part used so many processor seconds and brought so much (new
  /// branch sides count 1, a bug or a settled report kBug).
  void note(size_t part, double seconds, double gain);
  static constexpr double kBug = 20;
  void remove(size_t part); ///< it has ended

  /// How many processors each part gets in the next slice, by pass; at least one part gets its
  /// least. A part that used next to nothing in its last slice waits for something, and runs
  /// besides.
  std::vector<unsigned> next(unsigned processors) const;
  /// The part's share of the time, 0 to 1; all of those that have not ended add up to 1.
  double shareOf(size_t part) const;

private:
  /// No part gets a smaller share of the time.
  static constexpr double kFloor = 0.2;
  /// What was brought fades to a third in so many processor seconds.
  static constexpr double kMemory = 30;
  /// Gains for each second that all are thought to have brought before anything is known.
  static constexpr double kPrior = 0.1;
  /// A slice on one processor, in seconds, and how far a part may be behind: who waited for long
  /// does not have everything for as long afterwards.
  static constexpr double kSlice = 2, kLag = 10;
  struct One {
    Width width;
    double pass = 0, seconds = 0, gain = 0;
    bool isIdle = false, isOver = false;
  };
  std::vector<One> parts_;
};

} // namespace fathom::run
#endif
