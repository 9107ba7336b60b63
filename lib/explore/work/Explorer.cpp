// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/Explorer.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/PathReplayer.h"

#include "explore/external/ExternalPolicy.h"

#include "explore/search/SearcherTable.h"
#include "explore/work/LineCoverage.h"
#include "explore/work/MemoryBudget.h"
#include "explore/work/Protocol.h"

#include "fmt/format.h"

#include <algorithm>
#include <malloc.h>

namespace fathom::explore {

using evidence::LedgerCategory;

namespace {
/// Instructions that a state runs at most before the searcher is asked again. Forks end a turn
/// earlier.
constexpr int64_t kQuantum = 100000;
/// Seconds; most turns end much sooner, with a fork. What takes longer counts as several turns.
constexpr double kUsualTurn = 0.001;
/// How often time and memory are checked.
constexpr std::chrono::milliseconds kLook{100};
/// The time it takes at the end to report one state and to write it down.
constexpr std::chrono::microseconds kTold{6};
/// Time for partial tests of suspended paths, at the end.
constexpr std::chrono::seconds kDrain{2};
/// Number of paths that are restored together; they share the replay as far as their logs are the
/// same.
constexpr size_t kBatch = 256;
/// A state that is suspended so often without getting anywhere is given up.
constexpr unsigned kMaxRevivals = 3;
/// How often `between` is called (Explorer::explore).
constexpr std::chrono::milliseconds kBetween{5};
} // namespace

/// The length of a turn in units of usual turns. Runs that are bounded by instructions are
/// reproducible: time must not decide anything in them.
static double turnsOf(const ExploreOptions &options, solver::Clock::duration time) {
  if (options.maxInstructions) return 1;
  return 1 + std::chrono::duration<double>(time).count() / kUsualTurn;
}

Explorer::Explorer(const program::Program &program, const ExploreOptions &options, ResultSink &sink,
                   const std::atomic<bool> &stop)
    : program_(program), options_(options), sink_(sink), stop_(stop), rng_(options.seed),
      memoryLimit_(options.maxMemoryBytes) {
  oracle_ = solver::makeChain(context_, options.solver);
  executor_ = std::make_unique<SymbolicExecutor>(program, context_, *oracle_, options, sink,
                                                 result_.stats, result_.ledger);
}

bool Explorer::start(std::string &error) {
  started_ = WallClock::now();
  begun_ = nextLook_ = nextBetween_ = solver::Clock::now();
  solver::Clock::spend(StepKind::Search);
  executor_->stepContext.stop = &stop_;
  if (options_.maxTime.count()) executor_->stepContext.deadline = nextLook_ + options_.maxTime;
  searcher_ = makeSearcher(options_.search, executor_->interpreter, rng_, error);
  return searcher_ != nullptr;
}

size_t Explorer::unfinished() const {
  return states_.size() + suspended_.size() + inputs_.waiting.size() + executor_->restorer.size();
}

bool Explorer::waits() const { return !suspended_.empty() || !executor_->restorer.empty(); }

bool Explorer::revive() {
  PathReplayer &restorer = executor_->restorer;
  if (restorer.empty() && suspended_.empty()) inputs_.begin(restorer, result_.stats);
  if (restorer.empty()) {
    // Paths are restored together where they begin in the same way: those of inputs do not.
    size_t batch = 1;
    while (batch < std::min(kBatch, suspended_.size()) && !suspended_[0].input &&
           !suspended_[batch].input)
      batch++;
    const auto end = suspended_.begin() + static_cast<ptrdiff_t>(batch);
    restorer.add({std::make_move_iterator(suspended_.begin()), std::make_move_iterator(end)});
    suspended_.erase(suspended_.begin(), end);
  }
  const uint64_t hash = PathLog(restorer.front().log).hash();
  if (avoided_.count(onTheWayTo(hash))) {
    result_.ledger.add(LedgerCategory::DroppedState, "",
                       "worker processes crashed on the way there");
    result_.stats.crashedPaths++;
    restorer.skip();
    return false;
  }
  *announce_ = onTheWayTo(hash);
  if (memoryLimit_) // parked copies keep pages that no other state has
    restorer.parksUpTo =
        residentBytes() < memoryLimit_ / 2 ? Memory::pageBytes() + memoryLimit_ / 16 : 0;
  const bool fromStart = restorer.front().log.empty();
  const unsigned revivals = restorer.front().revivals;
  std::string error;
  std::unique_ptr<State> state = restorer.next(error);
  if (!state) { // or it was time to stop
    if (!error.empty() && fromStart)
      result_.error = error;
    else if (!error.empty())
      result_.ledger.add(LedgerCategory::DroppedState, "", error);
    return false;
  }
  state->revivedAt = hash;
  state->revivedAs = state->decidedIdentity();
  state->revivals = revivals;
  keep(nullptr, std::move(state));
  return true;
}

void Explorer::putBackWaiting() {
  std::vector<PathPrefix> paths = executor_->restorer.all();
  executor_->restorer.clear();
  suspended_.insert(suspended_.begin(), std::make_move_iterator(paths.begin()),
                    std::make_move_iterator(paths.end()));
}

void Explorer::giveUp(State &state) {
  result_.ledger.add(LedgerCategory::DroppedState, executor_->where(state),
                     "worker processes crashed here");
  result_.stats.crashedPaths++;
  drop(state);
}

/// Work of a worker that is gone is done again, but for what it had given away. What we were given
/// ourselves is not meant.
bool Explorer::isElsewhere(const State &state) const {
  if (!state.excludedPaths) return false;
  auto it = elsewhere_.find(state.excludedPaths);
  const uint64_t hash = state.log.hash();
  if (it == elsewhere_.end() || hash == state.revivedAt) return false;
  // What was asked may differ from then, by what questions cost; what was decided does not.
  const std::optional<uint64_t> identity = state.decidedIdentity();
  return it->second.count(hash) ||
         (identity && identity != state.revivedAs && it->second.count(*identity));
}

void Explorer::bringBack() {
  if (followsSeeds()) return; // nothing else would have its turn
  const auto until = solver::Clock::now() + kLook / 10;
  while (waits() && solver::Clock::now() < until &&
         (!memoryLimit_ || residentBytes() < memoryLimit_ / 10 * 8)) {
    revive();
    spendSteps();
  }
}

void Explorer::explore(const std::function<void()> &between) {
  between_ = between;
  result_.stats.stop = StopReason::Exhausted;
  // MAIN LOOP  // TOUR(6)
  while (unfinished() && budgetsHold()) {
    if (states_.empty() && !revive()) continue;
    if (!inputs_.waiting.empty() && !followsSeeds() && inputs_.isDue()) {
      inputs_.begin(executor_->restorer, result_.stats);
      if (!revive()) continue;
    }
    State &state = next();
    const uint64_t hash = state.log.hash();
    *announce_ = hash;
    if (avoided_.count(hash)) {
      giveUp(state);
      continue;
    }
    const auto begun = solver::Clock::now();
    const bool waited = state.pending != nullptr, isOffered = state.followsOffered();
    Step step = executor_->run(state, kQuantum); // until it forks, ends, or has had its turn
    if (waited && !state.pending) pending_--;
    const solver::Clock::duration took = solver::Clock::now() - begun;
    if (!state.seeds) searcher_->spent(state, turnsOf(options_, took));
    inputs_.spent(isOffered, took);
    if (options_.inputs && step.alive) executor_->tellInput(state);
    take(state, step); // successors to the searcher, an ended state out of it
  }
}

ExploreResult Explorer::finish(StopReason why) {
  // Told to stop: it is known why.
  if (result_.stats.stop == StopReason::Interrupted) result_.stats.stop = why;
  spendSteps(); // of the last turn
  drain();
  finishStats();
  return std::move(result_);
}

void Explorer::take(State &ran, Step &step) {
  for (auto &forked : step.forked)
    if (isWanted(*forked) && !isElsewhere(*forked)) keep(&ran, std::move(forked));
  if (step.alive && isWanted(ran) && !isElsewhere(ran)) return searcher_->ran(ran);
  if (step.suspended) suspended_.push_back(std::move(*step.suspended));
  if (ran.seeds && !step.suspended) countSeeds(*ran.seeds);
  drop(ran);
}

/// Those that came to the end of their path.
void Explorer::countSeeds(const SeedStates &seeds) {
  Stats &stats = result_.stats;
  stats.seedsFollowed += seeds.size();
  for (const SeedState &seed : seeds) {
    stats.seedsCut += seed.cutBytes != 0;
    stats.seedBytesCut += seed.cutBytes;
  }
}

/// --only-seeds: ways that no seed takes are left out. What goes wrong beside a seed, on its own
/// way, is none.
bool Explorer::isWanted(const State &state) {
  if (!options_.onlySeeds || state.seeds) return true;
  if (state.pending && state.pending->kind != Pending::Kind::Way) return true;
  result_.ledger.add(LedgerCategory::BoundSeeds, "",
                     "paths that no seed takes were not explored (--only-seeds)");
  return false;
}

bool Explorer::followsSeeds() {
  while (!seeded_.empty() && !seeded_.back()->seeds) seeded_.pop_back();
  return !seeded_.empty();
}

State &Explorer::next() {
  if (!followsSeeds()) return searcher_->next();
  State &seeded = *seeded_.back();
  return !seeded.followsOffered() || inputs_.isDue() ? seeded : searcher_->next();
}

void Explorer::keep(State *from, std::unique_ptr<State> state) {
  if (state->seeds) seeded_.push_back(state.get());
  searcher_->add(from, *state);
  State *key = state.get();
  pending_ += state->pending != nullptr;
  states_.try_emplace(key, std::move(state));
}

void Explorer::drop(State &state) {
  if (!seeded_.empty()) std::erase(seeded_, &state);
  searcher_->remove(state);
  pending_ -= state.pending != nullptr;
  states_.erase(&state);
}

void Explorer::spendSteps() {
  if (options_.countsSteps) steps_.spend(executor_->interpreter, context_, result_.stats);
}

bool Explorer::budgetsHold() {
  Stats &stats = result_.stats;
  spendSteps();
  if (executor_->stepContext.sinkFailed) {
    stats.stop = StopReason::DiskFull;
    return false;
  }
  if ((options_.stopAtFirstBug && stats.bugs) || executor_->stepContext.hasLastBug ||
      (options_.endsWith && options_.endsWith(nullptr, solver::Clock::now() - begun_))) {
    stats.stop = StopReason::FirstBug;
    return false;
  }
  if (options_.maxInstructions && executor_->interpreter.instructions >= options_.maxInstructions) {
    stats.stop = StopReason::MaxInstructions;
    return false;
  }
  if (stop_.load(std::memory_order_relaxed)) {
    stats.stop = StopReason::Interrupted;
    return false;
  }
  auto now = solver::Clock::now();
  // --max-time is wall time, and deadlines of queries are on the clock of work: so what is left is
  // converted anew each time.
  if (options_.maxTime.count() && !options_.countsSteps)
    executor_->stepContext.deadline = now + (started_ + options_.maxTime - WallClock::now());
  // Telling where all states stand takes its time, which belongs to the budget.
  const auto last = std::min<solver::Clock::duration>(unfinished() * kTold, options_.maxTime / 10);
  if (options_.maxTime.count() && now >= executor_->stepContext.deadline - last) {
    stats.stop = StopReason::MaxTime;
    return false;
  }
  if (between_ && (now >= nextBetween_ || (listensAtFork_ && unfinished() > 1))) {
    between_();
    nextBetween_ = now + kBetween;
    if (!unfinished()) return false;
  }
  // Memory can grow fast between two looks at the clock.
  bool grown = memoryLimit_ && Memory::pageBytes() > pagesSeen_ + memoryLimit_ / 64;
  if (now < nextLook_ && !grown) return true;
  nextLook_ = now + kLook;
  pagesSeen_ = Memory::pageBytes();
  uint64_t resident = residentBytes();
  stats.peakMemoryBytes = std::max(stats.peakMemoryBytes, resident);
  if (context_.stats().live > 2 * liveAfterReclaim_) reclaimTerms();
  if (memoryLimit_ && resident > memoryLimit_)
    evict();
  else
    bringBack();
  if (!unfinished()) return false;
  sink_.onProgress(statistics());
  return true;
}

const Stats &Explorer::statistics() {
  Stats &stats = result_.stats;
  const Interpreter &m = executor_->interpreter;
  stats.wallSeconds = std::chrono::duration<double>(WallClock::now() - started_).count();
  stats.instructions = m.instructions;
  if (options_.countsSteps) {
    stats.stepNanoseconds = static_cast<uint64_t>((solver::Clock::now() - begun_).count());
    stats.isBehind = solver::Clock::isDegraded();
  }
  stats.liveStates = unfinished();
  stats.sidesOpen = pending_;
  stats.branchesCovered = static_cast<uint64_t>(
      std::count(m.coverage.sideCover.begin(), m.coverage.sideCover.end(), 1));
  stats.branchesTotal = program_.ownBranchSides;
  stats.stages = oracle_->stats();
  executor_->addExternalStats(stats);
  return stats;
}

/// Frees the terms that no state and no cache refers to. No term is on the C++ stack here.
void Explorer::reclaimTerms() {
  executor_->interpreter.registers.origins.clear();
  expr::UnsimplifiedTerms *unsimplified = executor_->interpreter.unsimplified;
  context_.collect([&](auto mark) {
    Visited seen;
    std::function<void(ExprPtr)> visit = mark;
    for (auto &[key, state] : states_) key->visitTerms(visit, seen);
    oracle_->visitRoots(visit);
    executor_->visitRoots(visit);
    executor_->restorer.visitTerms(visit, seen);
    if (unsimplified) unsimplified->keepKnown(visit);
  });
  if (unsimplified) unsimplified->sweep();
  liveAfterReclaim_ = std::max<uint64_t>(1 << 20, context_.stats().live);
}

/// Memory is short: sets aside a fifth of the states, those that ran longest without covering
/// anything new, and those with seeds last. They are brought back when there is room. What runs out
/// of memory alone, time and again, is given up.
void Explorer::evict() {
  putBackWaiting();
  oracle_->dropCaches();
  reclaimTerms();
  malloc_trim(0);
  if (residentBytes() <= memoryLimit_) return;
  std::vector<State *> order;
  for (auto &[key, state] : states_) order.push_back(key);
  std::sort(order.begin(), order.end(), [](State *a, State *b) {
    if (!a->seeds != !b->seeds) return !a->seeds;
    if (a->seeds) return a->id < b->id; // the newest is followed first
    uint64_t x = a->instructions - a->lastNewCoverage, y = b->instructions - b->lastNewCoverage;
    return x != y ? x > y : a->id > b->id;
  });
  order.resize(std::min(order.size(), std::max<size_t>(1, order.size() / 5)));
  const bool alone = states_.size() == 1;
  for (State *s : order) {
    PathPrefix prefix = executor_->prefixOf(*s);
    if (s->revivedAt == s->log.hash()) prefix.revivals = s->revivals + alone;
    if (prefix.revivals >= kMaxRevivals)
      executor_->abandon(*s, LedgerCategory::EvictedState, "memory budget (--max-memory)");
    else if (s->seeds)
      suspended_.push_front(std::move(prefix)); // comes back first, and finds its seeds again
    else
      suspended_.push_back(std::move(prefix));
    drop(*s);
    if (executor_->stepContext.sinkFailed) return;
  }
  if (order.empty() && !suspended_.empty()) { // not even the logs fit
    size_t kept = suspended_.size() / 5 * 4;
    result_.ledger.add(LedgerCategory::EvictedState, "", "memory budget (--max-memory)",
                       suspended_.size() - kept);
    suspended_.resize(kept);
  }
  if (!unfinished()) result_.stats.stop = StopReason::MaxMemory; // not even one fits
  reclaimTerms();
  malloc_trim(0); // what was freed goes back to the system: it is the resident size that is bounded
}

/// Partial tests of what is unfinished and covers what no test covers.
void Explorer::drain() {
  putBackWaiting();
  inputs_.waiting.clear(); // the source that offered them still has them
  unfinished_ = unfinished();
  openAtEnd_ = pending_;
  // A search for a verdict has no use for partial tests.
  if (!unfinished_ || options_.countsSteps) return;
  std::vector<State *> order; // few of many: what has a test is not covered anew
  for (auto &[key, state] : states_)
    if (executor_->coversUntested(*state)) order.push_back(key);
  std::sort(order.begin(), order.end(), [](State *a, State *b) {
    // The path that left a pending state behind knows more of where it leads.
    return !a->pending != !b->pending ? !a->pending : a->id < b->id;
  });
  const uint64_t open = openAtEnd_;
  if (unfinished_ > open)
    result_.ledger.add(
        LedgerCategory::DroppedState, "",
        fmt::format("unfinished when the exploration ended: {}", text(result_.stats.stop)),
        unfinished_ - open);
  if (open)
    result_.ledger.add(LedgerCategory::OpenSide, "",
                       fmt::format("branch sides whose feasibility was never checked: {}",
                                   text(result_.stats.stop)),
                       open);
  if (result_.stats.stop == StopReason::DiskFull) return; // no room for tests
  const uint64_t early = result_.stats.pathsTerminatedEarly;
  for (State *s : order)
    if (!executor_->stepContext.sinkFailed && executor_->coversUntested(*s))
      executor_->abandon(*s, std::nullopt, text(result_.stats.stop));
  // What is suspended has to be brought back first, for which there is only so much time.
  executor_->stepContext.stop = nullptr;
  executor_->stepContext.deadline = solver::Clock::now() + kDrain;
  for (const PathPrefix &prefix : suspended_) {
    std::string error;
    if (prefix.newlyCovered.empty() || executor_->stepContext.sinkFailed) continue;
    std::unique_ptr<State> state = executor_->restore(prefix, error);
    if (state && executor_->coversUntested(*state))
      executor_->abandon(*state, std::nullopt, text(result_.stats.stop));
  }
  result_.stats.pathsTerminatedEarly = early;
}

void Explorer::finishStats() {
  statistics();
  result_.stats.liveStates = unfinished_;
  result_.stats.sidesOpen = openAtEnd_;
  result_.stats.peakMemoryBytes = std::max(result_.stats.peakMemoryBytes, residentBytes());
  const Interpreter &m = executor_->interpreter;
  countCoverage(program_, m.coverage.cover, m.coverage.sideCover, result_);
}

bool showsWorkingDirectory(const std::vector<std::string> &arguments) {
  return std::none_of(arguments.begin(), arguments.end(), [](const std::string &a) {
    return a.starts_with("--sym-arg") || a.starts_with("-sym-arg");
  });
}

std::string validate(const ExploreOptions &options) {
  if (options.maxStackFrames < 10)
    return fmt::format("--max-stack: {} frames are too few to start a program (at least 10)",
                       options.maxStackFrames);
  if (options.maxTableBytes == 0) return "--max-table: at least 1 byte";
  if (std::string wrong = validateSearch(options.search); !wrong.empty()) return wrong;
  ExternalPolicy policy;
  if (std::string wrong = ExternalPolicy::make(options, policy); !wrong.empty()) return wrong;
  return solver::validate(options.solver);
}

} // namespace fathom::explore
