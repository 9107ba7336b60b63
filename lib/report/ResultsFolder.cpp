// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test is written into a directory with a name that starts with a dot and renamed when it is
// whole. Failures to write are kept as text and reported to the engine as `false`, which ends the
// run with what there is.
#include "report/ResultsFolder.h"

#include "report/Lcov.h"
#include "report/ReplayScript.h"
#include "report/Summary.h"
#include "report/TestComp.h"
#include "report/TestFolder.h"
#include "report/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace fathom::report {

using explore::Bug;
using explore::TestCase;
using llvm::json::OStream;

/// Everything that an exploration writes, and what other subcommands add to it.
static const char *const kFiles[] = {"stats.json",  "ledger.json",        "results.sarif",
                                     "replay.json", "replay-binary.json", ".reserve",
                                     "run.json"};
static const char *const kFolders[] = {"tests", "bugs", "tests-testcomp", "coverage"};
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
  name.consume_front("."); // being replaced when the run was killed
  name.consume_back(".new");
  if (folder == "coverage") return name == "lcov.info" || name == "explore.info";
  return name == "metadata.xml" || (name.starts_with("testcase-") && name.ends_with(".xml"));
}

/// Only what has a name and a place that we write to: a file of the user's that lies among ours
/// stays, with the folder that it is in. run.json goes last: it is what the rest is known by.
static llvm::Error removeResults(const Directory &root) {
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
  for (const char *name : kFiles)
    if (auto e = root.remove(name)) return e;
  return llvm::Error::success();
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
  for (auto names : {llvm::ArrayRef(kFiles), llvm::ArrayRef(kFolders)})
    for (const char *name : names)
      if (struct stat st{}; lstat((path + "/" + name).c_str(), &st) == 0)
        return FolderState::Foreign;
  return FolderState::Free;
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
  }
  return llvm::Error::success();
}

/// Two explorations into one folder would replace each other's tests. The lock ends with the
/// process.
static llvm::Error lock(const Directory &root) {
  if (flock(root.fd(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return llvm::Error::success(); // no harm on file systems without locks
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      fmt::format("{}: another exploration is writing there; name another folder with -o",
                  root.path()));
}

static std::string sha256(const std::string &path) {
  llvm::Expected<std::string> data = readFile(path);
  if (!data) {
    llvm::consumeError(data.takeError());
    return "";
  }
  std::array<uint8_t, 32> digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(*data));
  return hex(llvm::toStringRef(digest));
}

llvm::Expected<std::unique_ptr<ResultsFolder>> ResultsFolder::create(FolderOptions options) {
  std::unique_ptr<ResultsFolder> folder(new ResultsFolder(std::move(options)));
  const std::string &path = folder->options_.path;
  llvm::Expected<Directory> root = Directory::openOrCreate(path);
  if (!root) return root.takeError();
  if (auto e = lock(*root)) return std::move(e);
  if (auto e = checkFolder(path, folder->options_.force)) return std::move(e);
  folder->root_ = std::move(*root);
  if (auto e = removeResults(folder->root_)) return std::move(e);
  folder->started_ = utcNow();
  if (auto e = folder->writeRun(nullptr)) return std::move(e);

  for (auto &[name, dir] : {std::pair<const char *, Directory *>{"tests", &folder->testsDir_},
                            {"bugs", &folder->bugsDir_},
                            {"tests-testcomp", &folder->testCompDir_}}) {
    if (dir == &folder->testCompDir_ && !folder->options_.testComp) continue;
    llvm::Expected<Directory> sub = folder->root_.openOrCreateIn(name);
    if (!sub) return sub.takeError();
    *dir = std::move(*sub);
  }
  folder->setDiskBudget();
  int reserve = openat(folder->root_.fd(), ".reserve", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (reserve >= 0) {
    (void)posix_fallocate(reserve, 0, kReserveBytes); // no harm where it fails
    close(reserve);
  }
  if (folder->options_.testComp) {
    TestCompMetadata metadata{
        .programFile = folder->options_.programs.empty() ? "" : folder->options_.programs[0],
        .programSha256 =
            folder->options_.programs.empty() ? "" : sha256(folder->options_.programs[0]),
        .creationTime = folder->started_};
    if (folder->options_.options && !folder->options_.options->entry.empty())
      metadata.entry = folder->options_.options->entry;
    if (auto e = folder->testCompDir_.write("metadata.xml", testCompMetadata(metadata)))
      return std::move(e);
  }
  return folder;
}

void ResultsFolder::setDiskBudget() {
  diskBudget_ = {.bytes = ~uint64_t(0), .files = ~uint64_t(0)};
  struct statvfs disk{};
  if (options_.maxDiskBytes) {
    diskBudget_.bytes = options_.maxDiskBytes;
  } else if (fstatvfs(root_.fd(), &disk) == 0) {
    diskBudget_.bytes = disk.f_bavail * disk.f_frsize / 2;
    if (disk.f_files) diskBudget_.files = disk.f_favail / 2; // some file systems have no inodes
  }
  testsDir_.countInto(&testUse_);
}

bool ResultsFolder::noteFailure(llvm::Error error) {
  if (!error) return true;
  std::string text = llvm::toString(std::move(error));
  if (failure_.empty()) failure_ = std::move(text);
  return false;
}

static void writeFrame(OStream &json, const explore::StackFrame &frame) {
  json.object([&] {
    json.attribute("function", utf8(frame.function));
    json.attribute("file", utf8(frame.file));
    json.attribute("line", frame.line);
    json.attribute("column", frame.column);
    json.attribute("own", frame.own);
  });
}

static std::string bugText(const Bug &bug) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("kind", explore::name(bug.kind));
      json.attribute("cwe", explore::cwe(bug.kind));
      json.attribute("message", utf8(bug.message));
      const explore::StackFrame *at = locationOf(bug.stack);
      json.attribute("function", at ? utf8(at->function) : "");
      json.attribute("file", at ? utf8(at->file) : "");
      json.attribute("line", at ? at->line : 0);
      for (auto &[name, frames] : {std::pair{"stack", &bug.stack}, {"related", &bug.related}})
        json.attributeArray(name, [&, frames = frames] {
          for (const explore::StackFrame &frame : *frames) writeFrame(json, frame);
        });
    });
  });
}

