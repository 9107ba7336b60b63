// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program that an exploration runs: loaded, decoded, and with what is needed to execute its
// functions natively.
#ifndef FATHOM_RUN_LOADEXPLORED_H
#define FATHOM_RUN_LOADEXPLORED_H

#include "explore/Explore.h"
#include "program/Decode.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace fathom::run {

/// The program of these files, for (checked) options. `look`, if given, sees the prepared module
/// that it is decoded from, which is gone afterwards. A UsageError: it cannot be loaded, or the
/// options do not fit it.
llvm::Expected<program::Program>
loadExplored(const std::vector<std::string> &programs, const explore::ExploreOptions &options,
             bool mayBeLibrary, Session &session,
             const std::function<void(const llvm::Module &)> &look = {});

/// Makes the variant of the program that executes its functions for the engine, if one is needed.
/// Where only assembly needs it, the program can be explored without.
llvm::Error makeFunctionsVariant(const program::Program &program,
                                 const std::vector<std::string> &programs,
                                 explore::ExploreOptions &options, Session &session);

/// The code that the engine executes; `what`: "code" or "code:FUNCTION".
llvm::Expected<std::string> codeText(const program::Program &program, const std::string &what);

/// The executable that belongs to what the user named; "" for sources and bitcode alone.
std::string nativeProgram(const std::vector<std::string> &programs);

} // namespace fathom::run
#endif
