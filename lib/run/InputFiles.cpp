// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/InputFiles.h"

#include "run/Failure.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::run {

llvm::Error requireRegularFile(const std::string &option, const std::string &path) {
  std::string name = option.empty() ? path : option + " " + path;
  struct stat info{};
  if (stat(path.c_str(), &info) != 0 || access(path.c_str(), R_OK) != 0)
    return usageError(fmt::format("{}: {}", name, strerror(errno)));
  if (!S_ISREG(info.st_mode)) return usageError(fmt::format("{}: expected a regular file", name));
  return llvm::Error::success();
}

llvm::Error requireRegularPrograms(const std::vector<std::string> &paths) {
  struct stat info{};
  for (const std::string &path : paths)
    if (stat(path.c_str(), &info) == 0)
      if (llvm::Error e = requireRegularFile("", path)) return e;
  return llvm::Error::success();
}

std::string absolutePath(const std::string &path) {
  llvm::SmallString<256> out(path);
  (void)llvm::sys::fs::make_absolute(out);
  llvm::sys::path::remove_dots(out, /*remove_dot_dot=*/true);
  return out.str().str();
}

} // namespace fathom::run
