// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What enters and leaves calls: frames, arguments as the real machine passes them, and results.
#include "explore/interpreter/Calls.h"

#include <algorithm>

namespace fathom::explore {

using namespace program;

void Calls::ownTopFrame(State &s) {
  if (s.top->refs == 1) return;
  Frame *copy = Frame::copy(*s.top);
  s.top->refs--;
  s.top = copy;
}

bool Calls::enter(State &s, uint32_t function, const uint32_t *argSlots, uint32_t numArgs,
                  const std::vector<VarArg> *varArgs, Memory::AllocSite site) {
  const FunctionCode &callee = program_.functions[function];
  Frame *caller = s.top;
  if (caller && (caller->depth >= options_.maxStackFrames ||
                 s.memory.usage().stackBytes > options_.maxStackBytes)) {
    run_.event = Event::StackOverflow;
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
  if ((callee.byvalParams && !copyByvalArguments(s, *f, callee, n, site)) ||
      (callee.varArg &&
       !passVariable(s, *f, callee, argSlots ? 8 : kEntryVariableBytes, varArgs, site))) {
    for (uint64_t made : f->allocas) s.memory.free(made, site);
    f->parent = nullptr; // stays on top
    Frame::release(f);
    return false;
  }
  // The caller's reference is taken over by the callee's parent pointer.
  s.top = f;
  s.ip = code_.codeOf(function);
  coverage_.coverTarget(s, callee.coverBase);
  return true;
}

/// The callee gets a copy of its own. What the call does not pass was never written: of the entry
/// function, ProgramStart fills it.
bool Calls::copyByvalArguments(State &s, Frame &f, const FunctionCode &callee, uint32_t given,
                               Memory::AllocSite site) {
  for (const Param &p : callee.params) {
    if (!p.byvalBytes) continue;
    const bool isGiven = p.slot < given;
    const ObjectState *o =
        locals_.allocateArgument(s, f, p.byvalBytes, /*zeroed=*/!isGiven && !run_.checkUninit, site,
                                 p.name, std::max<uint64_t>(p.byvalAlign, 1));
    if (!o) return false;
    uint64_t base = o->base(), from = f.bits()[p.slot];
    if (isGiven) memory_.copy(s, base, from, p.byvalBytes); // call() has seen that it can be read
    f.bits()[p.slot] = base;
  }
  return true;
}

/// Lays out the variable arguments as x86-64 does: the first ones in the register save area (six
/// integer words, eight SSE registers of 16 bytes, less what the named parameters take), the others
/// in the overflow area. The compiled va_arg branches on which it is, so a path would not be the
/// native one with everything in one place.
bool Calls::passVariable(State &s, Frame &f, const FunctionCode &callee, uint64_t least,
                         const std::vector<VarArg> *varArgs, Memory::AllocSite site) {
  constexpr uint64_t kIntegerEnd = 48, kSseEnd = kSaveAreaBytes;
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
  const ObjectState *o = locals_.allocateArgument(s, f, kSseEnd, /*zeroed=*/!run_.checkUninit, site,
                                                  "register save area", /*align=*/1);
  if (!o) return false;
  f.saveArea = o->base();
  o = locals_.allocateArgument(s, f, std::max(overflow, least), /*zeroed=*/!run_.checkUninit, site,
                               "...", overflowAlign);
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
      memory_.copy(s, to, lo, v.sizeBytes);
    } else if (e)
      memory_.storeTerm(
          s, to,
          ctx_.zext(e, std::max<unsigned>(64, (e->width() + 7) / 8 *
                                                  8))); // a whole word, as in a register
    else
      memory_.store(s, to, std::min<uint32_t>(v.sizeBytes, 16), lo, hi);
  }
  return true;
}

