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
#include "explore/Executor.h"

#include "explore/Handlers.h"
#include "explore/TermBounds.h"
#include "solver/Values.h"

#include "fmt/format.h"

#include <bit>
#include <csignal>

namespace fathom::explore {

using namespace program;
using expr::Kind;

namespace {

/// What a load or store instruction does.
struct Access {
  unsigned size = 0;  ///< bytes
  unsigned width = 0; ///< bits of the value
  bool write = false;
  bool immediate = false;
};

Access accessOf(const Inst &in) {
  switch (in.op) {
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

/// Largest range of a symbolic read in which each byte that was never written gets a term of its
/// own. In a larger one they share one.
constexpr uint64_t kUninitTable = 256;

/// The ite on the additive spine of an address, if any.
ExprPtr findChoice(ExprPtr e, int depth = 0) {
  if (depth > 8) return nullptr;
  if (e->kind() == Kind::Ite) return e;
  if (e->kind() == Kind::Add)
    for (unsigned i = 0; i < 2; i++)
      if (ExprPtr c = findChoice(e->op(i), depth + 1)) return c;
  return nullptr;
}

/// The sum of the constants on the additive spine; a sum without carries is a concatenation.
uint64_t constantPart(ExprPtr e, int depth = 0) {
  if (e->isConst()) return e->width() <= 64 ? e->value() : 0;
  if (depth >= 16) return 0;
  switch (e->kind()) {
  case Kind::Add: return constantPart(e->op(0), depth + 1) + constantPart(e->op(1), depth + 1);
  case Kind::Concat:
    return e->width() > 64 ? 0
                           : (constantPart(e->op(0), depth + 1) << e->op(1)->width()) +
                                 constantPart(e->op(1), depth + 1);
  case Kind::ZExt: return constantPart(e->op(0), depth + 1);
  default: return 0;
  }
}

/// Number of low bits of e that are 0 whatever its symbols.
unsigned trailingZeros(ExprPtr e, int depth = 0) {
  unsigned w = e->width();
  if (depth > 8) return 0;
  switch (e->kind()) {
  case Kind::Const:
    return w <= 64 && e->value() ? static_cast<unsigned>(std::countr_zero(e->value())) : w;
  case Kind::Add:
  case Kind::Sub:
  case Kind::Or:
  case Kind::Xor:
    return std::min(trailingZeros(e->op(0), depth + 1), trailingZeros(e->op(1), depth + 1));
  case Kind::And:
    return std::max(trailingZeros(e->op(0), depth + 1), trailingZeros(e->op(1), depth + 1));
  case Kind::Mul:
    return std::min(w, trailingZeros(e->op(0), depth + 1) + trailingZeros(e->op(1), depth + 1));
  case Kind::Shl:
    return e->op(1)->isConst()
               ? std::min<unsigned>(
                     w, trailingZeros(e->op(0), depth + 1) +
                            static_cast<unsigned>(std::min<uint64_t>(e->op(1)->value(), w)))
               : trailingZeros(e->op(0), depth + 1);
  case Kind::Concat: {
    unsigned low = trailingZeros(e->op(1), depth + 1);
    return low < e->op(1)->width() ? low : low + trailingZeros(e->op(0), depth + 1);
  }
  case Kind::ZExt:
  case Kind::SExt: {
    unsigned n = trailingZeros(e->op(0), depth + 1);
    return n < e->op(0)->width() ? n : w;
  }
  case Kind::Ite:
    return std::min(trailingZeros(e->op(1), depth + 1), trailingZeros(e->op(2), depth + 1));
  default: return 0;
  }
}

} // namespace

// --- faults
// ------------------------------------------------------------------------------------------------------

std::string Executor::describeAddress(const State &s, uint64_t address, uint64_t size, bool write,
                                      BugKind &kind, const ObjectState *&object) {
  const char *verb = write ? "write" : "read";
  std::string access = fmt::format("{} of {} byte{}", verb, size, size == 1 ? "" : "s");
  kind = write ? BugKind::OutOfBoundsWrite : BugKind::OutOfBoundsRead;
  object = nullptr;
  auto what = [](const ObjectState &o) {
    return fmt::format("a {}-byte {} object{}", o.size(), name(o.info->kind),
                       o.info->name.empty() ? "" : " '" + o.info->name + "'");
  };
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
    return fmt::format("{} at offset {} of {} that {}", access, offset, what(*o),
                       o->outOfScope                        ? "is gone: its block has ended"
                       : o->info->kind == ObjectKind::Stack ? "is gone: its function has returned"
                                                            : "was freed");
  }
  if (write && o->info->kind == ObjectKind::Constant && offset >= 0 &&
      static_cast<uint64_t>(offset) + size <= o->size())
    return fmt::format("{} at offset {} of {}, which is constant", access, offset, what(*o));
  return fmt::format("{} at offset {} of {}", access, offset, what(*o));
}

void Executor::reportFault(State &s, uint64_t address, uint64_t size, bool write,
                           const std::shared_ptr<const expr::Model> &model, ExprPtr condition) {
  // Above the program's own: a pointer that an external function returned, or wrote.
  if (s.statefulCalls.size() && classOf(address) > kMaxClass && address >> 47 == 0) {
    const std::string why = fmt::format("a {} of memory that belongs to a library (address {:#x})",
                                        write ? "write" : "read", address);
    ledger_.add("external-call", where(s), why + ": the path ends");
    return endPath(s, EndKind::Partial, 0, "partial: " + why);
  }
  BugKind kind;
  const ObjectState *object;
  std::string message = describeAddress(s, address, size, write, kind, object);
  report(s, kind, message, model, object, condition, /*pathGoesOn=*/false, /*source=*/0,
         s.memory.surroundings(address).first);                   // see outsideFault
  if (!object) raiseFault(s, SIGSEGV, address, condition, model); // nothing is mapped there
}

// --- which object
// ----------------------------------------------------------------------------------------------------

Executor::Resolved Executor::resolve(State &s, ExprPtr address, uint64_t size, bool write) {
  address = withoutChoices(s, address);
  if (!address) return {.again = true};
  if (address->isConst()) return resolveConstant(s, address->value(), size, write);
  if (address->has(expr::kHasUninit)) return resolveUnwritten(s, address, size, write);
  if (const ObjectState *origin = originOf(s, address))
    return resolveWithin(s, address, *origin, size, write);
  return resolveAnywhere(s, address, size, write);
}

Executor::Resolved Executor::resolveConstant(State &s, uint64_t address, uint64_t size,
                                             bool write) {
  const ObjectState *o = s.memory.resolve(address, size);
  if (!o || (write && o->info->kind == ObjectKind::Constant)) {
    reportFault(s, address, size, write, s.witness);
    return {};
  }
  return {o, ctx_.constant(address - o->base(), 64), false};
}

ExprPtr Executor::withoutChoices(State &s, ExprPtr address) {
  while (ExprPtr choice = findChoice(address)) {
    ExprPtr cond = choice->op(0);
    bool side = holdsUnderWitness(s, cond);
    ExprPtr taken = side ? cond : ctx_.bvNot(cond), other = side ? ctx_.bvNot(cond) : cond;
    std::shared_ptr<const expr::Model> model;
    Feasible answer = otherWay(s, other, model);
    if (answer == Feasible::Later) leave(s, Pending::Kind::Way, other);
    if (answer == Feasible::Yes) {
      stats_.pointerForks++;
      if (State *t = forkAgain(s)) assume(*t, other, model);
    }
    if (answer != Feasible::No) {
      assume(s, taken, s.witness);
    }
    // Both states come back to this instruction; each finds its side implied by its path.
    if (step_->ready) return nullptr;
    s.took(side);
    std::pair<ExprPtr, ExprPtr> decided[] = {{choice, choice->op(side ? 1 : 2)}};
    ExprPtr simpler = ctx_.substitute(address, decided);
    machine.origins.derive(simpler, address);
    address = simpler;
  }
  return address;
}

const ObjectState *Executor::originOf(State &s, ExprPtr address) {
  // What has been noted depends on other paths as well: it goes into the log.
  const uint64_t pointer = logged(s, [&] { return machine.origins.of(address); });
  const ObjectState *noted = pointer ? s.memory.find(pointer) : nullptr;
  // The constant part tells, where the witness does not contradict it: if nobody noted a pointer,
  // or if the difference of two addresses was added to it, which leads from its object to another
  // one.
  const ObjectState *o = s.memory.find(constantPart(address));
  if (o && o != noted && o == s.memory.find(witnessValue(s, address))) return o;
  return noted;
}

/// The address was computed from a pointer to `origin`: anything outside it is out of bounds, even
/// where it happens to hit another object.
Executor::Resolved Executor::resolveWithin(State &s, ExprPtr address, const ObjectState &origin,
                                           uint64_t size, bool write) {
  const uint64_t base = origin.base(), bytes = origin.size();
  const bool constant = write && origin.info->kind == ObjectKind::Constant;
  if (origin.freed || size > bytes || constant) {
    reportFault(s, witnessValue(s, address), size, write, s.witness);
    return {}; // wrong wherever it points
  }
  ExprPtr offset = ctx_.sub(address, ctx_.constant(base, 64));
  ExprPtr inBounds = ctx_.ule(offset, ctx_.constant(bytes - size, 64));
  if (inBounds->isTrue()) return {&origin, offset, false};
  const BugKind kind = write ? BugKind::OutOfBoundsWrite : BugKind::OutOfBoundsRead;
  std::shared_ptr<const expr::Model> model;
  bool endsHere = false; // some inputs' path does
  const bool isNew = !isFollowed(s);
  const bool isAsked = options_.allBugInputs || !alreadyReported(s, kind, &origin);
  ExprPtr outside = ctx_.bvNot(inBounds);
  Feasible wrong = Feasible::No;
  if (isAsked)
    wrong = feasibleOrLater(s, outside, model, ~0u, Unanswered::Bug);
  else if (isNew && !holdsUnderWitness(s, inBounds))
    wrong = Feasible::Yes;
  if (wrong == Feasible::Later) leaveCheck(s, outside, kind, &origin);
  if (wrong == Feasible::Yes) {
    if (!isAsked) model = s.witness; // the input at hand ends in it
    evaluator_.setModel(*model, nextModelVersion());
    auto at = static_cast<int64_t>(evaluator_.eval(offset));
    report(s, kind,
           fmt::format("{} of {} byte{} at offset {} of a {}-byte {} object{}",
                       write ? "write" : "read", size, size == 1 ? "" : "s", at, bytes,
                       name(origin.info->kind),
                       origin.info->name.empty() ? "" : " '" + origin.info->name + "'"),
           model, &origin, outside);
    if (sinkFailed) return {};
    endsHere = true;
  }
  if (!goesOnWith(s, inBounds)) return {}; // the witness is out of bounds: reported
  stats_.pathsTerminatedEarly += isNew && endsHere;
  return {s.memory.find(base), offset, false};
}

/// Any object may be meant: the one that the witness hits, here; the others in a forked state that
/// comes back.
Executor::Resolved Executor::resolveAnywhere(State &s, ExprPtr address, uint64_t size, bool write) {
  const uint64_t seen = witnessValue(s, address);
  const ObjectState *hit = s.memory.resolve(seen, size);
  std::shared_ptr<const expr::Model> model;
  if (!hit || (write && hit->info->kind == ObjectKind::Constant)) {
    // The witness goes wrong, and with it all that point between the same two objects. Others may
    // not.
    ExprPtr elsewhere = outsideFault(s, address, seen, size, write);
    reportFault(s, seen, size, write, s.witness, ctx_.bvNot(elsewhere));
    if (sinkFailed) return {};
    if (!goesOnWith(s, elsewhere)) return {};
    return {.again = true};
  }
  const uint64_t base = hit->base();
  auto resolved = [&](Resolved r) {
    s.took(base);
    return r;
  };
  const Resolved atWitness{hit, ctx_.constant(seen - base, 64), false};
  ExprPtr offset = ctx_.sub(address, ctx_.constant(base, 64));
  ExprPtr inBounds = ctx_.ule(offset, ctx_.constant(hit->size() - size, 64));
  if (inBounds->isTrue()) return resolved({hit, offset, false});
  if (options_.pointers == Pointers::Concretize) {
    ledger_.add("concretized-value", where(s), "a pointer that may point into several objects");
    stats_.pointerConcretized++;
    assume(s, ctx_.eq(address, ctx_.constant(seen, 64)), s.witness);
    s.took(seen);
    return resolved(atWitness);
  }
  // Often the other objects have been split off before and one value is left: then the address is
  // simply that.
  if (feasibleOrLater(s, ctx_.ne(address, ctx_.constant(seen, 64)), model, ~0u,
                      Unanswered::Nothing) == Feasible::No)
    return resolved(atWitness);
  ExprPtr outside = ctx_.bvNot(inBounds);
  Feasible others = otherWay(s, outside, model);
  if (others == Feasible::No) return resolved({hit, offset, false});
  if (others == Feasible::Later) leave(s, Pending::Kind::Way, outside);
  if (others == Feasible::Yes) {
    stats_.pointerForks++;
    if (State *t = forkAgain(s)) assume(*t, outside, model);
  }
  assume(s, inBounds, s.witness);
  if (step_->ready) return {.again = true};
  return resolved({s.memory.find(base), offset, false});
}

/// The address depends on memory that was never written, which was reported: what it hits beside an
/// object is no bug of its own. Of an index it is the values that are in bounds with which the path
/// goes on; a pointer that is unwritten itself points nowhere.
Executor::Resolved Executor::resolveUnwritten(State &s, ExprPtr address, uint64_t size,
                                              bool write) {
  const ObjectState *o = originOf(s, address);
  if (!o) {
    const ObjectState *hit = s.memory.resolve(witnessValue(s, address), size);
    if (!hit || (write && hit->info->kind == ObjectKind::Constant)) return {};
    return resolveAnywhere(s, address, size, write);
  }
  if (o->freed || size > o->size() || (write && o->info->kind == ObjectKind::Constant)) return {};
  const uint64_t base = o->base();
  ExprPtr offset = ctx_.sub(address, ctx_.constant(base, 64));
  ExprPtr inBounds = ctx_.ule(offset, ctx_.constant(o->size() - size, 64));
  if (!goesOnWith(s, inBounds)) return {};
  return {s.memory.find(base), offset, false};
}

/// For an access that goes wrong at `seen`: the addresses that do not go wrong in the same way,
/// that is, in the same slot or the same gap between slots.
ExprPtr Executor::outsideFault(State &s, ExprPtr address, uint64_t seen, uint64_t size,
                               bool write) {
  auto [first, end] = s.memory.surroundings(seen);
  ExprPtr outside =
      ctx_.ule(ctx_.constant(end - first, 64), ctx_.sub(address, ctx_.constant(first, 64)));
  const ObjectState *o = s.memory.find(seen);
  if (!o || o->freed || size > o->size() || (write && o->info->kind == ObjectKind::Constant))
    return outside;
  return ctx_.bvOr(outside, ctx_.ule(ctx_.sub(address, ctx_.constant(o->base(), 64)),
                                     ctx_.constant(o->size() - size, 64)));
}

// --- inside the object
// -------------------------------------------------------------------------------------------------

/// An offset into a large object that has at most this many values is forked over.
constexpr unsigned kFewValues = 8;
/// A write that can go to more places than these is split over them, where addresses are
/// (Executor::splitsAddresses).
constexpr uint64_t kFewPlaces = 4;

Executor::OffsetRange Executor::offsetRange(State &s, ExprPtr offset) {
  OffsetRange out;
  if (cut_ || s.discarded) return out;
  auto start = solver::Clock::now();
  solver::Range range;
  if (!s.script)
    range = solver::feasibleRange(oracle_, s.path, s.witness.get(), s.witnessVersion, offset,
                                  queryTimeout(), ctx_);
  if (!s.script && !range.exact && cutShort(s, false)) return out;
  out.exact = logged(s, [&] { return range.exact; });
  out.min = logged(s, [&] { return range.min; });
  out.max = logged(s, [&] { return range.max; });
  stats_.solverSeconds += std::chrono::duration<double>(solver::Clock::now() - start).count();
  return out;
}

bool Executor::hasFewValues(State &s, ExprPtr offset) {
  if (s.discarded) return true;
  auto start = solver::Clock::now();
  const bool few = logged(s, [&] {
    const bool complete = solver::feasibleValues(oracle_, s.path, s.witness.get(), s.witnessVersion,
                                                 offset, kFewValues, queryTimeout(), ctx_)
                              .complete;
    return complete || cutShort(s, false);
  });
  stats_.solverSeconds += std::chrono::duration<double>(solver::Clock::now() - start).count();
  return few;
}

void Executor::boundOffset(State &s, const ObjectState &o, ExprPtr &offset, unsigned size,
                           uint64_t &first, uint64_t &last) {
  first = 0;
  last = o.size() - size;
  uint64_t bound = unsignedMax(offset);
  last = std::min(last, bound);
  if (last - first + size <= options_.maxTableBytes) return;
  auto pinTo = [&](uint64_t v) {
    offset = ctx_.constant(v, 64);
    first = last = v;
  };
  const bool splits = logged(s, [&] { return splitsAddresses(s); });
  if (splits || hasFewValues(s, offset)) return pinTo(splitOnValue(s, offset));
  if (OffsetRange seen = offsetRange(s, offset); seen.exact) {
    first = std::max(first, seen.min);
    last = std::min(last, seen.max);
    if (first <= last && last - first + size <= options_.maxTableBytes) return;
  }
  stats_.pointerConcretized++;
  pinTo(concretize(s, offset,
                   fmt::format("an offset that ranges over more than {} bytes (--max-table)",
                               options_.maxTableBytes)));
}

/// Where a write of `size` bytes at this offset can go, in ascending order: multiples of `stride`
/// in [first, last], or fewer when it pays to ask the solver. Each is an if-then-else for every
/// byte, now and whenever these bytes are read.
std::vector<uint64_t> Executor::writePlaces(State &s, ExprPtr offset, unsigned stride,
                                            uint64_t first, uint64_t last) {
  constexpr uint64_t kMany = 16;
  std::vector<uint64_t> places;
  first -= first % stride;
  if ((last - first) / stride >= kFewPlaces && logged(s, [&] { return splitsAddresses(s); }))
    return {splitOnValue(s, offset)};
  if ((last - first) / stride >= kMany && !s.discarded) {
    solver::Values seen;
    auto start = solver::Clock::now();
    const uint64_t few = logged(s, [&] {
      seen = solver::feasibleValues(oracle_, s.path, s.witness.get(), s.witnessVersion, offset,
                                    kMany, queryTimeout(), ctx_);
      if (!seen.complete) cutShort(s, false);
      return seen.complete ? seen.values.size() : 0;
    });
    stats_.solverSeconds += std::chrono::duration<double>(solver::Clock::now() - start).count();
    std::sort(seen.values.begin(), seen.values.end());
    for (uint64_t i = 0; i < few; i++) places.push_back(logged(s, [&] { return seen.values[i]; }));
    if (few) return places;
    if (OffsetRange range = offsetRange(s, offset); range.exact) {
      first = std::max(first, range.min);
      last = std::min(last, range.max);
    }
  }
  for (uint64_t p = first - first % stride; p <= last; p += stride) places.push_back(p);
  return places;
}

/// Were all bytes of elements of this size at these offsets written, and with constants?
bool Executor::isConstantTable(State &s, const ObjectState &o, uint64_t first, uint64_t last,
                               unsigned size) {
  for (uint64_t at = first; at < std::min(last + size, o.size()); at++)
    if (ByteValue b = s.memory.read(o, at); b.sym || b.uninit) return false;
  return true;
}

ExprPtr Executor::readAt(State &s, const ObjectState &object, ExprPtr offset, unsigned size) {
  uint64_t base = object.base(), first, last;
  boundOffset(s, object, offset, size, first, last);
  if (offset->isConst()) {
    Machine::Loaded l = machine.load(s, base + offset->value(), size);
    if (l.term) return l.term;
    uint64_t words[2] = {l.lo, l.hi};
    return size <= 8 ? ctx_.constant(l.lo, size * 8) : ctx_.constantWide(words, size * 8);
  }
  if (logged(s,
             [&] { return splitsAddresses(s) && !isConstantTable(s, object, first, last, size); }))
    return readAt(s, object, ctx_.constant(splitOnValue(s, offset), 64), size);
  stats_.pointerItes++;
  const ObjectState &o = *s.memory.find(base);
  // With offsets that are multiples of the element's size (an array index), one array per byte of
  // the element: smaller arrays, and those of high bytes are often constant.
  unsigned stride = std::has_single_bit(size) &&
                            trailingZeros(offset) >= static_cast<unsigned>(std::countr_zero(size))
                        ? size
                        : 1;
  first -= first % stride;
  uint64_t count = (last - first) / stride + 1;
  ExprPtr index = ctx_.sub(offset, ctx_.constant(first, 64));
  if (stride > 1)
    index = ctx_.lshr(index, ctx_.constant(static_cast<unsigned>(std::countr_zero(stride)), 64));
  ExprPtr value = nullptr;
  for (unsigned lane = 0; lane < size; lane++) {
    std::vector<uint8_t> contents(count), isUnwritten;
    std::vector<std::pair<uint64_t, ExprPtr>> symbolic;
    for (uint64_t i = 0; i < count; i++) {
      uint64_t at = first + i * stride + lane;
      if (at >= o.size()) continue;
      ByteValue b = s.memory.read(*s.memory.find(base), at);
      if (b.uninit && options_.checkUninit && count * stride <= kUninitTable) {
        b.sym = machine.load(s, base + at, 1).term;
      } else if (b.uninit && options_.checkUninit) {
        isUnwritten.resize(count);
        isUnwritten[i] = 1;
      }
      contents[i] = b.value;
      if (b.sym) symbolic.emplace_back(i, b.sym);
    }
    ExprPtr array = ctx_.constArray(contents);
    for (auto &[i, e] : symbolic) array = ctx_.store(array, ctx_.constant(i, 64), e);
    ExprPtr byte = ctx_.read(array, index);
    if (!isUnwritten.empty()) {
      const uint64_t whole = o.size(); // no offset: any of them
      const uint32_t number = s.unwritten.add(*s.memory.find(base), whole, 1);
      ExprPtr hitsNone =
          ctx_.eq(ctx_.read(ctx_.constArray(isUnwritten), index), ctx_.constant(0, 8));
      byte = ctx_.ite(hitsNone, byte, ctx_.uninitByte(number));
    }
    value = value ? ctx_.concat(byte, value) : byte;
  }
  return value;
}

void Executor::writeAt(State &s, const ObjectState &object, ExprPtr offset, ExprPtr value) {
  unsigned size = value->width() / 8;
  uint64_t base = object.base(), first, last;
  boundOffset(s, object, offset, size, first, last);
  if (offset->isConst()) {
    if (value->isConst())
      machine.store(s, base + offset->value(), size, value->word(0), size > 8 ? value->word(1) : 0);
    else
      machine.storeTerm(s, base + offset->value(), value);
    return;
  }
  stats_.pointerItes++;
  unsigned stride = std::has_single_bit(size) &&
                            trailingZeros(offset) >= static_cast<unsigned>(std::countr_zero(size))
                        ? size
                        : 1;
  // Byte `at` becomes the value's byte at - p for the one position p that is the offset, if any.
  const std::vector<uint64_t> places = writePlaces(s, offset, stride, first, last);
  for (uint64_t p : places) {
    ExprPtr here = places.size() == 1 ? ctx_.trueExpr() : ctx_.eq(offset, ctx_.constant(p, 64));
    if (here->isFalse()) continue;
    for (unsigned i = 0; i < size; i++) {
      ByteValue old = s.memory.read(*s.memory.find(base), p + i);
      if (old.uninit && options_.checkUninit)
        old.sym = machine.load(s, base + p + i, 1).term; // stays unwritten elsewhere
      ExprPtr oldTerm = old.sym ? old.sym : ctx_.constant(old.value, 8);
      s.memory.writeSym(base + p + i, ctx_.ite(here, ctx_.extract(value, 8 * i, 8), oldTerm));
    }
  }
}

// --- events
// -------------------------------------------------------------------------------------------------------------

bool Executor::onMemory(State &s) {
  const Inst *ip = s.ip;
  Access a = accessOf(*ip);
  Frame &frame = *s.top;
  bool isVa = ip->op == Op::VaStart || ip->op == Op::VaCopy;
  ExprPtr address = machine.registerTerm(frame, ip->a, 64);
  if (!isVa) {
    auto displacement = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(ip->c)));
    ExprPtr pointer = address;
    address = ctx_.add(pointer, ctx_.constant(displacement, 64));
    machine.origins.derive(address, pointer);
  }
  if (isVa &&
      s.memory.resolve(address->value(), 24)) { // VaCopy: then it is the source that is wrong
    address = machine.registerTerm(frame, ip->b, 64);
    a.write = false;
  }
  if (address->has(expr::kHasUninit)) {
    address = settleUninit(s, address, "an address");
    if (sinkFailed) return false;
  }
  Resolved r = resolve(s, address, a.size, a.write);
  if (r.again) return again(s);
  if (!r.object) return false;
  if (a.write) {
    ExprPtr value =
        a.immediate ? ctx_.constant(ip->imm, a.width) : machine.registerTerm(frame, ip->b, a.width);
    if (a.width < a.size * 8) value = ctx_.zext(value, a.size * 8);
    writeAt(s, *r.object, r.offset, value);
  } else {
    // A pointer read from a table: as a term it would stand for several objects at every later use.
    // The path forks over the entries here, once (the copies come back to this instruction for the
    // others).
    if ((ip->flags & kPointer) && !r.offset->isConst() && options_.pointers == Pointers::Fork) {
      size_t before = step_->forked.size();
      r.offset = ctx_.constant(splitOnValue(s, r.offset), 64);
      stats_.pointerForks += step_->forked.size() - before;
    }
    ExprPtr value = readAt(s, *r.object, r.offset, a.size);
    if (a.width < a.size * 8) value = ctx_.trunc(value, a.width);
    machine.setRegister(frame, ip->dst, value);
  }
  s.ip = ip + 1;
  return true;
}

