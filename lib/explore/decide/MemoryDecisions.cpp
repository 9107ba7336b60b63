// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter alone executes memory operations whose addresses and sizes are concrete and
// right. It stops before the others with an event, and the functions here do what is left:
//
//   onConcretize   an operand has to be a number: one value is chosen, or the path forks
//   onMemory       a load or store: finds the object (Addresses.h), reports what goes wrong, and
//                  reads or writes terms (ObjectAccess.h)
//   onMemOp        memcpy, memmove, memset of a known size: byte by byte, or at pinned addresses
//   onBlockSize    the same of a symbolic size: each byte is an ite, or the size a number
//
// Each either finishes the instruction, or leaves it to run again with what is concrete now. A
// state that forks runs the instruction from its beginning, so nothing is written before all is
// decided.
#include "explore/decide/MemoryDecisions.h"

#include "evidence/BugKind.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/Addresses.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/ObjectAccess.h"
#include "explore/decide/Sizes.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/UninitUses.h"
#include "explore/decide/Witnesses.h"
#include "explore/interpreter/TermBounds.h"
#include "support/NumberText.h"

#include "fmt/format.h"

#include <algorithm>

namespace fathom::explore {

using evidence::BugKind;

using namespace program;

bool MemoryDecisions::onConcretize(State &s) {
  ExprPtr e = s.top->syms[interpreter_.slot];
  if (interpreter_.code.opAt(s.ip) == Op::Trap) { // the path forks over the operand's values
    interpreter_.registers.setRegister(*s.top, interpreter_.slot,
                                       ctx_.constant(feasibility_.splitOnValue(s, e), 64));
    return true;
  }
  if (isCall(interpreter_.code.opAt(s.ip))) { // the address of a structure passed by value
    const uint32_t slot = interpreter_.slot;
    if (e->has(expr::kHasUninit)) e = uninitUses_.settleUninit(s, e, "an address");
    Resolved from = addresses_.resolve(s, e, interpreter_.faultBytes, /*write=*/false);
    if (from.again) return decisions_.again(s);
    if (!from.object) return false;
    const uint64_t base = from.object->base();
    interpreter_.registers.setRegister(
        *s.top, slot, ctx_.constant(base + feasibility_.splitOnValue(s, from.offset), 64));
    return true;
  }
  if (interpreter_.code.opAt(s.ip) == Op::AllocaDyn && e->width() == 64) {
    if (e->has(expr::kHasUninit)) e = uninitUses_.settleUninit(s, e, "a size");
    if (allocateLocal(s, e)) return true;
    const std::optional<uint64_t> count =
        sizes_.number(s, e, s.ip->imm, unsignedMax(e), "size of a local array");
    if (count)
      interpreter_.registers.setRegister(*s.top, interpreter_.slot, ctx_.constant(*count, 64));
    return true;
  }
  const char *op = opName(interpreter_.code.opAt(s.ip));
  bool block = interpreter_.code.opAt(s.ip) == Op::MemCpy ||
               interpreter_.code.opAt(s.ip) == Op::MemMove ||
               interpreter_.code.opAt(s.ip) == Op::MemSet;
  if (block && interpreter_.slot == s.ip->c) return onBlockSize(s);
  if (e->width() <= 64) {
    uint64_t v = feasibility_.concretize(s, e, fmt::format("operand of {}", op));
    interpreter_.registers.setRegister(*s.top, interpreter_.slot, ctx_.constant(v, e->width()));
    return true;
  }
  // In two halves (x86_fp80).
  uint64_t lo =
      feasibility_.concretize(s, ctx_.extract(e, 0, 64), fmt::format("operand of {}", op));
  uint64_t hi = feasibility_.concretize(s, ctx_.extract(e, 64, e->width() - 64),
                                        fmt::format("operand of {}", op));
  uint64_t words[2] = {lo, hi};
  interpreter_.registers.setRegister(*s.top, interpreter_.slot,
                                     ctx_.constantWide(words, e->width()));
  return true;
}

namespace {

constexpr uint64_t kFirstAddress = 4096; ///< below it, pointers are null

/// What a load or store instruction does.
struct Access {
  unsigned size = 0;  ///< bytes
  unsigned width = 0; ///< bits of the value
  bool write = false;
  bool immediate = false;
};

Access accessOf(const Inst &in, Op op) {
  switch (op) {
  case Op::Load8: return {1, 8, false, false};
  case Op::Load16: return {2, 16, false, false};
  case Op::Load32: return {4, 32, false, false};
  case Op::Load64: return {8, 64, false, false};
  case Op::LoadN:
  case Op::LoadWide: return {in.d, in.w, false, false};
  case Op::Store8: return {1, 8, true, false};
  case Op::Store16: return {2, 16, true, false};
  case Op::Store32: return {4, 32, true, false};
  case Op::Store64: return {8, 64, true, false};
  case Op::StoreN:
  case Op::StoreWide: return {in.d, in.w, true, false};
  case Op::Store8I: return {1, 8, true, true};
  case Op::Store16I: return {2, 16, true, true};
  case Op::Store32I: return {4, 32, true, true};
  case Op::Store64I: return {8, 64, true, true};
  case Op::VaStart:
  case Op::VaCopy: return {24, 64, true, false};
  default: return {1, 8, false, false};
  }
}

} // namespace

/// Whether the path may go on as if this wrong access had not happened
/// (--continue-after-memory-error): if it is in or next to an object, where memory is mostly mapped
/// natively.
bool MemoryDecisions::mayIgnoreFault(const State &s, ExprPtr address) const {
  if (!options_.continuesAfterMemoryError || stepContext_.sinkFailed || !address->isConst())
    return false;
  const ObjectState *o =
      address->value() < kFirstAddress ? nullptr : s.memory.find(address->value());
  return o && !o->info->assumed; // what callers made may be larger, or another object
}

bool MemoryDecisions::onMemory(State &s) {
  const Inst *ip = s.ip;
  Access a = accessOf(*ip, interpreter_.code.opAt(ip));
  Frame &frame = *s.top;
  bool isVa = interpreter_.code.opAt(ip) == Op::VaStart || interpreter_.code.opAt(ip) == Op::VaCopy;
  ExprPtr address = interpreter_.registers.registerTerm(frame, ip->a, 64);
  if (!isVa) {
    auto displacement = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(ip->c)));
    ExprPtr pointer = address;
    address = ctx_.add(pointer, ctx_.constant(displacement, 64));
    interpreter_.registers.origins.derive(address, pointer);
  }
  if (isVa && s.memory.resolve(address->value(), 24)) { // VaCopy, whose source is wrong
    address = interpreter_.registers.registerTerm(frame, ip->b, 64);
    a.write = false;
  }
  if (address->has(expr::kHasUninit)) {
    address = uninitUses_.settleUninit(s, address, "an address");
    if (stepContext_.sinkFailed) return false;
  }
  Resolved r = addresses_.resolve(s, address, a.size, a.write);
  if (r.again) return decisions_.again(s);
  if (!r.object && !isVa && mayIgnoreFault(s, address)) {
    if (!a.write) {
      ExprPtr zero = ctx_.constant(0, std::min(a.width, 64u));
      if (a.width > 64) zero = ctx_.zext(zero, a.width);
      interpreter_.registers.setRegister(frame, ip->dst, zero);
    }
    s.ip = ip + 1;
    return true;
  }
  if (!r.object) return false;
  if (a.write) {
    ExprPtr value = a.immediate ? ctx_.constant(ip->imm, a.width)
                                : interpreter_.registers.registerTerm(frame, ip->b, a.width);
    if (a.width < a.size * 8) value = ctx_.zext(value, a.size * 8);
    access_.writeAt(s, *r.object, r.offset, value);
  } else {
    // A pointer read from a table: as a term it would stand for several objects at every later use.
    // The path forks over the entries here, once (the copies come back to this instruction for the
    // others).
    if ((ip->flags & kPointer) && !r.offset->isConst() && options_.pointers == Pointers::Fork) {
      size_t before = stepContext_.step->forked.size();
      r.offset = ctx_.constant(feasibility_.splitOnValue(s, r.offset), 64);
      stats_.pointerForks += stepContext_.step->forked.size() - before;
    }
    ExprPtr value = access_.readAt(s, *r.object, r.offset, a.size);
    if (a.width < a.size * 8) value = ctx_.trunc(value, a.width);
    interpreter_.registers.setRegister(frame, ip->dst, value);
  }
  s.ip = ip + 1;
  return true;
}

