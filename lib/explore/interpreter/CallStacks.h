// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call stacks that bugs are told apart by: where the program was, and where an object was
// allocated.
//
// Recursion must not make thousands of bugs of one, so each call site of a stack is kept once,
// where it is innermost. Stacks are interned: an object holds a number. A frame remembers the
// number of the calls that led to it, so that asking again where the same frames are active costs
// one look-up in a table, however many they are.
#ifndef FATHOM_EXPLORE_INTERPRETER_CALLSTACKS_H
#define FATHOM_EXPLORE_INTERPRETER_CALLSTACKS_H

#include "explore/state/State.h"

#include <array>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fathom::explore {

struct CallSite {
  const program::Inst *at = nullptr; ///< the call; of the innermost frame, where it is
  uint32_t function = 0;
  bool operator==(const CallSite &) const = default;
};

/// A call from within a stack.
struct NestedCall {
  uint32_t from = 0; ///< the number of the stack
  CallSite site;
  bool operator==(const NestedCall &) const = default;
};

class CallStacks {
public:
  static constexpr uint32_t kEmpty = 0;   ///< the number of no calls
  static constexpr uint32_t kUnknown = 1; ///< of a stack that found no room; it has no sites
  /// Stacks are kept for good. Beyond this number, new ones are kUnknown.
  static constexpr size_t kMaxStacks = 1 << 16;
  /// Call sites; what lies further out is left out.
  static constexpr size_t kKept = 64;

  CallStacks() : stacks_(2) {}
  /// The number of the stack without repeated call sites. Equal stacks have equal numbers.
  uint32_t intern(const Frame *top, const program::Inst *at);
  /// Innermost first.
  std::span<const CallSite> sites(uint32_t number) const { return stacks_[number]; }
  /// The same, of a stack that need not have a number.
  static std::vector<CallSite> distinctSites(const Frame *top, const program::Inst *at);

private:
  struct Hash {
    size_t operator()(const NestedCall &call) const {
      return ((reinterpret_cast<uintptr_t>(call.site.at) ^ (uint64_t(call.from) << 40)) *
              0x9E3779B97F4A7C15ull) >>
             32;
    }
  };
  uint32_t extend(uint32_t from, const CallSite &site);
  /// The number of the stack `call.from` with `call.site` in front, which it has nowhere else.
  uint32_t internDistinct(const NestedCall &call);

  std::vector<std::vector<CallSite>> stacks_;
  std::unordered_multimap<uint64_t, uint32_t> numbers_;  ///< by hash; looked up only
  std::unordered_map<NestedCall, uint32_t, Hash> calls_; ///< looked up only
  /// Programs allocate in few places at a time.
  static constexpr unsigned kRecent = 256;
  std::array<std::pair<NestedCall, uint32_t>, kRecent> recent_;
  std::vector<const Frame *> unasked_;
};

} // namespace fathom::explore
#endif
