// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bugs/000001/replay.sh: runs the native program on a bug's inputs, with nothing of Fathom. Where a
// native run cannot show the bug (an allocation has to fail, the exploration did not start at
// main), the script runs nothing: it says what does show it.
//
// A crash that a campaign found was seen in the fuzzed build, whose memory is laid out differently
// and which may have a sanitizer. The script says how it ended, and runs that build where the
// native program does not end so.
#ifndef FATHOM_REPORT_REPLAYSCRIPT_H
#define FATHOM_REPORT_REPLAYSCRIPT_H

#include "report/TestFolder.h"

namespace fathom::report {

/// The build that a campaign found a crash with.
struct FoundBy {
  std::string executable;   ///< absolute; empty: no campaign found it
  std::string sanitizers;   ///< as --sanitize takes them; empty: none
  int signal = 0;           ///< it ended by; 0: it did not end
  std::string check;        ///< of a sanitizer, "heap-buffer-overflow"; empty: the processor's
  uint64_t memoryBytes = 0; ///< that the program could have; 0: no bound
};

/// What can be run on a bug's inputs.
struct Replayable {
  std::string native;   ///< absolute path of the native program; empty: the script asks for it
  std::string explored; ///< what fathom replay takes, absolute; empty: several files were explored
  std::string entry;    ///< where the exploration started (--entry); empty: main
  FoundBy foundBy = {};
};

/// \param what   one line for the script's head.
/// \param hangs  the bug is that the program does not end: it is given some seconds.
std::string replayScript(const TestInputs &inputs, const Replayable &program,
                         const std::string &what, bool hangs);
/// Any bytes but NUL as one word of a POSIX shell.
std::string shellQuote(const std::string &text);

} // namespace fathom::report
#endif
