// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_SUITE_SUITEINPUTS_H
#define FATHOM_RUN_SUITE_SUITEINPUTS_H

#include <functional>
#include <string>
#include <vector>

namespace fathom::run {

struct FoundInput {
  std::string from; ///< below the folder of the run, or a file of the corpus
  std::string bytes;
};

/// The inputs of all parts of a run, each once: the corpus, what AFL++ kept (without hangs), what
/// the explorer gave it, and the explorer's tests and all bugs. What cannot be read is left out.
/// \param folder  of the run; \param corpus, \param afl  as in SuiteRequest
std::vector<FoundInput> inputsOfRun(const std::string &folder, const std::string &corpus,
                                    const std::string &afl);

/// What a fuzzer would give the program of a test or bug in this folder. False: nothing.
bool readRawInput(const std::string &folder, bool isBug, std::string &bytes);

} // namespace fathom::run
#endif
