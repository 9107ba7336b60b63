// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Sizes.h"

#include "explore/decide/Asking.h"
#include "explore/decide/Decisions.h"
#include "explore/decide/Forks.h"
#include "explore/decide/ObjectAccess.h"
#include "explore/decide/Turn.h"
#include "explore/decide/Witnesses.h"
#include "explore/machine/TermBounds.h"

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
  const Feasible answer = asking_.otherWay(s, other, model);
  if (answer == Feasible::Later) forks_.leave(s, Pending::Kind::Way, other);
  if (answer == Feasible::Yes)
    if (State *t = forks_.forkAgain(s)) asking_.assume(*t, other, model);
  if (answer != Feasible::No) asking_.assume(s, taken, s.witness);
  // Both states come back; each finds its side implied by its path.
  if (turn_.step->ready) {
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

void Sizes::give(State &s, uint64_t base, ExprPtr length) {
  s.memory.setLength(base, length, 0);
  machine_.memory.flushTlb();
  s.lengths.push({.length = length});
  stats_.symbolicSizes++;
}

uint64_t Sizes::settle(State &s, const ObjectState &object, const std::string &why) {
  if (!object.length) return object.size();
  const uint64_t base = object.base();
  const uint64_t bytes = asking_.concretize(s, object.length, why);
  s.memory.setLength(base, ctx_.constant(bytes, 64), bytes);
  return bytes;
}

} // namespace fathom::explore
