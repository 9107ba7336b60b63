// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom fuzz --until-stable: do a campaign's samples still change what a model says?
#ifndef FATHOM_RUN_CONVERGENCE_H
#define FATHOM_RUN_CONVERGENCE_H

#include "campaign/StatePoints.h"
#include "campaign/StateTable.h"
#include "psp/Condition.h"

#include "llvm/Support/Error.h"

#include <fstream>
#include <string>
#include <vector>

namespace fathom::run {

/// Compares models of successive moments (psp/Hellinger.h), at the points that have a condition:
/// over its variables.
class Convergence {
public:
  /// So many executions lie between two moments.
  static constexpr uint64_t kStride = 5000;
  /// So many comparisons in a row must be below the limit.
  static constexpr unsigned kStable = 3;

  /// \param file     gets a line for each comparison: executions, points reached, mean distance.
  /// \param resumes  goes on with the lines that are there. What the campaign sampled before is
  ///                 not known here, so its first moment is compared with nothing.
  /// \returns        a UsageError: the file cannot be written.
  static llvm::Expected<Convergence> create(const std::vector<campaign::StatePoint> &points,
                                            double limit, std::string file, bool resumes);
  /// What has been sampled until now. Returns whether the models are stable.
  bool add(const campaign::StateSamples &samples, uint64_t executions);
  /// Why lines are missing at the end of the file, which has whole ones only but for the last; "":
  /// none is missing.
  const std::string &problem() const { return problem_; }

private:
  struct Point {
    std::vector<psp::VariableId> variables; ///< of its condition; empty: not compared
    psp::Samples before;
  };
  Convergence(const std::vector<campaign::StatePoint> &points, double limit, std::string file,
              bool resumes);
  void write(const std::string &line);

  std::vector<Point> points_;
  std::vector<psp::Samples> empty_; ///< with the names of each point's variables
  double limit_;
  std::string file_, problem_;
  std::ofstream out_;
  bool isFirst_; ///< of a campaign that goes on: the next moment has none before it
  unsigned stable_ = 0;
};

} // namespace fathom::run
#endif
