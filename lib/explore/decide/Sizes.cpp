// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Sizes.h"

#include "explore/decide/Decisions.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/ObjectAccess.h"
#include "explore/decide/Places.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Witnesses.h"
#include "explore/interpreter/TermBounds.h"
#include "explore/LedgerText.h"

#include "fmt/format.h"

#include <algorithm>

namespace fathom::explore {

Sizes::Fit Sizes::fit(State &s, ExprPtr size, uint64_t most) {
  if (!most || size->has(expr::kHasUninit)) return Fit::No;
  if (unsignedMax(size) <= most) return Fit::Yes;
  ExprPtr fits = ctx_.ule(size, ctx_.constant(most, 64));
  if (fits->isConst()) return fits->isTrue() ? Fit::Yes : Fit::No;
  const bool side = witnesses_.holdsUnderWitness(s, fits);
  ExprPtr taken = side ? fits : ctx_.bvNot(fits), other = side ? ctx_.bvNot(fits) : fits;
  std::shared_ptr<const expr::Model> model;
  const Feasible answer = feasibility_.checkOtherSide(s, other, model);
  if (answer == Feasible::Later) forks_.leave(s, Pending::Kind::Way, other);
  if (answer == Feasible::Yes)
    if (State *t = forks_.forkAgain(s)) feasibility_.assume(*t, other, model);
  if (answer != Feasible::No) feasibility_.assume(s, taken, s.witness);
  // Both states come back; each finds its side implied by its path.
  if (stepContext_.step->ready) {
    decisions_.again(s);
    return Fit::Again;
  }
  decisions_.took(s, side, taken, answer == Feasible::No);
  return side ? Fit::Yes : Fit::No;
}

uint64_t Sizes::largest(State &s, ExprPtr size, uint64_t most) {
  constexpr uint64_t kFew = 8;
  most = std::min(most, unsignedMax(size));
  if (most <= kFew) return most;
  const ObjectAccess::OffsetRange range = access_.offsetRange(s, size);
  return range.exact ? std::min(most, range.max) : most;
}

std::optional<uint64_t> Sizes::number(State &s, ExprPtr size, uint64_t unit, uint64_t most,
                                      const std::string &what) {
  if (size->isConst()) return size->value();
  // What was never written and is anything is not gone through value by value.
  if (size->has(expr::kHasUninit)) return feasibility_.concretize(s, size, what);
  unit = std::max<uint64_t>(unit, 1);
  const uint64_t few = std::max<uint64_t>(kEach / unit, 1); // nothing and one are always small
  if (most <= few) return feasibility_.splitOnValue(s, size);
  switch (fit(s, size, few)) {
  case Fit::Again: return std::nullopt;
  case Fit::Yes: return feasibility_.splitOnValue(s, size);
  case Fit::No: break;
  }
  return takeOne(s, size, unit, most, what);
}

/// The witness's, unless that is huge for no reason: a seed has one.
uint64_t Sizes::takeOne(State &s, ExprPtr size, uint64_t unit, uint64_t most,
                        const std::string &what) {
  constexpr uint64_t kUsual = 4096;
  const uint64_t few = kUsual / unit;
  bool losesLarge = false;
  if (few && witnesses_.witnessValue(s, size) > few &&
      follower_.logged(s, Record::Known, [&] { return !s.seeds; })) {
    ExprPtr usual = ctx_.ule(size, ctx_.constant(few, size->width()));
    std::shared_ptr<const expr::Model> model;
    losesLarge = feasibility_.probe(s, usual, model, LossIfUnknown::Nothing) == Feasible::Yes;
    if (losesLarge) feasibility_.assume(s, usual, model);
  }
  const uint64_t largest = most > ~uint64_t(0) / unit ? ~uint64_t(0) : most * unit;
  const uint64_t each = std::max({kEach, unit, capacity()});
  auto why = [&](uint64_t v) { return whatIsLost(s, v * unit, each, largest, what); };
  if (!losesLarge) return feasibility_.concretize(s, size, why);
  const uint64_t v = witnesses_.witnessValue(s, size);
  ExprPtr is = ctx_.eq(size, ctx_.constant(v, size->width()));
  feasibility_.notePinned(s, why(v));
  feasibility_.assume(s, is, s.witness);
  decisions_.took(s, v, is);
  return v;
}

std::string Sizes::whatIsLost(State &s, uint64_t bytes, uint64_t each, uint64_t most,
                              const std::string &what) {
  constexpr size_t kNamed = 8;
  constexpr uint64_t kMaxCapacity = 4096; // of --memory symbolic-size
  std::set<uint64_t> &taken = taken_[places_.where(s) + what];
  const bool isNamed = taken.contains(bytes) || taken.size() < kNamed;
  if (isNamed && !LogFollower::isFollowed(s)) taken.insert(bytes);
  // A place has one entry for each of a few sizes: none of them says that it is the only one.
  const std::string text =
      fmt::format("{}: beyond {} bytes one was explored on each path{}, the others are lost", what,
                  each, isNamed ? fmt::format(", here {}", bytes) : "");
  if (most <= kMaxCapacity && most > capacity())
    return withHint(text, fmt::format("memory symbolic-size={} keeps them", most));
  if (capacity() < kMaxCapacity)
    return withHint(text,
                    fmt::format("memory symbolic-size={0} keeps those of up to {0}", kMaxCapacity));
  return text;
}

void Sizes::give(State &s, uint64_t base, ExprPtr length) {
  s.memory.setLength(base, length, 0);
  interpreter_.memory.flushTlb();
  s.lengths.push({.length = length});
  stats_.symbolicSizes++;
}

uint64_t Sizes::settle(State &s, const ObjectState &object, const std::string &why) {
  if (!object.length) return object.size();
  const uint64_t base = object.base();
  const uint64_t bytes = feasibility_.concretize(s, object.length, why);
  s.memory.setLength(base, ctx_.constant(bytes, 64), bytes);
  return bytes;
}

} // namespace fathom::explore