/// A block operation of symbolic size: sizes that go beyond an object are a bug; of the others, the
/// path forks over all when they are few, and takes one otherwise (in the ledger).
bool Executor::onBlockSize(State &s) {
  constexpr uint64_t kMostForks = 64;
  const Inst *ip = s.ip;
  Frame &frame = *s.top;
  ExprPtr size = machine.registerTerm(frame, ip->c, 64);
  if (size->has(expr::kHasUninit)) size = settleUninit(s, size, "a size");
  std::shared_ptr<const expr::Model> model;
  const bool isNew = !isFollowed(s);
  uint64_t most = unsignedMax(size);
  for (int i = 0; i < (ip->op == Op::MemSet ? 1 : 2); i++) {
    ExprPtr address = machine.registerTerm(frame, i ? ip->b : ip->a, 64);
    if (!address->isConst()) continue; // both symbolic: the size is made concrete first
    const ObjectState *o = s.memory.resolve(address->value(), 0);
    uint64_t room = o ? o->base() + o->size() - address->value() : 0;
    ExprPtr beyond = ctx_.ult(ctx_.constant(room, 64), size);
    Feasible wrong = feasibleOrLater(s, beyond, model, ~0u, Unanswered::Bug);
    if (wrong == Feasible::Later) leave(s, Pending::Kind::Check, beyond);
    if (wrong != Feasible::No) {
      if (wrong == Feasible::Yes && !size->has(expr::kHasUninit)) {
        evaluator_.setModel(*model, nextModelVersion());
        reportFault(s, address->value(), evaluator_.eval(size), /*write=*/i == 0, model, beyond);
        if (sinkFailed) return false;
      }
      ExprPtr within = ctx_.bvNot(beyond);
      if (!goesOnWith(s, within)) return false;
      stats_.pathsTerminatedEarly += isNew && wrong == Feasible::Yes;
    }
    most = std::min(most, room);
  }
  uint64_t mine = most <= kMostForks
                      ? splitOnValue(s, size)
                      : concretize(s, size, fmt::format("size of a {}", opName(ip->op)));
  machine.setRegister(frame, ip->c, ctx_.constant(mine, 64));
  return true;
}

