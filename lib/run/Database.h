// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --compile-commands: the programs and libraries of a project, built from its compilation database.
#ifndef FATHOM_RUN_DATABASE_H
#define FATHOM_RUN_DATABASE_H

#include "program/CompileDatabase.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

namespace fathom::run {

struct DatabaseRequest {
  std::string file;                  ///< compile_commands.json
  std::vector<std::string> programs; ///< that the user named beside it, which is wrong usage
  unsigned jobs = 1;
};

/// Builds what the database describes.
llvm::Expected<program::DatabasePrograms> buildPrograms(const DatabaseRequest &request,
                                                        Session &session);

/// The programs of this name; "": all.
llvm::Expected<std::vector<program::DatabaseProgram>>
programsNamed(const program::DatabasePrograms &built, const std::string &target);

std::vector<std::string> namesOf(const std::vector<program::DatabaseProgram> &programs);

} // namespace fathom::run
#endif
