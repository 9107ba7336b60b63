// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic addresses, and addresses that are wrong.
//
// Which object does a symbolic address mean? Three cases, in this order:
//   1. a choice between pointers (an ite on the way): the path forks on its condition, which makes
//   the address simpler;
//   2. the address was computed from a pointer to an object (PointerOrigins, or its constant part):
//      anything outside that is out of bounds, even where it happens to hit another object;
//   3. otherwise (a pointer read from a table, an integer made a pointer) the object that the
//      witness hits, in this state; the others in a forked state that comes back here with a
//      witness of its own.
// Inside the object a symbolic offset becomes a read of an array term over the object's bytes, or,
// for a write, an ite per byte. Ranges wider than --max-table are pinned to one value, which goes
// to the ledger.
#include "explore/decide/Addresses.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/AssumedMemory.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/CheckDecisions.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/PathEnds.h"
#include "explore/decide/Places.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Witnesses.h"
#include "explore/interpreter/TermBounds.h"
#include "support/NumberText.h"

#include "fmt/format.h"

#include <csignal>

namespace fathom::explore {

using evidence::BugKind;
using evidence::LedgerCategory;

using namespace program;
using expr::Kind;

namespace {

/// The ite on the additive spine of an address, if any.
ExprPtr findChoice(ExprPtr e, int depth = 0) {
  if (depth > 8) return nullptr;
  if (e->kind() == Kind::Ite) return e;
  if (e->kind() == Kind::Add)
    for (unsigned i = 0; i < 2; i++)
      if (ExprPtr c = findChoice(e->op(i), depth + 1)) return c;
  return nullptr;
}

/// The bits of a concatenation that vary. Those of a sum in it are an index's.
uint64_t varyingBits(ExprPtr e, int depth = 0) {
  if (e->kind() == Kind::Const || e->kind() == Kind::Add) return 0;
  if (e->kind() == Kind::ZExt && depth < 16) return varyingBits(e->op(0), depth + 1);
  if (e->kind() == Kind::Concat && depth < 16)
    return (varyingBits(e->op(0), depth + 1) << e->op(1)->width()) |
           varyingBits(e->op(1), depth + 1);
  return ~uint64_t(0) >> (64 - e->width());
}

/// Pointers that were read as numbers from a table, byte by byte: a choice between objects. An
/// index in a concatenation leaves the number of the slot alone.
bool meansManySlots(ExprPtr e, uint64_t constants) {
  return constants >> kClassShift && varyingBits(e) >> classOf(constants);
}

/// The sum of the constants on the additive spine; a sum without carries is a concatenation.
uint64_t constantPart(ExprPtr e, int depth = 0) {
  if (e->isConst()) return e->width() <= 64 ? e->value() : 0;
  if (depth >= 16) return 0;
  switch (e->kind()) {
  case Kind::Add: return constantPart(e->op(0), depth + 1) + constantPart(e->op(1), depth + 1);
  case Kind::Concat: {
    if (e->width() > 64) return 0;
    const uint64_t sum = (constantPart(e->op(0), depth + 1) << e->op(1)->width()) +
                         constantPart(e->op(1), depth + 1);
    return meansManySlots(e, sum) ? 0 : sum;
  }
  case Kind::ZExt: return constantPart(e->op(0), depth + 1);
  default: return 0;
  }
}

} // namespace

ExprPtr Addresses::isInside(const ObjectState &object, ExprPtr offset, uint64_t size) {
  if (size > object.size()) return ctx_.falseExpr();
  if (!object.length) return ctx_.ule(offset, ctx_.constant(object.size() - size, 64));
  // The path knows that the length is at most the capacity.
  if (size == 1) return ctx_.ult(offset, object.length);
  ExprPtr bytes = ctx_.constant(size, 64);
  if (offset->isConst())
    return offset->value() > object.size() - size
               ? ctx_.falseExpr()
               : ctx_.ule(ctx_.add(offset, bytes), object.length);
  return ctx_.bvAnd(ctx_.ule(offset, ctx_.constant(object.size() - size, 64)),
                    ctx_.ule(ctx_.add(offset, bytes), object.length));
}

uint64_t Addresses::bytesOf(const ObjectState &object, const expr::Model &model) {
  if (!object.length) return object.size();
  witnesses_.evaluator.setModel(model, nextModelVersion());
  return witnesses_.evaluator.eval(object.length);
}

std::string Addresses::describe(const ObjectState &o, const expr::Model &model) {
  return fmt::format("a {}-byte {} object{}{}", bytesOf(o, model), name(o.info->kind),
                     quotedName(program_, *o.info),
                     o.length && !o.length->isConst() ? " of symbolic size" : "");
}

std::string Addresses::describeAddress(const State &s, uint64_t address, uint64_t size, bool write,
                                       const expr::Model &model, BugKind &kind,
                                       const ObjectState *&object) {
  const char *verb = write ? "write" : "read";
  std::string access = fmt::format("{} of {}", verb, plainCount(size, "byte"));
  kind = write ? BugKind::OutOfBoundsWrite : BugKind::OutOfBoundsRead;
  object = nullptr;
  if (address < 4096) {
    kind = BugKind::NullDereference;
    return fmt::format("{} through a null pointer (address {:#x})", access, address);
  }
  if (classOf(address) == kFunctionClass || classOf(address) == kBlockClass)
    return fmt::format("{} at the address of a function", access);
  const ObjectState *o = s.memory.find(address);
  if (!o) return fmt::format("{} at address {:#x}, where there is no object", access, address);
  object = o;
  auto offset = static_cast<int64_t>(address - o->base());
  if (o->freed) {
    kind = BugKind::UseAfterFree;
    return fmt::format("{} at offset {} of {} that {}", access, offset, describe(*o, model),
                       o->outOfScope                        ? "is gone: its block has ended"
                       : o->info->kind == ObjectKind::Stack ? "is gone: its function has returned"
                                                            : "was freed");
  }
  if (write && o->info->kind == ObjectKind::Constant && offset >= 0 &&
      static_cast<uint64_t>(offset) + size <= o->size())
    return fmt::format("{} at offset {} of {}, which is constant", access, offset,
                       describe(*o, model));
  return fmt::format("{} at offset {} of {}", access, offset, describe(*o, model));
}

void Addresses::reportFault(State &s, uint64_t address, uint64_t size, bool write,
                            const std::shared_ptr<const expr::Model> &model, ExprPtr condition) {
  // Above the program's own: a pointer that an external function returned, or wrote.
  if (s.statefulCalls.size() && classOf(address) > kMaxClass && address >> 47 == 0) {
    const std::string why = fmt::format("a {} of memory that belongs to a library (address {:#x})",
                                        write ? "write" : "read", address);
    ledger_.add(LedgerCategory::ExternalCall, places_.where(s), why + ": the path ends");
    return ends_.endPath(s, EndKind::Partial, 0, "partial: " + why);
  }
  BugKind kind;
  const ObjectState *object;
  std::string message = describeAddress(s, address, size, write, *model, kind, object);
  bugs_.report(s, kind, message, model, object, condition, /*pathGoesOn=*/false, /*sources=*/{},
               s.memory.surroundings(address).first); // see outsideFault
  if (!object)
    checkDecisions_.raiseFault(s, SIGSEGV, address, condition, model); // nothing is mapped there
}

Resolved Addresses::resolve(State &s, ExprPtr address, uint64_t size, bool write) {
  address = withoutChoices(s, address);
  if (!address) return {.again = true};
  address = settled(s, address);
  if (!address) return {};
  if (address->isConst()) return resolveConstant(s, address->value(), size, write);
  if (address->has(expr::kHasUninit)) return resolveUnwritten(s, address, size, write);
  bool isIndexed = false;
  const ObjectState *origin = originOf(s, address, &isIndexed);
  if (!origin) return resolveAnywhere(s, address, size, write);
  if (!isIndexed && !leaveOtherObjects(s, address, *origin, size)) return {.again = true};
  return resolveWithin(s, address, *origin, size, write);
}

/// The address is a number that was computed from that of `origin`, and need not be an index: with
/// x = 1, a + x * (b - a) is b. Where it is exactly in another object, that one is meant: a state
/// is forked for it. False: the instruction is to be run again.
bool Addresses::leaveOtherObjects(State &s, ExprPtr address, const ObjectState &origin,
                                  uint64_t size) {
  constexpr unsigned kMaxObjects = 8; // more are an index that leads anywhere
  const uint64_t base = origin.base();
  ExprPtr outside = ctx_.bvNot(isInside(origin, ctx_.sub(address, ctx_.constant(base, 64)), size));
  for (unsigned i = 0; i < kMaxObjects && !outside->isConst(); i++) {
    std::shared_ptr<const expr::Model> model;
    if (feasibility_.feasible(s, outside, model, kNoBranch, LossIfUnknown::Nothing) !=
        Feasible::Yes)
      break;
    const uint64_t other = follower_.logged(s, Record::Known, [&]() -> uint64_t {
      witnesses_.evaluator.setModel(*model, nextModelVersion());
      const uint64_t seen = witnesses_.evaluator.eval(address);
      const ObjectState *o = s.memory.resolve(seen, size);
      return o && o->base() != base ? o->base() : 0;
    });
    const ObjectState *o = other ? s.memory.find(other) : nullptr;
    if (!o) break;
    ExprPtr there = isInside(*o, ctx_.sub(address, ctx_.constant(other, 64)), size);
    if (witnesses_.holdsUnderWitness(s, there)) break; // it is what this state means
    const Feasible answer = feasibility_.checkOtherSide(s, there, model);
    if (answer != Feasible::Yes && answer != Feasible::Later) break;
    if (answer == Feasible::Later) {
      forks_.leave(s, Pending::Kind::Way, there);
    } else {
      stats_.pointerForks++;
      if (State *t = forks_.forkAgain(s)) feasibility_.assume(*t, there, model);
    }
    feasibility_.assume(s, ctx_.bvNot(there), s.witness);
    if (stepContext_.step->ready) return false;
    decisions_.took(s, other);
  }
  return true;
}

ExprPtr Addresses::settled(State &s, ExprPtr address) {
  // What is added to the address of an object is an index.
  const bool isIndexed = assumed_.isOn() && s.memory.find(constantPart(address));
  return assumed_.isOn() && !isIndexed ? assumed_.settle(s, address) : address;
}

Resolved Addresses::resolveConstant(State &s, uint64_t address, uint64_t size, bool write) {
  const ObjectState *o = s.memory.resolve(address, size, Memory::Extent::Capacity);
  if (!o) {
    const ObjectState *beyond = s.memory.find(address);
    if (beyond && beyond->info->assumed && !beyond->freed) {
      const bool isBehind = address >= beyond->base();
      if (isBehind && assumed_.grow(s, *beyond, address - beyond->base() + size))
        return resolveConstant(s, address, size, write);
      assumed_.endBeyond(s, *beyond);
      return {};
    }
  }
  if (!o || (write && o->info->kind == ObjectKind::Constant)) {
    reportFault(s, address, size, write, s.witness);
    return {};
  }
  const uint64_t offset = address - o->base();
  if (offset + size <= o->known) return {o, ctx_.constant(offset, 64), false};
  Resolved r = resolveWithin(s, ctx_.constant(address, 64), *o, size, write);
  if (!r.object) return r;
  s.memory.setLength(r.object->base(), r.object->length, offset + size);
  return {s.memory.find(address), r.offset, false};
}

ExprPtr Addresses::withoutChoices(State &s, ExprPtr address) {
  while (ExprPtr choice = findChoice(address)) {
    ExprPtr cond = choice->op(0);
    bool side = witnesses_.holdsUnderWitness(s, cond);
    ExprPtr taken = side ? cond : ctx_.bvNot(cond), other = side ? ctx_.bvNot(cond) : cond;
    std::shared_ptr<const expr::Model> model;
    Feasible answer = feasibility_.checkOtherSide(s, other, model);
    if (answer == Feasible::Later) forks_.leave(s, Pending::Kind::Way, other);
    if (answer == Feasible::Yes) {
      stats_.pointerForks++;
      if (State *t = forks_.forkAgain(s)) feasibility_.assume(*t, other, model);
    }
    if (answer != Feasible::No) {
      feasibility_.assume(s, taken, s.witness);
    }
    // Both states come back to this instruction; each finds its side implied by its path.
    if (stepContext_.step->ready) return nullptr;
    decisions_.took(s, side, taken);
    std::pair<ExprPtr, ExprPtr> decided[] = {{choice, choice->op(side ? 1 : 2)}};
    ExprPtr simpler = ctx_.substitute(address, decided);
    interpreter_.registers.origins.derive(simpler, address);
    address = simpler;
  }
  return address;
}

const ObjectState *Addresses::originOf(State &s, ExprPtr address, bool *isIndexed) {
  // The noted origin depends on other paths as well, so it goes into the log.
  const uint64_t pointer = follower_.logged(
      s, Record::Known, [&] { return interpreter_.registers.origins.of(address); });
  const ObjectState *noted = pointer ? s.memory.find(pointer) : nullptr;
  if (isIndexed) *isIndexed = pointer != 0;
  // The constant part of the address decides if the witness agrees with it. This covers two cases:
  // no pointer was noted; or the difference of two addresses was added to it, which leads from its
  // object to another one.
  const ObjectState *o = s.memory.find(constantPart(address));
  if (o && o != noted && o == s.memory.find(witnesses_.witnessValue(s, address))) return o;
  return noted;
}

/// The address was computed from a pointer to `origin`: anything outside it is out of bounds, even
/// where it happens to hit another object.
Resolved Addresses::resolveWithin(State &s, ExprPtr address, const ObjectState &origin,
                                  uint64_t size, bool write) {
  const uint64_t base = origin.base();
  const bool constant = write && origin.info->kind == ObjectKind::Constant;
  if (origin.freed || size > origin.size() || constant) {
    reportFault(s, witnesses_.witnessValue(s, address), size, write, s.witness);
    return {}; // wrong wherever it points
  }
  ExprPtr offset = ctx_.sub(address, ctx_.constant(base, 64));
  const Access access{.offset = offset, .size = ctx_.constant(size, 64), .write = write};
  if (!staysInside(s, origin, isInside(origin, offset, size), access)) return {};
  return {s.memory.find(base), offset, false};
}

bool Addresses::staysInside(State &s, const ObjectState &object, uint64_t offset, ExprPtr size,
                            bool write) {
  ExprPtr inBounds = ctx_.trueExpr();
  const uint64_t room = object.size() - std::min(offset, object.size());
  if (!object.length || unsignedMax(size) > room)
    inBounds = ctx_.ule(size, ctx_.constant(room, 64));
  ExprPtr from = ctx_.constant(offset, 64);
  if (object.length) inBounds = ctx_.bvAnd(inBounds, ctx_.ule(ctx_.add(size, from), object.length));
  return staysInside(s, object, inBounds, {.offset = from, .size = size, .write = write});
}

bool Addresses::staysInside(State &s, const ObjectState &object, ExprPtr offset, ExprPtr size,
                            bool write) {
  ExprPtr end = object.length ? object.length : ctx_.constant(object.size(), 64);
  ExprPtr inBounds = ctx_.ule(size, ctx_.sub(end, offset));
  return staysInside(s, object, inBounds, {.offset = offset, .size = size, .write = write});
}

/// Reports that it may not be so, and goes on where it is.
bool Addresses::staysInside(State &s, const ObjectState &object, ExprPtr inBounds,
                            const Access &access) {
  if (inBounds->isTrue()) return true;
  if (object.info->assumed) {
    assumed_.noteBeyond(s, object, ctx_.bvNot(inBounds));
    if (feasibility_.assumeIfFeasible(s, inBounds)) return true;
    assumed_.endBeyond(s, object);
    return false;
  }
  const BugKind kind = access.write ? BugKind::OutOfBoundsWrite : BugKind::OutOfBoundsRead;
  std::shared_ptr<const expr::Model> model;
  bool endsHere = false; // some inputs' path does
  const bool isNew = !LogFollower::isFollowed(s);
  const bool isAsked = bugs_.looksFor(s, kind, &object);
  ExprPtr outside = ctx_.bvNot(inBounds);
  Feasible wrong = Feasible::No;
  if (isAsked)
    wrong = feasibility_.feasibleOrLater(s, outside, model, kNoBranch, LossIfUnknown::Bug);
  else if (isNew && !witnesses_.holdsUnderWitness(s, inBounds))
    wrong = Feasible::Yes;
  if (wrong == Feasible::Later) forks_.leaveCheck(s, outside, kind, &object);
  if (wrong == Feasible::Yes) {
    if (!isAsked) model = s.witness; // the input at hand ends in it
    witnesses_.evaluator.setModel(*model, nextModelVersion());
    auto at = static_cast<int64_t>(witnesses_.evaluator.eval(access.offset));
    const uint64_t size = witnesses_.evaluator.eval(access.size);
    bugs_.report(s, kind,
                 fmt::format("{} of {} at offset {} of {}", access.write ? "write" : "read",
                             plainCount(size, "byte"), at, describe(object, *model)),
                 model, &object, outside);
    if (stepContext_.sinkFailed) return false;
    endsHere = true;
  }
  if (isAsked && wrong == Feasible::No) return true; // the path says so already
  if (!feasibility_.assumeIfFeasible(s, inBounds))
    return false; // the witness is out of bounds: reported
  stats_.pathsTerminatedEarly += isNew && endsHere;
  return true;
}

/// The object that an access goes to where the witness says that it has these bytes.
const ObjectState *Addresses::hitBy(State &s, uint64_t seen, uint64_t size) {
  const ObjectState *o = s.memory.resolve(seen, size, Memory::Extent::Capacity);
  return o && seen - o->base() + size <= bytesOf(*o, *s.witness) ? o : nullptr;
}

/// Any object may be meant: the one that the witness hits, here; the others in a forked state that
/// comes back.
Resolved Addresses::resolveAnywhere(State &s, ExprPtr address, uint64_t size, bool write) {
  const uint64_t seen = witnesses_.witnessValue(s, address);
  const ObjectState *hit = hitBy(s, seen, size);
  std::shared_ptr<const expr::Model> model;
  if (!hit || (write && hit->info->kind == ObjectKind::Constant)) {
    // The witness goes wrong, and with it all that point between the same two objects. Others may
    // not.
    ExprPtr elsewhere = outsideFault(s, address, seen, size, write);
    reportFault(s, seen, size, write, s.witness, ctx_.bvNot(elsewhere));
    if (stepContext_.sinkFailed) return {};
    // Memory of which nothing is known holds numbers that lead anywhere: to try it all is no use.
    if (assumed_.isOn() && feasibility_.feasible(s, elsewhere, model) == Feasible::Yes) {
      ends_.abandon(s, LedgerCategory::ConcretizedValue,
                    "an address that may lead anywhere was tried once");
      return {};
    }
    if (!feasibility_.assumeIfFeasible(s, elsewhere)) return {};
    return {.again = true};
  }
  const uint64_t base = hit->base();
  auto resolved = [&](Resolved r) {
    decisions_.took(s, base);
    return r;
  };
  auto atWitness = [&] {
    return hit->length ? resolveConstant(s, seen, size, write)
                       : Resolved{hit, ctx_.constant(seen - base, 64), false};
  };
  ExprPtr offset = ctx_.sub(address, ctx_.constant(base, 64));
  ExprPtr inBounds = isInside(*hit, offset, size);
  if (inBounds->isTrue()) return resolved({hit, offset, false});
  if (options_.pointers == Pointers::Concretize) {
    ledger_.add(LedgerCategory::ConcretizedValue, places_.where(s),
                "a pointer that may point into several objects");
    stats_.pointerConcretized++;
    feasibility_.assume(s, ctx_.eq(address, ctx_.constant(seen, 64)), s.witness);
    decisions_.took(s, seen, ctx_.eq(address, ctx_.constant(seen, 64)));
    return resolved(atWitness());
  }
  // Often the other objects have been split off before and one value is left: then the address is
  // simply that.
  if (feasibility_.feasibleOrLater(s, ctx_.ne(address, ctx_.constant(seen, 64)), model, kNoBranch,
                                   LossIfUnknown::Nothing) == Feasible::No)
    return resolved(atWitness());
  ExprPtr outside = ctx_.bvNot(inBounds);
  Feasible others = feasibility_.checkOtherSide(s, outside, model);
  if (others == Feasible::No) return resolved({hit, offset, false});
  if (others == Feasible::Later) forks_.leave(s, Pending::Kind::Way, outside);
  if (others == Feasible::Yes) {
    stats_.pointerForks++;
    if (State *t = forks_.forkAgain(s)) feasibility_.assume(*t, outside, model);
  }
  feasibility_.assume(s, inBounds, s.witness);
  if (stepContext_.step->ready) return {.again = true};
  return resolved({s.memory.find(base), offset, false});
}

/// The address depends on memory that was never written, which was reported: what it hits beside an
/// object is no bug of its own. Of an index it is the values that are in bounds with which the path
/// goes on; a pointer that is unwritten itself points nowhere.
Resolved Addresses::resolveUnwritten(State &s, ExprPtr address, uint64_t size, bool write) {
  const ObjectState *o = originOf(s, address);
  if (!o) {
    const ObjectState *hit = hitBy(s, witnesses_.witnessValue(s, address), size);
    if (!hit || (write && hit->info->kind == ObjectKind::Constant)) return {};
    return resolveAnywhere(s, address, size, write);
  }
  if (o->freed || size > o->size() || (write && o->info->kind == ObjectKind::Constant)) return {};
  const uint64_t base = o->base();
  ExprPtr offset = ctx_.sub(address, ctx_.constant(base, 64));
  if (!feasibility_.assumeIfFeasible(s, isInside(*o, offset, size))) return {};
  return {s.memory.find(base), offset, false};
}

/// For an access that goes wrong at `seen`: the addresses that do not go wrong in the same way,
/// that is, in the same slot or the same gap between slots.
ExprPtr Addresses::outsideFault(State &s, ExprPtr address, uint64_t seen, uint64_t size,
                                bool write) {
  auto [first, end] = s.memory.surroundings(seen);
  ExprPtr outside =
      ctx_.ule(ctx_.constant(end - first, 64), ctx_.sub(address, ctx_.constant(first, 64)));
  const ObjectState *o = s.memory.find(seen);
  if (!o || o->freed || size > o->size() || (write && o->info->kind == ObjectKind::Constant))
    return outside;
  return ctx_.bvOr(outside, isInside(*o, ctx_.sub(address, ctx_.constant(o->base(), 64)), size));
}

} // namespace fathom::explore