/// Ranges of a memcpy may be the same, as in the assignment of a structure to itself, but must not
/// overlap otherwise. Returns whether the path goes on.
bool Executor::excludeOverlap(State &s, const Resolved &to, const Resolved &from, uint64_t size) {
  if (to.object->base() != from.object->base()) return true;
  ExprPtr apart = ctx_.sub(to.offset, from.offset), n = ctx_.constant(size, 64);
  ExprPtr isNear = ctx_.bvOr(ctx_.ult(apart, n), ctx_.ult(ctx_.neg(apart), n));
  ExprPtr bad = ctx_.bvAnd(ctx_.ne(apart, ctx_.constant(0, 64)), isNear);
  if (bad->isFalse()) return true;
  std::shared_ptr<const expr::Model> model;
  const bool isNew = !isFollowed(s);
  bool endsHere = false; // some inputs' path does
  auto reportIt = [&](const std::shared_ptr<const expr::Model> &shows) {
    report(s, BugKind::BadCall, fmt::format("memcpy of {} bytes with ranges that overlap", size),
           shows, to.object, bad);
    endsHere = true;
  };
  if (options_.allBugInputs || !alreadyReported(s, BugKind::BadCall, to.object)) {
    const Feasible wrong = feasibleOrLater(s, bad, model, ~0u, Unanswered::Bug);
    if (wrong == Feasible::Later) leaveCheck(s, bad, BugKind::BadCall, to.object);
    if (wrong == Feasible::Yes) reportIt(model);
  } else if (isNew && holdsUnderWitness(s, bad)) { // the input at hand ends in it
    reportIt(s.witness);
  }
  if (sinkFailed) return false;
  ExprPtr good = ctx_.bvNot(bad);
  if (!goesOnWith(s, good)) return false;
  stats_.pathsTerminatedEarly += isNew && endsHere;
  return true;
}

