// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Triage.h"

#include "campaign/AflFuzz.h"
#include "campaign/Minimize.h"
#include "support/Folder.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace fathom::campaign {

using namespace std::chrono;

namespace {

struct Candidate {
  std::string file;
  bool hangs = false;
};

} // namespace

struct Triage::Impl {
  explicit Impl(TriageOptions o)
      : options(std::move(o)), symbolizer(options.run.program, options.ownFunctions) {}

  const TriageOptions options;
  Symbolizer symbolizer;                    ///< the thread's
  std::set<std::string> keys;               ///< the thread's
  std::map<std::string, unsigned> symptoms; ///< the thread's: how many crashes with each
  std::set<std::string> seenFiles;          ///< the caller's
  std::atomic<bool> stop{false};

  mutable std::mutex mutex; ///< of all below
  std::condition_variable changed;
  std::deque<Candidate> queue;
  std::deque<Crash> found;
  bool isBusy = false;
  TriageCounts counts;
  std::thread thread;

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stop || !queue.empty(); });
      if (stop) return;
      Candidate candidate = std::move(queue.front());
      queue.pop_front();
      isBusy = true;
      lock.unlock();
      std::vector<Crash> crashes = examine(candidate);
      lock.lock();
      for (Crash &crash : crashes) found.push_back(std::move(crash));
      isBusy = false;
      changed.notify_all();
    }
  }

  /// Nothing when it does not happen again, was seen before, or cannot be run: the input stays
  /// where afl-fuzz has put it. Several: that may all be what it comes of.
  std::vector<Crash> examine(const Candidate &candidate) {
    llvm::Expected<Crash> crash =
        candidate.hangs ? examineHang(candidate.file, options.run, symbolizer, &stop)
                        : examineCrash(candidate.file, options.run, symbolizer, &stop);
    if (stop) {
      llvm::consumeError(crash.takeError()); // it waits for the next session
      return {};
    }
    if (!crash) {
      std::lock_guard lock(mutex);
      ++counts.failed;
      counts.failure = llvm::toString(crash.takeError());
      return {};
    }
    if (!crash->signal && !crash->hangs) {
      std::lock_guard lock(mutex);
      ++counts.vanished;
      return {};
    }
    if (symptoms[crash->symptom()]++ >= mostOf(*crash)) return {};
    crash->found = candidate.file;
    std::vector<Crash> out;
    for (Crash &one : diagnosed(*crash)) {
      if (stop || !keys.insert(one.key()).second) continue;
      if (!one.hangs) minimize(one);
      out.push_back(std::move(one));
    }
    return out;
  }

  bool isForDiagnosis(const Crash &crash) const {
    return options.diagnose && !crash.isStackOverflow && (crash.isFault() || crash.isHeapBroken);
  }

  /// How many crashes with one symptom are diagnosed: different errors can end in the same access.
  /// The place where the allocator notices a broken heap says little about the code that broke it,
  /// and a broken stack says nothing.
  unsigned mostOf(const Crash &crash) const {
    constexpr unsigned kClosely = 20, kSomewhat = 5;
    const bool saysWhere =
        !crash.isHeapBroken &&
        llvm::any_of(crash.stack, [](const evidence::StackFrame &f) { return f.own; });
    return !isForDiagnosis(crash) ? 1 : saysWhere ? kSomewhat : kClosely;
  }

  /// The crash with each diagnosis; or as it is, where there is none.
  std::vector<Crash> diagnosed(const Crash &crash) {
    std::vector<Crash> out;
    if (isForDiagnosis(crash))
      for (Diagnosis &diagnosis : options.diagnose(crash, &stop))
        out.emplace_back(crash).diagnosis = std::move(diagnosis);
    if (out.empty()) out.push_back(crash);
    return out;
  }

  void minimize(Crash &crash) {
    const std::string file = options.run.scratch + "/candidate", key = crash.key(),
                      symptom = crash.symptom();
    std::optional<Crash> smaller;
    auto isSame = [&](const std::string &input) {
      std::ofstream(file, std::ios::binary | std::ios::trunc) << input;
      llvm::Expected<Crash> again = examineCrash(file, options.run, symbolizer, &stop);
      if (!again) {
        llvm::consumeError(again.takeError());
        return false;
      }
      if (stop || again->symptom() != symptom) return false;
      smaller = std::move(*again);
      return true;
    };
    minimizeInput(crash.input, isSame, options.minimizeRuns);
    if (!smaller) return;
    smaller->found = crash.found;
    // Address and words of the smaller one, not only its bytes; unless it is another bug with the
    // same symptom.
    if (!crash.diagnosis) {
      crash = std::move(*smaller);
      return;
    }
    for (Crash &one : diagnosed(*smaller))
      if (one.key() == key) {
        crash = std::move(one);
        return;
      }
  }
};

Triage::Triage(TriageOptions options) : impl_(new Impl(std::move(options))) {
  impl_->thread = std::thread([this] { impl_->work(); });
}

Triage::~Triage() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->stop = true;
  }
  impl_->changed.notify_all();
  impl_->thread.join();
}

void Triage::look() {
  // By name, because afl-fuzz moves them to crashes.DATE when it goes on after an end.
  std::map<std::string, Candidate> files;
  for (unsigned i = 0; i < impl_->options.instances; ++i) {
    std::error_code none;
    const std::string instance = fmt::format("{}/{}", impl_->options.aflFolder, instanceName(i));
    for (auto &folder : entriesOf(instance, none)) {
      const std::string kind = folder.path().filename().string();
      const bool hangs = kind.starts_with("hangs");
      if (!hangs && !kind.starts_with("crashes")) continue;
      for (auto &entry : entriesOf(folder.path(), none))
        if (std::string name = entry.path().filename().string(); name.starts_with("id:"))
          files.emplace(fmt::format("{} {} {}", hangs, i, name),
                        Candidate{entry.path().string(), hangs});
    }
  }
  for (auto &[name, candidate] : files)
    if (impl_->seenFiles.insert(name).second) add(candidate.file, candidate.hangs);
}

void Triage::add(const std::string &file, bool hangs) {
  {
    std::lock_guard lock(impl_->mutex);
    ++(hangs ? impl_->counts.hanging : impl_->counts.crashing);
    // Crashes first: they take less time.
    if (hangs)
      impl_->queue.push_back({file, hangs});
    else
      impl_->queue.push_front({file, hangs});
  }
  impl_->changed.notify_all();
}

bool Triage::take(Crash &crash) {
  std::lock_guard lock(impl_->mutex);
  if (impl_->found.empty()) return false;
  crash = std::move(impl_->found.front());
  impl_->found.pop_front();
  return true;
}

void Triage::finish(milliseconds patience) {
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait_for(lock, patience, [&] { return impl_->queue.empty() && !impl_->isBusy; });
}

TriageCounts Triage::counts() const {
  std::lock_guard lock(impl_->mutex);
  TriageCounts counts = impl_->counts;
  counts.waiting = impl_->queue.size() + impl_->isBusy;
  return counts;
}

} // namespace fathom::campaign
