// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Callers.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

using namespace explore;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// A search that has less does not come far enough to be worth its start.
static constexpr milliseconds kLeastTime{100};

std::string whyNotRuledOut(const Defect &defect) {
  if (defect.steps.empty())
    return "no path shows it, but the report does not say where the defect begins, and what "
           "callers did before is unknown";
  using enum BugKind;
  for (BugKind kind : defect.kinds)
    if (kind != UseAfterFree && kind != DoubleFree && kind != NullDereference &&
        kind != DivisionByZero)
      return "no path shows it, but the size and contents of the callers' objects are unknown";
  return "";
}

struct Callers::Climbing {
  const DefectSearch &search;
  Clock::time_point end;
  Climb result;

  milliseconds left() const { return std::chrono::duration_cast<milliseconds>(end - Clock::now()); }
  /// One caller of many does not get all.
  milliseconds share() const { return std::max(left() / 2, std::min(left(), kLeastTime * 2)); }
  void stop(std::string why) {
    if (result.why.empty()) result.why = std::move(why);
  }
};

bool Callers::findInput(uint32_t main, Climbing &climbing) const {
  if (options_.input.empty() || climbing.left() < kLeastTime) return false;
  Search search =
      climbing.search.from({&program_.functions[main], EntryMemory::Objects}, climbing.share());
  climbing.result.paths += search.paths;
  if (!search.bug) return false;
  climbing.result.bug = std::move(search.bug);
  climbing.result.reached = main;
  climbing.result.hasInput = true;
  return true;
}

Callers::Answer Callers::judge(uint32_t caller, Climbing &climbing) const {
  const program::FunctionCode &f = program_.functions[caller];
  for (EntryMemory memory : {EntryMemory::Lazy, EntryMemory::LazyAliased}) {
    if (climbing.left() < kLeastTime) {
      climbing.stop("the time for callers ran out (--callers-time)");
      return Answer::NotKnown;
    }
    Search search = climbing.search.from({&f, memory}, climbing.share());
    climbing.result.paths += search.paths;
    if (search.bug) {
      climbing.result.bug = std::move(search.bug);
      climbing.result.reached = caller;
      return Answer::Shows;
    }
    if (!search.isExhausted) {
      climbing.stop(fmt::format(
          "from {}: {}", f.name,
          search.cut == Cut::Time ? "the time for callers ran out (--callers-time)" : search.why));
      return Answer::NotKnown;
    }
    if (!search.assumes) break;
    if (std::string why = whyNotRuledOut(climbing.search.defect()); !why.empty()) {
      climbing.stop(fmt::format("from {}: {}", f.name, why));
      return Answer::NotKnown;
    }
  }
  if (!climbing.search.readsInput(caller)) return Answer::Never;
  climbing.stop(
      fmt::format("from {}: the contents of files and standard input were not explored", f.name));
  return Answer::NotKnown;
}

Climb Callers::climb(uint32_t function, const DefectSearch &search, milliseconds time) const {
  Climbing climbing{search, Clock::now() + time, {}};
  Climb &result = climbing.result;
  result.reached = function;
  std::vector<bool> judged(program_.functions.size());
  judged[function] = true;
  std::vector<uint32_t> shown{function}; // their callers are next; the last one first
  bool anyCaller = false;
  while (!shown.empty()) {
    const uint32_t at = shown.back();
    const program::FunctionCode &f = program_.functions[at];
    shown.pop_back();
    if (f.name == "main") {
      if (findInput(at, climbing)) return std::move(result);
      climbing.stop(options_.input.empty() ? "no input was looked for"
                                           : "no input of the given form shows it");
      continue;
    }
    std::vector<uint32_t> callers;
    for (uint32_t caller : calls_.callersOf(at))
      if (program_.functions[caller].own)
        callers.push_back(caller);
      else
        climbing.stop(fmt::format("{} is called from libc", f.name));
    if (callers.empty()) climbing.stop(fmt::format("nothing in the program calls {}", f.name));
    // What is pushed last is followed first.
    std::ranges::sort(callers, std::greater{},
                      [&](uint32_t c) { return std::pair(calls_.callsFromMain(c), c); });
    for (uint32_t caller : callers) {
      if (judged[caller]) continue;
      judged[caller] = anyCaller = true;
      if (program_.functions[caller].name == "main" && findInput(caller, climbing))
        return std::move(result);
      if (judge(caller, climbing) == Answer::Shows) shown.push_back(caller);
    }
  }
  result.isInfeasible = anyCaller && result.why.empty();
  return std::move(result);
}

} // namespace fathom::confirm
