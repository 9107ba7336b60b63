// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/SourceUse.h"

#include "confirm/Notes.h"
#include "confirm/Sources.h"
#include "evidence/BugKind.h"
#include "explore/decide/Engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

using evidence::StackFrame;

using evidence::BugKind;

using namespace explore;
using program::FunctionCode;
using program::Inst;
using program::Op;
using program::Program;
using Site = CallGraph::CallAt;

namespace {

/// After it come function and instruction: a call that returned null, or may have; a statement.
constexpr std::string_view kNullSourceNote = "note.null.", kCallNote = "note.call.",
                           kPassedNote = "note.passed";

std::string noteOf(std::string_view what, const Site &call) {
  return fmt::format("{}{}.{}", what, call.function, call.inst);
}
std::string nullNote(const Site &call) { return noteOf(kNullSourceNote, call); }

/// Of a call that gives one pointer and comes back.
bool returnsPointer(const Program &program, const Inst &call) {
  if (call.op == Op::Call) {
    const FunctionCode &callee = program.functions[call.c];
    return callee.retSlots == 1 && callee.foreignResult == program::ForeignType::Pointer;
  }
  if (call.op != Op::CallExternal) return false;
  const program::External &callee = program.externals[call.c];
  return callee.retSlots == 1 && callee.result == program::ForeignType::Pointer;
}

std::string calleeName(const Program &program, const Inst &call) {
  return call.op == Op::Call ? program.functions[call.c].name : program.externals[call.c].name;
}

/// Calls that give a pointer, in the program's own code, each with its location.
template <class Take> void forEachPointerCall(const Program &program, Take &&take) {
  for (const FunctionCode &f : program.functions)
    for (uint32_t i = 0; f.own && i + 1 < f.code.size(); ++i)
      if (returnsPointer(program, f.code[i])) take(Site{f.id, i}, program.location(f, i));
}

/// Do paths come to the instruction after the call without it? Then what the call's register holds
/// there may be another value, which has the same register.
bool isJoined(const FunctionCode &f, uint32_t call) {
  return std::ranges::binary_search(f.blockStarts, call + 1);
}

/// Notes calls that return null; of those at the source also such that may.
class NotesNulls final : public Policy {
public:
  explicit NotesNulls(std::vector<Site> sources) : sources_(std::move(sources)) {}
  std::vector<PointSite> points(const Program &program) const override {
    std::vector<PointSite> out;
    forEachPointerCall(program, [&](const Site &call, const program::Location &) {
      out.push_back({call.function, call.inst + 1});
      if (isJoined(program.functions[call.function], call.inst))
        out.push_back({call.function, call.inst});
    });
    return out;
  }
  Answer at(Engine &engine, State &s) override {
    const Program &program = engine.services.program;
    const FunctionCode &f = program.functions[s.top->function];
    const auto inst = static_cast<uint32_t>(s.ip - engine.interpreter.code.codeOf(f.id));
    if (inst > 0 && returnsPointer(program, f.code[inst - 1])) afterCall(engine, s, f, inst - 1);
    if (returnsPointer(program, f.code[inst]) && isJoined(f, inst))
      note(engine, s, noteOf(kCallNote, {f.id, inst}));
    return Answer::GoOn;
  }

private:
  void afterCall(Engine &engine, State &s, const FunctionCode &f, uint32_t inst) const {
    const Site call{f.id, inst};
    if (isJoined(f, inst) && !hasNote(s, engine, noteOf(kCallNote, call))) return;
    const uint32_t result = f.code[inst].dst;
    const bool isTerm = s.top->syms && s.top->syms[result];
    const bool isSource = std::ranges::binary_search(sources_, call);
    if (isTerm ? isSource : s.top->bits()[result] == 0) note(engine, s, nullNote(call));
  }

  std::vector<Site> sources_;
};

/// The own calls through which the object was freed, innermost first; none: it was not.
std::vector<StackFrame> freeFrames(const Bug &bug) {
  const auto begin = std::ranges::find_if(
      bug.related, [](const StackFrame &f) { return f.function.starts_with("freed in "); });
  return {begin, bug.related.end()};
}

} // namespace

SourceUse::SourceUse(const Program &program, const CallGraph &calls, const Defect &defect)
    : program_(program), defect_(defect) {
  // A first step that does not say what it is may be anything on the way to the source.
  if (defect.isSourceGuessed || !namesSource(defect)) return;
  switch (defect.kinds[0]) {
  case BugKind::UseAfterFree:
  case BugKind::DoubleFree:
    findPassed(calls);
    if (!sites_.empty()) means_ = Means::Freed;
    break;
  case BugKind::NullDereference: findNull(calls); break;
  default: break;
  }
}

