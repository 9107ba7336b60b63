// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The native run of one test: its files and environment, the run, and the comparison of its end,
// trace and output. If the trace differs, findDivergence finds the branch by bisection.
#include "report/ReplayWorker.h"

#include "evidence/BugKind.h"
#include "fathom/abi.h"
#include "report/BugFile.h"
#include "report/FollowTest.h"
#include "report/ReplayJudgement.h"
#include "report/SanitizerReport.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <map>
#include <sys/stat.h>

namespace fathom::report {

using evidence::StackFrame;

using explore::EndKind;
using native::Outcome;

namespace {

/// Sanitizers add their process number to it.
constexpr const char *kReportName = "sanitizer";

bool isReport(const std::string &name) {
  return llvm::StringRef(name).starts_with(std::string(kReportName) + ".");
}

/// What is there when the program starts is as old as the model has it.
void setModelTime(int directory, const char *name) {
  const timespec start{FATHOM_MODEL_START, 0}, both[2] = {start, start};
  utimensat(directory, name, both, AT_SYMLINK_NOFOLLOW);
}

} // namespace

native::Confined::By ReplayWorker::enter() {
  mkdir(root_.c_str(), 0755);
  mkdir(kModelRoot, 0777);
  native::Confinement confinement{writableDirectories(options_, executable_), root_, kModelRoot};
  confinement.writable.push_back(scratch_);
  native::Confined confined = native::confineThread(confinement);
  if (confined.isShown) workDirectory_ = std::string(kModelRoot) + "/work";
  startCalls();
  return confined.by;
}

llvm::Expected<ReplayedTest> ReplayWorker::run(const Tests::Item &item) {
  llvm::Expected<StoredTest> stored = reader_.read(item);
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
                                               item.dir, failing.size(), TraceFile::kMaxFailures));
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
  if (test.isBug)
    if (auto e = tryProgram(*stored, test)) return std::move(e);
  if (stored->usesUninit && !test.isBug) leaveOut(test);
  return test;
}

void ReplayWorker::locateDivergence(const Tests::Item &item, const llvm::json::Object &run,
                                    ReplayedTest &test) {
  llvm::Expected<Divergence> found = findDivergence(item, run, test);
  if (found)
    test.divergence = *found;
  else
    test.noDivergenceReason = llvm::toString(found.takeError());
}

