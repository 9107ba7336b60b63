// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/OutputFile.h"

#include "run/Failure.h"

#include <fmt/format.h>

#include <filesystem>
#include <unistd.h>

namespace fathom::run {

namespace fs = std::filesystem;

/// Behind symbolic links, whether anything is there or not: a link stays one.
static std::string behindLinks(fs::path path) {
  constexpr unsigned kMost = 40; // as many as the system follows
  std::error_code failed;
  for (unsigned i = 0; i < kMost && fs::is_symlink(path, failed); i++)
    path = path.parent_path() / fs::read_symlink(path, failed);
  return path.string();
}

llvm::Error writeDocument(const std::string &option, const std::string &named,
                          const std::function<void(llvm::raw_ostream &)> &write) {
  const std::string path = behindLinks(named);
  std::error_code failed;
  const bool isReplaced = !fs::exists(path, failed) || fs::is_regular_file(path, failed);
  const std::string draft = isReplaced ? fmt::format("{}.{}", path, getpid()) : path;
  bool isWritten = false;
  {
    llvm::raw_fd_ostream out(draft, failed);
    if (!failed) {
      write(out);
      out.close();
      isWritten = !out.has_error();
      out.clear_error();
    }
  }
  failed.clear();
  if (isWritten && isReplaced) fs::rename(draft, path, failed);
  if (isWritten && !failed) return llvm::Error::success();
  if (isReplaced) fs::remove(draft, failed);
  return usageError(fmt::format("{} {}: cannot be written", option, named));
}

} // namespace fathom::run
