// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all paths together have reached, and the trace of each.
#ifndef FATHOM_EXPLORE_INTERPRETER_COVERAGE_H
#define FATHOM_EXPLORE_INTERPRETER_COVERAGE_H

#include "explore/interpreter/ExecutableCode.h"

#include <vector>

namespace fathom::explore {

class Coverage {
public:
  Coverage(const program::Program &program, const ExecutableCode &code,
           const ExploreOptions &options);

  std::vector<uint8_t> cover;     ///< per instruction of the program: was it jumped to (or entered)
  std::vector<uint8_t> sideCover; ///< per side of the program's own branches
  static constexpr uint32_t kSideBit =
      1u << 31; ///< in State::newlyCovered: an index into sideCover, not into cover
  std::vector<uint32_t>
      justCovered;          ///< the same as in State::newlyCovered, of all paths, until it is taken
  uint64_t newCoverage = 0; ///< counts own targets covered for the first time

  bool isSideCovered(uint32_t branchId, uint32_t side) const {
    return sideCover[sideBase_[branchId] + side] != 0;
  }
  /// The state takes this side of a branch of the program's own.
  void traceBranch(State &state, uint32_t branchId, uint32_t side) {
    state.traceHash = traceStep(state.traceHash, branchId, side);
    if (options_.odds) [[unlikely]]
      tellOdds(state, branchId, side);
    uint64_t n = ++state.traceCount;
    if (n == state.nextCheckpoint) traceCheckpoint(state);
    uint8_t &seen = sideCover[sideBase_[branchId] + side];
    if (!seen) {
      seen = 1;
      noteNewCoverage(state, (sideBase_[branchId] + side) | kSideBit);
    }
  }
  /// The state jumps to (or enters a function at) this index of `cover`.
  void coverTarget(State &state, uint64_t index) {
    if (!cover[index]) {
      cover[index] = 1;
      if (ownInst_[index]) noteNewCoverage(state, static_cast<uint32_t>(index));
    }
  }
  /// The line after a call is reached only when the callee returns.
  void coverAfterCall(State &state, const Inst *next) {
    const uint32_t function = state.top->function;
    coverTarget(state, coverBase_[function] + static_cast<uint64_t>(next - code_.codeOf(function)));
  }

private:
  void traceCheckpoint(State &state);
  void tellOdds(State &state, uint32_t branchId, uint32_t side) const;
  void noteNewCoverage(State &state, uint32_t what) {
    newCoverage++;
    justCovered.push_back(what);
    state.newlyCovered.push(what);
    state.lastNewCoverage = state.instructions;
  }

  const ExecutableCode &code_;
  const ExploreOptions &options_;
  std::vector<uint8_t> ownInst_;    ///< per instruction: of the program's own code
  std::vector<uint32_t> coverBase_; ///< per function
  std::vector<uint32_t> sideBase_;
};

} // namespace fathom::explore
#endif
