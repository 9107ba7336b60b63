// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SUPPORT_PROCFILE_H
#define FATHOM_SUPPORT_PROCFILE_H

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

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

} // namespace fathom
#endif
