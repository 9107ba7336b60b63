// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergePolicy.h"

#include "explore/merge/HeaderJoin.h"
#include "explore/merge/RegionMerger.h"
#include "explore/merge/RegionRecord.h"
#include "program/CodeFlow.h"
#include "support/Check.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::explore {

namespace {
/// A loop is left that was explored so often, and of these regions not even one in so many came to
/// a merge: each is explored twice for nothing.
constexpr uint32_t kFewRegions = 16;

/// Rounds of a loop are no longer joined if in first explorations one after the other, with so many
/// states at the header, no two were the same: each costs as much as exploring the loop.
constexpr uint64_t kFruitless = 256;

/// No state is evicted while a loop is explored, so that may take such a part of the memory.
constexpr uint64_t kMemoryShare = 4;

/// A state that was joined and not merged has no log that leads to it. Is there one?
bool losesJoined(const Region &region, const State &root) {
  auto isLost = [&](const auto &state) { return state && HeaderJoin::wasJoined(*state, root); };
  return std::ranges::any_of(region.open(), isLost) ||
         std::ranges::any_of(region.leaves(),
                             [&](const RegionLeaf &leaf) { return isLost(leaf.state); });
}
} // namespace

std::vector<PointSite> MergePolicy::points(const program::Program &program) const {
  loops_ = MergeLoops(program, context_.options);
  return loops_.sites();
}

// --- where a state comes to a region, or out of it

Policy::Answer MergePolicy::at(Engine &engine, State &s) {
  const uint32_t function = s.top->function;
  const auto inst = static_cast<uint32_t>(s.ip - engine.interpreter.code.codeOf(function));
  const MergeSite &site = loops_.site(function, inst);
  if (inside_) {
    if (!hasArrived(s, inst, site)) return Answer::GoOn;
    engine.stepContext.hasArrived = true;
    return Answer::Again;
  }
  if (s.discarded || s.seeds || s.threads) return Answer::GoOn;
  if (site.mark == MergeMark::Open) {
    s.openMerges = 1;
    return enter(engine, s, site.opens);
  }
  if (site.enters == MergeLoop::kNone) return Answer::GoOn;
  if (context_.options.bySize && !s.lengths.size() && !s.counters.size()) return Answer::GoOn;
  if (StateJoin::whyApart(s, s)) return Answer::GoOn; // as are those that it would become
  return enter(engine, s, site.enters);
}

bool MergePolicy::hasArrived(State &s, uint32_t inst, const MergeSite &site) const {
  const MergeLoop &loop = loops_[inside_->loop];
  if (loop.isMarked) return leavesMarked(s, site.mark);
  const bool isHeader = inside_->joins && inst == loop.header;
  return s.top->serial == inside_->serial && s.top->function == loop.function &&
         (isHeader || loop.exits.contains(inst));
}

/// Within a region markers are counted: an inner pair is a part of the outer one, whose end is
/// where all are merged. A path that opens and never closes leaves the region with the function
/// that has both calls; if these are in different functions, a limit of the region ends it.
bool MergePolicy::leavesMarked(State &s, MergeMark mark) const {
  switch (mark) {
  case MergeMark::None: return false;
  case MergeMark::Open: s.openMerges++; return false;
  case MergeMark::Close: return s.openMerges == 0 || --s.openMerges == 0;
  case MergeMark::Leave:
    if (s.top->serial != inside_->serial) return false;
    s.openMerges = 0;
    return true;
  }
  return false;
}

Policy::Answer MergePolicy::enter(Engine &engine, State &s, uint32_t loop) {
  if (!s.replayedLog) {
    const MergeLoop &l = loops_[loop];
    if (seen_[loop].isTooLarge || isVain(engine, s, loop)) return Answer::GoOn;
    // Within a loop that may become a region, its inner loops are a part of it.
    if (l.outer != MergeLoop::kNone && !seen_[l.outer].isLeft()) return Answer::GoOn;
    return explore(engine, s, loop,
                   context_.options.joinsRounds() && seen_[loop].joins && !l.isMarked);
  }
  for (Explored how : {Explored::Plainly, Explored::WithJoins})
    if (s.replayedLog->isNext(Record::Region, regionRecord(s, loop, how)))
      return explore(engine, s, loop, how == Explored::WithJoins);
  if (s.replayedLog->isNext(Record::Region, regionRecord(s, loop, Explored::InVain)))
    engine.follower.replayed(s, Record::Region);
  return Answer::GoOn;
}

