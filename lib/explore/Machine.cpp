// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine around the handlers: linking the code, frames, and the slow paths of memory.
#include "explore/Machine.h"

#include "explore/Handlers.h"
#include "support/Check.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>

namespace fathom::explore {

using namespace program;

Machine::Machine(const Program &program, expr::ExprContext &context, const ExploreOptions &options)
    : ctx(context), program_(program), options_(options) {
  checkOverflow = options.checkOverflow;
  checkUninit = options.checkUninit;
  symbolicFloats = options.symbolicFloats;
  link();
  HandlerTables tables{clean_.data(), sym_.data()};
  fillIntegerHandlers(tables);
  fillWideHandlers(tables);
  fillFloatHandlers(tables);
  fillMemoryHandlers(tables);
  fillControlHandlers(tables);
  for (unsigned i = 0; i < static_cast<unsigned>(Op::Count); i++)
    FATHOM_CHECK(clean_[i] && sym_[i], "an operation without a handler");
}

/// Copies the code with what the control-flow handlers need at run time put into their unused
/// fields (InterpretControl.cpp).
void Machine::link() {
  cover.assign(program_.coverSize, 0);
  ownInst_.assign(program_.coverSize, 0);
  sideCover.assign(program_.ownBranchSides, 0);
  for (const Branch &b : program_.branches) sideBase_.push_back(b.sideBase);
  sideBase = sideBase_.data();
  code_.functions.reserve(program_.functions.size());
  for (const FunctionCode &f : program_.functions) {
    coverBase_.push_back(f.coverBase);
    std::vector<Inst> code = f.code;
    if (f.name == "main" && !options_.entry.empty() && options_.entry != "main") {
      Inst zero{.op = Op::Const, .w = 32},
          call{.op = Op::CallExternal, .c = kEntryCall, .d = kNoIndex}, ret{.op = Op::Ret, .b = 1};
      code = {call, zero, ret};
    }
    uint32_t lastTransfer = 0; // index after the previous control transfer
    for (uint32_t i = 0; i < code.size(); i++) {
      Inst &in = code[i];
      if (f.coverBase + i < ownInst_.size()) ownInst_[f.coverBase + i] = f.own;
      uint32_t weight = i + 1 - lastTransfer;
      switch (in.op) {
      case Op::Jmp:
        in.a = f.coverBase + in.c;
        in.c -= i;
        in.b = weight;
        break;
      case Op::CondJmp:
        in.imm = (uint64_t(f.coverBase + in.c) << 32) | static_cast<uint32_t>(in.imm);
        in.dst = f.coverBase + in.d;
        in.c -= i;
        in.d -= i;
        in.b = weight;
        break;
      case Op::Switch:
      case Op::IndirectBr: in.b = weight; break;
      case Op::Call:
      case Op::CallIndirect:
      case Op::CallExternal: in.w = static_cast<uint8_t>(std::min<uint32_t>(weight, 255)); break;
      case Op::Ret:
      case Op::RetVoid: in.c = weight; break;
      case Op::Unreachable:
      case Op::Trap:
      case Op::Unsupported: break;
      default: continue;
      }
      lastTransfer = i + 1;
    }
    code_.functions.push_back(std::move(code));
  }
}

Event Machine::run(State &s, int64_t instructionBudget) {
  state = &s;
  flushTlb();
  budget = instructionBudget;
  blockWork_ = 0;
  event = Event::Quantum;
  Frame *top = s.top;
  assert(top->refs == 1 && "running in a frame that another state shares");
  const Handler *table = top->syms ? symTable() : cleanTable();
  table[static_cast<unsigned>(s.ip->op)](s.ip, top->bits(), top->syms, this, table);
  auto ran = static_cast<uint64_t>(instructionBudget - budget - blockWork_);
  s.instructions += ran;
  instructions += ran;
  return event;
}

void Machine::flushTlb() {
  tlbEpoch += uint64_t(1) << 52;
  if (tlbEpoch == 0)
    for (TlbEntry &e : tlb) e.key = ~uint64_t(0);
}

void Machine::traceCheckpoint() {
  auto &list = state->traceCheckpoints;
  if (!list || list.use_count() > 1)
    list = list ? std::make_shared<std::vector<std::pair<uint64_t, uint64_t>>>(*list)
                : std::make_shared<std::vector<std::pair<uint64_t, uint64_t>>>();
  const uint64_t n = state->traceCount;
  list->emplace_back(n, state->traceHash);
  uint64_t next = std::bit_floor(n) * 2;
  if (n < options_.traceTo) next = std::min(next, std::max(n + 1, options_.traceFrom));
  state->nextCheckpoint = next;
}

// --- frames
// --------------------------------------------------------------------------------------------------

void Machine::ownTopFrame(State &s) {
  if (s.top->refs == 1) return;
  Frame *copy = Frame::copy(*s.top);
  s.top->refs--;
  s.top = copy;
}

bool Machine::enter(State &s, uint32_t function, const uint32_t *argSlots, uint32_t numArgs,
                    const std::vector<VarArg> *varArgs, Memory::AllocSite site) {
  const FunctionCode &callee = program_.functions[function];
  Frame *caller = s.top;
  if (caller && (caller->depth >= options_.maxStackFrames ||
                 s.memory.stackBytes() > options_.maxStackBytes)) {
    event = Event::StackOverflow;
    return false;
  }
  Frame *f = Frame::create(function, callee.slots);
  f->parent = caller;
  f->depth = caller ? caller->depth + 1 : 1;
  f->serial = s.nextSerial++;
  uint32_t n = std::min(numArgs, callee.argSlots);
  if (caller) {
    const uint64_t *from = caller->bits();
    uint64_t *to = f->bits();
    for (uint32_t i = 0; i < n; i++) to[i] = from[argSlots[i]];
    if (caller->syms)
      for (uint32_t i = 0; i < n; i++)
        if (ExprPtr e = caller->syms[argSlots[i]]) {
          f->makeSymbolic();
          f->syms[i] = e;
        }
  }
  if ((callee.byvalParams && !copyByvalArguments(s, *f, callee, site)) ||
      (callee.varArg && !passVariable(s, *f, callee, varArgs, site))) {
    for (uint64_t made : f->allocas) s.memory.free(made, site);
    f->parent = nullptr; // stays on top
    Frame::release(f);
    return false;
  }
  // The caller's reference is taken over by the callee's parent pointer.
  s.top = f;
  s.ip = codeOf(function);
  uint8_t &entered = cover[callee.coverBase];
  if (!entered) {
    entered = 1;
    if (callee.own) {
      newCoverage++;
      justCovered.push_back(callee.coverBase);
      s.firsts.push(callee.coverBase);
      s.lastNewCoverage = s.instructions;
    }
  }
  return true;
}

/// Of local variables. The model's are not where the program's are.
static unsigned laneOf(const FunctionCode &function) {
  return function.models ? FATHOM_LANE_OTHER : FATHOM_LANE_STACK;
}

const ObjectState *Machine::allocateArgument(State &s, Frame &f, uint64_t bytes, bool zeroed,
                                             Memory::AllocSite site, const std::string &name,
                                             uint64_t align) {
  if (bytes > options_.maxStackBytes || s.memory.stackBytes() + bytes > options_.maxStackBytes) {
    event = Event::StackOverflow;
    return nullptr;
  }
  const ObjectState *o = s.memory.allocate(bytes, ObjectKind::Stack, zeroed, site, name, align,
                                           laneOf(program_.functions[f.function]));
  if (o)
    f.allocas.push_back(o->base());
  else
    event = Event::OutOfMemory;
  return o;
}

/// The callee gets a copy of its own.
bool Machine::copyByvalArguments(State &s, Frame &f, const FunctionCode &callee,
                                 Memory::AllocSite site) {
  for (const Param &p : callee.params) {
    if (!p.byvalBytes) continue;
    const ObjectState *o = allocateArgument(s, f, p.byvalBytes, /*zeroed=*/false, site, p.name,
                                            std::max<uint64_t>(p.byvalAlign, 1));
    if (!o) return false;
    uint64_t base = o->base(), from = f.bits()[p.slot];
    copy(s, base, from, p.byvalBytes); // call() has seen that it can be read
    f.bits()[p.slot] = base;
  }
  return true;
}

/// Lays out the variable arguments as x86-64 does: the first ones in the register save area (six
/// integer words, eight SSE registers of 16 bytes, less what the named parameters take), the others
/// in the overflow area. The compiled va_arg branches on which it is, so a path would not be the
/// native one with everything in one place.
bool Machine::passVariable(State &s, Frame &f, const FunctionCode &callee,
                           const std::vector<VarArg> *varArgs, Memory::AllocSite site) {
  constexpr uint64_t kIntegerEnd = 48, kSseEnd = 176;
  uint64_t integer = 8ull * callee.namedInteger, sse = kIntegerEnd + 16ull * callee.namedSse,
           overflow = 0, overflowAlign = 16;
  struct Place {
    uint64_t offset;
    bool inRegister;
  };
  std::vector<Place> places;
  for (const VarArg &v : varArgs ? *varArgs : std::vector<VarArg>()) {
    if (v.passed == ArgClass::Integer && integer < kIntegerEnd) {
      places.push_back({integer, true});
      integer += 8;
    } else if (v.passed == ArgClass::Sse && sse < kSseEnd) {
      places.push_back({sse, true});
      sse += 16;
    } else {
      overflow = (overflow + v.align - 1) & ~uint64_t(v.align - 1);
      overflowAlign = std::max<uint64_t>(overflowAlign, v.align);
      places.push_back({overflow, false});
      overflow += std::max<uint64_t>(8, (v.sizeBytes + 7) & ~7u);
    }
  }
  const ObjectState *o = allocateArgument(s, f, kSseEnd, /*zeroed=*/!checkUninit, site,
                                          "register save area", /*align=*/1);
  if (!o) return false;
  f.saveArea = o->base();
  o = allocateArgument(s, f, std::max<uint64_t>(overflow, 8), /*zeroed=*/!checkUninit, site, "...",
                       overflowAlign);
  if (!o) return false;
  f.varArea = o->base();
  const Frame *caller = f.parent;
  for (size_t i = 0; i < places.size(); i++) {
    const VarArg &v = (*varArgs)[i];
    uint64_t to = (places[i].inRegister ? f.saveArea : f.varArea) + places[i].offset;
    ExprPtr e = caller->syms ? caller->syms[v.slot] : nullptr;
    uint64_t lo = caller->bits()[v.slot],
             hi = v.sizeBytes > 8 && !v.byval ? caller->bits()[v.slot + 1] : 0;
    if (v.byval) {
      copy(s, to, lo, v.sizeBytes);
    } else if (e)
      storeTerm(s, to,
                ctx.zext(e, std::max<unsigned>(64, (e->width() + 7) / 8 *
                                                       8))); // a whole word, as in a register
    else
      store(s, to, std::min<uint32_t>(v.sizeBytes, 16), lo, hi);
  }
  return true;
}

void Machine::leave(State &s, const Inst *at) {
  Frame *top = s.top;
  if (!top->allocas.empty()) {
    Memory::AllocSite site{top->function,
                           at ? static_cast<uint32_t>(at - codeOf(top->function)) : 0};
    for (auto it = top->allocas.rbegin(); it != top->allocas.rend(); ++it) {
      const ObjectState *o = s.memory.find(*it);
      if (!o || (o->freed && !o->outOfScope)) continue;
      forgetObject(*o);
      s.memory.free(*it, site);
    }
  }
  Frame *parent = top->parent;
  if (top->refs == 1) {
    // The parent's reference comes back to us; it may be shared with frames of other states.
    top->parent = nullptr;
    Frame::release(top);
  } else {
    top->refs--;
    if (parent) parent->refs++;
  }
  s.top = parent;
  if (parent) ownTopFrame(s);
}

static bool isPrefix(const Shape &wanted, const Shape &given) {
  if (wanted.size() > given.size()) return false;
  for (size_t i = 0; i < wanted.size(); i++)
    if (!convertible(given[i], wanted[i])) return false;
  return true;
}

bool Machine::canCall(const CallSig &sig, const FunctionCode &callee) const {
  // A result that nobody gives (`void main`, called for an int) is a value that was never written.
  return isPrefix(program_.shapes[callee.argShape], program_.shapes[sig.argShape]) &&
         (!callee.retSlots ||
          isPrefix(program_.shapes[sig.retShape], program_.shapes[callee.retShape]));
}

bool Machine::isSurplus(const CallSig &sig, const FunctionCode &callee) {
  const size_t given = program_.shapes[sig.argShape].size(),
               taken = program_.shapes[callee.argShape].size();
  if (given <= taken || callee.varArg || !program_.functions[state->top->function].own)
    return false;
  describeSurplus(given, taken, callee);
  return true;
}

void Machine::describeSurplus(size_t given, size_t taken, const FunctionCode &callee) {
  bug = BugKind::BadCall;
  message = fmt::format("a call of {} with {} argument{}, of which it takes {}", callee.name, given,
                        given == 1 ? "" : "s", taken);
}

/// Scalars in the frame's slots from `first` on become those of another shape, as far as that goes.
void Machine::convertScalars(Frame &frame, uint32_t first, const Shape &from, const Shape &to) {
  for (uint32_t i = 0; i < to.size(); i++) {
    if (from[i] == to[i]) continue;
    ExprPtr e = registerTerm(frame, first + i, shapeBits(from[i]));
    unsigned bits = shapeBits(to[i]);
    setRegister(frame, first + i, e->width() > bits ? ctx.trunc(e, bits) : ctx.zext(e, bits));
  }
}

void Machine::noResult(Frame &frame, uint32_t first, const Shape &shape) {
  for (uint32_t i = 0; i < shape.size(); i++)
    if (const unsigned bits = shapeBits(shape[i])) // 0: the second slot of a pair
      setRegister(frame, first + i, neverWritten(frame, frame.resume - 1, bits));
}

ExprPtr Machine::neverWritten(const Frame &frame, const Inst *at, unsigned bits) {
  if (!checkUninit) return bits > 64 ? ctx.zext(ctx.constant(0, 64), bits) : ctx.constant(0, bits);
  const auto inst = static_cast<uint32_t>(at - codeOf(frame.function));
  const unsigned bytes = (bits + 7) / 8;
  const uint32_t first = state->unwritten.addVariable(frame.function, inst, bytes);
  ExprPtr e = ctx.uninitByte(first);
  for (unsigned i = 1; i < bytes; i++) e = ctx.concat(ctx.uninitByte(first + i), e);
  return ctx.trunc(e, bits);
}

void Machine::returnValue(const Inst *ip, const uint64_t *r, const ExprPtr *s) {
  const FunctionCode &callee = program_.functions[state->top->function];
  std::vector<uint64_t> words(r + ip->a, r + ip->a + ip->b);
  std::vector<ExprPtr> terms(ip->b, nullptr);
  if (s) terms.assign(s + ip->a, s + ip->a + ip->b);
  leave(*state, ip);
  Frame *caller = state->top;
  const Inst *call = caller->resume - 1;
  size_t n = 0; // in place of main (--entry) nobody takes the result
  const CallSig *sig = nullptr;
  if (call->op == Op::Call || (call->op == Op::CallExternal && call->c != kEntryCall)) {
    n = words.size();
  } else if (call->op == Op::CallIndirect) {
    sig = &program_.functions[caller->function].callSigs[call->c];
    n = sig->retSlots;
  }
  for (size_t i = 0; i < n; i++) {
    if (terms[i]) caller->makeSymbolic();
    caller->bits()[call->dst + i] = words[i];
    if (caller->syms) caller->syms[call->dst + i] = terms[i];
  }
  if (sig && sig->retShape != callee.retShape)
    convertScalars(*caller, call->dst, program_.shapes[callee.retShape],
                   program_.shapes[sig->retShape]);
}

bool Machine::call(const Inst *ip, uint32_t function) {
  State &s = *state;
  Frame *caller = s.top;
  caller->resume = ip + 1;
  const FunctionCode &f = program_.functions[caller->function];
  const FunctionCode &callee = program_.functions[function];
  const std::vector<VarArg> *varArgs = ip->d != kNoIndex ? &f.varArgs[ip->d] : nullptr;
  if (callee.byvalParams)
    for (const Param &p : callee.params)
      if (p.byvalBytes && p.slot < ip->b &&
          !byvalArgument(ip, f.pool[ip->imm + p.slot], p.byvalBytes))
        return false;
  if (callee.varArg && varArgs)
    for (const VarArg &v : *varArgs)
      if (v.byval && !byvalArgument(ip, v.slot, v.sizeBytes)) return false;
  if (!enter(s, function, f.pool.data() + ip->imm, ip->b, varArgs,
             {caller->function, static_cast<uint32_t>(ip - codeOf(caller->function))}))
    return false;
  if (ip->op != Op::CallIndirect) return true;
  const CallSig &sig = f.callSigs[ip->c];
  if (sig.argShape != callee.argShape)
    convertScalars(*s.top, 0, program_.shapes[sig.argShape], program_.shapes[callee.argShape]);
  if (sig.retSlots && !callee.retSlots) noResult(*caller, ip->dst, program_.shapes[sig.retShape]);
  return true;
}

bool Machine::byvalArgument(const Inst *ip, uint32_t argument, uint64_t bytes) {
  State &s = *state;
  if (s.top->syms && s.top->syms[argument]) {
    slot = argument;
    width = 64;
    faultBytes = bytes;
    event = Event::Concretize;
  } else if (uint64_t address = s.top->bits()[argument]; !s.memory.resolve(address, bytes)) {
    faultAddress = address;
    faultBytes = bytes;
    event = Event::Fault;
  } else {
    return true;
  }
  s.ip = ip;
  return false;
}

bool Machine::allocateLocal(const Inst *ip, uint64_t *r, uint64_t size) {
  State &s = *state;
  if (size > options_.maxStackBytes || s.memory.stackBytes() + size > options_.maxStackBytes) {
    event = Event::StackOverflow;
    return false;
  }
  const FunctionCode &f = program_.functions[s.top->function];
  const ObjectState *o = s.memory.allocate(size, ObjectKind::Stack, /*zeroed=*/!checkUninit,
                                           {f.id, static_cast<uint32_t>(ip - codeOf(f.id))}, {},
                                           /*align=*/ip->c, laneOf(f));
  if (!o) {
    event = Event::OutOfMemory;
    return false;
  }
  s.top->allocas.push_back(o->base());
  r[ip->dst] = o->base();
  forgetObject(*o);
  return true;
}

uint64_t Machine::threadLocal(uint64_t variable) {
  State &s = *state;
  const uint32_t running = s.threads->running;
  if (running == 0) return variable;
  auto &locals = s.threads->all[running].locals;
  for (auto [of, copy] : locals)
    if (of == variable) return copy;
  auto global = std::find_if(program_.globals.begin(), program_.globals.end(),
                             [&](const Global &g) { return g.address == variable; });
  if (global == program_.globals.end()) return variable;
  const ObjectState *o = s.memory.allocate(global->sizeBytes, ObjectKind::Map, /*zeroed=*/true, {},
                                           fmt::format("{} of thread {}", global->name, running),
                                           /*align=*/16);
  if (!o) return variable;
  const uint64_t copy = o->base();
  if (!global->init.empty()) s.memory.writeConcrete(copy, global->init.data(), global->init.size());
  forgetObject(*s.memory.find(copy));
  locals.emplace_back(variable, copy);
  return copy;
}

void Machine::releaseLocals(uint64_t keep, const Inst *ip) {
  State &s = *state;
  auto &list = s.top->allocas;
  while (list.size() > keep) {
    if (const ObjectState *o = s.memory.find(list.back()); o && (!o->freed || o->outOfScope)) {
      forgetObject(*o);
      s.memory.free(list.back(),
                    {s.top->function, static_cast<uint32_t>(ip - codeOf(s.top->function))});
    }
    list.pop_back();
  }
}

void Machine::beginLifetime(uint64_t address) {
  // Nothing of it is in `tlb`: nobody can have accessed it since it ended.
  state->memory.enterScope(address);
}

void Machine::endLifetime(uint64_t address, const Inst *ip) {
  const uint32_t function = state->top->function;
  if (const ObjectState *o = state->memory.leaveScope(
          address, {function, static_cast<uint32_t>(ip - codeOf(function))}))
    forgetObject(*o);
}

const Inst *Machine::switchTarget(const Inst *ip, uint64_t value) {
  const FunctionCode &f = program_.functions[state->top->function];
  const SwitchTable &table = f.switches[ip->imm];
  auto it = std::lower_bound(table.values.begin(), table.values.end(), value);
  bool hit = it != table.values.end() && *it == value;
  auto n = static_cast<size_t>(it - table.values.begin());
  uint32_t target = hit ? table.targets[n] : table.defaultTarget;
  if (table.own) traceBranch(table.branchId, hit ? table.sides[n] : 0);
  coverTarget(uint64_t(f.coverBase) + target);
  return codeOf(f.id) + target;
}

const Inst *Machine::indirectTarget(const Inst *ip, uint64_t address) {
  const FunctionCode &f = program_.functions[state->top->function];
  for (const auto &[block, target] : f.blockTargets[ip->imm])
    if (block == address) {
      coverTarget(uint64_t(f.coverBase) + target);
      return codeOf(f.id) + target;
    }
  return nullptr;
}

void Machine::describeOverflow(const char *what, unsigned bits) {
  bug = BugKind::SignedOverflow;
  message = fmt::format("{} does not fit in a signed {}-bit integer", what, bits);
}

void Machine::describeTrap(uint64_t check, TrapCause cause) {
  struct Check {
    BugKind kind;
    const char *what;
  };
  // In the order of clang's SanitizerHandler (clang/lib/CodeGen/CodeGenFunction.h), whose numbers
  // -fsanitize-trap gives to traps.
  static constexpr Check kChecks[] = {
      {BugKind::SignedOverflow, "a sum that does not fit"},
      {BugKind::Unreachable, "__builtin_unreachable"},
      {BugKind::BadCall, "a failed check of control flow"},
      {BugKind::SignedOverflow, "a quotient that does not fit"},
      {BugKind::BadCall, "an object of another type"},
      {BugKind::Abort, "a floating-point value that the integer type does not have"},
      {BugKind::BadCall, "a call of a function of another type"},
      {BugKind::Abort, "a conversion that changes the value"},
      {BugKind::Abort, "a builtin's argument that has no result"},
      {BugKind::BadCall, "an object of another type"},
      {BugKind::Abort, "a value that its type does not have"},
      {BugKind::Unreachable, "the end of a function that has to return a value"},
      {BugKind::SignedOverflow, "a product that does not fit"},
      {BugKind::SignedOverflow, "a negation that does not fit"},
      {BugKind::NullDereference, "a null pointer as an argument that must be none"},
      {BugKind::NullDereference, "a null pointer as a result that must be none"},
      {BugKind::NullDereference, "a null pointer as an argument that must be none"},
      {BugKind::NullDereference, "a null pointer as a result that must be none"},
      {BugKind::OutOfBoundsRead, "an index out of bounds"},
      {BugKind::Abort, "pointer arithmetic that leaves the address space"},
      {BugKind::Overshift, "a shift by too much, or of a value that does not fit"},
      {BugKind::SignedOverflow, "a difference that does not fit"},
      {BugKind::OutOfBoundsRead, "an object that is too small"},
      {BugKind::Abort, "a pointer that is not aligned as promised"},
      {BugKind::Abort, "an array of no or negative length"},
  };
  const bool isKnown = check < std::size(kChecks);
  Check found = isKnown ? kChecks[check] : Check{BugKind::Abort, ""};
  switch (cause) {
  case TrapCause::Zero: found = {BugKind::DivisionByZero, "a divisor of zero"}; break;
  case TrapCause::Null: found = {BugKind::NullDereference, "a null pointer"}; break;
  case TrapCause::Misaligned: found = {BugKind::Abort, "a pointer that is not aligned"}; break;
  case TrapCause::Write: found.kind = BugKind::OutOfBoundsWrite; break;
  case TrapCause::Read:
  case TrapCause::Unknown: break;
  }
  bug = found.kind;
  message = check == ~uint64_t(0) ? "trap instruction"
            : isKnown             ? fmt::format("sanitizer trap {}: {}", check, found.what)
                                  : fmt::format("sanitizer trap {}", check);
}

// --- memory
// ---------------------------------------------------------------------------------------------------

void Machine::cachePage(uint64_t address, const ObjectState &object, Page &page, bool writable) {
  uint64_t key = pageKey(address);
  // Of a page that is written from its start on, the part that was written is as good as any.
  tlb[tlbIndex(key)] = {key | tlbEpoch, page.data, page.uninit ? page.writtenPrefix() : page.size,
                        writable && object.info->kind != ObjectKind::Constant};
}

void Machine::forgetPage(uint64_t address) {
  uint64_t key = pageKey(address);
  TlbEntry &e = tlb[tlbIndex(key)];
  if (e.key == (key | tlbEpoch)) e.key = ~uint64_t(0);
}

void Machine::forgetObject(const ObjectState &object) {
  uint64_t pages = (object.size() + kPageSize - 1) >> kPageShift;
  if (pages > 16) return flushTlb();
  for (uint64_t p = 0; p < std::max<uint64_t>(pages, 1); p++)
    forgetPage(object.base() + (p << kPageShift));
}

bool Machine::loadSlow(uint64_t address, unsigned size, Loaded &out) {
  const ObjectState *o = state->memory.resolve(address, size);
  if (!o) return false;
  uint64_t offset = address - o->base();
  auto i = static_cast<unsigned>(offset & (kPageSize - 1));
  if (Page *p = o->pages[offset >> kPageShift]; p && i + size <= p->size && p->plain(i, size)) {
    memcpy(&out.lo, p->data + i, std::min(size, 8u));
    if (size > 8) memcpy(&out.hi, p->data + i + 8, size - 8);
    if (!p->syms) cachePage(address, *o, *p, /*writable=*/false);
    return true;
  }
  out = load(*state, address, size);
  return true;
}

Machine::Loaded Machine::load(State &s, uint64_t address, unsigned size) {
  const ObjectState *o = s.memory.resolve(address, size);
  assert(o && "load out of bounds");
  uint64_t offset = address - o->base();
  ByteValue bytes[16];
  bool plain = true, uninit = false;
  for (unsigned i = 0; i < size; i++) {
    bytes[i] = s.memory.read(*o, offset + i);
    if (bytes[i].uninit && !checkUninit) bytes[i].uninit = false;
    plain &= !bytes[i].sym && !bytes[i].uninit;
    uninit |= bytes[i].uninit;
  }
  Loaded l;
  if (plain) {
    for (unsigned i = 0; i < size; i++)
      (i < 8 ? l.lo : l.hi) |= uint64_t(bytes[i].value) << (8 * (i % 8));
    return l;
  }
  if (uninit) {
    nameUnwritten(s, address, size);
    o = s.memory.find(address);
    for (unsigned i = 0; i < size; i++) bytes[i] = s.memory.read(*o, offset + i);
  }
  ExprPtr e = nullptr;
  for (unsigned i = 0; i < size; i++) {
    ExprPtr b = bytes[i].sym ? bytes[i].sym : ctx.constant(bytes[i].value, 8);
    e = e ? ctx.concat(b, e) : b;
  }
  if (e->isConst()) {
    l.lo = e->word(0);
    l.hi = size > 8 ? e->word(1) : 0;
  } else
    l.term = e;
  return l;
}

/// From now on these bytes have an (unknown) value: reading them again gives the same, and so does
/// reading what they are a copy of.
void Machine::nameUnwritten(State &s, uint64_t address, uint64_t size) {
  auto write = [&](uint64_t at, ExprPtr byte) {
    s.memory.writeSym(at, byte);
    if (&s == state) forgetPage(at);
  };
  for (uint64_t i = 0, end; i < size; i = end) {
    end = i + 1;
    const ObjectState *o = s.memory.find(address); // writing may have replaced it
    const uint64_t offset = address - o->base();
    if (!s.memory.read(*o, offset + i).uninit) continue;
    if (ExprPtr original = originalOf(s, *o, offset + i)) {
      write(address + i, original);
      continue;
    }
    while (end < size && s.memory.read(*o, offset + end).uninit &&
           Unwritten::isCopy(*o, offset + end) == Unwritten::isCopy(*o, offset + i))
      end++;
    uint32_t number = s.unwritten.add(*o, offset + i, static_cast<uint32_t>(end - i));
    for (uint64_t at = i; at < end; at++) write(address + at, ctx.uninitByte(number++));
  }
}

/// The term of the unwritten byte that this one is a copy of; null when it is none, or that one is
/// gone or was written since.
ExprPtr Machine::originalOf(State &s, const ObjectState &copy, uint64_t offset) {
  if (!Unwritten::isCopy(copy, offset)) return nullptr;
  const Unwritten::Origin origin = Unwritten::originOf(copy, offset);
  const ObjectState *o = s.memory.resolve(origin.address, 1);
  if (!o || o->base() == copy.base()) return nullptr;
  const uint64_t at = origin.address - o->base();
  const Unwritten::Origin there = Unwritten::originOf(*o, at);
  if (there.object != origin.object || there.offset != origin.offset) return nullptr;
  if (s.memory.read(*o, at).uninit) nameUnwritten(s, origin.address, 1);
  ExprPtr byte = s.memory.read(*s.memory.find(origin.address), at).sym;
  const auto number = byte ? ctx.uninitNumber(byte) : std::nullopt;
  return number && s.unwritten.sourceOf(*number) == Unwritten::sourceOf(origin) ? byte : nullptr;
}

bool Machine::storeSlow(uint64_t address, unsigned size, uint64_t lo, uint64_t hi) {
  const ObjectState *o = state->memory.resolve(address, size);
  if (!o || o->info->kind == ObjectKind::Constant) return false;
  store(*state, address, size, lo, hi);
  return true;
}

void Machine::store(State &s, uint64_t address, unsigned size, uint64_t lo, uint64_t hi) {
  uint8_t bytes[16];
  memcpy(bytes, &lo, 8);
  memcpy(bytes + 8, &hi, 8);
  const ObjectState *o;
  Page *p = s.memory.writablePage(address, &o);
  auto i = static_cast<unsigned>((address - o->base()) & (kPageSize - 1));
  if (i + size > p->size) { // crosses a page
    s.memory.writeConcrete(address, bytes, size);
    if (&s == state) {
      forgetPage(address);
      forgetPage(address + size - 1);
    }
    return;
  }
  if (!p->plain()) p->markWritten(i, size);
  memcpy(p->data + i, bytes, size);
  if (&s != state) return;
  if (p->plain())
    cachePage(address, *o, *p, /*writable=*/true);
  else if (tlb[tlbIndex(pageKey(address))].data != p->data)
    forgetPage(address); // it was copied; otherwise what is known of it still holds
}

bool Machine::storeTermSlow(uint64_t address, ExprPtr value) {
  const ObjectState *o = state->memory.resolve(address, value->width() / 8);
  if (!o || o->info->kind == ObjectKind::Constant) return false;
  storeTerm(*state, address, value);
  return true;
}

void Machine::storeTerm(State &s, uint64_t address, ExprPtr value) {
  assert(value->width() % 8 == 0);
  unsigned size = value->width() / 8;
  for (unsigned i = 0; i < size; i++) {
    s.memory.writeSym(address + i, ctx.extract(value, 8 * i, 8));
    if (&s == state) forgetPage(address + i);
  }
}

bool Machine::memOp(const Inst *ip, const uint64_t *r, const ExprPtr *s) {
  uint64_t size = r[ip->c];
  if (!size) return true; // no byte is accessed: any pointer will do (C2x; what every libc does)
  // A long block takes as long as many instructions: the turn ends the sooner.
  blockWork_ += static_cast<int64_t>(size / 64);
  budget -= static_cast<int64_t>(size / 64);
  const ObjectState *to = state->memory.resolve(r[ip->a], size);
  if (!to || to->info->kind == ObjectKind::Constant) return false;
  if (ip->op == Op::MemSet) {
    fill(*state, r[ip->a], s ? s[ip->b] : nullptr, static_cast<uint8_t>(r[ip->b]), size);
    return true;
  }
  if (!state->memory.resolve(r[ip->b], size)) return false;
  // Equal ranges are what the assignment of a structure to itself makes.
  const uint64_t apart = r[ip->a] - r[ip->b];
  if (ip->op == Op::MemCpy && apart && (apart < size || -apart < size)) return false;
  copy(*state, r[ip->a], r[ip->b], size);
  return true;
}

/// Byte by byte, after all of them were read. True: some were never written.
bool Machine::copyOverlapping(State &s, uint64_t to, uint64_t from, uint64_t size) {
  const ObjectState *source = s.memory.find(from);
  std::vector<ByteValue> bytes(size);
  for (uint64_t i = 0; i < size; i++) bytes[i] = s.memory.read(*source, from - source->base() + i);
  bool anyUnwritten = false;
  for (uint64_t i = 0; i < size; i++) {
    const ObjectState *target;
    Page *q = s.memory.writablePage(to + i, &target);
    const auto at = static_cast<unsigned>((to + i - target->base()) & (kPageSize - 1));
    if (bytes[i].sym)
      q->setSym(at, bytes[i].sym);
    else if (bytes[i].uninit)
      q->setUninit(at), anyUnwritten = true;
    else
      q->setConcrete(at, bytes[i].value);
  }
  return anyUnwritten;
}

void Machine::copy(State &s, uint64_t to, uint64_t from, uint64_t size) {
  if (to == from || !size) return;
  const ObjectState *source = s.memory.resolve(from, size);
  assert(source && s.memory.resolve(to, size));
  if (&s == state) forgetObject(*s.memory.find(to));
  const Unwritten::Origin origin = Unwritten::originOf(*source, from - source->base());
  bool anyUnwritten = false;
  if (to < from + size && from < to + size)
    anyUnwritten = copyOverlapping(s, to, from, size);
  else
    for (uint64_t done = 0, n; done < size; done += n) {
      const ObjectState *target;
      Page *q = s.memory.writablePage(to + done, &target);
      source = s.memory.find(from + done); // writing may have replaced it
      const uint64_t offset = from + done - source->base();
      const auto i = static_cast<unsigned>(offset & (kPageSize - 1)),
                 j = static_cast<unsigned>((to + done - target->base()) & (kPageSize - 1));
      n = std::min({size - done, kPageSize - i, kPageSize - j});
      const Page *p = source->pages[offset >> kPageShift];
      if (p || !(source->info->zeroed || !checkUninit)) {
        anyUnwritten |= q->copyFrom(j, p, i, static_cast<unsigned>(n));
      } else {
        q->markWritten(j, static_cast<unsigned>(n));
        memset(q->data + j, 0, n);
      }
    }
  if (anyUnwritten)
    s.memory.noteCopy(
        to,
        {.bytes = size, .object = origin.object, .from = origin.offset, .address = origin.address});
}

void Machine::fill(State &s, uint64_t to, ExprPtr term, uint8_t value, uint64_t size) {
  if (&s == state) forgetObject(*s.memory.find(to));
  if (term) {
    for (uint64_t i = 0; i < size; i++) s.memory.writeSym(to + i, term);
    return;
  }
  uint8_t buffer[kPageSize];
  memset(buffer, value, std::min<uint64_t>(size, kPageSize));
  while (size) {
    uint64_t n = std::min<uint64_t>(size, kPageSize);
    s.memory.writeConcrete(to, buffer, n);
    to += n;
    size -= n;
  }
}

// --- registers
// ------------------------------------------------------------------------------------------------

ExprPtr Machine::operand(const uint64_t *r, const ExprPtr *s, uint32_t slotNo, unsigned w) {
  if (s && s[slotNo]) return s[slotNo];
  if (w <= 64) return ctx.constant(r[slotNo], w);
  uint64_t words[2] = {r[slotNo], r[slotNo + 1]};
  return ctx.constantWide(words, w);
}

void Machine::result(uint64_t *r, ExprPtr *s, uint32_t slotNo, ExprPtr e) {
  if (deferred.any()) [[unlikely]]
    e = deferred.term(ctx, e);
  if (e->width() > 64) s[slotNo + 1] = nullptr;
  if (e->isConst()) {
    r[slotNo] = e->word(0);
    if (e->width() > 64) r[slotNo + 1] = e->word(1);
    s[slotNo] = nullptr;
  } else {
    r[slotNo] = 0;
    s[slotNo] = e;
  }
}

ExprPtr Machine::registerTerm(const Frame &frame, uint32_t slotNo, unsigned w) {
  return operand(frame.bits(), frame.syms, slotNo, w);
}

void Machine::setRegister(Frame &frame, uint32_t slotNo, ExprPtr value) {
  if (!value->isConst()) frame.makeSymbolic();
  if (frame.syms) return result(frame.bits(), frame.syms, slotNo, value);
  frame.bits()[slotNo] = value->word(0);
  if (value->width() > 64) frame.bits()[slotNo + 1] = value->word(1);
}

void Machine::setResult(Frame &frame, const Inst *call, const External &callee, ExprPtr value) {
  unsigned bits = callee.retSlots ? callee.retWidthBits : 0;
  if (call->op == Op::CallIndirect) {
    const CallSig &sig = program_.functions[frame.function].callSigs[call->c];
    bits = sig.retSlots ? shapeBits(program_.shapes[sig.retShape][0]) : 0;
  }
  if (!bits) return;
  setRegister(frame, call->dst,
              value->width() > bits ? ctx.trunc(value, bits) : ctx.zext(value, bits));
}

} // namespace fathom::explore
