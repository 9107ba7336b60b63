// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter: runs one state until something needs a decision.
//
// Threaded code: every operation is a small function (a *handler*) that ends in a tail call to the
// next one's, with the machine's hot values in registers (preserve_none leaves all of them to us).
// There are two handler tables made from the same templates: one for frames without symbolic
// registers, which never looks at a term, and one for frames with them. A load that yields a
// symbolic byte moves the frame from the first to the second.
//
// What a handler cannot finish by itself ends the run with an Event; the Executor decides (asks the
// solver, forks, reports) and puts the state behind, or back before, the instruction.
#ifndef FATHOM_EXPLORE_MACHINE_MACHINE_H
#define FATHOM_EXPLORE_MACHINE_MACHINE_H

#include "explore/machine/DeferredOperations.h"
#include "explore/machine/PointerOrigins.h"
#include "explore/machine/PointTable.h"
#include "explore/Options.h"
#include "explore/state/State.h"

#include <array>
#include <vector>

namespace fathom::explore {

using program::Inst;
using program::Op;

enum class Event : uint8_t {
  Quantum,    ///< the instruction budget of this run is spent
  Branch,     ///< CondJmp on a term: `term`
  Switch,     ///< Switch on a term
  IndirectBr, ///< IndirectBr on a term or to no block of the function
  Memory,     ///< a load or store whose address is a term, or that is out of bounds
  MemOp,      ///< MemCpy, MemMove, MemSet with such an address
  Fault,      ///< a read of `faultBytes` at the concrete address `faultAddress` goes wrong
  Concretize, ///< the slot `slot` (`width` bits) holds a term that this operation cannot take; of a
              ///< call: the address of `faultBytes` bytes that are passed by value
  Check,      ///< `term` (width 1) is true when the operation goes wrong: bug of kind `bug`
  Bug,        ///< the operation goes wrong for certain: kind `bug`
  Call,       ///< CallIndirect on a term or on something that is no function of that signature
  External,   ///< CallExternal (or CallIndirect to an external): index `external`
  StackOverflow,
  Returned, ///< the bottom frame returned: the state is before its Ret
  Unsupported,
  Point,       ///< before an instruction at which a policy is asked
  OutOfMemory, ///< a local variable or an argument that finds no room
};

class Machine;
typedef void (*Handler)(const Inst *, uint64_t *, ExprPtr *, Machine *, const void *)
    __attribute__((preserve_none));

/// The code as the machine runs it: jump targets relative, blocks weighted with their length (see
/// link()).
struct LinkedCode {
  std::vector<std::vector<Inst>> functions; ///< same indices as program::Program::functions
};

class Machine {
public:
  Machine(const program::Program &program, expr::ExprContext &context,
          const ExploreOptions &options);

  /// With --entry, `main` is replaced by a call of this external number: the executor calls the
  /// chosen function.
  static constexpr uint32_t kEntryCall = ~0u - 1;

  /// Runs until an event. The state's top frame must be its own (ownTopFrame).
  Event run(State &state, int64_t instructionBudget);

  // --- details of the last event
  // --------------------------------------------------------------------------
  ExprPtr term = nullptr;
  uint32_t slot = 0, width = 0, external = 0;
  uint64_t faultAddress = 0, faultBytes = 0;
  BugKind bug = BugKind::Abort;
  std::string message; ///< Bug, Check: what went wrong

  // --- services, also for the executor
  // ----------------------------------------------------------------------
  static void ownTopFrame(State &state);
  /// Enters a function with the arguments in the caller's slots `args`; caller may be null (entry).
  /// False: `event` says why (StackOverflow, OutOfMemory). On success state.top is the new frame
  /// and state.ip its first instruction.
  bool enter(State &state, uint32_t function, const uint32_t *argSlots, uint32_t numArgs,
             const std::vector<program::VarArg> *varArgs, Memory::AllocSite site);
  bool passVariable(State &s, Frame &f, const program::FunctionCode &callee,
                    const std::vector<program::VarArg> *varArgs, Memory::AllocSite site);
  /// Leaves the top frame, by the instruction `at` (null: by a jump out of it, or with its thread):
  /// frees its stack objects. The caller sees to the result and to state.ip.
  void leave(State &state, const program::Inst *at = nullptr);

