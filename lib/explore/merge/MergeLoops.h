// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program has loops that are merged, and regions between markers: what is known of them
// before anything runs. A region begins in front of its loop, or at the call of the marker.
#ifndef FATHOM_EXPLORE_MERGE_MERGELOOPS_H
#define FATHOM_EXPLORE_MERGE_MERGELOOPS_H

#include "explore/merge/MergeOptions.h"
#include "explore/policy/Policy.h"
#include "program/Code.h"
#include "program/CodeFlow.h"

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

/// A loop, or what begins with a marker.
struct MergeLoop {
  static constexpr uint32_t kNone = ~0u;
  uint32_t function = kNone;
  uint32_t line = 0;        ///< of its header; 0: not known
  uint32_t header = 0;      ///< its first instruction; the call of the marker
  uint32_t outer = kNone;   ///< the next loop around it that is one of these
  std::set<uint32_t> exits; ///< the first instructions after it
  bool isMarked = false;
};

/// What a marker's instruction is to a region between markers. Leave: a return of the function that
/// opened it, where it closes it as well.
enum class MergeMark : uint8_t { None, Open, Close, Leave };

/// An instruction that a region begins or ends at.
struct MergeSite {
  uint32_t enters = MergeLoop::kNone; ///< the loop that comes next
  MergeMark mark = MergeMark::None;
  uint32_t opens = MergeLoop::kNone; ///< the region that the marker opens
};

class MergeLoops {
public:
  MergeLoops() = default;
  /// O(code), and of functions with loops that of finding them.
  MergeLoops(const program::Program &program, const MergeOptions &options);

  const MergeLoop &operator[](uint32_t loop) const { return loops_[loop]; }
  /// REQUIRES: one of sites().
  const MergeSite &site(uint32_t function, uint32_t inst) const {
    return sites_.at(key(function, inst));
  }
  /// In the order of the code.
  std::vector<PointSite> sites() const;

private:
  static uint64_t key(uint32_t function, uint32_t inst) { return uint64_t(function) << 32 | inst; }
  void findMarkers(const program::Program &program);
  void findLoops(const program::Program &program, const program::FunctionCode &f,
                 const MergeOptions &options);
  bool isWanted(const program::Program &program, const program::FunctionCode &f,
                const program::CodeFlow &flow, const program::CodeLoop &loop, uint32_t line,
                const MergeOptions &options);
  bool isBounded(const program::Program &program, uint32_t function);
  bool callsAreBounded(const program::Program &program, const program::FunctionCode &f,
                       uint32_t first, uint32_t last);
  bool hasMarker(const program::FunctionCode &f, uint32_t first, uint32_t last) const;
  void addLoop(const program::FunctionCode &f, const program::CodeFlow &flow,
               const program::CodeLoop &loop, uint32_t line, uint32_t outer, bool headerIsSite);

  std::vector<MergeLoop> loops_;
  std::unordered_map<uint64_t, MergeSite> sites_; ///< looked up, or sorted
  std::unordered_map<uint32_t, bool> bounded_;    ///< functions; looked up only
};

} // namespace fathom::explore
#endif
