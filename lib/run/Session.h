// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a driver tells while it runs, and how it learns that it should end. Results are what it
// returns.
#ifndef FATHOM_RUN_SESSION_H
#define FATHOM_RUN_SESSION_H

#include <atomic>
#include <csignal>
#include <string>

namespace fathom::run {

/// Called from the thread that runs the driver; progress may come from one that the driver starts.
class Observer {
public:
  virtual ~Observer() = default;
  virtual void warn(const std::string &text) {}     ///< something is missing or in doubt
  virtual void note(const std::string &text) {}     ///< for a record of the run
  virtual void verbose(const std::string &text) {}  ///< for readers who want details
  virtual void announce(const std::string &text) {} ///< what begins now
  /// One line about what runs now; it replaces the line before. Comes several times a second.
  virtual void progress(const std::string &line) {}
  virtual void endProgress() {} ///< the last line is out of date
};

/// What ends a driver early. Without signals, `stop` alone decides.
struct Interruption {
  const std::atomic<bool> &stop;
  /// From here on signals set `stop` instead of ending the process. Drivers call it when they begin
  /// to look at it. null: there are none.
  void (*catchSignals)() = nullptr;
  const std::atomic<int> *signal = nullptr; ///< which of them; 0 while `stop` is false

  void begin() const {
    if (catchSignals) catchSignals();
  }
  /// What set `stop`, for messages: "Ctrl-C", "SIGTERM".
  const char *name() const { return signal && *signal == SIGTERM ? "SIGTERM" : "Ctrl-C"; }
};

struct Session {
  Observer &observer;
  Interruption interruption;
};

} // namespace fathom::run
#endif