/// A block operation of symbolic size. Sizes that go beyond an object are a bug. For the inputs
/// whose sizes stay in bounds, the size stays a term (--memory symbolic-size) or becomes a number
/// (Sizes::number).
bool MemoryDecisions::onBlockSize(State &s) {
  const Inst *ip = s.ip;
  Frame &frame = *s.top;
  ExprPtr size = interpreter_.registers.registerTerm(frame, ip->c, 64);
  if (size->has(expr::kHasUninit)) size = uninitUses_.settleUninit(s, size, "a size");
  switch (leaveNothingOut(s, size)) {
  case Copied::No: break;
  case Copied::Ended: return false;
  case Copied::Done:
  case Copied::Again: return true;
  }
  std::shared_ptr<const expr::Model> model;
  const bool isNew = !LogFollower::isFollowed(s);
  uint64_t most = unsignedMax(size);
  bool isKnown = true; // destination and source
  for (int i = 0; i < (interpreter_.code.opAt(ip) == Op::MemSet ? 1 : 2); i++) {
    ExprPtr address = interpreter_.registers.registerTerm(frame, i ? ip->b : ip->a, 64);
    const ObjectState *o = address->isConst()
                               ? s.memory.resolve(address->value(), 0, Memory::Extent::Capacity)
                               : nullptr;
    isKnown &= o != nullptr;
    if (!address->isConst()) continue; // both symbolic: the size is made concrete first
    const uint64_t room = o ? o->base() + o->size() - address->value() : 0;
    most = std::min(most, room);
    if (o && !size->has(expr::kHasUninit)) {
      if (!addresses_.staysInside(s, *o, address->value() - o->base(), size, /*write=*/i == 0))
        return false;
      continue;
    }
    ExprPtr beyond = ctx_.ult(ctx_.constant(room, 64), size);
    Feasible wrong = feasibility_.feasibleOrLater(s, beyond, model, kNoBranch, LossIfUnknown::Bug);
    if (wrong == Feasible::Later) forks_.leave(s, Pending::Kind::Check, beyond);
    if (wrong != Feasible::No) {
      if (wrong == Feasible::Yes && !size->has(expr::kHasUninit)) {
        witnesses_.evaluator.setModel(*model, nextModelVersion());
        addresses_.reportFault(s, address->value(), witnesses_.evaluator.eval(size),
                               /*write=*/i == 0, model, beyond);
        if (stepContext_.sinkFailed) return false;
      }
      ExprPtr within = ctx_.bvNot(beyond);
      if (!feasibility_.assumeIfFeasible(s, within)) return false;
      stats_.pathsTerminatedEarly += isNew && wrong == Feasible::Yes;
    }
  }
  if (isKnown && most <= sizes_.capacity() && copySized(s, size, most)) return true;
  if (!isKnown && sizes_.capacity()) switch (copyPlaced(s, size, most)) {
    case Copied::No: break;
    case Copied::Ended: return false;
    case Copied::Done:
    case Copied::Again: return true;
    }
  const std::string what = fmt::format("size of a {}", opName(interpreter_.code.opAt(ip)));
  const std::optional<uint64_t> mine = sizes_.number(s, size, 1, most, what);
  if (mine) interpreter_.registers.setRegister(frame, ip->c, ctx_.constant(*mine, 64));
  return true;
}

