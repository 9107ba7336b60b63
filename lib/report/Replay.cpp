// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each worker thread has a scratch folder and a trace file of its own, may change nothing else, and
// takes the next test from a shared counter. A test is one vfork and exec, and a few files:
// thousands per second.
#include "report/Replay.h"

#include "explore/Options.h"
#include "fathom/abi.h"
#include "native/CallServer.h"
#include "report/FollowTest.h"
#include "report/SanitizerReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <thread>
#include <unistd.h>

namespace fathom::report {

using explore::BugKind;
using explore::EndKind;
using native::Outcome;

namespace {

struct Item {
  std::string path, dir; ///< dir: as in reports, "tests/000001"
  bool isBug = false;
};

/// Numbered folders, in order. Names with a dot are being written, or were when the run was killed.
void listItems(const std::string &folder, const char *kind, bool isBug, std::vector<Item> &items) {
  std::string path = folder + "/" + kind;
  if (access(path.c_str(), R_OK) != 0) return;
  llvm::Expected<Directory> directory = Directory::openOrCreate(path);
  if (!directory) {
    llvm::consumeError(directory.takeError());
    return;
  }
  for (const std::string &name : directory->entries())
    if (name[0] != '.')
      items.push_back({fmt::format("{}/{}", path, name), fmt::format("{}/{}", kind, name), isBug});
}

std::string absolutePath(const std::string &path) {
  char *real = realpath(path.c_str(), nullptr);
  std::string out = real ? real : path;
  free(real);
  return out;
}

/// Sanitizers add their process number to it.
constexpr const char *kReportName = "sanitizer";

/// Variables of ours that a test on another build needs: where its libraries and its coverage data
/// are, sanitizers' options. Reports go into `reportFile` and not to standard error, which a
/// program may have closed when leaks are looked for; unless the user says where he wants them.
std::vector<std::string> passedOn(const std::string &reportFile) {
  std::vector<std::string> out;
  for (const char *name :
       {"LD_LIBRARY_PATH", "GCOV_PREFIX", "GCOV_PREFIX_STRIP", "LLVM_PROFILE_FILE"})
    if (const char *value = getenv(name)) out.push_back(fmt::format("{}={}", name, value));
  for (const char *name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "MSAN_OPTIONS", "LSAN_OPTIONS"}) {
    const char *value = getenv(name);
    std::string options = value ? value : "";
    if (options.find("log_path=") == std::string::npos)
      options += fmt::format("{}log_path={}", options.empty() ? "" : ":", reportFile);
    out.push_back(fmt::format("{}={}", name, options));
  }
  return out;
}

/// Does this signal show this kind of bug?
bool fits(BugKind kind, int signal, llvm::StringRef errors) {
  const bool isTrap = signal == SIGILL || signal == SIGTRAP; // of a sanitizer, or the program's own
  switch (kind) {
  case BugKind::DivisionByZero: return signal == SIGFPE || isTrap;
  case BugKind::Assertion: return signal == SIGABRT && errors.contains_insensitive("assert");
  case BugKind::Abort: return signal == SIGABRT || isTrap;
  case BugKind::Deadlock:
    return signal == SIGABRT && errors.contains("deadlock"); // native/thread.c
  case BugKind::Hang: return false;                          // it does not end
  case BugKind::Unreachable: return isTrap;
  case BugKind::StackOverflow: return signal == SIGSEGV || signal == SIGBUS;
  case BugKind::NullDereference:
  case BugKind::BadCall: return signal == SIGSEGV || signal == SIGBUS || isTrap;
  // Memory errors end in many ways: a fault, or the allocator noticing what was broken.
  case BugKind::OutOfBoundsRead:
  case BugKind::OutOfBoundsWrite:
  case BugKind::UseAfterFree:
  case BugKind::DoubleFree:
  case BugKind::InvalidFree:
  case BugKind::UninitializedRead:
  case BugKind::ExternalCrash:
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || isTrap || signal == SIGFPE;
  case BugKind::Overshift:
  case BugKind::SignedOverflow: return isTrap || signal == SIGFPE; // otherwise see isSilent
  case BugKind::Leak: return false;                                // see isSilent
  }
  return false;
}

/// Does a run without sanitizers go on as if nothing were wrong? Mostly: what an unwritten value
/// leads to can be a fault.
bool isSilent(BugKind kind) {
  return kind == BugKind::Overshift || kind == BugKind::SignedOverflow || kind == BugKind::Leak ||
         kind == BugKind::UninitializedRead;
}

using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// What the program saw in its working directory beside its symbolic files: the files of the
/// directory in which it was explored. Only few and small ones: a copy is made for every test.
NamedFiles explorationFiles(const std::string &folder) {
  constexpr size_t kMaxFiles = 64, kMaxBytes = 1 << 20;
  NamedFiles out;
  llvm::Expected<llvm::json::Object> run = readJsonObject(folder + "/run.json");
  if (!run) {
    llvm::consumeError(run.takeError());
    return out;
  }
  std::vector<std::string> arguments;
  if (const llvm::json::Array *list = run->getArray("arguments"))
    for (const llvm::json::Value &v : *list)
      if (auto argument = v.getAsString()) arguments.push_back(argument->str());
  if (!explore::showsWorkingDirectory(arguments)) return out;
  auto path = run->getString("working_directory");
  if (!path || path->empty() || access(path->str().c_str(), R_OK | X_OK) != 0) return out;
  llvm::Expected<Directory> directory = Directory::openOrCreate(path->str());
  if (!directory) {
    llvm::consumeError(directory.takeError());
    return out;
  }
  size_t bytes = 0;
  for (const std::string &name : directory->entries()) {
    std::string file = path->str() + "/" + name;
    struct stat st{};
    if (lstat(file.c_str(), &st) < 0 || !S_ISREG(st.st_mode)) continue;
    bytes += static_cast<size_t>(st.st_size);
    if (out.size() == kMaxFiles || bytes > kMaxBytes) return {};
    llvm::Expected<std::string> data = readFile(file, kMaxBytes);
    if (data)
      out.emplace_back(name, std::move(*data));
    else
      llvm::consumeError(data.takeError());
  }
  return out;
}

/// --max-heap of the exploration; 0: not known.
uint64_t mostHeap(const llvm::json::Object &run) {
  const llvm::json::Object *options = run.getObject("options");
  std::optional<int64_t> most =
      options ? options->getInteger("max-heap") : std::optional<int64_t>();
  return most && *most > 0 ? static_cast<uint64_t>(*most) : 0;
}

/// The engine tells the program that this is its working directory (FATHOM_CONFIG_CWD of
/// fathom/abi.h).
constexpr const char *kModelRoot = "/tmp/fathom";

/// Where another build leaves what it measures: beside its objects, which are in the binary's
/// directory or next to it, or where the variables of passedOn() say.
std::vector<std::string> measurementDirectories(const std::string &executable) {
  namespace path = llvm::sys::path;
  llvm::StringRef beside = path::parent_path(executable), above = path::parent_path(beside);
  std::vector<std::string> out{(above == "/" ? beside : above).str()};
  if (const char *prefix = getenv("GCOV_PREFIX"); prefix && path::is_absolute(prefix)) {
    (void)llvm::sys::fs::create_directories(prefix); // as gcov would
    out.emplace_back(prefix);
  }
  if (const char *profile = getenv("LLVM_PROFILE_FILE"); profile && path::is_absolute(profile))
    out.push_back(path::parent_path(profile).str());
  return out;
}

/// What tests may change: what the model lets them change (/dev/shm and both folders for temporary
/// files), and what the caller of `options` wants.
std::vector<std::string> writableDirectories(const ReplayOptions &options,
                                             const std::string &executable) {
  std::vector<std::string> out{"/tmp", "/var/tmp", "/dev/shm"};
  if (!options.layout)
    for (std::string &directory : measurementDirectories(executable))
      if (directory != "/") out.push_back(std::move(directory));
  out.insert(out.end(), options.writable.begin(), options.writable.end());
  return out;
}

class Worker {
public:
  Worker(const ReplayOptions &options, std::string executable, TraceFile *trace,
         std::string scratch, const NamedFiles &surroundings, bool isSanitized)
      : options_(options), executable_(std::move(executable)), isSanitized_(isSanitized),
        trace_(trace), scratch_(std::move(scratch)), root_(scratch_ + "/root"),
        surroundings_(surroundings), workDirectory_(root_ + "/work") {}

