// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_CC_PROCESS_H
#define FATHOM_CC_PROCESS_H

#include <string>
#include <vector>

namespace fathom::cc {

using Command = std::vector<std::string>;

/// Runs a command and waits for it.
///
/// \param command  the program (looked up in PATH unless it has a slash) and its arguments
/// \returns        its exit status; 128 + signal when it was killed; 127 when it cannot be started
int run(const Command &command);

/// The same; what it writes to its standard error goes to `errorFile`, which is replaced.
int run(const Command &command, const std::string &errorFile);

/// Becomes the command; returns only when it cannot be started (127).
int become(const Command &command);

/// The command as one line that a shell reads back, for -v.
std::string shellQuoted(const Command &command);

/// A directory for intermediate files, removed with what is in it at the end of its life.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  /// A name in it that no earlier call returned.
  std::string file(const std::string &stem, const std::string &suffix);

private:
  std::string path_;
  unsigned count_ = 0;
};

} // namespace fathom::cc

#endif
