// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestStore.h"

#include "support/Bytes.h"

#include "support/TextError.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::report {

using llvm::StringRef;
using Block = StoreLayout::Block;

static constexpr StringRef kFileMagic = "fathom tests 1 \n";
static constexpr StringRef kAnyVersion = "fathom tests ";
static constexpr StringRef kBlockMagic = "FTb1";
static constexpr size_t kHeadBytes = 40;
/// Level 3 makes a block a tenth smaller than level 1, in as little time beside what a path takes.
static constexpr int kLevel = 3;
/// No block is larger, however much output a test has.
static constexpr uint32_t kMaxRawBytes = uint32_t(1) << 30;

OwnedFile::~OwnedFile() {
  if (fd_ >= 0) close(fd_);
}

static llvm::ArrayRef<uint8_t> bytesOf(StringRef text) { return llvm::arrayRefFromStringRef(text); }

// ---- blocks
// ----------------------------------------------------------------------------------------------------

static std::string headOf(const Block &block) {
  ByteWriter out;
  out.put(block.storedBytes);
  out.put(block.rawBytes);
  out.put(block.tests);
  out.put(block.first);
  out.put(block.checksum);
  std::string head = kBlockMagic.str() + out.take();
  const uint64_t sum = llvm::xxHash64(head);
  head.append(reinterpret_cast<const char *>(&sum), sizeof sum);
  assert(head.size() == kHeadBytes);
  return head;
}

/// False: `head` is none.
static bool parseHead(StringRef head, Block &block) {
  if (head.size() < kHeadBytes || !head.starts_with(kBlockMagic)) return false;
  ByteReader in(std::string_view(head).substr(kBlockMagic.size()));
  block.storedBytes = in.get<uint32_t>();
  block.rawBytes = in.get<uint32_t>();
  block.tests = in.get<uint32_t>();
  block.first = in.get<uint64_t>();
  block.checksum = in.get<uint64_t>();
  const auto sum = in.get<uint64_t>();
  return sum == llvm::xxHash64(head.take_front(kHeadBytes - sizeof sum));
}

