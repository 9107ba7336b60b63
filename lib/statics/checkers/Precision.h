// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each step of the analysis rules out: the same questions asked of points-to sets alone, of
// memory SSA, and of memory SSA with calls and returns that match.
#ifndef FATHOM_STATICS_CHECKERS_PRECISION_H
#define FATHOM_STATICS_CHECKERS_PRECISION_H

#include "statics/checkers/View.h"

#include <array>
#include <atomic>

namespace fathom::statics {

/// What a level leaves, the ones before leave too: each is an over-approximation, so all of them
/// may rule out. (Alone, paths through versions of memory are not always fewer: from one function
/// to the next, memory that both tell apart differently is taken for one another.)
enum class FlowLevel : uint8_t {
  PointsTo,  ///< versions of memory are one: all that is ever stored in a location is in it
  MemorySsa, ///< versions; a path may leave a function through any of its callers
  Summaries, ///< and it leaves through the call it came in by
};
inline constexpr size_t kFlowLevels = 3;
const char *nameOf(FlowLevel level);

/// May what the source makes (null, or the address of a variable) be what the sink dereferences, or
/// frees?
struct FlowPair {
  evidence::BugKind kind{}; ///< or InvalidFree
  StatementId source = kNone, sink = kNone;
  std::array<bool, kFlowLevels> may{}; ///< by level
};

struct PrecisionOptions {
  uint32_t mostSources = 250; ///< of each kind; of more, every n-th
  uint32_t mostLoads = 250;   ///< of more, every n-th
};

struct Precision {
  double pointees = 0; ///< locations that an address in the program's own code may be, in the mean
  uint32_t sources = 0, sourcesAsked = 0, loads = 0, loadsAsked = 0;
  struct Level {
    uint64_t stores = 0; ///< pairs of a load that was asked and a store that it may read
    uint64_t pairs = 0;  ///< FlowPairs
    double seconds = 0;  ///< that the questions took
  };
  std::array<Level, kFlowLevels> levels;
  std::vector<FlowPair> pairs; ///< those that some level leaves, by source
  bool isComplete = true;      ///< false: `stop` ended it
};

/// Cost: O(graph) for each source, load and level, in the worst case.
Precision measurePrecision(View &view, const PrecisionOptions &options,
                           const std::atomic<bool> &stop);
/// \param withPairs  also each pair, with the levels that leave it.
std::string printPrecision(const View &view, const Precision &precision, bool withPairs);

} // namespace fathom::statics
#endif
