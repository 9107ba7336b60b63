// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/KeptAnswer.h"

#include "native/VariantCache.h"
#include "run/HashFile.h"
#include "run/Installation.h"
#include "support/Folder.h"
#include "support/OwnFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace fathom::run {

namespace fs = std::filesystem;

namespace {

/// Answers beyond that are removed, the oldest first.
constexpr size_t kMaxAnswers = 256;
constexpr uint64_t kMaxBytes = 512u << 20;

void removeOldest(const fs::path &folder) {
  struct Kept {
    fs::file_time_type time;
    fs::path path;
    uint64_t bytes;
  };
  std::error_code ignored;
  std::vector<Kept> all;
  uint64_t bytes = 0;
  for (const fs::directory_entry &entry : entriesOf(folder, ignored)) {
    const uint64_t size = entry.file_size(ignored);
    if (ignored) continue; // it has just gone
    all.push_back({entry.last_write_time(ignored), entry.path(), size});
    bytes += size;
  }
  std::sort(all.begin(), all.end(), [](const Kept &a, const Kept &b) { return a.time < b.time; });
  size_t left = all.size();
  for (const Kept &oldest : all) {
    if (left <= kMaxAnswers && bytes <= kMaxBytes) break;
    fs::remove(oldest.path, ignored);
    bytes -= oldest.bytes;
    left--;
  }
}

} // namespace

KeptAnswer::KeptAnswer(const ScanOptions &options, const std::string &question)
    : options_(options) {
  if (!options.usesCache) return;
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.entry = options.entry;
  load.mayBeLibrary = true;
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(options.programs, load);
  if (!bitcode) {
    llvm::consumeError(bitcode.takeError());
    return;
  }
  bitcode_ = std::move(*bitcode);
  llvm::BLAKE3 hash;
  hash.update(options.entry + "\n" + question);
  bool isKnown = hashFile(hash, bitcode_.path) && hashFile(hash, ownFile()) &&
                 (here.runtimeBitcode.empty() || hashFile(hash, here.runtimeBitcode));
  // Bitcode of another build than the executable beside it is refused.
  for (const std::string &program : options.programs) isKnown = isKnown && hashFile(hash, program);
  if (bitcode_.folder) options_.programs = {bitcode_.path}; // compiled just now
  if (isKnown)
    file_ = fmt::format("{}/scan/{}", native::defaultCache(),
                        llvm::toHex(hash.final<16>(), /*LowerCase=*/true));
}

std::unique_ptr<llvm::MemoryBuffer> KeptAnswer::find() const {
  if (file_.empty()) return nullptr;
  auto known = llvm::MemoryBuffer::getFile(file_);
  return known ? std::move(*known) : nullptr;
}

void KeptAnswer::keep(llvm::StringRef text) const {
  if (file_.empty() || text.size() > kMaxBytesOfOne) return;
  std::error_code ignored;
  const fs::path folder = fs::path(file_).parent_path();
  fs::create_directories(folder, ignored);
  const std::string draft = fmt::format("{}.{}", file_, getpid());
  {
    std::error_code failed;
    llvm::raw_fd_ostream out(draft, failed);
    if (failed) return;
    out << text;
    out.close();
    if (out.has_error()) {
      out.clear_error();
      fs::remove(draft, ignored);
      return;
    }
  }
  fs::rename(draft, file_, ignored); // readers never see half a file
  removeOldest(folder);
}

} // namespace fathom::run
