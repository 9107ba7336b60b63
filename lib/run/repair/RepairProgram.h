// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair: the program with its sources, its copy and its tests.
#ifndef FATHOM_RUN_REPAIRPROGRAM_H
#define FATHOM_RUN_REPAIRPROGRAM_H

#include "repair/PatchedProgram.h"
#include "run/repair/RepairRequest.h"
#include "run/Session.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <optional>
#include <set>

namespace fathom::run {

/// A folder of our own that goes when this does.
class RepairScratch {
public:
  static llvm::Expected<std::unique_ptr<RepairScratch>> make();
  ~RepairScratch();
  RepairScratch(const RepairScratch &) = delete;
  RepairScratch &operator=(const RepairScratch &) = delete;
  const std::string &path() const { return path_; }

private:
  explicit RepairScratch(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// One run of the program that a test started.
struct RecordedRun {
  std::vector<std::string> arguments; ///< without argv[0]
  std::string input;                  ///< standard input
};

/// How a test ended on the program as it is.
struct TestBefore {
  bool passes = false;
  double seconds = 0;
  std::string how;               ///< describe()
  std::vector<RecordedRun> runs; ///< of a test that fails, the first of them
};

/// The first test that does not pass.
struct TestFailure {
  size_t test = 0; ///< from 0
  std::string how; ///< describe()
  std::string text() const;
};

class RepairProgram {
public:
  /// Reads the program and copies its sources. A UsageError: it cannot be read, where its sources
  /// are is not known, they cannot be copied.
  static llvm::Expected<std::unique_ptr<RepairProgram>> make(const RepairRequest &request,
                                                             Session &session);

  llvm::Module &module() { return *module_; }
  repair::PatchedProgram &subject() { return *subject_; }
  const repair::PatchedProgram &subject() const { return *subject_; }
  const std::string &scratch() const { return scratch_->path(); }
  /// As it is named below the sources; absent: it is not below them.
  std::optional<std::string> relative(const std::string &file) const;

  /// Builds the program as it is and runs each test. A UsageError: it does not build; a test
  /// cannot be run. Candidates get little more time than this took.
  llvm::Error testBefore();
  const std::vector<TestBefore> &before() const { return before_; }
  size_t failing() const;
  /// Those that fail before any patch first: a wrong candidate mostly fails one of these.
  const std::vector<size_t> &testOrder() const { return order_; }
  /// None: all pass.
  std::optional<TestFailure> failure(const std::vector<std::string> &environment = {}) const;

private:
  /// Runs the test once more, with a script in the program's place.
  llvm::Expected<std::vector<RecordedRun>> recordedRuns(size_t test) const;
  explicit RepairProgram(const RepairRequest &request);
  llvm::Error load(Session &session);
  /// Which C files the program is made of, below the sources.
  llvm::Expected<std::vector<std::string>> sourceFiles() const;

  const RepairRequest &request_;
  std::unique_ptr<RepairScratch> scratch_;
  std::string root_;
  llvm::LLVMContext llvm_;
  std::unique_ptr<llvm::Module> module_;
  std::optional<repair::PatchedProgram> subject_;
  std::vector<TestBefore> before_;
  std::vector<size_t> order_;
};

/// The folder that patches are written to. An earlier run's patches, which --force replaces, stay
/// until the first new one is there, or it is certain that there is none.
class PatchFolder {
public:
  /// A UsageError unless nothing is there, or an empty folder, or with `force` an earlier run's
  /// patches.
  static llvm::Expected<PatchFolder> open(const std::string &path, bool force);
  /// Writes NUMBER.patch, and returns its path. A UsageError where it cannot be written.
  llvm::Expected<std::string> write(size_t number, const std::string &diff);
  /// Removes what is left of the earlier run.
  void removeOld();

private:
  std::string path_;
  std::set<std::string> old_; ///< paths
};

} // namespace fathom::run
#endif
