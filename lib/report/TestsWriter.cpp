// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestsWriter.h"

#include "report/Tests.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <sys/statvfs.h>

namespace fathom::report {

using explore::EndKind;
using explore::TestCase;

/// So long does a test wait for others to be written with: what a kill takes back.
static constexpr std::chrono::seconds kMaxWait{1};

llvm::Error TestsWriter::open(const Directory &root, const FolderOptions &options) {
  root_ = &root;
  options_ = &options;
  if (options.options) head_ = {options.options->arguments, options.options->environment};
  llvm::Expected<Directory> folders = root.openOrCreateIn("tests");
  if (!folders) return folders.takeError();
  folders_ = std::move(*folders);
  setDiskBudget();
  return llvm::Error::success();
}

void TestsWriter::setDiskBudget() {
  budget_ = {.bytes = ~uint64_t(0), .files = ~uint64_t(0)};
  struct statvfs disk{};
  if (options_->maxDiskBytes) {
    budget_.bytes = options_->maxDiskBytes;
  } else if (fstatvfs(root_->fd(), &disk) == 0) {
    budget_.bytes = disk.f_bavail * disk.f_frsize / 2;
    if (disk.f_files) budget_.files = disk.f_favail / 2; // some file systems have no inodes
  }
  folders_.countInto(&use_);
}

TestInputs TestsWriter::inputs(const TestCase &test) const {
  return inputsOf(test, head_.arguments, head_.environment);
}

// ---- resuming
// --------------------------------------------------------------------------------------------------

std::string TestsWriter::checkpointHead() const {
  ByteWriter out;
  out.put(counts_.tests);
  out.put(counts_.partial);
  out.put(counts_.endInBug);
  out.put(notWritten_);
  out.put(use_.bytes);
  out.put(use_.files);
  return out.take();
}

llvm::Error TestsWriter::resume(ByteReader *head, std::vector<uint64_t> &stored) {
  if (head) {
    counts_.tests = head->get<uint64_t>();
    counts_.partial = head->get<uint64_t>();
    counts_.endInBug = head->get<uint64_t>();
    notWritten_ = head->get<uint64_t>();
    use_.bytes = head->get<uint64_t>();
    use_.files = head->get<uint64_t>();
  }
  llvm::Expected<std::vector<std::string>> whole = folders_.wholeEntries(); // removes the others
  if (!whole) return whole.takeError();
  if (root_->exists(kStoreName))
    if (auto e = openStore()) return e; // cuts off what is incomplete
  llvm::Error error = noteLater(counts_.tests, stored);
  given_ = counts_.tests;
  return error;
}

/// What a test's folder takes of the disk.
static void addUse(const std::string &test, DiskUse &use) {
  use.add(DiskUse::kBlock);
  std::error_code ignored;
  for (llvm::sys::fs::directory_iterator at(test, ignored), end; at != end && !ignored;
       at.increment(ignored))
    if (llvm::ErrorOr<llvm::sys::fs::basic_file_status> status = at->status())
      use.add(status->getSize());
}

/// The tests with larger numbers than `known`.
llvm::Error TestsWriter::noteLater(uint64_t known, std::vector<uint64_t> &stored) {
  llvm::Expected<Tests> tests = Tests::open(root_->path(), Tests::Which::Tests);
  if (!tests) return tests.takeError();
  TestReader reader(*tests);
  for (const Tests::Item &item : tests->items()) {
    if (item.number <= known) continue;
    llvm::Expected<StoredTest> test = reader.read(item);
    if (!test) return test.takeError();
    if (!item.inStore()) addUse(item.path, use_);
    stored.push_back(test->pathHash);
    counts_.tests = std::max(counts_.tests, item.number);
    counts_.partial += test->end == EndKind::Partial;
    counts_.endInBug += test->end == EndKind::Bug;
  }
  return llvm::Error::success();
}

// ---- writing
// ---------------------------------------------------------------------------------------------------

llvm::Error TestsWriter::openStore() {
  llvm::Expected<TestStoreWriter> store = TestStoreWriter::open(*root_, head_);
  if (!store) return store.takeError();
  store_.emplace(std::move(*store));
  return llvm::Error::success();
}

llvm::Expected<bool> TestsWriter::write(const TestCase &test, const std::string &bug) {
  if (!test.coversNew && !diskBudgetHolds()) {
    ++notWritten_;
    return false;
  }
  const bool isFolder = test.coversNew || options_->testFolders;
  given_++;
  if (auto e = isFolder ? writeFolder(test, bug) : writeRecord(test, bug)) return std::move(e);
  return true;
}

static void add(TestsWriter::Counts &sum, const TestCase &test) {
  sum.tests++;
  sum.partial += test.end == EndKind::Partial;
  sum.endInBug += test.end == EndKind::Bug;
}

llvm::Error TestsWriter::writeFolder(const TestCase &test, const std::string &bug) {
  // A kill must not leave its number after a gap.
  if (auto e = flush()) return e;
  if (auto e = folders_.createWhole(testName(number() + 1), [&](const Directory &dir) {
        return writeTest(dir, test, inputs(test), bug);
      }))
    return e;
  add(counts_, test);
  return llvm::Error::success();
}

llvm::Error TestsWriter::writeRecord(const TestCase &test, const std::string &bug) {
  if (!store_)
    if (auto e = openStore()) return e;
  if (!pending_.tests) waiting_ = std::chrono::steady_clock::now();
  store_->add(number() + 1, test, bug);
  add(counts_, test);
  add(pending_, test);
  return store_->isFull() ? flush() : flushOld();
}

llvm::Error TestsWriter::flushOld() {
  if (!pending_.tests || std::chrono::steady_clock::now() - waiting_ < kMaxWait)
    return llvm::Error::success();
  return flush();
}

llvm::Error TestsWriter::flush() {
  if (!store_) return llvm::Error::success();
  const Counts pending = std::exchange(pending_, {});
  llvm::Error error = store_->flush();
  if (error) {
    counts_.tests -= pending.tests;
    counts_.partial -= pending.partial;
    counts_.endInBug -= pending.endInBug;
  }
  return error;
}

} // namespace fathom::report
