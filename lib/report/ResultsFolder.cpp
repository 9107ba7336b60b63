// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bug is written into a directory with a name that starts with a dot and renamed when it is
// whole; for tests see TestsWriter.h. Failures to write are kept as text and reported to the engine
// as `false`, which ends the run with what there is.
#include "report/ResultsFolder.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "report/BugFile.h"
#include "report/Lcov.h"
#include "report/SeedFiles.h"
#include "report/Summary.h"
#include "report/TestComp.h"
#include "support/Bytes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <thread>
#include <unistd.h>

namespace fathom::report {

using evidence::LedgerCategory;

using evidence::StackFrame;

using explore::Bug;
using explore::TestCase;

/// Everything that an exploration writes, and what other subcommands add to it.
static const char *const kExplorationFiles[] = {
    "stats.json", "stats.csv",  "ledger.json", "results.sarif", "replay.json", "replay-binary.json",
    ".reserve",   "checkpoint", kStoreName,    "report.html",   "run.json"};
static const char *const kFolders[] = {"tests", "bugs", "tests-testcomp", "queue", "coverage"};
/// Held back so that statistics and ledger still fit when tests have filled the disk.
static constexpr off_t kReserveBytes = 1 << 20;

/// 000001, or .000001 where a run was killed while it wrote; a number may outgrow its six digits.
static bool isNumbered(llvm::StringRef name) {
  name.consume_front(".");
  return name.size() >= 6 && name.find_first_not_of("0123456789") == llvm::StringRef::npos;
}

/// Whether we write such a name in this one of our folders.
static bool isOurs(llvm::StringRef folder, llvm::StringRef name) {
  if (folder == "tests" || folder == "bugs") return isNumbered(name);
  if (folder == "queue") return name.starts_with("id:");
  name.consume_front("."); // being replaced when the run was killed
  name.consume_back(".new");
  if (folder == "coverage") return name == "lcov.info" || name == "explore.info";
  return name == "metadata.xml" || (name.starts_with("testcase-") && name.ends_with(".xml"));
}

/// Only what has a name and a place that we write to: a file of the user's that lies among ours
/// stays, with the folder that it is in. run.json goes last: it is what the rest is known by.
llvm::Error removeResults(const Directory &root) {
  for (const char *name : kFolders) {
    llvm::Expected<Directory> folder = root.open(name);
    if (!folder) {
      llvm::consumeError(folder.takeError()); // none, or no folder: creating it says what is wrong
      continue;
    }
    for (const std::string &entry : folder->entries())
      if (isOurs(name, entry))
        if (auto e = folder->remove(entry)) return e;
    unlinkat(root.fd(), name, AT_REMOVEDIR); // fails, as it should, where something is left
  }
  for (const char *name : kExplorationFiles)
    if (auto e = root.remove(name)) return e;
  return llvm::Error::success();
}

/// Does the folder hold anything beside files that systems put into empty folders?
static bool holdsOthers(const std::string &path) {
  static constexpr llvm::StringRef kHarmless[] = {"lost+found", ".gitignore", ".gitkeep",
                                                  ".reserve"};
  std::error_code ignored;
  for (llvm::sys::fs::directory_iterator at(path, ignored), end; at != end && !ignored;
       at.increment(ignored))
    if (!llvm::is_contained(kHarmless, llvm::sys::path::filename(at->path()))) return true;
  return false;
}

FolderState stateOf(const std::string &path) {
  llvm::Expected<llvm::json::Object> run = readJsonObject(path + "/run.json");
  if (run) {
    const llvm::json::Object *tool = run->getObject("tool");
    if (run->getInteger("schema") && tool && tool->getString("name") == "fathom")
      return FolderState::Results;
  } else {
    llvm::consumeError(run.takeError());
  }
  for (auto names : {llvm::ArrayRef(kExplorationFiles), llvm::ArrayRef(kFolders)})
    for (const char *name : names)
      if (struct stat st{}; lstat((path + "/" + name).c_str(), &st) == 0)
        return FolderState::Foreign;
  return holdsOthers(path) ? FolderState::Other : FolderState::Free;
}

llvm::Error checkFolder(const std::string &path, bool force) {
  auto refuse = [&](const char *why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: {}", path, why));
  };
  switch (stateOf(path)) {
  case FolderState::Free: return llvm::Error::success();
  case FolderState::Results:
    if (force) return llvm::Error::success();
    return refuse("holds the results of an earlier run; name another folder with -o, or replace "
                  "them with --force");
  case FolderState::Foreign:
    return refuse("holds files with the names of results, but no run.json of Fathom; nothing of it "
                  "is touched, also not with --force: name another folder with -o");
  case FolderState::Other:
    return refuse("is not empty and holds no results of Fathom; nothing is written there, also not "
                  "with --force: name a new folder with -o");
  }
  return llvm::Error::success();
}

/// Two explorations into one folder would replace each other's tests. The lock ends with the
/// process.
llvm::Error lockFolder(const Directory &root, std::chrono::milliseconds patience) {
  // The workers of a run that was killed hold it a moment longer.
  constexpr std::chrono::milliseconds kTry{50};
  for (auto waited = kTry; waited <= patience; waited += kTry, std::this_thread::sleep_for(kTry))
    if (flock(root.fd(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return llvm::Error::success(); // no harm on file systems without locks
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      fmt::format("{}: another run is writing there; name another folder with -o", root.path()));
}

llvm::Expected<std::unique_ptr<ResultsFolder>> ResultsFolder::create(FolderOptions options) {
  std::unique_ptr<ResultsFolder> folder(new ResultsFolder(std::move(options)));
  const std::string &path = folder->options_.path;
  llvm::Expected<Directory> root = Directory::openOrCreate(path);
  if (!root) return root.takeError();
  if (auto e = lockFolder(*root)) return std::move(e);
  if (auto e = checkFolder(path, folder->options_.force)) return std::move(e);
  folder->root_ = std::move(*root);
  if (auto e = removeResults(folder->root_)) return std::move(e);
  folder->times_.started = utcNow();
  if (auto e = folder->openFolders()) return std::move(e);
  return folder;
}

llvm::Expected<std::unique_ptr<ResultsFolder>> ResultsFolder::resume(FolderOptions options,
                                                                     explore::Checkpoint &from) {
  std::unique_ptr<ResultsFolder> folder(new ResultsFolder(std::move(options)));
  llvm::Expected<RunTimes> times = checkSameRun(folder->options_.path, folder->options_);
  if (!times) return times.takeError();
  folder->times_ = std::move(*times);
  llvm::Expected<Directory> root = Directory::openOrCreate(folder->options_.path);
  if (!root) return root.takeError();
  if (auto e = lockFolder(*root)) return std::move(e);
  folder->root_ = std::move(*root);
  if (auto e = folder->openFolders()) return std::move(e);
  if (auto e = folder->readCheckpoint(from)) return std::move(e);
  if (auto e = folder->rememberFindings(from)) return std::move(e);
  return folder;
}

llvm::Error ResultsFolder::openFolders() {
  if (auto e = writeRun(nullptr)) return e;
  if (auto e = tests_.open(root_, options_)) return e;
  for (auto &[name, dir] : {std::pair<const char *, Directory *>{"bugs", &bugsDir_},
                            {"tests-testcomp", &testCompDir_},
                            {"queue", &queueDir_}}) {
    if (dir == &testCompDir_ && !options_.testComp) continue;
    if (dir == &queueDir_ && !options_.aflQueue) continue;
    llvm::Expected<Directory> sub = root_.openOrCreateIn(name);
    if (!sub) return sub.takeError();
    *dir = std::move(*sub);
  }
  int reserve = openat(root_.fd(), ".reserve", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (reserve >= 0) {
    (void)posix_fallocate(reserve, 0, kReserveBytes); // no harm where it fails
    close(reserve);
  }
  if (!options_.testComp) return llvm::Error::success();
  TestCompMetadata metadata{.programFile = options_.programs.empty() ? "" : options_.programs[0],
                            .programSha256 =
                                options_.programs.empty() ? "" : sha256(options_.programs[0]),
                            .creationTime = times_.started};
  if (options_.options && !options_.options->entry.empty())
    metadata.entry = options_.options->entry;
  return testCompDir_.write("metadata.xml", testCompMetadata(metadata));
}

/// A checkpoint file is this line, the state of TestsWriter (checkpointHead), and the engine's
/// encoded checkpoint.
static constexpr llvm::StringRef kCheckpointMagic = "fathom checkpoint 5\n";

bool ResultsFolder::onCheckpoint(const std::string &encoded) {
  // The tests reported so far are part of the checkpoint, so they must be on disk first.
  if (!failure_.empty() || !noteFailure(tests_.flush())) return false;
  return noteFailure(
      root_.replace("checkpoint", kCheckpointMagic.str() + tests_.checkpointHead() + encoded));
}

llvm::Error ResultsFolder::readCheckpoint(explore::Checkpoint &from) {
  if (!root_.exists("checkpoint")) { // killed before there was one: everything is found again
    from.frontier = {explore::encode(std::vector<explore::PathPrefix>(1))};
    return tests_.resume(nullptr, from.storedPaths);
  }
  const std::string path = root_.path() + "/checkpoint";
  llvm::Expected<std::string> data = readFile(path, /*maxBytes=*/uint64_t(1) << 34);
  if (!data) return data.takeError();
  llvm::StringRef rest = *data;
  ByteReader head(rest.drop_front(std::min(rest.size(), kCheckpointMagic.size())));
  std::vector<uint64_t> later;
  const bool isOurs = rest.consume_front(kCheckpointMagic);
  if (isOurs)
    if (auto e = tests_.resume(&head, later)) return e;
  if (!isOurs || !head.ok() || !explore::decode(std::string(head.rest()), from))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("--resume: {}: is not a checkpoint of this version", path));
  from.storedPaths.insert(from.storedPaths.end(), later.begin(), later.end());
  return llvm::Error::success();
}

llvm::Error ResultsFolder::rememberFindings(explore::Checkpoint &from) {
  llvm::Expected<std::vector<Finding>> findings = readFindings(bugsDir_);
  if (!findings) return findings.takeError();
  findings_ = std::move(*findings);
  for (const Finding &finding : findings_) {
    bugs_.findOrAdd(finding, finding.dir);
    for (const uint64_t source : finding.sources)
      ofSource_.try_emplace(source, static_cast<size_t>(&finding - findings_.data()));
    llvm::Expected<llvm::json::Object> path =
        readJsonObject(fmt::format("{}/{}/path.json", root_.path(), finding.dir));
    if (!path) return path.takeError();
    uint64_t hash = 0;
    if (parseHex64(path->getString("path").value_or(""), hash)) from.storedPaths.push_back(hash);
  }
  return llvm::Error::success();
}

bool ResultsFolder::noteFailure(llvm::Error error) {
  if (!error) return true;
  std::string text = llvm::toString(std::move(error));
  if (failure_.empty()) failure_ = std::move(text);
  return false;
}

/// Named as AFL++ names its queue, so that it takes them from there.
llvm::Error ResultsFolder::storeRaw(const TestCase &test) {
  const std::vector<uint8_t> *input = rawInput(test);
  if (!input) return llvm::Error::success();
  return queueDir_.replace(fmt::format("id:{:06},src:fathom", tests_.number()),
                           {reinterpret_cast<const char *>(input->data()), input->size()});
}

bool ResultsFolder::onTest(const TestCase &test) { return storeTest(test, ""); }

bool ResultsFolder::storeTest(const TestCase &test, const std::string &bug) {
  if (!failure_.empty()) {
    ++unwritten_;
    return false;
  }
  llvm::Expected<bool> isWritten = tests_.write(test, bug);
  if (!isWritten) return noteFailure(isWritten.takeError());
  if (!*isWritten) return true;
  if (options_.onTest) options_.onTest(tests_.number(), test, bug);
  if (options_.aflQueue && test.coversNew && !noteFailure(storeRaw(test))) return false;
  if (!options_.testComp) return true;
  return noteFailure(testCompDir_.replace(fmt::format("testcase-{}.xml", tests_.number()),
                                          testCompCase(test, /*coversError=*/false)));
}

Replayable ResultsFolder::replayable() const {
  return {.native = options_.nativeProgram,
          .explored = options_.programs.size() == 1 ? options_.programs[0] : "",
          .entry = options_.options ? options_.options->entry : ""};
}

/// Adds a bug that the same uninitialised bytes cause to the earlier finding `owner`; its input is
/// stored as a test.
bool ResultsFolder::addFollowing(const Bug &bug, size_t owner) {
  constexpr size_t kMaxPlaces = 100;
  Finding &finding = findings_[owner];
  for (const uint64_t source : bug.sources) ofSource_.try_emplace(source, owner);
  const StackFrame *at = locationOf(bug.stack);
  auto isKnown = [&](evidence::BugKind kind, const StackFrame &frame) {
    return kind == bug.kind && frame.function == at->function && frame.line == at->line &&
           frame.column == at->column && frame.file == at->file;
  };
  const StackFrame *first = locationOf(finding.stack);
  const bool isNew = at && !(first && isKnown(finding.kind, *first)) &&
                     llvm::none_of(finding.alsoAt,
                                   [&](const AlsoAt &also) { return isKnown(also.kind, also.at); });
  if (isNew && finding.alsoAt.size() < kMaxPlaces) {
    finding.alsoAt.push_back({bug.kind, *at});
    llvm::Expected<Directory> dir =
        bugsDir_.openOrCreateIn(finding.dir.substr(std::string("bugs/").size()));
    if (!dir) return noteFailure(dir.takeError());
    if (!noteFailure(dir->replace("bug.json", bugText(finding)))) return false;
  }
  return bug.kind == evidence::BugKind::UninitializedRead || storeTest(bug.test, finding.dir);
}

bool ResultsFolder::onBug(const Bug &bug) {
  if (!failure_.empty()) return storeTest(bug.test, "");
  for (const uint64_t source : bug.sources)
    if (const auto owner = ofSource_.find(source); owner != ofSource_.end())
      return addFollowing(bug, owner->second);
  std::string name = fmt::format("{:06}", findings_.size() + 1);
  Finding finding{bug.kind, bug.message, bug.stack, bug.related, "bugs/" + name, bug.sources};
  if (const std::string known = bugs_.findOrAdd(finding, finding.dir, bug.beyondBound);
      !known.empty()) {
    // Another worker may have been the first.
    const explore::ExploreOptions defaults, &o = options_.options ? *options_.options : defaults;
    const bool wanted = o.allBugInputs || !(bug.pathGoesOn || o.onlyNewCoverage);
    return !wanted || storeTest(bug.test, known);
  }
  finding.identity = identityAfter(findings_, finding, code_);
  if (!noteFailure(bugsDir_.createWhole(name, [&](const Directory &dir) {
        return writeBug(dir, bug, tests_.inputs(bug.test), replayable(), finding.identity);
      })))
    return false;
  for (const uint64_t source : bug.sources) ofSource_.emplace(source, findings_.size());
  findings_.push_back(std::move(finding));
  if (options_.onFinding) options_.onFinding(findings_.back());
  if (!options_.testComp) return true;
  // What ends in reach_error() is what Test-Comp's cover-error looks for.
  bool isError = llvm::any_of(bug.stack, [](const StackFrame &frame) {
    return frame.function == "reach_error" || frame.function == "__VERIFIER_error";
  });
  return noteFailure(testCompDir_.replace(fmt::format("testcase-bug-{}.xml", findings_.size()),
                                          testCompCase(bug.test, isError)));
}

void ResultsFolder::onProgress(const explore::Stats &stats) {
  noteFailure(tests_.flushOld());
  explore::Stats shown = stats; // workers count bugs of their own, of which some are the same
  countWritten(shown);
  if (shown.wallSeconds >= nextRow_) noteFailure(writeRow(shown));
  if (options_.progress) options_.progress(shown);
}

bool ResultsFolder::onInput(const TestCase &test) {
  if (options_.onInput) options_.onInput(test);
  return true;
}

void ResultsFolder::onEcho(int fd, const std::string &data) {
  if (options_.echo) options_.echo(fd, data);
}

/// Once in so many seconds.
static constexpr double kRowInterval = 1;

llvm::Error ResultsFolder::writeRow(const explore::Stats &stats) {
  const int fd = openat(root_.fd(), "stats.csv", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const std::string path = root_.path() + "/stats.csv";
  if (fd < 0) return ioError("create", path, errno);
  nextRow_ = stats.wallSeconds + kRowInterval;
  const bool isNew = lseek(fd, 0, SEEK_END) == 0;
  const std::string row = (isNew ? statsColumns() : "") + statsRow(stats);
  const ssize_t written = write(fd, row.data(), row.size());
  const int why = written < 0 ? errno : ENOSPC;
  close(fd);
  if (written != static_cast<ssize_t>(row.size())) return ioError("write", path, why);
  return llvm::Error::success();
}

void ResultsFolder::countWritten(explore::Stats &stats) const {
  const TestsWriter::Counts &counts = tests_.counts();
  stats.tests = counts.tests;
  stats.partialTests = counts.partial;
  stats.bugTests = counts.endInBug;
  stats.bugs = findings_.size();
}

llvm::Error ResultsFolder::writeRun(const explore::ExploreResult *result) {
  return root_.replace("run.json", runText(options_, times_, result));
}

void ResultsFolder::discard() {
  llvm::consumeError(removeResults(root_));
  rmdir(options_.path.c_str());
}

llvm::Error ResultsFolder::finish(explore::ExploreResult &result) {
  if (auto e = root_.remove(".reserve")) return e;
  if (failure_.empty()) noteFailure(tests_.flush());
  if (!failure_.empty() && result.stats.stop == explore::StopReason::Exhausted)
    result.stats.stop = explore::StopReason::DiskFull;
  if (tests_.notWritten())
    result.ledger.add(LedgerCategory::DroppedTest, "",
                      "disk budget spent (--max-disk), and the test covers nothing new",
                      tests_.notWritten());
  if (const uint64_t unwritten = unwritten_ + tests_.lost())
    result.ledger.add(LedgerCategory::DroppedTest, "", text(explore::StopReason::DiskFull),
                      unwritten);
  for (auto &[kind, count] : bugs_.notToldApart())
    result.ledger.add(LedgerCategory::BoundStacks, "",
                      fmt::format("{}: {} call stacks that end in one place have a report; others "
                                  "are not told apart",
                                  evidence::name(kind), BugIndex::kMaxStacks),
                      count);
  countWritten(result.stats);
  // The ledger is written first: if the disk is full, it is the most important file.
  if (auto e = root_.replace("ledger.json", ledgerText(result.ledger))) return e;
  hasLedger_ = true;
  if (auto e = writeRow(result.stats)) return e;
  if (auto e = root_.replace("stats.json", statsText(result.stats))) return e;
  markDismissed(findings_, options_.dismissals);
  if (auto e = root_.replace("results.sarif", sarifText(findings_))) return e;
  llvm::Expected<Directory> coverage = root_.openOrCreateIn("coverage");
  if (!coverage) return coverage.takeError();
  if (auto e = coverage->replace("lcov.info", lcovText(result.lines, "explore"))) return e;
  return writeRun(&result);
}

} // namespace fathom::report
