// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Coordinator.h"

#include "explore/Explorer.h"
#include "explore/Worker.h"

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

struct WorkerProcess {
  int pid = -1;
  Channel channel{-1};
  bool idle = true, asked = false, final = false; ///< asked: for states, and has not answered yet
  std::vector<std::string> given;                 ///< since it was idle last
  Stats stats;                                    ///< the latest that it told
};

class Coordinator {
public:
  Coordinator(const program::Program &program, const ExploreOptions &options, ResultSink &sink,
              const std::atomic<bool> &stop)
      : program_(program), options_(options), sink_(sink), stop_(stop) {}

  ExploreResult run() {
    started_ = solver::Clock::now();
    size_t instructions = 0;
    for (const program::FunctionCode &f : program_.functions)
      instructions = std::max<size_t>(instructions, f.coverBase + f.code.size());
    cover_.resize(instructions);
    sideCover_.resize(program_.ownBranchSides);
    queue_.push_back("");
    for (unsigned i = 0; i < options_.jobs; i++)
      if (!startWorker()) return std::move(result_);
    while (!exhausted() && !stopping_) {
      handOut();
      askForWork();
      receive();
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
  bool startWorker() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
      result_.error = fmt::format("no connection to a worker: {}", strerror(errno));
      return false;
    }
    int coordinator = getpid();
    fflush(nullptr);
    int pid = fork();
    if (pid < 0) {
      result_.error = fmt::format("no worker process: {}", strerror(errno));
      close(ends[0]);
      close(ends[1]);
      return false;
    }
    if (pid == 0) {
      close(ends[0]);
      workers_.clear(); // the others' connections are not ours
      runWorker(coordinator, ends[1]);
    }
    close(ends[1]);
    auto worker = std::make_unique<WorkerProcess>();
    worker->pid = pid;
    worker->channel = Channel(ends[0]);
    workers_.push_back(std::move(worker));
    return true;
  }

