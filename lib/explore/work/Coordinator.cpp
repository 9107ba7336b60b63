// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exploration, by one or several worker processes.
//
// The unit of work is the log of a path (PathLog). The coordinator starts the workers as copies of
// itself, gives the empty log to one of them, and whenever one has nothing to do asks the one with
// the most states to give some away. Results come to the coordinator, which alone writes them.
//
// Every few seconds the workers tell which paths go on: all that was found before is stored, and
// the rest comes of these. From there the work of a worker that crashes is done again, and a run
// that was killed, or whose budget has ended, is resumed. Tests of paths that are known are not
// stored a second time.
#include "explore/Explore.h"
#include "explore/work/Explorer.h"
#include "explore/work/MemoryBudget.h"
#include "explore/work/WorkerProcess.h"
#include "support/Check.h"

#include "fmt/format.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>

namespace fathom::explore {

namespace {

constexpr std::chrono::milliseconds kStatus{100}; ///< how often progress is told
constexpr unsigned kMostCrashes = 3;              ///< of workers on one path
constexpr std::chrono::seconds kGrace{15};        ///< for a worker to end after it was told to
/// Workers end by themselves when --max-time is over; so much later they are told.
constexpr std::chrono::milliseconds kLate{500};
constexpr std::chrono::milliseconds kTurn{20};  ///< for one worker's messages, then others speak
constexpr std::chrono::milliseconds kWatch{50}; ///< how often it is seen whether workers hang
constexpr std::chrono::seconds kAway{2}; ///< so long without a look at them, and we were stopped
/// Between two checkpoints: at least so many times as long as the last one took to be written.
/// (What the workers have to do for it is several times that.)
constexpr unsigned kCheckpointShare = 100;

class Coordinator {
public:
  Coordinator(const program::Program &program, const ExploreOptions &options, ResultSink &sink,
              const std::atomic<bool> &stop)
      : program_(program), options_(options), sink_(sink), stop_(stop),
        memory_(options.maxMemoryBytes, options.jobs) {}

  ExploreResult run(const Checkpoint *from) {
    started_ = solver::Clock::now();
    nextWatch_ = started_;
    nextCheckpoint_ = started_ + options_.checkpointInterval;
    begin(from);
    startWorkers();
    if (workers_.empty()) {
      result_.error = noWorker_;
      return std::move(result_);
    }
    while (!exhausted() && !stopping_) {
      handOut();
      askForWork();
      takeCheckpoint();
      shareMemory();
      receive();
      watch();
      if (stop_.load(std::memory_order_relaxed)) end(StopReason::Interrupted);
      if (sinkFailed_) end(StopReason::DiskFull);
      tellStatus();
    }
    collect();
    return finish();
  }

private:
  // --- workers
  // -------------------------------------------------------------------------------------------------
  /// As many as there should be, or as the system has room for now.
  void startWorkers() {
    while (workers_.size() < options_.jobs && startWorker()) {
    }
  }

  /// False: noWorker_ says why.
  bool startWorker() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
      noWorker_ = fmt::format("no connection to a worker: {}", strerror(errno));
      return false;
    }
    auto worker = std::make_unique<WorkerProcess>();
    if (!worker->at) {
      noWorker_ = "no memory for a worker";
      close(ends[0]);
      close(ends[1]);
      return false;
    }
    int coordinator = getpid();
    fflush(nullptr);
    int pid = fork();
    if (pid < 0) {
      noWorker_ = fmt::format("no worker process: {}", strerror(errno));
      close(ends[0]);
      close(ends[1]);
      return false;
    }
    if (pid == 0) {
      close(ends[0]);
      workers_.clear(); // the others' connections are not ours
      runWorker(coordinator, ends[1], *worker->at);
    }
    close(ends[1]);
    worker->pid = pid;
    worker->channel = Channel(ends[0]);
    if (!avoided_.empty()) worker->channel.post(MessageKind::Avoid, encode(avoided_));
    if (!apart_.empty()) worker->channel.post(MessageKind::Apart, encode(apart_));
    if (allApart()) worker->channel.post(MessageKind::Apart, encode(std::vector<uint64_t>()));
    if (std::vector<uint32_t> covered = known(); !covered.empty())
      worker->channel.post(MessageKind::Covered, encode(covered));
    workers_.push_back(std::move(worker));
    return true;
  }

