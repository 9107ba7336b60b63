// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of a results folder: written whole or not at all, few system calls each.
#ifndef FATHOM_REPORT_FILES_H
#define FATHOM_REPORT_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fathom::report {

/// What files and directories take on a disk, about: whole blocks, and one inode each.
struct DiskUse {
  uint64_t bytes = 0, files = 0;
  void add(uint64_t contentBytes) {
    bytes += (contentBytes + kBlock - 1) / kBlock * kBlock + kInode;
    files++;
  }
  static constexpr uint64_t kBlock = 4096, kInode = 256;
};

/// A directory that files are written into, by descriptor: no path is resolved twice.
class Directory {
public:
  /// Creates it (with the directories above it) when it does not exist.
  static llvm::Expected<Directory> openOrCreate(const std::string &path);
  /// A new directory inside this one; an error when the name exists.
  llvm::Expected<Directory> create(const std::string &name) const;
  /// One that is there; a symbolic link is an error.
  llvm::Expected<Directory> open(const std::string &name) const;
  llvm::Expected<Directory> openOrCreateIn(const std::string &name) const;
  Directory() = default;
  Directory(Directory &&other) noexcept;
  Directory &operator=(Directory &&other) noexcept;
  ~Directory();

  const std::string &path() const { return path_; }
  int fd() const { return fd_; }
  /// What is written into this directory, and into those that are created in it from now on, is
  /// added to `use` (until then to nothing), which outlives them.
  void countInto(DiskUse *use) { use_ = use; }
  /// Creates or truncates. On failure (disk full) the file may be short: for files of a directory
  /// that is renamed when complete.
  llvm::Error write(const std::string &name, llvm::StringRef data, bool executable = false) const;
  /// Readers see the old contents or the new ones, never a part.
  llvm::Error replace(const std::string &name, llvm::StringRef data) const;
  /// A new directory that readers see with everything in it or not at all: `fill` writes into it
  /// while its name starts with a dot. Errors: those of `fill`; it cannot be created. Nothing is
  /// left then.
  llvm::Error createWhole(const std::string &name,
                          llvm::function_ref<llvm::Error(const Directory &)> fill) const;
  llvm::Error rename(const std::string &from, const std::string &to) const;
  bool exists(const std::string &name) const;
  /// With everything below it; no error when there is nothing.
  llvm::Error remove(const std::string &name) const;
  /// Sorted, without "." and "..".
  std::vector<std::string> entries() const;
  /// The entries without those that createWhole was at when a run was killed: these are removed.
  llvm::Expected<std::vector<std::string>> wholeEntries() const;

private:
  Directory(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  std::string path_;
  DiskUse *use_ = nullptr;
};

/// The whole file. Errors: "cannot read FILE: reason"; a file larger than maxBytes.
llvm::Expected<std::string> readFile(const std::string &path, uint64_t maxBytes = uint64_t(1)
                                                                                  << 30);
/// The SHA-256 of a file's contents, in hexadecimal; "" when it cannot be read.
std::string sha256(const std::string &path);
/// A file with one JSON object. Errors name the file and the place.
llvm::Expected<llvm::json::Object> readJsonObject(const std::string &path);
/// Bytes as JSON text: invalid UTF-8 becomes U+FFFD.
std::string utf8(llvm::StringRef bytes);
std::string hex(llvm::StringRef bytes);
/// False when it is not an even number of hexadecimal digits.
bool unhex(llvm::StringRef text, std::string &out);
/// "0123456789abcdef" with 16 digits: 64-bit numbers do not fit into JSON's.
std::string hex64(uint64_t value);
bool parseHex64(llvm::StringRef text, uint64_t &out);
/// Indented JSON with a final newline.
std::string jsonText(const std::function<void(llvm::json::OStream &)> &write);
llvm::Error ioError(const std::string &what, const std::string &path, int error);
/// 2026-01-31T12:00:00Z
std::string utcNow();

} // namespace fathom::report
#endif
