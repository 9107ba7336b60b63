// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each part of fathom run does in its process: requests for the drivers of the commands, and
// what they tell the others. Each returns the exit status of the process.
#ifndef FATHOM_RUN_ALL_PARTWORK_H
#define FATHOM_RUN_ALL_PARTWORK_H

#include "run/all/RunAll.h"
#include "run/all/Since.h"

#include <memory>

namespace fathom::run {

struct PartContext {
  const RunRequest &request;
  std::string folder; ///< absolute
  Interruption interruption;
  bool isHarness = false;
  bool takesFile = false; ///< the input is a file (@@)
  bool resumes = false;   ///< the folder has results of all parts
  unsigned jobs = 1;      ///< of this part
  std::shared_ptr<SharedParts> parts{};
  const Since *since = nullptr; ///< of --since
};

/// The program's arguments, with "@@" where the input file is.
std::vector<std::string> inputArguments(const PartContext &context);

int fuzzPart(const PartContext &context);
int explorePart(const PartContext &context);
int scanPart(const PartContext &context);
/// Needs what scanPart has written.
int confirmPart(const PartContext &context);

} // namespace fathom::run
#endif
