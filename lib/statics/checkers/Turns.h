// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One budget of time for several checkers: each has an equal share of what those before it left, so
// that the last ones have a turn too.
#ifndef FATHOM_STATICS_CHECKERS_TURNS_H
#define FATHOM_STATICS_CHECKERS_TURNS_H

#include <atomic>
#include <cstddef>
#include <functional>

namespace fathom::statics {

class Turns {
public:
  /// How much of the time is gone: 0 to 1, and more when it is over.
  using Used = std::function<double()>;

  /// No bound of time, only `stop`.
  explicit Turns(const std::atomic<bool> &stop) : stop_(stop) {}
  /// \param count  how many turns begin.
  Turns(const std::atomic<bool> &stop, Used used, size_t count)
      : stop_(stop), used_(std::move(used)), left_(count) {}

  /// The next turn begins, and the one before is over.
  void begin();
  /// Whatever runs in this turn has to end. Cost: that of `used`.
  bool isOver() const { return share() >= 1; }
  /// How much of this turn is gone: 0 to 1, and more when it is over or `stop` is set.
  double share() const;

private:
  const std::atomic<bool> &stop_;
  const Used used_;
  size_t left_ = 0;
  double begin_ = 0, end_ = 1;
};

} // namespace fathom::statics
#endif
