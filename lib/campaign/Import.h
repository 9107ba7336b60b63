// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of another fuzzer, run through the fuzzing variant in the order in which they were found:
// the output folder of AFL or AFL++ (one instance or several), or a folder of inputs as libFuzzer
// and others keep them.
//
// What comes out has the form of a campaign and is less: only inputs that the fuzzer has kept are
// known, one for each new thing it saw. An element that every input covers is seen in the units in
// which something new was found, and in no other.
#ifndef FATHOM_CAMPAIGN_IMPORT_H
#define FATHOM_CAMPAIGN_IMPORT_H

#include "campaign/Campaign.h"

#include <filesystem>

namespace fathom::campaign {

struct ImportOptions {
  std::string folder; ///< the results folder, absolute; exists
  std::string source; ///< where the inputs are, absolute
  std::vector<std::string> arguments;
  UnitLength unit;
  std::chrono::milliseconds testTime{1000};
  uint64_t testMemoryBytes = uint64_t(2) << 30;
  Diagnose diagnose; ///< as in TriageOptions
};

/// One input that a fuzzer has kept.
struct KeptInput {
  enum class Kind { Input, Crash, Hang };
  std::string file;
  std::chrono::milliseconds found{0}; ///< since the beginning
  Kind kind = Kind::Input;
};

/// In the order in which they were found: by the time that AFL++ writes into names, otherwise by
/// the time of the file, then by name. Errors: there is none.
llvm::Expected<std::vector<KeptInput>> keptInputs(const std::string &source);

/// Runs them all and writes campaign.db: units of executions of so many inputs each, units of time
/// as the inputs were found, without those in which none was. Errors: there is no input; the
/// database cannot be written; an input cannot be run.
llvm::Expected<CampaignStatus> importInputs(const FuzzVariant &variant,
                                            const ImportOptions &options,
                                            const CampaignEvents &events,
                                            const std::atomic<bool> &stop);

} // namespace fathom::campaign
#endif