/// Where nothing is copied or set, the pointers may be any (memOp). If one of them is a term, what
/// it leads to is only asked on paths on which a byte is accessed: the others fork off.
MemoryDecisions::Copied MemoryDecisions::leaveNothingOut(State &s, ExprPtr size) {
  const Inst *ip = s.ip;
  const bool sets = interpreter_.code.opAt(ip) == Op::MemSet;
  const auto isTerm = [&](uint32_t slot) {
    return !interpreter_.registers.registerTerm(*s.top, slot, 64)->isConst();
  };
  const ExprPtr isNone = ctx_.eq(size, ctx_.constant(0, 64));
  if (size->has(expr::kHasUninit) || isNone->isFalse()) return Copied::No;
  if (!isTerm(ip->a) && (sets || !isTerm(ip->b))) return Copied::No;
  const bool side = witnesses_.holdsUnderWitness(s, isNone);
  const ExprPtr taken = side ? isNone : ctx_.bvNot(isNone),
                other = side ? ctx_.bvNot(isNone) : isNone;
  std::shared_ptr<const expr::Model> model;
  const Feasible answer = feasibility_.checkOtherSide(s, other, model);
  if (answer == Feasible::Later) forks_.leave(s, Pending::Kind::Way, other);
  if (answer == Feasible::Yes)
    if (State *t = forks_.forkAgain(s)) feasibility_.assume(*t, other, model);
  if (answer != Feasible::No) feasibility_.assume(s, taken, s.witness);
  // The copies come back to this instruction, and find their side implied by their path.
  if (stepContext_.step->ready) {
    decisions_.again(s);
    return Copied::Again;
  }
  decisions_.took(s, side, taken);
  if (!side) return Copied::No;
  s.ip = ip + 1;
  return Copied::Done;
}