  /// Value of a register: a term if it has one, else a constant of this width.
  ExprPtr registerTerm(const Frame &frame, uint32_t slot, unsigned width);
  /// Sets a register of the frame (which becomes symbolic if need be). Width <= 128.
  void setRegister(Frame &frame, uint32_t slot, ExprPtr value);
  /// The result of a call of an external function, in the width in which the call wants it.
  void setResult(Frame &frame, const Inst *call, const program::External &callee, ExprPtr value);

  struct Loaded {
    uint64_t lo = 0, hi = 0; ///< when term is null
    ExprPtr term = nullptr;
  };
  /// Reads size (1..16) bytes that are in bounds of a live object. Uninitialised bytes get terms of
  /// their own.
  Loaded load(State &state, uint64_t address, unsigned size);
  /// Gives those of these bytes that were never written terms of their own (Unwritten.h).
  void nameUnwritten(State &state, uint64_t address, uint64_t size);
  ExprPtr originalOf(State &state, const ObjectState &copy, uint64_t offset);
  void store(State &state, uint64_t address, unsigned size, uint64_t lo, uint64_t hi);
  void storeTerm(State &state, uint64_t address, ExprPtr value); ///< width a multiple of 8
  /// Copies bytes with their terms and their being uninitialised; both ranges in bounds.
  void copy(State &state, uint64_t to, uint64_t from, uint64_t size);
  bool copyOverlapping(State &state, uint64_t to, uint64_t from, uint64_t size);
  void fill(State &state, uint64_t to, ExprPtr term, uint8_t value, uint64_t size);

  /// Forgets cached pages: after anything but the machine itself changed the current state's memory
  /// or shared it.
  void flushTlb();

  const Inst *codeOf(uint32_t function) const { return code_.functions[function].data(); }
  /// Before anything runs. See PointTable::add.
  void addPoint(uint32_t function, uint32_t inst, uint32_t asker) {
    points.add(code_.functions[function][inst], asker);
  }
  /// What the instruction does, also where it is a point.
  Op opAt(const Inst *inst) const {
    return inst->op == Op::Point ? points.originalOf(inst) : inst->op;
  }
  uint32_t indexOf(const State &state) const {
    return static_cast<uint32_t>(state.ip - codeOf(state.top->function));
  }
  const program::Program &program() const { return program_; }
  expr::ExprContext &context() { return ctx; }

  // --- coverage
  // -----------------------------------------------------------------------------------------------
  std::vector<uint8_t> cover;     ///< per instruction of the program: was it jumped to (or entered)
  std::vector<uint8_t> sideCover; ///< per side of the program's own branches
  static constexpr uint32_t kSideBit =
      1u << 31; ///< in State::firsts: an index into sideCover, not into cover
  std::vector<uint32_t>
      justCovered;          ///< the same as in State::firsts, of all paths, until somebody takes it
  uint64_t newCoverage = 0; ///< counts own targets covered for the first time
  uint64_t instructions = 0; ///< in all runs

  // --- state of the running handlers: public because handlers are free functions
  // -----------------------------------
  struct TlbEntry {
    uint64_t key = ~uint64_t(0);
    uint8_t *data = nullptr;
    uint32_t size = 0;     ///< bytes of the page that are in bounds
    uint32_t writable = 0; ///< exclusively ours and not constant
  };
  static constexpr unsigned kTlbSize = 256;
  std::array<TlbEntry, kTlbSize> tlb;

  /// Keys take 52 bits; the 12 above hold the epoch, so that forgetting everything is one addition.
  uint64_t tlbEpoch = 0;
  static uint64_t pageKey(uint64_t address) { return address >> kPageShift; }
  static uint64_t pageOffset(uint64_t address) { return address & (kPageSize - 1); }
  /// Slot numbers begin at bit 9 of most keys; below are the pages of an object.
  static unsigned tlbIndex(uint64_t key) {
    return static_cast<unsigned>((key ^ (key >> (program::kUsualClass - kPageShift))) % kTlbSize);
  }

