// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The surroundings of a test that runs natively: its working directory's other files, its
// environment, and the directories that it may change.
#ifndef FATHOM_REPORT_REPLAYSURROUNDINGS_H
#define FATHOM_REPORT_REPLAYSURROUNDINGS_H

#include "report/Replay.h"

#include <string>
#include <utility>
#include <vector>

namespace fathom::report {

/// The engine tells the program that this is its working directory (FATHOM_CONFIG_CWD of
/// fathom/abi.h).
constexpr const char *kModelRoot = "/tmp/fathom";

/// Names and contents.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// The files that the program saw in its working directory beside its symbolic files: those of the
/// directory in which it was explored. Only if they are few and small: every test gets a copy.
/// \param folder  of the results, or of one test.
NamedFiles explorationFiles(const std::string &folder);

/// Variables of ours that a test on another build needs: where its libraries and its coverage data
/// are, sanitizers' options. Reports go into `reportFile`, unless the user chooses another place;
/// not to standard error, which a program may have closed when leaks are looked for.
std::vector<std::string> passedOn(const std::string &reportFile);

/// The directories that tests may change: those that the model lets them change (/dev/shm and both
/// folders for temporary files), and those in `options`.
std::vector<std::string> writableDirectories(const ReplayOptions &options,
                                             const std::string &executable);

/// $TMPDIR; otherwise memory, where there is plenty: a dozen small files per test keep a busy
/// disk's journal waiting.
std::string scratchParent();

/// The absolute path; the path as it is if it does not exist.
std::string absolutePath(const std::string &path);

} // namespace fathom::report
#endif
