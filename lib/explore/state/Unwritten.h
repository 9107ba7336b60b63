// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a path knows of the bytes that it read and that were never written.
//
// Each byte gets a number, in the order in which the path reads them, and with it a term
// (ExprContext::uninitByte). Reading the byte again, or a copy of it, gives the same term, and a
// replay of the path numbers the bytes alike. A byte is *settled* when a decision depended on it:
// from then on it is a symbol of the path like any other, and is not reported again.
#ifndef FATHOM_EXPLORE_STATE_UNWRITTEN_H
#define FATHOM_EXPLORE_STATE_UNWRITTEN_H

#include "explore/interpreter/Memory.h"
#include "explore/state/PersistentList.h"

#include <memory>
#include <vector>

namespace fathom::explore {

class Unwritten {
public:
  /// Where an unwritten byte comes from: the same on every path that leaves the same variable, or
  /// the same block of the heap, unwritten there.
  using Source = uint64_t;

  /// The object of an unwritten byte, and its offset there.
  struct Origin {
    uint64_t object, offset, address;
  };
  static bool isCopy(const ObjectState &o, uint64_t offset) {
    return offset - o.copied.to < o.copied.bytes;
  }
  /// The origin of a byte; a copy has the origin of what was copied.
  static Origin originOf(const ObjectState &o, uint64_t offset) {
    const uint64_t address = o.base() + offset;
    if (isCopy(o, offset)) {
      const uint64_t n = offset - o.copied.to;
      return {o.copied.object, o.copied.from + n, o.copied.address + n};
    }
    // A local variable is the same in all calls. Blocks of the heap are distinguished by their
    // address: the function that allocates them is often one for the whole program.
    const bool isLocal = o.info->kind == ObjectKind::Stack;
    return {key(o.info->function, o.info->inst, isLocal ? 0 : o.base()), offset, address};
  }
  /// Numbers `count` bytes, at `offset` of the object; returns the number of the first.
  uint32_t add(const ObjectState &object, uint64_t offset, uint32_t count) {
    const Origin origin = originOf(object, offset);
    return add(origin.object, origin.offset, count);
  }
  /// The same, of a variable that is no object: `inst` of `function` reads it.
  /// \param isValue  there is no variable either: the code has an undefined value in its place
  uint32_t addVariable(uint32_t function, uint32_t inst, uint32_t count, bool isValue) {
    return add(key(function, inst, 0), 0, count, isValue);
  }

  static Source sourceOf(const Origin &origin) { return mixed(origin.object, origin.offset); }
  /// Linear in the number of reads of unwritten memory since.
  Source sourceOf(uint32_t number) const {
    const ListNode<Run> *n = runs_.last.get();
    while (n->value.first > number) n = n->previous.get();
    return mixed(n->value.object, n->value.offset + (number - n->value.first));
  }

  /// Does it stand for an undefined value, and not for memory?
  bool isValue(uint32_t number) const {
    const ListNode<Run> *n = runs_.last.get();
    while (n->value.first > number) n = n->previous.get();
    return n->value.isValue;
  }

  bool isSettled(uint32_t number) const {
    return settled_ && number < settled_->size() && (*settled_)[number];
  }
  uint32_t size() const { return next_; } ///< bytes that were numbered
  bool anySettled() const { return settled_ != nullptr; }
  /// Linear in the number of bytes: decisions by new ones are rare.
  void settle(const std::vector<uint32_t> &numbers) {
    auto copy = settled_ ? std::make_shared<std::vector<bool>>(*settled_)
                         : std::make_shared<std::vector<bool>>();
    copy->resize(next_);
    for (uint32_t number : numbers) (*copy)[number] = true;
    settled_ = std::move(copy);
  }

private:
  /// Consecutive numbers of consecutive bytes.
  struct Run {
    uint32_t first;
    uint64_t object, offset;
    bool isValue;
  };
  static uint64_t mixed(uint64_t h, uint64_t v) {
    h = (h ^ v) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 29);
  }
  static uint64_t key(uint32_t function, uint32_t inst, uint64_t base) {
    return mixed(mixed(kSeed, uint64_t(function) << 32 | inst), base);
  }
  uint32_t add(uint64_t object, uint64_t offset, uint32_t count, bool isValue = false) {
    runs_.push({next_, object, offset, isValue});
    next_ += count;
    return next_ - count;
  }
  static constexpr uint64_t kSeed = 0xcbf29ce484222325ull;
  uint32_t next_ = 0;
  PersistentList<Run> runs_;
  std::shared_ptr<const std::vector<bool>> settled_; ///< by number; null: none
};

} // namespace fathom::explore
#endif
