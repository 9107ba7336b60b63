// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of symbolic input, as KLEE has them, on our command line or among the program's
// arguments:
//
//   --sym-arg LEN    --sym-args MIN MAX LEN    --sym-stdin N    --sym-files COUNT SIZE
//
// Checked here, interpreted by runtime/posix.
#ifndef FATHOM_RUN_SYMBOLICARGUMENTS_H
#define FATHOM_RUN_SYMBOLICARGUMENTS_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

/// The descriptions, for --help.
inline constexpr const char *kSymbolicHelp = R"(symbolic input, here or KLEE-style after --:
  --sym-arg LEN            one argument of up to LEN bytes
  --sym-args MIN MAX LEN   MIN to MAX arguments of up to LEN bytes
  --sym-stdin N            standard input of exactly N bytes
  --sym-files COUNT SIZE   files A, B, ... of SIZE bytes in the working directory
  --sym-env NAME LEN       the environment variable NAME: unset, or up to LEN bytes
)";

/// Their names: --sym-arg and so on.
std::vector<const char *> symbolicOptions();

/// Takes the descriptions out of `arguments` (our own command line) and returns them, checked.
/// A UsageError where one of them is malformed, here and below.
llvm::Expected<std::vector<std::string>> takeSymbolic(std::vector<std::string> &arguments);

/// The program's arguments with every description among them checked and in its long form (-sym-arg
/// is --sym-arg).
llvm::Expected<std::vector<std::string>>
normalizeArguments(const std::vector<std::string> &arguments);

/// For people: the command line, with what is not known of it in brackets; "" when all of it is
/// known, or none.
std::string mixedCommandLine(const std::vector<std::string> &arguments);

/// Checks what only all of them together show: several --sym-stdin, several --sym-files. Returns
/// true when there is a --sym-stdin.
llvm::Expected<bool> checkTogether(const std::vector<std::string> &arguments);

} // namespace fathom::run
#endif
