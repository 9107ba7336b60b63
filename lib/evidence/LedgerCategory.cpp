// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/LedgerCategory.h"

#include <algorithm>
#include <iterator>

namespace fathom::evidence {

namespace {

using enum LedgerCategory;

constexpr LedgerCategoryRow ofConfirm(LedgerCategory category, const char *name) {
  return {.category = category, .name = name, .sentence = nullptr, .isOfConfirm = true};
}

constexpr LedgerCategoryRow kCategories[] = {
    {AllocationFailure, "allocation-failure", "an assumption: every allocation succeeds",
     /*isAssumption=*/true},
    {AssumedFeasible, "assumed-feasible",
     "a path ended without a query, because it covers nothing new and a campaign makes it "
     "probable"},
    {AssumedInfeasible, "assumed-infeasible",
     "Fathom did not explore a branch side, because a campaign makes it improbable"},
    {AssumedMemory, "assumed-memory",
     "a pointer of the callers was assumed to be valid (`--entry-memory lazy`)"},
    {AssumedOutside, "assumed-outside",
     "the path wrote or freed memory, or met many pointers of the callers, and none of these was "
     "assumed to lead into the middle of an object (`--entry-memory lazy`)"},
    {BoundDepth, "bound-depth",
     "a path, or the other side of a branch, was cut off (`--max-depth`)"},
    {BoundForks, "bound-forks", "the other side of a branch was not explored (`--max-forks`)"},
    {BoundLoop, "bound-loop",
     "a path could have left a loop, and did not (`fathom confirm --loop-bound`)"},
    ofConfirm(BoundLoopAsks, "bound-loop-asks"),
    {BoundSeeds, "bound-seeds", "paths that no seed takes were not explored (`--only-seeds`)"},
    {BoundSize, "bound-size",
     "the size of an input or of an object was limited (`--entry`, `--fuzz-size`), or address "
     "space was short"},
    {BoundStacks, "bound-stacks",
     "one place already has 16 reports, or so many call stacks allocate memory that Fathom did not "
     "record further ones; it does not tell further bugs apart"},
    {BugUnconfirmed, "bug-unconfirmed", "a path led into a bug, but no input showed it"},
    {ConcretizedValue, "concretized-value",
     "a size, a long double, a far offset or the name of a file of this machine depends on the "
     "input "
     "and got one of its possible values; Fathom misses paths with the others. It explores all "
     "sizes "
     "of up to 64 bytes; the entry says which larger ones it explored"},
    {CrowdedMemory, "crowded-memory",
     "address space was short: objects could not be kept far apart"},
    ofConfirm(DeadEnd, "dead-end"),
    ofConfirm(Decides, "decides"),
    {DroppedState, "dropped-state",
     "these paths were not finished: the budget ended, or a worker process did"},
    {DroppedTest, "dropped-test", "Fathom explored the path but did not write its test"},
    {EarlierBug, "earlier-bug",
     "a path ended by a bug of a kind that was not asked for (`fathom confirm`)"},
    {Environment, "environment", "the program asked the system for something that is not modelled"},
    {EvictedState, "evicted-state", "memory was short: Fathom gave up states that did not fit"},
    {ExternalArgument, "external-argument",
     "a result of an external function may not fit its arguments"},
    {ExternalCall, "external-call", "the program used a function without code"},
    {ExternalDisagreement, "external-disagreement",
     "an external function gave two results for one input"},
    {ExternalFault, "external-fault", "an external function failed"},
    {ExternalState, "external-state",
     "Fathom called an external function without the calls before it"},
    {Harness, "harness", "a harness asked for something that Fathom does not do"},
    ofConfirm(LeftOut, "left-out"),
    ofConfirm(LeftOutMatters, "left-out-matters"),
    {MergedTest, "merged-test",
     "the branch trace of a merged path's test is unknown, because time ran out"},
    ofConfirm(MissedSource, "missed-source"),
    {MissingFile, "missing-file",
     "an assumption: this file or folder, for which the program asked, does not exist. The 64 "
     "names "
     "that come first by alphabet have entries, the others are counted at each place",
     /*isAssumption=*/true},
    {Network, "network", "the program used sockets: the model has none"},
    {OpenSide, "open-side", "the budget ended before these branch sides were checked"},
    ofConfirm(OutsideAnswer, "outside-answer"),
    {Process, "process", "the program used processes: the model has none"},
    {SolverTimeout, "solver-timeout",
     "Fathom did not explore a branch side, because the solver ran out of time"},
    {SolverUnknown, "solver-unknown",
     "Fathom did not explore a branch side, because the solver could not decide whether it is "
     "feasible"},
    ofConfirm(SpeaksOf, "speaks-of"),
    ofConfirm(SpeaksOfSink, "speaks-of-sink"),
    {Threads, "threads", "the program used threads: Fathom explores one schedule"},
    {UnsupportedInstruction, "unsupported-instruction",
     "the program used assembly, or an instruction, that Fathom does not execute"},
};
static_assert(std::size(kCategories) == kLedgerCategories);

constexpr bool areCategoriesInOrder() {
  for (size_t i = 0; i < kLedgerCategories; ++i)
    if (kCategories[i].category != static_cast<LedgerCategory>(i) ||
        (i && std::string_view(kCategories[i - 1].name) >= kCategories[i].name))
      return false;
  return true;
}
static_assert(areCategoriesInOrder(), "rows stand in the order of LedgerCategory and of names");

} // namespace

std::span<const LedgerCategoryRow> ledgerCategoryRows() { return kCategories; }
const LedgerCategoryRow &rowOf(LedgerCategory category) {
  return kCategories[static_cast<size_t>(category)];
}

std::optional<LedgerCategory> ledgerCategoryFromName(std::string_view name) {
  for (const LedgerCategoryRow &row : kCategories)
    if (!row.isOfConfirm && name == row.name) return row.category;
  return std::nullopt;
}

} // namespace fathom::evidence
