// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/BugReports.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/ShowBug.h"
#include "explore/decide/StackHash.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/TestBuilder.h"
#include "explore/external/Symcretes.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace fathom::explore {

using evidence::BugKind;
using evidence::LedgerCategory;

/// The number of stacks that have a report for one place. The place may be in a helper with very
/// many callers.
static constexpr size_t kMaxStacksOfPlace = 16;

BugKey BugReports::bugKey(const State &s, BugKind kind, const ObjectState *object) {
  BugKey key{kind, kHashSeed, kHashSeed};
  uint64_t unused = 0;
  if (object && object->info->stack == CallStacks::kUnknown &&
      stepContext_.noted.insert(object->base()).second)
    ledger_.add(LedgerCategory::BoundStacks, places_.where(s),
                fmt::format("more than {} call stacks allocate: the callers of this object's "
                            "allocation were not recorded",
                            CallStacks::kMaxStacks));
  if (kind == BugKind::Leak && object) { // the path's end says nothing of it
    if (!places_.stacks.sites(object->info->stack).empty())
      places_.mixSites(places_.stacks.sites(object->info->stack), key.place, key.stack);
    else
      mix(key.stack, key.place = (uint64_t(object->info->function) << 32) | object->info->inst);
    return key;
  }
  std::vector<CallSite> sites = places_.sitesOf(s);
  // Where the stack is full depends on its frames' sizes: all turns of a recursion are one.
  if (kind == BugKind::StackOverflow)
    std::sort(sites.begin(), sites.end(), [](const CallSite &a, const CallSite &b) {
      return std::tie(a.function, a.at) < std::tie(b.function, b.at);
    });
  places_.mixSites(sites, key.place, key.stack);
  if (object && !places_.stacks.sites(object->info->stack).empty())
    places_.mixSites(places_.stacks.sites(object->info->stack), unused, key.stack);
  else if (object && object->info->function != ~0u)
    mix(key.stack, (uint64_t(object->info->function) << 32) | object->info->inst);
  return key;
}

bool BugReports::isReported(const State &s, const BugKey &key) {
  auto known = reported_.find({key.kind, key.place});
  if (known == reported_.end()) return false;
  if (known->second.contains(key.stack)) return true;
  if (known->second.size() < kMaxStacksOfPlace) return false;
  if (!stepContext_.noted.insert(key.stack).second) return true;
  ledger_.add(
      LedgerCategory::BoundStacks, places_.where(s),
      fmt::format("{}: {} call stacks that end here are reported; further ones are not told "
                  "apart",
                  name(key.kind), kMaxStacksOfPlace));
  return true;
}

/// Where the object was allocated, and where it was freed, each with its callers.
void BugReports::addAllocation(Bug &bug, const ObjectState &object) const {
  addRelated(bug, kAllocatedIn, {object.info->function, object.info->inst, object.info->stack});
  if (object.freed && object.freeFunction != ~0u)
    addRelated(bug, kFreedIn, {object.freeFunction, object.freeInst, object.freeStack});
}

void BugReports::addRelated(Bug &bug, const char *what, const Memory::AllocSite &at) const {
  std::vector<evidence::StackFrame> frames =
      places_.framesOf(places_.stacks.sites(at.stack), /*ownOnly=*/true);
  if (frames.empty()) frames.push_back(places_.frameAt(at.function, at.inst));
  for (evidence::StackFrame &frame : frames) {
    frame.function = std::exchange(what, "called from") + (" " + frame.function);
    bug.related.push_back(std::move(frame));
  }
}

