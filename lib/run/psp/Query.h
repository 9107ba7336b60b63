// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom psp query: the probability that some input satisfies a condition at a line.
#ifndef FATHOM_RUN_QUERY_H
#define FATHOM_RUN_QUERY_H

#include "psp/Satisfiability.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

struct QueryOptions {
  std::string campaign;  ///< a results folder of fathom fuzz --state-samples
  std::string at;        ///< FILE:LINE
  std::string condition; ///< in C, over variables that were sampled there
};

/// What one point says of a condition.
struct PointAnswer {
  psp::Satisfiability answer;
  std::string exampleState; ///< a most probable state that satisfies the condition, as text; "":
                            ///< none has a probability above 0
  /// The lower bound of Eq. 6 of [psp23]; -1 without an estimate, which sorts below every estimate.
  double lower() const {
    const auto *p = std::get_if<psp::ConditionProbability>(&answer);
    return p ? p->lower : -1;
  }
};

/// A UsageError: there are no samples at the place, or the condition is none over them.
llvm::Expected<PointAnswer> askCampaign(const QueryOptions &options);

/// For people, and for programs.
std::string answerText(const PointAnswer &best);
std::string answerJson(const PointAnswer &best);

} // namespace fathom::run
#endif