/// Copies or sets `size` bytes, a term of at most `most`: byte i becomes ite(i < size, new, old).
/// Addresses are concrete, and the ranges in bounds. False: nothing was done, because the ranges of
/// a memcpy may overlap.
bool MemoryDecisions::copySized(State &s, ExprPtr size, uint64_t most) {
  const Inst *ip = s.ip;
  const uint64_t to = s.top->bits()[ip->a], from = s.top->bits()[ip->b];
  const bool sets = interpreter_.code.opAt(ip) == Op::MemSet;
  if (interpreter_.code.opAt(ip) == Op::MemCpy && (to - from < most || from - to < most))
    return false;
  auto byteAt = [&](uint64_t address) {
    const MemoryAccess::Loaded l = interpreter_.memory.load(s, address, 1);
    return l.term ? l.term : ctx_.constant(l.lo, 8);
  };
  std::vector<ExprPtr> bytes(most); // all are read before one is written: ranges may overlap
  for (uint64_t i = 0; i < most; i++)
    bytes[i] = sets ? interpreter_.registers.registerTerm(*s.top, ip->b, 8) : byteAt(from + i);
  // If the write reaches the object's (symbolic) end, all bytes may be written: those after the
  // end cannot be read.
  const ObjectState &target = *s.memory.find(to);
  const bool fills = target.length == ctx_.add(size, ctx_.constant(to - target.base(), 64));
  for (uint64_t i = 0; i < most; i++) {
    ExprPtr isIn = fills ? ctx_.trueExpr() : ctx_.ult(ctx_.constant(i, 64), size);
    s.memory.writeSym(to + i, isIn->isTrue() ? bytes[i] : ctx_.ite(isIn, bytes[i], byteAt(to + i)));
  }
  interpreter_.memory.flushTlb();
  stats_.symbolicSizes++;
  s.ip = ip + 1;
  return true;
}

