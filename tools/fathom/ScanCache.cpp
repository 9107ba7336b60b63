// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanCache.h"

#include "HashFile.h"

#include "native/VariantCache.h"
#include "program/Load.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace fathom::tool {

namespace fs = std::filesystem;

namespace {

/// Answers beyond that are removed, the oldest first.
constexpr size_t kMaxAnswers = 256;
constexpr uint64_t kMostBytes = 512u << 20;

/// Everything that the output depends on, but the program. Budgets are not in it: what is kept is
/// complete.
std::string questionOf(const ScanFlags &flags) {
  return fmt::format("output\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n",
                     flags.title.empty() ? flags.programs.front() : flags.title, flags.assertions,
                     flags.domain, fmt::join(flags.checks, ","), flags.callDepth, flags.print,
                     flags.common.json, flags.common.verbose) +
         (flags.common.failOnFindings ? "fail" : "");
}

void removeOldest(const fs::path &folder) {
  struct Kept {
    fs::file_time_type time;
    fs::path path;
    uint64_t bytes;
  };
  std::error_code ignored;
  std::vector<Kept> all;
  uint64_t bytes = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored)) {
    const uint64_t size = entry.file_size(ignored);
    if (ignored) continue; // it has just gone
    all.push_back({entry.last_write_time(ignored), entry.path(), size});
    bytes += size;
  }
  std::sort(all.begin(), all.end(), [](const Kept &a, const Kept &b) { return a.time < b.time; });
  size_t left = all.size();
  for (const Kept &oldest : all) {
    if (left <= kMaxAnswers && bytes <= kMostBytes) break;
    fs::remove(oldest.path, ignored);
    bytes -= oldest.bytes;
    left--;
  }
}

void print(llvm::StringRef text) { fwrite(text.data(), 1, text.size(), stdout); }

} // namespace

OutputCapture::OutputCapture() {
  fflush(stdout);
  FILE *file = tmpfile();
  if (!file) throw InternalError("no temporary file for the output");
  file_ = dup(fileno(file));
  fclose(file);
  stdout_ = dup(STDOUT_FILENO);
  dup2(file_, STDOUT_FILENO);
}

OutputCapture::~OutputCapture() {
  if (file_ >= 0) print(finish());
}

std::string OutputCapture::finish() {
  fflush(stdout);
  dup2(stdout_, STDOUT_FILENO);
  close(stdout_);
  std::string out;
  char part[65536];
  lseek(file_, 0, SEEK_SET);
  for (ssize_t n; (n = read(file_, part, sizeof part)) > 0;) out.append(part, size_t(n));
  close(file_);
  file_ = -1;
  return out;
}

KeptAnswer::KeptAnswer(const ScanFlags &flags, const std::string &question) : flags_(flags) {
  if (flags.noCache) return;
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.entry = flags.entry;
  load.mayBeLibrary = true;
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(flags.programs, load);
  if (!bitcode) {
    llvm::consumeError(bitcode.takeError());
    return;
  }
  bitcode_ = std::move(*bitcode);
  llvm::BLAKE3 hash;
  hash.update(flags.entry + "\n" + question);
  bool isKnown = hashFile(hash, bitcode_.path) && hashFile(hash, "/proc/self/exe") &&
                 (here.runtimeBitcode.empty() || hashFile(hash, here.runtimeBitcode));
  // Bitcode of another build than the executable beside it is refused.
  for (const std::string &program : flags.programs) isKnown = isKnown && hashFile(hash, program);
  if (bitcode_.folder) flags_.programs = {bitcode_.path}; // compiled just now
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

int scanCached(const ScanFlags &flags, Context &context, const Scan &scan) {
  const KeptAnswer answer(flags, questionOf(flags));
  bool isPartial = false;
  if (flags.noCache) return scan(answer.flags(), isPartial);
  if (const auto known = answer.find()) {
    const auto [status, text] = known->getBuffer().split('\n');
    int number = 0;
    if (!status.getAsInteger(10, number)) {
      context.log.verbose(kAnswered);
      print(text);
      return number;
    }
  }
  OutputCapture capture;
  const int status = scan(answer.flags(), isPartial);
  const std::string text = capture.finish();
  print(text);
  if (!isPartial) answer.keep(fmt::format("{}\n{}", status, text));
  return status;
}

} // namespace fathom::tool
