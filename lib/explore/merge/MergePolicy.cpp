// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergePolicy.h"

#include "explore/merge/NamedLoops.h"
#include "program/CodeFlow.h"
#include "support/Check.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::explore {

using program::CodeFlow;

namespace {
/// A loop is left that was explored so often, and of these regions not even one in so many came to
/// a merge: each is explored twice for nothing.
constexpr uint32_t kFewRegions = 16;

/// Rounds of a loop are no longer joined if in first explorations one after the other, with so many
/// states at the header, no two were the same: each costs as much as exploring the loop.
constexpr uint64_t kFruitless = 256;

/// No state is evicted while a loop is explored, so that may take such a part of the memory.
constexpr uint64_t kMemoryShare = 4;
} // namespace

// --- where loops are

/// Does a call of the function end after a number of instructions that its code bounds? It has no
/// loops, and calls such functions only.
bool MergePolicy::isBounded(const program::Program &program, uint32_t function) const {
  auto [it, isNew] = bounded_.try_emplace(function, false); // of one that calls itself: no
  if (!isNew) return it->second;
  const program::FunctionCode &f = program.functions[function];
  if (f.code.empty()) return false;
  auto hasLoops = [&] {
    if (!program::branchesBack(f)) return false;
    const CodeFlow flow(f);
    return !flow.loops().empty() || flow.isIrreducible();
  };
  const bool isBounded =
      !hasLoops() && callsAreBounded(program, f, 0, static_cast<uint32_t>(f.code.size() - 1));
  return bounded_[function] = isBounded;
}

bool MergePolicy::callsAreBounded(const program::Program &program, const program::FunctionCode &f,
                                  uint32_t first, uint32_t last) const {
  for (uint32_t at = first; at <= last; at++) {
    const program::Inst &i = f.code[at];
    if (i.op == program::Op::CallIndirect) return false;
    if (i.op == program::Op::Call && !isBounded(program, i.c)) return false;
  }
  return true;
}

/// Each round is merged where the program says so.
bool MergePolicy::hasMarker(const program::FunctionCode &f, uint32_t first, uint32_t last) const {
  bool isMarked = false;
  for (uint32_t at = first; at <= last && !isMarked; at++) {
    auto site = sites_.find(key(f.id, at));
    isMarked = site != sites_.end() && site->second.mark != Mark::None;
  }
  return isMarked;
}

bool MergePolicy::isWanted(const program::Program &program, const program::FunctionCode &f,
                           const CodeFlow &flow, const program::CodeLoop &loop,
                           uint32_t line) const {
  if (options_.at.empty())
    return (f.own || options_.bySize) && std::ranges::all_of(loop.blocks, [&](uint32_t b) {
             const auto [first, last] = std::pair(flow.blocks()[b].first, flow.blocks()[b].last);
             return callsAreBounded(program, f, first, last) && !hasMarker(f, first, last);
           });
  return isNamed(options_.at, f, line);
}

void MergePolicy::addLoop(const program::FunctionCode &f, const CodeFlow &flow,
                          const program::CodeLoop &loop, uint32_t line, uint32_t outer) const {
  const auto number = static_cast<uint32_t>(loops_.size());
  const uint32_t header = flow.blocks()[loop.header].first;
  loops_.push_back({.function = f.id,
                    .line = line,
                    .header = header,
                    .outer = outer,
                    .exits = {},
                    .steering = {}});
  if (options_.joinsRounds()) sites_[key(f.id, header)];
  for (auto [from, to] : loop.exits) loops_.back().exits.insert(flow.blocks()[to].first);
  for (uint32_t exit : loops_.back().exits) sites_[key(f.id, exit)];
  // Before the loop, where nothing else can come; once for all rounds.
  std::vector<uint32_t> entries;
  bool isOnly = loop.header != 0;
  for (uint32_t b = 0; b < flow.blocks().size(); b++) {
    const auto &next = flow.blocks()[b].next;
    if (std::ranges::find(next, loop.header) == next.end() ||
        std::ranges::binary_search(loop.blocks, b))
      continue;
    entries.push_back(flow.blocks()[b].last);
    isOnly &= next.size() == 1;
  }
  if (!isOnly) entries = {header};
  for (uint32_t entry : entries)
    if (Site &site = sites_[key(f.id, entry)]; site.enters == kNone) site.enters = number;
}

