// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom synth: a C program whose reachable code is known.
#ifndef FATHOM_RUN_MAKEPROGRAM_H
#define FATHOM_RUN_MAKEPROGRAM_H

#include "synth/Synth.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

struct SynthRequest {
  std::string folder; ///< for the program
  bool force = false; ///< replace the generated program that is in it
  std::string like;   ///< the program whose control flow gives the grammar; "": a random grammar
  synth::Knobs knobs;
};

/// Generates the program and writes it. A UsageError: a knob is out of range, the folder holds
/// something else, `like` cannot be read.
llvm::Expected<synth::Synthesis> makeProgram(const SynthRequest &request);

} // namespace fathom::run
#endif