llvm::Error ResultsFolder::storeTest(const Directory &where, const std::string &name,
                                     const TestCase &test, const Bug *bug) {
  static const std::vector<std::string> none;
  const explore::ExploreOptions *run = options_.options;
  TestInputs inputs = inputsOf(test, run ? run->arguments : none, run ? run->environment : none);
  std::string temporary = "." + name;
  llvm::Expected<Directory> dir = where.create(temporary);
  if (!dir) return dir.takeError();
  llvm::Error error = writeTest(*dir, test, inputs);
  if (!error && bug) error = dir->write("bug.json", bugText(*bug));
  if (!error && bug)
    error = dir->write("replay.sh",
                       replayScript(inputs, options_.nativeProgram,
                                    fmt::format("{}: {}", explore::name(bug->kind), bug->message)),
                       /*executable=*/true);
  if (!error) error = where.rename(temporary, name);
  if (error) llvm::consumeError(where.remove(temporary));
  return error;
}

bool ResultsFolder::onTest(const TestCase &test) {
  if (!failure_.empty()) return false;
  if (!test.coversNew && !diskBudgetHolds()) {
    ++testsNotWritten_;
    return true;
  }
  std::string name = fmt::format("{:06}", tests_ + 1);
  if (!noteFailure(storeTest(testsDir_, name, test, nullptr))) return false;
  ++tests_;
  partialTests_ += test.end == explore::EndKind::Partial;
  if (!options_.testComp) return true;
  return noteFailure(testCompDir_.replace(fmt::format("testcase-{}.xml", tests_),
                                          testCompCase(test, /*coversError=*/false)));
}

bool ResultsFolder::onBug(const Bug &bug) {
  if (!failure_.empty()) return false;
  const explore::StackFrame *at = locationOf(bug.stack);
  std::string key = explore::name(bug.kind);
  if (at) key += fmt::format("\n{}\n{}\n{}\n{}", at->function, at->file, at->line, at->column);
  if (!seenBugs_.insert(key).second) return true;
  std::string name = fmt::format("{:06}", findings_.size() + 1);
  if (!noteFailure(storeTest(bugsDir_, name, bug.test, &bug))) return false;
  findings_.push_back({bug.kind, bug.message, bug.stack, bug.related, "bugs/" + name});
  if (!options_.testComp) return true;
  // What ends in reach_error() is what Test-Comp's cover-error looks for.
  bool isError = llvm::any_of(bug.stack, [](const explore::StackFrame &frame) {
    return frame.function == "reach_error" || frame.function == "__VERIFIER_error";
  });
  return noteFailure(testCompDir_.replace(fmt::format("testcase-bug-{}.xml", findings_.size()),
                                          testCompCase(bug.test, isError)));
}

void ResultsFolder::onProgress(const explore::Stats &stats) {
  if (options_.progress) options_.progress(stats);
}

