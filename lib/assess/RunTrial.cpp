// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The campaign runs in a process of its own, which holds the trial's lock as well: no other attempt
// begins while a process of an earlier attempt is alive.
#include "assess/RunTrial.h"

#include "native/Process.h"
#include "report/Files.h"

#include "support/TextError.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace fathom::assess {

namespace {

/// Where a campaign stands.
struct Progress {
  bool exists = false;
  uint32_t units = 0; ///< complete ones
};

} // namespace

/// Errors: there is a database, but it cannot be opened. Such a campaign is not started over, which
/// would remove its units.
static llvm::Expected<Progress> progressOf(const std::string &campaign) {
  Progress progress;
  const std::string database = campaign + "/campaign.db";
  if (access(database.c_str(), F_OK) != 0 && errno == ENOENT) return progress;
  auto store = campaign::SqliteStore::open(database, /*readOnly=*/true);
  if (!store && campaign::SqliteStore::isUnfinished(database)) {
    llvm::consumeError(store.takeError());
    return progress;
  }
  if (!store) return store.takeError();
  progress.exists = !store->fact("unit").empty();
  llvm::consumeError(store->forEachUnit(
      [&](const campaign::StoredUnit &unit) { progress.units += unit.complete; }));
  return progress;
}

static native::Command fuzzCommand(const Study &study, size_t trial, const std::string &fathom,
                                   const Progress &progress, bool startOver, int lock) {
  const Plan &plan = study.plan();
  const Subject &subject = plan.subjectOf(trial);
  const std::string program = study.programFolder(subject), folder = study.trialFolder(trial);
  native::Command command;
  command.program = fathom;
  command.arguments = {"fathom",
                       "fuzz",
                       program + "/program.bc",
                       "-q",
                       "-o",
                       folder + "/campaign",
                       "--unit",
                       plan.unit.text(),
                       "--seed",
                       std::to_string(plan.seedOf(trial)),
                       "--max-units",
                       std::to_string(plan.units),
                       "--test-time",
                       plan.testTime,
                       "--test-memory",
                       plan.testMemory};
  auto add = [&](std::vector<std::string> more) {
    command.arguments.insert(command.arguments.end(), more.begin(), more.end());
  };
  if (subject.hasCorpus) add({"--corpus", program + "/corpus"});
  if (startOver || !progress.exists)
    add({"--force"});
  else
    add({"--resume"});
  if (!subject.arguments.empty()) {
    add({"--"});
    add(subject.arguments);
  }
  command.inheritEnvironment = true;
  command.stdoutFile = command.stderrFile = folder + "/fuzz.log";
  command.descriptors = {{lock, 3}};
  return command;
}

static std::string lastLine(const std::string &file) {
  auto text = report::readFile(file, uint64_t(1) << 20);
  if (!text) {
    llvm::consumeError(text.takeError());
    return "";
  }
  llvm::StringRef rest = llvm::StringRef(*text).rtrim();
  llvm::StringRef line = rest.substr(rest.rfind('\n') + 1);
  line.consume_front("fathom: ");
  return line.str();
}

/// Appends this start of the trial's campaign to sessions.log. Returns the number of starts over
/// all attempts, with this one.
static uint64_t recordSession(const std::string &folder) {
  uint64_t sessions = 1;
  if (auto text = report::readFile(folder + "/sessions.log"))
    sessions += static_cast<uint64_t>(llvm::StringRef(*text).count('\n'));
  else
    llvm::consumeError(text.takeError());
  std::error_code failed;
  llvm::raw_fd_ostream log(folder + "/sessions.log", failed, llvm::sys::fs::OF_Append);
  if (!failed) log << report::utcNow() << '\n';
  return sessions;
}

/// The input is wrong: another attempt would fail in the same way.
static bool isRefused(const native::Outcome &outcome) {
  return outcome.kind == native::Outcome::Kind::Exited && outcome.status == 2;
}

llvm::Expected<TrialEnd> runTrial(const Study &study, size_t trial, const std::string &fathom,
                                  const std::atomic<bool> &stop) {
  const std::string folder = study.trialFolder(trial), campaign = folder + "/campaign";
  if (std::error_code e = llvm::sys::fs::create_directories(folder))
    return textError(fmt::format("cannot create {}: {}", folder, e.message()));
  const int lock = open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock < 0) return report::ioError("cannot create", folder + "/lock", errno);
  auto unlock = llvm::make_scope_exit([&] { close(lock); });
  // Processes of an earlier attempt may need a moment to end.
  for (int round = 0; flock(lock, LOCK_EX | LOCK_NB) != 0; ++round) {
    if (round == 20 || stop) return TrialEnd::Busy;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  if (study.isDone(trial)) return TrialEnd::AlreadyDone;

  uint64_t sessions = 0;
  llvm::Expected<Progress> progress = progressOf(campaign);
  if (!progress) return progress.takeError();
  bool startOver = false;
  for (unsigned failures = 0; progress->units < study.plan().units;) {
    if (stop) return TrialEnd::Interrupted;
    sessions = recordSession(folder);
    native::Command command = fuzzCommand(study, trial, fathom, *progress, startOver, lock);
    native::Outcome outcome = native::run(command, &stop);
    if (outcome.kind == native::Outcome::Kind::Stopped) return TrialEnd::Interrupted;
    llvm::Expected<Progress> now = progressOf(campaign);
    if (!now) return now.takeError();
    startOver = false;
    if (outcome.ok() && now->units > progress->units) {
      failures = 0;
    } else if (++failures == 3 || (!now->units && isRefused(outcome))) {
      std::string why = lastLine(folder + "/fuzz.log");
      return textError(fmt::format("{} trial {}: {}", study.plan().subjectOf(trial).name,
                                   study.plan().numberOf(trial),
                                   why.empty() ? native::describe(outcome) : why));
    } else if (failures == 2 && !outcome.ok()) {
      startOver = true; // the campaign in the folder cannot be resumed
    }
    *progress = *now;
  }
  if (!sessions) sessions = 1; // all units were there: an attempt ended just before this
  if (auto e = study.finish(trial, sessions)) return std::move(e);
  return TrialEnd::Done;
}

} // namespace fathom::assess
