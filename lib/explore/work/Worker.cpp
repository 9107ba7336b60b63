// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/Worker.h"

#include "explore/work/Explorer.h"
#include "explore/work/RemoteHost.h"

#include <csignal>
#include <deque>

namespace fathom::explore {

namespace {

/// Set by a signal of the coordinator: also a solver call that takes long is to end.
std::atomic<bool> gStop{false};

class Worker final : ResultSink {
public:
  Worker(const program::Program &program, ExploreOptions options, Channel channel,
         Announcements &announce)
      : channel_(std::move(channel)), remoteHost_(channel_, early_),
        options_(prepared(std::move(options))), explorer_(program, options_, *this, gStop) {
    isolation_.running = &announce.query;
    explorer_.announceIn(&announce.path);
  }

  void run() {
    if (options_.countsSteps) counting_.emplace();
    std::string error;
    if (!explorer_.start(error)) {
      channel_.send(MessageKind::Failed, error);
      return;
    }
    while (!finished_) {
      std::optional<Message> message = receive(/*wait=*/true);
      if (!message) return; // the coordinator is gone
      handle(*message);
      if (finishing_) finish();
      if (message->kind != MessageKind::Work) continue;
      explorer_.explore([this] { listen(); });
      if (owed_) giveAway(0); // it has nothing
      if (!explorer_.error().empty()) {
        channel_.send(MessageKind::Failed, explorer_.error());
        return;
      }
      tellProgress();
      tellFrontier();
      idle_ = true;
      channel_.send(MessageKind::Idle,
                    encode(std::vector<uint32_t>{static_cast<uint32_t>(explorer_.stopReason())}));
      if (finishing_) finish();
    }
  }

private:
  bool onTest(const TestCase &test) override {
    const std::string body = encode(test);
    // Tests without new coverage can wait: users do not look at the folder for them.
    return test.coversNew ? channel_.send(MessageKind::Test, body)
                          : channel_.sendSoon(MessageKind::Test, body);
  }
  bool onInput(const TestCase &test) override {
    return channel_.send(MessageKind::Input, encode(test));
  }
  bool onBug(const Bug &bug) override { return channel_.send(MessageKind::Bug, encode(bug)); }
  void onEcho(int fd, const std::string &data) override {
    channel_.send(MessageKind::Echo, std::string(1, static_cast<char>(fd)) + data);
  }
  void onProgress(const Stats &) override { tellProgress(); }

  std::optional<Message> receive(bool wait) {
    if (early_.empty()) return channel_.receive(wait);
    Message message = std::move(early_.front());
    early_.pop_front();
    return message;
  }

  void tellProgress() {
    channel_.send(MessageKind::Progress, encode(explorer_.statistics()));
    tellCovered();
  }

  void tellCovered() {
    if (std::vector<uint32_t> covered = explorer_.takeCovered(); !covered.empty())
      channel_.send(MessageKind::Covered, encode(covered));
  }

  WorkerSnapshot snapshot() {
    tellCovered(); // it belongs to what was found before
    const auto started = WallClock::now();
    WorkerSnapshot made{explorer_.statistics(), explorer_.ledger(), explorer_.frontier(), works_};
    made.nanoseconds =
        static_cast<uint64_t>(std::chrono::nanoseconds(WallClock::now() - started).count());
    return made;
  }

  void tellFrontier() { channel_.send(MessageKind::Frontier, encode(snapshot())); }

  /// A worker is idle: gives paths away as soon as there are two.
  void share(size_t most) {
    if (idle_ || explorer_.unfinished() > 1) return giveAway(most);
    owed_ = most;
    explorer_.listenAtFork();
  }

  void giveAway(size_t most) {
    owed_ = 0;
    GivenAway given;
    given.paths = encode(explorer_.giveAway(most, given.identities));
    tellCovered(); // on the way there, too
    channel_.send(MessageKind::Given, encode(given));
  }

  void listen() {
    if (owed_ && explorer_.unfinished() > 1) giveAway(owed_);
    channel_.handOver();
    while (std::optional<Message> message = receive(/*wait=*/false)) handle(*message);
    while (isResting_ && !channel_.closed())
      if (std::optional<Message> message = receive(/*wait=*/true)) handle(*message);
    if (channel_.closed()) gStop = true;
  }

