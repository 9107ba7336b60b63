// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A path that shows a defect begins at a function, with some arguments and memory. Do the
// function's callers ever make such? They are searched from in the same way, with unknown memory of
// their own, and then the callers of those that show the defect, up to main; there an input is
// looked for.
//
// Any run of the program that shows the defect passes a caller of each function that it comes
// through, and a search from that caller would find it. So when main was come to by no chain of
// callers that show it, and those where the chains end were explored without anything left out, no
// run of the program shows it. But a caller that runs several times may show it by what an earlier
// run left behind. So its callers are searched as well where its search took memory for valid, or
// paths missed the source; and where paths used pointers of unknown origin and wrote or freed what
// these may lead to.
#ifndef FATHOM_CONFIRM_CALLERS_H
#define FATHOM_CONFIRM_CALLERS_H

#include "confirm/CallGraph.h"
#include "confirm/Search.h"

namespace fathom::confirm {

struct Climb {
  std::unique_ptr<explore::Bug> bug; ///< from further out; null: no caller shows it
  std::vector<ValueUse> uses;        ///< what decides the bug's path
  uint32_t reached = 0;              ///< the function from whose start that is,
  explore::EntryMemory memory{};     ///< ... with what memory of callers,
  bool assumes = false;              ///< ... of which the path has assumed something
  bool hasInput = false;             ///< it is main, with an input
  bool isInfeasible = false;         ///< no run of the program shows it,
  bool assumesOutside = false;       ///< ... if Search::assumesOutside holds
  std::string why;                   ///< why it is not shown from further out
  bool isShort = false;              ///< with more time it may be
  uint64_t paths = 0;

  /// A path from the start of the function shows it; with Objects, one from main with an input.
  void show(std::unique_ptr<explore::Bug> by, std::vector<ValueUse> decidedBy, uint32_t from,
            explore::EntryMemory with, bool hasAssumed) {
    bug = std::move(by);
    uses = std::move(decidedBy);
    reached = from;
    memory = with;
    assumes = hasAssumed;
    hasInput = with == explore::EntryMemory::Objects;
  }
};

class Callers {
public:
  /// They outlive it.
  Callers(const program::Program &program, const CallGraph &calls, const ConfirmOptions &options)
      : program_(program), calls_(calls), options_(options) {}

  /// A path from `function`, or one with several calls of it, may show the defect. Callers that are
  /// nearest to main come first.
  Climb climb(uint32_t function, const DefectSearch &search, std::chrono::milliseconds time) const;
  /// Only the last step: from main, with an input. Nothing comes after it: it has all of the time,
  /// which is the report's.
  Climb fromMain(const DefectSearch &search, std::chrono::milliseconds time) const;

private:
  enum class Answer : uint8_t {
    Shows,
    NotInOneRun, ///< but it may run several times, or its own callers may make one possible
    Never,
    NotKnown
  };
  struct Climbing;
  Answer judge(uint32_t caller, Climbing &climbing) const;
  /// From main, with an input.
  bool findInput(uint32_t main, Climbing &climbing) const;

  const program::Program &program_;
  const CallGraph &calls_;
  const ConfirmOptions &options_;
};

/// "none of the 3 paths from f shows it"; from: "from f"; it follows "but", or stands alone.
std::string noneShows(uint64_t paths, const std::string &from);

/// What all searches assume that do not begin at main with an input.
inline constexpr const char *kEmptyInput = "files and standard input are empty there";

/// Why "no path shows it" does not rule the defect out where memory that callers made took part;
/// "": it does.
std::string whyNotRuledOut(const Defect &defect);

} // namespace fathom::confirm
#endif
