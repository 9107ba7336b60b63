// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All tests of a results folder, in order of their numbers: those that have folders of their own
// and those of the store, between which readers need not distinguish.
//
//   llvm::Expected<Tests> tests = Tests::open("fathom-out");
//   TestReader reader(*tests);
//   for (const Tests::Item &item : tests->items()) reader.read(item) ...
#ifndef FATHOM_REPORT_TESTS_H
#define FATHOM_REPORT_TESTS_H

#include "report/TestFolder.h"
#include "report/TestStore.h"

#include <optional>

namespace fathom::report {

class Tests {
public:
  struct Item {
    uint64_t number = 0; ///< 0: a folder whose name is none
    std::string path;    ///< of its folder; "": it is in the store
    std::string dir;     ///< as in reports, "tests/000001"
    bool isBug = false;
    uint32_t block = 0; ///< of the store
    bool inStore() const { return path.empty(); }
  };
  enum class Which : uint8_t { Tests, TestsAndBugs, Bugs };

  /// The tests of a results folder. If `folder` is one test's or bug's folder, only that one, even
  /// if the test is in the store (fathom-out/tests/000123). Empty if there are none. Names with a
  /// dot are skipped: they are being written, or were when a run was killed. Errors: the store is
  /// unusable.
  static llvm::Expected<Tests> open(const std::string &folder, Which which);

  /// Tests, by number, then bugs.
  const std::vector<Item> &items() const { return items_; }
  const TestStore *store() const { return store_ ? &*store_ : nullptr; }
  /// One line for each damaged part of the store.
  std::vector<std::string> damaged() const;
  /// Bytes at the end of the store that a killed run left there, or a running one is writing.
  uint64_t unfinishedBytes() const;

private:
  void addFolders(const std::string &folder, const char *kind, bool isBug);
  llvm::Error addStore(const std::string &folder);
  std::vector<Item> items_;
  std::string path_; ///< of the store
  std::optional<TestStore> store_;
};

/// Reads tests; in order of their numbers is fastest. One for each thread.
class TestReader {
public:
  explicit TestReader(const Tests &tests) : tests_(tests) {}
  /// Errors: as of readTest; the store is damaged there.
  llvm::Expected<StoredTest> read(const Tests::Item &item);
  /// With symbols and path condition.
  llvm::Expected<StoredTest> readWhole(const Tests::Item &item);

private:
  llvm::Expected<StoredTest> readStored(const Tests::Item &item);
  const Tests &tests_;
  std::optional<uint32_t> block_;
  std::vector<TestRecord> records_; ///< of that block
};

/// The run.json of the results folder that `folder` is, or that it is a test of. "": there is none.
std::string runFileOf(const std::string &folder);
/// Is this the place of one test's folder, in which the store has it instead?
bool isInStore(const std::string &folder);

/// The number in the name; 0 if the name does not consist of digits.
uint64_t testNumber(llvm::StringRef name);
/// "000001"
std::string testName(uint64_t number);

} // namespace fathom::report
#endif
