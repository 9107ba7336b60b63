// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts of earlier runs, so that a second run asks only what changed. One file for each program
// and set of options holds a line for each question; a line is written as soon as its verdict is
// there, so an interrupted run keeps what it has.
#ifndef FATHOM_CONFIRM_KEPTVERDICTS_H
#define FATHOM_CONFIRM_KEPTVERDICTS_H

#include "confirm/Defect.h"

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace fathom::confirm {

/// A hash of what a verdict depends on besides program and options: kinds, and the places of sink
/// and steps. 32 hexadecimal digits.
std::string questionKey(const Defect &defect);

/// The limits that an open verdict was reached under: with more, the question is asked again.
struct QuestionLimits {
  std::chrono::milliseconds time{0};
  uint64_t memoryBytes = 0;
  bool wantsInputs = false; ///< inputs are written now: a kept verdict has none any more
  /// The analyses that searches rest on were cut short by --max-time: calls were not left out, or
  /// sources of a report are missing.
  bool isAnalysisCut = false;
};

class KeptVerdicts {
public:
  /// \param file  its name stands for program, options and this version of Fathom; "": nothing is
  ///              kept. Lines that cannot be read (of a killed run) are left out, and counted.
  KeptVerdicts(std::string file, QuestionLimits limits);

  /// From here on: QuestionLimits::isAnalysisCut.
  void noteCutAnalysis() { limits_.isAnalysisCut = true; }

  size_t size() const { return known_.size(); }
  size_t unreadable() const { return unreadable_; }
  /// None: the question was not asked, or was asked with smaller limits.
  std::optional<Finding> find(const std::string &question) const;
  struct Earlier {
    Finding finding;
    std::chrono::milliseconds time; ///< that it had
  };
  /// What is known of a question that has to be asked again because it has more time now.
  std::optional<Earlier> tried(const std::string &question) const;
  /// Keeps the finding, unless another run could answer otherwise without a change (a crash, an
  /// interrupt, no time at all). If the file cannot be written, nothing is kept.
  /// \param time           that the question had
  /// \param missesSources  QuestionLimits::isAnalysisCut, of this question only
  void keep(const std::string &question, const Finding &finding, std::chrono::milliseconds time,
            bool missesSources = false);

private:
  struct Kept {
    Finding finding;
    QuestionLimits limits;
  };
  /// Whether the verdict holds under this run's limits, apart from the time.
  bool isStillValid(const Kept &kept) const;
  /// Could more time change the verdict, and does this run have more?
  bool hasMoreTime(const Kept &kept) const;
  /// False: the line cannot be read.
  bool take(llvm::StringRef line);

  std::string file_;
  QuestionLimits limits_;
  size_t unreadable_ = 0; ///< lines
  std::map<std::string, Kept> known_;
};

/// Removes the files of this folder that were used longest ago, down to `most`.
void pruneVerdicts(const std::string &folder, size_t most);

} // namespace fathom::confirm
#endif
