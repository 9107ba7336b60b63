// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls a search can skip, and what is not known after one that was.
//
// Rule 2 of [satracer] skips a call when static analysis says without doubt what each value related
// to the defect is afterwards. Here "afterwards" has to cover every run, so that a search which
// skips calls still rules a defect out: a call is skipped only if it changes nothing that a pointer
// leads to. Then pointers, what they lead to and what is freed are as before (each χ has exactly
// one edge, from before the call), the result is a number of which nothing is known, and so is what
// variables without pointers hold that the call may write, and errno.
#ifndef FATHOM_CONFIRM_CALLEFFECTS_H
#define FATHOM_CONFIRM_CALLEFFECTS_H

#include "program/Code.h"
#include "statics/pointers/ModRef.h"

#include <vector>

namespace fathom::confirm {

/// Of a function that a call can be skipped of.
struct CallEffect {
  std::vector<uint32_t> variables; ///< Program::globals that it may write, ascending
};

class CallEffects {
public:
  /// Nothing is known of any function.
  CallEffects() = default;
  /// Of the program that `pts` was computed of. Cost: O(statements x nesting of calls).
  CallEffects(const program::Program &program, const statics::PointsTo &pts,
              const statics::ModRef &modRef);

  /// Null: only its code tells what it does. That is so for functions that may write what pointers
  /// lead to, free, allocate, end the program or jump, that return anything but a number, or that
  /// the analysis did not see called.
  const CallEffect *of(uint32_t function) const {
    return function < effects_.size() && simple_[function] ? &effects_[function] : nullptr;
  }
  /// Does the analysis know what pointers of this function lead to? It is called in the program.
  bool isKnown(uint32_t function) const { return function < known_.size() && known_[function]; }
  /// What the function's calls through pointers may call in any run, ascending. Null: that is not
  /// known. The environment model's own are those of signal handlers and beginnings of threads.
  const std::vector<uint32_t> *calledByPointer(uint32_t function) const {
    return function < pointees_.size() && hasPointees_[function] ? &pointees_[function] : nullptr;
  }

private:
  void findPointees(const program::Program &program, const statics::PointsTo &pts);

  std::vector<CallEffect> effects_;
  std::vector<bool> simple_, known_, hasPointees_;
  std::vector<std::vector<uint32_t>> pointees_;
};

} // namespace fathom::confirm
#endif
