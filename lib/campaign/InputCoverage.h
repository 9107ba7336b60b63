// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of a program given inputs cover, outside of any campaign.
#ifndef FATHOM_CAMPAIGN_INPUTCOVERAGE_H
#define FATHOM_CAMPAIGN_INPUTCOVERAGE_H

#include "campaign/FuzzVariant.h"
#include "native/Process.h"

#include "llvm/Support/Error.h"

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace fathom::campaign {

/// How one execution ended, and its counters (MapLayout.h).
struct CountedRun {
  native::Outcome outcome;
  std::vector<uint8_t> map;
};

/// Runs the command, which starts the variant. `map`: file for the counters; overwritten.
/// Errors: the command does not start; the file cannot be written or read.
llvm::Expected<CountedRun> countedRun(const FuzzVariant &variant, native::Command command,
                                      const std::string &map,
                                      const std::atomic<bool> *stop = nullptr);

/// Runs every file once, as standard input (which is what a harness reads), and says of each
/// element (MapLayout.h) whether one of them covers it.
///
/// \param scratch  folder for the map; exists.
/// Errors: an input that does not end in time, or ends the program by a signal; `stop` became true.
/// Cost: about a millisecond for each input besides the program's own time.
llvm::Expected<std::vector<bool>> coveredBy(const FuzzVariant &variant,
                                            const std::vector<std::string> &files,
                                            const std::string &scratch,
                                            std::chrono::milliseconds testTime,
                                            const std::atomic<bool> &stop);

} // namespace fathom::campaign
#endif
