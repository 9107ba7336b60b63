// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/PatchedProgram.h"

#include "support/Folder.h"
#include "support/TextError.h"
#include "support/WriteFile.h"

#include "llvm/Support/MemoryBuffer.h"

#include <filesystem>
#include <fmt/format.h>

namespace fathom::repair {

namespace fs = std::filesystem;

/// Size limit for each file that a test or a build writes.
static constexpr uint64_t kMaxFileBytes = uint64_t(256) << 20;

static llvm::Expected<std::string> readAll(const std::string &path) {
  auto data = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!data) return textError(fmt::format("{}: {}", path, data.getError().message()));
  return (*data)->getBuffer().str();
}

static native::Command shell(const std::string &command, const std::string &folder) {
  native::Command out;
  out.program = "/bin/sh";
  out.arguments = {"sh", "-c", command};
  out.inheritEnvironment = true;
  out.directory = folder;
  out.limits.fileBytes = kMaxFileBytes;
  return out;
}

static std::error_code copyFolder(const fs::path &from, const fs::path &to,
                                  const fs::path &scratch) {
  std::error_code failed;
  fs::create_directories(to, failed);
  if (failed) return failed;
  const std::vector<fs::directory_entry> entries = entriesOf(from, failed);
  if (failed) return failed;
  for (const fs::directory_entry &entry : entries) {
    const fs::path &path = entry.path();
    std::error_code ignored;
    if (path.filename() == ".git" || fs::equivalent(path, scratch, ignored)) continue;
    const fs::file_status status = entry.symlink_status(ignored);
    const fs::path target = to / path.filename();
    if (fs::is_symlink(status)) {
      fs::copy_symlink(path, target, failed);
    } else if (fs::is_directory(status)) {
      failed = copyFolder(path, target, scratch);
    } else if (fs::is_regular_file(status)) {
      fs::copy_file(path, target, failed);
      // What a build compares has to stay older or newer.
      if (!failed) fs::last_write_time(target, fs::last_write_time(path, ignored), ignored);
    }
    if (failed) return failed;
  }
  return failed;
}

static std::error_code copyFiles(const fs::path &from, const fs::path &to) {
  std::error_code failed;
  fs::create_directories(to, failed);
  if (failed) return failed;
  const std::vector<fs::directory_entry> entries = entriesOf(from, failed);
  if (failed) return failed;
  for (const fs::directory_entry &entry : entries) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored))
      fs::copy_file(entry.path(), to / entry.path().filename(),
                    fs::copy_options::overwrite_existing, failed);
    if (failed) return failed;
  }
  return failed;
}

PatchedProgram::PatchedProgram(PatchedProgramOptions options) : options_(std::move(options)) {
  copy_ = options_.scratch + "/source";
  // In a folder of its own: `log.c` makes a program `log`, and scratch has other files.
  program_ = options_.build.empty()
                 ? options_.scratch + "/built/" + fs::path(options_.files[0]).stem().string()
                 : inCopy(options_.program);
}

llvm::Expected<PatchedProgram> PatchedProgram::create(PatchedProgramOptions options) {
  PatchedProgram out(std::move(options));
  std::error_code failed;
  if (!out.options_.build.empty()) {
    failed = copyFolder(out.options_.source, out.copy_, out.options_.scratch);
  } else {
    fs::create_directories(fs::path(out.program_).parent_path(), failed);
    std::set<fs::path> folders;
    for (const std::string &file : out.options_.files) folders.insert(fs::path(file).parent_path());
    for (const fs::path &folder : folders)
      if (!failed) failed = copyFiles(out.options_.source / folder, out.copy_ / folder);
  }
  if (failed)
    return textError(fmt::format("{} cannot be copied: {}", out.options_.source, failed.message()));
  return out;
}

llvm::Expected<std::string> PatchedProgram::sourceText(const std::string &file) const {
  return readAll(inSource(file));
}

llvm::Error PatchedProgram::change(const std::string &file, const std::string &text) {
  changed_.insert(file);
  if (std::error_code e = writeFile(inCopy(file), text))
    return textError(fmt::format("{} cannot be written: {}", inCopy(file), e.message()));
  return llvm::Error::success();
}

/// The file that a hunk changes; "" for none (/dev/null).
static std::string target(const DiffHunk &hunk) {
  const std::string &name = hunk.newFile == "/dev/null" ? hunk.oldFile : hunk.newFile;
  return name == "/dev/null" ? "" : name;
}

/// Whether the path of a diff's file leads out of the folder of the sources.
static bool escapesRoot(const std::string &file) {
  const fs::path path(file);
  if (path.is_absolute()) return true;
  for (const fs::path &part : path)
    if (part == "..") return true;
  return false;
}

/// What patch complains about, as one line.
static std::string complaint(const std::string &output) {
  for (size_t at = 0; at < output.size();) {
    const size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    for (const char *sign : {"FAILED", "can't find", "malformed", "Only garbage", "No file",
                             "Reversed", "hunk ignored"})
      if (line.find(sign) != std::string::npos) return line;
    at = end + 1;
  }
  return output.substr(0, output.find('\n'));
}