void ResultsFolder::onEcho(int fd, const std::string &data) {
  if (options_.echo) options_.echo(fd, data);
}

/// One overload per type of an option in explore/Options.def. The flag's dashes are not part of the
/// name.
static void writeOption(OStream &json, llvm::StringRef flag, const std::string &value) {
  json.attribute(flag.ltrim('-'), utf8(value));
}
static void writeOption(OStream &json, llvm::StringRef flag, uint64_t value) {
  json.attribute(flag.ltrim('-'), static_cast<int64_t>(value));
}
static void writeOption(OStream &json, llvm::StringRef flag, bool value) {
  json.attribute(flag.ltrim('-'), value);
}

static void writeOptions(OStream &json, const explore::ExploreOptions &options) {
  json.attribute("seed", static_cast<int64_t>(options.seed));
  json.attributeObject("budgets", [&] {
    json.attribute("max_time_seconds", static_cast<double>(options.maxTime.count()) / 1000);
    json.attribute("max_memory_bytes", static_cast<int64_t>(options.maxMemoryBytes));
    json.attribute("max_instructions", static_cast<int64_t>(options.maxInstructions));
    json.attribute("solver_timeout_seconds",
                   static_cast<double>(options.solverTimeout.count()) / 1000);
  });
  json.attributeObject("options", [&] {
#define FATHOM_OPTION(type, field, defaultValue, flag, help) writeOption(json, flag, options.field);
#include "explore/Options.def"
#undef FATHOM_OPTION
  });
  json.attributeArray("arguments", [&] {
    for (const std::string &a : options.arguments) json.value(utf8(a));
  });
  json.attributeArray("environment", [&] {
    for (const std::string &e : options.environment) json.value(utf8(e));
  });
}

llvm::Error ResultsFolder::writeRun(const explore::ExploreResult *result) {
  return root_.replace(
      "run.json", jsonText([&](OStream &json) {
        json.object([&] {
          json.attribute("schema", kSchemaVersion);
          json.attributeObject("tool", [&] {
            json.attribute("name", "fathom");
            json.attribute("version", kVersion);
            json.attribute("llvm", LLVM_VERSION_STRING);
          });
          json.attribute("subcommand", "explore");
          json.attributeArray("command", [&] {
            for (const std::string &a : options_.commandLine) json.value(utf8(a));
          });
          json.attributeArray("program", [&] {
            for (const std::string &p : options_.programs) json.value(utf8(p));
          });
          json.attribute("native_program", utf8(options_.nativeProgram));
          json.attribute("working_directory", utf8(options_.workingDirectory));
          if (options_.options) writeOptions(json, *options_.options);
          json.attribute("started", started_);
          if (!result) {
            json.attribute("ended", nullptr);
            json.attribute("how_ended", nullptr);
            return;
          }
          json.attribute("ended", utcNow());
          json.attribute("how_ended", result->error.empty() ? explore::text(result->stats.stop)
                                                            : utf8(result->error));
          json.attributeObject("totals", [&] {
            json.attribute("paths_completed", static_cast<int64_t>(result->stats.pathsCompleted));
            json.attribute("tests", static_cast<int64_t>(result->stats.tests));
            json.attribute("bugs", static_cast<int64_t>(result->stats.bugs));
            json.attribute("instructions", static_cast<int64_t>(result->stats.instructions));
            json.attribute("wall_seconds", result->stats.wallSeconds);
          });
        });
      }));
}

void ResultsFolder::discard() {
  llvm::consumeError(removeResults(root_));
  rmdir(options_.path.c_str());
}

llvm::Error ResultsFolder::finish(explore::ExploreResult &result) {
  if (auto e = root_.remove(".reserve")) return e;
  if (testsNotWritten_)
    result.ledger.add("dropped-test", "",
                      "disk budget spent (--max-disk), and the test covers nothing new",
                      testsNotWritten_);
  result.stats.tests = tests_;
  result.stats.partialTests = partialTests_;
  result.stats.bugs = findings_.size();
  if (auto e = root_.replace("stats.json", statsText(result.stats))) return e;
  if (auto e = root_.replace("ledger.json", ledgerText(result.ledger))) return e;
  if (auto e = root_.replace("results.sarif", sarifText(findings_))) return e;
  llvm::Expected<Directory> coverage = root_.openOrCreateIn("coverage");
  if (!coverage) return coverage.takeError();
  if (auto e = coverage->replace("lcov.info", lcovText(result.lines, "explore"))) return e;
  return writeRun(&result);
}

} // namespace fathom::report