/// The same where an address is symbolic, in objects of up to kMaxCopyPlaces bytes: each byte of
/// the destination that may be written becomes an ite.
MemoryDecisions::Copied MemoryDecisions::copyPlaced(State &s, ExprPtr size, uint64_t most) {
  constexpr uint64_t kMaxCopyPlaces = 256;
  const Inst *ip = s.ip;
  const bool sets = interpreter_.code.opAt(ip) == Op::MemSet;
  if (size->has(expr::kHasUninit)) return Copied::No;
  Resolved places[2]; // destination, source
  for (int i = 0; i < (sets ? 1 : 2); i++) {
    ExprPtr address = interpreter_.registers.registerTerm(*s.top, i ? ip->b : ip->a, 64);
    if (address->has(expr::kHasUninit)) return Copied::No;
    places[i] = addresses_.resolve(s, address, 0, /*write=*/i == 0);
    if (places[i].again) {
      decisions_.again(s);
      return Copied::Again;
    }
    if (!places[i].object) return Copied::Ended;
    if (!addresses_.staysInside(s, *places[i].object, places[i].offset, size, /*write=*/i == 0))
      return Copied::Ended;
    most = std::min(most, places[i].object->size());
    if (places[i].object->size() > kMaxCopyPlaces && !places[i].offset->isConst())
      return Copied::No;
  }
  if (!most || most > std::min(kMaxCopyPlaces, sizes_.capacity())) return Copied::No;
  const uint64_t to = places[0].object->base(), room = places[0].object->size(),
                 from = sets ? 0 : places[1].object->base();
  if (to == from) return Copied::No; // they may overlap
  ExprPtr offset = places[0].offset;
  const uint64_t first = offset->isConst() ? offset->value() : 0,
                 last = offset->isConst() ? std::min(room, first + most) : room;
  std::vector<ExprPtr> bytes; // all are read before one is written: a read may fork
  for (uint64_t p = first; p < last; p++) {
    ExprPtr index = ctx_.sub(ctx_.constant(p, 64), offset), isIn = ctx_.ult(index, size);
    const MemoryAccess::Loaded l = interpreter_.memory.load(s, to + p, 1);
    ExprPtr old = l.term ? l.term : ctx_.constant(l.lo, 8), byte = old;
    if (!isIn->isFalse() && sets) byte = interpreter_.registers.registerTerm(*s.top, ip->b, 8);
    if (!isIn->isFalse() && !sets) { // what is not copied is not read
      ExprPtr at = ctx_.ite(isIn, ctx_.add(places[1].offset, index), ctx_.constant(0, 64));
      byte = access_.readAt(s, *s.memory.find(from), at, 1);
    }
    bytes.push_back(ctx_.ite(isIn, byte, old));
  }
  for (uint64_t p = first; p < last; p++) s.memory.writeSym(to + p, bytes[p - first]);
  interpreter_.memory.flushTlb();
  stats_.symbolicSizes++;
  s.ip = ip + 1;
  return Copied::Done;
}

/// A variable-length array whose size stays a term. False: it becomes a number.
bool MemoryDecisions::allocateLocal(State &s, ExprPtr count) {
  const Inst *ip = s.ip;
  const uint64_t unit = ip->imm, most = unit ? sizes_.capacity() / unit : 0;
  switch (sizes_.fit(s, count, most)) {
  case Sizes::Fit::No: return false;
  case Sizes::Fit::Again: return true;
  case Sizes::Fit::Yes: break;
  }
  uint64_t *r = s.top->bits();
  if (!interpreter_.locals.allocateLocal(ip, r, sizes_.largest(s, count, most) * unit))
    return false;
  const uint64_t base = r[ip->dst];
  sizes_.give(s, base, ctx_.mul(count, ctx_.constant(unit, 64)));
  interpreter_.registers.setRegister(*s.top, ip->dst, ctx_.constant(base, 64));
  s.ip = ip + 1;
  return true;
}

/// Ranges of a memcpy may be the same, as in the assignment of a structure to itself, but must not
/// overlap otherwise. Returns whether the path goes on.
bool MemoryDecisions::excludeOverlap(State &s, const Resolved &to, const Resolved &from,
                                     uint64_t size) {
  if (to.object->base() != from.object->base()) return true;
  ExprPtr apart = ctx_.sub(to.offset, from.offset), n = ctx_.constant(size, 64);
  ExprPtr isNear = ctx_.bvOr(ctx_.ult(apart, n), ctx_.ult(ctx_.neg(apart), n));
  ExprPtr bad = ctx_.bvAnd(ctx_.ne(apart, ctx_.constant(0, 64)), isNear);
  if (bad->isFalse()) return true;
  std::shared_ptr<const expr::Model> model;
  const bool isNew = !LogFollower::isFollowed(s);
  bool endsHere = false; // some inputs' path does
  auto reportIt = [&](const std::shared_ptr<const expr::Model> &shows) {
    bugs_.report(s, BugKind::BadCall,
                 fmt::format("memcpy of {} bytes with ranges that overlap", size), shows, to.object,
                 bad);
    endsHere = true;
  };
  if (bugs_.looksFor(s, BugKind::BadCall, to.object)) {
    const Feasible wrong =
        feasibility_.feasibleOrLater(s, bad, model, kNoBranch, LossIfUnknown::Bug);
    if (wrong == Feasible::Later) forks_.leaveCheck(s, bad, BugKind::BadCall, to.object);
    if (wrong == Feasible::Yes) reportIt(model);
  } else if (isNew && witnesses_.holdsUnderWitness(s, bad)) { // the input at hand ends in it
    reportIt(s.witness);
  }
  if (stepContext_.sinkFailed) return false;
  ExprPtr good = ctx_.bvNot(bad);
  if (!feasibility_.assumeIfFeasible(s, good)) return false;
  stats_.pathsTerminatedEarly += isNew && endsHere;
  return true;
}