bool Executor::onMemOp(State &s) {
  // Size is concrete here; an address is symbolic (or wrong). Short blocks are moved byte by byte
  // like any symbolic access; the address of a longer one is checked against its object's bounds
  // and then pinned.
  constexpr uint64_t kByteWise = 256;
  const Inst *ip = s.ip;
  Frame &frame = *s.top;
  const uint64_t size = frame.bits()[ip->c];
  // Split before anything is written: a copy of the state runs the whole instruction again.
  const bool splits = logged(s, [&] { return splitsAddresses(s); });
  const bool set = ip->op == Op::MemSet, pin = size > kByteWise || splits;
  Resolved places[2]; // destination, source
  for (int i = 0; i < (set ? 1 : 2); i++) {
    uint32_t slot = i ? ip->b : ip->a;
    ExprPtr address = machine.registerTerm(frame, slot, 64);
    if (address->has(expr::kHasUninit)) address = settleUninit(s, address, "an address");
    places[i] = resolve(s, address, size, /*write=*/i == 0);
    if (places[i].again) return again(s);
    if (!places[i].object) return false;
    if (!pin) continue;
    uint64_t base = places[i].object->base(), offset;
    if (splits)
      offset = splitOnValue(s, places[i].offset);
    else
      offset = concretize(s, places[i].offset,
                          fmt::format("address of a {} of {} bytes", opName(ip->op), size));
    machine.setRegister(frame, slot, ctx_.constant(base + offset, 64));
    keepDecided(s);
  }
  if (ip->op == Op::MemCpy && !excludeOverlap(s, places[0], places[1], size)) return false;
  if (pin) return true; // runs again, concretely
  // All is read before anything is written: the ranges may overlap. Objects are looked up again, as
  // writing can move them.
  const uint64_t to = places[0].object->base(), from = set ? 0 : places[1].object->base();
  std::vector<ExprPtr> bytes(size);
  for (uint64_t i = 0; i < size; i++)
    bytes[i] =
        set ? machine.registerTerm(frame, ip->b, 8)
            : readAt(s, *s.memory.find(from), ctx_.add(places[1].offset, ctx_.constant(i, 64)), 1);
  for (uint64_t i = 0; i < size; i++)
    writeAt(s, *s.memory.find(to), ctx_.add(places[0].offset, ctx_.constant(i, 64)), bytes[i]);
  s.ip = ip + 1;
  return true;
}

} // namespace fathom::explore