llvm::Expected<std::vector<DiffHunk>> PatchedProgram::apply(const std::string &patchFile) {
  llvm::Expected<std::string> text = readAll(patchFile);
  if (!text) return text.takeError();
  std::vector<DiffHunk> hunks = readDiff(*text);
  if (hunks.empty()) return textError("it has no hunk");
  const bool isWhole = std::any_of(hunks.begin(), hunks.end(), [&](const DiffHunk &hunk) {
    std::error_code ignored;
    const std::string file = target(hunk);
    return !file.empty() && !escapesRoot(file) && fs::is_regular_file(inCopy(file), ignored);
  });
  const unsigned strip = isWhole ? 0 : 1;
  for (DiffHunk &hunk : hunks) {
    for (std::string *name : {&hunk.oldFile, &hunk.newFile})
      if (*name != "/dev/null") *name = stripped(*name, strip);
    const std::string file = target(hunk);
    if (file.empty() || escapesRoot(file))
      return textError(fmt::format("'{}' is no file below the sources", file));
  }
  // patch may change, create or remove each of these: it chooses between the names of a hunk by
  // what is there. It ignores names that leave the folder.
  std::set<std::string> touched;
  for (const DiffHunk &hunk : hunks) touched.insert({hunk.oldFile, hunk.newFile});
  for (const std::string &name : renamedFiles(*text)) touched.insert(name);
  std::erase_if(touched,
                [](const std::string &file) { return file == "/dev/null" || escapesRoot(file); });
  const std::string program = native::findProgram("patch");
  if (program.empty()) return textError("patch is not installed");
  native::Command command;
  command.program = program;
  command.inheritEnvironment = true;
  command.directory = copy_;
  command.captureOutput = true;
  command.limits = {.fileBytes = kMaxFileBytes, .wall = std::chrono::seconds(60)};
  for (const bool isDry : {true, false}) {
    command.arguments = {"patch",     fmt::format("-p{}", strip), "--batch",
                         "--forward", "--no-backup-if-mismatch",  "-i",
                         patchFile};
    if (isDry) command.arguments.insert(command.arguments.begin() + 1, "--dry-run");
    if (!isDry) changed_.insert(touched.begin(), touched.end());
    const native::Outcome outcome = native::run(command, options_.stop);
    if (outcome.kind == native::Outcome::Kind::NotStarted) return textError(outcome.error);
    if (!outcome.ok()) {
      if (llvm::Error failed = restore()) return std::move(failed);
      return textError("it does not apply: " + complaint(outcome.output));
    }
  }
  return hunks;
}

llvm::Error PatchedProgram::restore() {
  for (const std::string &file : changed_) {
    std::error_code failed;
    if (fs::is_directory(inCopy(file), failed)) continue;
    // patch removes folders that it leaves empty.
    fs::create_directories(fs::path(inCopy(file)).parent_path(), failed);
    if (fs::exists(inSource(file), failed))
      fs::copy_file(inSource(file), inCopy(file), fs::copy_options::overwrite_existing, failed);
    else
      fs::remove(inCopy(file), failed);
    if (failed)
      return textError(fmt::format("{} cannot be restored: {}", inCopy(file), failed.message()));
    // A build that compares times has to see that it changed once more.
    fs::last_write_time(inCopy(file), fs::file_time_type::clock::now(), failed);
  }
  changed_.clear();
  return llvm::Error::success();
}

/// The first line with "error" in it, or the first line.
static std::string errorLine(const std::string &output) {
  for (size_t at = 0; at < output.size();) {
    const size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    if (line.find("error") != std::string::npos) return line;
    at = end + 1;
  }
  return output.substr(0, output.find('\n'));
}

llvm::Error PatchedProgram::build() {
  native::Command command;
  if (options_.build.empty()) {
    command.program = options_.fathomCc;
    command.arguments = {"fathom-cc", "-g", "-o", program_};
    for (const std::string &file : options_.files) command.arguments.push_back(file);
    command.inheritEnvironment = true;
    command.directory = copy_;
    command.limits.fileBytes = kMaxFileBytes;
  } else {
    command = shell(options_.build, copy_);
  }
  command.captureOutput = true;
  command.limits.wall = options_.buildTime;
  // So that a build that does nothing is not taken for one that worked.
  std::error_code ignored;
  fs::remove(program_, ignored);
  const native::Outcome outcome = native::run(command, options_.stop);
  if (outcome.kind == native::Outcome::Kind::NotStarted) return textError(outcome.error);
  if (!outcome.ok())
    return textError(native::describe(outcome) + (outcome.output.empty() ? "" : ": ") +
                     errorLine(outcome.output));
  if (!fs::exists(program_, ignored)) return textError(fmt::format("it leaves no {}", program_));
  return llvm::Error::success();
}

native::Outcome PatchedProgram::test(size_t test, const std::string &program,
                                     std::vector<std::string> environment) const {
  native::Command command =
      shell(options_.tests[test], options_.testFolder.empty() ? copy_ : options_.testFolder);
  command.environment = std::move(environment);
  command.environment.push_back(fmt::format("{}={}", kProgramVariable, program));
  command.captureOutput = true;
  command.limits.wall = options_.testTime;
  command.limits.memoryBytes = options_.testMemory;
  return native::run(command, options_.stop);
}

bool couldNotRun(const native::Outcome &outcome) {
  return outcome.kind == native::Outcome::Kind::NotStarted ||
         (outcome.kind == native::Outcome::Kind::Exited &&
          (outcome.status == 126 || outcome.status == 127));
}

} // namespace fathom::repair
