// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a report's defect can show at all, asked at once of all paths (bmc/Question.h), before
// single paths are searched: of the function where the report's paths begin, and where the answer
// depends on callers, of these.
#ifndef FATHOM_CONFIRM_ONEQUESTION_H
#define FATHOM_CONFIRM_ONEQUESTION_H

#include "bmc/Question.h"
#include "confirm/CallGraph.h"
#include "confirm/Defect.h"
#include "confirm/Search.h"

#include <string>
#include <vector>

namespace fathom::confirm {

struct OneAnswer {
  enum class Kind : uint8_t {
    NotAsked, ///< there is no question of these kinds, or no answer
    Never,    ///< no run shows it
    Bounded,  ///< no run for which `assumed` holds
    Maybe
  } kind = Kind::NotAsked;
  std::vector<bmc::Assumption> assumed; ///< ascending
  uint32_t from = 0;                    ///< Never, Bounded: of runs of this function
  bool isOfCallers = false;             ///< and its callers
  uint64_t instructions = 0;            ///< of all questions
};

/// Deterministic: limits are steps.
/// \param entry  from which the places of the report can be reached
/// \param time  it takes at most so much, by the clock that counts steps
OneAnswer askOnce(const ProgramFacts &facts, const ConfirmOptions &options,
                  const DefectSearch &search, uint32_t entry, std::chrono::milliseconds time);
/// Never, and where all that is assumed is what searches of paths assume as well: that
/// pointers are valid when they are used. So no write or release through a pointer into the middle
/// of another's object changes anything.
bool holdsForAnyOverlap(const OneAnswer &answer);
/// Of Never and Bounded, as one clause.
std::string text(const OneAnswer &answer, const program::Program &program);

/// By function: may it free the program's memory, itself or in what it calls? Linear in the code.
std::vector<bool> findReleasing(const program::Program &program, const CallGraph &calls,
                                const CallEffects *effects);

/// May threads or signal handlers run beside its code? Linear in the code.
bool hasCodeBeside(const program::Program &program);

} // namespace fathom::confirm
#endif
