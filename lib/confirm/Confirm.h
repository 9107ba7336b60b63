// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a defect happen? The engine explores from the function in which the defect begins, with
// unknown memory (explore/decide/AssumedMemory.h), towards its sink, and looks for a bug of its
// kind there.
//
//   Confirmer confirmer(program, options);
//   Finding f = confirmer.check(defect);
//
// Source: [satracer] Sec. III. Unlike there, no constraint is dropped, and a search that a bound
// cut short is open, not refuted.
#ifndef FATHOM_CONFIRM_CONFIRM_H
#define FATHOM_CONFIRM_CONFIRM_H

#include "confirm/CallGraph.h"
#include "confirm/Defect.h"
#include "explore/Options.h"

#include <atomic>
#include <chrono>

namespace fathom::confirm {

struct ConfirmOptions {
  explore::ExploreOptions explore;            ///< arguments, environment, solver
  std::chrono::milliseconds perDefect{10000}; ///< [satracer] Sec. III-D
  uint64_t maxDepth = 500;                    ///< forks of a path; there: basic blocks
  const std::atomic<bool> *stop = nullptr;    ///< Ctrl-C
};

class Confirmer {
public:
  Confirmer(const program::Program &program, ConfirmOptions options);
  Finding check(const Defect &defect) const;

private:
  struct Search;
  Search searchFrom(const program::FunctionCode &entry, explore::EntryMemory memory,
                    const Defect &defect, std::chrono::milliseconds time) const;

  const program::Program &program_;
  ConfirmOptions options_;
  CallGraph calls_;
};

} // namespace fathom::confirm
#endif