  expr::ExprContext &ctx;
  PointerOrigins origins;
  State *state = nullptr;
  int64_t budget = 0;
  Event event = Event::Quantum;
  const uint32_t *sideBase = nullptr;
  DeferredOperations deferred; ///< of terms that become results
  bool checkOverflow = true, checkUninit = true, symbolicFloats = true;
  PointTable points; ///< where somebody is asked before an instruction runs

  /// Concrete in-bounds access through the slow path; false when it is not (the caller raises
  /// Event::Memory).
  bool loadSlow(uint64_t address, unsigned size, Loaded &out);
  bool storeSlow(uint64_t address, unsigned size, uint64_t lo, uint64_t hi);
  bool storeTermSlow(uint64_t address, ExprPtr value);
  bool memOp(const Inst *ip, const uint64_t *r,
             const ExprPtr *s); ///< MemCpy, MemMove, MemSet; false: Event::MemOp
  /// The address of the running thread's copy of the thread-local variable at this address.
  uint64_t threadLocal(uint64_t variable);
  bool allocateLocal(const Inst *ip, uint64_t *r, uint64_t size); ///< false: `event` says why
  void releaseLocals(uint64_t keep, const Inst *ip); ///< all but the `keep` oldest of the top frame
  void beginLifetime(uint64_t address);              ///< nothing for what is alive
  void endLifetime(uint64_t address, const Inst *ip); ///< nothing for what is not
  bool call(const Inst *ip, uint32_t function);       ///< false: `event` says why
  bool byvalArgument(const Inst *ip, uint32_t slot,
                     uint64_t bytes); ///< readable? false: `event` says why not
  const Inst *switchTarget(const Inst *ip, uint64_t value);     ///< traces and covers it
  const Inst *indirectTarget(const Inst *ip, uint64_t address); ///< null: no such block
  /// Can a call through a pointer of this type reach a function of another one, as it can on the
  /// real machine? Surplus arguments are ignored, integers converted, missing arguments missed.
  bool canCall(const program::CallSig &sig, const program::FunctionCode &callee) const;
  /// Does a call of the program's own pass arguments that the callee does not take? Then `bug` says
  /// so.
  bool isSurplus(const program::CallSig &sig, const program::FunctionCode &callee);
  /// Does this call, in the top frame's parent, take the result as the top frame's function has it?
  bool takesResult(const Inst *call) const {
    if (call->op == Op::Call) return true;
    const Op op = opAt(call);
    if (op != Op::CallIndirect) return op == Op::Call;
    const Frame *top = state->top;
    const program::FunctionCode &caller = program_.functions[top->parent->function];
    return caller.callSigs[call->c].retShape == program_.functions[top->function].retShape;
  }
  /// Leaves the top frame and hands over the result of this Ret: any number of words, to any kind
  /// of call.
  void returnValue(const Inst *ip, const uint64_t *r, const ExprPtr *s);
  /// Scalars in the caller's slots from `first` on, of a call whose callee gives no result.
  void noResult(Frame &frame, uint32_t first, const program::Shape &shape);
  /// A value, of a variable that this instruction reads, that only a term can carry to where it
  /// decides something; 0 with --check-uninit=0.
  ExprPtr neverWritten(const Frame &frame, const Inst *at, unsigned bits);
  bool copyByvalArguments(State &s, Frame &f, const program::FunctionCode &callee,
                          Memory::AllocSite site);
  /// A local object of the frame that is being entered. Null: `event` says why.
  const ObjectState *allocateArgument(State &s, Frame &f, uint64_t bytes, bool zeroed,
                                      Memory::AllocSite site, const std::string &name,
                                      uint64_t align);
  void describeTrap(uint64_t check, program::TrapCause cause);
  void describeSurplus(size_t given, size_t taken, const program::FunctionCode &callee);
  void describeOverflow(const char *what, unsigned width);
  /// Has the check of this instruction been decided? Asking is using it up.
  bool wasChecked(const Inst *ip) {
    if (state->checked != ip) return false;
    state->checked = nullptr;
    return true;
  }
  /// The line after a call is reached only when the callee returns.
  void coverAfterCall(const Inst *next) {
    const Frame *top = state->top;
    coverTarget(coverBase_[top->function] + static_cast<uint64_t>(next - codeOf(top->function)));
  }
  ExprPtr *makeFrameSymbolic() {
    state->top->makeSymbolic();
    return state->top->syms;
  }
  bool isSideCovered(uint32_t branchId, uint32_t side) const {
    return sideCover[sideBase[branchId] + side] != 0;
  }
  void traceBranch(uint32_t branchId, uint32_t side) {
    state->traceHash = traceStep(state->traceHash, branchId, side);
    uint64_t n = ++state->traceCount;
    if (n == state->nextCheckpoint) traceCheckpoint();
    uint8_t &seen = sideCover[sideBase[branchId] + side];
    if (!seen) {
      seen = 1;
      noteNewCoverage((sideBase[branchId] + side) | kSideBit);
    }
  }
  void coverTarget(uint64_t index) {
    if (!cover[index]) {
      cover[index] = 1;
      if (ownInst_[index]) noteNewCoverage(static_cast<uint32_t>(index));
    }
  }
  /// Slot handling for symbolic operands (see Interpret*.cpp).
  void symBinary(const Inst *ip, uint64_t *r, ExprPtr *s, unsigned width, expr::Kind kind,
                 bool immediate);
  void symCompare(const Inst *ip, uint64_t *r, ExprPtr *s, program::Predicate p, bool immediate);
  ExprPtr operand(const uint64_t *r, const ExprPtr *s, uint32_t slot, unsigned width);
  void result(uint64_t *r, ExprPtr *s, uint32_t slot, ExprPtr e);
  /// The result of a Gep: notes from which pointer, r[a], the address was computed.
  void addressResult(uint64_t *r, ExprPtr *s, const Inst *ip, ExprPtr address) {
    if (ExprPtr from = s[ip->a])
      origins.derive(address, from);
    else
      origins.note(address, r[ip->a]);
    result(r, s, ip->dst, address);
  }
  /// The result of a symbolic operation of the "bit tricks" family.
  ExprPtr bitTerm(Op op, ExprPtr a, ExprPtr b, ExprPtr c, unsigned width);
  ExprPtr compareTerm(program::Predicate p, ExprPtr a, ExprPtr b);
  /// True when the operation wraps: the condition of signed-overflow for Add, Sub, Mul.
  ExprPtr overflowTerm(expr::Kind kind, ExprPtr a, ExprPtr b, bool isSigned);
  bool mayOverflow(expr::Kind kind, ExprPtr a,
                   ExprPtr b); ///< cheap test: false = certainly not (signed)

