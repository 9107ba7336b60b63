// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generated program with everything that belongs to it: what `fathom synth` writes.
//
//   llvm::Expected<Synthesis> made = synthesise(knobs);
//   for (const OutputFile &file : outputFiles(*made)) ...
#ifndef FATHOM_SYNTH_SYNTH_H
#define FATHOM_SYNTH_SYNTH_H

#include "synth/Emit.h"
#include "synth/Grammar.h"
#include "synth/Knobs.h"
#include "synth/Like.h"
#include "synth/Reach.h"
#include "synth/Resemblance.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::synth {

/// What a program was made after.
struct Model {
  std::string name;
  Shape original, generated;
  LikeNotes notes;
  /// By nonterminal: complexity of the function that it stands for; 0 for dispatchers.
  std::vector<uint32_t> complexity;
  uint64_t sameComplexity = 0; ///< so many functions have it
};

struct Synthesis {
  Knobs asked;
  Knobs knobs; ///< with the numbers that --lines was turned into
  Grammar grammar;
  Reach reach;
  Program program;
  std::vector<std::string> seeds;     ///< derivations, all different
  std::vector<std::string> witnesses; ///< with knobs.witnesses; see Witness.h
  std::vector<NodeId> missed;         ///< with knobs.witnesses: empty, or the truth is wrong
  std::optional<Model> model;         ///< made after another program
};

/// Errors:      a knob that is out of range; lines and nonterminals that do not go together.
/// Determinism: the same knobs give the same bytes. Cost: O(lines), at most 16 times.
/// Source:      [assess25] Sec. III-A.
llvm::Expected<Synthesis> synthesise(const Knobs &knobs);

/// One with the control flow of `program`, see Like.h. Errors: a knob that is out of range.
llvm::Expected<Synthesis> synthesiseLike(const ControlFlow &program, const std::string &name,
                                         const Knobs &knobs);

struct OutputFile {
  std::string name; ///< below the output folder, perhaps in seeds/ or witnesses/
  std::string text;
  bool executable = false;
};
/// Everything, grammar.json last: a folder that has it is complete.
std::vector<OutputFile> outputFiles(const Synthesis &made);

/// How many of the functions, statements and branches there are and can be reached, and how complex
/// functions are.
struct Summary {
  struct Count {
    uint64_t reachable = 0, unreachable = 0;
    void add(Reason reason) { ++(reason == Reason::Reachable ? reachable : unreachable); }
  };
  Count functions, statements, branches;
  /// Cyclomatic complexity of functions: sorted, one number for each.
  std::vector<uint32_t> complexity;
};
Summary summaryOf(const Program &program);

/// As in grammar.json, truth.json, and for `fathom synth --json`.
std::string grammarJson(const Synthesis &made);
std::string truthJson(const Program &program);
std::string summaryJson(const Synthesis &made);
/// For people. `folder`: where the program is.
std::string summaryText(const Synthesis &made, const std::string &folder);

} // namespace fathom::synth
#endif
