// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points-to analysis looks at the program's own code, and at what of libc has no summary. Other
// code of libc calls what own code gave it: in a call whose summary says so (qsort), or in any call
// at all (exit calls what atexit kept). A file's functions are libc's, unless the program has
// fopencookie.
//
// The environment model calls own code in two cases only: a thread begins, and a signal is handled.
// All its system calls are one function to the call graph, so what they call is said of the
// functions of libc that ask for these two, and not of the model.
#include "confirm/Pointees.h"

#include "confirm/Writes.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace fathom::confirm {

using namespace statics;

namespace {

/// Functions in which signal handlers run: they send a signal, or let in one that was blocked.
constexpr std::string_view kRaisers[] = {
    "abort",   "alarm",    "epoll_pwait",     "kill",         "killpg",      "pause",
    "ppoll",   "pselect",  "pthread_sigmask", "pthread_kill", "raise",       "setitimer",
    "sigwait", "sigpause", "sigprocmask",     "sigqueue",     "sigrelse",    "sigsuspend",
    "syscall", "tgkill",   "tkill",           "siglongjmp",   "sigtimedwait"};
/// A program with one of these can have handlers run in any system call: a timer rings, or the
/// other end of a pipe is closed. syscall can ask for either.
constexpr std::string_view kAnywhere[] = {"alarm",      "pipe",    "pipe2",        "setitimer",
                                          "socketpair", "syscall", "timer_settime"};
/// Functions that begin threads.
constexpr std::string_view kCreators[] = {"clone", "pthread_create", "thrd_create"};

/// Functions of libc that call through pointers, but a file's only.
constexpr std::string_view kOfFiles[] = {"__fclose_ca",
                                         "__fseeko_unlocked",
                                         "__ftello_unlocked",
                                         "__fwritex",
                                         "__overflow",
                                         "__stdio_exit",
                                         "__toread",
                                         "__towrite",
                                         "__uflow",
                                         "close_file",
                                         "fclose",
                                         "fflush",
                                         "fflush_unlocked",
                                         "fread",
                                         "fread_unlocked",
                                         "freopen",
                                         "fwrite",
                                         "fwrite_unlocked",
                                         "vfprintf",
                                         "vfwprintf"};

bool callsThroughPointers(const program::FunctionCode &f) {
  return std::ranges::any_of(
      f.code, [](const program::Inst &i) { return i.op == program::Op::CallIndirect; });
}

class Finder {
public:
  Finder(const program::Program &program, const PointsTo &pts)
      : program_(program), pts_(pts), facts_(pts.facts) {
    out_.isKnown.resize(program.functions.size());
    out_.of.resize(program.functions.size());
  }

  Pointees run() {
    for (uint32_t c = 0; c < facts_.calls.size(); ++c) addCall(c);
    makeSet(given_);
    for (FunctionId f = 0; f < facts_.functions.size(); ++f) {
      const uint32_t function = idOf(f);
      if (function != program::kNoIndex)
        out_.isKnown[function] =
            pts_.isReached(f) && facts_.functions[f].hasBody && !facts_.functions[f].summary;
    }
    for (const uint32_t function : leadsElsewhere_) out_.isKnown[function] = false;
    const bool hasCookies = program_.find("fopencookie");
    const bool runsHandlersAnywhere = std::ranges::any_of(
        kAnywhere, [&](std::string_view name) { return program_.find(std::string(name)); });
    for (const program::FunctionCode &f : program_.functions) {
      if (!f.isModel && (f.own || out_.isKnown[f.id])) continue;
      out_.isKnown[f.id] = true;
      const bool isOfFiles =
          !hasCookies && std::ranges::find(kOfFiles, f.name) != std::end(kOfFiles);
      if (f.isModel && runsHandlersAnywhere) addTo(f, handlers_);
      if (!f.isModel && callsThroughPointers(f) && !isOfFiles) out_.of[f.id] = given_;
    }
    for (std::string_view raiser : kRaisers)
      if (const auto *f = program_.find(std::string(raiser))) addTo(*f, handlers_);
    for (std::string_view creator : kCreators)
      if (const auto *f = program_.find(std::string(creator))) addTo(*f, given_);
    for (std::vector<uint32_t> &all : out_.of) makeSet(all);
    return std::move(out_);
  }

private:
  void addTo(const program::FunctionCode &f, const std::vector<uint32_t> &callees) {
    out_.of[f.id].insert(out_.of[f.id].end(), callees.begin(), callees.end());
    out_.isKnown[f.id] = true;
  }

  uint32_t idOf(FunctionId f) const {
    const auto at = program_.functionIndex.find(facts_.functions[f].name);
    return at == program_.functionIndex.end() ? program::kNoIndex : at->second;
  }

  void addCall(uint32_t c) {
    const CallSite &site = facts_.calls[c];
    const FunctionId caller = facts_.functionOf(facts_.statements[site.statement]);
    const Summary *summary = site.summary;
    if (!summary && site.callee != kNone) summary = facts_.functions[site.callee].summary;
    const bool isGiven = summary && (summary->calls >= 0 || summary->callsContents);
    if (facts_.functions[caller].isOwn) addOperands(c, isGiven);
    if (site.target == kNone && !isGiven) return;
    const uint32_t from = idOf(caller);
    // The program never stores a function in this variable; users of a library may.
    if (facts_.functions[caller].isOwn && site.target != kNone && from != program::kNoIndex &&
        pts_.callees(c).empty())
      leadsElsewhere_.insert(from);
    for (FunctionId callee : pts_.callees(c)) {
      const uint32_t to = idOf(callee);
      if (to == program::kNoIndex) {
        if (facts_.functions[caller].isOwn && from != program::kNoIndex)
          leadsElsewhere_.insert(from);
        continue;
      }
      if (from != program::kNoIndex && !(summary && summary->callsContents))
        out_.of[from].push_back(to);
      if (isGiven) (summary->callsContents ? handlers_ : given_).push_back(to);
    }
  }

  /// Adds the pointers that own code passes to code that is not its own.
  void addOperands(uint32_t call, bool isGiven) {
    const CallSite &site = facts_.calls[call];
    const Statement &s = facts_.statements[site.statement];
    const FunctionId caller = facts_.functionOf(s);
    if (site.callee != kNone && facts_.functions[site.callee].isOwn) return;
    // The analysis saw no call of the function: what its variables hold is unknown.
    if (isGiven && !pts_.isReached(caller)) addTaken();
    for (const ValueId operand : facts_.operandsOf(s)) {
      const Value &value = facts_.values[operand];
      if (value.function == kNone && value.address != kNone)
        addObject(facts_.addresses[value.address].object);
      else if (value.mayPoint)
        pts_.of(operand).forEach([&](LocationId l) { addObject(pts_.locations.objectOf(l)); });
    }
  }

  void addObject(ObjectId object) {
    const Object &o = pts_.objects[object];
    if (o.kind != ObjectKind::Function) return;
    const uint32_t function = idOf(o.function);
    if (function != program::kNoIndex) given_.push_back(function);
  }

  void addTaken() {
    for (const program::FunctionCode &f : program_.functions)
      if (f.own && f.addressTaken) given_.push_back(f.id);
  }

  const program::Program &program_;
  const PointsTo &pts_;
  const Facts &facts_;
  Pointees out_;
  std::vector<uint32_t> given_, handlers_;
  /// Their calls through pointers may call what is no function of the program (free, or what its
  /// users give).
  std::set<uint32_t> leadsElsewhere_;
};

} // namespace

Pointees findPointees(const program::Program &program, const PointsTo &pts) {
  return Finder(program, pts).run();
}

} // namespace fathom::confirm
