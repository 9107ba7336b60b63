// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <filesystem>
namespace fs = std::filesystem;

void f(const std::string &folder) {
  std::error_code failed;
  if (fs::exists(folder + "/x")) return;
  if (fs::file_size(fs::path(folder) / "x") == 0) return;
  if (std::filesystem::is_directory(folder)) return;
  for (auto &entry : fs::directory_iterator(folder, failed))
    if (entry.is_regular_file()) return;
  // fs::exists(folder) in a comment
  if (fs::exists(folder + "/x", failed) || fs::is_regular_file(fs::status(folder, failed))) return;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (at->is_regular_file(failed)) return;
}