bool MergePolicy::isVain(Engine &engine, const State &s, uint32_t loop) {
  Seen &seen = seen_[loop];
  if (seen.isVain || loops_[loop].isMarked || !context_.options.asksForBenefit())
    return seen.isVain;
  std::string why;
  const MergeBenefit::Tally tally = context_.benefit.of(loop);
  if (context_.benefit.isVain(loop))
    why = fmt::format(
        "of what was merged, {} ways were told apart again, and {} paths stand for several",
        tally.alone, tally.shared);
  else if (seen.forked >= kFewRegions && seen.useful < seen.forked / kFewRegions)
    why = fmt::format("of {} executions that forked, {} were merged", seen.forked, seen.useful);
  if (why.empty()) return false;
  seen.isVain = true;
  if (context_.options.explains)
    fmt::print(stderr, "merge: {}: no longer merged: {}\n", engine.places.where(s), why);
  return true;
}

// --- a region

const llvm::BitVector &MergePolicy::steering(Engine &engine, uint32_t loop) {
  Seen &seen = seen_[loop];
  if (seen.steering) return *seen.steering;
  const program::Program &program = engine.services.program;
  const program::FunctionCode &f = program.functions[loops_[loop].function];
  const program::CodeFlow flow(f);
  auto here = std::ranges::find_if(flow.loops(), [&](const program::CodeLoop &l) {
    return flow.blocks()[l.header].first == loops_[loop].header;
  });
  FATHOM_CHECK(here != flow.loops().end(), "a merged loop has gone");
  return seen.steering.emplace(program::steeringSlots(program, f, flow, *here));
}

RegionLimits MergePolicy::limits(const Engine &engine) const {
  RegionLimits limits = context_.options.limits;
  limits.maxPageBytes = engine.services.options.maxMemoryBytes / kMemoryShare;
  return limits;
}

void MergePolicy::prepare(Engine &engine, Region &region, HeaderJoin &rounds, bool isTrial) const {
  const MergeLoop &loop = loops_[inside_->loop];
  if (inside_->joins)
    region.joinAt(engine.interpreter.code.codeOf(loop.function) + loop.header, rounds, isTrial);
  if (context_.options.leavesIrregular() && !loop.isMarked)
    region.askWhether(RegionMerger::looksRegular);
}

Region::Result MergePolicy::tryRounds(Engine &engine, const State &s, HeaderJoin &rounds) {
  Region trial(engine, s, limits(engine));
  prepare(engine, trial, rounds, /*isTrial=*/true);
  const Region::Result result = trial.explore();
  if (!LogFollower::isFollowed(s) && result != Region::Result::Stopped) {
    Seen &seen = seen_[inside_->loop];
    if (rounds.canJoin())
      seen.apart = 0;
    else if (trial.leaves().size() + trial.unfinished() > 1) // one state alone says nothing
      seen.apart += rounds.arrivals();
    seen.joins &= seen.apart < kFruitless;
  }
  rounds.restart();
  return result;
}

Region::Result MergePolicy::exploreWhole(Engine &engine, Region &region) {
  Region::Result result = region.explore();
  if (engine.stepContext.mustStop()) result = Region::Result::Stopped; // merging takes time, too
  if (result == Region::Result::Stopped && !engine.stepContext.sinkFailed)
    region.leaveTests("partial: the run ended within a loop that is merged");
  return result;
}

