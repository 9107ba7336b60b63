// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The native variant of a program that executes the program's functions one by one, for external
// calls: machine code made from the bitcode that the engine interprets, libc included, so that a
// function gives what it gives in the native program. Linked with runtime/native/functions.c.
#ifndef FATHOM_PROGRAM_FUNCTIONSVARIANT_H
#define FATHOM_PROGRAM_FUNCTIONSVARIANT_H

#include "program/Load.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::program {

/// Raised whenever the code or how it is linked changes.
inline constexpr int kFunctionsVariantVersion = 5;

/// Reads and prepares the program and writes an object file for x86-64: all functions, those
/// that inline assembly was made into among them (Prepare.h), and a table of their names and
/// addresses (__fathom_functions). The program's main is not called.
llvm::Error writeFunctionsObject(const std::string &bitcodeFile, const std::string &objectFile,
                                 const LoadOptions &options);

} // namespace fathom::program
#endif
