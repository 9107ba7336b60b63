// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to building from a compilation database: its entries, and what compiled objects define.
#ifndef FATHOM_PROGRAM_DATABASEOBJECTS_H
#define FATHOM_PROGRAM_DATABASEOBJECTS_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::program {

struct DatabaseEntry {
  std::string directory, file;        ///< file: as a path from anywhere
  std::vector<std::string> arguments; ///< of the compiler, without what says where the object goes
  std::string target;                 ///< that CMake or Meson build it for; "": not known
  bool isCxx = false;
};

struct DatabaseObject {
  std::string file, source, target;
  bool isCxx = false, definesMain = false;
  std::vector<std::string> defined, undefined; ///< symbols that other objects see
};

/// Errors: no such file; not JSON; not a database; no entry for C or C++.
llvm::Expected<std::vector<DatabaseEntry>> readDatabase(const std::string &path);
llvm::Error readObject(const std::string &file, const DatabaseEntry &entry, DatabaseObject &object);
/// The first line of a compiler's or linker's output that says what is wrong.
std::string firstErrorOf(const std::string &logFile);

} // namespace fathom::program
#endif
