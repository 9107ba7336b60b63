// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tests.store: many small tests in one file (docs/decisions/0016). It only grows, by blocks: a head
// with checksums, and some hundred records (TestRecord.h) that were compressed together.
//
//   file    "fathom tests 1 \n", then blocks; the first has no tests but what is the same in all
//   block   'FTb1', bytes as stored, bytes of the records, number of tests (32 bits each);
//           number of the first test, checksum of what is stored, checksum of the head (64 bits);
//           the records, of consecutive numbers: with zstd where that makes them smaller
//
// A run that is killed leaves at most an incomplete block at the end, which readers pass over and
// the next writer cuts off. Numbers are little endian.
#ifndef FATHOM_REPORT_TESTSTORE_H
#define FATHOM_REPORT_TESTSTORE_H

#include "report/Files.h"
#include "report/TestRecord.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::report {

inline constexpr const char *kStoreName = "tests.store";

/// The data that all tests share: see inputsOf (TestFolder.h).
struct StoreHead {
  std::vector<std::string> arguments, environment;
};

/// The blocks of a store, without their records.
struct StoreLayout {
  struct Block {
    uint64_t offset = 0; ///< of its head
    uint32_t storedBytes = 0, rawBytes = 0, tests = 0;
    uint64_t first = 0, checksum = 0;
  };
  StoreHead head;
  bool hasHead = false; ///< false: there is nothing yet
  std::vector<Block> blocks;
  uint64_t end = 0;  ///< of the last whole block
  uint64_t size = 0; ///< of the file; bytes after `end` are what a killed run was writing
  /// Ranges between whole blocks that are no block, from and to.
  std::vector<std::pair<uint64_t, uint64_t>> damaged;
};

/// A descriptor that is closed.
class OwnedFile {
public:
  explicit OwnedFile(int fd = -1) : fd_(fd) {}
  OwnedFile(OwnedFile &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFile &operator=(OwnedFile &&other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFile();
  int get() const { return fd_; }

private:
  int fd_;
};

class TestStoreWriter {
public:
  /// Creates the store, or continues an existing one: an incomplete block at its end is cut off.
  /// Errors: the file is no store, or has another version; another process writes it; it cannot be
  /// written.
  static llvm::Expected<TestStoreWriter> open(const Directory &folder, const StoreHead &head);

  /// Keeps the test until the next flush. REQUIRES: the number follows that of the last one, or
  /// nothing is pending.
  void add(uint64_t number, const explore::TestCase &test, const std::string &bug);
  /// Is so much pending that the next flush makes a block of good size?
  bool isFull() const { return raw_.size() >= kBlockBytes; }
  uint32_t pending() const { return pending_; }
  /// Writes the pending tests. From then on readers see them, and they survive a kill. On an error
  /// they are lost, and the store is as before.
  llvm::Error flush();
  uint64_t bytes() const { return size_; } ///< of the file
  /// The number of bytes that open() cut off.
  uint64_t cutBytes() const { return cutBytes_; }

private:
  static constexpr size_t kBlockBytes = 256 << 10;
  TestStoreWriter(OwnedFile file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}
  llvm::Error append(llvm::StringRef records, uint32_t tests, uint64_t first);
  OwnedFile file_;
  std::string path_;
  uint64_t size_ = 0, cutBytes_ = 0;
  std::string raw_;
  uint32_t pending_ = 0;
  uint64_t first_ = 0;
};

class TestStore {
public:
  /// Opens a store, even while another process writes it. Errors: the file cannot be read, is no
  /// store, or has another version.
  static llvm::Expected<TestStore> open(const std::string &path);
  const StoreLayout &layout() const { return layout_; }
  /// The tests of a block, in order. Errors: damaged, which tests are lost. Threads: safe.
  llvm::Expected<std::vector<TestRecord>> read(const StoreLayout::Block &block) const;

private:
  TestStore(OwnedFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  OwnedFile file_;
  std::string path_;
  StoreLayout layout_;
};

} // namespace fathom::report
#endif
