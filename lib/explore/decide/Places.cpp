// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Places.h"

#include "explore/decide/StackHash.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fathom::explore {

using evidence::StackFrame;

using namespace program;

/// What the source calls an object: a variable's name; "": nothing. A local variable's is that of
/// the instruction that made it, since objects of calls are too many to keep one each.
static std::string sourceNameOf(const Program &program, const ObjectInfo &object) {
  if (!object.name.empty() || object.kind != ObjectKind::Stack ||
      object.function >= program.functions.size())
    return object.name;
  const FunctionCode &f = program.functions[object.function];
  if (object.inst >= f.code.size()) return "";
  const Inst &made = f.code[object.inst];
  const bool isLocal = made.op == Op::Alloca || made.op == Op::AllocaDyn;
  return isLocal && made.d < f.allocas.size() ? f.allocas[made.d].name : "";
}

std::string quotedName(const Program &program, const ObjectInfo &object) {
  const std::string called = sourceNameOf(program, object);
  return called.empty() ? "" : " '" + called + "'";
}

StackFrame Places::frameAt(uint32_t function, uint32_t inst) const {
  const FunctionCode &f = program_.functions[function];
  StackFrame out;
  out.function = f.shownName;
  out.own = f.own;
  out.isThinWrapper = f.isThinWrapper;
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

/// Functions that start programs and threads say nothing to readers. With --entry, the function in
/// main's place is not in the source.
static bool isEntry(const FunctionCode &f, const ExploreOptions &options) {
  return f.name == "__fathom_entry" || f.name == "_start_c" || f.name == "__fathom_threadMain" ||
         (f.name == "main" && ExecutableCode::replacesMain(options));
}

std::vector<StackFrame> Places::stackOf(const State &s) const { return stackOf(s.top, s.ip); }

std::vector<StackFrame> Places::stackOf(const Frame *top, const Inst *at) const {
  std::vector<StackFrame> out;
  for (const Frame *f = top; f; f = f->parent) {
    if (!isEntry(program_.functions[f->function], options_))
      out.push_back(
          frameAt(f->function, static_cast<uint32_t>(at - interpreter_.code.codeOf(f->function))));
    if (f->parent) at = f->parent->resume - 1;
    if (out.size() >= 200) break;
  }
  return out;
}

std::string Places::where(const State &s) const {
  if (!s.top) return "";
  const std::vector<StackFrame> stack = stackOf(s);
  for (const StackFrame &f : stack)
    if (f.own && f.line) return fmt::format("{}:{} in {}", f.file, f.line, f.function);
  const auto own = std::ranges::find_if(stack, &StackFrame::own);
  if (own != stack.end()) return "in " + own->function;
  const FunctionCode *main = program_.find("main");
  for (const Frame *f = s.top; main && f; f = f->parent)
    if (f->function == main->id) return "in main";
  return "in the environment model";
}

std::vector<StackFrame> Places::framesOf(std::span<const CallSite> sites, bool ownOnly) const {
  std::vector<StackFrame> out;
  for (const CallSite &site : sites) {
    const FunctionCode &f = program_.functions[site.function];
    if ((ownOnly && !f.own) || isEntry(f, options_)) continue;
    out.push_back(frameAt(
        site.function, static_cast<uint32_t>(site.at - interpreter_.code.codeOf(site.function))));
  }
  return out;
}

/// Adds the calls of own code to the stack, and the innermost to the place; where none is, all.
void Places::mixSites(std::span<const CallSite> sites, uint64_t &place, uint64_t &stack) const {
  auto isOwn = [&](const CallSite &site) { return program_.functions[site.function].own; };
  const bool all = std::none_of(sites.begin(), sites.end(), isOwn);
  bool first = true;
  const CallSite *callee = nullptr;
  for (const CallSite &site : sites) {
    if (!all && !isOwn(site)) continue;
    // By which of its calls a function comes to itself says as little as how often.
    const CallSite *inner = std::exchange(callee, &site);
    if (inner && inner->function == site.function) continue;
    const uint64_t what = uint64_t(site.function) << 32 |
                          static_cast<uint64_t>(site.at - interpreter_.code.codeOf(site.function));
    if (std::exchange(first, false)) mix(place, what);
    mix(stack, what);
  }
}

std::vector<CallSite> Places::sitesOf(const State &s) {
  const uint32_t number = stacks.intern(s.top, s.ip);
  if (number == CallStacks::kUnknown) return CallStacks::distinctSites(s.top, s.ip);
  const std::span<const CallSite> sites = stacks.sites(number);
  return {sites.begin(), sites.end()};
}

uint64_t Places::stackKey(const State &s) {
  uint64_t place = kHashSeed, stack = kHashSeed;
  mixSites(sitesOf(s), place, stack);
  return stack;
}

} // namespace fathom::explore
