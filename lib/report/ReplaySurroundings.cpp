// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ReplaySurroundings.h"

#include "report/Tests.h"

#include "explore/Options.h"
#include "native/Process.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace fathom::report {

namespace {

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

} // namespace

NamedFiles explorationFiles(const std::string &folder) {
  constexpr size_t kMaxFiles = 64, kMaxBytes = 1 << 20;
  NamedFiles out;
  llvm::Expected<llvm::json::Object> run = readJsonObject(runFileOf(folder));
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
  // The test's environment has no PATH to find it by, and without it reports name no lines.
  std::string symbolizer = native::findProgram("llvm-symbolizer-19");
  if (symbolizer.empty()) symbolizer = native::findProgram("llvm-symbolizer");
  for (const char *name : {"ASAN_SYMBOLIZER_PATH", "UBSAN_SYMBOLIZER_PATH", "MSAN_SYMBOLIZER_PATH",
                           "LSAN_SYMBOLIZER_PATH"}) {
    const char *value = getenv(name);
    if (value || !symbolizer.empty())
      out.push_back(fmt::format("{}={}", name, value ? value : symbolizer));
  }
  return out;
}

std::vector<std::string> writableDirectories(const ReplayOptions &options,
                                             const std::string &executable) {
  std::vector<std::string> out{"/tmp", "/var/tmp", "/dev/shm"};
  if (!options.layout && !options.isFuzzedVariant)
    for (std::string &directory : measurementDirectories(executable))
      if (directory != "/") out.push_back(std::move(directory));
  out.insert(out.end(), options.writable.begin(), options.writable.end());
  return out;
}

std::string scratchParent() {
  if (const char *tmp = getenv("TMPDIR"); tmp && *tmp) return tmp;
  struct statvfs space{};
  bool roomy =
      statvfs("/dev/shm", &space) == 0 && space.f_bavail * space.f_frsize > (uint64_t(2) << 30);
  return roomy && access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

std::string absolutePath(const std::string &path) {
  char *real = realpath(path.c_str(), nullptr);
  std::string out = real ? real : path;
  free(real);
  return out;
}

} // namespace fathom::report
