// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/RemoteWorker.h"

#include "explore/work/Greeting.h"
#include "explore/work/MemoryBudget.h"
#include "explore/work/WorkerProcess.h"

#include "fmt/format.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <poll.h>
#include <vector>

namespace fathom::explore {

namespace {

constexpr std::chrono::seconds kAlive{1};
constexpr std::chrono::milliseconds kSeatWatch{50}, kSeatTurn{20};
constexpr int kSeatPollMs = 20;
/// For the coordinator to answer, which may have a thousand workers to greet.
constexpr std::chrono::minutes kToAnswer{10};
/// More than that is not taken from a worker before the network has taken it.
constexpr size_t kMaxUnsent = 8 << 20;
constexpr std::chrono::seconds kToTellLoss{10};

/// One worker and its connection.
struct Seat {
  Channel up{-1};
  std::unique_ptr<WorkerProcess> worker;
  WallClock::time_point stopAsked{}, nextAlive{};
  bool isFinishing = false, isFinal = false;
};

class Server {
public:
  Server(const ServeOptions &options, const std::atomic<bool> &stop)
      : options_(options), stop_(stop), memory_(options.maxMemoryBytes, options.jobs),
        seats_(options.jobs) {}

  ServeResult run() {
    while (!result_) {
      for (Seat &seat : seats_)
        if (!seat.worker && !result_ && !sit(seat)) break;
      wait();
      for (Seat &seat : seats_)
        if (seat.worker && !result_) passOn(seat);
      watch();
      if (stop_) end(Served::Stopped, "");
    }
    for (Seat &seat : seats_)
      if (seat.worker) seat.worker->endAndForget();
    return *result_;
  }

private:
  bool end(Served how, std::string why) {
    if (!result_) result_ = {how, std::move(why)};
    return false;
  }

  /// The next message of the coordinator while nothing else goes on here; none: the end.
  std::optional<Message> next(Channel &up) {
    const auto until = WallClock::now() + kToAnswer;
    while (!stop_) {
      up.flush();
      if (std::optional<Message> message = up.receive(/*wait=*/false)) {
        if (message->kind == MessageKind::Over) return end(Served::Ended, ""), std::nullopt;
        if (message->kind == MessageKind::Refused)
          return end(Served::Refused, message->body), std::nullopt;
        return message;
      }
      if (up.closed()) return end(Served::Gone, "it closed the connection"), std::nullopt;
      if (WallClock::now() > until) return end(Served::Gone, "it does not answer"), std::nullopt;
      pollfd fd{up.fd(), static_cast<short>(POLLIN | (up.pending() ? POLLOUT : 0)), 0};
      poll(&fd, 1, kSeatPollMs);
    }
    end(Served::Stopped, "");
    return std::nullopt;
  }

  /// Connects, greets, and starts a worker. False: the end.
  bool sit(Seat &seat) {
    std::string error;
    seat = {};
    const int fd = native::connectTo(options_.coordinator, error);
    if (fd < 0) return end(name_.empty() ? Served::Unreachable : Served::Gone, std::move(error));
    seat.up = Channel(fd);
    if (!greet(seat.up)) return false;
    seat.up.post(MessageKind::Ready, encode(std::vector<uint64_t>{served_.fingerprint}));
    std::vector<uint64_t> left;
    const std::optional<Message> start = next(seat.up);
    if (!start) return false;
    if (start->kind != MessageKind::Start || !decode(start->body, left) || left.size() != 1)
      return end(Served::Refused, "it spoke out of turn");
    return work(seat, std::chrono::milliseconds(left[0]));
  }

  /// Until the program is there.
  bool greet(Channel &up) {
    const Hello hello{kWorkerMagic, options_.build, makeNonce(), name_};
    up.post(MessageKind::Hello, encode(hello));
    const std::optional<Message> answer = next(up);
    Challenge challenge;
    if (!answer) return false;
    if (answer->kind != MessageKind::Challenge || !decode(answer->body, challenge))
      return end(Served::Refused, "it is no coordinator of Fathom");
    if (!isSame(challenge.proof,
                proofOf(options_.key, kCoordinatorRole, hello.nonce, challenge.nonce))) {
      up.post(MessageKind::Proof, "another"); // so that it says so there, too
      return end(Served::Refused, "it has another key");
    }
    up.post(MessageKind::Proof, proofOf(options_.key, kWorkerRole, challenge.nonce, hello.nonce));
    const std::optional<Message> program = next(up);
    Parcel parcel;
    if (!program) return false;
    if (program->kind != MessageKind::Program || !decode(program->body, parcel))
      return end(Served::Refused, "it spoke out of turn");
    if (!name_.empty()) return true;
    std::string error;
    if (!options_.load(parcel.body, served_, error)) {
      up.send(MessageKind::Failed, error);
      return end(Served::Refused, error);
    }
    name_ = parcel.name;
    return true;
  }

  bool work(Seat &seat, std::chrono::milliseconds left) {
    ExploreOptions own = served_.options;
    own.maxTime = left;
    own.seesRemoteHost = true;
    own.maxMemoryBytes = memory_.workerBytes();
    own.solver.z3MemoryMb = memory_.solverMb();
    auto inChild = [this] {
      for (Seat &other : seats_) { // the connections of the others are not ours
        other.up = Channel(-1);
        if (other.worker) other.worker->channel = Channel(-1);
      }
    };
    auto worker = std::make_unique<WorkerProcess>();
    std::string error;
    if (!worker->start(*served_.program, own, inChild, error)) return end(Served::Refused, error);
    seat.worker = std::move(worker);
    return true;
  }

