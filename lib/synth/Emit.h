// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SYNTH_EMIT_H
#define FATHOM_SYNTH_EMIT_H

#include "synth/Grammar.h"
#include "synth/Reach.h"
#include "synth/Truth.h"

#include <string>
#include <vector>

namespace fathom::synth {

struct SourceFile {
  std::string name, text;
  uint32_t lines = 0;
};

struct Program {
  /// program.c, with the entry LLVMFuzzerTestOneInput; part001.c ... when it was split; and last
  /// program.h, which has no code.
  std::vector<SourceFile> files;
  Truth truth;
  uint64_t lines = 0; ///< of all files
  /// By nonterminal: its function, an index into truth.functions.
  std::vector<uint32_t> functionOf;
};

/// The recursive-descent parser in C11: a function for each nonterminal, one statement a line.
///
/// \param fileLines  Another file begins with the first function after so many lines.
/// Cost: O(lines).   Source: [assess25] Sec. III-A, "from grammar to executable programs".
Program emitProgram(const Grammar &grammar, const Reach &reach, uint64_t fileLines);

/// A main() that runs the program on files or on its standard input (main.c); not part of the
/// truth.
std::string driverText();
/// build.sh.
std::string buildScript(const Program &program);

} // namespace fathom::synth
#endif
