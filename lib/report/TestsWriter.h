// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the tests of a run go: those that were the first to cover something into folders of their
// own, all others into the store; in one sequence of numbers without gaps, also after a kill.
#ifndef FATHOM_REPORT_TESTSWRITER_H
#define FATHOM_REPORT_TESTSWRITER_H

#include "explore/work/Protocol.h"
#include "report/Files.h"
#include "report/FolderOptions.h"
#include "report/TestFolder.h"
#include "report/TestStore.h"
#include "support/Bytes.h"

#include <chrono>
#include <optional>

namespace fathom::report {

class TestsWriter {
public:
  /// What was written; of a test that is pending it is counted before it is there.
  struct Counts {
    uint64_t tests = 0, partial = 0, endInBug = 0;
  };

  /// `options` outlives this. Errors: tests/ cannot be created.
  llvm::Error open(const Directory &root, const FolderOptions &options);
  /// Goes on with the tests that are there. `head` is what checkpointHead() gave, empty where there
  /// was no checkpoint: of tests that came after it, the paths are added to `stored`. Errors: not
  /// what it gave; a test that cannot be read; a store that cannot be gone on with.
  llvm::Error resume(ByteReader *head, std::vector<uint64_t> &stored);
  /// What a checkpoint has to say of the tests. REQUIRES: nothing is pending.
  std::string checkpointHead() const;

  /// False: the disk budget is spent, and the test covers nothing new. `bug`: the folder of the bug
  /// that the path ends in; "": none. Errors: it cannot be stored, or one that was pending.
  llvm::Expected<bool> write(const explore::TestCase &test, const std::string &bug);
  /// After this no kill takes anything back. Errors: what was pending cannot be stored, and does
  /// not count.
  llvm::Error flush();
  /// The same, where something has waited for a second.
  llvm::Error flushOld();

  const Counts &counts() const { return counts_; }
  /// The number of the last test.
  uint64_t number() const { return counts_.tests; }
  uint64_t notWritten() const { return notWritten_; }
  /// The number of tests that could not be written. REQUIRES: nothing is pending.
  uint64_t lost() const { return given_ - counts_.tests; }
  TestInputs inputs(const explore::TestCase &test) const;

private:
  void setDiskBudget();
  bool diskBudgetHolds() const {
    return use_.bytes + storeBytes() < budget_.bytes && use_.files < budget_.files;
  }
  uint64_t storeBytes() const { return store_ ? store_->bytes() : 0; }
  llvm::Error openStore();
  llvm::Error writeFolder(const explore::TestCase &test, const std::string &bug);
  llvm::Error writeRecord(const explore::TestCase &test, const std::string &bug);
  llvm::Error noteLater(uint64_t known, std::vector<uint64_t> &stored);

  const Directory *root_ = nullptr;
  const FolderOptions *options_ = nullptr;
  StoreHead head_;
  Directory folders_; ///< tests/
  std::optional<TestStoreWriter> store_;
  Counts counts_, pending_;
  std::chrono::steady_clock::time_point waiting_; ///< since then something is pending
  uint64_t given_ = 0;      ///< tests that were to be written, those of earlier runs included
  uint64_t notWritten_ = 0; ///< they cover nothing new and the disk budget is spent
  DiskUse use_, budget_;    ///< use: of the folders
};

} // namespace fathom::report
#endif
