// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls a search can leave out, and what is not known after one that was.
//
// Rule 2 of [satracer] skips a call when static analysis says without doubt what each value related
// to the defect is afterwards, and takes the rest for unchanged. Here what a call may write is not
// known afterwards, and neither is its result. Where it changes nothing that a pointer leads to,
// that covers every run: pointers, what they lead to and what is freed are as before (each chi has
// exactly one edge, from before the call), and a search which leaves such calls out still rules a
// defect out. Other calls are left out until a path depends on them (Search.h).
#ifndef FATHOM_CONFIRM_CALLEFFECTS_H
#define FATHOM_CONFIRM_CALLEFFECTS_H

#include "confirm/Pointees.h"
#include "confirm/Writes.h"
#include "program/Code.h"
#include "statics/pointers/ModRef.h"

#include <map>
#include <vector>

namespace fathom::confirm {

/// Of a function that calls can be left out of. It gives nothing, a number or a pointer.
struct CallEffect {
  Writes writes;
  /// What it writes depends on the call: what the caller's line does (CallEffects::writesAt).
  bool isByLine = false;
  /// It covers every run, with the numbers in `writes` forgotten: the function neither writes nor
  /// gives pointers, and neither frees, allocates nor jumps. `writes` are variables then.
  bool isExact = false;
};

class CallEffects {
public:
  /// Nothing is known of any function.
  CallEffects() = default;
  /// Of the program that `pts` was computed of. Cost: O(statements x nesting of calls).
  CallEffects(const program::Program &program, const statics::PointsTo &pts,
              const statics::ModRef &modRef);

  /// Null: only its code tells what it does. That is so for functions that the analysis did not see
  /// called or has no code of, for allocators and the like, and where the result is a structure.
  const CallEffect *of(uint32_t function) const {
    return function < effects_.size() && hasEffect_[function] ? &effects_[function] : nullptr;
  }
  /// Does the analysis know what pointers of this function lead to? It is called in the program.
  bool isKnown(uint32_t function) const { return function < known_.size() && known_[function]; }
  /// What the function's calls through pointers may call in any run, ascending. Null: that is not
  /// known. The beginnings of threads and signal handlers are those of the functions of libc that
  /// ask for them (Pointees.cpp).
  const std::vector<uint32_t> *calledByPointer(uint32_t function) const {
    return function < pointees_.of.size() && pointees_.isKnown[function] ? &pointees_.of[function]
                                                                         : nullptr;
  }

  /// Is there a store or a call at this line of the function? Not where the analysis knows nothing
  /// of the function.
  bool knowsLine(uint32_t function, uint32_t line) const {
    return function < atLines_.size() && atLines_[function].contains(line);
  }
  /// What stores and calls at these lines of the function may write, and those of which no line is
  /// known.
  Writes writesAt(uint32_t function, const std::vector<uint32_t> &lines) const;

private:
  void findLines(const program::Program &program, const statics::PointsTo &pts,
                 const statics::ModRef &modRef, WriteSets &sets);

  std::vector<CallEffect> effects_;
  std::vector<bool> hasEffect_, known_;
  Pointees pointees_;
  /// Of each own function, by line: which of writes_. Line 0: where it is not known.
  std::vector<std::map<uint32_t, std::vector<uint32_t>>> atLines_;
  std::vector<Writes> writes_; ///< each once
};

} // namespace fathom::confirm
#endif
