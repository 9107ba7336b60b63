// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine around the handlers: linking the code, running it, targets of jumps, registers. Calls
// are in MachineCalls.cpp, local variables in MachineLocals.cpp, memory in MachineMemory.cpp.
#include "explore/machine/Machine.h"

#include "explore/machine/Handlers.h"
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
  fillMoveHandlers(tables);
  fillIntegerHandlers(tables);
  fillBitHandlers(tables);
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
  if (opAt(call) == Op::CallIndirect) {
    const CallSig &sig = program_.functions[frame.function].callSigs[call->c];
    bits = sig.retSlots ? shapeBits(program_.shapes[sig.retShape][0]) : 0;
  }
  if (!bits) return;
  setRegister(frame, call->dst,
              value->width() > bits ? ctx.trunc(value, bits) : ctx.zext(value, bits));
}

} // namespace fathom::explore