  void handle(const Message &message) {
    switch (message.kind) {
    case MessageKind::Work: {
      std::vector<PathPrefix> paths;
      works_++;
      if (!decode(message.body, paths)) break;
      for (PathPrefix &path : paths) explorer_.add(std::move(path));
      idle_ = false;
      break;
    }
    case MessageKind::Share: {
      std::vector<uint64_t> most;
      share(decode(message.body, most) && most.size() == 1 ? most[0] : 1);
      break;
    }
    case MessageKind::Elsewhere: {
      std::vector<uint64_t> paths;
      if (!decode(message.body, paths) || paths.empty()) break;
      const auto number = static_cast<uint32_t>(paths[0]);
      explorer_.leaveOut(number, {paths.begin() + 1, paths.end()});
      break;
    }
    case MessageKind::Avoid: {
      std::vector<uint64_t> hashes;
      if (decode(message.body, hashes))
        for (uint64_t hash : hashes) explorer_.avoid(hash);
      break;
    }
    case MessageKind::Isolate: {
      std::vector<uint64_t> hashes;
      if (!decode(message.body, hashes)) break;
      isolation_.isolated.insert(hashes.begin(), hashes.end());
      isolation_.all |= hashes.empty();
      break;
    }
    case MessageKind::Limit: {
      std::vector<uint64_t> bytes;
      if (decode(message.body, bytes) && bytes.size() == 1) explorer_.limitMemory(bytes[0]);
      break;
    }
    case MessageKind::Snapshot: tellFrontier(); break;
    case MessageKind::Covered: {
      std::vector<uint32_t> covered;
      if (decode(message.body, covered)) explorer_.noteCovered(covered);
      break;
    }
    case MessageKind::Uncovered: {
      std::vector<uint32_t> covered;
      if (decode(message.body, covered)) explorer_.forgetCovered(covered);
      break;
    }
    case MessageKind::Rest: isResting_ = true; break;
    case MessageKind::GoOn: isResting_ = false; break;
    case MessageKind::Stop:
      gStop = true;
      isResting_ = false;
      break;
    case MessageKind::Finish: {
      isResting_ = false;
      std::vector<uint32_t> why;
      if (decode(message.body, why) && why.size() == 1) why_ = static_cast<StopReason>(why[0]);
      finishing_ = true; // after the states have stopped
      break;
    }
    default: break;
    }
  }

  void finish() {
    if (!idle_) tellFrontier(); // before partial tests end its paths; when idle it has been told
    ExploreResult result = explorer_.finish(why_);
    channel_.send(MessageKind::Progress, encode(result.stats));
    tellCovered();
    channel_.send(MessageKind::Final, encode(result.ledger));
    finished_ = true;
  }

  /// Before the explorer is made of it.
  ExploreOptions prepared(ExploreOptions options) {
    options.solver.stop = &gStop;
    options.solver.isolation = &isolation_;
    if (options.seesRemoteHost) options.host = &remoteHost_;
    return options;
  }

  solver::Isolation isolation_;
  Channel channel_;
  std::deque<Message> early_; ///< came while an answer of the host was waited for
  RemoteHost remoteHost_;
  ExploreOptions options_;
  size_t owed_ = 0;                          ///< paths that were asked for when there was one
  uint64_t works_ = 0;                       ///< messages Work that have come
  StopReason why_ = StopReason::Interrupted; ///< the exploration ends
  std::optional<WorkClock::CountsSteps> counting_;
  bool isResting_ = false;
  bool idle_ = true, finishing_ = false, finished_ = false;
  Explorer explorer_; // last: it refers to the others
};

} // namespace

void work(const program::Program &program, ExploreOptions options, Channel channel,
          Announcements &announce) {
  signal(kInterruptWorker, [](int) { gStop = true; });
  // Never destroyed: the process ends, and taking a million states apart takes its time.
  (new Worker(program, std::move(options), std::move(channel), announce))->run();
}

} // namespace fathom::explore