/// Fewer bytes at the end of the file, or where it cannot be read.
static std::string readAt(int fd, uint64_t offset, size_t size) {
  std::string out(size, 0);
  size_t done = 0;
  while (done < size) {
    const ssize_t n = pread(fd, out.data() + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  out.resize(done);
  return out;
}

/// The records of a block; nullopt: damaged.
static std::optional<std::string> recordsOf(int fd, const Block &block) {
  std::string stored = readAt(fd, block.offset + kHeadBytes, block.storedBytes);
  if (stored.size() != block.storedBytes || llvm::xxHash64(stored) != block.checksum ||
      block.rawBytes > kMaxRawBytes)
    return std::nullopt;
  if (block.storedBytes == block.rawBytes) return stored;
  std::string raw(block.rawBytes, 0);
  size_t size = raw.size();
  if (llvm::Error e = llvm::compression::zstd::decompress(
          bytesOf(stored), reinterpret_cast<uint8_t *>(raw.data()), size)) {
    llvm::consumeError(std::move(e));
    return std::nullopt;
  }
  if (size != raw.size()) return std::nullopt;
  return raw;
}

/// Where the next block begins, from `at` on; `size` where there is none.
static uint64_t findBlock(int fd, uint64_t at, uint64_t size) {
  constexpr size_t kChunk = 1 << 20;
  for (; at + kHeadBytes <= size; at += kChunk) {
    const std::string text = readAt(fd, at, kChunk + kHeadBytes);
    Block block;
    for (size_t i = text.find(kBlockMagic.str()); i != std::string::npos && i < kChunk;
         i = text.find(kBlockMagic.str(), i + 1))
      if (parseHead(StringRef(text).substr(i), block)) return at + i;
  }
  return size;
}

static bool decodeHead(const std::string &bytes, StoreHead &head) {
  ByteReader in(bytes);
  head.arguments = in.get<std::vector<std::string>>();
  head.environment = in.get<std::vector<std::string>>();
  return in.ok();
}

/// Errors: not a store, or of another version.
static llvm::Expected<StoreLayout> layoutOf(int fd, const std::string &path) {
  struct stat st{};
  if (fstat(fd, &st) < 0) return ioError("read", path, errno);
  StoreLayout out;
  out.size = static_cast<uint64_t>(st.st_size);
  const std::string begin = readAt(fd, 0, kFileMagic.size());
  if (!kFileMagic.starts_with(begin))
    return textError(fmt::format("{}: {}", path,
                                 StringRef(begin).starts_with(kAnyVersion)
                                     ? "is a store of another version of Fathom"
                                     : "is no store of tests"));
  if (begin.size() < kFileMagic.size()) return out; // killed at its first byte
  out.end = kFileMagic.size();
  for (uint64_t at = out.end; at < out.size;) {
    Block block;
    const bool isBlock = parseHead(readAt(fd, at, kHeadBytes), block);
    block.offset = at;
    const uint64_t next = at + kHeadBytes + block.storedBytes;
    if (!isBlock || next > out.size) {
      const uint64_t found = findBlock(fd, at + 1, out.size);
      if (found == out.size) break; // what follows is no block: it is the end
      out.damaged.emplace_back(at, found);
      at = found;
      continue;
    }
    if (block.tests) {
      out.blocks.push_back(block);
    } else if (!out.hasHead) {
      std::optional<std::string> head = recordsOf(fd, block);
      out.hasHead = head && decodeHead(*head, out.head);
    }
    at = out.end = next;
  }
  return out;
}

// ---- writing
// ---------------------------------------------------------------------------------------------------

llvm::Expected<TestStoreWriter> TestStoreWriter::open(const Directory &folder,
                                                      const StoreHead &head) {
  const std::string path = folder.path() + "/" + kStoreName;
  OwnedFile file(openat(folder.fd(), kStoreName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) return ioError("create", path, errno);
  // The workers of a run that was killed hold it a moment longer.
  bool isOurs = false;
  for (int tries = 0; tries < 20 && !isOurs; ++tries) {
    isOurs = flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (!isOurs) usleep(50'000);
  }
  if (!isOurs) return textError(fmt::format("{}: another run is writing there", path));
  llvm::Expected<StoreLayout> layout = layoutOf(file.get(), path);
  if (!layout) return layout.takeError();
  // A machine that went down can leave the last block with its length and without its bytes.
  while (!layout->blocks.empty() &&
         layout->blocks.back().offset + kHeadBytes + layout->blocks.back().storedBytes ==
             layout->end) {
    if (recordsOf(file.get(), layout->blocks.back())) break;
    layout->end = layout->blocks.back().offset;
    layout->blocks.pop_back();
  }
  TestStoreWriter writer(std::move(file), path);
  writer.size_ = layout->end;
  writer.cutBytes_ = layout->size - layout->end;
  if (writer.cutBytes_ && ftruncate(writer.file_.get(), static_cast<off_t>(layout->end)) < 0)
    return ioError("write", path, errno);
  if (layout->hasHead) return writer;
  ByteWriter bytes;
  bytes.put(head.arguments);
  bytes.put(head.environment);
  if (auto e = writer.append(bytes.take(), /*tests=*/0, /*first=*/0)) return std::move(e);
  return writer;
}

void TestStoreWriter::add(uint64_t number, const explore::TestCase &test, const std::string &bug) {
  if (!pending_) first_ = number;
  assert(number == first_ + pending_ && "a block has consecutive numbers");
  encodeRecord(test, bug, raw_);
  pending_++;
}

llvm::Error TestStoreWriter::flush() {
  if (!pending_) return llvm::Error::success();
  llvm::Error error = append(raw_, pending_, first_);
  raw_.clear();
  pending_ = 0;
  return error;
}

llvm::Error TestStoreWriter::append(StringRef records, uint32_t tests, uint64_t first) {
  if (records.size() > kMaxRawBytes) return ioError("write", path_, EFBIG);
  llvm::SmallVector<uint8_t, 0> packed;
  if (llvm::compression::zstd::isAvailable())
    llvm::compression::zstd::compress(bytesOf(records), packed, kLevel);
  StringRef stored = records;
  if (!packed.empty() && packed.size() < records.size()) stored = llvm::toStringRef(packed);
  Block block{size_,
              static_cast<uint32_t>(stored.size()),
              static_cast<uint32_t>(records.size()),
              tests,
              first,
              llvm::xxHash64(stored)};
  std::string out = size_ ? "" : kFileMagic.str();
  out += headOf(block);
  out += stored;
  for (size_t done = 0; done < out.size();) {
    const ssize_t n =
        pwrite(file_.get(), out.data() + done, out.size() - done, static_cast<off_t>(size_ + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error = n < 0 ? errno : ENOSPC;
      (void)!ftruncate(file_.get(), static_cast<off_t>(size_)); // otherwise the next writer does
      return ioError("write", path_, error);
    }
    done += static_cast<size_t>(n);
  }
  size_ += out.size();
  return llvm::Error::success();
}

// ---- reading
// ---------------------------------------------------------------------------------------------------

llvm::Expected<TestStore> TestStore::open(const std::string &path) {
  OwnedFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return ioError("read", path, errno);
  llvm::Expected<StoreLayout> layout = layoutOf(file.get(), path);
  if (!layout) return layout.takeError();
  TestStore store(std::move(file), path);
  store.layout_ = std::move(*layout);
  return store;
}

llvm::Expected<std::vector<TestRecord>> TestStore::read(const Block &block) const {
  std::optional<std::string> raw = recordsOf(file_.get(), block);
  std::vector<TestRecord> out(raw ? block.tests : 0);
  std::string_view rest = raw ? *raw : std::string_view();
  for (TestRecord &record : out)
    if (!decodeRecord(rest, record)) raw.reset(), rest = {};
  if (!raw || !rest.empty())
    return textError(fmt::format("{}: damaged at byte {}: tests {} to {} are lost", path_,
                                 block.offset, block.first, block.first + block.tests - 1));
  return out;
}

} // namespace fathom::report
