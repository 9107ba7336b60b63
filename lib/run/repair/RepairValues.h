// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair: the values that variables have, in the campaign before a patch and under the tests
// behind it, as Eq. 12 takes them.
#ifndef FATHOM_RUN_REPAIRVALUES_H
#define FATHOM_RUN_REPAIRVALUES_H

#include "repair/Rank.h"
#include "run/psp/CampaignSamples.h"
#include "run/repair/RepairProgram.h"

#include <set>

namespace fathom::run {

/// What a variable of a function is called in models and values: names of two functions are two.
std::string bindingName(const std::string &function, const std::string &variable);
/// "i" of bindingName("main", "i").
std::string variableOf(const std::string &bindingName);

/// P(I(v = x)) of the program that the campaign ran. A variable's samples are those of all points
/// of its function that sample it: Eq. 12 asks for *some* state with v = x.
class CampaignValues {
public:
  explicit CampaignValues(const CampaignSamples &samples) : samples_(samples) {}
  /// Learns, once, what is asked for; a variable that no point of the function samples stays
  /// unknown. A UsageError where the campaign's database is damaged.
  llvm::Error learn(const std::string &function, const std::string &variable);
  const repair::ValueModels &models() const { return models_; }

private:
  const CampaignSamples &samples_;
  repair::ValueModels models_;
  std::set<std::string> asked_;
};

struct TestedValues {
  repair::SeenValues values; ///< by bindingName
  uint64_t dropped = 0;      ///< states for which there was no room
};
/// X|T(delta(f)): the values at all sampled points of these functions while the tests run on the
/// program as it was built last. A UsageError: no such variant can be made.
llvm::Expected<TestedValues> testedValues(RepairProgram &program,
                                          const std::set<std::string> &functions);

/// "0.9981", or "-" without an estimate.
std::string probabilityText(const std::optional<repair::UnchangedProbability> &unchanged);
/// "i = 7 has 0.0021"; "": nothing is below 1.
std::string leastText(const repair::UnchangedProbability &unchanged);

} // namespace fathom::run
#endif