  /// On the thread that runs the tests, which changes nothing but its scratch folder from here on.
  /// Where the kernel allows it, `root` appears as the model has it: a program that prints its
  /// working directory then prints what the engine saw.
  native::Confined::By enter() {
    mkdir(root_.c_str(), 0755);
    mkdir(kModelRoot, 0777);
    native::Confinement confinement{writableDirectories(options_, executable_), root_, kModelRoot};
    confinement.writable.push_back(scratch_);
    native::Confined confined = native::confineThread(confinement);
    if (confined.isShown) workDirectory_ = std::string(kModelRoot) + "/work";
    startCalls();
    return confined.by;
  }

  llvm::Expected<ReplayedTest> run(const Item &item) {
    llvm::Expected<StoredTest> stored = readTest(item.path, item.isBug);
    if (!stored) return stored.takeError();
    if (!callsProblem_.empty())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     fmt::format("{}: {}", item.dir, callsProblem_));
    const std::vector<uint32_t> &failing = stored->inputs.failedAllocations;
    if (!trace_ && !failing.empty())
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          fmt::format("{}: lets allocations fail, which only the trace variant does", item.dir));
    if (trace_ && !trace_->reset(stored->trace, failing))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     fmt::format("{}: lets {} allocations fail, at most {} can",
                                                 item.dir, failing.size(),
                                                 TraceFile::kMostFailures));
    if (auto e = prepareDirectory(*stored)) return std::move(e);
    ReplayedTest test;
    test.dir = item.dir;
    test.isBug = item.isBug;
    test.outcome = native::run(command(*stored), options_.stop);
    if (test.outcome.kind == Outcome::Kind::NotStarted)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     fmt::format("{}: {}", item.dir, test.outcome.error));
    compareEnd(*stored, test);
    if (trace_) compareTrace(*stored, test);
    if (auto e = compareOutput(*stored, test)) return std::move(e);
    if (stored->usesUnwritten && !test.isBug) leaveOut(test);
    return test;
  }

  /// Of a test that took another path: where. Runs it some more times.
  void part(const Item &item, const llvm::json::Object &run, ReplayedTest &test) {
    llvm::Expected<Parting> found = findParting(item, run, test);
    if (found)
      test.parting = *found;
    else
      test.notParted = llvm::toString(found.takeError());
  }

