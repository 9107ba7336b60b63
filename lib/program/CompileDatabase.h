// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a compilation database (compile_commands.json, as CMake, Meson and bear write it) to
// programs with bitcode.
//
// A database says how each file is compiled, not what is linked with what. So every object that
// defines main becomes a program, with what CMake or Meson build for the same target, and with
// whatever other objects define what is missing, as a linker takes members of archives. Objects
// that no program needs are libraries: one for each target, or one in all.
#ifndef FATHOM_PROGRAM_COMPILEDATABASE_H
#define FATHOM_PROGRAM_COMPILEDATABASE_H

#include "llvm/Support/Error.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fathom::program {

struct DatabaseOptions {
  std::string fathomCc; ///< path of fathom-cc
  unsigned jobs = 1;    ///< files that are compiled at a time, at least 1
  const std::atomic<bool> *stop = nullptr;
  /// Gets one line for each file or program that cannot be built.
  std::function<void(const std::string &)> warn = [](const std::string &) {};
};

struct DatabaseProgram {
  std::string name;    ///< of the target, or of the file with main
  std::string bitcode; ///< its file
  bool isLibrary = false;
  size_t files = 0; ///< of the database
};

struct DatabasePrograms {
  std::vector<DatabaseProgram> programs; ///< in the order of the database, libraries last
  size_t files = 0, failed = 0;          ///< entries of the database
  std::shared_ptr<void> folder;          ///< the bitcode goes with it
};

/// Compiles and links everything. What does not compile is left out.
/// Errors: no such file; not a database; nothing in it compiles; `stop`.
/// Cost:   a build of the project without optimisation.
llvm::Expected<DatabasePrograms> buildDatabase(const std::string &path,
                                               const DatabaseOptions &options);

} // namespace fathom::program
#endif
