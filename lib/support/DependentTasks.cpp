// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/DependentTasks.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

namespace fathom {

namespace {

class Tasks {
public:
  Tasks(const std::vector<std::vector<uint32_t>> &dependsOn,
        const std::function<void(uint32_t)> &run)
      : run_(run), waitsFor_(dependsOn.size()), dependents_(dependsOn.size()) {
    for (uint32_t task = 0; task < dependsOn.size(); task++) {
      waitsFor_[task] = dependsOn[task].size();
      for (const uint32_t before : dependsOn[task]) dependents_[before].push_back(task);
      if (dependsOn[task].empty()) ready_.push(task);
    }
    left_ = dependsOn.size();
  }

  /// What each thread does.
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return !ready_.empty() || !left_; });
      if (!left_) return;
      const uint32_t task = ready_.top();
      ready_.pop();
      lock.unlock();
      run_(task);
      lock.lock();
      left_--;
      for (const uint32_t next : dependents_[task])
        if (--waitsFor_[next] == 0) ready_.push(next);
      changed_.notify_all();
    }
  }

private:
  const std::function<void(uint32_t)> &run_;
  std::vector<size_t> waitsFor_; ///< by task: how many of those it depends on are not done
  std::vector<std::vector<uint32_t>> dependents_;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready_;
  size_t left_ = 0; ///< tasks that are not done
  std::mutex mutex_;
  std::condition_variable changed_;
};

} // namespace

void runTasks(const std::vector<std::vector<uint32_t>> &dependsOn, unsigned threads,
              const std::function<void(uint32_t)> &run) {
  if (threads <= 1) {
    for (uint32_t task = 0; task < dependsOn.size(); task++) run(task);
    return;
  }
  Tasks tasks(dependsOn, run);
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::min<size_t>(threads, dependsOn.size()); i++)
    others.emplace_back([&] { tasks.work(); });
  tasks.work();
  for (std::thread &thread : others) thread.join();
}

} // namespace fathom
