// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard output, which may be closed (`fathom scan P | head`) or have no room (`>/dev/full`).
//
// fmt throws where it cannot write, the status of fputs is rarely looked at, and SIGPIPE has to
// stay ignored for the sake of pipes to other processes. So `stdout` becomes a stream whose writes
// always succeed and whose first error is kept: a subcommand runs to its end, with its files whole,
// and what its status becomes is decided once, in main.
#ifndef FATHOM_TOOLS_OUTPUT_H
#define FATHOM_TOOLS_OUTPUT_H

#include <string>

namespace fathom::tool {

/// Replaces `stdout`. Before anything is printed.
void keepOutputErrors();
/// Prints it.
void put(const std::string &text);
/// Whether what is printed gets nowhere: a long list need not go on.
bool isOutputLost();
/// Flushes, and returns the status to exit with: `status` where all was written. Where the reader
/// is gone, the process ends here by SIGPIPE, as other tools do; of any other error it says one
/// line.
int statusAfterOutput(int status);

} // namespace fathom::tool
#endif