std::vector<PointSite> MergePolicy::points(const program::Program &program) const {
  findMarkers(program);
  for (const program::FunctionCode &f : program.functions) {
    if (!program::branchesBack(f)) continue;
    const CodeFlow flow(f);
    std::vector<uint32_t> outermost; // before those within them
    for (uint32_t l = 0; l < flow.loops().size(); l++) outermost.push_back(l);
    std::ranges::sort(outermost, {}, [&](uint32_t l) {
      return std::pair(-static_cast<int64_t>(flow.loops()[l].blocks.size()), l);
    });
    std::vector<uint32_t> numbers(flow.loops().size(), kNone); // its own, or the next outer one's
    for (uint32_t l : outermost) {
      const program::CodeLoop &loop = flow.loops()[l];
      const uint32_t outer = loop.parent == program::kNoIndex ? kNone : numbers[loop.parent];
      const uint32_t line = program.location(f, flow.blocks()[loop.header].first).line;
      numbers[l] = outer;
      // Inner loops where they are named only: elsewhere they cost more than they save.
      if (options_.at.empty() && loop.parent != program::kNoIndex) continue;
      if (!isWanted(program, f, flow, loop, line)) continue;
      numbers[l] = static_cast<uint32_t>(loops_.size());
      addLoop(f, flow, loop, line, outer);
    }
  }
  std::vector<PointSite> points;
  for (const auto &[at, site] : sites_)
    points.push_back({static_cast<uint32_t>(at >> 32), static_cast<uint32_t>(at)});
  std::ranges::sort(points, {}, [](const PointSite &p) { return std::pair(p.function, p.inst); });
  return points;
}

// --- regions

Policy::Answer MergePolicy::at(Engine &engine, State &s) {
  const uint32_t function = s.top->function;
  const auto inst = static_cast<uint32_t>(s.ip - engine.machine.code.codeOf(function));
  const Site &site = sites_.at(key(function, inst));
  if (inside_ != kNone) {
    const Loop &loop = loops_[inside_];
    if (loop.isMarked) {
      if (!leavesMarked(s, site)) return Answer::GoOn;
      engine.turn.hasArrived = true;
      return Answer::Again;
    }
    const bool isHeader = joins_ && inst == loop.header;
    if (s.top->serial != serial_ || function != loop.function ||
        !(isHeader || loop.exits.contains(inst)))
      return Answer::GoOn;
    engine.turn.hasArrived = true;
    return Answer::Again;
  }
  if (site.mark == Mark::Open) return atMarker(engine, s, site);
  const uint32_t loop = site.enters;
  if (loop == kNone || s.discarded || s.seeds || s.threads) return Answer::GoOn;
  if (options_.bySize && !s.lengths.size() && !s.counters.size()) return Answer::GoOn;
  if (StateJoin::whyApart(s, s)) return Answer::GoOn; // as are those that it would become
  return enter(engine, s, loop);
}

uint64_t MergePolicy::recordOf(const State &root, uint32_t loop, Explored how) {
  // An inner loop comes several times without a call in between: then with other decisions before.
  const uint64_t where = State::after(State::after(root.identity, root.nextSerial), loop);
  return where >> 40 << 2 | static_cast<unsigned>(how);
}

Policy::Answer MergePolicy::enter(Engine &engine, State &s, uint32_t loop) {
  const Loop &l = loops_[loop];
  if (!s.script) {
    if (l.isTooLarge || isVain(engine, s, loop)) return Answer::GoOn;
    // Within a loop that may become a region, its inner loops are a part of it.
    if (l.outer != kNone && !loops_[l.outer].isLeft()) return Answer::GoOn;
    return explore(engine, s, loop, options_.joinsRounds() && l.joins && !l.isMarked);
  }
  for (Explored how : {Explored::Plainly, Explored::WithJoins})
    if (s.script->isNext(Record::Region, recordOf(s, loop, how)))
      return explore(engine, s, loop, how == Explored::WithJoins);
  if (s.script->isNext(Record::Region, recordOf(s, loop, Explored::InVain)))
    engine.follower.scripted(s, Record::Region);
  return Answer::GoOn;
}

bool MergePolicy::isVain(Engine &engine, const State &s, uint32_t loop) {
  Loop &l = loops_[loop];
  if (l.isVain || l.isMarked || !leavesVain()) return l.isVain;
  std::string why;
  const MergeBenefit::Tally tally = benefit_.of(loop);
  if (benefit_.isVain(loop))
    why = fmt::format(
        "of what was merged, {} ways were told apart again, and {} paths stand for several",
        tally.alone, tally.shared);
  else if (l.forked >= kFewRegions && l.useful < l.forked / kFewRegions)
    why = fmt::format("of {} executions that forked, {} were merged", l.forked, l.useful);
  if (why.empty()) return false;
  l.isVain = true;
  if (options_.explains)
    fmt::print(stderr, "merge: {}: no longer merged: {}\n", engine.places.where(s), why);
  return true;
}

const llvm::BitVector &MergePolicy::steering(Engine &engine, Loop &loop) const {
  if (loop.steering) return *loop.steering;
  const program::Program &program = engine.services.program;
  const program::FunctionCode &f = program.functions[loop.function];
  const CodeFlow flow(f);
  auto here = std::ranges::find_if(flow.loops(), [&](const program::CodeLoop &l) {
    return flow.blocks()[l.header].first == loop.header;
  });
  FATHOM_CHECK(here != flow.loops().end(), "a merged loop has gone");
  return loop.steering.emplace(program::steeringSlots(program, f, flow, *here));
}