  const Handler *cleanTable() const { return clean_.data(); }
  const Handler *symTable() const { return sym_.data(); }

private:
  void link();
  void convertScalars(Frame &frame, uint32_t first, const program::Shape &from,
                      const program::Shape &to);
  void traceCheckpoint();
  void noteNewCoverage(uint32_t what) {
    newCoverage++;
    justCovered.push_back(what);
    state->firsts.push(what);
    state->lastNewCoverage = state->instructions;
  }
  void cachePage(uint64_t address, const ObjectState &object, Page &page, bool writable);
  void forgetPage(uint64_t address);
  void forgetObject(const ObjectState &object);

  const program::Program &program_;
  const ExploreOptions &options_;
  int64_t blockWork_ = 0; ///< of this run: part of the budget that went into block operations
  LinkedCode code_;
  std::vector<uint8_t> ownInst_;    ///< per instruction: of the program's own code
  std::vector<uint32_t> coverBase_; ///< per function
  std::vector<uint32_t> sideBase_;
  std::array<Handler, static_cast<size_t>(Op::Count)> clean_{}, sym_{};
};

/// The two tables are filled by one function per family of operations, each in its own file.
struct HandlerTables {
  Handler *clean;
  Handler *sym;
};
void fillMoveHandlers(HandlerTables tables);
void fillIntegerHandlers(HandlerTables tables);
void fillBitHandlers(HandlerTables tables);
void fillWideHandlers(HandlerTables tables);
void fillFloatHandlers(HandlerTables tables);
void fillMemoryHandlers(HandlerTables tables);
void fillControlHandlers(HandlerTables tables);

} // namespace fathom::explore
#endif
