// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How paths begin and end: the initial state, tests, bugs, leaks.
#include "explore/Executor.h"

#include "expr/SmtLibScript.h"
#include "support/Check.h"

#include "fathom/abi.h"
#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

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

/// What starts programs and threads is of no interest to anybody.
static bool isEntry(const FunctionCode &f) {
  return f.name == "__fathom_entry" || f.name == "_start_c" || f.name == "__fathom_threadMain";
}

std::vector<StackFrame> Executor::stackOf(const State &s) const { return stackOf(s.top, s.ip); }

std::vector<StackFrame> Executor::stackOf(const Frame *top, const Inst *at) const {
  std::vector<StackFrame> out;
  for (const Frame *f = top; f; f = f->parent) {
    if (!isEntry(program_.functions[f->function]))
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

std::vector<StackFrame> Executor::framesOf(std::span<const CallSite> sites, bool ownOnly) const {
  std::vector<StackFrame> out;
  for (const CallSite &site : sites) {
    const FunctionCode &f = program_.functions[site.function];
    if ((ownOnly && !f.own) || isEntry(f)) continue;
    out.push_back(
        frameAt(site.function, static_cast<uint32_t>(site.at - machine.codeOf(site.function))));
  }
  return out;
}

// --- which bugs are one
// -----------------------------------------------------------------------------------------------

/// Of a place, where a helper that everybody calls goes wrong: so many stacks have a report.
static constexpr size_t kMostStacksOfPlace = 16;

static constexpr uint64_t kHashSeed = 1469598103934665603ull;
static void mix(uint64_t &hash, uint64_t value) { hash = (hash ^ value) * 1099511628211ull; }

/// Adds the calls of own code to the stack, and the innermost to the place; where none is, all.
void Executor::mixSites(std::span<const CallSite> sites, uint64_t &place, uint64_t &stack) const {
  auto isOwn = [&](const CallSite &site) { return program_.functions[site.function].own; };
  const bool all = std::none_of(sites.begin(), sites.end(), isOwn);
  bool first = true;
  for (const CallSite &site : sites) {
    if (!all && !isOwn(site)) continue;
    const uint64_t what = uint64_t(site.function) << 32 |
                          static_cast<uint64_t>(site.at - machine.codeOf(site.function));
    if (std::exchange(first, false)) mix(place, what);
    mix(stack, what);
  }
}

std::vector<CallSite> Executor::sitesOf(const State &s) {
  const uint32_t number = stacks_.intern(s.top, s.ip);
  if (number == CallStacks::kUnknown) return CallStacks::folded(s.top, s.ip);
  const std::span<const CallSite> sites = stacks_.sites(number);
  return {sites.begin(), sites.end()};
}

uint64_t Executor::stackKey(const State &s) {
  uint64_t place = kHashSeed, stack = kHashSeed;
  mixSites(sitesOf(s), place, stack);
  return stack;
}

Executor::BugKey Executor::bugKey(const State &s, BugKind kind, const ObjectState *object) {
  BugKey key{kind, kHashSeed, kHashSeed};
  uint64_t unused = 0;
  if (object && object->info->stack == CallStacks::kUnknown && noted_.insert(object->base()).second)
    ledger_.add("bound-stacks", where(s),
                fmt::format("more than {} call stacks allocate: where this object was allocated is "
                            "known without its callers",
                            CallStacks::kMostStacks));
  if (kind == BugKind::Leak && object) { // the path's end says nothing of it
    if (!stacks_.sites(object->info->stack).empty())
      mixSites(stacks_.sites(object->info->stack), key.place, key.stack);
    else
      mix(key.stack, key.place = (uint64_t(object->info->function) << 32) | object->info->inst);
    return key;
  }
  std::vector<CallSite> sites = sitesOf(s);
  // Where the stack is full depends on its frames' sizes: all turns of a recursion are one.
  if (kind == BugKind::StackOverflow)
    std::sort(sites.begin(), sites.end(), [](const CallSite &a, const CallSite &b) {
      return std::tie(a.function, a.at) < std::tie(b.function, b.at);
    });
  mixSites(sites, key.place, key.stack);
  if (object && !stacks_.sites(object->info->stack).empty())
    mixSites(stacks_.sites(object->info->stack), unused, key.stack);
  else if (object && object->info->function != ~0u)
    mix(key.stack, (uint64_t(object->info->function) << 32) | object->info->inst);
  return key;
}

bool Executor::isReported(const State &s, const BugKey &key) {
  auto known = reported_.find({key.kind, key.place});
  if (known == reported_.end()) return false;
  if (known->second.contains(key.stack)) return true;
  if (known->second.size() < kMostStacksOfPlace) return false;
  if (!noted_.insert(key.stack).second) return true;
  ledger_.add("bound-stacks", where(s),
              fmt::format("{}: {} call stacks that end here have a report; others are not told "
                          "apart",
                          name(key.kind), kMostStacksOfPlace));
  return true;
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
  std::unordered_set<ExprPtr> results; // of external functions: no input, nor is unwritten memory
  for (const State::Result *r : s.results.items()) results.insert(r->symbol);
  for (const ExprPtr *symbol : s.symbols.items())
    if (!results.contains(*symbol) && !(*symbol)->has(expr::kHasUninit)) {
      auto named = inputNames_.find(*symbol);
      t.symbols.push_back({named == inputNames_.end() ? (*symbol)->array().name : named->second,
                           model.bytes(*symbol)});
    }
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
  t.usesUnwritten = s.unwritten.anySettled();
  t.path = end == EndKind::Partial ? ~s.identity : s.identity; // it may go on elsewhere
  return t;
}

std::string Executor::pathAsSmtLib(State &s, const solver::PathCondition &path, ExprPtr condition,
                                   const expr::Model &model) {
  std::vector<ExprPtr> constraints = path.constraints(), symbols;
  if (condition) constraints.push_back(condition);
  for (const ExprPtr *symbol : s.symbols.items()) symbols.push_back(*symbol);
  return expr::smtLibScript(constraints, symbols, model);
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
  const solver::PathCondition path = s.path; // wishes are none of its conditions
  honourPreferences(s);                      // changes the input
  if (exitValue)
    status = exitValue->has(expr::kHasUninit) ? kNoStatus
                                              : static_cast<int>(witnessValue(s, exitValue) & 0xff);
  TestCase test = buildTest(s, *s.witness, end, status, isNew && !partial ? "new coverage" : why);
  test.coversNew = isNew;
  if (options_.smtLib) test.smtLib = pathAsSmtLib(s, path, nullptr, *s.witness);
  if (!sink_.onTest(test)) sinkFailed = true;
}

void Executor::abandon(State &s, const std::string &category, const std::string &why) {
  if (!category.empty()) ledger_.add(category, where(s), why);
  endPath(s, EndKind::Partial, 0, "partial: " + why);
}

/// Where the object was allocated, and where it was freed, each with its callers.
void Executor::addAllocation(Bug &bug, const ObjectState &object) const {
  auto add = [&](const char *what, uint32_t function, uint32_t inst, uint32_t stack) {
    std::vector<StackFrame> frames = framesOf(stacks_.sites(stack), /*ownOnly=*/true);
    if (frames.empty()) frames.push_back(frameAt(function, inst));
    for (StackFrame &frame : frames) {
      frame.function = std::exchange(what, "called from") + (" " + frame.function);
      bug.related.push_back(std::move(frame));
    }
  };
  add("allocated in", object.info->function, object.info->inst, object.info->stack);
  if (object.freed && object.freeFunction != ~0u)
    add("freed in", object.freeFunction, object.freeInst, object.freeStack);
}

void Executor::report(State &s, BugKind kind, const std::string &message,
                      std::shared_ptr<const expr::Model> model, const ObjectState *object,
                      ExprPtr condition, bool pathGoesOn, uint64_t source, uint64_t way) {
  if (s.script || s.discarded) return; // whoever made the log has reported it
  const BugKey key = bugKey(s, kind, object);
  const bool known = isReported(s, key);
  if (known && !options_.allBugInputs && (pathGoesOn || options_.onlyNewCoverage)) return;
  if (known && s.hasExact) { // an input, where there is one: nothing is lost without
    auto settled = std::make_shared<expr::Model>(*model);
    if (!agrees(s, condition, *settled)) return;
    model = std::move(settled);
  } else if (known && s.guessesResults) {
    // Each takes as long as the path did.
    if (!options_.allBugInputs && !std::has_single_bit(++metAgain_[{key.stack, kind}])) return;
    if (!showsBug(s, key, *model)) return;
  } else if (!known) {
    if (!confirmBug(s, key, message, condition, model)) return;
    reported_[{kind, key.place}].insert(key.stack);
  }
  Bug bug;
  bug.kind = kind;
  bug.message = message;
  bug.source = known ? 0 : source;
  bug.pathGoesOn = pathGoesOn;
  bug.beyondBound = known && !reported_[{kind, key.place}].contains(key.stack);
  if (kind == BugKind::Leak && object) {
    bug.stack = framesOf(stacks_.sites(object->info->stack), /*ownOnly=*/false);
    if (bug.stack.empty() && object->info->function != ~0u)
      bug.stack.push_back(frameAt(object->info->function, object->info->inst));
  } else {
    bug.stack = stackOf(s);
    if (object && object->info->function != ~0u) addAllocation(bug, *object);
  }
  bug.test = buildTest(s, *model, EndKind::Bug, 0, std::string("bug: ") + name(kind));
  if (options_.smtLib) bug.test.smtLib = pathAsSmtLib(s, s.path, condition, *model);
  mix(bug.test.path, static_cast<uint64_t>(kind));
  mix(bug.test.path, key.stack);
  // A path can meet the same bug often, on inputs of which each is another one: it goes on with
  // those for which all is well, and that is no decision. How far it has come tells them apart, and
  // does not depend on what was asked when.
  mix(bug.test.path, s.instructions);
  mix(bug.test.path, way);
  ++(known ? stats_.tests : stats_.bugs);
  stats_.bugTests += known;
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
           s.witness, o, nullptr, /*pathGoesOn=*/true);
    if (sinkFailed) return;
  }
}

} // namespace fathom::explore
