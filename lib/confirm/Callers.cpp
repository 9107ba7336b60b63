// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Callers.h"

#include "evidence/BugKind.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

using namespace explore;
using solver::Clock;
using std::chrono::milliseconds;

std::string whyNotRuledOut(const Defect &defect) {
  if (defect.steps.empty())
    return "no path shows it, but the report does not say where the defect begins, and what "
           "callers did before is unknown";
  using enum evidence::BugKind;
  for (evidence::BugKind kind : defect.kinds)
    if (kind != UseAfterFree && kind != DoubleFree && kind != NullDereference &&
        kind != DivisionByZero)
      return "no path shows it, but the size and contents of the callers' objects are unknown";
  return "";
}

std::string noneShows(uint64_t paths, const std::string &from) {
  if (paths == 0) return fmt::format("no path {} shows it", from); // all ended before its end
  if (paths == 1) return fmt::format("the only path {} does not show it", from);
  return fmt::format("none of the {} paths {} shows it", grouped(static_cast<double>(paths)), from);
}

static const char *const kCallersOver = "the time for callers ran out (--callers-time)";

struct Callers::Climbing {
  const DefectSearch &search;
  Clock::time_point end;
  Climb result{};
  bool knowsInputs = false;        ///< none of those that are described shows it
  std::string inputs{};            ///< what the search from main with an input came to
  bool isAlone = false;            ///< nothing comes after the search from main
  std::string over = kCallersOver; ///< what is said when the time is over

  milliseconds left() const { return std::chrono::duration_cast<milliseconds>(end - Clock::now()); }
  /// One caller of many does not get all.
  milliseconds share() const {
    return isAlone ? left() : std::max(left() / 2, std::min(left(), kLeastSearch * 2));
  }
  void stop(std::string why) {
    if (result.why.empty()) result.why = std::move(why);
  }
};

/// As the options describe it; what they leave out is empty.
static std::string inputText(const std::vector<std::string> &input) {
  std::string text;
  for (size_t i = 1; i < input.size(); ++i) text += (i > 1 ? " " : "") + input[i];
  return text.empty() ? "without arguments" : "with " + text;
}

bool Callers::findInput(uint32_t main, Climbing &climbing) const {
  if (climbing.knowsInputs) return false;
  if (options_.inputs.empty()) climbing.inputs = "no input was looked for";
  bool areExhausted = !options_.inputs.empty();
  for (size_t i = 0; i < options_.inputs.size(); ++i) {
    const std::vector<std::string> &input = options_.inputs[i];
    if (climbing.left() < kLeastSearch) {
      if (climbing.inputs.empty()) climbing.inputs = climbing.over;
      climbing.result.isShort = true;
      return false;
    }
    // What the ones before did not need is left for this one.
    const auto parts = static_cast<int64_t>(options_.inputs.size() - i);
    const milliseconds time = std::max(climbing.share() / parts, kLeastSearch);
    Search search =
        climbing.search.from({&program_.functions[main], EntryMemory::Objects, &input}, time);
    climbing.result.paths += search.paths;
    if (!search.bug) {
      areExhausted &= search.isExhausted;
      climbing.result.isShort |= search.isShort;
      const std::string from = "from main " + inputText(input);
      climbing.inputs = search.isExhausted        ? noneShows(search.paths, from)
                        : search.cut == Cut::Time ? fmt::format("{}: {}", from, climbing.over)
                                                  : fmt::format("{}: {}", from, search.why);
      continue;
    }
    climbing.result.show(std::move(search.bug), std::move(search.uses), main, EntryMemory::Objects,
                         /*hasAssumed=*/false);
    return true;
  }
  climbing.knowsInputs = areExhausted;
  return false;
}

Callers::Answer Callers::judge(uint32_t caller, Climbing &climbing) const {
  const program::FunctionCode &f = program_.functions[caller];
  bool dependsOnEarlier = false, putsBack = false, assumesOutside = false;
  for (EntryMemory memory : {EntryMemory::Lazy, EntryMemory::LazyAliased}) {
    if (climbing.left() < kLeastSearch) {
      climbing.stop(climbing.over);
      climbing.result.isShort = true;
      return Answer::NotKnown;
    }
    Search search = climbing.search.from({&f, memory}, climbing.share());
    climbing.result.paths += search.paths;
    if (search.bug) {
      climbing.result.show(std::move(search.bug), std::move(search.uses), caller, memory,
                           search.assumes);
      return Answer::Shows;
    }
    if (!search.isExhausted) {
      climbing.result.isShort |= search.isShort;
      climbing.stop(
          fmt::format("from {}: {}", f.name, search.cut == Cut::Time ? climbing.over : search.why));
      return Answer::NotKnown;
    }
    dependsOnEarlier |= search.missesSource || search.assumes;
    putsBack |= search.putsBack;
    assumesOutside |= search.assumesOutside;
    if (!search.assumes) break;
    if (std::string why = whyNotRuledOut(climbing.search.defect()); !why.empty()) {
      climbing.stop(fmt::format("from {}: {}", f.name, why));
      return Answer::NotKnown;
    }
  }
  if (!climbing.search.readsInput(caller, putsBack)) {
    // Its callers may know what pointers of unknown origin lead to.
    const bool mayOverlap = assumesOutside && !calls_.isMain(caller);
    if ((dependsOnEarlier && !calls_.runsOnce(caller)) || mayOverlap) return Answer::NotInOneRun;
    climbing.result.assumesOutside |= assumesOutside;
    return Answer::Never;
  }
  climbing.stop(fmt::format("from {}: {}", f.name, kEmptyInput));
  return Answer::NotKnown;
}

Climb Callers::fromMain(const DefectSearch &search, milliseconds time) const {
  Climbing climbing{search, Clock::now() + time};
  climbing.isAlone = true;
  if (options_.times.callers.count() > 0) climbing.over = search.time().over;
  const program::FunctionCode *main = calls_.main();
  if (!main)
    climbing.stop("there is no main to begin at with others");
  else if (!findInput(main->id, climbing))
    climbing.stop(climbing.inputs);
  return std::move(climbing.result);
}

Climb Callers::climb(uint32_t function, const DefectSearch &search, milliseconds time) const {
  Climbing climbing{search, Clock::now() + time};
  Climb &result = climbing.result;
  result.reached = function;
  std::vector<bool> judged(program_.functions.size());
  judged[function] = true;
  std::vector<uint32_t> open{function}; // their callers are next; the last one first
  bool anyCaller = false;
  while (!open.empty()) {
    const uint32_t at = open.back();
    const program::FunctionCode &f = program_.functions[at];
    open.pop_back();
    if (calls_.isMain(at)) {
      if (findInput(at, climbing)) return std::move(result);
      climbing.stop(climbing.inputs);
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
      if (calls_.isMain(caller) && findInput(caller, climbing)) return std::move(result);
      const Answer answer = judge(caller, climbing);
      if (answer == Answer::Shows || answer == Answer::NotInOneRun) open.push_back(caller);
    }
  }
  result.isInfeasible = anyCaller && result.why.empty();
  return std::move(result);
}

} // namespace fathom::confirm