Policy::Answer MergePolicy::explore(Engine &engine, State &s, uint32_t loop, bool joins) {
  const llvm::BitVector none; // nothing waits at the header
  HeaderJoin rounds(engine, s, context_.join(engine), joins ? steering(engine, loop) : none);
  if (context_.options.checks && !LogFollower::isFollowed(s))
    rounds.tell([&](const State &into, const Merged &what) { context_.check(engine, into, what); });
  inside_ = {.loop = loop, .serial = s.top->serial, .joins = joins};
  Region::Result result = joins ? tryRounds(engine, s, rounds) : Region::Result::Whole;
  Region region(engine, s, limits(engine));
  region.logAs(regionRecord(s, loop, Explored::InVain));
  prepare(engine, region, rounds, /*isTrial=*/false);
  if (result != Region::Result::Stopped) result = exploreWhole(engine, region);
  inside_.reset();
  engine.interpreter.state = &s;
  engine.interpreter.memory.flushTlb();
  if (result == Region::Result::Stopped) { // the state is as it was, and will be here again
    engine.stepContext.cut = true;
    return Answer::Again;
  }
  const bool hasForked = region.leaves().size() + region.open().size() > 1;
  States merged;
  if (result == Region::Result::Whole) {
    const RegionMerger::Place place{loop, loops_[loop].isMarked, joins};
    merged = RegionMerger(engine, context_, s, region, place).merge();
  }
  Seen &seen = seen_[loop];
  if (!LogFollower::isFollowed(s)) {
    seen.forked += hasForked;
    seen.useful += !merged.empty();
  }
  if (joins && losesJoined(region, s)) {
    seen.joins = false;
    region.leaveTests(kMergedAway);
    return explore(engine, s, loop, /*joins=*/false);
  }
  if (!LogFollower::isFollowed(s)) tellJoins(engine, s, rounds);
  if (s.replayedLog) return follow(engine, s, merged);
  seen.isTooLarge = result == Region::Result::TooMany; // it would be so again
  return goOn(engine, s, region, merged);
}

void MergePolicy::tellJoins(Engine &engine, const State &s, const HeaderJoin &rounds) const {
  engine.services.stats.joinedRounds += rounds.joins();
  if (context_.options.explains && rounds.joins())
    fmt::print(stderr, "merge: {}: between rounds, {} of {} became part of another\n",
               engine.places.where(s), counted(rounds.joinedStates(), "state"), rounds.arrivals());
}

Policy::Answer MergePolicy::goOn(Engine &engine, State &s, Region &region, States &merged) {
  States all = std::move(merged);
  for (RegionLeaf &leaf : region.leaves())
    if (leaf.state) all.push_back(std::move(leaf.state));
  for (auto &state : region.open()) all.push_back(std::move(state));
  if (all.size() == 1 && region.isUneventful(*all[0])) all[0]->log = s.log;
  // The state becomes one of them; not one that waits, for it did not.
  auto next = std::ranges::find_if(all, [](const auto &state) { return !state->pending; });
  const bool goesOn = next != all.end();
  if (goesOn) {
    s.exchangeData(**next);
    all.erase(next);
  }
  for (auto &state : all) {
    state->forkedAt = ~uint64_t(0); // not from the state that had the turn
    engine.stepContext.step->ready += !state->pending;
    engine.stepContext.step->forked.push_back(std::move(state));
  }
  if (!goesOn) return Answer::Ended;
  engine.stepContext.hasArrived = true; // all of them go on from here, in turn
  return Answer::Again;
}

/// The log says which of the states the path goes on with.
Policy::Answer MergePolicy::follow(Engine &engine, State &s, States &merged) {
  engine.follower.replayed(s, Record::Region);
  const uint64_t number = engine.follower.replayedPart(s).value_or(~uint64_t(0)); // it is cut off
  const std::optional<uint64_t> told = engine.follower.replayedPart(s);
  if (number >= merged.size() || told != merged[number]->identity) {
    engine.follower.misaligned = "a merged loop came to other states than before";
    s.replayedLog.reset();
    s.discarded = true;
    return Answer::Ended;
  }
  State &state = *merged[number];
  state.repeats = s.repeats; // it was within the region that was explored again
  state.log = s.log;
  state.setWitness(s.witness);
  s.exchangeData(state);
  engine.interpreter.memory.flushTlb();
  if (std::optional<uint64_t> changes = engine.follower.replayed(s, Record::Witness))
    engine.witnesses.adoptReplayedWitness(s, *changes);
  return Answer::Again;
}

} // namespace fathom::explore