  [[noreturn]] void runWorker(int coordinator, int fd, Announcements &announce) {
    // The coordinator decides when to end, also after Ctrl-C; and nobody works for a coordinator
    // that is gone.
    signal(SIGINT, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != coordinator) _exit(0);
    const rlimit noCore{0, 0}; // of many GB, and for each worker that a bad path takes with it
    setrlimit(RLIMIT_CORE, &noCore);
    ExploreOptions own = options_;
    own.maxMemoryBytes = memory_.workerBytes();
    own.solver.z3MemoryMb = memory_.solverMb();
    own.maxForks = (options_.maxForks + options_.jobs - 1) / options_.jobs;
    if (own.maxTime.count()) // a worker that replaces one has less
      own.maxTime = std::max(std::chrono::milliseconds(1),
                             own.maxTime - std::chrono::duration_cast<std::chrono::milliseconds>(
                                               solver::Clock::now() - started_));
    work(program_, std::move(own), Channel(fd), announce);
    _exit(0);
  }

  /// A worker that is gone: what it has told is kept, and its work since the last snapshot is done
  /// again by others. (Tests that came of it already are known by their paths.) A path that ends
  /// workers time and again is avoided. Where the system has no room for another worker the others
  /// go on; one is tried for again at the next checkpoint.
  void lost(WorkerProcess &worker) {
    int status = 0;
    const std::string how = worker.reap(status);
    add(result_.ledger, worker.saved.ledger);
    snapshots_ -= worker.snapshot;
    forget(worker.covered);
    comeAgain_.insert(worker.stored.begin(), worker.stored.end());
    std::vector<PathPrefix> left = std::move(worker.given);
    decode(worker.saved.frontier, left);
    const uint64_t path = worker.at->path;
    const bool solvers = lostToSolver(worker, status);
    const bool broken = WIFEXITED(status) && WEXITSTATUS(status) == kInternalErrorStatus;
    const unsigned crashes = solvers || broken ? 0 : ++crashes_[path];
    if (solvers) askApart(worker.at->query.hash);
    if (crashes == kMostCrashes) avoid(path);
    const bool again = crashes <= kMostCrashes; // or else avoiding does not help
    keepCounts(again ? worker.saved.stats : worker.stats);
    if (!again)
      result_.ledger.add("dropped-state", "", fmt::format("a worker process ended by {}", how),
                         left.size());
    else
      for (PathPrefix &prefix : left) queue_.push_back(std::move(prefix));
    std::erase_if(workers_, [&](const auto &w) { return w.get() == &worker; });
    if (broken) { // no path's fault: others would find it too, or go on with wrong answers
      result_.failure = "a worker process ended by an internal error, which it has told";
      end(StopReason::InternalError);
      result_.stats.stop = StopReason::InternalError;
    }
    if (stopping_) return;
    startWorkers();
    if (!workers_.empty()) return;
    result_.failure = noWorker_;
    end(StopReason::NoWorkers);
  }

  void avoid(uint64_t path) {
    avoided_.push_back(path);
    for (auto &worker : workers_)
      worker->channel.post(MessageKind::Avoid, encode(std::vector<uint64_t>{path}));
  }

  /// Whether Z3 hung or crashed in there. Then it is not the path that is avoided: the query is
  /// asked in a child process, where it can do no harm, and the path goes on.
  bool lostToSolver(const WorkerProcess &worker, int status) const {
    static constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    const solver::RunningQuery &query = worker.at->query;
    if (!query.hash || query.apart || solverLosses_ > kMostCrashes + options_.jobs) return false;
    return worker.hung ||
           (WIFSIGNALED(status) && std::find(std::begin(kCrashes), std::end(kCrashes),
                                             WTERMSIG(status)) != std::end(kCrashes));
  }

  bool allApart() const { return solverLosses_ >= kMostCrashes; }

  void askApart(uint64_t query) {
    solverLosses_++;
    apart_.push_back(query);
    for (auto &worker : workers_)
      worker->channel.post(MessageKind::Apart,
                           encode(allApart() ? std::vector<uint64_t>() : apart_));
  }

