// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of source code as users name them: FILE:LINE.
#ifndef FATHOM_SUPPORT_SOURCEPLACE_H
#define FATHOM_SUPPORT_SOURCEPLACE_H

#include <cstdint>
#include <optional>
#include <string>

namespace fathom {

struct SourcePlace {
  std::string file;  ///< as it was written
  uint32_t line = 0; ///< from 1
};

/// None: `text` is not FILE:LINE.
std::optional<SourcePlace> sourcePlaceFrom(const std::string &text);

/// The path without its folders.
std::string baseName(const std::string &path);
/// FILE:LINE without folders: for texts that may be read in another working directory.
std::string shortPlace(const std::string &file, uint32_t line);

/// Does a path given by a user name this file? Whole components from the end must agree.
bool namesFile(const std::string &asked, const std::string &file);

} // namespace fathom
#endif