  void wait() {
    std::vector<pollfd> fds;
    for (Seat &seat : seats_) {
      if (!seat.worker) continue;
      fds.push_back(
          {seat.up.fd(), static_cast<short>(POLLIN | (seat.up.pending() ? POLLOUT : 0)), 0});
      Channel &down = seat.worker->channel;
      fds.push_back({down.fd(),
                     static_cast<short>((hasRoom(seat) && !down.closed() ? POLLIN : 0) |
                                        (down.pending() ? POLLOUT : 0)),
                     0});
    }
    poll(fds.data(), fds.size(), kSeatPollMs);
  }

  static bool hasRoom(const Seat &seat) { return seat.up.pendingBytes() < kMaxUnsent; }

  void passOn(Seat &seat) {
    const auto now = WallClock::now();
    seat.up.flush();
    seat.worker->channel.flush();
    while (std::optional<Message> message = seat.up.receive(/*wait=*/false)) down(seat, *message);
    if (seat.up.closed()) {
      if (seat.isFinishing) {
        end(Served::Ended, "");
        return;
      }
      // The coordinator is gone, or takes this worker for lost: connecting again will tell.
      seat.worker->endAndForget();
      seat.worker.reset();
      return;
    }
    while (hasRoom(seat) && WallClock::now() < now + kSeatTurn) {
      const std::optional<Message> message = seat.worker->channel.receive(/*wait=*/false);
      if (!message) break;
      seat.worker->heard(now);
      seat.worker->idle = message->kind == MessageKind::Idle;
      seat.isFinal |= message->kind == MessageKind::Final || message->kind == MessageKind::Failed;
      seat.up.post(message->kind, message->body);
    }
    if (seat.worker->channel.closed() && !seat.isFinal) tellLoss(seat);
  }

  void down(Seat &seat, const Message &message) {
    WorkerProcess &worker = *seat.worker;
    switch (message.kind) {
    case MessageKind::Work: worker.idle = false; break;
    case MessageKind::Stop: // it may be in the solver, where it does not listen
      worker.interrupt();
      seat.stopAsked = WallClock::now();
      break;
    case MessageKind::Rest: worker.isResting = true; break;
    case MessageKind::GoOn: worker.isResting = false; break;
    case MessageKind::Finish: seat.isFinishing = true; break;
    default: break;
    }
    worker.channel.post(message.kind, message.body);
  }

  /// The coordinator closes the connection when it knows, or we do: then there is another worker.
  void tellLoss(Seat &seat) {
    int status = 0;
    seat.worker->reap(status);
    seat.up.post(MessageKind::Lost, encode(seat.worker->ended(status)));
    const auto until = WallClock::now() + kToTellLoss;
    while (seat.up.pending() && WallClock::now() < until) {
      pollfd fd{seat.up.fd(), POLLOUT, 0};
      poll(&fd, 1, kSeatPollMs);
      seat.up.flush();
    }
    seat.worker.reset();
    if (seat.isFinishing) end(Served::Ended, "");
  }

  void watch() {
    const auto now = WallClock::now();
    if (now < nextWatch_) return;
    if (now > nextWatch_ + kSeatAway) judgeFrom_ = now + kSeatAway; // this process was stopped
    nextWatch_ = now + kSeatWatch;
    for (Seat &seat : seats_) {
      if (!seat.worker) continue;
      WorkerProcess &worker = *seat.worker;
      if (now >= seat.nextAlive) {
        seat.nextAlive = now + kAlive;
        const auto ms = static_cast<uint64_t>(1000 * std::max(worker.querySeconds(), 0.0));
        seat.up.post(MessageKind::Alive, encode(std::vector<uint64_t>{ms}));
      }
      if (now < judgeFrom_ || seat.isFinal) continue;
      worker.hung = worker.overdue(now, seat.stopAsked);
      if (worker.hung || (!worker.isResting && worker.stuck(now, seat.isFinishing))) worker.end();
    }
    shareMemory();
  }

  void shareMemory() {
    if (!memory_.due()) return;
    std::vector<int> pids;
    for (Seat &seat : seats_)
      if (seat.worker) pids.push_back(seat.worker->pid);
    memory_.look(pids);
    for (Seat &seat : seats_)
      if (seat.worker)
        seat.worker->channel.post(MessageKind::Limit,
                                  encode(std::vector<uint64_t>{memory_.workerBytes()}));
  }

  static constexpr std::chrono::seconds kSeatAway{2}; ///< see Coordinator::watch
  const ServeOptions &options_;
  const std::atomic<bool> &stop_;
  MemoryBudget memory_;
  std::vector<Seat> seats_;
  std::string name_; ///< Parcel::name of what was loaded; "": nothing yet
  ServedProgram served_;
  std::optional<ServeResult> result_;
  WallClock::time_point nextWatch_ = WallClock::now(), judgeFrom_{};
};

} // namespace

ServeResult serve(const ServeOptions &options, const std::atomic<bool> &stop) {
  return Server(options, stop).run();
}

} // namespace fathom::explore