  /// Workers that hang, in the solver or elsewhere, are ended; receive() finds them gone. And time
  /// is over also when nobody says so.
  void watch() {
    auto now = solver::Clock::now();
    if (now < nextWatch_) return;
    // Whoever was stopped himself (Ctrl-Z, a suspended machine) lets the others catch up first.
    if (now > nextWatch_ + kAway) judgeFrom_ = now + kAway;
    nextWatch_ = now + kWatch;
    for (auto &worker : workers_) {
      if (now < judgeFrom_) break;
      worker->hung = worker->overdue(now, stopAsked_);
      if (worker->hung || worker->stuck(now, stopping_)) kill(worker->pid, SIGKILL);
    }
    if (options_.maxTime.count() && now > started_ + options_.maxTime + kLate)
      end(StopReason::MaxTime);
  }

  /// Puts the run where `from` left it, or at the start of the program.
  void begin(const Checkpoint *from) {
    size_t instructions = 0;
    for (const program::FunctionCode &f : program_.functions)
      instructions = std::max<size_t>(instructions, f.coverBase + f.code.size());
    cover_.resize(instructions);
    sideCover_.resize(program_.ownBranchSides);
    if (!from) {
      queue_.push_back({});
      return;
    }
    before_ = from->stats;
    lastSeedSeconds_ = before_.lastSeedSeconds;
    keepCounts(from->stats);
    paths_.insert(from->storedPaths.begin(), from->storedPaths.end());
    comeAgain_ = paths_;
    result_.ledger = from->ledger;
    for (auto [map, saved] : {std::pair{&cover_, &from->cover}, {&sideCover_, &from->sideCover}})
      std::copy_n(saved->begin(), std::min(saved->size(), map->size()), map->begin());
    std::vector<PathPrefix> paths;
    for (const std::string &list : from->frontier) decode(list, paths);
    for (PathPrefix &prefix : paths) queue_.push_back(std::move(prefix));
  }

  /// Of work that is done, by somebody who is gone.
  void keepCounts(Stats stats) {
    stats.liveStates = stats.peakMemoryBytes = 0;
    add(past_, stats);
  }

  bool exhausted() const {
    return queue_.empty() && std::all_of(workers_.begin(), workers_.end(),
                                         [](const auto &w) { return w->idle && !w->asked; });
  }

  // --- giving out
  // ----------------------------------------------------------------------------------------------
  void handOut() {
    if (snapshots_) return; // a path must not go from one that has not told yet to one that has
    size_t idle = static_cast<size_t>(
        std::count_if(workers_.begin(), workers_.end(), [](const auto &w) { return w->idle; }));
    for (auto &worker : workers_) {
      if (!worker->idle || queue_.empty()) continue;
      auto share = static_cast<ptrdiff_t>((queue_.size() + idle - 1) / idle);
      idle--;
      std::vector<PathPrefix> paths(std::make_move_iterator(queue_.begin()),
                                    std::make_move_iterator(queue_.begin() + share));
      queue_.erase(queue_.begin(), queue_.begin() + share);
      worker->idle = false;
      worker->channel.post(MessageKind::Work, encode(paths));
      worker->works++;
      worker->given = std::move(paths);
    }
  }

