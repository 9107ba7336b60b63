// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_PROGRAM_H
#define FATHOM_API_PROGRAM_H

/// \file
/// The program that an activity is about.

#include <fathom/Result.h>
#include <fathom/Session.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::api {

/// A function of a program that has code.
struct Function {
  std::string name;  ///< as in the bitcode; what ExploreOptions::entry takes
  std::string file;  ///< where it is defined; "" without debug information
  uint32_t line = 0; ///< of its definition; 0 without debug information
};

/// A program that can be read. Plain data: a copy is as good as the original. The bitcode itself is
/// read again by each activity, because each one prepares it in its own way.
struct Program {
  std::vector<std::string> files;  ///< as load() was given them
  std::string executable;          ///< the native program, absolute; "" if there is none
  std::vector<Function> functions; ///< of the program's own code, by name; not those of its libc
  uint32_t branches = 0;           ///< conditional branches in that code
};

/// Reads a program and lists its functions.
///
/// \param files    One file: an executable that fathom-cc linked (its bitcode lies beside it, as
///                 FILE.bc), a .bc or .ll file; or the C files of one program, which are compiled.
///                 Relative paths start at the working directory.
/// \param session  Receives warnings.
/// Errors: Usage if a file cannot be read, is not bitcode of LLVM 19 or does not compile.
/// Threads: starts no threads; forks a compiler for C files.
/// Cost: linear in the bitcode, libc included.
Result<Program> load(const std::vector<std::string> &files, const Session &session = {});

} // namespace fathom::api
#endif