Policy::Answer MergePolicy::explore(Engine &engine, State &s, uint32_t loop, bool joins) {
  const program::Inst *header = engine.machine.code.codeOf(s.top->function) + loops_[loop].header;
  const llvm::BitVector none; // nothing waits at the header
  HeaderJoin rounds(engine, s, join(engine), joins ? steering(engine, loops_[loop]) : none);
  if (options_.checks && !LogFollower::isFollowed(s))
    rounds.tell([&](const State &into, const Merged &what) { check(engine, into, what); });
  inside_ = loop;
  loop_ = loop;
  isMarked_ = loops_[loop].isMarked;
  joins_ = joins;
  serial_ = s.top->serial;
  RegionLimits limits = options_.limits;
  limits.maxPageBytes = engine.services.options.maxMemoryBytes / kMemoryShare;
  Region::Result result = Region::Result::Whole;
  if (joins) {
    Region trial(engine, s, limits);
    trial.joinAt(header, rounds, /*isTrial=*/true);
    if (leavesIrregular()) trial.askWhether(looksRegular);
    result = trial.explore();
    if (!LogFollower::isFollowed(s) && result != Region::Result::Stopped) {
      Loop &l = loops_[loop];
      if (rounds.canJoin())
        l.apart = 0;
      else if (trial.leaves().size() + trial.unfinished() > 1) // one state alone says nothing
        l.apart += rounds.arrivals();
      l.joins &= l.apart < kFruitless;
    }
    rounds.restart();
  }
  Region region(engine, s, limits);
  region.logAs(recordOf(s, loop, Explored::InVain));
  if (joins) region.joinAt(header, rounds, /*isTrial=*/false);
  if (leavesIrregular()) region.askWhether(looksRegular);
  if (result != Region::Result::Stopped) {
    result = region.explore();
    // Merging takes time, too.
    if (engine.turn.mustStop()) result = Region::Result::Stopped;
    if (result == Region::Result::Stopped && !engine.turn.sinkFailed)
      region.leaveTests("partial: the run ended within a loop that is merged");
  }
  inside_ = kNone;
  engine.machine.state = &s;
  engine.machine.memory.flushTlb();
  if (result == Region::Result::Stopped) { // the state is as it was, and will be here again
    engine.turn.cut = true;
    return Answer::Again;
  }
  States all; // that go on
  const bool hasForked = region.leaves().size() + region.open().size() > 1;
  if (result == Region::Result::Whole) all = group(engine, s, region);
  if (!LogFollower::isFollowed(s)) {
    loops_[loop].forked += hasForked;
    loops_[loop].useful += !all.empty();
  }
  // Who was joined and not merged has no log that leads to it: the loop is explored without.
  auto isLost = [&](const auto &state) { return state && HeaderJoin::wasJoined(*state, s); };
  if (joins && (std::ranges::any_of(region.open(), isLost) ||
                std::ranges::any_of(region.leaves(),
                                    [&](RegionLeaf &leaf) { return isLost(leaf.state); }))) {
    loops_[loop].joins = false;
    region.leaveTests(kMergedAway);
    return explore(engine, s, loop, /*joins=*/false);
  }
  if (s.script) return follow(engine, s, all);
  loops_[loop].isTooLarge = result == Region::Result::TooMany; // it would be so again
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
    engine.turn.step->ready += !state->pending;
    engine.turn.step->forked.push_back(std::move(state));
  }
  if (!goesOn) return Answer::Ended;
  engine.turn.hasArrived = true; // all of them go on from here, in turn
  return Answer::Again;
}

/// The log says which of the states the path goes on with.
Policy::Answer MergePolicy::follow(Engine &engine, State &s, States &merged) {
  engine.follower.scripted(s, Record::Region);
  const uint64_t number = engine.follower.scriptedPart(s).value_or(~uint64_t(0)); // it is cut off
  const std::optional<uint64_t> told = engine.follower.scriptedPart(s);
  if (number >= merged.size() || told != merged[number]->identity) {
    engine.follower.misaligned = "a merged loop came to other states than before";
    s.script.reset();
    s.discarded = true;
    return Answer::Ended;
  }
  State &state = *merged[number];
  state.repeats = s.repeats; // it was within the region that was explored again
  state.log = s.log;
  state.setWitness(s.witness);
  s.exchangeData(state);
  engine.machine.memory.flushTlb();
  if (std::optional<uint64_t> changes = engine.follower.scripted(s, Record::Witness))
    engine.witnesses.adoptScriptedWitness(s, *changes);
  return Answer::Again;
}

} // namespace fathom::explore
