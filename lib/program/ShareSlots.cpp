// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/ShareSlots.h"

#include "program/Operands.h"
#include "program/SlotFlow.h"

#include "llvm/ADT/EquivalenceClasses.h"

#include <algorithm>
#include <numeric>

namespace fathom::program {
namespace {

/// Instructions first .. last, both included.
struct Segment {
  uint32_t first, last;
};
/// Ascending, disjoint, not touching.
using Range = std::vector<Segment>;

/// Appends what comes before everything in `range` (liveness is found from the end).
void prepend(Range &reversed, Segment s) {
  if (!reversed.empty() && s.last + 1 >= reversed.back().first)
    reversed.back().first = std::min(s.first, reversed.back().first);
  else
    reversed.push_back(s);
}

Range unite(const Range &a, const Range &b) {
  Range all;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
             [](const Segment &x, const Segment &y) { return x.first < y.first; });
  Range out;
  for (const Segment &s : all)
    if (!out.empty() && s.first <= out.back().last + 1)
      out.back().last = std::max(out.back().last, s.last);
    else
      out.push_back(s);
  return out;
}

bool overlap(const Range &few, const Range &many) {
  auto at = many.begin();
  for (const Segment &s : few) {
    at = std::lower_bound(at, many.end(), s.first,
                          [](const Segment &m, uint32_t first) { return m.last < first; });
    if (at == many.end()) return false;
    if (at->first <= s.last) return true;
  }
  return false;
}

class SlotSharing {
public:
  SlotSharing(const Program &program, FunctionCode &f)
      : program_(program), f_(f), shared_(f.localBase), liveness_(program, f, shared_) {}

  void run() {
    if (shared_ == f_.argSlots) return;
    findRanges();
    place();
    renumber();
  }

private:
  void findRanges() {
    ranges_.resize(shared_);
    constexpr uint32_t kDead = ~0u;
    std::vector<uint32_t> liveUntil(shared_, kDead);
    for (size_t i = liveness_.blocks().size(); i-- > 0;) {
      const SlotLiveness::Block &b = liveness_.blocks()[i];
      const llvm::BitVector out = liveness_.liveAtEnd(b);
      for (unsigned k : out.set_bits()) liveUntil[k] = b.last;
      for (uint32_t at = b.last + 1; at-- > b.first;) {
        liveness_.forEachSlotOf(f_.code[at], true, [&](uint32_t k) {
          prepend(ranges_[k], {at, liveUntil[k] == kDead ? at : liveUntil[k]});
          liveUntil[k] = kDead;
        });
        liveness_.forEachSlotOf(f_.code[at], false, [&](uint32_t k) {
          if (liveUntil[k] == kDead) liveUntil[k] = at;
        });
      }
      for (unsigned k : b.in.set_bits()) {
        prepend(ranges_[k], {b.first, liveUntil[k]});
        liveUntil[k] = kDead;
      }
    }
    for (Range &r : ranges_) std::reverse(r.begin(), r.end());
  }

  /// Slots that belong together: those that an instruction takes at once.
  void group() {
    for (uint32_t k = f_.argSlots; k < shared_; k++) groups_.insert(k);
    for (const Inst &i : f_.code)
      forEachAccess(program_, f_, i, [&](uint32_t slot, uint32_t n, bool) {
        if (slot < f_.argSlots) return; // parameters stay where they are
        for (uint32_t k = slot + 1; k < slot + n && k < shared_; k++) groups_.unionSets(slot, k);
      });
  }

  void place() {
    group();
    struct Group {
      uint32_t first, slots;
      Range live;
    };
    std::vector<Group> order;
    for (uint32_t k = f_.argSlots; k < shared_;) {
      Group g{k, 0, {}};
      const uint32_t leader = groups_.getLeaderValue(k);
      for (; k < shared_ && groups_.getLeaderValue(k) == leader; k++) {
        g.live = unite(g.live, ranges_[k]);
        g.slots++;
      }
      if (!g.live.empty()) order.push_back(std::move(g));
    }
    std::sort(order.begin(), order.end(), [](const Group &a, const Group &b) {
      return std::pair(a.live.front().first, a.first) < std::pair(b.live.front().first, b.first);
    });

    std::vector<Range> taken(f_.argSlots);
    place_.assign(shared_, 0);
    std::iota(place_.begin(), place_.begin() + f_.argSlots, 0);
    // The caller writes the parameters, before the first instruction.
    for (uint32_t k = 0; k < f_.argSlots; k++) taken[k] = unite(ranges_[k], Range{{0, 0}});
    for (const Group &g : order) {
      uint32_t at = 0;
      for (uint32_t k = 0; k < g.slots && at + k < taken.size();)
        if (overlap(g.live, taken[at + k]))
          at += k + 1, k = 0;
        else
          k++;
      taken.resize(std::max<size_t>(taken.size(), at + g.slots));
      for (uint32_t k = 0; k < g.slots; k++) {
        taken[at + k] = unite(taken[at + k], g.live);
        place_[g.first + k] = at + k;
      }
    }
    base_ = static_cast<uint32_t>(taken.size());
  }

  void renumber() {
    auto number = [&](uint32_t &slot) {
      slot = slot < shared_ ? place_[slot] : slot - shared_ + base_;
    };
    for (Inst &i : f_.code) forEachSlot(i, [&](uint32_t &slot, uint32_t, bool) { number(slot); });
    for (uint32_t &slot : f_.pool) number(slot);
    for (auto &list : f_.varArgs)
      for (VarArg &arg : list) number(arg.slot);
    f_.slots = f_.slots - shared_ + base_;
    f_.localBase = base_;
  }

  const Program &program_;
  FunctionCode &f_;
  const uint32_t shared_; ///< the slots below it are looked at
  const SlotLiveness liveness_;
  std::vector<Range> ranges_; ///< per slot
  llvm::EquivalenceClasses<uint32_t> groups_;
  std::vector<uint32_t> place_; ///< per slot: the one that it becomes
  uint32_t base_ = 0;           ///< the new localBase
};

} // namespace

void shareSlots(const Program &program, FunctionCode &function) {
  SlotSharing(program, function).run();
}

} // namespace fathom::program