private:
  /// Functions that the program has no code of are executed with the rights of a test.
  void startCalls() {
    if (!trace_ || options_.layout->foreign.empty() || options_.libraries.empty()) return;
    const std::string socket = scratch_ + "/calls";
    llvm::Expected<native::CallServer> server =
        native::CallServer::start({options_.nativeHelper, options_.libraries, socket});
    if (!server) {
      callsProblem_ = llvm::toString(server.takeError());
      return;
    }
    calls_.emplace(std::move(*server));
    trace_->setCallsSocket(socket);
  }

  llvm::Expected<Parting> findParting(const Item &item, const llvm::json::Object &run,
                                      const ReplayedTest &test) {
    constexpr uint64_t kMostSteps = 1 << 20;
    llvm::Expected<StoredTest> stored = readTest(item.path, item.isBug);
    if (!stored) return stored.takeError();
    const uint64_t after = test.trace.after,
                   shorter = std::min(test.trace.nativeCount, stored->trace.count);
    const uint64_t by = std::min(test.trace.before, shorter + 1);
    if (by - after > kMostSteps)
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "the path is too long");
    auto steps =
        followTest(*stored, std::max<uint64_t>(after, 1), std::max(by, stored->trace.count),
                   {options_.fathom, run, scratch_ + "/follow"}, options_.stop);
    if (!steps) return steps.takeError();
    std::map<uint64_t, uint64_t> engine(steps->begin(), steps->end());
    engine[0] = explore::kTraceSeed;
    // Up to `same` they agree, at `other` they do not.
    uint64_t same = after, other = by;
    while (other - same > 1) {
      const uint64_t middle = same + (other - same) / 2;
      llvm::Expected<std::optional<uint64_t>> native = nativeHash(*stored, middle);
      if (!native) return native.takeError();
      (*native && engine.count(middle) && **native == engine[middle] ? same : other) = middle;
    }
    llvm::Expected<std::optional<uint64_t>> native = nativeHash(*stored, other);
    if (!native) return native.takeError();
    Parting out{other, {}, {}};
    auto sideTo = [&](uint64_t hash) {
      const uint64_t taken = explore::traceBranchBetween(engine[same], hash);
      return BranchSide{static_cast<uint32_t>(taken >> 20), static_cast<uint32_t>(taken & 0xfffff)};
    };
    if (engine.count(other)) out.engine = sideTo(engine[other]);
    if (*native) out.native = sideTo(**native);
    for (const auto &side : {out.engine, out.native})
      if (side && side->id >= options_.layout->branches.size())
        return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                       "the native run differs from one time to the next");
    return out;
  }

  /// After so many branches; none when it ends before.
  llvm::Expected<std::optional<uint64_t>> nativeHash(const StoredTest &stored, uint64_t count) {
    if (auto e = prepareDirectory(stored)) return std::move(e);
    if (!trace_->reset(count, stored.inputs.failedAllocations))
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "too many failed allocations");
    native::run(command(stored), options_.stop);
    return trace_->hashAtWanted();
  }

  llvm::Error prepareDirectory(const StoredTest &test) {
    llvm::Expected<Directory> base = Directory::openOrCreate(scratch_);
    if (!base) return base.takeError();
    if (isSanitized_)
      for (const std::string &name : base->entries())
        if (isReport(name))
          if (auto e = base->remove(name)) return e;
    chmod(root_.c_str(), 0755); // the last test may have changed it, by the name ".."
    llvm::Expected<Directory> root = Directory::openOrCreate(root_);
    if (!root) return root.takeError();
    for (const std::string &left : root->entries())
      if (auto e = root->remove(left)) return e;
    // Beside the outputs, on the same file system: whether copy_file_range works depends on it.
    if (auto e = base->replace("stdin", test.inputs.standardInput)) return e;
    llvm::Expected<Directory> work = root->create("work");
    if (!work) return work.takeError();
    // In the order in which the model has them: a listing shows it (runtime/native/world.c).
    for (const NamedFiles *files : {&test.inputs.files, &surroundings_})
      for (auto &[name, data] : *files) {
        if (auto e = work->write(name, data)) return e;
        setModelTime(work->fd(), name.c_str());
      }
    setModelTime(work->fd(), ".");
    setModelTime(root->fd(), ".");
    setModelTime(base->fd(), "stdin");
    return llvm::Error::success();
  }

  /// What is there when the program starts is as old as the model has it.
  static void setModelTime(int directory, const char *name) {
    const timespec start{FATHOM_MODEL_START, 0}, both[2] = {start, start};
    utimensat(directory, name, both, AT_SYMLINK_NOFOLLOW);
  }

  native::Command command(const StoredTest &test) const {
    native::Command c;
    c.program = executable_;
    c.arguments = test.inputs.arguments;
    c.environment = test.inputs.environment;
    if (trace_) {
      c.environment.push_back("FATHOM_TRACE_FILE=" +
                              trace_->path()); // the variant hides it from the program
    } else {
      for (std::string &v : passedOn(scratch_ + "/" + kReportName))
        c.environment.push_back(std::move(v));
    }
    // A program that prints its environment must not see the difference: only harnesses read this
    // one.
    if (!options_.layout || options_.layout->makesSymbolic)
      c.environment.push_back("FATHOM_REPLAY_KTEST=" + absolutePath(test.path) + "/test.ktest");
    c.directory = workDirectory_;
    // Without input it is /dev/null, as in the model.
    if (!test.inputs.standardInput.empty()) c.stdinFile = scratch_ + "/stdin";
    c.stdoutFile = scratch_ + "/stdout";
    c.stderrFile = scratch_ + "/stderr";
    c.limits.wall = options_.testTime;
    c.limits.fileBytes = uint64_t(256) << 20;
    c.isSubject = true;
    return c;
  }

  void compareEnd(const StoredTest &stored, ReplayedTest &test) const {
    switch (stored.end) {
    case EndKind::Exit:
      if (stored.status == explore::kNoStatus) break;
      test.expected = fmt::format("exit status {}", stored.status);
      test.statusCompared = true;
      test.statusAgrees =
          test.outcome.kind == Outcome::Kind::Exited && test.outcome.status == stored.status;
      break;
    case EndKind::Signal:
      test.expected = fmt::format("signal {}", native::signalName(stored.status));
      test.statusCompared = true;
      test.statusAgrees =
          test.outcome.kind == Outcome::Kind::Signalled && test.outcome.status == stored.status;
      break;
    case EndKind::Bug: test.expected = "a bug"; break;
    case EndKind::Partial: test.expected = "an unfinished path"; break;
    }
  }

  void compareTrace(const StoredTest &stored, ReplayedTest &test) const {
    bool prefix = test.isBug || stored.end == EndKind::Bug || stored.end == EndKind::Partial;
    test.trace = trace_->check(stored.trace, prefix);
    test.expectedCount = stored.trace.count;
    // A program without branches of its own has nothing to compare, but neither does one that did
    // not report.
    test.traceCompared = test.trace.started;
  }

  static bool isReport(const std::string &name) {
    return llvm::StringRef(name).starts_with(std::string(kReportName) + ".");
  }

  /// What the test's sanitizers wrote, added to `errors`.
  llvm::Error addReports(std::string &errors) const {
    llvm::Expected<Directory> base = Directory::openOrCreate(scratch_);
    if (!base) return base.takeError();
    for (const std::string &name : base->entries()) {
      if (!isReport(name)) continue;
      llvm::Expected<std::string> report = readFile(scratch_ + "/" + name);
      if (!report) return report.takeError();
      errors += *report;
    }
    return llvm::Error::success();
  }

  llvm::Error compareOutput(const StoredTest &stored, ReplayedTest &test) const {
    llvm::Expected<std::string> errors = readFile(scratch_ + "/stderr");
    if (!errors) return errors.takeError();
    if (isSanitized_)
      if (auto e = addReports(*errors)) return e;
    if (test.isBug) {
      judgeBug(stored, test, *errors);
      return llvm::Error::success();
    }
    if (isSanitized_ && stored.end != EndKind::Bug) noteReports(test, *errors);
    if (!trace_ || stored.end == EndKind::Partial || stored.end == EndKind::Bug)
      return llvm::Error::success();
    llvm::Expected<std::string> output = readFile(scratch_ + "/stdout");
    if (!output) return output.takeError();
    test.outputCompared = true;
    test.stdoutAgrees = *output == stored.standardOutput;
    test.stderrAgrees = *errors == stored.standardError;
    return llvm::Error::success();
  }

  /// What the native program finds in memory that nobody wrote is another matter than what the test
  /// stands for: the two are not held against each other.
  static void leaveOut(ReplayedTest &test) {
    test.usesUnwritten = true;
    test.tookAnotherWay = test.differs();
    test.statusCompared = test.outputCompared = test.traceCompared = false;
    test.statusAgrees = test.stdoutAgrees = test.stderrAgrees = true;
  }

  /// Of a test in which the engine has seen no bug.
  static void noteReports(ReplayedTest &test, const std::string &errors) {
    const std::vector<SanitizerReport> reports = sanitizerReports(errors);
    if (reports.empty()) return;
    test.report = reports.front().text();
    // Leaks, which are bugs of their own, are looked for when the program is through, and then its
    // exit status is the sanitizer's.
    const bool areLeaks = llvm::all_of(
        reports, [](const SanitizerReport &r) { return r.tool == SanitizerReport::Tool::Leak; });
    if (!areLeaks || test.statusAgrees) return;
    test.statusCompared = false;
    test.statusAgrees = true;
  }

  void judgeBug(const StoredTest &stored, ReplayedTest &test, const std::string &errors) const {
    const BugKind kind = *stored.bugKind;
    test.bugKind = kind;
    const bool crashed = test.outcome.kind == Outcome::Kind::Signalled;
    test.symptom = native::describe(test.outcome);
    std::optional<SanitizerReport> other;
    // A program without sanitizer may print such lines, too.
    const std::vector<SanitizerReport> reports =
        isSanitized_ ? sanitizerReports(errors) : std::vector<SanitizerReport>();
    for (const SanitizerReport &report : reports) {
      if (shows(report, kind)) {
        test.symptom = report.text();
        test.verdict = BugVerdict::Reproduced;
        return;
      }
      if (!other) other = report;
    }
    const bool isShown = (crashed && fits(kind, test.outcome.status, errors)) ||
                         (explore::doesNotEnd(kind) &&
                          test.outcome.kind == Outcome::Kind::TimedOut); // on the kernel's schedule
    if (other && !isShown) test.symptom = other->text();
    if (isShown)
      test.verdict = BugVerdict::Reproduced;
    else if (crashed || (other && other->tool != SanitizerReport::Tool::Leak))
      test.verdict = BugVerdict::OtherCrash;
    else
      test.verdict = isSilent(kind) && !isSanitized_ ? BugVerdict::NoSymptom : BugVerdict::NoCrash;
  }

  const ReplayOptions &options_;
  std::string executable_;
  bool isSanitized_; ///< the executable
  TraceFile *trace_;
  std::string scratch_, root_; ///< root: what the program sees as the parent of its directory
  const NamedFiles &surroundings_;
  std::string workDirectory_;
  std::optional<native::CallServer> calls_;
  std::string callsProblem_; ///< why there is none
};

