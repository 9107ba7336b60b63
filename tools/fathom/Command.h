// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every subcommand of `fathom` shares: its registration, the common options, how it fails and
// what it prints.
#ifndef FATHOM_TOOLS_COMMAND_H
#define FATHOM_TOOLS_COMMAND_H

#include "ProgressLine.h"

#include "run/InputFiles.h"
#include "run/Installation.h"
#include "run/Limits.h"
#include "run/Session.h"

#include <CLI/CLI.hpp>
#include <llvm/Support/Error.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fathom::tool {

/// Exit statuses of the contract.
enum ExitStatus { kDone = 0, kFindings = 1, kUsage = 2, kInternal = 3, kInterrupted = 130 };

/// Wrong usage or unusable input: one line, which main() prints; exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Our own failure; exit status 3.
struct InternalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// What a driver of lib/run returned; its failure is thrown: UsageError or InternalError.
void orThrow(llvm::Error error);
template <class T> T orThrow(llvm::Expected<T> value) {
  if (!value) orThrow(value.takeError());
  return std::move(*value);
}

using run::Installation;

/// Messages for the user on stderr, and everything in the --log file.
class Log final : public run::Observer {
public:
  enum Level { Quiet, Normal, Verbose };
  ~Log() override;
  void open(const std::string &file);
  void warn(const std::string &text) override;     ///< also with -q
  void note(const std::string &text) override;     ///< only into the file
  void verbose(const std::string &text) override;  ///< with -v
  void announce(const std::string &text) override; ///< without -q
  void progress(const std::string &line) override; ///< without -q
  void endProgress() override;
  Level level = Normal;
  bool showsProgress = true; ///< without -q

private:
  void record(const char *kind, const std::string &text);
  FILE *file_ = nullptr;
  std::optional<ProgressLine> status_; ///< while there is progress
};

/// Options whose value is shown as a number (N, K, I, BYTES) in --help. main() has all of them read
/// by the validator below.
bool takesNaturalNumber(const CLI::Option &option);
/// For options that take a number without a sign: 10k is 10,000 (of BYTES 10,240), likewise M, G
/// and T. maxJobs: of --jobs, which tells its range whatever is wrong with the value.
CLI::Validator naturalNumber(const CLI::Option &option, unsigned maxJobs);

inline constexpr unsigned kMaxJobs = 256;
inline constexpr unsigned kMaxTrialsAtOnce = 1024; ///< --jobs of assess

/// The options that every subcommand has (see docs and --help).
struct CommonOptions {
  std::string output = "fathom-out";
  bool force = false, resume = false, json = false, quiet = false, failOnFindings = false;
  int verbose = 0;
  std::string maxTime, maxMemory, logFile, configFile;
  std::string dismissed;                    ///< --dismissed FILE; empty: found
  bool showsDismissed = false, ids = false; ///< --show-dismissed, --ids
  unsigned jobs = 1;

  void add(CLI::App &app, bool withOutput);
  /// Options of what lists bugs or reports.
  void addDismissals(CLI::App &app);
  std::chrono::milliseconds time() const; ///< 0: no bound
  uint64_t memoryBytes() const;           ///< 0: not given
  run::Limits limits() const;             ///< both, and how they were written
  void checkJobs() const;                 ///< of worker processes; throws UsageError
};

/// One command line, taken apart before CLI11 sees it.
struct Invocation {
  std::vector<std::string> all;       ///< for run.json
  std::vector<std::string> arguments; ///< after "--"
  bool hasSeparator = false;
  /// --sym-arg and the like, in the order in which they were written, in KLEE's form.
  std::vector<std::string> symbolic;
};

struct Context {
  const Invocation &invocation;
  Log &log;
  const std::atomic<bool> &stop; ///< Ctrl-C, or SIGTERM
  /// From here on these signals set `stop` instead of ending the process: to be called by what
  /// looks at it, when it begins to.
  void (*catchInterrupts)();
  const std::atomic<int> &stopSignal; ///< which of them; 0 while `stop` is false

  run::Session session() const { return {log, {stop, catchInterrupts, &stopSignal}}; }
};

/// A subcommand declares its options on `app` and returns what runs when it was chosen.
using Run = std::function<int(Context &)>;
Run declareExplore(CLI::App &app);
Run declareReplay(CLI::App &app);
Run declareTests(CLI::App &app);
Run declareSolve(CLI::App &app);
Run declareFuzz(CLI::App &app);
Run declareEstimate(CLI::App &app);
Run declareSynth(CLI::App &app);
Run declareAssess(CLI::App &app);
Run declareConfirm(CLI::App &app);
Run declareScan(CLI::App &app);
Run declareDiff(CLI::App &app);
Run declareDismiss(CLI::App &app);
Run declareDoctor(CLI::App &app);
Run declarePsp(CLI::App &app);
Run declareRepair(CLI::App &app);
Run declareRun(CLI::App &app);
Run declareReport(CLI::App &app);
Run declareWorker(CLI::App &app);

/// "90s", "10m", "2h", "500ms", "1h30m"; a bare number is seconds. Throws UsageError naming the
/// option.
std::chrono::milliseconds parseDuration(const std::string &option, const std::string &text);
/// "512M", "4G"; a bare number is bytes; powers of 1024.
uint64_t parseSize(const std::string &option, const std::string &text);

using run::absolutePath;

/// Applies -v, -q, --log.
void configureLog(const CommonOptions &options, Log &log);

} // namespace fathom::tool
#endif
