// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/repair/RepairProgram.h"

#include "program/Load.h"
#include "repair/Scope.h"
#include "report/ReplayScript.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "support/Folder.h"
#include "support/TextError.h"
#include "support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::run {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// Runs of one test that are kept, and bytes of an input.
static constexpr size_t kMaxRuns = 4, kMaxInput = 4096;
/// A candidate that goes round for ever is to cost little.
static constexpr double kMinSeconds = 0.5, kTimes = 10;

llvm::Expected<std::unique_ptr<RepairScratch>> RepairScratch::make() {
  llvm::SmallString<128> path;
  if (std::error_code e = llvm::sys::fs::createUniqueDirectory("fathom-repair", path))
    return usageError(fmt::format("no folder for temporary files: {}", e.message()));
  return std::unique_ptr<RepairScratch>(new RepairScratch(path.str().str()));
}

RepairScratch::~RepairScratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

static std::string canonical(const std::string &path) {
  std::error_code failed;
  const fs::path out = fs::weakly_canonical(path, failed);
  return failed ? path : out.string();
}

std::optional<std::string> RepairProgram::relative(const std::string &file) const {
  const fs::path path = fs::path(canonical(file)).lexically_relative(root_);
  if (path.empty() || *path.begin() == ".." || path == ".") return std::nullopt;
  return path.string();
}

RepairProgram::RepairProgram(const RepairRequest &request)
    : request_(request),
      root_(canonical(absolutePath(request.source.empty() ? "." : request.source))) {}

llvm::Expected<std::unique_ptr<RepairProgram>> RepairProgram::make(const RepairRequest &request,
                                                                   Session &session) {
  auto scratch = RepairScratch::make();
  if (!scratch) return scratch.takeError();
  std::unique_ptr<RepairProgram> out(new RepairProgram(request));
  out->scratch_ = std::move(*scratch);
  if (llvm::Error e = out->load(session)) return std::move(e);
  return out;
}

llvm::Expected<std::vector<std::string>> RepairProgram::sourceFiles() const {
  const std::vector<std::string> sources = repair::ownSources(*module_);
  if (sources.empty())
    return usageError(
        fmt::format("{}: it has no debug information; compile it with -g", request_.programs[0]));
  std::vector<std::string> out;
  std::error_code ignored;
  for (const std::string &source : sources) {
    const std::optional<std::string> file = relative(source);
    if (!file)
      return usageError(fmt::format("{} is not below {}: name the folder of the sources with "
                                    "--source DIR",
                                    source, root_));
    if (!llvm::StringRef(*file).ends_with(".c") || !fs::exists(source, ignored))
      return usageError(fmt::format("{}: no such C file; say with --build CMD how the program is "
                                    "built",
                                    source));
    out.push_back(*file);
  }
  return out;
}

llvm::Error RepairProgram::load(Session &session) {
  std::error_code ignored;
  const std::vector<std::string> &programs = request_.programs;
  if (!fs::is_directory(root_, ignored))
    return usageError(fmt::format("--source {}: expected a folder", request_.source));
  if (llvm::Error e = requireRegularPrograms(programs)) return e;
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  auto module = asUsage(program::loadProgram(llvm_, programs, load));
  if (!module) return module.takeError();
  module_ = std::move(*module);

  repair::PatchedProgramOptions options;
  options.source = root_;
  options.fathomCc = load.fathomCc;
  options.scratch = scratch();
  options.tests = request_.tests;
  options.testTime = request_.testTime;
  options.testMemory = request_.testMemoryBytes;
  options.stop = &session.interruption.stop;
  if (!request_.build.empty()) {
    const std::optional<std::string> program = relative(absolutePath(programs[0]));
    if (!program || programs.size() > 1 || llvm::StringRef(programs[0]).ends_with(".c"))
      return usageError(
          fmt::format("--build: PROGRAM has to be the executable that it builds, below "
                      "{}; {} is not",
                      root_, programs[0]));
    options.build = request_.build;
    options.program = *program;
  } else {
    auto files = sourceFiles();
    if (!files) return files.takeError();
    options.files = std::move(*files);
    options.testFolder = canonical(absolutePath("."));
  }
  auto subject = asUsage(repair::PatchedProgram::create(std::move(options)));
  if (!subject) return subject.takeError();
  subject_.emplace(std::move(*subject));
  return llvm::Error::success();
}

/// A script that stands for the program, and writes down what it is started with. It reads all of
/// the standard input, also what the program would have left to others.
static llvm::Error writeRecorder(const std::string &path, const std::string &folder,
                                 const std::string &program) {
  const std::string text = fmt::format("#!/bin/sh\n"
                                       "d=$(mktemp -d {0}/XXXXXX) || exit 125\n"
                                       "cat >\"$d/stdin\"\n"
                                       "for a; do printf '%s\\0' \"$a\"; done >\"$d/args\"\n"
                                       "exec {1} \"$@\" <\"$d/stdin\"\n",
                                       report::shellQuote(folder), report::shellQuote(program));
  std::error_code failed = writeFile(path, text);
  if (!failed) fs::permissions(path, fs::perms::owner_all, failed);
  if (!failed) fs::create_directories(folder, failed);
  return failed ? textError(fmt::format("{}: {}", path, failed.message())) : llvm::Error::success();
}

