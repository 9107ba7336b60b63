// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers of which only few values mean anything: what is called, jumped to or freed.
//
// A symbolic one can have 2^64 values, of which all but the targets go wrong, and in one way. So
// the path forks over the targets, as a load forks over the objects, and all other values are one
// bug. Forking over the values themselves would be a path for each of the wrong ones.
//
// Cost: two questions for each target that is feasible, and two for the rest.
#include "explore/decide/Targets.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/Addresses.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Witnesses.h"

#include <algorithm>
#include <set>

namespace fathom::explore {

using evidence::LedgerCategory;

using namespace program;

Chosen Targets::chooseTarget(State &s, ExprPtr address, const std::vector<uint64_t> &targets,
                             const ReportElsewhere &reportElsewhere) {
  const uint64_t seen = witnesses_.witnessValue(s, address);
  if (std::binary_search(targets.begin(), targets.end(), seen))
    return {.target = feasibility_.splitOnValue(s, address)}; // the others come back here
  // The witness goes wrong, and with it all that mean no target. Others may not.
  ExprPtr any = ctx_.falseExpr();
  for (uint64_t target : targets)
    any = ctx_.bvOr(any, ctx_.eq(address, ctx_.constant(target, address->width())));
  const bool isNew = !LogFollower::isFollowed(s);
  if (!address->has(expr::kHasUninit)) reportElsewhere(seen, ctx_.bvNot(any)); // see settleUninit
  if (stepContext_.sinkFailed || !feasibility_.assumeIfFeasible(s, any))
    return {.target = std::nullopt, .ended = true};
  stats_.pathsTerminatedEarly += isNew;
  decisions_.again(s);
  return {};
}

/// The constants that a choice between pointers ends in.
static void collectChoices(ExprPtr e, std::set<uint64_t> &out, unsigned depth = 0) {
  constexpr unsigned kDeepest = 32;
  if (e->isConst()) out.insert(e->value());
  if (e->kind() != expr::Kind::Ite || depth >= kDeepest) return;
  collectChoices(e->op(1), out, depth + 1);
  collectChoices(e->op(2), out, depth + 1);
}

/// The functions that a call through a pointer can mean: their address is taken somewhere, and they
/// can be called in this way. One that does not give the result that the call wants is meant only
/// where the program has chosen it.
std::vector<uint64_t> Targets::callTargets(const CallSig &sig, ExprPtr address, bool isUnknown,
                                           const std::vector<uint32_t> *only) const {
  std::set<uint64_t> chosen;
  collectChoices(address, chosen);
  std::vector<uint64_t> out;
  auto isMeant = [&](const auto &callee, uint64_t target) {
    if (!callee.addressTaken || !interpreter_.calls.canCall(sig, callee)) return false;
    const bool isSurplus = sig.argSlots > callee.argSlots && !callee.varArg;
    return (!isUnknown || !isSurplus) &&
           (callee.retSlots || !sig.retSlots || chosen.contains(target));
  };
  for (const FunctionCode &f : program_.functions)
    if (isMeant(f, functionAddress(f.id)) &&
        (!only || std::ranges::find(*only, f.id) != only->end()))
      out.push_back(functionAddress(f.id));
  for (const External &e : program_.externals)
    if (!only && isMeant(e, e.address)) out.push_back(e.address);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// What a symbolic pointer that is freed can mean: the block that it was computed from, or else any
/// that there is, or none.
std::vector<uint64_t> Targets::freeTargets(State &s, ExprPtr address) {
  if (const ObjectState *origin = addresses_.originOf(s, address)) {
    if (origin->freed || origin->info->kind != ObjectKind::Heap) return {};
    return {origin->base()};
  }
  // More would be constraints that no solver comes to an end with.
  constexpr size_t kMaxTargetBlocks = 1000;
  std::vector<uint64_t> out{0};
  const ObjectState *hit = s.memory.find(witnesses_.witnessValue(s, address));
  size_t left = 0;
  s.memory.forEachObject([&](const ObjectState &o) {
    if (o.freed || o.info->kind != ObjectKind::Heap) return;
    if (out.size() < kMaxTargetBlocks || &o == hit)
      out.push_back(o.base());
    else
      left++;
  });
  if (left)
    ledger_.add(LedgerCategory::ConcretizedValue, places_.where(s),
                "free of a symbolic pointer that may point to more blocks than were tried", left);
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace fathom::explore
