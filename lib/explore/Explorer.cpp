// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Explorer.h"

#include "explore/Coordinator.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstdio>
#include <malloc.h>
#include <unistd.h>

namespace fathom::explore {

namespace {
/// Instructions that a state runs at most before the searcher is asked again. Forks end a turn
/// earlier.
constexpr int64_t kQuantum = 100000;
/// How often clocks and memory are looked at.
constexpr std::chrono::milliseconds kLook{100};
/// How often somebody else may speak (Explorer::explore).
constexpr std::chrono::milliseconds kBetween{5};

uint64_t residentBytes() {
  unsigned long size = 0, resident = 0;
  if (FILE *f = fopen("/proc/self/statm", "r")) {
    if (fscanf(f, "%lu %lu", &size, &resident) != 2) resident = 0;
    fclose(f);
  }
  return uint64_t(resident) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}
} // namespace

Explorer::Explorer(const program::Program &program, const ExploreOptions &options, ResultSink &sink,
                   const std::atomic<bool> &stop)
    : program_(program), options_(options), sink_(sink), stop_(stop), rng_(options.seed) {
  oracle_ = solver::makeChain(context_, options.solver);
  executor_ = std::make_unique<Executor>(program, context_, *oracle_, options, sink, result_.stats,
                                         result_.ledger);
}

bool Explorer::start(std::string &error) {
  started_ = nextLook_ = nextBetween_ = solver::Clock::now();
  executor_->stop = &stop_;
  if (options_.maxTime.count()) executor_->deadline = started_ + options_.maxTime;
  searcher_ = makeSearcher(options_.search, executor_->machine, rng_, error);
  return searcher_ != nullptr;
}

bool Explorer::add(const std::string &log, std::string &error) {
  std::vector<std::unique_ptr<State>> states = executor_->restore(log, error);
  for (auto &state : states) keep(nullptr, std::move(state));
  return !states.empty();
}

void Explorer::explore(const std::function<void()> &between) {
  between_ = between;
  // MAIN LOOP  // TOUR(6)
  while (!states_.empty() && budgetsHold()) {
    State &state = searcher_->next();
    Step step = executor_->run(state, kQuantum); // until it forks, ends, or has had its turn
    take(state, step); // successors to the searcher, an ended state out of it
  }
}

ExploreResult Explorer::finish() {
  drain();
  finishStats();
  return std::move(result_);
}

void Explorer::take(State &ran, Step &step) {
  for (auto &forked : step.forked) keep(&ran, std::move(forked));
  if (step.alive)
    searcher_->ran(ran);
  else
    drop(ran);
}

void Explorer::keep(State *from, std::unique_ptr<State> state) {
  searcher_->add(from, *state);
  State *key = state.get();
  states_.emplace(key, std::move(state));
}

std::vector<std::string> Explorer::giveAway(size_t most) {
  std::vector<State *> order;
  for (auto &[key, state] : states_) order.push_back(key);
  most = std::min(most, order.size() / 2);
  auto nearer = [](const State *a, const State *b) {
    return a->forks != b->forks ? a->forks < b->forks : a->id < b->id;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(most), order.end(),
                    nearer);
  std::vector<std::string> logs;
  for (size_t i = 0; i < most; i++) {
    logs.push_back(order[i]->log.bytes());
    drop(*order[i]);
  }
  return logs;
}

std::vector<uint32_t> Explorer::takeCovered() {
  return std::exchange(executor_->machine.justCovered, {});
}

void Explorer::noteCovered(const std::vector<uint32_t> &others) {
  Machine &m = executor_->machine;
  for (uint32_t what : others) {
    uint8_t &covered =
        what & Machine::kSideBit ? m.sideCover[what & ~Machine::kSideBit] : m.cover[what];
    m.newCoverage += !covered; // searchers look again
    covered = 1;
  }
}

void Explorer::drop(State &state) {
  searcher_->remove(state);
  states_.erase(&state);
}

bool Explorer::budgetsHold() {
  Stats &stats = result_.stats;
  if (executor_->sinkFailed) {
    stats.stop = StopReason::DiskFull;
    return false;
  }
  if (options_.stopAtFirstBug && stats.bugs) {
    stats.stop = StopReason::FirstBug;
    return false;
  }
  if (options_.maxInstructions && executor_->machine.instructions >= options_.maxInstructions) {
    stats.stop = StopReason::MaxInstructions;
    return false;
  }
  if (stop_.load(std::memory_order_relaxed)) {
    stats.stop = StopReason::Interrupted;
    return false;
  }
  auto now = solver::Clock::now();
  if (options_.maxTime.count() && now >= executor_->deadline) {
    stats.stop = StopReason::MaxTime;
    return false;
  }
  if (between_ && now >= nextBetween_) {
    between_();
    nextBetween_ = now + kBetween;
    if (states_.empty()) return false;
  }
  // Memory can grow fast between two looks at the clock.
  bool grown =
      options_.maxMemoryBytes && Memory::pageBytes() > pagesSeen_ + options_.maxMemoryBytes / 64;
  if (now < nextLook_ && !grown) return true;
  nextLook_ = now + kLook;
  pagesSeen_ = Memory::pageBytes();
  uint64_t resident = residentBytes();
  stats.peakMemoryBytes = std::max(stats.peakMemoryBytes, resident);
  if (context_.stats().live > 2 * liveAfterReclaim_) reclaimTerms();
  if (options_.maxMemoryBytes && resident > options_.maxMemoryBytes) evict();
  if (states_.empty()) return false;
  sink_.onProgress(statistics());
  return true;
}

const Stats &Explorer::statistics() {
  Stats &stats = result_.stats;
  const Machine &m = executor_->machine;
  stats.wallSeconds = std::chrono::duration<double>(solver::Clock::now() - started_).count();
  stats.instructions = m.instructions;
  stats.liveStates = states_.size();
  stats.branchesCovered =
      static_cast<uint64_t>(std::count(m.sideCover.begin(), m.sideCover.end(), 1));
  stats.branchesTotal = program_.ownBranchSides;
  stats.stages = oracle_->stats();
  return stats;
}

/// Frees the terms that no state and no cache refers to. No term is on the C++ stack here.
void Explorer::reclaimTerms() {
  executor_->machine.origins.clear();
  context_.collect([this](auto mark) {
    Visited seen;
    std::function<void(ExprPtr)> visit = mark;
    for (auto &[key, state] : states_) key->visitTerms(visit, seen);
    oracle_->visitRoots(visit);
    executor_->visitRoots(visit);
  });
  liveAfterReclaim_ = std::max<uint64_t>(1 << 20, context_.stats().live);
}

/// Memory is short: gives up a fifth of the states, those that ran longest without covering
/// anything new.
void Explorer::evict() {
  oracle_->dropCaches();
  reclaimTerms();
  malloc_trim(0);
  if (residentBytes() <= options_.maxMemoryBytes) return;
  std::vector<State *> order;
  for (auto &[key, state] : states_) order.push_back(key);
  std::sort(order.begin(), order.end(), [](State *a, State *b) {
    uint64_t x = a->instructions - a->lastNewCoverage, y = b->instructions - b->lastNewCoverage;
    return x != y ? x > y : a->id > b->id;
  });
  order.resize(std::max<size_t>(1, order.size() / 5));
  for (State *s : order) {
    executor_->abandon(*s, "evicted-state", "memory budget (--max-memory)");
    drop(*s);
    if (executor_->sinkFailed) return;
  }
  if (states_.empty()) result_.stats.stop = StopReason::MaxMemory; // not even one fits
  reclaimTerms();
  malloc_trim(0); // what was freed goes back to the system: it is the resident size that is bounded
}

void Explorer::drain() {
  if (states_.empty() || result_.stats.stop == StopReason::DiskFull) return;
  std::vector<State *> order;
  for (auto &[key, state] : states_) order.push_back(key);
  std::sort(order.begin(), order.end(), [](State *a, State *b) { return a->id < b->id; });
  result_.ledger.add(
      "dropped-state", "",
      fmt::format("unfinished when the exploration ended: {}", text(result_.stats.stop)),
      order.size());
  const uint64_t early = result_.stats.pathsTerminatedEarly;
  for (State *s : order) {
    if (!executor_->sinkFailed) executor_->abandon(*s, "", text(result_.stats.stop));
    drop(*s);
  }
  result_.stats.pathsTerminatedEarly = early;
  unfinished_ = order.size();
}

void Explorer::finishStats() {
  statistics();
  result_.stats.liveStates = unfinished_;
  result_.stats.peakMemoryBytes = std::max(result_.stats.peakMemoryBytes, residentBytes());
  const Machine &m = executor_->machine;
  countCoverage(program_, m.cover, m.sideCover, result_);
}

void countCoverage(const program::Program &program, const std::vector<uint8_t> &cover,
                   const std::vector<uint8_t> &sideCover, ExploreResult &result) {
  Stats &stats = result.stats;
  stats.branchesCovered = static_cast<uint64_t>(std::count(sideCover.begin(), sideCover.end(), 1));
  stats.branchesTotal = program.ownBranchSides;
  result.lines = lineCoverage(program, cover);
  stats.linesCovered = stats.linesTotal = 0;
  for (auto &[file, lines] : result.lines.files)
    for (auto &[line, covered] : lines) {
      stats.linesTotal++;
      stats.linesCovered += covered;
    }
}

/// A line is covered when one of its instructions ran: instructions run from a covered entry to the
/// next control transfer.
LineCoverage lineCoverage(const program::Program &program, const std::vector<uint8_t> &cover) {
  LineCoverage out;
  for (const program::FunctionCode &f : program.functions) {
    if (!f.own) continue;
    bool running = false;
    for (uint32_t i = 0; i < f.code.size(); i++) {
      running |= cover[f.coverBase + i] != 0;
      const program::Location &l = program.location(f, i);
      if (l.line) out.files[program.files[l.file]][l.line] |= running;
      if (program::isTransfer(f.code[i].op)) running = false;
    }
  }
  return out;
}

ExploreResult explore(const program::Program &program, const ExploreOptions &options,
                      ResultSink &sink, const std::atomic<bool> &stop) {
  ExploreResult failed;
  failed.error = validate(options);
  if (!failed.error.empty()) return failed;
  if (options.jobs > 1) return coordinate(program, options, sink, stop);
  Explorer explorer(program, options, sink, stop);
  if (!explorer.start(failed.error) || !explorer.add("", failed.error)) return failed;
  explorer.explore();
  return explorer.finish();
}

std::string validate(const ExploreOptions &options) {
  if (options.pointers != "fork" && options.pointers != "concretize")
    return fmt::format("--pointers: '{}' is neither fork nor concretize", options.pointers);
  if (options.maxStackFrames < 10)
    return fmt::format("--max-stack: {} frames are too few to start a program (at least 10)",
                       options.maxStackFrames);
  if (options.maxTableBytes == 0) return "--max-table: at least 1 byte";
  if (std::string wrong = validateSearch(options.search); !wrong.empty()) return wrong;
  return solver::validate(options.solver);
}

} // namespace fathom::explore