bool MemoryDecisions::onMemOp(State &s) {
  // Size is concrete here; an address is symbolic (or wrong). Short blocks are moved byte by byte
  // like any symbolic access; the address of a longer one is checked against its object's bounds
  // and then pinned.
  constexpr uint64_t kByteWise = 256;
  const Inst *ip = s.ip;
  Frame &frame = *s.top;
  const uint64_t size = frame.bits()[ip->c];
  if (!size) { // as in memOp, whatever the addresses are
    s.ip = ip + 1;
    return true;
  }
  // Split before anything is written: a copy of the state runs the whole instruction again.
  const bool splits =
      follower_.logged(s, Record::Known, [&] { return feasibility_.forksOnAddresses(s); });
  const bool set = interpreter_.code.opAt(ip) == Op::MemSet, pin = size > kByteWise || splits;
  Resolved places[2]; // destination, source
  for (int i = 0; i < (set ? 1 : 2); i++) {
    uint32_t slot = i ? ip->b : ip->a;
    ExprPtr address = interpreter_.registers.registerTerm(frame, slot, 64);
    if (address->has(expr::kHasUninit))
      address = uninitUses_.settleUninit(s, address, "an address");
    places[i] = addresses_.resolve(s, address, size, /*write=*/i == 0);
    if (places[i].again) return decisions_.again(s);
    if (!places[i].object && mayIgnoreFault(s, address)) {
      s.ip = ip + 1;
      return true;
    }
    if (!places[i].object) return false;
    if (!pin) continue;
    uint64_t base = places[i].object->base(), offset;
    if (splits)
      offset = feasibility_.splitOnValue(s, places[i].offset);
    else
      offset = feasibility_.concretize(s, places[i].offset,
                                       fmt::format("address of a {} of {}",
                                                   opName(interpreter_.code.opAt(ip)),
                                                   plainCount(size, "byte")));
    interpreter_.registers.setRegister(frame, slot, ctx_.constant(base + offset, 64));
    decisions_.keep(s);
  }
  if (interpreter_.code.opAt(ip) == Op::MemCpy && !excludeOverlap(s, places[0], places[1], size))
    return false;
  if (pin) return true; // runs again, concretely
  // All is read before anything is written: the ranges may overlap. Objects are looked up again, as
  // writing can move them.
  const uint64_t to = places[0].object->base(), from = set ? 0 : places[1].object->base();
  std::vector<ExprPtr> bytes(size);
  for (uint64_t i = 0; i < size; i++)
    bytes[i] = set ? interpreter_.registers.registerTerm(frame, ip->b, 8)
                   : access_.readAt(s, *s.memory.find(from),
                                    ctx_.add(places[1].offset, ctx_.constant(i, 64)), 1);
  // And all is asked: a copy of the state for other addresses runs the instruction from its
  // beginning.
  std::vector<ObjectAccess::PlannedWrite> writes(size);
  for (uint64_t i = 0; i < size; i++)
    writes[i] = access_.planWrite(s, *s.memory.find(to),
                                  ctx_.add(places[0].offset, ctx_.constant(i, 64)), 1);
  for (uint64_t i = 0; i < size; i++) access_.carryOut(s, writes[i], bytes[i]);
  s.ip = ip + 1;
  return true;
}

} // namespace fathom::explore
