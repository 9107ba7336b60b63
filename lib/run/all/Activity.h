// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One part of fathom run in a process of its own, with everything that it starts, and how much
// processor time all of it has used.
#ifndef FATHOM_RUN_ALL_ACTIVITY_H
#define FATHOM_RUN_ALL_ACTIVITY_H

#include "llvm/Support/Error.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fathom::run {

class Activity {
public:
  /// Forks. In the child `work` runs, and what it returns is the exit status; the child gets
  /// SIGTERM when we are gone. Must be called while the process has one thread.
  static llvm::Expected<Activity> start(std::string name, const std::function<int()> &work);
  Activity(Activity &&other) noexcept;
  Activity &operator=(Activity &&) = delete;
  ~Activity(); ///< kills it, with what it has started

  const std::string &name() const { return name_; }
  /// Has it ended? Never waits.
  bool isOver();
  /// How it ended: "" if as it should, or in words.
  std::string failure() const;
  int status() const { return status_; } ///< as waitpid has it

  /// Processor seconds of all its processes since it began, those that have ended included. Cost: a
  /// few files of /proc for each process.
  double processorSeconds();
  /// Asks it to end (SIGTERM), as Ctrl-C would.
  void end();
  /// The same for what does not listen.
  void kill();

private:
  Activity(std::string name, int pid) : name_(std::move(name)), pid_(pid) {}
  std::vector<int> processes() const; ///< parents before their children

  std::string name_;
  int pid_ = -1;
  std::optional<int> ended_;
  int status_ = 0;
  double seconds_ = 0;
};

} // namespace fathom::run
#endif