  /// One that has much gives to one that has nothing.
  void askForWork() {
    bool needed =
        std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return w->idle; });
    bool coming =
        std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return w->asked; });
    if (!needed || coming || !queue_.empty() || snapshots_) return;
    WorkerProcess *richest = nullptr;
    for (auto &worker : workers_)
      if (!worker->idle && (!richest || worker->stats.liveStates > richest->stats.liveStates))
        richest = worker.get();
    if (!richest) return;
    richest->asked = true;
    richest->channel.post(MessageKind::Share);
  }

  void shareMemory() {
    if (!memory_.due()) return;
    std::vector<int> pids;
    pids.reserve(workers_.size());
    for (auto &worker : workers_) pids.push_back(worker->pid);
    memory_.look(pids);
    for (auto &worker : workers_)
      worker->channel.post(MessageKind::Limit,
                           encode(std::vector<uint64_t>{memory_.workerBytes()}));
  }

  // --- checkpoints
  // -----------------------------------------------------------------------------------------------
  /// Asks every worker where it stands, and writes down what they say. Until all have answered,
  /// nothing goes from one to another.
  void takeCheckpoint() {
    auto now = solver::Clock::now();
    if (snapshots_ || now < nextCheckpoint_) return;
    startWorkers();
    for (auto &worker : workers_)
      if (!worker->idle) askForSnapshot(*worker);
    if (!snapshots_) writeCheckpoint();
  }

  void askForSnapshot(WorkerProcess &worker) {
    worker.snapshot = true;
    snapshots_++;
    worker.channel.post(MessageKind::Snapshot);
  }

  void answered(WorkerProcess &worker) {
    if (!std::exchange(worker.snapshot, false)) return;
    if (!--snapshots_ && !stopping_) writeCheckpoint();
  }

  void writeCheckpoint() {
    const auto started = solver::Clock::now();
    Checkpoint checkpoint{past_, result_.ledger, cover_, sideCover_, {}, {}};
    for (auto &worker : workers_) {
      add(checkpoint.stats, worker->saved.stats);
      add(checkpoint.ledger, worker->saved.ledger);
      if (!worker->saved.frontier.empty()) checkpoint.frontier.push_back(worker->saved.frontier);
      if (!worker->given.empty()) checkpoint.frontier.push_back(encode(worker->given));
    }
    if (!queue_.empty())
      checkpoint.frontier.push_back(encode(std::vector<PathPrefix>(queue_.begin(), queue_.end())));
    checkpoint.storedPaths.assign(comeAgain_.begin(), comeAgain_.end());
    for (auto &worker : workers_)
      checkpoint.storedPaths.insert(checkpoint.storedPaths.end(), worker->stored.begin(),
                                    worker->stored.end());
    checkpoint.stats.wallSeconds = wallSeconds();
    checkpoint.stats.workerSeconds = workerSeconds();
    checkpoint.stats.lastSeedSeconds = lastSeedSeconds_;
    sinkFailed_ |= !sinkFailed_ && !sink_.onCheckpoint(encode(checkpoint));
    auto now = solver::Clock::now();
    nextCheckpoint_ = now + std::max<solver::Clock::duration>(options_.checkpointInterval,
                                                              (now - started) * kCheckpointShare);
  }

  // --- taking in
  // -----------------------------------------------------------------------------------------------
  void receive() {
    std::vector<pollfd> fds;
    fds.reserve(workers_.size());
    for (auto &worker : workers_)
      fds.push_back({worker->channel.fd(),
                     static_cast<short>(POLLIN | (worker->channel.pending() ? POLLOUT : 0)), 0});
    if (poll(fds.data(), fds.size(), std::exchange(more_, false) ? 0 : 20) < 0 && errno != EINTR)
      return;
    std::vector<WorkerProcess *> gone;
    for (auto &worker : workers_) {
      worker->channel.flush();
      // Workers can find tests faster than they are written: then there is no end of messages.
      const auto until = solver::Clock::now() + kTurn;
      bool inTime = true;
      while (inTime) {
        std::optional<Message> message = worker->channel.receive(/*wait=*/false);
        if (!message) break;
        worker->heard();
        handle(*worker, *message);
        inTime = solver::Clock::now() < until;
      }
      more_ |= !inTime;
      if (inTime && worker->channel.closed() && !worker->final) gone.push_back(worker.get());
    }
    for (WorkerProcess *worker : gone) lost(*worker);
  }

  void handle(WorkerProcess &worker, const Message &message) {
    switch (message.kind) {
    case MessageKind::Test: {
      TestCase test;
      if (!decode(message.body, test)) break;
      worker.stored.push_back(test.path);
      if (!paths_.insert(test.path).second) {
        comeAgain_.erase(test.path);
        break;
      }
      sinkFailed_ |= !sinkFailed_ && !sink_.onTest(test);
      break;
    }
    case MessageKind::Bug: {
      Bug bug;
      if (!decode(message.body, bug)) break;
      worker.stored.push_back(bug.test.path);
      if (!paths_.insert(bug.test.path).second) {
        comeAgain_.erase(bug.test.path);
        break;
      }
      sinkFailed_ |= !sinkFailed_ && !sink_.onBug(bug);
      if (options_.stopAtFirstBug) end(StopReason::FirstBug);
      break;
    }
    case MessageKind::Echo:
      if (!message.body.empty()) sink_.onEcho(message.body[0], message.body.substr(1));
      break;
    case MessageKind::Progress: {
      const uint64_t followed = worker.stats.seedsFollowed;
      decode(message.body, worker.stats);
      if (worker.stats.seedsFollowed > followed) lastSeedSeconds_ = wallSeconds();
      if (options_.maxInstructions &&
          total().instructions - before_.instructions >= options_.maxInstructions)
        end(StopReason::MaxInstructions);
      break;
    }
    case MessageKind::Covered: {
      std::vector<uint32_t> covered;
      if (!decode(message.body, covered)) break;
      note(covered);
      worker.covered.insert(worker.covered.end(), covered.begin(), covered.end());
      for (auto &other : workers_)
        if (other.get() != &worker && !other->final)
          other->channel.post(MessageKind::Covered, message.body);
      break;
    }
    case MessageKind::Given: {
      GivenAway given;
      std::vector<PathPrefix> paths;
      worker.asked = false;
      if (!decode(message.body, given)) break;
      decode(given.paths, paths);
      stands(worker, std::move(given.rest));
      for (PathPrefix &prefix : paths) queue_.push_back(std::move(prefix));
      break;
    }
    case MessageKind::Frontier: {
      WorkerSnapshot snapshot;
      if (!decode(message.body, snapshot)) break;
      stands(worker, std::move(snapshot));
      answered(worker);
      break;
    }
    case MessageKind::Idle: {
      std::vector<uint32_t> why;
      worker.idle = true;
      if (!decode(message.body, why) || why.empty()) break;
      auto reason = static_cast<StopReason>(why[0]);
      if (reason == StopReason::MaxMemory)
        shortOfMemory_ = true; // the others go on
      else if (reason != StopReason::Exhausted)
        end(reason);
      break;
    }
    case MessageKind::Failed:
      result_.error = message.body;
      worker.final = true;
      end(StopReason::Interrupted);
      break;
    case MessageKind::Final:
      decode(message.body, finals_);
      worker.final = true;
      break;
    default: break;
    }
  }

  /// From here its work would be done again. What it was given while it told this still stands.
  void stands(WorkerProcess &worker, WorkerSnapshot snapshot) {
    if (snapshot.works == worker.works) worker.given.clear();
    worker.saved = std::move(snapshot);
    worker.stored.clear();
    worker.covered.clear();
  }

  /// What was covered on paths that are explored again: whoever comes there then is the first, or
  /// there would be no test for it.
  void forget(const std::vector<uint32_t> &covered) {
    if (covered.empty()) return;
    uncovered_.insert(covered.begin(), covered.end());
    for (auto &worker : workers_)
      if (!worker->final) worker->channel.post(MessageKind::Uncovered, encode(covered));
  }

  /// What a new worker has to know as covered by others.
  std::vector<uint32_t> known() const {
    std::vector<uint32_t> covered;
    auto add = [&](const std::vector<uint8_t> &map, uint32_t bit) {
      for (uint32_t i = 0; i < map.size(); i++)
        if (map[i] && !uncovered_.count(i | bit)) covered.push_back(i | bit);
    };
    add(cover_, 0);
    add(sideCover_, Machine::kSideBit);
    return covered;
  }

  void note(const std::vector<uint32_t> &covered) {
    for (uint32_t what : covered) {
      uncovered_.erase(what);
      bool side = what & Machine::kSideBit;
      std::vector<uint8_t> &map = side ? sideCover_ : cover_;
      if (uint32_t index = what & ~Machine::kSideBit; index < map.size()) map[index] = 1;
    }
  }

  // --- the end
  // -------------------------------------------------------------------------------------------------
  void end(StopReason reason) {
    if (stopping_) return;
    stopping_ = true;
    stopAsked_ = solver::Clock::now();
    result_.stats.stop = reason;
    for (auto &worker : workers_) {
      worker->channel.post(MessageKind::Stop);
      kill(worker->pid, SIGTERM); // it may be in the solver, where it does not listen
    }
  }

  /// Everybody hands in what is left.
  void collect() {
    if (!stopping_ && shortOfMemory_) result_.stats.stop = StopReason::MaxMemory;
    stopping_ = true;
    for (auto &worker : workers_)
      worker->channel.post(MessageKind::Finish, encode(std::vector<uint32_t>{
                                                    static_cast<uint32_t>(result_.stats.stop)}));
    auto deadline = solver::Clock::now() + kGrace;
    while (std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return !w->final; }) &&
           solver::Clock::now() < deadline) {
      receive();
      watch();
    }
    writeCheckpoint();
    for (auto &worker : workers_) {
      if (!worker->final) {
        add(result_.ledger, worker->saved.ledger);
        result_.ledger.add("dropped-state", "", "a worker process did not end in time",
                           std::max<uint64_t>(1, worker->stats.liveStates));
      }
      kill(worker->pid, SIGKILL); // what it has, it has told
      waitpid(worker->pid, nullptr, 0);
    }
    add(result_.ledger, finals_);
    if (!queue_.empty())
      result_.ledger.add(
          "dropped-state", "",
          fmt::format("unfinished when the exploration ended: {}", text(result_.stats.stop)),
          queue_.size());
    // One line, and only where nothing else is left out: a run that is cut off says so already.
    const uint64_t untried = total().untriedFailures;
    if (untried && result_.ledger.empty() && result_.stats.stop == StopReason::Exhausted)
      result_.ledger.add("allocation-failure", "",
                         "failing allocations were not explored (--fail-allocations)", untried);
  }

  double wallSeconds() const {
    return before_.wallSeconds +
           std::chrono::duration<double>(solver::Clock::now() - started_).count();
  }

  double workerSeconds() const {
    return before_.workerSeconds + options_.jobs * (wallSeconds() - before_.wallSeconds);
  }

  Stats total() const {
    Stats sum = past_;
    for (auto &worker : workers_) add(sum, worker->stats);
    sum.wallSeconds = wallSeconds();
    sum.workerSeconds = workerSeconds();
    sum.seedsGiven = options_.seeds.size();
    sum.lastSeedSeconds = lastSeedSeconds_;
    sum.peakMemoryBytes = std::max(sum.peakMemoryBytes, before_.peakMemoryBytes);
    sum.branchesCovered =
        static_cast<uint64_t>(std::count(sideCover_.begin(), sideCover_.end(), 1));
    sum.branchesTotal = program_.ownBranchSides;
    return sum;
  }

  void tellStatus() {
    auto now = solver::Clock::now();
    if (now < nextStatus_) return;
    nextStatus_ = now + kStatus;
    Stats stats = total();
    for (auto &worker : workers_)
      stats.runningQuerySeconds = std::max(stats.runningQuerySeconds, worker->querySeconds(now));
    sink_.onProgress(stats);
  }

  ExploreResult finish() {
    StopReason why = result_.stats.stop;
    result_.stats = total();
    result_.stats.stop = why;
    countCoverage(program_, cover_, sideCover_, result_);
    return std::move(result_);
  }

  const program::Program &program_;
  const ExploreOptions &options_;
  ResultSink &sink_;
  const std::atomic<bool> &stop_;
  MemoryBudget memory_;
  ExploreResult result_;
  solver::Clock::time_point started_, nextStatus_, nextCheckpoint_, nextWatch_, judgeFrom_,
      stopAsked_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  std::deque<PathPrefix> queue_;                   ///< that nobody works on
  std::unordered_map<uint64_t, unsigned> crashes_; ///< per path that a worker followed then
  std::vector<uint64_t> avoided_;
  std::vector<uint64_t> apart_;            ///< queries that are not asked in a worker's own process
  std::string noWorker_;                   ///< why the last one could not be started
  unsigned solverLosses_ = 0;              ///< workers that Z3 took with it
  std::unordered_set<uint64_t> paths_;     ///< that have a test, or a bug
  std::unordered_set<uint64_t> comeAgain_; ///< of these, those that are explored once more
  Stats before_, past_;                    ///< of the run that is resumed; with those that crashed
  double lastSeedSeconds_ = 0;             ///< when a seed came to its end last
  Ledger finals_;                          ///< of workers that have ended
  unsigned snapshots_ = 0;                 ///< asked for, and not there yet
  std::vector<uint8_t> cover_, sideCover_;
  std::unordered_set<uint32_t> uncovered_; ///< of these, what is to be covered once more
  bool more_ = false;                      ///< messages are there that there was no time for
  bool stopping_ = false, sinkFailed_ = false, shortOfMemory_ = false;
};

} // namespace

ExploreResult explore(const program::Program &program, const ExploreOptions &options,
                      ResultSink &sink, const std::atomic<bool> &stop, const Checkpoint *from) {
  ExploreResult failed;
  failed.error = validate(options);
  if (!failed.error.empty()) return failed;
  return Coordinator(program, options, sink, stop).run(from);
}

} // namespace fathom::explore
