// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and coverage that come from outside while an exploration runs, for example from a fuzzing
// campaign beside it.
//
// An offered input is followed to the end of its path, concretely, and without a query. Beside its
// path only those sides wait for a query that nothing has covered yet (decide/InputSides.h): so a
// long input costs what its uncovered sides cost. An input that is being followed belongs to its
// path, like the path's log: it goes to other workers and into checkpoints with it.
#ifndef FATHOM_EXPLORE_WORK_INPUTSOURCE_H
#define FATHOM_EXPLORE_WORK_INPUTSOURCE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::explore {

/// The coordinator calls these functions between other work, so they must not wait.
class InputSource {
public:
  virtual ~InputSource() = default;
  /// Returns the next inputs to follow, raw (Seed::raw), and at most `most` of them. No input is
  /// returned twice.
  virtual std::vector<std::vector<uint8_t>> take(size_t most) = 0;
  /// Returns the sides of the program's own branches (Coverage::sideCover) that were covered
  /// outside of the exploration since the last call.
  virtual std::vector<uint32_t> covered() = 0;
  /// Is told that the exploration covered these sides, each of them once. Sides that covered()
  /// returned may be among them.
  virtual void found(const std::vector<uint32_t> &sides) = 0;
  /// Returns how many workers may run now. The others rest, because other work has their
  /// processors. They stop between two turns of states, so that the time limit of no query runs
  /// meanwhile.
  virtual unsigned mostWorkers() const { return ~0u; }
  /// Returns false if no more inputs will come. Then the exploration ends when no state is left.
  virtual bool isOpen() const = 0;
};

} // namespace fathom::explore
#endif
