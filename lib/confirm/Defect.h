// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report of an analyser, whoever wrote it, as the triple <source, sink, {step}> of [satracer],
// Sec. II, and what became of it.
#ifndef FATHOM_CONFIRM_DEFECT_H
#define FATHOM_CONFIRM_DEFECT_H

#include "explore/Results.h"
#include "support/SourcePlace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fathom::confirm {

struct Place {
  std::string file;
  uint32_t line = 0, column = 0; ///< 0: not said
  std::string message;           ///< what the analyser says of it; may be empty

  /// Is it this line of this file, as the debug information has it?
  bool isAt(const std::string &inFile, uint32_t atLine) const {
    return line == atLine && namesFile(file, inFile);
  }
};

struct Defect {
  std::string tool, rule, message;
  /// Ways in which the engine sees such a defect; empty: it looks for none of this kind.
  std::vector<explore::BugKind> kinds;
  Place sink;
  std::vector<Place> steps; ///< in order, the sink not among them; the first is the source
};

enum class Verdict : uint8_t {
  Confirmed, ///< a feasible path shows it
  Refuted,   ///< every path was followed to its end, and none does
  Open       ///< neither: see Finding::reason
};
const char *name(Verdict verdict);

/// What ended a search before every path was followed to its end.
enum class Cut : uint8_t {
  None,
  Loop,       ///< a loop would have run more rounds than were wanted
  Depth,      ///< a path was longer than wanted
  Assumption, ///< what callers made would have been larger than is assumed, or is otherwise unknown
  Time,
  Other ///< the solver, the model of the environment, input that was not explored
};
const char *name(Cut cut);

/// Where the input of a confirmed path was written, and what the native program did with it.
struct Reproduction {
  std::string folder; ///< as a bug's of a results folder; "": it was not kept
  bool isReproduced = false;
  std::string symptom; ///< "signal SIGSEGV"; "": it could not be run
};

struct Finding {
  Verdict verdict = Verdict::Open;
  std::string reason;  ///< one clause
  Cut cut = Cut::None; ///< Open: what the searches ended by
  std::string entry;   ///< the function at whose start the paths begin
  /// Confirmed: the outermost function from whose start a path shows it; and why not from further
  /// out.
  std::string feasibleFrom, notFurther;
  /// Confirmed, from main, with an input of the program. Null: there is none.
  std::shared_ptr<const Reproduction> reproduction;
  /// Confirmed: where the path ends, innermost call first, and where the object was allocated and
  /// freed.
  std::vector<explore::StackFrame> stack, related;
  std::string message; ///< the engine's
  double seconds = 0;
  uint64_t paths = 0;
};

} // namespace fathom::confirm
#endif
