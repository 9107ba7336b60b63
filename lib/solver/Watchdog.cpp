// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Watchdog.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace fathom::solver {

struct Watchdog::Shared {
  std::mutex mutex;
  std::condition_variable wake;
  bool armed = false, asleep = false, stop = false, barked = false;
  int armedBy = 0;                ///< the thread
  WorkClock::time_point deadline; ///< on its clock
  WallClock::time_point soonest;  ///< the deadline cannot have passed before
  WallClock::time_point lastUse;
  std::function<void()> bark;
  std::function<bool()> tooMuch;
  std::thread thread;

  /// The other thread's clock is read only when the deadline would have passed without any delay.
  bool isPast(WallClock::time_point now) {
    if (now < soonest) return false;
    const WorkClock::time_point there = WorkClock::ofTask(armedBy);
    if (there >= deadline) return true;
    soonest = now + (deadline - there);
    return false;
  }

  void run() {
    constexpr std::chrono::seconds kQuiet{1};
    std::unique_lock lock(mutex);
    while (!stop) {
      WallClock::time_point now = WallClock::now();
      if (!armed && now - lastUse > kQuiet) {
        asleep = true;
        wake.wait(lock, [this] { return stop || armed; });
        asleep = false;
        continue;
      }
      if (armed && (isPast(now) || (!barked && tooMuch && tooMuch()))) {
        barked = true;
        bark();
        deadline = WorkClock::time_point::min();
        soonest = now + kAgain; // in case it was ignored
      }
      wake.wait_for(lock, kTick, [this] { return stop; });
    }
  }
};

Watchdog::Watchdog() : shared_(new Shared) {
  shared_->lastUse = WallClock::now();
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

void Watchdog::arm(WorkClock::time_point deadline, std::function<void()> bark,
                   std::function<bool()> tooMuch) {
  bool sleeping;
  {
    std::lock_guard lock(shared_->mutex);
    shared_->armed = true;
    shared_->barked = false;
    shared_->armedBy = static_cast<int>(gettid());
    shared_->deadline = deadline;
    shared_->lastUse = WallClock::now();
    const WorkClock::duration left = deadline - WorkClock::work();
    shared_->soonest =
        left < std::chrono::hours(24) ? shared_->lastUse + left : WallClock::time_point::max();
    shared_->bark = std::move(bark);
    shared_->tooMuch = std::move(tooMuch);
    sleeping = shared_->asleep;
  }
  if (sleeping) shared_->wake.notify_all();
}

bool Watchdog::disarm() {
  std::lock_guard lock(shared_->mutex);
  shared_->armed = false;
  shared_->lastUse = WallClock::now();
  return shared_->barked;
}

} // namespace fathom::solver
