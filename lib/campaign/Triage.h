// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at the inputs that afl-fuzz keeps because they crash or hang, on a thread of its own: an
// input that hangs takes seconds, in which the sampling units have to go on.
//
//   Triage triage(options);               // starts
//   triage.look();                        // every now and then: are there new files?
//   while (triage.take(crash)) report(crash);
//   triage.finish(30s);                   // waits for what was found
#ifndef FATHOM_CAMPAIGN_TRIAGE_H
#define FATHOM_CAMPAIGN_TRIAGE_H

#include "campaign/Crash.h"

#include <chrono>
#include <memory>
#include <string>

namespace fathom::campaign {

struct TriageOptions {
  CrashRun run;                       ///< `scratch` is used by the thread alone
  std::set<std::string> ownFunctions; ///< the program's
  Diagnose diagnose;                  ///< for signals that memory errors may end in; may be empty
  std::string aflFolder;              ///< of all instances
  unsigned instances = 1;
  uint64_t minimizeRuns = 600; ///< for each new crash; hangs are not minimised
};

struct TriageCounts {
  uint64_t crashing = 0, hanging = 0; ///< inputs that afl-fuzz has kept
  uint64_t waiting = 0;               ///< of these, not looked at yet
  uint64_t vanished = 0;              ///< of these, end by themselves when they run alone
  uint64_t failed = 0;                ///< of these, could not be run
  std::string failure;                ///< why the last of them could not
};

class Triage {
public:
  explicit Triage(TriageOptions options);
  Triage(const Triage &) = delete;
  Triage &operator=(const Triage &) = delete;
  ~Triage(); ///< leaves what waits; it is looked at when the campaign goes on

  /// Queues files that were not there before.
  void look();
  void add(const std::string &file, bool hangs);
  /// A crash or hang whose key is new, minimised. False: none now.
  bool take(Crash &crash);
  /// Waits until nothing waits, but not longer than this.
  void finish(std::chrono::milliseconds patience);
  TriageCounts counts() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace fathom::campaign
#endif
