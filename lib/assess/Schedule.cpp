// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Schedule.h"

#include "native/Process.h"
#include "report/Files.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <thread>

namespace fathom::assess {

using namespace std::chrono;

namespace {

class Scheduler {
public:
  Scheduler(const Study &study, const ScheduleOptions &options)
      : study_(study), options_(options), began_(steady_clock::now()) {
    for (size_t trial : study.pending()) waiting_.push_back({trial, 0});
    status_.total = study.plan().trialCount();
    status_.done = status_.total - waiting_.size();
  }

  ScheduleResult run(const std::function<void(const ScheduleStatus &)> &onProgress,
                     const std::atomic<bool> &stop);

private:
  struct Trial {
    size_t number;
    unsigned attempts;
  };
  struct Running {
    Trial trial;
    native::Child child;
    steady_clock::time_point since;
  };

  void start();
  void reap();
  void endAll();
  void updateStatus();
  std::string logOf(size_t trial) const { return study_.trialFolder(trial) + "/trial.log"; }
  std::string whyOf(size_t trial) const;

  const Study &study_;
  const ScheduleOptions &options_;
  const steady_clock::time_point began_;
  std::deque<Trial> waiting_;
  std::vector<Running> running_;
  ScheduleStatus status_;
  ScheduleResult result_;
  double finishedSeconds_ = 0;
  size_t finished_ = 0; ///< in this session
};

} // namespace

void Scheduler::start() {
  while (running_.size() < options_.jobs && !waiting_.empty()) {
    Trial trial = waiting_.front();
    waiting_.pop_front();
    native::Command command;
    command.program = options_.fathom;
    command.arguments = {
        "fathom", "assess", "-o", study_.folder(), "-q", "--trial", std::to_string(trial.number)};
    command.inheritEnvironment = true;
    const std::string folder = study_.trialFolder(trial.number);
    (void)llvm::sys::fs::create_directories(folder);
    command.stdoutFile = command.stderrFile = logOf(trial.number);
    auto child = native::Child::start(command);
    if (!child) {
      result_.failures.push_back(llvm::toString(child.takeError()));
      continue;
    }
    running_.push_back({trial, std::move(*child), steady_clock::now()});
  }
}

std::string Scheduler::whyOf(size_t trial) const {
  auto text = report::readFile(logOf(trial), uint64_t(1) << 20);
  if (!text) return llvm::toString(text.takeError());
  llvm::StringRef rest = llvm::StringRef(*text).rtrim();
  llvm::StringRef line = rest.substr(rest.rfind('\n') + 1);
  line.consume_front("fathom: ");
  line.consume_front("internal error: ");
  return line.empty() ? study_.trialFolder(trial) + ": ended without a word" : line.str();
}

void Scheduler::reap() {
  for (size_t i = 0; i < running_.size();) {
    Running &run = running_[i];
    if (!run.child.waitFor(milliseconds(0))) {
      ++i;
      continue;
    }
    native::Outcome outcome = run.child.wait();
    const size_t trial = run.trial.number;
    if (study_.isDone(trial)) {
      ++status_.done;
      ++finished_;
      finishedSeconds_ += duration<double>(steady_clock::now() - run.since).count();
    } else if (outcome.ok()) {
      ++result_.busy; // another process runs the trial; this one noticed the lock and left
    } else if (outcome.kind != native::Outcome::Kind::Exited && ++run.trial.attempts < 2) {
      // The trial was killed. One that exits by itself has retried already (runTrial).
      waiting_.push_back(run.trial);
    } else {
      result_.failures.push_back(whyOf(trial));
    }
    running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
  }
}

/// Asks campaigns to end by themselves. One that takes too long is killed, and continues from its
/// unit maps next time.
void Scheduler::endAll() {
  for (const Running &run : running_) ::kill(run.child.pid(), SIGTERM);
  const auto deadline = steady_clock::now() + seconds(10);
  for (Running &run : running_) {
    auto left = duration_cast<milliseconds>(deadline - steady_clock::now());
    run.child.waitFor(std::max(left, milliseconds(0)));
  }
  running_.clear(); // the destructor of Child kills those that still run
}

void Scheduler::updateStatus() {
  status_.running = running_.size();
  status_.failed = result_.failures.size();
  double each = study_.plan().trialSeconds();
  if (finished_) each = finishedSeconds_ / static_cast<double>(finished_);
  status_.secondsLeft = std::nullopt;
  if (each == 0) return;
  double left = each * static_cast<double>(waiting_.size()), longest = 0;
  for (const Running &run : running_) {
    double passed = duration<double>(steady_clock::now() - run.since).count();
    left += std::max(0.0, each - passed);
    longest = std::max(longest, each - passed);
  }
  status_.secondsLeft = std::max(longest, left / options_.jobs);
}

ScheduleResult Scheduler::run(const std::function<void(const ScheduleStatus &)> &onProgress,
                              const std::atomic<bool> &stop) {
  // MAIN LOOP
  while (!waiting_.empty() || !running_.empty()) {
    start();
    std::this_thread::sleep_for(milliseconds(50));
    reap();
    updateStatus();
    if (onProgress) onProgress(status_);
    if (waiting_.empty() && running_.empty()) break; // a bound that is reached now ends nothing
    if (stop) result_.end = ScheduleEnd::Interrupted;
    if (options_.maxTime.count() && steady_clock::now() - began_ >= options_.maxTime)
      result_.end = ScheduleEnd::MaxTime;
    if (result_.end == ScheduleEnd::AllDone) continue;
    endAll();
    return std::move(result_);
  }
  if (!result_.failures.empty()) result_.end = ScheduleEnd::Failed;
  return std::move(result_);
}

ScheduleResult runPending(const Study &study, const ScheduleOptions &options,
                          const std::function<void(const ScheduleStatus &)> &onProgress,
                          const std::atomic<bool> &stop) {
  return Scheduler(study, options).run(onProgress, stop);
}

} // namespace fathom::assess
