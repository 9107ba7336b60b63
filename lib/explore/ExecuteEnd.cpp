// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How paths begin and end: the initial state, tests, bugs, leaks.
#include "explore/Executor.h"

#include "support/Check.h"

#include "fathom/abi.h"
#include "fmt/format.h"

#include <algorithm>
#include <map>

namespace fathom::explore {

using namespace program;

// --- the beginning
// -------------------------------------------------------------------------------------------------

uint64_t Executor::placeString(State &s, const std::string &text, const char *label) {
  const ObjectState *o =
      s.memory.allocate(text.size() + 1, ObjectKind::Map, /*zeroed=*/true, {}, label);
  s.memory.writeConcrete(o->base(), reinterpret_cast<const uint8_t *>(text.c_str()),
                         text.size() + 1);
  return o->base();
}

std::unique_ptr<State> Executor::initialState(std::string &error) {
  const FunctionCode *start = program_.find("__fathom_entry");
  // No runtime, or no libc's start-up code (a plain .ll file): the program starts at its function.
  bool bare = !start || !program_.find("_start_c");
  if (bare) start = program_.find(options_.entry.empty() ? "main" : options_.entry);
  if (!start) {
    error = fmt::format("{}: no function '{}' to start at", program_.modulePath,
                        options_.entry.empty() ? "main" : options_.entry);
    return nullptr;
  }
  auto s = std::make_unique<State>();
  s->id = nextStateId_++;
  s->setWitness(std::make_shared<expr::Model>());
  s->memory.reserve(program_.slotsUsed);
  for (const Global &g : program_.globals)
    s->memory.place(g.address, g.sizeBytes, g.constant ? ObjectKind::Constant : ObjectKind::Global,
                    g.init, g.name);
  if (!machine.enter(*s, start->id, nullptr, 0, nullptr, {})) {
    error = "no room for the first function's frame";
    return nullptr;
  }
  stats_.states++;
  if (bare) {
    std::fill_n(s->top->bits(), start->argSlots, 0);
    if (!options_.entry.empty()) makeParametersSymbolic(*s, *start);
    return s;
  }
  // The block that the kernel would leave on the stack: argc, argv, NULL, environment, NULL, an
  // empty auxiliary vector.
  std::vector<uint64_t> block{options_.arguments.size()};
  for (const std::string &a : options_.arguments) block.push_back(placeString(*s, a, "argv"));
  block.push_back(0);
  for (const std::string &e : options_.environment) block.push_back(placeString(*s, e, "environ"));
  block.insert(block.end(), {0, 0, 0});
  const ObjectState *o =
      s->memory.allocate(block.size() * 8, ObjectKind::Map, /*zeroed=*/true, {}, "initial stack");
  uint64_t base = o->base();
  s->memory.writeConcrete(base, reinterpret_cast<const uint8_t *>(block.data()), block.size() * 8);
  s->top->bits()[0] = base;
  return s;
}

/// --entry FUNCTION: libc is started, and in place of main this function is called with symbolic
/// parameters.
bool Executor::entryCall(State &s) {
  const FunctionCode *f = program_.find(options_.entry);
  FATHOM_CHECK(f, "the entry function was looked up before");
  s.top->resume = s.ip + 1;
  if (!machine.enter(s, f->id, nullptr, 0, nullptr, {s.top->function, 0})) {
    abandon(s, "bound-size", "no room for the entry function's frame");
    return false;
  }
  makeParametersSymbolic(s, *f);
  return true;
}

/// Of the function that was entered last. A pointer parameter points to an object of
/// kEntryObjectBytes symbolic bytes.
void Executor::makeParametersSymbolic(State &s, const FunctionCode &f) {
  constexpr uint64_t kEntryObjectBytes = 64;
  const Memory::AllocSite site{f.id, 0};
  auto symbol = [&](const std::string &name, uint64_t size) {
    ExprPtr e = ctx_.symbol(name, size);
    addSymbol(s, e, name);
    return e;
  };
  for (size_t i = 0; i < f.params.size(); i++) {
    const Param &p = f.params[i];
    std::string name = p.name.empty() ? fmt::format("arg{}", i) : p.name;
    if (p.pointer) {
      uint64_t size = p.byvalBytes ? p.byvalBytes : kEntryObjectBytes;
      const ObjectState *o = s.memory.allocate(size, ObjectKind::Map, /*zeroed=*/true, site, name);
      uint64_t base = o->base();
      ExprPtr bytes = symbol(name, size);
      for (uint64_t j = 0; j < size; j++) s.memory.writeSym(base + j, ctx_.read(bytes, j));
      machine.setRegister(*s.top, p.slot, ctx_.constant(base, 64));
      continue;
    }
    // Aggregates and vectors are several scalars.
    const Shape &shape = program_.shapes[f.argShape];
    uint64_t size = 0, offset = 0;
    for (uint32_t slot = p.slot; slot < p.slot + p.slots; slot++)
      size += (shapeBits(shape[slot]) + 7) / 8;
    if (!size) continue;
    ExprPtr bytes = symbol(name, size);
    for (uint32_t slot = p.slot; slot < p.slot + p.slots; slot++) {
      const unsigned width = shapeBits(shape[slot]);
      if (!width) continue; // the second slot of a pair
      ExprPtr e = nullptr;
      for (unsigned j = 0; j < (width + 7) / 8; j++) {
        ExprPtr b = ctx_.read(bytes, offset++);
        e = e ? ctx_.concat(b, e) : b;
      }
      machine.setRegister(*s.top, slot, ctx_.trunc(e, width));
    }
  }
  for (const Param &p : f.params)
    if (p.pointer && !p.byvalBytes)
      ledger_.add("bound-size", where(s),
                  fmt::format("parameter {} is taken to be an object of its own of {} bytes, never "
                              "null (--entry)",
                              p.name.empty() ? "of pointer type" : p.name, kEntryObjectBytes));
}

// --- places
// -----------------------------------------------------------------------------------------------------------

StackFrame Executor::frameAt(uint32_t function, uint32_t inst) const {
  const FunctionCode &f = program_.functions[function];
  StackFrame out;
  out.function = f.name;
  out.own = f.own;
  if (inst < f.locs.size()) {
    // An instruction without a position of its own takes that of the nearest before it.
    for (uint32_t i = inst + 1; i-- > 0;)
      if (const Location &l = program_.locations[f.locs[i]]; l.line) {
        out.file = program_.files[l.file];
        out.line = l.line;
        out.column = l.column;
        break;
      }
  }
  if (!out.line && f.declLine) {
    out.file = program_.files[f.file];
    out.line = f.declLine;
  }
  return out;
}

std::vector<StackFrame> Executor::stackOf(const State &s) const { return stackOf(s.top, s.ip); }

std::vector<StackFrame> Executor::stackOf(const Frame *top, const Inst *at) const {
  std::vector<StackFrame> out;
  for (const Frame *f = top; f; f = f->parent) {
    const std::string &name = program_.functions[f->function].name;
    if (name != "__fathom_entry" && name != "_start_c" && name != "__fathom_threadMain")
      out.push_back(frameAt(f->function, static_cast<uint32_t>(at - machine.codeOf(f->function))));
    if (f->parent) at = f->parent->resume - 1;
    if (out.size() >= 200) break;
  }
  return out;
}

std::string Executor::where(const State &s) const {
  for (const StackFrame &f : stackOf(s))
    if (f.own && f.line) return fmt::format("{}:{} in {}", f.file, f.line, f.function);
  if (!s.top) return "";
  return "in " + program_.functions[s.top->function].name;
}

uint64_t Executor::stackKey(const State &s) const {
  // The places of the innermost frames: deep recursion must not make one bug into many.
  uint64_t h = 1469598103934665603ull;
  unsigned n = 0;
  const Inst *at = s.ip;
  for (const Frame *f = s.top; f && n < 12; f = f->parent, n++) {
    h = (h ^
         (uint64_t(f->function) << 32 ^ static_cast<uint64_t>(at - machine.codeOf(f->function)))) *
        1099511628211ull;
    if (f->parent) at = f->parent->resume - 1;
  }
  return h;
}

// --- ends
// ----------------------------------------------------------------------------------------------------------------

TestCase Executor::buildTest(State &s, const expr::Model &model, EndKind end, int status,
                             const std::string &why) {
  TestCase t;
  if (&model == s.witness.get())
    evaluator_.setModel(model, s.witnessVersion);
  else
    evaluator_.setModel(model, nextModelVersion());
  auto fill = [&](auto &bytes, const std::vector<ExprPtr> &terms) {
    for (size_t i = 0; i < terms.size(); i++)
      if (terms[i])
        bytes[i] =
            static_cast<std::remove_reference_t<decltype(bytes[0])>>(evaluator_.eval(terms[i]));
  };
  for (const RecordedInput *in : s.inputs.items()) {
    InputValue v{in->kind, in->name, in->bytes};
    fill(v.data, in->terms);
    if (in->kind == FATHOM_INPUT_ARG)
      v.data.resize(
          static_cast<size_t>(std::find(v.data.begin(), v.data.end(), 0) - v.data.begin()));
    t.inputs.push_back(std::move(v));
  }
  std::unordered_set<ExprPtr> results; // of external functions: no input
  for (const State::Result *r : s.results.items()) results.insert(r->symbol);
  for (const ExprPtr *symbol : s.symbols.items())
    if (!results.contains(*symbol))
      t.symbols.push_back({(*symbol)->array().name, model.bytes(*symbol)});
  for (const OutputChunk *o : s.output.items()) {
    std::string bytes = o->bytes;
    fill(bytes, o->terms);
    (o->fd == 2 ? t.stderrData : t.stdoutData) += bytes;
  }
  t.end = end;
  t.status = status;
  t.trace.count = s.traceCount;
  t.trace.hash = s.traceHash;
  if (s.traceCheckpoints) t.trace.checkpoints = *s.traceCheckpoints;
  t.instructions = s.instructions;
  t.decisions = s.forks;
  t.why = why;
  t.usesExternal = s.usesExternal;
  for (const uint32_t *number : s.failedAllocations.items()) t.failedAllocations.push_back(*number);
  t.path = end == EndKind::Partial ? ~s.log.hash() : s.log.hash(); // it may go on elsewhere
  return t;
}

bool Executor::isClaimed(uint32_t what) const {
  const std::vector<uint8_t> &claimed = what & Machine::kSideBit ? testSideCover_ : testCover_;
  const uint32_t index = what & ~Machine::kSideBit;
  return index < claimed.size() && claimed[index];
}

bool Executor::coversUntested(const State &s) const {
  return s.firsts.last && !isClaimed(s.firsts.last->value); // see claimCoverage
}

bool Executor::claimCoverage(const State &s) {
  testCover_.resize(machine.cover.size());
  testSideCover_.resize(machine.sideCover.size());
  bool any = false;
  // What is covered for the first time is so only once, and what a path claims it claims with all
  // that came before on it: behind the first one that is claimed everything is.
  for (const ListNode<uint32_t> *n = s.firsts.last.get(); n; n = n->previous.get()) {
    if (isClaimed(n->value)) break;
    any = true;
    (n->value & Machine::kSideBit ? testSideCover_ : testCover_)[n->value & ~Machine::kSideBit] = 1;
  }
  return any;
}

/// Does the path end with the first function's return? Only in a program without start-up code.
static bool endsByReturn(const State &s) { return s.top && !s.top->parent && s.ip->op == Op::Ret; }

/// One after the other, as far as they go together with the path and those before. Only for states
/// that end: the path condition is no longer that of the path.
void Executor::honourPreferences(State &s) {
  for (const ExprPtr *wish : s.preferred.items()) {
    solver::Answer answer = oracle_.check({.path = s.path,
                                           .goal = *wish,
                                           .witness = s.witness.get(),
                                           .witnessVersion = s.witnessVersion,
                                           .timeout = queryTimeout()});
    stats_.queries++;
    if (answer.kind != solver::AnswerKind::Sat) continue;
    if (!answer.isWitness) {
      auto model = std::make_shared<expr::Model>(std::move(answer.model));
      // A wish is no reason for an input that takes another path.
      if (s.hasExact && !agrees(s, *wish, *model)) continue;
      s.setWitness(std::move(model));
    }
    s.path.add(*wish);
  }
}

void Executor::endPath(State &s, EndKind end, int status, const std::string &why,
                       ExprPtr exitValue) {
  if (s.script || s.discarded) return;
  if (end == EndKind::Exit && options_.entry.empty() && endsByReturn(s)) { // main's value
    const FunctionCode &f = program_.functions[s.top->function];
    const unsigned bits = shapeBits(program_.shapes[f.retShape][0]);
    exitValue = machine.registerTerm(*s.top, s.ip->a, bits);
  }
  bool partial = end == EndKind::Partial;
  if (partial)
    stats_.pathsTerminatedEarly++;
  else
    stats_.pathsCompleted++;
  if (s.memory.isCrowded())
    ledger_.add("crowded-memory", "",
                "so many objects at a time that some lie less than 1 MiB apart: an access far "
                "outside of one may have landed in another");
  bool isNew = claimCoverage(s);
  if ((options_.onlyNewCoverage || partial) && !isNew) return;
  stats_.tests++;
  stats_.partialTests += partial;
  confirmPath(s);
  honourPreferences(s); // changes the input
  if (exitValue) status = static_cast<int>(witnessValue(s, exitValue) & 0xff);
  TestCase test = buildTest(s, *s.witness, end, status, isNew && !partial ? "new coverage" : why);
  test.coversNew = isNew;
  if (!sink_.onTest(test)) sinkFailed = true;
}

void Executor::abandon(State &s, const std::string &category, const std::string &why) {
  if (!category.empty()) ledger_.add(category, where(s), why);
  endPath(s, EndKind::Partial, 0, "partial: " + why);
}

bool Executor::isReported(const State &s, BugKind kind) const {
  return reported_.count({stackKey(s), kind}) != 0;
}

void Executor::report(State &s, BugKind kind, const std::string &message,
                      std::shared_ptr<const expr::Model> model, const ObjectState *object,
                      ExprPtr condition) {
  if (s.script || s.discarded) return; // whoever made the log has reported it
  uint64_t key = stackKey(s);
  if (kind == BugKind::Leak && object)
    key = (uint64_t(object->info->function) << 32) | object->info->inst;
  if (reported_.count({key, kind}) || !confirmBug(s, kind, key, message, condition, model)) return;
  reported_.emplace(key, kind);
  Bug bug;
  bug.kind = kind;
  bug.message = message;
  bug.stack = stackOf(s);
  if (object && object->info->function != ~0u) {
    StackFrame made = frameAt(object->info->function, object->info->inst);
    if (kind == BugKind::Leak)
      bug.stack.insert(bug.stack.begin(), made);
    else {
      made.function = "allocated in " + made.function;
      bug.related.push_back(made);
    }
    if (object->freed && object->freeFunction != ~0u) {
      StackFrame freed = frameAt(object->freeFunction, object->freeInst);
      freed.function = "freed in " + freed.function;
      bug.related.push_back(freed);
    }
  }
  bug.test = buildTest(s, *model, EndKind::Bug, 0, std::string("bug: ") + name(kind));
  stats_.bugs++;
  if (!sink_.onBug(bug)) sinkFailed = true;
}

void Executor::checkLeaks(State &s) {
  if (!options_.checkLeaks || !s.memory.heapObjects()) return;
  // Only when main has returned: registers are reused as soon as their value is dead, so with
  // functions of the program still active (exit was called inside, or other threads run) a block
  // that a local variable holds would look lost.
  bool active = false;
  s.forEachThread([&](const Frame *top, const Inst *) {
    for (const Frame *f = top; f; f = f->parent) active |= program_.functions[f->function].own;
  });
  if (active) return;
  std::map<uint64_t, const ObjectState *> unreached; // by base: a fixed order
  std::vector<const ObjectState *> reached;
  s.memory.forEachObject([&](const ObjectState &o) {
    if (o.freed) return;
    if (o.info->kind == ObjectKind::Heap)
      unreached.emplace(o.base(), &o);
    else
      reached.push_back(&o);
  });
  auto mark = [&](uint64_t value) {
    if (!isDataAddress(value)) return;
    const ObjectState *o = s.memory.find(value);
    if (!o) return;
    if (auto it = unreached.find(o->base());
        it != unreached.end() && value - o->base() <= o->size()) {
      reached.push_back(it->second);
      unreached.erase(it);
    }
  };
  // What the frames that are left hold does not count: they are libc's, on the way out, and slots
  // that they have not written yet hold what somebody else left there.
  auto bytesOf = [&](const Page &page, unsigned n, uint8_t *to) {
    memcpy(to, page.data, n);
    if (page.syms)
      page.syms->forEach([&](unsigned i, ExprPtr e) {
        if (i < n) to[i] = static_cast<uint8_t>(witnessValue(s, e));
      });
  };
  auto scan = [&](const ObjectState &o, unsigned step) {
    for (uint32_t p = 0; p < o.numPages; p++) {
      if (!o.pages[p]) continue;
      uint8_t bytes[kPageSize + 7];
      unsigned n = o.pages[p]->size;
      bytesOf(*o.pages[p], n, bytes);
      if (p + 1 < o.numPages && o.pages[p + 1]) { // a pointer may lie across
        unsigned more = std::min<unsigned>(7, o.pages[p + 1]->size);
        bytesOf(*o.pages[p + 1], more, bytes + n);
        n += more;
      }
      for (unsigned i = 0; i + 8 <= n; i += step) {
        uint64_t v;
        memcpy(&v, bytes + i, 8);
        mark(v);
      }
    }
  };
  // Only what is not found at the usual places is looked for at all of them: packed structures.
  for (unsigned step : {8, 1})
    for (size_t i = 0; i < reached.size() && !unreached.empty(); i++) scan(*reached[i], step);
  for (auto &[base, o] : unreached) {
    report(s, BugKind::Leak,
           fmt::format("{} bytes of heap memory are unreachable when the program ends", o->size()),
           s.witness, o);
    if (sinkFailed) return;
  }
}

} // namespace fathom::explore
