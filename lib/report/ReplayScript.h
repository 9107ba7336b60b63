// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bugs/000001/replay.sh: runs the native program on a bug's inputs, with nothing of Fathom.
#ifndef FATHOM_REPORT_REPLAYSCRIPT_H
#define FATHOM_REPORT_REPLAYSCRIPT_H

#include "report/TestFolder.h"

namespace fathom::report {

/// \param program  absolute path of the native program; empty: the script asks for it.
/// \param what     one line for the script's head.
/// \param hangs    the bug is that the program does not end: it is given some seconds.
std::string replayScript(const TestInputs &inputs, const std::string &program,
                         const std::string &what, bool hangs);
/// Any bytes but NUL as one word of a POSIX shell.
std::string shellQuote(const std::string &text);

} // namespace fathom::report
#endif
