// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SUPPORT_WRITEFILE_H
#define FATHOM_SUPPORT_WRITEFILE_H

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

namespace fathom {

/// Creates the file, or replaces what was in it. On an error (of the first step that fails) it may
/// be there in part.
inline std::error_code writeFile(const std::string &path, std::string_view data) {
  FILE *file = std::fopen(path.c_str(), "we");
  if (!file) return {errno, std::generic_category()};
  int error = std::fwrite(data.data(), 1, data.size(), file) == data.size() ? 0 : errno;
  if (std::fclose(file) != 0 && !error) error = errno; // a full disk may show here only
  return {error, std::generic_category()};
}

} // namespace fathom
#endif
