// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and coverage that others find while an exploration runs (a fuzzing campaign beside it).
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

/// The coordinator calls it, between other things: it must not wait.
class InputSource {
public:
  virtual ~InputSource() = default;
  /// The next inputs to follow, raw (Seed::raw), at most so many. Each input comes once.
  virtual std::vector<std::vector<uint8_t>> take(size_t most) = 0;
  /// Sides of the program's own branches (Coverage::sideCover) that have been covered elsewhere
  /// since the last call.
  virtual std::vector<uint32_t> covered() = 0;
  /// Sides that no earlier call has named were covered here. What came from covered() may be among
  /// them.
  virtual void found(const std::vector<uint32_t> &sides) = 0;
  /// So many workers may run now; the others rest, because somebody else has their processors. They
  /// stop between two turns of states, so that no query's time runs meanwhile.
  virtual unsigned mostWorkers() const { return ~0u; }
  /// False: no inputs will come any more. The exploration ends when no state is left.
  virtual bool isOpen() const = 0;
};

} // namespace fathom::explore
#endif
