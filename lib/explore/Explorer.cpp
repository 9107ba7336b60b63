// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Explorer.h"

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

bool Explorer::start() {
  started_ = nextLook_ = solver::Clock::now();
  executor_->stop = &stop_;
  if (options_.maxTime.count()) executor_->deadline = started_ + options_.maxTime;
  searcher_ = makeSearcher(options_.search, executor_->machine, rng_, result_.error);
  if (!searcher_) return false;
  std::unique_ptr<State> first = executor_->initialState(result_.error);
  if (!first) return false;
  searcher_->add(nullptr, *first);
  State *key = first.get();
  states_.emplace(key, std::move(first));
  return true;
}

ExploreResult Explorer::run() {
  if (!start()) return std::move(result_);
  // MAIN LOOP  // TOUR(6)
  while (!states_.empty() && budgetsHold()) {
    State &state = searcher_->next();
    Step step = executor_->run(state, kQuantum); // until it forks, ends, or has had its turn
    take(state, step); // successors to the searcher, an ended state out of it
  }
  drain();
  finishStats();
  return std::move(result_);
}

void Explorer::take(State &ran, Step &step) {
  for (auto &forked : step.forked) {
    searcher_->add(&ran, *forked);
    State *key = forked.get();
    states_.emplace(key, std::move(forked));
  }
  if (step.alive)
    searcher_->ran(ran);
  else
    drop(ran);
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
  stats.wallSeconds = std::chrono::duration<double>(now - started_).count();
  stats.instructions = executor_->machine.instructions;
  stats.liveStates = states_.size();
  stats.branchesCovered = static_cast<uint64_t>(
      std::count(executor_->machine.sideCover.begin(), executor_->machine.sideCover.end(), 1));
  stats.branchesTotal = program_.ownBranchSides;
  stats.stages = oracle_->stats();
  sink_.onProgress(stats);
  return true;
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
  for (State *s : order) {
    if (!executor_->sinkFailed) executor_->abandon(*s, "", text(result_.stats.stop));
    drop(*s);
  }
}

void Explorer::finishStats() {
  Stats &stats = result_.stats;
  const Machine &m = executor_->machine;
  stats.instructions = m.instructions;
  stats.liveStates = 0;
  stats.wallSeconds = std::chrono::duration<double>(solver::Clock::now() - started_).count();
  stats.peakMemoryBytes = std::max(stats.peakMemoryBytes, residentBytes());
  stats.branchesCovered =
      static_cast<uint64_t>(std::count(m.sideCover.begin(), m.sideCover.end(), 1));
  stats.branchesTotal = program_.ownBranchSides;
  stats.stages = oracle_->stats();
  result_.lines = lineCoverage();
  stats.linesCovered = stats.linesTotal = 0;
  for (auto &[file, lines] : result_.lines.files)
    for (auto &[line, covered] : lines) {
      stats.linesTotal++;
      stats.linesCovered += covered;
    }
}

/// A line is covered when one of its instructions ran: instructions run from a covered entry to the
/// next control transfer.
LineCoverage Explorer::lineCoverage() const {
  LineCoverage out;
  const Machine &m = executor_->machine;
  for (const program::FunctionCode &f : program_.functions) {
    if (!f.own) continue;
    bool running = false;
    for (uint32_t i = 0; i < f.code.size(); i++) {
      running |= m.cover[f.coverBase + i] != 0;
      const program::Location &l = program_.location(f, i);
      if (l.line) out.files[program_.files[l.file]][l.line] |= running;
      switch (f.code[i].op) {
      case program::Op::Jmp:
      case program::Op::CondJmp:
      case program::Op::Switch:
      case program::Op::IndirectBr:
      case program::Op::Call:
      case program::Op::CallIndirect:
      case program::Op::CallExternal:
      case program::Op::Ret:
      case program::Op::RetVoid:
      case program::Op::Unreachable:
      case program::Op::Trap:
      case program::Op::Unsupported: running = false; break;
      default: break;
      }
    }
  }
  return out;
}

ExploreResult explore(const program::Program &program, const ExploreOptions &options,
                      ResultSink &sink, const std::atomic<bool> &stop) {
  if (std::string wrong = validate(options); !wrong.empty()) {
    ExploreResult r;
    r.error = wrong;
    return r;
  }
  return Explorer(program, options, sink, stop).run();
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