  [[noreturn]] void runWorker(int coordinator, int fd) {
    // The coordinator decides when to end, also after Ctrl-C; and nobody works for a coordinator
    // that is gone.
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != coordinator) _exit(0);
    ExploreOptions own = options_;
    own.maxMemoryBytes = options_.maxMemoryBytes / options_.jobs;
    own.maxForks = (options_.maxForks + options_.jobs - 1) / options_.jobs;
    if (own.maxTime.count()) // a worker that replaces one has less
      own.maxTime = std::max(std::chrono::milliseconds(1),
                             own.maxTime - std::chrono::duration_cast<std::chrono::milliseconds>(
                                               solver::Clock::now() - started_));
    work(program_, own, Channel(fd));
    _exit(0);
  }

  /// What the worker was given is explored again. (Tests that came of it are known by their paths.)
  /// When that ends a worker time and again, it is dropped.
  void lost(WorkerProcess &worker) {
    int status = 0;
    waitpid(worker.pid, &status, 0);
    past_.push_back(worker.stats);
    std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                          : fmt::format("status {}", WEXITSTATUS(status));
    for (std::string &log : worker.given) {
      if (stopping_ || ++crashes_[log] > kMostCrashes)
        result_.ledger.add("dropped-state", "", fmt::format("a worker process ended by {}", how));
      else
        queue_.push_back(std::move(log));
    }
    std::erase_if(workers_, [&](const auto &w) { return w.get() == &worker; });
    if (!stopping_ && !startWorker()) end(StopReason::Interrupted);
  }

  bool exhausted() const {
    return queue_.empty() && std::all_of(workers_.begin(), workers_.end(),
                                         [](const auto &w) { return w->idle && !w->asked; });
  }

  // --- giving out
  // ----------------------------------------------------------------------------------------------
  void handOut() {
    size_t idle = static_cast<size_t>(
        std::count_if(workers_.begin(), workers_.end(), [](const auto &w) { return w->idle; }));
    for (auto &worker : workers_) {
      if (!worker->idle || queue_.empty()) continue;
      size_t share = (queue_.size() + idle - 1) / idle;
      idle--;
      std::vector<std::string> logs(queue_.begin(), queue_.begin() + static_cast<ptrdiff_t>(share));
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<ptrdiff_t>(share));
      worker->idle = false;
      worker->channel.send(MessageKind::Work, encode(logs));
      worker->given = std::move(logs);
    }
  }

  /// One that has much gives to one that has nothing.
  void askForWork() {
    bool needed =
        std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return w->idle; });
    bool coming =
        std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return w->asked; });
    if (!needed || coming || !queue_.empty()) return;
    WorkerProcess *richest = nullptr;
    for (auto &worker : workers_)
      if (!worker->idle && (!richest || worker->stats.liveStates > richest->stats.liveStates))
        richest = worker.get();
    if (!richest) return;
    richest->asked = true;
    richest->channel.send(MessageKind::Share);
  }

  // --- taking in
  // -----------------------------------------------------------------------------------------------
  void receive() {
    std::vector<pollfd> fds;
    for (auto &worker : workers_) fds.push_back({worker->channel.fd(), POLLIN, 0});
    if (poll(fds.data(), fds.size(), 20) < 0 && errno != EINTR) return;
    std::vector<WorkerProcess *> gone;
    for (auto &worker : workers_) {
      while (std::optional<Message> message = worker->channel.receive(/*wait=*/false))
        handle(*worker, *message);
      if (worker->channel.closed() && !worker->final) gone.push_back(worker.get());
    }
    for (WorkerProcess *worker : gone) lost(*worker);
  }

  void handle(WorkerProcess &worker, const Message &message) {
    switch (message.kind) {
    case MessageKind::Test: {
      TestCase test;
      if (!decode(message.body, test) || !paths_.insert(test.path).second) break;
      sinkFailed_ |= !sinkFailed_ && !sink_.onTest(test);
      break;
    }
    case MessageKind::Bug: {
      Bug bug;
      if (!decode(message.body, bug)) break;
      sinkFailed_ |= !sinkFailed_ && !sink_.onBug(bug);
      if (options_.stopAtFirstBug) end(StopReason::FirstBug);
      break;
    }
    case MessageKind::Echo:
      if (!message.body.empty()) sink_.onEcho(message.body[0], message.body.substr(1));
      break;
    case MessageKind::Progress: {
      decode(message.body, worker.stats);
      if (options_.maxInstructions && total().instructions >= options_.maxInstructions)
        end(StopReason::MaxInstructions);
      break;
    }
    case MessageKind::Covered: {
      std::vector<uint32_t> covered;
      if (!decode(message.body, covered)) break;
      note(covered);
      for (auto &other : workers_)
        if (other.get() != &worker && !other->final)
          other->channel.send(MessageKind::Covered, message.body);
      break;
    }
    case MessageKind::Given: {
      std::vector<std::string> logs;
      worker.asked = false;
      if (decode(message.body, logs)) queue_.insert(queue_.end(), logs.begin(), logs.end());
      break;
    }
    case MessageKind::Idle: {
      std::vector<uint32_t> unfinished;
      worker.idle = true;
      worker.given.clear();
      if (decode(message.body, unfinished) && unfinished.size() == 2 && unfinished[0])
        end(static_cast<StopReason>(unfinished[1]));
      break;
    }
    case MessageKind::Final:
      decode(message.body, result_.ledger);
      worker.final = true;
      break;
    default: break;
    }
  }

  void note(const std::vector<uint32_t> &covered) {
    for (uint32_t what : covered) {
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
    result_.stats.stop = reason;
    for (auto &worker : workers_) worker->channel.send(MessageKind::Stop);
  }

  /// Everybody hands in what is left.
  void collect() {
    stopping_ = true;
    for (auto &worker : workers_) worker->channel.send(MessageKind::Finish);
    auto deadline = solver::Clock::now() + kGrace;
    while (std::any_of(workers_.begin(), workers_.end(), [](const auto &w) { return !w->final; }) &&
           solver::Clock::now() < deadline)
      receive();
    for (auto &worker : workers_) {
      if (!worker->final) {
        kill(worker->pid, SIGKILL);
        result_.ledger.add("dropped-state", "", "a worker process did not end in time",
                           std::max<uint64_t>(1, worker->stats.liveStates));
      }
      waitpid(worker->pid, nullptr, 0);
    }
    if (!queue_.empty())
      result_.ledger.add(
          "dropped-state", "",
          fmt::format("unfinished when the exploration ended: {}", text(result_.stats.stop)),
          queue_.size());
  }

  Stats total() const {
    Stats sum;
    for (const Stats &s : past_) add(sum, s);
    for (auto &worker : workers_) add(sum, worker->stats);
    sum.wallSeconds = std::chrono::duration<double>(solver::Clock::now() - started_).count();
    sum.branchesCovered =
        static_cast<uint64_t>(std::count(sideCover_.begin(), sideCover_.end(), 1));
    sum.branchesTotal = program_.ownBranchSides;
    return sum;
  }

  void tellStatus() {
    auto now = solver::Clock::now();
    if (now < nextStatus_) return;
    nextStatus_ = now + kStatus;
    sink_.onProgress(total());
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
  ExploreResult result_;
  solver::Clock::time_point started_, nextStatus_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  std::deque<std::string> queue_;                     ///< logs that nobody works on
  std::unordered_map<std::string, unsigned> crashes_; ///< per log that a worker had when it crashed
  std::unordered_set<uint64_t> paths_;                ///< that have a test
  std::vector<Stats> past_;                           ///< of workers that crashed
  std::vector<uint8_t> cover_, sideCover_;
  bool stopping_ = false, sinkFailed_ = false;
};

} // namespace

ExploreResult coordinate(const program::Program &program, const ExploreOptions &options,
                         ResultSink &sink, const std::atomic<bool> &stop) {
  return Coordinator(program, options, sink, stop).run();
}

} // namespace fathom::explore
