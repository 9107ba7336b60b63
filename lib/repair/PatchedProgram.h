// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program under repair: a private copy of its sources that can be changed, built and tested,
// and is the original again afterwards. Nothing is written below the sources themselves.
#ifndef FATHOM_REPAIR_PATCHEDPROGRAM_H
#define FATHOM_REPAIR_PATCHEDPROGRAM_H

#include "native/Process.h"
#include "repair/Diff.h"

#include "llvm/Support/Error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace fathom::repair {

/// The tests find the program that was built under this name in their environment.
inline constexpr const char *kProgramVariable = "FATHOM_PROGRAM";

struct PatchedProgramOptions {
  std::string source; ///< the folder of the sources, absolute
  /// Without `build`: the program's C files, relative to `source`; their folders are copied,
  /// without folders in them.
  std::vector<std::string> files;
  std::string fathomCc; ///< what compiles these
  /// A command that builds the program, in the copy of the whole folder; "": there is none.
  std::string build;
  std::string program; ///< with `build`: what it builds, relative to `source`
  std::string scratch; ///< a folder for the copy; exists
  std::vector<std::string> tests;
  std::string testFolder; ///< where tests run; "": in the copy
  std::chrono::milliseconds testTime{10'000}, buildTime{600'000};
  uint64_t testMemory = 0; ///< address space of a test's processes, in bytes; 0: no limit
  const std::atomic<bool> *stop = nullptr;
};

class PatchedProgram {
public:
  /// Copies. Errors: a file or folder cannot be read or written.
  static llvm::Expected<PatchedProgram> create(PatchedProgramOptions options);

  const PatchedProgramOptions &options() const { return options_; }
  const std::string &copy() const { return copy_; }       ///< the folder of the copied sources
  const std::string &program() const { return program_; } ///< absolute; there after build()
  /// As it is in the sources. Errors: it cannot be read.
  llvm::Expected<std::string> sourceText(const std::string &file) const;

  /// Replaces a file of the copy. Errors: it cannot be written.
  llvm::Error change(const std::string &file, const std::string &text);
  /// Applies a diff as `patch -p1` does, or `patch -p0` if one of its files is there without
  /// stripping a folder. Returns its hunks, with the names of files as they are below the sources.
  /// Errors, and then nothing is changed: it does not apply (what patch says of it), it has no
  /// hunk, it leaves the folder.
  llvm::Expected<std::vector<DiffHunk>> apply(const std::string &patchFile);
  /// Undoes all changes. Errors: a file cannot be written.
  llvm::Error restore();

  /// Errors: it does not build (the first error line that the compiler or command wrote).
  llvm::Error build();
  /// Runs one test, in a shell, with limits. Passed: Outcome::ok().
  /// \param program      what FATHOM_PROGRAM names. \param environment  further NAME=VALUE.
  native::Outcome test(size_t test, const std::string &program,
                       std::vector<std::string> environment = {}) const;

  /// From now on tests get at most this much time, and at most testTime.
  void limitTests(std::chrono::milliseconds time) {
    options_.testTime = std::min(options_.testTime, time);
  }

private:
  explicit PatchedProgram(PatchedProgramOptions options);
  std::string inCopy(const std::string &file) const { return copy_ + "/" + file; }
  std::string inSource(const std::string &file) const { return options_.source + "/" + file; }

  PatchedProgramOptions options_;
  std::string copy_, program_;
  std::set<std::string> changed_;
};

/// Whether the shell says that there is no such command, or that it cannot be executed.
bool couldNotRun(const native::Outcome &outcome);

} // namespace fathom::repair
#endif
