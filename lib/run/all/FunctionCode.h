// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions of a program have changed since an earlier run: functions.json of its folder has
// a hash of the source of each, without comments and spaces.
#ifndef FATHOM_RUN_ALL_FUNCTIONCODE_H
#define FATHOM_RUN_ALL_FUNCTIONCODE_H

#include "campaign/MapLayout.h"
#include "report/Files.h"
#include "report/SourceCode.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fathom::run {

struct FunctionCode {
  std::string function, file;
  uint32_t line = 0; ///< of its first code
  std::string hash;  ///< "": its source was not found
};

/// Of the function around a line, whatever it is called there; "": the file is not there.
std::string hashAround(report::SourceCode &code, const std::string &file, uint32_t line);

/// The program's own functions that have lines, by name and file.
std::vector<FunctionCode> functionCode(const campaign::MapLayout &layout);

llvm::Error writeFunctionCode(const report::Directory &root,
                              const std::vector<FunctionCode> &functions);
/// The hashes in the functions.json of an earlier run. None: it has none, because that run was one
/// of an earlier version of Fathom, or was killed.
std::optional<std::set<std::string>> readFunctionHashes(const std::string &folder);

} // namespace fathom::run
#endif
