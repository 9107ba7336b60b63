// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SUPPORT_PROCFILE_H
#define FATHOM_SUPPORT_PROCFILE_H

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace fathom {

/// A figure of a file below /proc that has lines like "MemAvailable:  123 kB", in bytes. 0: there
/// is none of that name, or no such file.
inline uint64_t procBytes(const std::string &path, const std::string &name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name + ":"))
      return std::strtoull(line.c_str() + name.size() + 1, nullptr, 10) * 1024;
  return 0;
}

/// Processor time that a process has used, in hundredths of a second; `withEnded`: also its
/// children that have ended and were waited for. 0: there is none.
inline uint64_t processorTicks(int pid, bool withEnded = false) {

  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  // The second field is a name in parentheses, and may hold anything; times are fields 14 and 15.
  const size_t name = text.rfind(')');
  if (name == std::string::npos) return 0;
  std::istringstream fields(text.substr(name + 1));
  std::string skipped;
  for (int field = 3; field < 14; field++) fields >> skipped;
  uint64_t sum = 0, ticks = 0; // its own user and system time, then those of its children
  for (int i = 0; i < (withEnded ? 4 : 2) && fields >> ticks; i++) sum += ticks;
  return sum;
}

/// The processes that a process has started and not yet waited for. Empty: none, or there is no
/// such process, or a kernel that does not tell.
inline std::vector<int> childrenOf(int pid) {
  std::vector<int> children;
  std::error_code none;
  // A child belongs to the thread that started it.
  for (std::filesystem::directory_iterator thread("/proc/" + std::to_string(pid) + "/task", none),
       end;
       !none && thread != end; thread.increment(none)) {
    std::ifstream file(thread->path() / "children");
    for (int child; file >> child;) children.push_back(child);
  }
  return children;
}

} // namespace fathom
#endif
