// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins states at one place: decides whether they can become one, and makes its values.
#ifndef FATHOM_EXPLORE_MERGE_STATEJOIN_H
#define FATHOM_EXPLORE_MERGE_STATEJOIN_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"
#include "program/SlotFlow.h"

#include <functional>
#include <map>
#include <memory>
#include <span>

namespace fathom::explore {

class StateJoin : private EngineComponent {
public:
  explicit StateJoin(const Services &services) : EngineComponent(services) {}

  /// Why the two states cannot be joined; null: nothing but their values can prevent it.
  static const char *whyApart(const State &a, const State &b);

  /// Are the states at one place, and do they agree on all values that are read later? Registers
  /// that are not in `steering` may differ, and then bytes that are terms as well (null: nothing
  /// may).
  bool isSame(const State &a, const State &b, const llvm::BitVector *steering);
  /// Registers of its function that are read later.
  llvm::BitVector liveAt(const State &s);
  /// A hash: equal for states that are equal; most likely different if registers differ.
  uint64_t signature(const State &s, const llvm::BitVector *steering);

  struct Values {
    /// One term for values[i] of the i-th state, all of one width; null: none was found.
    std::function<ExprPtr(std::span<const ExprPtr>)> synthesised;
    /// The same, but always returns a term.
    std::function<ExprPtr(std::span<const ExprPtr>)> chosen;
    /// Called with each term that was found for differing values; may be empty.
    std::function<void(std::span<const ExprPtr>, ExprPtr)> noted;
  };
  /// Values::synthesised for paths without a pattern: the common term, if all values are equal.
  static ExprPtr equalTerms(std::span<const ExprPtr> terms);
  /// Makes `into`, a copy of one of the states, stand for all of them: joins registers that are
  /// read later, and memory. False: a difference cannot be a term (then `into` is garbage).
  bool join(State &into, std::span<const State *const> states, const Values &values);

private:
  struct Flow {
    program::SlotLiveness liveness;
    program::SlotWidths widths;
  };
  const Flow &flowOf(uint32_t function);
  bool isSameFrame(const State &a, const State &b, const llvm::BitVector *steering);
  bool joinFrame(State &into, std::span<const State *const> states, const Values &values);
  bool joinMemory(State &into, std::span<const State *const> states, const Values &values);
  void joinLengths(State &into, std::span<const ObjectState *const> objects, const Values &values);
  bool joinObject(State &into, std::span<const ObjectState *const> objects, const Values &values);
  bool joinPage(State &into, std::span<const ObjectState *const> objects, uint32_t page,
                const Values &values);
  void joinBytes(State &into, std::span<const ObjectState *const> objects, uint64_t from,
                 uint64_t to, const Values &values);
  ExprPtr wordOf(const ObjectState &object, uint64_t offset, unsigned bytes);
  ExprPtr merged(std::span<const ExprPtr> terms, const Values &values);

  std::map<uint32_t, std::unique_ptr<Flow>> flows_;
};

} // namespace fathom::explore
#endif
