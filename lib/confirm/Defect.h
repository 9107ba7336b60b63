// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report of an analyser, whoever wrote it, as the triple <source, sink, {step}> of [satracer],
// Sec. II, and what became of it.
#ifndef FATHOM_CONFIRM_DEFECT_H
#define FATHOM_CONFIRM_DEFECT_H

#include "explore/Results.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::confirm {

struct Place {
  std::string file;
  uint32_t line = 0, column = 0; ///< 0: not said
  std::string message;           ///< what the analyser says of it; may be empty
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

struct Finding {
  Verdict verdict = Verdict::Open;
  std::string reason; ///< one clause
  std::string entry;  ///< the function at whose start the paths begin
  /// Confirmed: where the path ends, innermost call first, and where the object was allocated and
  /// freed.
  std::vector<explore::StackFrame> stack, related;
  std::string message; ///< the engine's
  double seconds = 0;
  uint64_t paths = 0;
};

} // namespace fathom::confirm
#endif