/// $TMPDIR; otherwise memory, where there is plenty: a dozen small files per test keep a busy
/// disk's journal waiting.
std::string scratchParent() {
  if (const char *tmp = getenv("TMPDIR"); tmp && *tmp) return tmp;
  struct statvfs space{};
  bool roomy =
      statvfs("/dev/shm", &space) == 0 && space.f_bavail * space.f_frsize > (uint64_t(2) << 30);
  return roomy && access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

/// Shared by the workers.
struct Shared {
  std::vector<Item> items;
  std::vector<std::optional<ReplayedTest>> results; ///< per item
  std::vector<std::string> problems;                ///< per item
  std::atomic<size_t> next{0};
  std::mutex mutex;                                               ///< confinedBy, done, cover
  native::Confined::By confinedBy = native::Confined::By::Mounts; ///< the weakest of the workers'
  size_t done = 0;
  std::vector<uint32_t> cover;
  llvm::json::Object run; ///< run.json
  std::atomic<unsigned> partings{0};
};

void work(const ReplayOptions &options, std::chrono::steady_clock::time_point deadline,
          Worker &worker, const TraceFile *trace, Shared &shared) {
  {
    native::Confined::By by = worker.enter();
    std::lock_guard<std::mutex> lock(shared.mutex);
    shared.confinedBy = std::max(shared.confinedBy, by);
  }
  while (true) {
    if (options.stop && *options.stop) return;
    if (options.maxTime.count() && std::chrono::steady_clock::now() >= deadline) return;
    size_t i = shared.next++;
    if (i >= shared.items.size()) return;
    llvm::Expected<ReplayedTest> test = worker.run(shared.items[i]);
    std::vector<uint8_t> covered; // by this run, before there are others of the same test
    if (trace) covered.assign(trace->cover().begin(), trace->cover().end());
    if (test && !test->isBug && test->traceCompared && !test->trace.same && !shared.run.empty() &&
        !options.fathom.empty() && shared.partings++ < options.mostPartings)
      worker.part(shared.items[i], shared.run, *test);
    if (!test) {
      shared.problems[i] = llvm::toString(test.takeError());
    } else if (test->outcome.kind != Outcome::Kind::Stopped) {
      shared.results[i] = std::move(*test);
    }
    std::lock_guard<std::mutex> lock(shared.mutex);
    ++shared.done;
    if (trace && shared.results[i]) {
      for (size_t k = 0; k < covered.size(); ++k) shared.cover[k] += covered[k];
    }
    if (options.progress) options.progress(shared.done, shared.items.size());
  }
}

} // namespace

