// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bugs/000001/replay.sh: runs the native program on a bug's inputs, with nothing of Fathom. Where a
// native run cannot show the bug (an allocation has to fail, the exploration did not start at
// main), the script runs nothing: it says what does show it.
#ifndef FATHOM_REPORT_REPLAYSCRIPT_H
#define FATHOM_REPORT_REPLAYSCRIPT_H

#include "report/TestFolder.h"

namespace fathom::report {

/// What can be run on a bug's inputs.
struct Replayable {
  std::string native;   ///< absolute path of the native program; empty: the script asks for it
  std::string explored; ///< what fathom replay takes, absolute; empty: several files were explored
  std::string entry;    ///< where the exploration started (--entry); empty: main
};

/// \param what   one line for the script's head.
/// \param hangs  the bug is that the program does not end: it is given some seconds.
std::string replayScript(const TestInputs &inputs, const Replayable &program,
                         const std::string &what, bool hangs);
/// Any bytes but NUL as one word of a POSIX shell.
std::string shellQuote(const std::string &text);

} // namespace fathom::report
#endif