void BugReports::report(State &s, BugKind kind, const std::string &message,
                        std::shared_ptr<const expr::Model> model, const ObjectState *object,
                        ExprPtr condition, bool pathGoesOn, std::vector<uint64_t> sources,
                        uint64_t way) {
  if (LogFollower::isFollowed(s)) return; // the run that wrote the log has reported it
  if (!isWanted(kind)) return noteEarlier(s, kind, message, object, pathGoesOn);
  const BugKey key = bugKey(s, kind, object);
  const bool known = isReported(s, key);
  if (known && !options_.allBugInputs && (pathGoesOn || options_.onlyNewCoverage)) return;
  if (known && s.hasExact) { // an input, where there is one: nothing is lost without
    auto settled = std::make_shared<expr::Model>(*model);
    if (!symcretes_.agrees(s, condition, *settled)) return;
    model = std::move(settled);
  } else if (known && s.guessesResults) {
    // Each takes as long as the path did.
    if (!options_.allBugInputs && !std::has_single_bit(++metAgain_[{key.stack, kind}])) return;
    if (!showBug_.showsBug(s, key, *model)) return;
  } else if (!known) {
    if (!confirmBug(s, key, message, condition, model)) return;
    reported_[{kind, key.place}].insert(key.stack);
  }
  Bug bug;
  bug.kind = kind;
  bug.message = message;
  if (!known) bug.sources = std::move(sources);
  bug.pathGoesOn = pathGoesOn;
  bug.beyondBound = known && !reported_[{kind, key.place}].contains(key.stack);
  if (kind == BugKind::Leak && object) {
    bug.stack = places_.framesOf(places_.stacks.sites(object->info->stack), /*ownOnly=*/false);
    if (bug.stack.empty() && object->info->function != ~0u)
      bug.stack.push_back(places_.frameAt(object->info->function, object->info->inst));
  } else {
    bug.stack = places_.stackOf(s);
    for (const Memory::AllocSite *at : s.failedAt.items()) addRelated(bug, kFailsIn, *at);
    if (object && object->info->function != ~0u) addAllocation(bug, *object);
  }
  if (options_.wantsBug && !options_.wantsBug(bug))
    return noteEarlier(s, kind, message, object, pathGoesOn);
  bug.test = tests_.buildTest(s, *model, EndKind::Bug, 0, std::string("bug: ") + name(kind));
  tests_.traceInput(s, bug.test);
  if (options_.smtLib) bug.test.smtLib = tests_.pathAsSmtLib(s, s.path, condition, *model);
  mix(bug.test.path, static_cast<uint64_t>(kind));
  mix(bug.test.path, key.stack);
  // A path can meet the same bug often, on inputs of which each is another one: it goes on with
  // those for which all is well, and that is no decision. How far it has come tells them apart, and
  // does not depend on what was asked when.
  mix(bug.test.path, s.instructions);
  mix(bug.test.path, way);
  ++(known ? stats_.tests : stats_.bugs);
  stats_.bugTests += known;
  if (!sink_.onBug(bug)) stepContext_.sinkFailed = true;
  stepContext_.hasLastBug |= options_.endsWith && options_.endsWith(&bug, {});
}

bool BugReports::isOfAliases(const ObjectState *object) const {
  return object && object->freed && object->info->assumed &&
         options_.entryMemory == EntryMemory::LazyAliased;
}

void BugReports::noteEarlier(const State &s, BugKind kind, const std::string &message,
                             const ObjectState *object, bool pathGoesOn) {
  if (!options_.notesEarlierBugs || pathGoesOn || !evidence::rowOf(kind).mayContinueAfter) return;
  if (isOfAliases(object)) return;
  ledger_.add(LedgerCategory::EarlierBug, places_.where(s),
              fmt::format("a path ends by an earlier defect, {}: {}", name(kind), message));
}

void BugReports::reportFollowing(State &s, BugKind kind, const std::string &message,
                                 const expr::Model &model, std::vector<uint64_t> sources) {
  if (s.hasExact || s.guessesResults) return; // no input shows it without more ado
  Bug bug;
  bug.kind = kind;
  bug.message = message;
  bug.sources = std::move(sources);
  bug.pathGoesOn = true;
  bug.stack = places_.stackOf(s);
  bug.test = tests_.buildTest(s, model, EndKind::Bug, 0, std::string("bug: ") + name(kind));
  if (!sink_.onBug(bug)) stepContext_.sinkFailed = true;
}

bool BugReports::confirmBug(State &s, const BugKey &key, const std::string &message,
                            ExprPtr condition, std::shared_ptr<const expr::Model> &model) {
  if (!s.hasExact && !s.guessesResults) return true;
  if (s.hasExact) {
    auto settled = std::make_shared<expr::Model>(*model);
    if (symcretes_.agrees(s, condition, *settled)) {
      model = std::move(settled);
      return true;
    }
  }
  Unconfirmed &tried = unconfirmed_[{key.stack, key.kind}];
  if (tried.message.empty()) tried.message = message;
  if (std::has_single_bit(++tried.times)) {
    bool lessTime = false;
    const Feasible answer = s.hasExact ? symcretes_.takesPath(s, condition, ~0u, model, lessTime)
                            : showBug_.showsBug(s, key, *model) ? Feasible::Yes
                                                                : Feasible::Unknown;
    if (answer == Feasible::Yes) return true;
    if (answer == Feasible::Unknown && stepContext_.cutShort(s, lessTime)) {
      tried.times--; // this event is begun again
      return false;
    }
  }
  ledger_.add(LedgerCategory::BugUnconfirmed, places_.where(s),
              fmt::format("{}: {}: {}", name(key.kind), tried.message,
                          s.hasExact
                              ? "no input was found that takes such a path with the results "
                                "that external functions give for it"
                              : "run on the input of its path, with the results that "
                                "external functions give for it, the program does not show it"));
  return false;
}

bool BugReports::isWanted(BugKind kind) const {
  return options_.bugKinds.empty() ||
         std::ranges::find(options_.bugKinds, kind) != options_.bugKinds.end();
}

bool BugReports::hasReported(const BugKey &key) const {
  auto found = reported_.find({key.kind, key.place});
  return found != reported_.end() && found->second.contains(key.stack);
}

} // namespace fathom::explore
