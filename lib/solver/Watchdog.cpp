// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Watchdog.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace fathom::solver {

struct Watchdog::Shared {
  std::mutex mutex;
  std::condition_variable wake;
  bool armed = false, asleep = false, stop = false, barked = false;
  Clock::time_point deadline;
  Clock::time_point lastUse;
  std::function<void()> bark;
  std::function<bool()> tooMuch;
  std::thread thread;

  void run() {
    constexpr std::chrono::seconds kQuiet{1};
    std::unique_lock lock(mutex);
    while (!stop) {
      Clock::time_point now = Clock::now();
      if (!armed && now - lastUse > kQuiet) {
        asleep = true;
        wake.wait(lock, [this] { return stop || armed; });
        asleep = false;
        continue;
      }
      if (armed && (now >= deadline || (!barked && tooMuch && tooMuch()))) {
        barked = true;
        bark();
        deadline = now + kAgain; // in case it was ignored
      }
      wake.wait_for(lock, kTick, [this] { return stop; });
    }
  }
};

Watchdog::Watchdog() : shared_(new Shared) {
  shared_->lastUse = Clock::now();
  shared_->thread = std::thread([s = shared_.get()] { s->run(); });
}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(shared_->mutex);
    shared_->stop = true;
  }
  shared_->wake.notify_all();
  shared_->thread.join();
}

void Watchdog::arm(Clock::time_point deadline, std::function<void()> bark,
                   std::function<bool()> tooMuch) {
  bool sleeping;
  {
    std::lock_guard lock(shared_->mutex);
    shared_->armed = true;
    shared_->barked = false;
    shared_->deadline = deadline;
    shared_->lastUse = Clock::now();
    shared_->bark = std::move(bark);
    shared_->tooMuch = std::move(tooMuch);
    sleeping = shared_->asleep;
  }
  if (sleeping) shared_->wake.notify_all();
}

bool Watchdog::disarm() {
  std::lock_guard lock(shared_->mutex);
  shared_->armed = false;
  shared_->lastUse = Clock::now();
  return shared_->barked;
}

} // namespace fathom::solver