void ReplayWorker::startCalls() {
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

llvm::Expected<Divergence> ReplayWorker::findDivergence(const Tests::Item &item,
                                                        const llvm::json::Object &run,
                                                        const ReplayedTest &test) {
  constexpr uint64_t kMaxSteps = 1 << 20;
  llvm::Expected<StoredTest> stored = reader_.read(item);
  if (!stored) return stored.takeError();
  const uint64_t after = test.trace.after,
                 shorter = std::min(test.trace.nativeCount, stored->trace.count);
  const uint64_t by = std::min(test.trace.before, shorter + 1);
  if (by - after > kMaxSteps)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "the path is too long");
  auto steps = followTest(*stored, std::max<uint64_t>(after, 1), std::max(by, stored->trace.count),
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
  Divergence out{other, {}, {}};
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

llvm::Expected<std::optional<uint64_t>> ReplayWorker::nativeHash(const StoredTest &stored,
                                                                 uint64_t count) {
  if (auto e = prepareDirectory(stored)) return std::move(e);
  if (!trace_->reset(count, stored.inputs.failedAllocations))
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "too many failed allocations");
  native::run(command(stored), options_.stop);
  return trace_->hashAtWanted();
}

llvm::Error ReplayWorker::prepareDirectory(const StoredTest &test) {
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
  if (test.path.empty() && readsKTest()) {
    llvm::Expected<std::string> ktest = ktestOf(test);
    if (!ktest) return ktest.takeError();
    if (auto e = base->replace("test.ktest", *ktest)) return e;
  }
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

native::Command ReplayWorker::command(const StoredTest &test) const {
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
  c.environment.insert(c.environment.end(), options_.environment.begin(),
                       options_.environment.end());
  if (readsKTest())
    c.environment.push_back(
        "FATHOM_REPLAY_KTEST=" + (test.path.empty() ? scratch_ : absolutePath(test.path)) +
        "/test.ktest");
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

void ReplayWorker::compareTrace(const StoredTest &stored, ReplayedTest &test) const {
  bool prefix = test.isBug || stored.end == EndKind::Bug || stored.end == EndKind::Partial;
  test.trace = trace_->check(stored.trace, prefix);
  test.expectedCount = stored.trace.count;
  // A program without branches of its own has nothing to compare, but neither does one that did
  // not report.
  test.traceCompared = test.trace.started;
}

llvm::Error ReplayWorker::addReports(std::string &errors) const {
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

llvm::Expected<std::vector<StackFrame>> ReplayWorker::bugStack(const StoredTest &stored) const {
  // The reports of a campaign's build name no lines.
  if (options_.isFuzzedVariant) return std::vector<StackFrame>();
  llvm::Expected<Finding> bug = readFinding(stored.path);
  if (!bug) return bug.takeError();
  return std::move(bug->stack);
}

llvm::Error ReplayWorker::judge(const StoredTest &stored, ReplayedTest &test,
                                const std::string &errors) {
  auto stack = bugStack(stored);
  if (!stack) return stack.takeError();
  std::optional<SourcePlace> lastLine;
  if (const auto line = trace_ ? trace_->lastLine() : std::nullopt;
      line && *line < options_.layout->lines.size())
    lastLine = {options_.layout->lines[*line].file, options_.layout->lines[*line].line};
  const bool isEnd = judgeBug(stored, test, errors, isSanitized_, *stack, lastLine);
  if (!isEnd || trace_) return llvm::Error::success();
  return placeCrash(command(stored), stored, /*tookPath=*/false, test);
}

llvm::Error ReplayWorker::placeCrash(const native::Command &command, const StoredTest &stored,
                                     bool tookPath, ReplayedTest &test) {
  if (test.outcome.kind != Outcome::Kind::Signalled) return llvm::Error::success();
  auto stack = bugStack(stored);
  if (!stack) return stack.takeError();
  if (stack->empty()) return llvm::Error::success();
  if (auto e = prepareDirectory(stored)) return e;
  std::optional<native::CrashState> crash;
  native::runTraced(command, crash, options_.stop);
  const bool isSame = crash && crash->signal == test.outcome.status;
  compareCrash(isSame ? crashCalls_.of(*crash) : std::vector<StackFrame>(), *stack, tookPath, test);
  return llvm::Error::success();
}

llvm::Error ReplayWorker::tryProgram(const StoredTest &stored, ReplayedTest &test) {
  const bool isShown =
      test.verdict == BugVerdict::Reproduced || test.verdict == BugVerdict::OtherPlace;
  if (!trace_ || isShown || options_.nativeProgram.empty() || evidence::doesNotEnd(*test.bugKind) ||
      !stored.inputs.failedAllocations.empty())
    return llvm::Error::success();
  if (auto e = prepareDirectory(stored)) return e;
  native::Command program = command(stored);
  program.program = options_.nativeProgram;
  std::erase_if(program.environment, [](const std::string &variable) {
    return llvm::StringRef(variable).starts_with("FATHOM_TRACE_FILE=");
  });
  ReplayedTest again = test;
  again.outcome = native::run(program, options_.stop);
  llvm::Expected<std::string> errors = readFile(scratch_ + "/stderr");
  if (!errors) return errors.takeError();
  if (judgeBug(stored, again, *errors, /*isSanitized=*/false))
    if (auto e = placeCrash(program, stored, test.traceCompared && test.trace.same, again))
      return e;
  const bool tellsMore =
      again.outcome.kind == Outcome::Kind::Signalled &&
      (again.verdict != BugVerdict::OtherCrash || test.verdict != BugVerdict::OtherCrash);
  if (!tellsMore) return llvm::Error::success();
  test.verdict = again.verdict;
  test.hasUnknownPlace = again.hasUnknownPlace;
  test.symptom = again.symptom + " of the program itself, whose memory is laid out differently";
  return llvm::Error::success();
}

llvm::Error ReplayWorker::compareOutput(const StoredTest &stored, ReplayedTest &test) {
  llvm::Expected<std::string> errors = readFile(scratch_ + "/stderr");
  if (!errors) return errors.takeError();
  if (isSanitized_)
    if (auto e = addReports(*errors)) return e;
  if (test.isBug) return judge(stored, test, *errors);
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

} // namespace fathom::report
