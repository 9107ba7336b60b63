// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanCache.h"

#include "native/VariantCache.h"
#include "program/Load.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
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
constexpr size_t kMostAnswers = 256;

using Hash = llvm::BLAKE3;

bool addFile(Hash &hash, const std::string &path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                                  /*RequiresNullTerminator=*/false);
  if (!buffer) return false;
  hash.update((*buffer)->getBuffer());
  return true;
}

/// Everything that the output depends on, but the program. Budgets are not in it: what is kept is
/// complete.
std::string questionOf(const ScanFlags &flags) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n",
                     flags.title.empty() ? flags.programs.front() : flags.title, flags.entry,
                     flags.assertions, flags.domain, fmt::join(flags.checks, ","), flags.callDepth,
                     flags.print, flags.common.json, flags.common.verbose) +
         (flags.common.failOnFindings ? "fail" : "");
}

struct Answer {
  std::string file; ///< whether it is there or not; "": that cannot be said
  program::BitcodeFile bitcode;
};

Answer answerOf(const ScanFlags &flags) {
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.entry = flags.entry;
  load.mayBeLibrary = true;
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(flags.programs, load);
  if (!bitcode) {
    // Reading the program says what is wrong.
    llvm::consumeError(bitcode.takeError());
    return {};
  }
  Hash hash;
  hash.update(questionOf(flags));
  bool isKnown = addFile(hash, bitcode->path) && addFile(hash, "/proc/self/exe") &&
                 (here.runtimeBitcode.empty() || addFile(hash, here.runtimeBitcode));
  // Bitcode of another build than the executable beside it is refused.
  for (const std::string &program : flags.programs) isKnown = isKnown && addFile(hash, program);
  if (!isKnown) return {};
  return {fmt::format("{}/scan/{}", native::defaultCache(),
                      llvm::toHex(hash.final<16>(), /*LowerCase=*/true)),
          std::move(*bitcode)};
}

/// Whoever cannot write there does without.
void keep(const std::string &file, int status, const std::string &text) {
  std::error_code ignored;
  const fs::path folder = fs::path(file).parent_path();
  fs::create_directories(folder, ignored);
  const std::string draft = fmt::format("{}.{}", file, getpid());
  {
    std::error_code failed;
    llvm::raw_fd_ostream out(draft, failed);
    if (failed) return;
    out << status << "\n" << text;
    out.close();
    if (out.has_error()) {
      out.clear_error();
      fs::remove(draft, ignored);
      return;
    }
  }
  fs::rename(draft, file, ignored); // readers never see half a file
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored))
    all.emplace_back(entry.last_write_time(ignored), entry.path());
  if (all.size() <= kMostAnswers) return;
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i + kMostAnswers < all.size(); ++i) fs::remove(all[i].second, ignored);
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

int scanCached(const ScanFlags &flags, Context &context, const Scan &scan) {
  const Answer answer = answerOf(flags);
  const std::string &file = answer.file;
  bool isPartial = false;
  if (file.empty()) return scan(flags, isPartial);
  if (const auto known = llvm::MemoryBuffer::getFile(file)) {
    const auto [status, text] = (*known)->getBuffer().split('\n');
    int number = 0;
    if (!status.getAsInteger(10, number)) {
      context.log.verbose(
          "unchanged: the answer is that of an earlier run (--no-cache: a new one)");
      print(text);
      return number;
    }
  }
  ScanFlags read = flags;
  if (answer.bitcode.folder) read.programs = {answer.bitcode.path}; // compiled just now
  OutputCapture capture;
  const int status = scan(read, isPartial);
  const std::string text = capture.finish();
  print(text);
  if (!isPartial) keep(file, status, text);
  return status;
}

} // namespace fathom::tool