llvm::Expected<ReplayResult> replay(const ReplayOptions &options) {
  auto started = std::chrono::steady_clock::now();
  Shared shared;
  if (access((options.folder + "/args.json").c_str(), F_OK) == 0) {
    bool isBug = access((options.folder + "/bug.json").c_str(), F_OK) == 0;
    shared.items.push_back({options.folder, options.folder, isBug});
  }
  listItems(options.folder, "tests", /*isBug=*/false, shared.items);
  listItems(options.folder, "bugs", /*isBug=*/true, shared.items);
  if (shared.items.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}: no tests there; expected a results folder of fathom explore",
                    options.folder));
  for (const char *place : {"/run.json", "/../../run.json"}) {
    llvm::Expected<llvm::json::Object> run = readJsonObject(options.folder + place);
    if (run && shared.run.empty()) shared.run = std::move(*run);
    if (!run) llvm::consumeError(run.takeError());
  }
  shared.results.resize(shared.items.size());
  shared.problems.resize(shared.items.size());
  if (options.layout) shared.cover.resize(options.layout->coverBytes());

  std::string scratch = scratchParent() + "/fathom-replay-XXXXXX";
  if (!mkdtemp(scratch.data())) return ioError("create", scratch, errno);
  unsigned jobs =
      std::max(1u, std::min<unsigned>(options.jobs, static_cast<unsigned>(shared.items.size())));
  std::string executable = absolutePath(options.executable);
  std::vector<std::optional<TraceFile>> traces(jobs);
  const bool isSanitized = !options.layout && hasSanitizer(executable);
  std::vector<Worker> workers;
  const NamedFiles surroundings = explorationFiles(options.folder);
  llvm::Error error = llvm::Error::success();
  for (unsigned i = 0; i < jobs && !error; ++i) {
    std::string own = fmt::format("{}/{}", scratch, i);
    llvm::Expected<Directory> directory = Directory::openOrCreate(own);
    if (!directory) {
      error = directory.takeError();
      break;
    }
    if (options.layout) {
      llvm::Expected<TraceFile> trace =
          TraceFile::create(own + "/trace", options.layout->coverBytes());
      if (!trace) {
        error = trace.takeError();
        break;
      }
      // Not as a limit of address space, of which the engine's objects take terabytes.
      trace->setMemory(options.testMemoryBytes, mostHeap(shared.run));
      traces[i].emplace(std::move(*trace));
    }
    workers.emplace_back(options, executable, traces[i] ? &*traces[i] : nullptr, own, surroundings,
                         isSanitized);
  }
  if (!error) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < jobs; ++i)
      threads.emplace_back([&, i] {
        work(options, started + options.maxTime, workers[i], traces[i] ? &*traces[i] : nullptr,
             shared);
      });
    for (std::thread &t : threads) t.join();
  }
  if (llvm::Expected<Directory> parent = Directory::openOrCreate(scratch)) {
    for (const std::string &name : parent->entries()) llvm::consumeError(parent->remove(name));
  } else {
    llvm::consumeError(parent.takeError());
  }
  rmdir(scratch.c_str());
  if (error) return std::move(error);

  ReplayResult result;
  for (size_t i = 0; i < shared.items.size(); ++i) {
    if (shared.results[i])
      result.tests.push_back(std::move(*shared.results[i]));
    else if (!shared.problems[i].empty())
      result.damaged.push_back(shared.problems[i]);
    else
      ++result.skipped;
  }
  result.cover = std::move(shared.cover);
  result.confinedBy = shared.confinedBy;
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

} // namespace fathom::report
