// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/CallGraph.h"

#include "program/Operands.h"

#include "program/CodeFlow.h"

#include <algorithm>

namespace fathom::confirm {

using namespace program;

CallGraph::CallGraph(const Program &program, const CallEffects *effects)
    : program_(program), effects_(effects), callees_(program.functions.size()),
      callers_(program.functions.size()) {
  for (const FunctionCode &f : program.functions)
    if (f.own && f.addressTaken) taken_.push_back(f.id);
  for (const FunctionCode &f : program.functions) {
    std::vector<uint32_t> &out = callees_[f.id];
    bool throughPointers = false;
    for (const Inst &inst : f.code) {
      if (inst.op == Op::Call) out.push_back(inst.c);
      throughPointers |= inst.op == Op::CallIndirect;
    }
    // A function that raises signals also calls handlers, without a call through a pointer of its
    // own.
    if (throughPointers || (effects && effects->calledByPointer(f.id))) {
      const std::vector<uint32_t> &more = calledByPointer(f.id);
      out.insert(out.end(), more.begin(), more.end());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    for (uint32_t callee : out)
      if (callee != f.id) callers_[callee].push_back(f.id);
  }
  findMain();
  findDepths();
  if (effects_) findFromLibrary();
}

const std::vector<uint32_t> &CallGraph::calledByPointer(uint32_t function) const {
  const std::vector<uint32_t> *known = effects_ ? effects_->calledByPointer(function) : nullptr;
  return known ? *known : taken_;
}

const std::vector<uint32_t> *CallGraph::calledByUnknown(uint32_t function) const {
  if (!effects_ || !main()) return nullptr;
  if (program_.functions[function].own) return effects_->calledByPointer(function);
  const auto known = fromLibrary_.find(function);
  return known == fromLibrary_.end() ? nullptr : &known->second;
}

void CallGraph::findFromLibrary() {
  std::vector<uint32_t> others;
  for (const FunctionCode &f : program_.functions)
    if (!f.own && f.addressTaken) others.push_back(f.id);
  for (const FunctionCode &f : program_.functions) {
    const std::vector<uint32_t> *own = f.own ? nullptr : effects_->calledByPointer(f.id);
    const bool calls =
        std::ranges::any_of(f.code, [](const Inst &i) { return i.op == Op::CallIndirect; });
    if (!own || !calls) continue;
    std::vector<uint32_t> &all = fromLibrary_[f.id];
    all = others;
    all.insert(all.end(), own->begin(), own->end());
  }
}

void CallGraph::findMain() {
  const auto defined = [&](const char *name) {
    const FunctionCode *f = program_.find(name);
    return f && !f->code.empty() ? f : nullptr;
  };
  const FunctionCode *main = defined("main");
  if (main && (main->own || defined("LLVMFuzzerTestOneInput"))) main_ = main->id;
}

const FunctionCode *CallGraph::main() const {
  return main_ == kNoIndex ? nullptr : &program_.functions[main_];
}

void CallGraph::findDepths() {
  depth_.assign(callees_.size(), kNoWay);
  if (main_ == kNoIndex) return;
  std::vector<uint32_t> order{main_};
  depth_[main_] = 0;
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t callee : callees_[order[i]])
      if (depth_[callee] == kNoWay) {
        depth_[callee] = depth_[order[i]] + 1;
        order.push_back(callee);
      }
}

bool CallGraph::runsOnce(uint32_t function) const {
  // The code after a setjmp runs again after each longjmp.
  if (std::ranges::any_of(program_.externals, [](const program::External &e) {
        return e.name.find("longjmp") != std::string::npos;
      }))
    return false;
  // Each step goes to a caller. A way that comes back to the function does so through a second call
  // of it.
  for (size_t steps = 0; steps <= callees_.size(); ++steps) {
    const FunctionCode &f = program_.functions[function];
    const std::vector<uint32_t> &callers = callers_[function];
    if (isMain(function))
      return std::ranges::none_of(callers, [&](uint32_t c) { return program_.functions[c].own; });
    if (f.addressTaken || callers.size() != 1 || std::ranges::count(callees_[function], function))
      return false;
    const FunctionCode &caller = program_.functions[callers[0]];
    const CodeFlow flow(caller);
    if (flow.isIrreducible()) return false;
    unsigned calls = 0;
    for (uint32_t i = 0; i < caller.code.size(); ++i) {
      if (caller.code[i].op != Op::Call || caller.code[i].c != function) continue;
      if (++calls > 1 || flow.loopOf(flow.blockOf(i)) != kNoIndex) return false;
    }
    function = caller.id;
  }
  return false;
}

std::vector<uint32_t> CallGraph::functionsAt(const Place &place) const {
  std::vector<uint32_t> out;
  for (const FunctionCode &f : program_.functions) {
    if (!f.own) continue;
    auto is = [&](uint32_t location) {
      const Location &at = program_.locations[location];
      return place.isAt(program_.files[at.file], at.line);
    };
    if (std::any_of(f.locs.begin(), f.locs.end(), is) ||
        std::any_of(f.lineStarts.begin(), f.lineStarts.end(),
                    [&](auto &start) { return is(start.second); }))
      out.push_back(f.id);
  }
  return out;
}

std::vector<bool> CallGraph::closure(const Edges &edges, uint32_t from,
                                     const std::vector<bool> &without) {
  std::vector<bool> reached(edges.size());
  std::vector<uint32_t> worklist{from};
  reached[from] = true;
  while (!worklist.empty()) {
    const uint32_t at = worklist.back();
    worklist.pop_back();
    for (uint32_t next : edges[at])
      if (!reached[next] && (without.empty() || !without[next])) {
        reached[next] = true;
        worklist.push_back(next);
      }
  }
  return reached;
}

std::vector<CallGraph::CallAt> CallGraph::callsAt(const Place &place) const {
  std::vector<CallAt> out;
  for (uint32_t id : functionsAt(place)) {
    const FunctionCode &f = program_.functions[id];
    for (uint32_t i = 0; i < f.code.size(); ++i) {
      const Location &at = program_.location(f, i);
      if ((f.code[i].op == Op::Call || f.code[i].op == Op::CallIndirect) &&
          place.isAt(program_.files[at.file], at.line))
        out.push_back({id, i});
    }
  }
  return out;
}

std::vector<CallGraph::CallAt> CallGraph::instructionsAt(const Place &place) const {
  std::vector<CallAt> out;
  for (const uint32_t id : functionsAt(place)) {
    const FunctionCode &f = program_.functions[id];
    const auto isHere = [&](const Location &at) {
      return place.isAt(program_.files[at.file], at.line);
    };
    for (uint32_t i = 0; i < f.code.size(); ++i)
      if (isHere(program_.location(f, i))) out.push_back({id, i});
    for (auto &[inst, location] : f.lineStarts)
      if (inst < f.code.size() && isHere(program_.locations[location])) out.push_back({id, inst});
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<CallGraph::CallAt> CallGraph::statementAt(const Place &place) const {
  constexpr uint32_t kMaxLines = 16;
  std::vector<CallAt> out = instructionsAt(place);
  const size_t known = out.size();
  for (size_t i = 0; i < known; ++i) {
    const FunctionCode &f = program_.functions[out[i].function];
    const uint32_t line = program_.location(f, out[i].inst).line;
    for (uint32_t at = out[i].inst; at && !program::isTerminator(f.code[at - 1].op);) {
      const uint32_t before = program_.location(f, --at).line;
      if (before < line || before > line + kMaxLines) break;
      out.push_back({f.id, at});
    }
  }
  makeSet(out);
  return out;
}

bool CallGraph::returnsPointer(const Place &place) const {
  return std::ranges::any_of(instructionsAt(place), [&](const CallAt &at) {
    const program::FunctionCode &f = program_.functions[at.function];
    return f.code[at.inst].op == program::Op::Ret &&
           f.foreignResult == program::ForeignType::Pointer;
  });
}

bool CallGraph::isOneLine(const Place &place) const {
  const std::vector<CallAt> line = instructionsAt(place);
  const auto mayShow = [&](CallAt at) { return isAccess(at); };
  return std::ranges::any_of(line, mayShow) &&
         std::ranges::none_of(statementAt(place), [&](CallAt at) {
           return mayShow(at) && !std::ranges::binary_search(line, at);
         });
}

bool CallGraph::isAccess(CallAt at) const {
  const program::Op op = program_.functions[at.function].code[at.inst].op;
  return program::isLoad(op) || program::isStore(op) || program::isCall(op) ||
         op == program::Op::MemCpy || op == program::Op::MemMove || op == program::Op::MemSet ||
         op == program::Op::Trap;
}

bool CallGraph::isAtAccess(const Place &place) const {
  // Arguments of calls may be variables: reading these goes well.
  const auto isOfVariable = [](const FunctionCode &f, const Inst &access) {
    return std::ranges::any_of(f.code, [&](const Inst &inst) {
      return (inst.op == Op::Const || inst.op == Op::Alloca) && inst.dst == access.a;
    });
  };
  return place.column && std::ranges::any_of(instructionsAt(place), [&](CallAt at) {
           const FunctionCode &f = program_.functions[at.function];
           const Inst &inst = f.code[at.inst];
           return (program::isLoad(inst.op) || program::isStore(inst.op)) &&
                  program_.location(f, at.inst).column == place.column && !isOfVariable(f, inst);
         });
}

std::vector<bool> CallGraph::calledBy(const std::vector<CallAt> &calls) const {
  std::vector<bool> out(callees_.size());
  const auto add = [&](uint32_t callee) {
    if (out[callee]) return;
    const std::vector<bool> more = closure(callees_, callee);
    for (size_t i = 0; i < out.size(); ++i) out[i] = out[i] || more[i];
  };
  for (const CallAt &call : calls) {
    const Inst &inst = program_.functions[call.function].code[call.inst];
    if (inst.op == Op::Call) add(inst.c);
    if (inst.op == Op::CallIndirect)
      for (uint32_t callee : calledByPointer(call.function)) add(callee);
  }
  return out;
}

bool CallGraph::readsInput(uint32_t function, const std::vector<bool> &without) const {
  return hasReader(closure(callees_, function, without));
}

bool CallGraph::hasReader(const std::vector<bool> &reached) const {
  // All of libc's input goes through one of these.
  static constexpr const char *kReaders[] = {"__toread", "__uflow", "read", "readv",
                                             "pread",    "preadv",  "mmap"};
  return std::ranges::any_of(kReaders, [&](const char *name) {
    const FunctionCode *reader = program_.find(name);
    return reader && reached[reader->id];
  });
}

std::optional<uint32_t> CallGraph::commonCaller(const std::vector<uint32_t> &wanted) const {
  if (wanted.empty()) return std::nullopt;
  std::vector<bool> common(callees_.size());
  for (const program::FunctionCode &f : program_.functions) common[f.id] = f.own;
  std::vector<uint32_t> distinct = wanted;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (uint32_t f : distinct) {
    const std::vector<bool> reaches = reaching(f);
    for (size_t i = 0; i < common.size(); ++i) common[i] = common[i] && reaches[i];
  }
  // Callers of the first function, nearest first: every function that reaches all of them reaches
  // it.
  std::vector<uint32_t> order{wanted[0]};
  std::vector<bool> seen(callees_.size());
  seen[wanted[0]] = true;
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t caller : callers_[order[i]])
      if (!seen[caller]) {
        seen[caller] = true;
        order.push_back(caller);
      }
  std::erase_if(order, [&](uint32_t f) { return !common[f]; });
  if (order.empty()) return std::nullopt;
  // A common caller that the nearest one calls, and that does not call it, is further in.
  for (uint32_t found = order.front();;) {
    const std::vector<bool> inner = closure(callees_, found), outer = reaching(found);
    const auto next =
        std::ranges::find_if(order, [&](uint32_t f) { return inner[f] && !outer[f]; });
    if (next == order.end()) return found;
    found = *next;
  }
}

bool hasModel(const program::Program &program) {
  return std::ranges::any_of(program.functions, &program::FunctionCode::isModel);
}

} // namespace fathom::confirm
