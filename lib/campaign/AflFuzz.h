// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of afl-fuzz on a fuzzing variant: started, watched, started again when they die, and
// asked to end. One instance is called `main`, the others `1`, `2`, ...; they exchange inputs
// through their common output folder, as AFL++ has it.
#ifndef FATHOM_CAMPAIGN_AFLFUZZ_H
#define FATHOM_CAMPAIGN_AFLFUZZ_H

#include "native/Process.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace fathom::campaign {

struct AflOptions {
  std::string program;                ///< the variant, absolute
  std::string comparisons;            ///< the comparison variant, or empty: no comparison log
  std::string stages;                 ///< afl-stages.so, or empty: stages stay unknown
  std::vector<std::string> arguments; ///< of the program, without argv[0]; "@@" is the input file.
                                      ///< Without one the input is standard input
  std::string seeds;                  ///< folder with at least one input, absolute
  std::string output;                 ///< AFL++'s folder, absolute; created
  std::string dictionary;             ///< file, or empty
  std::vector<std::string> mutators;  ///< libraries (Mutator.h), absolute, in afl-fuzz's order
  bool onlyMutators = false;          ///< mutations of afl-fuzz's own are left out
  std::string unitsFile;              ///< UnitMaps; empty: nothing is recorded
  std::string statesFile;             ///< StateTable.h; empty: no states are sampled
  std::string inbox;                  ///< CampaignOptions::inbox; absolute
  uint32_t counters = 0;              ///< of the map
  unsigned jobs = 1;
  std::optional<uint64_t> seed; ///< none: AFL++'s own choice. Instances get numbers of their own
  unsigned iterations = 1000;   ///< inputs for each process of a harness
  std::chrono::milliseconds testTime{1000};
  uint64_t testMemoryBytes = uint64_t(2) << 30; ///< address space of one execution
  bool boundsHeap = false;                      ///< of its heap instead (CrashRun)
};

/// The folder of one instance inside the output folder.
std::string instanceName(unsigned index);

class AflFuzz {
public:
  /// \param program  path of afl-fuzz.
  AflFuzz(std::string program, AflOptions options);

  llvm::Error start();
  /// Starts instances again that have died. Errors: an instance ended three times in a row within
  /// seconds; the message has afl-fuzz's last words.
  llvm::Error poll();
  /// An instance has ended because no input to begin with ends by itself.
  bool hasNoSeed() const { return hasNoSeed_; }
  /// The inputs to begin with that crashed when the first instance tried them: files in its folder.
  /// Call this when the instance has tried all of them. Cost: reads the instance's output.
  std::vector<std::string> crashingSeeds() const;
  /// Halts all instances, or lets them go on. An execution that is under way comes to its end: only
  /// afl-fuzz waits, so nothing seems to hang.
  void halt(bool isHalted);
  /// Lets the instances write their files; kills those that take longer than `patience`.
  void stop(std::chrono::milliseconds patience);
  uint64_t restarts() const { return restarts_; }

private:
  struct Instance {
    std::string name;
    std::optional<native::Child> child;
    std::chrono::steady_clock::time_point started;
    unsigned quickEnds = 0; ///< in a row
  };
  native::Command command(const Instance &instance) const;
  llvm::Error startOne(Instance &instance);
  std::string logFile(const Instance &instance) const;
  std::string reasonOf(const Instance &instance) const; ///< of its end, in its own words

  std::string program_;
  AflOptions options_;
  std::vector<Instance> instances_;
  uint64_t restarts_ = 0;
  bool hasNoSeed_ = false, isHalted_ = false;
};

/// afl-fuzz's reason in what it printed, one line; "" when it gives none.
std::string aflReason(const std::string &log);
/// Names of the inputs that it says crash in its dry run.
std::vector<std::string> aflCrashingSeeds(const std::string &log);

} // namespace fathom::campaign
#endif
