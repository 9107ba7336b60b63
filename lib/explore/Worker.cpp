// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Worker.h"

#include "explore/Explorer.h"

namespace fathom::explore {

namespace {

/// States that are given away at once: each costs the other side the way there.
constexpr size_t kMostGiven = 32;

class Worker final : ResultSink {
public:
  Worker(const program::Program &program, const ExploreOptions &options, Channel channel)
      : channel_(std::move(channel)), explorer_(program, options, *this, stop_) {}

  void run() {
    std::string error;
    if (!explorer_.start(error)) return;
    while (!finished_) {
      std::optional<Message> message = channel_.receive(/*wait=*/true);
      if (!message) return; // the coordinator is gone
      handle(*message);
      if (finishing_) finish();
      if (message->kind != MessageKind::Work) continue;
      explorer_.explore([this] { listen(); });
      tellProgress();
      // With states left a budget has ended.
      channel_.send(MessageKind::Idle,
                    encode(std::vector<uint32_t>{explorer_.liveStates() > 0,
                                                 static_cast<uint32_t>(explorer_.stopReason())}));
      if (finishing_) finish();
    }
  }

private:
  bool onTest(const TestCase &test) override {
    return channel_.send(MessageKind::Test, encode(test));
  }
  bool onBug(const Bug &bug) override { return channel_.send(MessageKind::Bug, encode(bug)); }
  void onEcho(int fd, const std::string &data) override {
    channel_.send(MessageKind::Echo, std::string(1, static_cast<char>(fd)) + data);
  }
  void onProgress(const Stats &) override { tellProgress(); }

  void tellProgress() {
    channel_.send(MessageKind::Progress, encode(explorer_.statistics()));
    if (std::vector<uint32_t> covered = explorer_.takeCovered(); !covered.empty())
      channel_.send(MessageKind::Covered, encode(covered));
  }

  void listen() {
    while (std::optional<Message> message = channel_.receive(/*wait=*/false)) handle(*message);
    if (channel_.closed()) stop_ = true;
  }

  void handle(const Message &message) {
    switch (message.kind) {
    case MessageKind::Work: {
      std::vector<std::string> logs;
      std::string error;
      if (!decode(message.body, logs)) break;
      for (const std::string &log :
           logs) // a path that cannot be followed again is counted as dropped
        if (!explorer_.add(log, error)) lost_.add("dropped-state", "", error);
      break;
    }
    case MessageKind::Share:
      channel_.send(MessageKind::Given, encode(explorer_.giveAway(kMostGiven)));
      break;
    case MessageKind::Covered: {
      std::vector<uint32_t> covered;
      if (decode(message.body, covered)) explorer_.noteCovered(covered);
      break;
    }
    case MessageKind::Stop: stop_ = true; break;
    case MessageKind::Finish:
      finishing_ = true; // after the states have stopped
      break;
    default: break;
    }
  }

  void finish() {
    ExploreResult result = explorer_.finish();
    for (const auto &[key, count] : lost_.entries())
      result.ledger.add(key.category, key.location, key.detail, count);
    channel_.send(MessageKind::Progress, encode(result.stats));
    if (std::vector<uint32_t> covered = explorer_.takeCovered(); !covered.empty())
      channel_.send(MessageKind::Covered, encode(covered));
    channel_.send(MessageKind::Final, encode(result.ledger));
    finished_ = true;
  }

  Channel channel_;
  std::atomic<bool> stop_{false};
  Ledger lost_;
  bool finishing_ = false, finished_ = false;
  Explorer explorer_; // last: it refers to the others
};

} // namespace

void work(const program::Program &program, const ExploreOptions &options, Channel channel) {
  Worker(program, options, std::move(channel)).run();
}

} // namespace fathom::explore
