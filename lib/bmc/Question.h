// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One question to a solver instead of many paths: can the defect show at its place, in a run of
// this function?
//
// The function's code, and that of the calls that lead to the place, becomes one term: every
// instruction once (GatedCode.h), values that meet are chosen by the condition under which control
// comes from there. Loops are followed for some rounds, and then whatever they may change has any
// value. Calls that are not followed change what an analysis says that they may change.
//
// So the term has more behaviours than the code, except for what is *assumed*, each under a
// literal of its own (Assumption). Unsatisfiable without them: no run shows the defect.
// Unsatisfiable with them only: the assumptions that the contradiction needs say what it rests on.
//
// Source: bounded model checking of gated single assignments (A. Biere et al., TACAS 1999;
// F. Ivancic et al., F-Soft, CAV 2005); assumption literals: N. Een, N. Sorensson, 2003.
#ifndef FATHOM_BMC_QUESTION_H
#define FATHOM_BMC_QUESTION_H

#include "bmc/Knowledge.h"
#include "program/Code.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom::bmc {

/// What a question may take for granted.
enum class Assumption : uint8_t {
  DistinctPointers, ///< pointers of unknown origin lead to objects of their own: no write to one
                    ///< changes another, and the release of one does not free another
  ValidPointers,    ///< pointers of callers are not null
  NotFreedBefore,   ///< what callers pass is not freed at the start
  NothingFreed,     ///< calls and rounds that are not followed free nothing
  EarlierValid,     ///< accesses before the place go well
  NothingBeside,    ///< no other thread or signal handler interferes
  OtherCalls,       ///< calls that may lead to the place, and were not followed, do not
};
inline constexpr unsigned kAssumptions = 7;
/// As a clause: "pointers of callers are not null".
const char *text(Assumption assumption);

/// Which defects count.
struct Kinds {
  bool null = false;       ///< an access through null
  bool afterFree = false;  ///< an access to freed memory
  bool freedTwice = false; ///< a release of freed memory
  bool any() const { return null || afterFree || freedTwice; }
};

struct Bounds {
  uint32_t rounds = 1;            ///< of each loop with the place, a call that leads there, or a
                                  ///< release, that are followed
  uint32_t otherRounds = 1;       ///< the same of other loops
  uint32_t depth = 0;             ///< of calls that do not lead to the place
  uint64_t instructions = 200000; ///< that are evaluated
};

struct Answer {
  enum class Kind : uint8_t {
    Never,   ///< no run of the function shows it
    Bounded, ///< nor does any for which `assumed` holds
    Maybe,   ///< the term can hold
    Unknown  ///< see `why`
  } kind = Kind::Unknown;
  std::vector<Assumption> assumed;
  std::string why; ///< one clause
  uint64_t instructions = 0;
};

struct Question {
  uint32_t entry = 0; ///< the function whose runs are meant
  /// The program begins there, with the initial values of its variables.
  bool isMain = false;
  Kinds kinds;
  Bounds bounds;
};

/// Deterministic: limits are steps. `stop` (may be null) becomes true when the user interrupts.
Answer ask(const program::Program &program, const Knowledge &knowledge, const Question &question,
           const std::atomic<bool> *stop = nullptr);

} // namespace fathom::bmc
#endif
