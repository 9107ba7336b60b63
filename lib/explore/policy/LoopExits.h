// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where loops can be left. It is the same for all searches of a program, and to find it takes
// longer than a short search may: many share one.
#ifndef FATHOM_EXPLORE_POLICY_LOOPEXITS_H
#define FATHOM_EXPLORE_POLICY_LOOPEXITS_H

#include "explore/policy/Policy.h"
#include "program/Code.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

class LoopExits {
public:
  /// Cost: that of a CodeFlow of each function with loops.
  explicit LoopExits(const program::Program &program);

  /// A branch or switch with a way out of its loop.
  struct Exit {
    uint32_t loop;           ///< of the function: its header's instruction
    std::vector<bool> stays; ///< by way, as decisions number them
  };
  /// Null: the instruction is none.
  const Exit *at(uint32_t function, uint32_t inst) const;
  /// Where the ways lead that stay in a loop: each place once, by function.
  const std::vector<PointSite> &staying() const { return staying_; }

private:
  void add(const program::FunctionCode &f);
  static uint64_t keyOf(uint32_t function, uint32_t inst) {
    return uint64_t(function) << 32 | inst;
  }

  std::unordered_map<uint64_t, Exit> exits_; ///< looked up only
  std::vector<PointSite> staying_;
};

} // namespace fathom::explore
#endif