void SourceUse::findNull(const CallGraph &calls) {
  const Place &source = defect_.steps[0];
  // What a call through a pointer gives is not noted; it may be the null that is meant.
  const bool isNoted = std::ranges::none_of(calls.callsAt(source), [&](const Site &call) {
    return program_.functions[call.function].code[call.inst].op == Op::CallIndirect;
  });
  if (isNoted && source.role == evidence::StepRole::MaybeNull) {
    forEachPointerCall(program_, [&](const Site &call, const program::Location &at) {
      if (source.isAt(program_.files[at.file], at.line)) sites_.push_back(call);
    });
    if (!sites_.empty()) means_ = Means::ReturnsNull;
    return;
  }
  findPassed(calls);
  if (!sites_.empty()) means_ = Means::Passes;
}

void SourceUse::findPassed(const CallGraph &calls) {
  sites_ = calls.instructionsAt(defect_.steps[0]);
}

std::unique_ptr<Policy> SourceUse::policy() const {
  if (means_ == Means::ReturnsNull) return std::make_unique<NotesNulls>(sites_);
  return std::make_unique<PassageNotes>(sites_, kPassedNote);
}

bool SourceUse::wasAt(const Engine &engine, const State &s) const {
  if (means_ != Means::ReturnsNull) return hasNote(s, engine, std::string(kPassedNote));
  return std::ranges::any_of(sites_,
                             [&](const Site &call) { return hasNote(s, engine, nullNote(call)); });
}

bool SourceUse::isFrom(const Bug &bug) const {
  if (!defect_.means(bug.kind)) return true;
  switch (means_) {
  case Means::Nothing: return true;
  case Means::Freed: {
    // What is gone because its function returned was freed nowhere.
    const std::vector<StackFrame> frames = freeFrames(bug);
    return frames.empty() || std::ranges::any_of(frames, [&](const StackFrame &f) {
             return defect_.steps[0].isAt(f.file, f.line);
           });
  }
  case Means::ReturnsNull:
    return std::ranges::any_of(sites_,
                               [&](const Site &call) { return hasNote(bug.test, nullNote(call)); });
  case Means::Passes: return hasNote(bug.test, kPassedNote);
  }
  return true;
}

std::string SourceUse::otherText(const Bug &bug) const {
  const Place &source = defect_.steps[0];
  const std::string at = shortPlace(source.file, source.line);
  switch (means_) {
  case Means::Nothing: break;
  case Means::Freed: {
    // Of calls through one wrapper of free, the one in the source's function says which it is.
    const std::vector<StackFrame> frames = freeFrames(bug);
    const auto isInSource = [&](const StackFrame &f) {
      return std::ranges::any_of(sites_, [&](const Site &site) {
        return f.function.ends_with(" " + program_.functions[site.function].name);
      });
    };
    const auto known = std::ranges::find_if(frames, isInSource);
    const StackFrame &freed = known == frames.end() ? frames.front() : *known;
    return fmt::format("the object is freed at {}, not at {}", shortPlace(freed.file, freed.line),
                       at);
  }
  case Means::ReturnsNull: {
    const Site &site = sites_.front();
    std::string out =
        fmt::format("{} at {} does not return null on this path",
                    calleeName(program_, program_.functions[site.function].code[site.inst]), at);
    // The latest one is the likeliest origin, and what is said of it is true in any case.
    const auto last = std::find_if(
        bug.test.symbols.rbegin(), bug.test.symbols.rend(),
        [](const SymbolValue &symbol) { return symbol.name.starts_with(kNullSourceNote); });
    if (last == bug.test.symbols.rend()) return out;
    Site call;
    forEachPointerCall(program_, [&](const Site &one, const program::Location &) {
      if (nullNote(one) == last->name) call = one;
    });
    const FunctionCode &f = program_.functions[call.function];
    const program::Location &where = program_.location(f, call.inst);
    return out + fmt::format("; the last call that does is {} at {}",
                             calleeName(program_, f.code[call.inst]),
                             shortPlace(program_.files[where.file], where.line));
  }
  case Means::Passes: return fmt::format("the path does not pass {}", at);
  }
  return "";
}

} // namespace fathom::confirm