void Calls::leave(State &s, const Inst *at) {
  Frame *top = s.top;
  if (!top->allocas.empty()) {
    Memory::AllocSite site{top->function,
                           at ? static_cast<uint32_t>(at - code_.codeOf(top->function)) : 0};
    for (auto it = top->allocas.rbegin(); it != top->allocas.rend(); ++it) {
      const ObjectState *o = s.memory.find(*it);
      if (!o || (o->freed && !o->outOfScope)) continue;
      memory_.forgetObject(*o);
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

void Calls::setResult(Frame &frame, const Inst *call, const External &callee, ExprPtr value) {
  unsigned bits = callee.retSlots ? callee.retWidthBits : 0;
  if (code_.opAt(call) == Op::CallIndirect) {
    const CallSig &sig = program_.functions[frame.function].callSigs[call->c];
    bits = sig.retSlots ? shapeBits(program_.shapes[sig.retShape][0]) : 0;
  }
  if (!bits) return;
  registers_.setRegister(frame, call->dst,
                         value->width() > bits ? ctx_.trunc(value, bits) : ctx_.zext(value, bits));
}

static bool isPrefix(const Shape &wanted, const Shape &given) {
  if (wanted.size() > given.size()) return false;
  for (size_t i = 0; i < wanted.size(); i++)
    if (!convertible(given[i], wanted[i])) return false;
  return true;
}

bool Calls::canCall(const CallSig &sig, uint32_t argShape, uint32_t retSlots,
                    uint32_t retShape) const {
  // A result that is not given (`void main`, called for an int) is a value that was never written.
  return isPrefix(program_.shapes[argShape], program_.shapes[sig.argShape]) &&
         (!retSlots || isPrefix(program_.shapes[sig.retShape], program_.shapes[retShape]));
}

bool Calls::isSurplus(const CallSig &sig, const FunctionCode &callee) {
  const size_t given = program_.shapes[sig.argShape].size(),
               taken = program_.shapes[callee.argShape].size();
  if (given <= taken || callee.varArg || !program_.functions[run_.state->top->function].own)
    return false;
  // It stands in tables of virtual functions in place of any of them, and reports itself.
  if (callee.name == "__cxa_pure_virtual" || callee.name == "__cxa_deleted_virtual") return false;
  run_.describeSurplus(given, taken, callee);
  return true;
}

/// Scalars in the frame's slots from `first` on become those of another shape, as far as that goes.
void Calls::convertScalars(Frame &frame, uint32_t first, const Shape &from, const Shape &to) {
  for (uint32_t i = 0; i < to.size(); i++) {
    if (from[i] == to[i]) continue;
    ExprPtr e = registers_.registerTerm(frame, first + i, shapeBits(from[i]));
    unsigned bits = shapeBits(to[i]);
    registers_.setRegister(frame, first + i,
                           e->width() > bits ? ctx_.trunc(e, bits) : ctx_.zext(e, bits));
  }
}

void Calls::noResult(Frame &frame, uint32_t first, const Shape &shape) {
  for (uint32_t i = 0; i < shape.size(); i++)
    if (const unsigned bits = shapeBits(shape[i])) // 0: the second slot of a pair
      registers_.setRegister(frame, first + i,
                             registers_.neverWritten(frame, frame.resume - 1, bits));
}

void Calls::returnValue(const Inst *ip, const uint64_t *r, const ExprPtr *s) {
  const FunctionCode &callee = program_.functions[run_.state->top->function];
  std::vector<uint64_t> words(r + ip->a, r + ip->a + ip->b);
  std::vector<ExprPtr> terms(ip->b, nullptr);
  if (s) terms.assign(s + ip->a, s + ip->a + ip->b);
  leave(*run_.state, ip);
  Frame *caller = run_.state->top;
  const Inst *call = caller->resume - 1;
  size_t n = 0;
  const CallSig *sig = nullptr;
  if (const Op op = code_.opAt(call);
      op == Op::CallExternal && call->c == ExecutableCode::kEntryCall) {
    keepForCallers(callee, words, terms);
  } else if (op == Op::Call || op == Op::CallExternal) {
    n = words.size();
  } else if (op == Op::CallIndirect) {
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

void Calls::keepForCallers(const FunctionCode &entry, const std::vector<uint64_t> &words,
                           const std::vector<ExprPtr> &terms) {
  constexpr unsigned kPointerBits = 64, kPointerBytes = 8;
  Memory &memory = run_.state->memory;
  const Shape &shape = program_.shapes[entry.retShape];
  for (size_t i = 0; i < words.size() && i < shape.size(); i++) {
    if (shapeBits(shape[i]) != kPointerBits) continue;
    const ObjectState *kept = memory.allocate(kPointerBytes, ObjectKind::Map, /*zeroed=*/true,
                                              {entry.id, 0}, "returned value");
    if (!kept) return;
    const uint64_t base = kept->base();
    if (terms[i])
      memory_.storeTerm(*run_.state, base, terms[i]);
    else
      memory.writeConcrete(base, reinterpret_cast<const uint8_t *>(&words[i]), kPointerBytes);
  }
}

bool Calls::call(const Inst *ip, uint32_t function) {
  State &s = *run_.state;
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
             {caller->function, static_cast<uint32_t>(ip - code_.codeOf(caller->function))}))
    return false;
  if (code_.opAt(ip) != Op::CallIndirect) return true;
  const CallSig &sig = f.callSigs[ip->c];
  if (sig.argShape != callee.argShape)
    convertScalars(*s.top, 0, program_.shapes[sig.argShape], program_.shapes[callee.argShape]);
  if (sig.retSlots && !callee.retSlots) noResult(*caller, ip->dst, program_.shapes[sig.retShape]);
  return true;
}

bool Calls::byvalArgument(const Inst *ip, uint32_t argument, uint64_t bytes) {
  State &s = *run_.state;
  if (s.top->syms && s.top->syms[argument]) {
    run_.slot = argument;
    run_.width = 64;
    run_.faultBytes = bytes;
    run_.event = Event::Concretize;
  } else if (uint64_t address = s.top->bits()[argument]; !s.memory.resolve(address, bytes)) {
    run_.faultAddress = address;
    run_.faultBytes = bytes;
    run_.event = Event::Fault;
  } else {
    return true;
  }
  s.ip = ip;
  return false;
}

} // namespace fathom::explore
