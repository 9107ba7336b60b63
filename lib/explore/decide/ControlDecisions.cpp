// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/ControlDecisions.h"

#include "evidence/BugKind.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/AssumedMemory.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/CheckDecisions.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/InputSides.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/SpeculativeBranches.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/SwitchWays.h"
#include "explore/decide/Targets.h"
#include "explore/decide/UninitUses.h"
#include "explore/decide/Witnesses.h"

#include "fmt/format.h"

#include <algorithm>
#include <csignal>

namespace fathom::explore {

using evidence::BugKind;

using namespace program;

void ControlDecisions::commitJump(State &s, const Inst *target, uint64_t coverIndex) {
  interpreter_.state = &s;
  interpreter_.coverage.coverTarget(s, coverIndex);
  s.ip = target;
}

void ControlDecisions::commitSide(State &s, const Inst *ip, bool side) {
  interpreter_.state = &s;
  if (ip->flags & kOwn) interpreter_.coverage.traceBranch(s, static_cast<uint32_t>(ip->imm), side);
  if (side)
    commitJump(s, ip + static_cast<int32_t>(ip->c), ip->imm >> 32);
  else
    commitJump(s, ip + static_cast<int32_t>(ip->d), ip->dst);
}

void ControlDecisions::commitDecided(State &s, const Inst *ip, bool side) {
  guesses_.took(s, static_cast<uint32_t>(ip->imm), side);
  commitSide(s, ip, side);
}

std::optional<bool> ControlDecisions::onBranchUnasked(State &s, ExprPtr cond) {
  const Inst *ip = s.ip;
  const auto sides = guesses_.sidesUnasked(s, static_cast<uint32_t>(ip->imm));
  if (!sides) return guesses_.settle(s) ? std::nullopt : std::optional(false);
  auto take = [&](State &state, bool side) {
    ExprPtr taken = side ? cond : ctx_.bvNot(cond);
    SpeculativeBranches::adopt(state, taken, static_cast<uint32_t>(ip->imm), side);
    decisions_.took(state, side, taken, false, decisions_.ofSide(cond, side));
    commitDecided(state, ip, side);
  };
  const bool side = sides->yes == SpeculativeBranches::Odds::Probable;
  const SpeculativeBranches::Odds beside = side ? sides->no : sides->yes;
  ExprPtr other = side ? ctx_.bvNot(cond) : cond;
  if (beside == SpeculativeBranches::Odds::Probable) {
    if (State *t = forks_.fork(s)) take(*t, !side);
  } else if (beside == SpeculativeBranches::Odds::Unknown) {
    std::shared_ptr<const expr::Model> model;
    ExprPtr whole = guesses_.withGuesses(s, other);
    if (feasibility_.feasible(s, whole, model, static_cast<uint32_t>(ip->imm)) == Feasible::Yes)
      if (State *t = forks_.fork(s)) {
        t->guessed = {};
        feasibility_.assume(*t, whole, model);
        decisions_.took(*t, !side, other, false, decisions_.ofSide(cond, !side));
        commitDecided(*t, ip, !side);
      }
  }
  if (!stepContext_.tooDeep) take(s, side);
  return true;
}

bool ControlDecisions::onBranch(State &s) {
  const Inst *ip = s.ip;
  ExprPtr cond = interpreter_.term;
  if (cond->has(expr::kHasUninit)) cond = uninitUses_.settleUninit(s, cond, "a branch");
  auto branchId = static_cast<uint32_t>(ip->imm);
  auto commit = [&](State &state, bool side) { commitDecided(state, ip, side); };
  s.instructions += ip->b;
  interpreter_.instructions += ip->b;
  if (cond->isConst()) {
    commitSide(s, ip, cond->isTrue());
    return true;
  }
  if (s.guessed.size())
    if (std::optional<bool> done = onBranchUnasked(s, cond)) return *done;
  // The witness takes one side for free; the question is whether the other one can be taken as
  // well.
  bool side = witnesses_.holdsUnderWitness(s, cond);
  ExprPtr taken = side ? cond : ctx_.bvNot(cond), other = side ? ctx_.bvNot(cond) : cond;
  std::shared_ptr<const expr::Model> model;
  const bool isOwn = (ip->flags & kOwn) != 0;
  Feasible answer = inputSides_.leavesOut(s, branchId, !side, isOwn)
                        ? Feasible::Unknown
                        : guesses_.checkOtherSide(s, other, model, branchId, !side);
  if (stepContext_.tooDeep) return true; // the path ends here
  if (answer == Feasible::No) {          // implied by the path: nothing to add
    decisions_.took(s, side, taken, /*isImplied=*/true, decisions_.ofSide(cond, side));
    commit(s, side);
    return true;
  }
  if (answer == Feasible::Later) {
    State &left = forks_.leave(s, {.condition = other,
                                   .target = ip + static_cast<int32_t>(side ? ip->d : ip->c),
                                   .coverIndex = side ? ip->dst : ip->imm >> 32,
                                   .branchId = branchId,
                                   .side = !side,
                                   .own = isOwn});
    guesses_.took(left, branchId, !side);
  }
  if (answer == Feasible::Yes || answer == Feasible::Guessed)
    if (State *t = forks_.fork(s)) {
      guesses_.go(*t, answer, other, model, branchId, !side);
      decisions_.took(*t, !side, other, false, decisions_.ofSide(cond, !side));
      commit(*t, !side);
    }
  feasibility_.assume(s, taken, s.witness);
  decisions_.took(s, side, taken, false, decisions_.ofSide(cond, side));
  commit(s, side);
  return true;
}

bool ControlDecisions::onSwitch(State &s) {
  const Inst *ip = s.ip;
  ExprPtr value = interpreter_.term;
  if (value->has(expr::kHasUninit)) value = uninitUses_.settleUninit(s, value, "a switch");
  const FunctionCode &f = program_.functions[s.top->function];
  const SwitchTable &table = f.switches[ip->imm];
  s.instructions += ip->b;
  interpreter_.instructions += ip->b;
  auto commit = [&](State &state, uint32_t target, uint32_t side) {
    interpreter_.state = &state;
    guesses_.took(state, table.branchId, side);
    if (table.own) interpreter_.coverage.traceBranch(state, table.branchId, side);
    commitJump(state, interpreter_.code.codeOf(f.id) + target, uint64_t(f.coverBase) + target);
  };
  if (value->isConst()) {
    interpreter_.state = &s;
    s.ip = interpreter_.switchTarget(ip, value->value());
    return true;
  }
  const std::map<uint32_t, SwitchWay> ways = switchWays(interpreter_, table, value);
  uint32_t mine = ~0u;
  for (const auto &[side, way] : ways)
    if (witnesses_.holdsUnderWitness(s, way.condition)) mine = side;
  bool implied = true; // no other way can be gone
  for (const auto &[side, way] : ways) {
    if (side == mine) continue;
    std::shared_ptr<const expr::Model> model;
    Feasible answer = // (A way that no value takes has no record in the log.)
        !way.condition->isFalse() && inputSides_.leavesOut(s, table.branchId, side, table.own)
            ? Feasible::Unknown
            : feasibility_.checkOtherSide(s, way.condition, model, table.branchId);
    implied &= answer == Feasible::No;
    if (answer == Feasible::Later) {
      State &left = forks_.leave(s, {.condition = way.condition,
                                     .target = interpreter_.code.codeOf(f.id) + way.target,
                                     .coverIndex = uint64_t(f.coverBase) + way.target,
                                     .branchId = table.branchId,
                                     .side = side,
                                     .own = table.own});
      guesses_.took(left, table.branchId, side);
    }
    State *t = answer == Feasible::Yes ? forks_.fork(s) : nullptr;
    if (!t) continue;
    feasibility_.assume(*t, way.condition, model);
    decisions_.took(*t, side, way.condition);
    commit(*t, way.target, side);
  }
  if (stepContext_.tooDeep) return true;
  const SwitchWay &way = ways.at(mine);
  if (!implied) {
    feasibility_.assume(s, way.condition, s.witness);
  }
  decisions_.took(s, mine, way.condition, implied);
  commit(s, way.target, mine);
  return true;
}

/// An address of code that depends on unwritten memory, and that the witness makes none.
bool ControlDecisions::leadsNowhere(State &s, ExprPtr address) {
  if (!address->has(expr::kHasUninit)) return false;
  const uint64_t seen = witnesses_.witnessValue(s, address);
  return classOf(seen) != kFunctionClass && classOf(seen) != kBlockClass;
}

bool ControlDecisions::onIndirectBr(State &s) {
  const Inst *ip = s.ip;
  ExprPtr address = interpreter_.term;
  auto reportElsewhere = [&](uint64_t, ExprPtr elsewhere) {
    bugs_.report(s, BugKind::BadCall,
                 "a computed goto to an address that is no label of this function", s.witness,
                 nullptr, elsewhere);
  };
  if (!address) {
    reportElsewhere(0, nullptr);
    return false;
  }
  if (address->has(expr::kHasUninit)) {
    address = uninitUses_.settleUninit(s, address, "a computed goto");
    if (stepContext_.sinkFailed || leadsNowhere(s, address)) return false;
  }
  std::vector<uint64_t> labels;
  for (const auto &[block, target] : program_.functions[s.top->function].blockTargets[ip->imm])
    labels.push_back(block);
  std::sort(labels.begin(), labels.end());
  const Chosen chosen = targets_.chooseTarget(s, address, labels, reportElsewhere);
  if (chosen.target)
    interpreter_.registers.setRegister(*s.top, ip->a, ctx_.constant(*chosen.target, 64));
  return !chosen.ended; // runs the instruction again, concretely
}

bool ControlDecisions::onIndirectCall(State &s) {
  const Inst *ip = s.ip;
  auto reportBad = [&](uint64_t to, ExprPtr elsewhere) {
    const bool isNull = to < 4096;
    bugs_.report(s, isNull ? BugKind::NullDereference : BugKind::BadCall,
                 isNull ? "a call through a null pointer"
                 : elsewhere
                     ? fmt::format("a call to {:#x}, where there is no function of its type", to)
                 : functionIndex(to) ? "a call through a pointer to a function of another type"
                                     : fmt::format("a call to {:#x}, which is no function", to),
                 s.witness, nullptr, elsewhere);
  };
  ExprPtr address = interpreter_.registers.registerTerm(*s.top, ip->a, 64);
  if (address->has(expr::kHasUninit)) {
    address = uninitUses_.settleUninit(s, address, "a call through a pointer");
    if (stepContext_.sinkFailed || leadsNowhere(s, address)) return false;
  }
  if (address->isConst()) {
    const uint64_t to = address->value();
    reportBad(to, nullptr);
    if (!functionIndex(to)) checkDecisions_.raiseFault(s, SIGSEGV, to, nullptr, s.witness);
    return false;
  }
  const CallSig &sig = program_.functions[s.top->function].callSigs[ip->c];
  const bool isUnknown = assumed_.pointerIn(address) != nullptr; // taken for valid
  const std::vector<uint32_t> *only =
      isUnknown && options_.unknownCallees ? options_.unknownCallees(s.top->function) : nullptr;
  const Chosen chosen =
      targets_.chooseTarget(s, address, targets_.callTargets(sig, address, isUnknown, only),
                            [&](uint64_t to, ExprPtr elsewhere) {
                              if (!isUnknown) reportBad(to, elsewhere);
                            });
  if (chosen.target)
    interpreter_.registers.setRegister(*s.top, ip->a, ctx_.constant(*chosen.target, 64));
  return !chosen.ended; // runs the instruction again, concretely
}

} // namespace fathom::explore
