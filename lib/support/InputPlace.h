// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// @@ among a program's arguments stands for the name of its input file, as for AFL++: in each
// argument the first one.
#ifndef FATHOM_SUPPORT_INPUTPLACE_H
#define FATHOM_SUPPORT_INPUTPLACE_H

#include <algorithm>
#include <string>
#include <vector>

namespace fathom {

inline bool hasInputPlace(const std::vector<std::string> &arguments) {
  return std::ranges::any_of(arguments, [](const std::string &argument) {
    return argument.find("@@") != std::string::npos;
  });
}

/// Puts the file's name there. Does an argument have the place?
inline bool putInputName(std::vector<std::string> &arguments, const std::string &file) {
  bool isUsed = false;
  for (std::string &argument : arguments)
    if (const size_t at = argument.find("@@"); at != std::string::npos) {
      argument.replace(at, 2, file);
      isUsed = true;
    }
  return isUsed;
}

} // namespace fathom
#endif
