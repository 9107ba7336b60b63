// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a defect happen? The engine explores from the function in which the defect begins, with
// unknown memory (explore/decide/AssumedMemory.h), towards its sink, and looks for a bug of its
// kind there. A path that shows it is followed to the function's callers (Callers.h).
//
//   Confirmer confirmer(program, options);
//   Finding f = confirmer.check(defect, {.time = 10s});
//
// Source: [satracer] Sec. III. Unlike there, no constraint is dropped, and a search that a bound
// cut short is open, not refuted.
#ifndef FATHOM_CONFIRM_CONFIRM_H
#define FATHOM_CONFIRM_CONFIRM_H

#include "confirm/Callers.h"
#include "confirm/CallGraph.h"
#include "confirm/Defect.h"
#include "confirm/OneQuestion.h"
#include "confirm/Search.h"

namespace fathom::confirm {

class Confirmer {
public:
  /// The program outlives it.
  Confirmer(const program::Program &program, ConfirmOptions options);
  Confirmer(const Confirmer &) = delete; ///< parts refer to each other
  Confirmer &operator=(const Confirmer &) = delete;
  bool hasMain() const { return calls_.main() != nullptr; }
  /// REQUIRES: the sink has a line, and there is a kind (Batch answers the others).
  /// \param known  inputs that may show the defect: it is asked about along their paths first
  Finding check(const Defect &reported, const ReportTime &time,
                const std::vector<const KnownInput *> &known = {}) const;

private:
  struct Checking;
  using Clock = solver::Clock;
  /// No path from the report's source was found: one from another one may show the defect.
  void lookElsewhere(Clock::time_point end, Checking &checking) const;
  /// A path from main with an input shows it.
  void showFromMain(std::unique_ptr<explore::Bug> bug, std::vector<ValueUse> uses,
                    Checking &checking) const;
  /// Along the paths of known inputs. False: none of them shows it.
  bool tryKnown(const std::vector<const KnownInput *> &known, Checking &checking) const;
  /// About all paths at once. Never: it is refuted.
  OneAnswer askFirst(const Defect &defect, Checking &checking) const;
  /// Over all of it, from where its paths begin.
  void checkBy(const DefectSearch &search, Checking &checking) const;
  /// The innermost function from whose start source, steps and sink can be reached. kNoIndex:
  /// `finding` says why there is none.
  uint32_t entryOf(const Defect &defect, Finding &finding) const;
  void decide(const program::FunctionCode &entry, Checking &checking) const;
  /// A path from the entry shows it.
  void confirm(const program::FunctionCode &entry, const Search &shown, explore::EntryMemory memory,
               Checking &checking) const;
  /// None of the paths from the entry shows it.
  void refute(const program::FunctionCode &entry, bool assumes, Checking &checking) const;
  static bool isUpToCallers(const Checking &checking);

  /// The paths begin at main: with inputs they are shorter than with all that is unknown there.
  /// False: none shows it in a part of the time.
  bool tryMain(Checking &checking) const;
  /// Paths from the entry left it open. They have empty files and empty standard input, and bounds
  /// on what they do not know: one from main with an input may show it all the same.
  void tryInput(Checking &checking) const;

  /// The bug's stack and related places as they are without main, through which the engine comes to
  /// the entry.
  void takeBug(explore::Bug &bug, const std::vector<ValueUse> &uses,
               const program::FunctionCode &entry, explore::EntryMemory memory,
               Checking &checking) const;
  /// Where a confirmed path begins, further out than at the entry if that can be.
  void tellHowFar(const Climb &climb, std::string from, Checking &checking) const;
  /// A path shows it, which only callers can make real, and of them nothing is known.
  /// \param isShort  with more time for callers, one may show it
  static void leaveToCallers(const std::string &from, const std::string &why, Cut cut, bool isShort,
                             Checking &checking);
  std::chrono::milliseconds callersTime(const Checking &checking) const;
  /// What Callers::climb says, in this time.
  Climb climb(uint32_t from, std::chrono::milliseconds time, Checking &checking) const;

  const program::Program &program_;
  ConfirmOptions options_;
  ProgramFacts facts_;
  const CallGraph &calls_;
  Callers callers_;
};

} // namespace fathom::confirm
#endif
