// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RepairProgram.h"

#include "program/Load.h"
#include "repair/Scope.h"
#include "report/ReplayScript.h"
#include "support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::tool {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// Runs of one test that are kept, and bytes of an input.
static constexpr size_t kMaxRuns = 4, kMaxInput = 4096;
/// A candidate that goes round for ever is to cost little.
static constexpr double kLeastSeconds = 0.5, kTimes = 10;

RepairScratch::RepairScratch() {
  llvm::SmallString<128> path;
  if (std::error_code e = llvm::sys::fs::createUniqueDirectory("fathom-repair", path))
    throw UsageError(fmt::format("no folder for temporary files: {}", e.message()));
  path_ = path.str().str();
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

RepairProgram::RepairProgram(const RepairFlags &flags, Context &context)
    : flags_(flags), root_(canonical(absolutePath(flags.source.empty() ? "." : flags.source))) {
  std::error_code ignored;
  if (!fs::is_directory(root_, ignored))
    throw UsageError(fmt::format("--source {}: expected a folder", flags.source));
  requireRegularPrograms(flags.programs);
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  module_ = orUsage(program::loadProgram(llvm_, flags.programs, load));

  repair::SubjectOptions options;
  options.source = root_;
  options.fathomCc = load.fathomCc;
  options.scratch = scratch_.path();
  options.tests = flags.tests;
  options.testTime = parseDuration("--test-time", flags.testTime);
  options.testMemory = parseSize("--test-memory", flags.testMemory);
  options.stop = &context.stop;
  if (!flags.build.empty()) {
    const std::optional<std::string> program = relative(absolutePath(flags.programs[0]));
    if (!program || flags.programs.size() > 1 || llvm::StringRef(flags.programs[0]).ends_with(".c"))
      throw UsageError(
          fmt::format("--build: PROGRAM has to be the executable that it builds, below "
                      "{}; {} is not",
                      root_, flags.programs[0]));
    options.build = flags.build;
    options.program = *program;
  } else {
    const std::vector<std::string> sources = repair::ownSources(*module_);
    if (sources.empty())
      throw UsageError(
          fmt::format("{}: it has no debug information; compile it with -g", flags.programs[0]));
    for (const std::string &source : sources) {
      const std::optional<std::string> file = relative(source);
      if (!file)
        throw UsageError(fmt::format("{} is not below {}: name the folder of the sources with "
                                     "--source DIR",
                                     source, root_));
      if (!llvm::StringRef(*file).ends_with(".c") || !fs::exists(source, ignored))
        throw UsageError(fmt::format("{}: no such C file; say with --build CMD how the program is "
                                     "built",
                                     source));
      options.files.push_back(*file);
    }
    options.testFolder = canonical(absolutePath("."));
  }
  subject_.emplace(orUsage(repair::Subject::create(std::move(options))));
}

/// A script that stands for the program, and writes down what it is started with. It reads all of
/// the standard input, also what the program would have left to others.
static void writeRecorder(const std::string &path, const std::string &folder,
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
  if (failed) throw InternalError(fmt::format("{}: {}", path, failed.message()));
}

static std::string readAll(const std::string &path) {
  auto data = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return data ? (*data)->getBuffer().str() : "";
}

std::vector<RecordedRun> RepairProgram::recordedRuns(size_t test) const {
  const std::string recorder = fmt::format("{}/recorder{}", scratch(), test),
                    folder = recorder + ".runs";
  writeRecorder(recorder, folder, subject_->program());
  (void)subject_->test(test, recorder); // how it ends is known
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code failed;
  for (auto at = fs::directory_iterator(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    // Without arguments it was ended while it still read its input.
    std::error_code unfinished;
    const fs::file_time_type time = fs::last_write_time(at->path() / "args", unfinished);
    if (!unfinished) found.emplace_back(time, at->path().string());
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

void RepairProgram::testBefore() {
  if (llvm::Error failed = subject_->build())
    throw UsageError(fmt::format("{}: the program as it is cannot be built: {}",
                                 flags_.build.empty() ? "fathom-cc" : "--build " + flags_.build,
                                 llvm::toString(std::move(failed))));
  double slowest = 0;
  for (size_t test = 0; test < flags_.tests.size(); ++test) {
    const native::Outcome outcome = subject_->test(test, subject_->program());
    if (repair::couldNotRun(outcome))
      throw UsageError(fmt::format("--tests '{}': it cannot be run: {}", flags_.tests[test],
                                   outcome.error.empty()
                                       ? outcome.output.substr(0, outcome.output.find('\n'))
                                       : outcome.error));
    TestBefore before{outcome.ok(), outcome.seconds, native::describe(outcome), {}};
    if (!before.passes) before.runs = recordedRuns(test);
    if (before.passes || outcome.kind != native::Outcome::Kind::TimedOut)
      slowest = std::max(slowest, before.seconds);
    before_.push_back(std::move(before));
  }
  for (const bool passes : {false, true})
    for (size_t test = 0; test < before_.size(); ++test)
      if (before_[test].passes == passes) order_.push_back(test);
  const double seconds = std::max(kLeastSeconds, kTimes * slowest);
  subject_->limitTests(milliseconds(static_cast<int64_t>(1000 * seconds)));
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

PatchFolder::PatchFolder(const CommonOptions &common) : path_(common.output) {
  std::error_code failed;
  if (common.resume) throw UsageError("--resume: there is nothing to go on with; run it again");
  if (fs::exists(path_, failed) && !fs::is_directory(path_, failed))
    throw UsageError(fmt::format("-o {}: expected a folder", path_));
  fs::create_directories(path_, failed);
  if (failed) throw UsageError(fmt::format("-o {}: {}", path_, failed.message()));
  for (auto at = fs::directory_iterator(path_, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    if (!common.force)
      throw UsageError(fmt::format("-o {}: is not empty; replace an earlier run's patches with "
                                   "--force, or name another folder",
                                   path_));
    if (at->path().extension() == ".patch") old_.insert(at->path().string());
  }
}

std::string PatchFolder::write(size_t number, const std::string &diff) {
  const std::string file = fmt::format("{}/{}.patch", path_, number), whole = file + ".new";
  std::error_code failed = writeFile(whole, diff);
  if (!failed) fs::rename(whole, file, failed);
  if (failed) {
    std::error_code ignored;
    fs::remove(whole, ignored);
    throw UsageError(fmt::format("-o {}: {}", path_, failed.message()));
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

} // namespace fathom::tool
