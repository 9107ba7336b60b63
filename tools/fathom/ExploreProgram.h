// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program that fathom explore runs: loaded, decoded, and with what is needed to execute its
// functions natively.
#ifndef FATHOM_TOOLS_EXPLOREPROGRAM_H
#define FATHOM_TOOLS_EXPLOREPROGRAM_H

#include "ExploreFlags.h"

#include "program/Decode.h"

#include <functional>

namespace fathom::tool {

/// The program that the (checked) flags name. `look`, if given, sees the prepared module that it is
/// decoded from, which is gone afterwards. Throws UsageError.
program::Program loadExplored(const ExploreFlags &flags, Log &log,
                              const std::function<void(const llvm::Module &)> &look = {});

/// Makes the variant of the program that executes its functions for the engine, if one is needed.
/// Where only assembly needs it, the program can be explored without.
void makeFunctionsVariant(const program::Program &program, ExploreFlags &flags, Log &log);

/// --print.
void printCode(const program::Program &program, const std::string &what);

/// The executable that belongs to what the user named; "" for sources and bitcode alone.
std::string nativeProgram(const std::vector<std::string> &programs);

} // namespace fathom::tool
#endif
