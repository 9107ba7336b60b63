// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All reports, and the verdict on each, program by program: match, group, order, ask what is not
// known from an earlier run, and tell every member of a group.
//
//   Batch batch(std::move(files), wanted);
//   for each program: batch.judge(program, options);
//   batch.defect(i), batch.finding(i)
#ifndef FATHOM_CONFIRM_BATCH_H
#define FATHOM_CONFIRM_BATCH_H

#include "confirm/Confirm.h"
#include "confirm/KeptVerdicts.h"
#include "confirm/ReportFile.h"
#include "confirm/Rounds.h"

#include <deque>
#include <functional>
#include <map>

namespace fathom::confirm {

class KnownInputs;

struct BatchProgress {
  uint64_t asked = 0, toAsk = 0; ///< in this round
  Round round;
  uint64_t kept = 0;
  VerdictCounts verdicts{}; ///< in all rounds
};

/// The possible sources of a report that names only its sink, from the value-flow graph.
struct GuessedSources {
  std::vector<std::vector<Place>> all; ///< by source: Defect::steps
  bool isPartial = false;              ///< --max-time cut the value flow short: some may be missing
};

struct JudgeOptions {
  ConfirmOptions confirm;
  unsigned jobs = 1; ///< reports at a time
  /// For all reports of this program; none: no bound, and each report gets all of its time at once
  /// (Rounds.h).
  Deadline until;
  unsigned rounds = 0;      ///< RoundOptions::most
  uint64_t memoryBytes = 0; ///< for all that run at a time; 0: no bound
  KeptVerdicts *kept = nullptr;
  /// Null: a report without a source is checked as it is.
  std::function<GuessedSources(const Defect &)> sources;
  /// Runs the native program on an input that a search has kept (ConfirmOptions::keepInput). It is
  /// called in a process of its own, after a round, so that a program that is slow, or has to be
  /// built first, takes nothing of a search's time. Null: inputs are not run natively.
  std::function<void(Reproduction &)> runNatively;
  /// Reports that are judged before the others; null: none is.
  std::function<bool(const Defect &)> comesFirst;
  std::function<void(const BatchProgress &)> progress = [](const BatchProgress &) {};
};

class Batch {
public:
  /// \param wanted  false: no verdict is asked for (--only)
  Batch(std::vector<std::unique_ptr<ReportFile>> files,
        const std::function<bool(const Defect &)> &wanted);

  size_t size() const { return verdicts_.size(); }
  const std::vector<std::unique_ptr<ReportFile>> &files() const { return files_; }
  /// Report i, counted through all files in order. Each call parses its text.
  Defect defect(size_t i) const;
  /// The same. If the program has the sink's file, the path is that of the debug information: paths
  /// of many reports are relative.
  Defect located(size_t i) const;
  bool isWanted(size_t i) const { return verdicts_[i].isWanted; }
  /// After judge. Of several programs: confirmed in one of them; else possible; else open in one
  /// that has its code; else refuted.
  const Finding &finding(size_t i) const { return findings_[verdicts_[i].finding]; }
  /// The first report of its group, which has the same kinds, source and sink, and verdict.
  size_t leader(size_t i) const { return verdicts_[i].leader; }
  /// The position of its question, from 0, among those about the program that the verdict is about,
  /// in the order in which they are asked.
  uint32_t rank(size_t i) const { return verdicts_[i].rank; }
  /// The first report whose path ends at the same place, with an object allocated and
  /// freed at the same places; itself if it is the first.
  size_t sameCause(size_t i) const { return verdicts_[i].cause; }
  /// Verdicts that were taken over from an earlier run.
  uint64_t kept() const { return kept_; }
  /// Reports that were asked about: one of each group.
  uint64_t asked() const { return asked_; }

  /// Is every question about this program answered by an earlier run? Then judge explores nothing,
  /// and needs no more of the program than its code. Cost: that of reading the reports.
  bool isAnswered(const program::Program &program, const KeptVerdicts &kept);
  /// Explores. Must be called while the process has one thread.
  void judge(const program::Program &program, const JudgeOptions &options);

private:
  /// What is known of one report.
  struct ReportVerdict {
    uint32_t finding = 0; ///< index of findings_
    uint32_t leader = 0, cause = 0, rank = 0;
    uint32_t file = 0; ///< of the sink: index of sinkFiles_
    bool isWanted = true, hasCode = false;
  };
  struct Questions;
  Questions match(const program::Program &program);
  /// Of a group's leader, with the places as the program has them.
  Defect question(const Questions &questions, uint32_t group) const;
  /// Answers the questions, and gives every report of a group its verdict.
  void judgeGroups(Questions &questions, const program::Program &program,
                   const JudgeOptions &options);
  struct Asking;
  /// Explores what no earlier run has answered, in rounds.
  void exploreGroups(Asking &asking, const program::Program &program, const JudgeOptions &options);
  KnownInputs inputsFor(const Asking &asking, const program::Program &program,
                        const JudgeOptions &options) const;
  /// Takes the result of a try of one question.
  Next takeResult(Asking &asking, size_t item, const ChildEnd &end, const Round &round,
                  const JudgeOptions &options);
  /// Runs the inputs that searches have kept since.
  void runInputs(Asking &asking, bool isLast, const JudgeOptions &options);
  /// For later runs.
  void keepVerdict(const Asking &asking, size_t item, const JudgeOptions &options);
  uint32_t add(Finding finding);
  uint32_t addOpen(Cut cause, const std::string &reason);
  void assignVerdict(size_t report, uint32_t finding, size_t leader, uint32_t rank);
  void linkCauses();

  std::vector<std::unique_ptr<ReportFile>> files_;
  std::vector<size_t> firstOfFile_;
  std::vector<ReportVerdict> verdicts_;
  std::vector<std::string> sinkFiles_{""}; ///< [0]: the program has no such file
  std::map<std::string, uint32_t> fileNumbers_;
  std::deque<Finding> findings_;                         ///< [0]: nothing said yet
  std::map<std::pair<Cut, std::string>, uint32_t> open_; ///< findings with a cause and a reason
                                                         ///< only, which reports share
  uint64_t kept_ = 0, asked_ = 0;
};

} // namespace fathom::confirm
#endif
