// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair: one hole, from the states that the tests have there to the candidates that pass
// them.
#ifndef FATHOM_RUN_REPAIRHOLE_H
#define FATHOM_RUN_REPAIRHOLE_H

#include "repair/Enumerate.h"
#include "repair/Place.h"
#include "repair/Rank.h"
#include "run/repair/RepairProgram.h"

namespace fathom::run {

/// A candidate that passes all tests.
struct Survivor {
  std::string expression;
  unsigned size = 0;
  /// Variables that it reads and what is there does not, and (not of a guard, which leaves it
  /// there) the other way round.
  size_t exchanged = 0;
  size_t distance = 0; ///< tokens, from what is there now
  /// What the places that are logged, and the hole itself (""), are worth under the tests.
  repair::SeenValues values;
};

/// Why not all candidates were tested.
enum class HoleCut : uint8_t { None, Most, Time };

struct HoleReport {
  repair::Hole hole;
  std::string problem; ///< why nothing was tried; "": it was
  size_t classes = 0;
  uint64_t expressions = 0;   ///< looked at
  unsigned completeDepth = 0; ///< up to which all were
  size_t tested = 0;          ///< candidates
  HoleCut cut = HoleCut::None;
  std::vector<std::string> unused; ///< variables in scope that were left out
  std::vector<Survivor> survivors;
};

struct HoleLimits {
  unsigned depth = 4;
  size_t maxCandidates = 1000;
  std::function<bool()> isOver; ///< the time is over, or an interrupt
};

class HoleSearch {
public:
  /// \param file       below the sources. \param scope  names of integer variables to be read
  /// there.
  HoleSearch(RepairProgram &program, std::string file, std::string source, repair::Hole hole,
             std::vector<std::string> scope, uint32_t line);

  /// Which tests come to the hole. Empty: the hole cannot be looked at (`report().problem`).
  llvm::Expected<std::vector<bool>> visit();
  /// Makes and tests candidates. REQUIRES visit().
  llvm::Error search(const HoleLimits &limits);
  const HoleReport &report() const { return report_; }

private:
  /// The program with these candidates. False: it does not build, for the reason `problem`.
  llvm::Expected<bool> build(const std::vector<std::string> &candidates, std::string &problem);
  /// After a build that failed: without the places that cannot be read as numbers. False: it still
  /// does not build.
  llvm::Expected<bool> dropUnreadable(std::string &problem);
  std::vector<std::string> names() const;
  repair::Grammar grammar(bool isNumber, unsigned depth) const;
  /// The candidates that pass, by index.
  llvm::Expected<std::vector<size_t>> passing(const std::vector<repair::Candidate> &candidates,
                                              const HoleLimits &limits);
  size_t exchanged(const std::string &expression) const;
  Survivor survivor(const repair::Candidate &candidate, size_t choice);

  RepairProgram &program_;
  std::string file_, source_;
  std::vector<std::string> logged_; ///< places that are read: variables, then chains
  bool hasOriginal_ = false;        ///< the expression itself is a leaf
  std::vector<psp::State> states_;
  uint32_t line_;
  HoleReport report_;
};

} // namespace fathom::run
#endif