static std::string readAll(const std::string &path) {
  auto data = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return data ? (*data)->getBuffer().str() : "";
}

llvm::Expected<std::vector<RecordedRun>> RepairProgram::recordedRuns(size_t test) const {
  const std::string recorder = fmt::format("{}/recorder{}", scratch(), test),
                    folder = recorder + ".runs";
  if (llvm::Error e = writeRecorder(recorder, folder, subject_->program())) return std::move(e);
  (void)subject_->test(test, recorder); // how it ends is known
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code failed;
  for (const fs::directory_entry &entry : entriesOf(folder, failed)) {
    // Without arguments it was ended while it still read its input.
    std::error_code unfinished;
    const fs::file_time_type time = fs::last_write_time(entry.path() / "args", unfinished);
    if (!unfinished) found.emplace_back(time, entry.path().string());
  }
  std::sort(found.begin(), found.end());
  std::vector<RecordedRun> out;
  for (const auto &[time, path] : found) {
    RecordedRun run;
    run.input = readAll(path + "/stdin");
    const std::string arguments = readAll(path + "/args");
    for (size_t at = 0; at < arguments.size();) {
      const size_t end = std::min(arguments.find('\0', at), arguments.size());
      run.arguments.push_back(arguments.substr(at, end - at));
      at = end + 1;
    }
    if (run.input.size() <= kMaxInput && out.size() < kMaxRuns) out.push_back(std::move(run));
  }
  return out;
}

llvm::Error RepairProgram::testBefore() {
  if (llvm::Error failed = subject_->build())
    return usageError(
        fmt::format("{}: the program as it is cannot be built: {}",
                    request_.build.empty() ? "fathom-cc" : "--build " + request_.build,
                    llvm::toString(std::move(failed))));
  double slowest = 0;
  for (size_t test = 0; test < request_.tests.size(); ++test) {
    const native::Outcome outcome = subject_->test(test, subject_->program());
    if (repair::couldNotRun(outcome))
      return usageError(fmt::format("--tests '{}': it cannot be run: {}", request_.tests[test],
                                    outcome.error.empty()
                                        ? outcome.output.substr(0, outcome.output.find('\n'))
                                        : outcome.error));
    TestBefore before{outcome.ok(), outcome.seconds, native::describe(outcome), {}};
    if (!before.passes) {
      auto runs = recordedRuns(test);
      if (!runs) return runs.takeError();
      before.runs = std::move(*runs);
    }
    if (before.passes || outcome.kind != native::Outcome::Kind::TimedOut)
      slowest = std::max(slowest, before.seconds);
    before_.push_back(std::move(before));
  }
  for (const bool passes : {false, true})
    for (size_t test = 0; test < before_.size(); ++test)
      if (before_[test].passes == passes) order_.push_back(test);
  const double seconds = std::max(kMinSeconds, kTimes * slowest);
  subject_->limitTests(milliseconds(static_cast<int64_t>(1000 * seconds)));
  return llvm::Error::success();
}

size_t RepairProgram::failing() const {
  return static_cast<size_t>(
      std::count_if(before_.begin(), before_.end(), [](const TestBefore &t) { return !t.passes; }));
}

std::string TestFailure::text() const { return fmt::format("test {} fails: {}", test + 1, how); }

std::optional<TestFailure>
RepairProgram::failure(const std::vector<std::string> &environment) const {
  for (const size_t test : order_) {
    const native::Outcome outcome = subject_->test(test, subject_->program(), environment);
    if (!outcome.ok()) return TestFailure{test, native::describe(outcome)};
  }
  return std::nullopt;
}

llvm::Expected<PatchFolder> PatchFolder::open(const std::string &path, bool force) {
  std::error_code failed;
  PatchFolder out;
  out.path_ = path;
  if (fs::exists(path, failed) && !fs::is_directory(path, failed))
    return usageError(fmt::format("-o {}: expected a folder", path));
  fs::create_directories(path, failed);
  if (failed) return usageError(fmt::format("-o {}: {}", path, failed.message()));
  for (const fs::directory_entry &entry : entriesOf(path, failed)) {
    if (!force)
      return usageError(fmt::format("-o {}: is not empty; replace an earlier run's patches with "
                                    "--force, or name another folder",
                                    path));
    if (entry.path().extension() == ".patch") out.old_.insert(entry.path().string());
  }
  return out;
}

llvm::Expected<std::string> PatchFolder::write(size_t number, const std::string &diff) {
  const std::string file = fmt::format("{}/{}.patch", path_, number), whole = file + ".new";
  std::error_code failed = writeFile(whole, diff);
  if (!failed) fs::rename(whole, file, failed);
  if (failed) {
    std::error_code ignored;
    fs::remove(whole, ignored);
    return usageError(fmt::format("-o {}: {}", path_, failed.message()));
  }
  old_.erase(file);
  removeOld();
  return file;
}

void PatchFolder::removeOld() {
  std::error_code ignored;
  for (const std::string &file : old_) fs::remove(file, ignored);
  old_.clear();
}

} // namespace fathom::run
